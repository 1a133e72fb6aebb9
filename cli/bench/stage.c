#include "bench/stage.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/pages.h"
#include "fail.h"
#include "memory.h"

enum { REPEATS = 3 };
#define LARGE_BYTES (UINT64_C(16) << 20) /* filters that take long to warm */

static const size_t distances[ROLLING] = {8, 16, 32, 64};

bool stage_fine(const stage *s)
{
    return s->owner->error.status == TAMIS_OK;
}

static void out_of_memory(stage *s)
{
    (void)fail(&s->owner->error, TAMIS_E_NOMEM,
               "out of memory at %" PRIu64 " items; choose fewer with --items", s->items);
}

bool stage_begin(stage *s, bench *owner, const char *part, uint64_t items, uint64_t nbytes)
{
    const char *limit = NULL;
    uint64_t needed = nbytes + (UINT64_C(16) << 20), available = memory_available(&limit);
    memset(s, 0, sizeof *s);
    s->owner = owner;
    s->part = part;
    s->items = items;
    s->rounds = owner->rounds;
    s->error_rate = 0.01;
    s->lines_per_item = 1;
    if (!stage_fine(s))
        return false;
    if (needed > available) {
        bench_note(owner, "%s with %" PRIu64 " items skipped: needs %" PRIu64 " bytes, %s is %" PRIu64, part,
                   items, needed, limit, available);
        return false;
    }
    bench_progress(owner, part, items, "filling");
    s->supply = supply_new(items);
    if (s->supply == NULL)
        out_of_memory(s);
    return true;
}

void stage_end(stage *s)
{
    for (size_t i = 0; i < s->array_count; i++)
        pages_unmap(s->arrays[i].pages, s->arrays[i].nbytes);
    for (size_t i = 0; i < s->filter_count; i++)
        tamis_filter_free(s->filters[i]);
    samples_free(&s->taken);
    free(s->supply);
}

static tamis_filter *keep_filter(stage *s, tamis_filter *filter)
{
    return s->filters[s->filter_count++] = filter;
}

tamis_filter *stage_filter(stage *s, const tamis_params *params)
{
    tamis_filter *filter = NULL;
    if (!stage_fine(s) || tamis_filter_create(params, &filter, &s->owner->error) != TAMIS_OK)
        return NULL;
    return keep_filter(s, filter);
}

void stage_fill(stage *s, tamis_filter *filter, uint64_t first, uint64_t count)
{
    if (!stage_fine(s))
        return;
    tamis_status status = supply_add_range(filter, first, count);
    if (status != TAMIS_OK)
        (void)fail(&s->owner->error, status, "%" PRIu64 " items: %s", s->items, tamis_status_text(status));
}

tamis_filter *stage_clone(stage *s, const tamis_filter *filter)
{
    tamis_filter *copy = NULL;
    if (!stage_fine(s))
        return NULL;
    if (tamis_filter_clone(filter, &copy) != TAMIS_OK) {
        out_of_memory(s);
        return NULL;
    }
    return keep_filter(s, copy);
}

touch_place stage_place(stage *s, const tamis_layer_info *layer, bool huge)
{
    size_t nbytes = (size_t)layer->lines * TAMIS_LINE_BYTES;
    unsigned char *pages = stage_fine(s) ? pages_map(nbytes, huge) : NULL;
    if (pages == NULL && stage_fine(s))
        out_of_memory(s);
    if (pages != NULL) {
        memset(pages, 1, nbytes);
        s->arrays[s->array_count++] = (stage_array){pages, nbytes};
    }
    return (touch_place){pages, layer->lines, layer->regions, layer->region_lines, layer->lines_per_item, 1};
}

size_t stage_enter(stage *s, contender c)
{
    if (c.count == 0)
        c.count = SUPPLY_CHUNK;
    s->list[s->count] = c;
    return s->count++;
}

limits stage_enter_rolling(stage *s, tamis_filter *hasher, const touch_place *places, size_t place_count,
                           uint64_t (*run)(const contender *))
{
    contender c = {.run = run,
                   .from = s->supply,
                   .what = ITEMS_OLD,
                   .form = FORM_HASHES,
                   .filter = hasher,
                   .places = places,
                   .place_count = place_count};
    limits l = {.rolling = s->count};
    for (size_t i = 0; i < ROLLING; i++) {
        c.distance = distances[i];
        (void)stage_enter(s, c);
    }
    return l;
}

