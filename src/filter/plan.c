#include "filter/plan.h"

#include <inttypes.h>
#include <math.h>

#include "base/error.h"
#include "base/options.h"
#include "filter/kind.h"
#include "filter/rate.h"
#include "filter/sizing.h"

/* Sizes of the first versions. */
#define PARAMS_FIRST sizeof(tamis_params)
#define PLAN_FIRST sizeof(tamis_plan)

#define HASHES 18446744073709551616.0 /* 2^64 */
#define MAX_MEMORY (UINT64_C(1) << 62)
#define ALL_FLAGS (TAMIS_COMPACT | TAMIS_REFRESH | TAMIS_SECRET_SEED)

/* --- what a kind makes of n, p and memory ---------------------------------- */

tamis_kind_share tamis_share_of(tamis_kind kind)
{
    switch (kind) {
    case TAMIS_COUNTING:
        return (tamis_kind_share){1, 5, 1};
    case TAMIS_ROTATING:
        return (tamis_kind_share){TAMIS_GENERATIONS, TAMIS_GENERATIONS, TAMIS_GENERATIONS - 1};
    case TAMIS_BLOOM:
    case TAMIS_SCALABLE:
        break;
    }
    return (tamis_kind_share){1, 1, 1};
}

/* Part of a scalable filter's rate that is set aside: half for collisions of hashes,
 * which belong to all layers together, half for the few items that a layer may hold
 * beyond its capacity before it is found full. */
#define SET_ASIDE (1.0 / 16)
#define COLLISION_SHARE (1.0 / 32)

uint64_t tamis_growth_end(double error_rate)
{
    double items = error_rate * COLLISION_SHARE * HASHES;
    return items < 1.0 ? 0 : items < (double)TAMIS_MAX_CAPACITY ? (uint64_t)items : TAMIS_MAX_CAPACITY;
}

/* 2^-i */
static double half_to_the(uint32_t i)
{
    double power = 1.0;
    while (i-- > 0)
        power /= 2;
    return power;
}

/* Items that a full filter holds: a rotating one has a generation beyond its window. */
static double items_held(const tamis_params *params)
{
    double n = (double)params->capacity;
    return params->kind == TAMIS_ROTATING ? n * TAMIS_GENERATIONS / (TAMIS_GENERATIONS - 1) : n;
}

double tamis_layer_rate(const tamis_params *params, uint32_t index)
{
    double p = params->error_rate;
    switch (params->kind) {
    case TAMIS_SCALABLE: {
        double ratio = half_to_the(params->tightening);
        return tamis_rate_kept(p * ((1.0 - SET_ASIDE) * (1.0 - ratio))) *
               half_to_the(params->tightening * index);
    }
    case TAMIS_ROTATING:
        return tamis_rate_kept((p - tamis_rate_floor(items_held(params))) / TAMIS_GENERATIONS);
    case TAMIS_BLOOM:
    case TAMIS_COUNTING:
        break;
    }
    return p - tamis_rate_floor(items_held(params));
}

/* The smallest rate that sizing takes for this capacity: collisions of hashes may use
 * half of it (scalable: a sixteenth). */
static double least_promise(const tamis_params *params)
{
    double share = params->kind == TAMIS_SCALABLE ? COLLISION_SHARE : 0.5;
    return tamis_rate_floor(items_held(params)) / share;
}

/* The promise that follows from the rate of the first layer. */
static double promise_of_layer(const tamis_params *params, double rate)
{
    double promise = rate * tamis_share_of(params->kind).layers + tamis_rate_floor(items_held(params));
    double least = least_promise(params) * (1.0 + 1.0 / 1048576); /* to spare for rounding */
    if (params->kind == TAMIS_SCALABLE)
        promise = rate / (1.0 - half_to_the(params->tightening)) / (1.0 - SET_ASIDE);
    return tamis_promise_kept(promise > least ? promise : least);
}

static uint64_t layer_capacity(tamis_kind kind, uint64_t capacity)
{
    uint32_t divisor = tamis_share_of(kind).capacity_divisor;
    return capacity == 0 ? 1 : (capacity - 1) / divisor + 1;
}

/* --- checks ----------------------------------------------------------------- */

