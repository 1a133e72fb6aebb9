/* What is timed: a loop over one chunk of items, beside others in turn. */
#ifndef TAMIS_CLI_BENCH_CONTENDER_H
#define TAMIS_CLI_BENCH_CONTENDER_H

#include "bench/supply.h"
#include "bench/touch.h"

/* A filter that takes new items: kept between half full and full. */
typedef struct refilled {
    tamis_filter *filter;
    uint64_t capacity;
    uint64_t room;
} refilled;

typedef struct contender {
    /* Does the work for one chunk; what comes back keeps it from being left out. */
    uint64_t (*run)(const struct contender *self);
    supply *from; /* items come from here, before the time is taken; NULL: nothing to do */
    supply_what what;
    supply_form form;
    size_t count;                                 /* items a chunk */
    void (*before)(const struct contender *self); /* further untimed work; NULL: none */
    tamis_filter *filter;
    refilled *refill; /* where the items go that the run adds; NULL: no matter */
    const touch_place *places;
    size_t place_count;
    size_t distance;
    const uint64_t *hashes; /* for runs of more items than a supply has */
    unsigned threads;
} contender;

/* Brings what the contender works on near, as far as it can be near, by running some
 * chunks without timing: the same for a filter and for its limit. */
void contender_warm(const contender *c);

/* Gets the items of a chunk ready. */
void contender_prepare(const contender *c);

/* Runs. Batches: */
uint64_t run_touch(const contender *c);
uint64_t run_touch_in_turn(const contender *c); /* one place after the other */
uint64_t run_touch_writing(const contender *c);
uint64_t run_hash_batch(const contender *c);
uint64_t run_contains_hashes(const contender *c);
uint64_t run_contains_fixed(const contender *c);
uint64_t run_contains_batch(const contender *c);
uint64_t run_add_hashes(const contender *c);
uint64_t run_add_fixed(const contender *c);
uint64_t run_add_batch(const contender *c);

/* One call an item: */
uint64_t run_hash_one(const contender *c);
uint64_t run_contains_hash_one(const contender *c);
uint64_t run_contains_one(const contender *c);
uint64_t run_add_one(const contender *c);
uint64_t run_remove_one(const contender *c);

#endif
