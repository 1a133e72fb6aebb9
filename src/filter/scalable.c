/* The scalable filter: when its newest layer is full, a larger one is laid on
 * top. Layer i has its share of the rate (tamis_layer_rate), so that all of them
 * together keep the promise however far it grows. The first layer is as large as
 * was asked; the others hold four times the one before and at least 1 MiB, so
 * that a small beginning does not end in many layers. */
#include "filter/kind.h"

#include "filter/kernel.h"
#include "filter/layers.h"
#include "filter/plan.h"
#include "filter/sizing.h"

#define GROWTH 4u
#define LEAST_BYTES ((uint64_t)1 << 20)
#define MOST_RECORDS_BETWEEN_CHECKS 1024u

/* Whether a layer is full is looked at only every so many adds of the filter, a
 * power of two within 1/1024 of its capacity, so that it does not matter how adds
 * were cut into batches. It can be that many items beyond its capacity: half of the
 * share of the rate that is kept for collisions of hashes covers what this costs. */
static uint64_t records_between_checks(const tamis_layer *layer)
{
    uint64_t records = 1;
    while (records < MOST_RECORDS_BETWEEN_CHECKS && records * 2 <= layer->capacity / 1024)
        records *= 2;
    return records;
}

static uint64_t capacity_of_all(const tamis_filter *filter)
{
    uint64_t items = 0;
    for (uint32_t i = 0; i < filter->layer_count; i++)
        items += filter->layers[i].capacity;
    return items;
}

/* Four times the newest layer, at least 1 MiB, at most what is left until
 * collisions of hashes would use up their share of the rate. 0: nothing. */
static uint64_t next_capacity(const tamis_filter *filter, double rate, const tamis_sizing_rules *rules)
{
    tamis_geometry unused;
    uint64_t grown = filter->layers[filter->layer_count - 1].capacity * GROWTH;
    uint64_t least = tamis_capacity_for_memory(rate, LEAST_BYTES, rules, false, &unused);
    uint64_t wanted = grown > least ? grown : least;
    uint64_t end = tamis_growth_end(filter->params.error_rate), used = capacity_of_all(filter);
    uint64_t left = end > used ? end - used : 0;
    return wanted < left ? wanted : left;
}

/* Plans the next layer; false: growth ends here. */
static bool plan_layer(const tamis_filter *filter, tamis_layer *next)
{
    const tamis_params *params = &filter->params;
    tamis_sizing_rules rules = {params->region_lines, (params->flags & TAMIS_COMPACT) != 0};
    if (filter->layer_count == TAMIS_MAX_LAYERS)
        return false;
    *next = (tamis_layer){.error_rate = tamis_layer_rate(params, filter->layer_count)};
    next->capacity = next_capacity(filter, next->error_rate, &rules);
    return next->capacity > 0 &&
           tamis_size_for_rate(next->capacity, next->error_rate, &rules, &next->geometry);
}

static uint64_t bytes_of(const tamis_layer *layer)
{
    return tamis_geometry_lines(&layer->geometry) * TAMIS_LINE_BYTES;
}

/* A layer within the growth limit: as planned, or smaller if that is worth a layer,
 * a quarter of the newest one at least. */
static bool fit_limit(const tamis_filter *filter, tamis_layer *next)
{
    uint64_t limit = filter->growth_limit, used = tamis_filter_memory(filter);
    if (limit == 0 || (used < limit && bytes_of(next) <= limit - used))
        return true;
    const tamis_params *params = &filter->params;
    tamis_sizing_rules rules = {params->region_lines, (params->flags & TAMIS_COMPACT) != 0};
    uint64_t left = used < limit ? limit - used : 0;
    next->capacity = tamis_capacity_for_memory(next->error_rate, left, &rules, false, &next->geometry);
    return next->capacity > 0 && next->capacity >= filter->layers[filter->layer_count - 1].capacity / 4;
}

static tamis_status grow(tamis_filter *filter)
{
    tamis_layer next;
    if (!plan_layer(filter, &next) || !fit_limit(filter, &next))
        return TAMIS_E_FULL;
    tamis_status status = tamis_layer_allocate(filter, &next);
    if (status != TAMIS_OK)
        return status;
    /* The layer first: tamis_filter_fetch_hashes may look at both just now. */
    filter->layers[filter->layer_count] = next;
    __atomic_store_n(&filter->layer_count, filter->layer_count + 1, __ATOMIC_RELEASE);
    return TAMIS_OK;
}

/* Grows when the newest layer holds more than it is made for. *run is the
 * number of adds until the next look. */
static tamis_status make_room(tamis_filter *filter, uint64_t *run)
{
    tamis_layer *newest = &filter->layers[filter->layer_count - 1];
    uint64_t step = records_between_checks(newest);
    if (newest->full_at == 0)
        newest->full_at = tamis_layer_full_at(newest);
    if (filter->offered % step == 0 && newest->items_new > newest->full_at) {
        tamis_status status = grow(filter);
        if (status != TAMIS_OK)
            return status;
        step = records_between_checks(&filter->layers[filter->layer_count - 1]);
    }
    *run = step - filter->offered % step;
    return TAMIS_OK;
}

static size_t add_run(tamis_filter *filter, const tamis_source *from, size_t count, uint8_t *out_new)
{
    size_t changed;
    uint32_t top = filter->layer_count - 1;
    size_t new_items = filter->kernel->add_unseen(filter->layers, filter->layer_count, top, false, from,
                                                  count, out_new, &changed);
    filter->layers[top].items_new += changed;
    filter->offered += count;
    return new_items;
}

static tamis_status scalable_add(tamis_filter *filter, const tamis_source *from, size_t count,
                                 uint8_t *out_new, size_t *total, size_t *done)
{
    *total = 0;
    *done = 0;
    while (*done < count) {
        uint64_t run;
        tamis_status status = make_room(filter, &run);
        if (status != TAMIS_OK)
            return status;
        size_t take = count - *done < run ? count - *done : (size_t)run;
        tamis_source rest = tamis_source_from(from, *done);
        *total += add_run(filter, &rest, take, out_new == NULL ? NULL : out_new + *done);
        *done += take;
    }
    return TAMIS_OK;
}

static void scalable_clear(tamis_filter *filter)
{
    while (filter->layer_count > 1) {
        tamis_layer *layer = &filter->layers[--filter->layer_count];
        filter->allocator.release(filter->allocator.ctx, layer->payload, tamis_layer_bytes(layer));
        layer->payload = NULL;
    }
}

const tamis_kind_ops tamis_scalable_ops = {
    .kind = TAMIS_SCALABLE,
    .add = scalable_add,
    .clear_extra = scalable_clear,
    .model_rate = tamis_layers_model_rate,
};