static tamis_status check_numbers(const tamis_params *params, tamis_error *err)
{
    double p = params->error_rate;
    bool by_memory = params->memory != 0 && params->capacity != 0;
    if (!(p > 0.0 && p < 1.0) && !(p == 0.0 && by_memory))
        return tamis_fail(err, TAMIS_E_RANGE, "error rate %g is not between 0 and 1 (both excluded)", p);
    if (p > 0.0 && by_memory)
        return tamis_fail(
            err, TAMIS_E_ARGUMENT,
            "capacity, error rate and memory are all given: leave one out, it follows from the others");
    if (params->capacity > TAMIS_MAX_CAPACITY)
        return tamis_fail(err, TAMIS_E_RANGE,
                          "capacity %" PRIu64 " is above the limit of %" PRIu64 " (2^48) items",
                          params->capacity, TAMIS_MAX_CAPACITY);
    if (params->memory > MAX_MEMORY)
        return tamis_fail(err, TAMIS_E_TOO_LARGE, "%" PRIu64 " bytes of memory are above the limit of 2^62",
                          params->memory);
    if (params->region_lines > TAMIS_MAX_REGION_LINES)
        return tamis_fail(err, TAMIS_E_RANGE, "%" PRIu32 " lines a region is above the limit of %d",
                          params->region_lines, TAMIS_MAX_REGION_LINES);
    if (params->tightening > 8 || (params->tightening != 0 && params->kind != TAMIS_SCALABLE))
        return tamis_fail(err, TAMIS_E_RANGE,
                          "tightening %" PRIu32 " is not 1 to 8, or the filter is not scalable",
                          params->tightening);
    if ((params->kind == TAMIS_ROTATING) != (params->window_ms != 0))
        return tamis_fail(err, TAMIS_E_ARGUMENT,
                          "a window of time belongs to a rotating filter, and only there");
    if (params->kind == TAMIS_ROTATING && params->window_ms < TAMIS_GENERATIONS - 1)
        return tamis_fail(err, TAMIS_E_RANGE, "window of %" PRIu64 " ms is below the limit of 8 ms",
                          params->window_ms);
    return TAMIS_OK;
}

static tamis_status check_params(const tamis_params *params, tamis_error *err)
{
    if (params == NULL || params->struct_size != sizeof *params)
        return tamis_fail(err, TAMIS_E_ARGUMENT,
                          "tamis_params has an unknown size: start from TAMIS_PARAMS_INIT");
    if (tamis_kind_ops_of(params->kind) == NULL)
        return tamis_fail(err, TAMIS_E_ARGUMENT, "%d is no kind of filter", (int)params->kind);
    if ((params->flags & ~ALL_FLAGS) != 0)
        return tamis_fail(err, TAMIS_E_ARGUMENT, "unknown flags %#x", params->flags & ~ALL_FLAGS);
    if ((params->flags & TAMIS_REFRESH) != 0 && params->kind != TAMIS_ROTATING)
        return tamis_fail(err, TAMIS_E_ARGUMENT, "only a rotating filter can refresh items");
    return check_numbers(params, err);
}

/* --- two of three give the third --------------------------------------------- */

static tamis_status below_the_floor(const tamis_params *params, tamis_error *err)
{
    double p = params->error_rate, least = least_promise(params);
    return tamis_fail(
        err, TAMIS_E_RANGE,
        "error rate %g is too small for a 64-bit hash at %" PRIu64
        " items: the smallest rate for this capacity is %.3g, the largest capacity for this rate %.0f",
        p, params->capacity, least, floor(p / least * (double)params->capacity));
}

static tamis_status size_by_rate(tamis_params *params, const tamis_sizing_rules *rules, tamis_layer *first,
                                 tamis_error *err)
{
    double rate = tamis_layer_rate(params, 0);
    uint32_t parts = tamis_share_of(params->kind).layers;
    bool floored = params->kind == TAMIS_SCALABLE ? params->capacity > tamis_growth_end(params->error_rate)
                                                  : rate * parts < params->error_rate / 2;
    first->capacity = layer_capacity(params->kind, params->capacity);
    first->error_rate = rate;
    if (floored)
        return below_the_floor(params, err);
    if (!tamis_size_for_rate(first->capacity, rate, rules, &first->geometry))
        return tamis_fail(err, TAMIS_E_RANGE,
                          "no filter of up to 8 lines an item in regions of %" PRIu32
                          " lines has an error rate of %g",
                          rules->region_lines, params->error_rate);
    return TAMIS_OK;
}

static tamis_status too_little_memory(const tamis_params *params, tamis_error *err)
{
    return tamis_fail(err, TAMIS_E_RANGE, "%" PRIu64 " bytes of memory are too few for such a filter",
                      params->memory);
}

static tamis_status size_by_capacity_and_memory(tamis_params *params, const tamis_sizing_rules *rules,
                                                tamis_layer *first, tamis_error *err)
{
    uint64_t bytes = params->memory / tamis_share_of(params->kind).memory_parts;
    first->capacity = layer_capacity(params->kind, params->capacity);
    if (!tamis_size_for_memory(first->capacity, bytes, rules, &first->geometry))
        return too_little_memory(params, err);
    double rate = tamis_rate_model(&first->geometry, (double)first->capacity);
    params->error_rate = promise_of_layer(params, rate);
    first->error_rate = tamis_layer_rate(params, 0);
    if (!(params->error_rate > 0.0 && params->error_rate < 1.0))
        return too_little_memory(params, err);
    return TAMIS_OK;
}

