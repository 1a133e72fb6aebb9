/* Strings of 40 bytes by reference: batches and single calls. */
#include <stdio.h>

#include "bench/subject.h"

static const double batch = 1.3;
static const double faster = 2.2; /* a batch than single calls */

typedef struct entries {
    subject on;
    limits touch;
    size_t hash_batch, hash_one, hash;
    size_t contains, add, contains_one, add_one;
} entries;

static void enter(stage *s, entries *e)
{
    subject *on = &e->on;
    e->touch = stage_enter_limits(s, on->full, &on->place, 1);
    e->hash_batch = stage_enter(s, subject_asked(s, on, ITEMS_ABSENT, FORM_TEXT, run_hash_batch));
    e->hash_one = stage_enter(s, subject_asked(s, on, ITEMS_ABSENT, FORM_TEXT, run_hash_one));
    e->contains = stage_enter(s, subject_asked(s, on, ITEMS_ABSENT, FORM_TEXT, run_contains_batch));
    e->contains_one = stage_enter(s, subject_asked(s, on, ITEMS_ABSENT, FORM_TEXT, run_contains_one));
    e->add = stage_enter(s, subject_added(s, on, ITEMS_NEW, FORM_TEXT, run_add_batch));
    e->add_one = stage_enter(s, subject_added(s, on, ITEMS_NEW, FORM_TEXT, run_add_one));
}

static void claim_all(stage *s, const entries *e)
{
    char name[32];
    (void)snprintf(name, sizeof name, "hash + %s", e->touch.name);
    time_sum limit = sum_of_two(e->hash, e->touch.best), plain = sum_of_two(e->hash, e->touch.plain);
    const claim claims[] = {
        {.what = "40 bytes: hash, batch", .subject = sum_of(e->hash_batch)},
        {.what = "40 bytes: hash, single calls", .subject = sum_of(e->hash_one)},
        {.what = "touch one line, plain", .subject = sum_of(e->touch.plain)},
        {.what = "touch one line, rolling", .subject = sum_of(e->touch.best)},
        {"40 bytes: contains", sum_of(e->contains), name, limit, batch, AT_MOST},
        {"40 bytes: add, new items", sum_of(e->add), name, limit, batch, AT_MOST},
        {"40 bytes: contains, single calls", sum_of(e->contains_one), "hash + plain", plain, 0, TARGET_NONE},
        {"40 bytes: add, single calls", sum_of(e->add_one), "hash + plain", plain, 0, TARGET_NONE},
        {"40 bytes: contains, single calls", sum_of(e->contains_one), "batch", sum_of(e->contains), faster,
         AT_LEAST},
        {"40 bytes: add, single calls", sum_of(e->add_one), "batch", sum_of(e->add), faster, AT_LEAST},
    };
    stage_claim_all(s, claims, sizeof claims / sizeof claims[0]);
}

void part_strings(bench *b)
{
    stage s;
    entries e;
    uint64_t items = bench_main_size(b);
    if (stage_begin(&s, b, "strings", items, 3 * subject_bytes(TAMIS_BLOOM, items, 0.01))) {
        subject_make(&s, s.error_rate, &e.on);
        enter(&s, &e);
        stage_run(&s);
        stage_choose(&s, &e.touch);
        e.hash = stage_faster(&s, e.hash_batch, e.hash_one);
        claim_all(&s, &e);
    }
    stage_end(&s);
}