limits stage_enter_limits(stage *s, tamis_filter *hasher, const touch_place *places, size_t place_count)
{
    limits l = stage_enter_rolling(s, hasher, places, place_count, run_touch);
    contender plain = s->list[l.rolling];
    plain.distance = 0;
    l.plain = stage_enter(s, plain);
    return l;
}

void stage_run(stage *s)
{
    const contender *all[STAGE_CONTENDERS];
    if (!stage_fine(s))
        return;
    bench_progress(s->owner, s->part, s->items, "timing");
    for (size_t i = 0; i < s->count; i++) {
        all[i] = &s->list[i];
        if (tamis_filter_payload_bytes(all[i]->filter) > LARGE_BYTES && s->rounds > FEW_ROUNDS)
            s->rounds = FEW_ROUNDS;
    }
    samples_free(&s->taken);
    if (!samples_take(all, s->count, s->rounds, &s->taken))
        out_of_memory(s);
}

static double median_time(const stage *s, size_t contender_index)
{
    figure f = {0};
    time_sum one = sum_of(contender_index), none = {0};
    return figure_work_out(&f, &s->taken, &one, &none) ? f.ns : 0.0;
}

size_t stage_faster(const stage *s, size_t a, size_t b)
{
    return !stage_fine(s) || median_time(s, a) <= median_time(s, b) ? a : b;
}

void stage_choose(const stage *s, limits *l)
{
    l->best = l->rolling;
    for (size_t i = 1; i < ROLLING; i++)
        l->best = stage_faster(s, l->best, l->rolling + i);
    (void)snprintf(l->name, sizeof l->name, "rolling %u", (unsigned)s->list[l->best].distance);
}

/* Names the contenders of a sum by their places in `used`, which grows. */
static time_sum renumber(const time_sum *sum, size_t *used, size_t *used_count)
{
    time_sum out = *sum;
    for (size_t i = 0; i < sum->count; i++) {
        size_t at = 0;
        while (at < *used_count && used[at] != sum->of[i])
            at++;
        if (at == *used_count)
            used[(*used_count)++] = sum->of[i];
        out.of[i] = at;
    }
    return out;
}

/* Times the contenders of one claim alone and works its figure out anew. */
static bool time_again(stage *s, const claim *c, size_t rounds, figure *f)
{
    size_t used[2 * SUM_MAX], used_count = 0;
    const contender *list[2 * SUM_MAX];
    samples taken;
    time_sum subject = renumber(&c->subject, used, &used_count);
    time_sum limit = renumber(&c->limit, used, &used_count);
    for (size_t i = 0; i < used_count; i++)
        list[i] = &s->list[used[i]];
    bench_progress(s->owner, s->part, s->items, "timing again what is unproven");
    bool done =
        samples_take(list, used_count, rounds, &taken) && figure_work_out(f, &taken, &subject, &limit);
    samples_free(&taken);
    return done;
}

static figure figure_of(const stage *s, const claim *c)
{
    figure f = {.part = s->part,
                .items = s->items,
                .error_rate = s->error_rate,
                .lines_per_item = s->lines_per_item,
                .target = c->target,
                .sense = c->sense};
    (void)snprintf(f.what, sizeof f.what, "%s", c->what);
    if (c->limit.count > 0)
        (void)snprintf(f.limit_name, sizeof f.limit_name, "%s", c->limit_name);
    return f;
}

void stage_claim(stage *s, const claim *c)
{
    figure f = figure_of(s, c);
    if (!stage_fine(s))
        return;
    bool done = figure_work_out(&f, &s->taken, &c->subject, &c->limit);
    for (size_t i = 0; done && i < REPEATS && f.verdict == UNPROVEN; i++)
        done = time_again(s, c, 2 * f.rounds, &f);
    if (done)
        bench_keep(s->owner, &f);
    else
        out_of_memory(s);
}

void stage_claim_all(stage *s, const claim *claims, size_t count)
{
    for (size_t i = 0; i < count; i++)
        stage_claim(s, &claims[i]);
}
