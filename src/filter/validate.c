/* The one check of a filter's numbers, for what was created and what was loaded. */
#include "filter/internal.h"

#include <inttypes.h>

#include "base/bits.h"
#include "base/error.h"
#include "filter/kind.h"
#include "filter/plan.h"

#define MAX_FLAGS (TAMIS_COMPACT | TAMIS_REFRESH | TAMIS_SECRET_SEED)

#define MAX_OFFERED (UINT64_C(1) << 62) /* far from wrapping, whatever is still added */

static tamis_status bad(tamis_error *err, const char *field, uint64_t value)
{
    return tamis_fail(err, TAMIS_E_CORRUPT, "%s %" PRIu64 " is out of range", field, value);
}

static tamis_status bad_rate(tamis_error *err, double rate)
{
    return tamis_fail(err, TAMIS_E_CORRUPT, "error rate %g is not between 0 and 1 (both excluded)", rate);
}

static bool is_rate(double rate)
{
    return rate > 0.0 && rate < 1.0;
}

static tamis_status validate_geometry(const tamis_geometry *geometry, uint32_t most_region_lines,
                                      tamis_error *err)
{
    int overflow = 0;
    if (geometry->regions == 0)
        return bad(err, "number of regions", geometry->regions);
    if (geometry->region_lines == 0 || geometry->region_lines > most_region_lines)
        return bad(err, "lines a region", geometry->region_lines);
    if (geometry->g == 0 || geometry->g > 8)
        return bad(err, "lines an item", geometry->g);
    if (geometry->k == 0 || geometry->k > TAMIS_LINE_BITS / 64)
        return bad(err, "bits a line", geometry->k);
    uint64_t lines = tamis_checked_mul(geometry->regions, geometry->region_lines, &overflow);
    (void)tamis_checked_mul(lines, TAMIS_LINE_BYTES + TAMIS_COUNTER_BYTES_PER_LINE, &overflow);
    return overflow ? bad(err, "number of regions", geometry->regions) : TAMIS_OK;
}

static tamis_status validate_layer(const tamis_filter *filter, const tamis_layer *layer, tamis_error *err)
{
    bool counts = filter->params.kind == TAMIS_SCALABLE || filter->params.kind == TAMIS_ROTATING;
    if (layer->capacity == 0 || layer->capacity > TAMIS_MAX_CAPACITY)
        return bad(err, "capacity of a layer", layer->capacity);
    if (!is_rate(layer->error_rate))
        return bad_rate(err, layer->error_rate);
    if (counts ? layer->items_new > filter->offered : layer->items_new != 0)
        return bad(err, "number of new items of a layer", layer->items_new);
    return validate_geometry(&layer->geometry, filter->params.region_lines, err);
}

static tamis_status validate_params(const tamis_params *params, tamis_error *err)
{
    bool scalable = params->kind == TAMIS_SCALABLE, rotating = params->kind == TAMIS_ROTATING;
    if (tamis_kind_ops_of(params->kind) == NULL)
        return bad(err, "kind", (uint64_t)params->kind);
    if ((params->flags & ~MAX_FLAGS) != 0 || (!rotating && (params->flags & TAMIS_REFRESH) != 0))
        return bad(err, "flags", params->flags);
    if (params->capacity == 0 || params->capacity > TAMIS_MAX_CAPACITY)
        return bad(err, "capacity", params->capacity);
    if (!is_rate(params->error_rate))
        return bad_rate(err, params->error_rate);
    if (params->region_lines == 0 || params->region_lines > TAMIS_MAX_REGION_LINES)
        return bad(err, "most lines a region", params->region_lines);
    if (scalable ? params->tightening == 0 || params->tightening > 8 : params->tightening != 0)
        return bad(err, "tightening", params->tightening);
    if (rotating ? params->window_ms < TAMIS_GENERATIONS - 1 : params->window_ms != 0)
        return bad(err, "window", params->window_ms);
    return TAMIS_OK;
}

/* Rotating generations are all alike. */
static tamis_status validate_generations(const tamis_filter *filter, tamis_error *err)
{
    const tamis_geometry *first = &filter->layers[0].geometry;
    for (uint32_t i = 1; i < filter->layer_count; i++) {
        const tamis_geometry *geometry = &filter->layers[i].geometry;
        if (geometry->regions != first->regions || geometry->region_lines != first->region_lines ||
            geometry->g != first->g || geometry->k != first->k)
            return tamis_fail(err, TAMIS_E_CORRUPT, "generations differ in size");
    }
    return TAMIS_OK;
}

tamis_status tamis_filter_validate(const tamis_filter *filter, tamis_error *err)
{
    tamis_status status = validate_params(&filter->params, err);
    if (status != TAMIS_OK)
        return status;
    bool rotating = filter->params.kind == TAMIS_ROTATING, scalable = filter->params.kind == TAMIS_SCALABLE;
    uint32_t least = tamis_share_of(filter->params.kind).layers;
    if (filter->layer_count < least || filter->layer_count > (scalable ? TAMIS_MAX_LAYERS : least))
        return bad(err, "number of layers", filter->layer_count);
    if (!rotating && filter->now_ms != 0)
        return bad(err, "time", filter->now_ms);
    if (filter->offered > MAX_OFFERED)
        return bad(err, "number of items offered", filter->offered);
    for (uint32_t i = 0; i < filter->layer_count && status == TAMIS_OK; i++)
        status = validate_layer(filter, &filter->layers[i], err);
    if (status == TAMIS_OK && rotating)
        status = validate_generations(filter, err);
    return status;
}
