#include "bench/figure.h"

#include <stdlib.h>

time_sum sum_of(size_t index)
{
    return (time_sum){1, {index}, {1.0}};
}

time_sum sum_of_two(size_t a, size_t b)
{
    return (time_sum){2, {a, b}, {1.0, 1.0}};
}

void sum_add(time_sum *sum, size_t index, double weight)
{
    if (sum->count == SUM_MAX)
        return;
    sum->of[sum->count] = index;
    sum->weight[sum->count++] = weight;
}

static double sum_in_round(const samples *taken, const time_sum *sum, size_t round)
{
    double total = 0.0;
    for (size_t i = 0; i < sum->count; i++)
        total += sum->weight[i] * taken->times[sum->of[i] * taken->rounds + round];
    return total;
}

static double median_of(const samples *taken, const time_sum *sum, double *room)
{
    for (size_t round = 0; round < taken->rounds; round++)
        room[round] = sum_in_round(taken, sum, round);
    return quantile(room, taken->rounds, 0.5);
}

static verdict judge(const figure *f)
{
    double least = f->sense == AT_LEAST ? f->target : f->sense == WITHIN ? 1.0 / f->target : 0.0;
    double most = f->sense == AT_LEAST ? 1e300 : f->target;
    if (f->sense == TARGET_NONE)
        return NO_TARGET;
    if (f->low >= least && f->high <= most)
        return KEPT;
    return f->high < least || f->low > most ? MISSED : UNPROVEN;
}

static void set_ratio(figure *f, const samples *taken, const time_sum *subject, const time_sum *limit,
                      double *room)
{
    for (size_t round = 0; round < taken->rounds; round++)
        room[round] = sum_in_round(taken, subject, round) / sum_in_round(taken, limit, round);
    f->low = quantile(room, taken->rounds, 0.25);
    f->ratio = quantile(room, taken->rounds, 0.5);
    f->high = quantile(room, taken->rounds, 0.75);
}

bool figure_work_out(figure *f, const samples *taken, const time_sum *subject, const time_sum *limit)
{
    double *room = malloc(taken->rounds * sizeof *room);
    if (room == NULL)
        return false;
    f->rounds = taken->rounds;
    f->ns = median_of(taken, subject, room);
    if (limit->count > 0) {
        f->limit_ns = median_of(taken, limit, room);
        set_ratio(f, taken, subject, limit, room);
        f->verdict = judge(f);
    }
    free(room);
    return true;
}

const char *verdict_text(verdict v)
{
    static const char *const texts[] = {
        [NO_TARGET] = "", [KEPT] = "ok", [MISSED] = "MISSED", [UNPROVEN] = "unproven"};
    return texts[v];
}
