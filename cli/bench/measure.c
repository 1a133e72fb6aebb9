#define _POSIX_C_SOURCE 200809L

#include "bench/measure.h"

#include <stdlib.h>
#include <time.h>

static volatile uint64_t sink;

static double now(void)
{
    struct timespec at;
    return clock_gettime(CLOCK_MONOTONIC, &at) == 0 ? (double)at.tv_sec * 1e9 + (double)at.tv_nsec : 0.0;
}

static double time_chunk(const contender *c)
{
    contender_warm(c);
    contender_prepare(c);
    double begin = now();
    sink += c->run(c);
    return (now() - begin) / (double)c->count;
}

bool samples_take(const contender *const *list, size_t count, size_t rounds, samples *out)
{
    *out = (samples){malloc(count * rounds * sizeof(double)), rounds};
    if (out->times == NULL)
        return false;
    for (size_t round = 0; round < rounds; round++)
        for (size_t i = 0; i < count; i++)
            out->times[i * rounds + round] = time_chunk(list[i]);
    return true;
}

void samples_free(samples *s)
{
    free(s->times);
    *s = (samples){NULL, 0};
}

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

double quantile(double *values, size_t count, double share)
{
    qsort(values, count, sizeof *values, compare);
    double place = share * (double)(count - 1);
    size_t low = (size_t)place;
    size_t high = low + 1 < count ? low + 1 : low;
    return values[low] + (values[high] - values[low]) * (place - (double)low);
}
