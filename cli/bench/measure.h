/* Time, chunk by chunk, and what a set of times comes to. */
#ifndef TAMIS_CLI_BENCH_MEASURE_H
#define TAMIS_CLI_BENCH_MEASURE_H

#include "bench/contender.h"

/* Nanoseconds an item: times[contender * rounds + round]. */
typedef struct samples {
    double *times; /* owned */
    size_t rounds;
} samples;

/* Runs each of the contenders once a round, in turn. Before its timed chunk
 * contender_warm makes the caches what they are when it runs alone. False
 * when memory is out; *out is freed with samples_free. */
bool samples_take(const contender *const *list, size_t count, size_t rounds, samples *out);
void samples_free(samples *s);

/* The quantile (0 to 1) of `count` values, 1 or more, which are sorted. */
double quantile(double *values, size_t count, double share);

#endif
