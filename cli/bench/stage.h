/* A stage: filters and arrays, and contenders over them that are timed in turn.
 * Failures go into the bench; from then on the functions here do nothing. */
#ifndef TAMIS_CLI_BENCH_STAGE_H
#define TAMIS_CLI_BENCH_STAGE_H

#include "bench/bench.h"

/* Chunks of each contender where they take long. */
enum { FEW_ROUNDS = 31 };

enum { STAGE_CONTENDERS = 64, STAGE_ARRAYS = 64, STAGE_FILTERS = 16, ROLLING = 4 };

typedef struct stage_array {
    void *pages;
    size_t nbytes;
} stage_array;

typedef struct stage {
    bench *owner;
    const char *part;
    uint64_t items;
    double error_rate;       /* of the figures to come */
    uint32_t lines_per_item; /* of the figures to come */
    size_t rounds;           /* chunks of each contender */
    supply *supply;
    contender list[STAGE_CONTENDERS];
    size_t count;
    samples taken;
    stage_array arrays[STAGE_ARRAYS];
    size_t array_count;
    tamis_filter *filters[STAGE_FILTERS];
    size_t filter_count;
} stage;

/* What a figure is made of; `limit.count` 0: it is a limit itself. */
typedef struct claim {
    const char *what;
    time_sum subject;
    const char *limit_name;
    time_sum limit;
    double target;
    target_sense sense;
} claim;

/* Limit loops over the same lines: plain, and rolling at ROLLING distances; after
 * stage_run `best` is the fastest rolling one and `name` tells its distance. */
typedef struct limits {
    size_t plain;
    size_t rolling; /* the first of ROLLING */
    size_t best;
    char name[20];
} limits;

/* False when the memory for `nbytes` is not there, which is noted: the stage is
 * then not begun. */
bool stage_begin(stage *s, bench *owner, const char *part, uint64_t items, uint64_t nbytes);
void stage_end(stage *s);
bool stage_fine(const stage *s);

/* An empty filter of the stage's items, owned by the stage; NULL on failure. */
tamis_filter *stage_filter(stage *s, const tamis_params *params);
/* The first `count` items go into it. */
void stage_fill(stage *s, tamis_filter *filter, uint64_t first, uint64_t count);
/* A copy, owned by the stage; NULL on failure. */
tamis_filter *stage_clone(stage *s, const tamis_filter *filter);

/* An array as large as a layer of a filter, its pages touched. */
touch_place stage_place(stage *s, const tamis_layer_info *layer, bool huge);

/* Takes part in the next run; the index for sums. */
size_t stage_enter(stage *s, contender c);
limits stage_enter_limits(stage *s, tamis_filter *hasher, const touch_place *places, size_t place_count);
/* The rolling ones alone, with other work on the lines. */
limits stage_enter_rolling(stage *s, tamis_filter *hasher, const touch_place *places, size_t place_count,
                           uint64_t (*run)(const contender *));

/* Times all of them. */
void stage_run(stage *s);
void stage_choose(const stage *s, limits *l);
/* The faster one of two. */
size_t stage_faster(const stage *s, size_t a, size_t b);

/* Works out a figure and keeps it; what stays unproven is timed again, with twice
 * as many chunks each time, up to three times. */
void stage_claim(stage *s, const claim *c);
void stage_claim_all(stage *s, const claim *claims, size_t count);

#endif
