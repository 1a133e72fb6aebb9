/* A figure beside its limit, and whether it keeps its target. */
#ifndef TAMIS_CLI_BENCH_FIGURE_H
#define TAMIS_CLI_BENCH_FIGURE_H

#include "bench/measure.h"

typedef enum target_sense {
    TARGET_NONE,
    AT_MOST,  /* ratio <= target */
    AT_LEAST, /* ratio >= target */
    WITHIN    /* 1/target <= ratio <= target */
} target_sense;

typedef enum verdict { NO_TARGET, KEPT, MISSED, UNPROVEN } verdict;

/* A weighted sum of contenders' times: `of[i]` is an index into a stage's list. */
enum { SUM_MAX = 16 };
typedef struct time_sum {
    size_t count;
    size_t of[SUM_MAX];
    double weight[SUM_MAX];
} time_sum;

typedef struct figure {
    const char *part; /* static */
    char what[48];
    char limit_name[32]; /* empty: the figure is a limit itself */
    uint64_t items;
    double error_rate;
    uint32_t lines_per_item;
    double target;
    target_sense sense;
    double ns, limit_ns;     /* medians, an item */
    double ratio, low, high; /* median and quartiles of the chunks' ratios */
    size_t rounds;
    verdict verdict;
} figure;

/* The sum of one contender, or of two. */
time_sum sum_of(size_t index);
time_sum sum_of_two(size_t a, size_t b);
void sum_add(time_sum *sum, size_t index, double weight);

/* Works out medians, ratio and verdict from one set of samples, in which the sums'
 * indexes count. False when memory is out. */
bool figure_work_out(figure *f, const samples *taken, const time_sum *subject, const time_sum *limit);

/* "ok", "MISSED", "unproven" or "". */
const char *verdict_text(verdict v);

#endif
