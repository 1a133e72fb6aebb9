/* Each size: ready hashes and 8-byte items, batches and single calls. */
#include <stdio.h>

#include "bench/subject.h"

enum { SINGLE_NEAR = 3 }; /* times the plain limit that a single call may take, near */

/* Tolerance of "costs the same". */
static const double same = 1.1;

typedef struct entries {
    subject on;
    limits touch, touch_writing;
    size_t hash_batch, hash_one, hash;
    size_t old, absent, mixed, add_old, add_new, single;
    size_t fixed_contains, fixed_add, fixed_single;
} entries;

static void enter_hashes(stage *s, entries *e)
{
    subject *on = &e->on;
    e->touch = stage_enter_limits(s, on->full, &on->place, 1);
    e->touch_writing = stage_enter_rolling(s, on->full, &on->place, 1, run_touch_writing);
    e->old = stage_enter(s, subject_asked(s, on, ITEMS_OLD, FORM_HASHES, run_contains_hashes));
    e->absent = stage_enter(s, subject_asked(s, on, ITEMS_ABSENT, FORM_HASHES, run_contains_hashes));
    e->mixed = stage_enter(s, subject_asked(s, on, ITEMS_MIXED, FORM_HASHES, run_contains_hashes));
    e->add_old = stage_enter(s, subject_added(s, on, ITEMS_OLD, FORM_HASHES, run_add_hashes));
    e->add_new = stage_enter(s, subject_added(s, on, ITEMS_NEW, FORM_HASHES, run_add_hashes));
    e->single = stage_enter(s, subject_asked(s, on, ITEMS_OLD, FORM_HASHES, run_contains_hash_one));
}

static void enter_items(stage *s, entries *e)
{
    subject *on = &e->on;
    e->hash_batch = stage_enter(s, subject_asked(s, on, ITEMS_OLD, FORM_FIXED, run_hash_batch));
    e->hash_one = stage_enter(s, subject_asked(s, on, ITEMS_OLD, FORM_FIXED, run_hash_one));
    e->fixed_contains = stage_enter(s, subject_asked(s, on, ITEMS_OLD, FORM_FIXED, run_contains_fixed));
    e->fixed_add = stage_enter(s, subject_added(s, on, ITEMS_NEW, FORM_FIXED, run_add_fixed));
    e->fixed_single = stage_enter(s, subject_asked(s, on, ITEMS_OLD, FORM_FIXED, run_contains_one));
}

static void choose(stage *s, entries *e)
{
    stage_choose(s, &e->touch);
    stage_choose(s, &e->touch_writing);
    e->hash = stage_faster(s, e->hash_batch, e->hash_one);
}

static void claim_limits(stage *s, const entries *e)
{
    const claim claims[] = {
        {.what = "touch one line, plain", .subject = sum_of(e->touch.plain)},
        {.what = "touch one line, rolling", .subject = sum_of(e->touch.best)},
        {"read and write one line, rolling", sum_of(e->touch_writing.best), e->touch.name,
         sum_of(e->touch.best), 0, TARGET_NONE},
        {.what = "hash 8 bytes", .subject = sum_of(e->hash)},
    };
    stage_claim_all(s, claims, sizeof claims / sizeof claims[0]);
}

static void claim_hashes(stage *s, const entries *e)
{
    bool near = is_near(s->items);
    const char *name = near ? "plain touch" : e->touch.name;
    time_sum limit = sum_of(near ? e->touch.plain : e->touch.best);
    double batch = batch_target(s->items), add = add_target(s->items);
    target_sense sense = batch > 0.0 ? AT_MOST : TARGET_NONE;
    const claim claims[] = {
        {"contains, present", sum_of(e->old), name, limit, batch, sense},
        {"contains, absent", sum_of(e->absent), name, limit, batch, sense},
        {"contains, absent", sum_of(e->absent), "present", sum_of(e->old), same, near ? WITHIN : TARGET_NONE},
        {"contains, half of them present", sum_of(e->mixed), "present", sum_of(e->old), same,
         near ? WITHIN : TARGET_NONE},
        {"add, items already there", sum_of(e->add_old), name, limit, add, sense},
        {"add, new items", sum_of(e->add_new), name, limit, add, sense},
        {"add, new items", sum_of(e->add_new), "read and write", sum_of(e->touch_writing.best), 0,
         TARGET_NONE},
        {"contains, single calls", sum_of(e->single), "plain touch", sum_of(e->touch.plain), SINGLE_NEAR,
         near ? AT_MOST : TARGET_NONE},
    };
    stage_claim_all(s, claims, sizeof claims / sizeof claims[0]);
}

static void claim_items(stage *s, const entries *e)
{
    bool near = is_near(s->items);
    char name[32];
    (void)snprintf(name, sizeof name, "hash + %s", near ? "plain" : e->touch.name);
    time_sum limit = sum_of_two(e->hash, near ? e->touch.plain : e->touch.best);
    target_sense sense = batch_target(s->items) > 0.0 ? AT_MOST : TARGET_NONE;
    const claim claims[] = {
        {"8 bytes: contains", sum_of(e->fixed_contains), name, limit, batch_target(s->items), sense},
        {"8 bytes: add, new items", sum_of(e->fixed_add), name, limit, add_target(s->items), sense},
        {"8 bytes: contains, single calls", sum_of(e->fixed_single), "hash + plain",
         sum_of_two(e->hash, e->touch.plain), SINGLE_NEAR, near ? AT_MOST : TARGET_NONE},
    };
    stage_claim_all(s, claims, sizeof claims / sizeof claims[0]);
}

static void measure(bench *b, uint64_t items)
{
    stage s;
    entries e;
    if (stage_begin(&s, b, "sizes", items, 3 * subject_bytes(TAMIS_BLOOM, items, 0.01))) {
        subject_make(&s, s.error_rate, &e.on);
        enter_hashes(&s, &e);
        enter_items(&s, &e);
        stage_run(&s);
        choose(&s, &e);
        claim_limits(&s, &e);
        claim_hashes(&s, &e);
        claim_items(&s, &e);
    }
    stage_end(&s);
}

void part_sizes(bench *b)
{
    for (size_t i = 0; i < b->size_count; i++)
        measure(b, b->sizes[i]);
}
