/* Large filters in huge pages and in small ones. */
#include <inttypes.h>

#include "bench/pages.h"
#include "bench/subject.h"

enum { HUGE_PAYLOAD = 4 << 20 }; /* bytes from which on a filter asks for huge pages */

typedef struct both {
    tamis_filter *with, *without;
    touch_place place_with, place_without;
    double granted; /* share of the filter that is in huge pages */
} both;

static double share_granted(uint64_t before, uint64_t nbytes)
{
    uint64_t after = pages_huge_bytes();
    return after > before ? (double)(after - before) / (double)nbytes : 0.0;
}

static void make(stage *s, both *on)
{
    tamis_layer_info layer = {.struct_size = sizeof layer};
    tamis_params params = TAMIS_PARAMS_INIT;
    params.capacity = s->items;
    params.error_rate = s->error_rate;
    uint64_t before = pages_huge_bytes();
    *on = (both){.with = stage_filter(s, &params)};
    stage_fill(s, on->with, 0, s->items);
    if (stage_fine(s)) {
        on->granted = share_granted(before, tamis_filter_payload_bytes(on->with));
        (void)tamis_filter_layer_info(on->with, 0, &layer);
    }
    params.allocator = &pages_small;
    on->without = stage_filter(s, &params);
    if (stage_fine(s))
        (void)tamis_filter_merge(on->without, on->with, NULL);
    on->place_with = stage_place(s, &layer, true);
    on->place_without = stage_place(s, &layer, false);
}

static void note_granted(stage *s, const both *on)
{
    char count[32];
    if (!stage_fine(s))
        return;
    bench_spell_count(s->items, count, sizeof count);
    bench_note(s->owner, "%s: %.0f %% of the filter's %" PRIu64 " bytes are in huge pages%s", count,
               100.0 * (on->granted < 1.0 ? on->granted : 1.0), tamis_filter_payload_bytes(on->with),
               on->granted < 0.5 ? ": the system does not grant them" : "");
}

static contender asked(const stage *s, tamis_filter *filter)
{
    return (contender){.run = run_contains_hashes, .from = s->supply, .filter = filter};
}

static void claim_all(stage *s, const both *on)
{
    limits with = stage_enter_limits(s, on->with, &on->place_with, 1);
    limits without = stage_enter_limits(s, on->with, &on->place_without, 1);
    size_t asked_with = stage_enter(s, asked(s, on->with));
    size_t asked_without = stage_enter(s, asked(s, on->without));
    stage_run(s);
    stage_choose(s, &with);
    stage_choose(s, &without);
    double batch = batch_target(s->items);
    bool large = s->items >= 100000000 && on->granted >= 0.5;
    target_sense sense = batch > 0.0 ? AT_MOST : TARGET_NONE;
    const claim claims[] = {
        {.what = "small pages: touch, plain", .subject = sum_of(without.plain)},
        {.what = "small pages: touch, rolling", .subject = sum_of(without.best)},
        {"touch one line, rolling", sum_of(with.best), "small pages", sum_of(without.best), 0, TARGET_NONE},
        {"small pages: contains, present", sum_of(asked_without), without.name, sum_of(without.best), batch,
         sense},
        {"contains, present", sum_of(asked_with), "small pages", sum_of(asked_without), 0.8,
         large ? AT_MOST : TARGET_NONE},
    };
    stage_claim_all(s, claims, sizeof claims / sizeof claims[0]);
}

static void measure(bench *b, uint64_t items, uint64_t nbytes)
{
    stage s;
    both on;
    if (stage_begin(&s, b, "pages", items, 4 * nbytes)) {
        make(&s, &on);
        note_granted(&s, &on);
        claim_all(&s, &on);
    }
    stage_end(&s);
}

void part_pages(bench *b)
{
    for (size_t i = 0; i < b->size_count; i++) {
        uint64_t nbytes = subject_bytes(TAMIS_BLOOM, b->sizes[i], 0.01);
        if (nbytes >= HUGE_PAYLOAD)
            measure(b, b->sizes[i], nbytes);
    }
}