static tamis_status size_by_rate_and_memory(tamis_params *params, const tamis_sizing_rules *rules,
                                            tamis_layer *first, tamis_error *err)
{
    tamis_kind_share share = tamis_share_of(params->kind);
    bool floored = params->kind != TAMIS_SCALABLE;
    double rate = floored ? params->error_rate / share.layers : tamis_layer_rate(params, 0);
    uint64_t items = tamis_capacity_for_memory(rate, params->memory / share.memory_parts, rules, floored,
                                               &first->geometry);
    if (params->kind == TAMIS_SCALABLE && items > tamis_growth_end(params->error_rate))
        items = tamis_growth_end(params->error_rate);
    if (items > TAMIS_MAX_CAPACITY / share.capacity_divisor)
        items = TAMIS_MAX_CAPACITY / share.capacity_divisor;
    if (items == 0)
        return too_little_memory(params, err);
    params->capacity = items * share.capacity_divisor;
    first->capacity = items;
    first->error_rate = tamis_layer_rate(params, 0);
    return TAMIS_OK;
}

tamis_status tamis_plan_first_layer(const tamis_params *asked, tamis_params *complete, tamis_layer *first,
                                    tamis_error *err)
{
    if (asked == NULL || !tamis_options_read(complete, sizeof *complete, asked, PARAMS_FIRST))
        return tamis_fail(err, TAMIS_E_ARGUMENT,
                          "tamis_params has an unknown size: start from TAMIS_PARAMS_INIT");
    tamis_status status = check_params(complete, err);
    if (status != TAMIS_OK)
        return status;
    *first = (tamis_layer){.payload = NULL};
    if (complete->region_lines == 0)
        complete->region_lines = TAMIS_MAX_REGION_LINES;
    if (complete->tightening == 0 && complete->kind == TAMIS_SCALABLE)
        complete->tightening = 1;
    tamis_sizing_rules rules = {complete->region_lines, (complete->flags & TAMIS_COMPACT) != 0};
    if (complete->memory == 0) {
        if (complete->capacity == 0)
            complete->capacity = 1;
        return size_by_rate(complete, &rules, first, err);
    }
    status = complete->capacity == 0 ? size_by_rate_and_memory(complete, &rules, first, err)
                                     : size_by_capacity_and_memory(complete, &rules, first, err);
    complete->memory = 0;
    return status;
}

/* --- the public plan --------------------------------------------------------- */

static double expected_rate(const tamis_params *params, const tamis_layer *first)
{
    double rate = tamis_rate_model(&first->geometry, (double)first->capacity);
    double all = rate * tamis_share_of(params->kind).layers;
    return all + tamis_rate_floor(items_held(params));
}

tamis_status tamis_plan_filter(const tamis_params *params, tamis_plan *out, tamis_error *err)
{
    tamis_params complete;
    tamis_layer first;
    if (out == NULL || out->struct_size < PLAN_FIRST)
        return tamis_fail(err, TAMIS_E_ARGUMENT, "tamis_plan has an unknown size: set struct_size");
    tamis_status status = tamis_plan_first_layer(params, &complete, &first, err);
    if (status != TAMIS_OK)
        return status;
    tamis_kind_share share = tamis_share_of(complete.kind);
    uint64_t lines = tamis_geometry_lines(&first.geometry);
    uint64_t nbytes = lines * TAMIS_LINE_BYTES * share.memory_parts;
    const tamis_plan plan = {
        .struct_size = sizeof plan,
        .capacity = complete.capacity,
        .error_rate = complete.error_rate,
        .expected_rate = expected_rate(&complete, &first),
        .payload_bytes = nbytes,
        .lines = lines,
        .regions = first.geometry.regions,
        .region_lines = first.geometry.region_lines,
        .lines_per_item = first.geometry.g,
        .bits_per_line = first.geometry.k,
        .layers = share.layers,
        .bits_per_item = (double)nbytes * 8 / (double)complete.capacity,
        .classic_bits_per_item = tamis_classic_bits(complete.error_rate),
    };
    if (!tamis_results_write(out, &plan, sizeof plan, PLAN_FIRST))
        return tamis_fail(err, TAMIS_E_ARGUMENT, "tamis_plan has an unknown size: set struct_size");
    return TAMIS_OK;
}

double tamis_plan_rate(const tamis_plan *plan, uint64_t items)
{
    tamis_geometry geometry = {plan->regions, plan->region_lines, plan->lines_per_item, plan->bits_per_line};
    double rate = tamis_rate_model(&geometry, (double)items) + tamis_rate_floor((double)items);
    return rate < 1.0 ? rate : 1.0;
}
