/* Smaller error rates: more lines an item. */
#include <stdio.h>

#include "bench/subject.h"

static const double rates[] = {1e-2, 1e-3, 1e-4, 1e-6, 1e-9};
enum { RATES = sizeof rates / sizeof rates[0] };
static const double target = 1.3;

typedef struct entries {
    subject on;
    limits touch;
    size_t old, absent, add;
} entries;

static void enter(stage *s, entries *e)
{
    e->touch = stage_enter_limits(s, e->on.full, &e->on.place, 1);
    e->old = stage_enter(s, subject_asked(s, &e->on, ITEMS_OLD, FORM_HASHES, run_contains_hashes));
    e->absent = stage_enter(s, subject_asked(s, &e->on, ITEMS_ABSENT, FORM_HASHES, run_contains_hashes));
    e->add = stage_enter(s, subject_added(s, &e->on, ITEMS_NEW, FORM_HASHES, run_add_hashes));
}

/* What one line more costs: the difference to a filter with one line. */
static time_sum each_extra(size_t all, size_t one, uint32_t lines)
{
    time_sum sum = {0};
    sum_add(&sum, all, 1.0 / (lines - 1));
    sum_add(&sum, one, -1.0 / (lines - 1));
    return sum;
}

static void claim_rate(stage *s, const entries *e, const entries *base)
{
    uint32_t lines = s->lines_per_item;
    const claim claims[] = {
        {.what = "touch its lines, plain", .subject = sum_of(e->touch.plain)},
        {.what = "touch its lines, rolling", .subject = sum_of(e->touch.best)},
        {"contains, present", sum_of(e->old), e->touch.name, sum_of(e->touch.best), target, AT_MOST},
        {"contains, absent", sum_of(e->absent), e->touch.name, sum_of(e->touch.best), target, AT_MOST},
        {"add, new items", sum_of(e->add), e->touch.name, sum_of(e->touch.best), target, AT_MOST},
    };
    stage_claim_all(s, claims, sizeof claims / sizeof claims[0]);
    if (lines < 2)
        return;
    const claim extra = {"contains, each extra line",
                         each_extra(e->old, base->old, lines),
                         "touching it",
                         each_extra(e->touch.best, base->touch.best, lines),
                         target,
                         AT_MOST};
    stage_claim(s, &extra);
}

static uint64_t bytes_needed(uint64_t items)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < RATES; i++)
        sum += 3 * subject_bytes(TAMIS_BLOOM, items, rates[i]);
    return sum;
}

void part_rates(bench *b)
{
    stage s;
    entries list[RATES];
    if (stage_begin(&s, b, "rates", bench_main_size(b), bytes_needed(bench_main_size(b)))) {
        for (size_t i = 0; i < RATES; i++) {
            subject_make(&s, rates[i], &list[i].on);
            enter(&s, &list[i]);
        }
        stage_run(&s);
        for (size_t i = 0; i < RATES; i++) {
            s.error_rate = rates[i];
            s.lines_per_item = list[i].on.layer.lines_per_item;
            stage_choose(&s, &list[i].touch);
            if (i > 0)
                claim_rate(&s, &list[i], &list[0]);
        }
    }
    stage_end(&s);
}
