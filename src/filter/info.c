/* What a filter knows of itself. */
#include "filter/kind.h"

#include "filter/layers.h"
#include "base/options.h"
#include "filter/measure.h"
#include "filter/rate.h"

/* Sizes of the first versions. */
#define INFO_FIRST sizeof(tamis_info)
#define LAYER_INFO_FIRST sizeof(tamis_layer_info)
#define SURE 5.0 /* standard deviations */

static void measure_layer(const tamis_layer *layer, tamis_layer_info *out)
{
    out->capacity = layer->capacity;
    out->error_rate = layer->error_rate;
    out->current_rate = tamis_layer_current_rate(layer);
    out->items_new = layer->items_new;
    out->bits_set = tamis_layer_bits_set(layer);
    out->items_estimated = tamis_layer_estimate(layer, out->bits_set);
    out->lines = tamis_geometry_lines(&layer->geometry);
    out->regions = layer->geometry.regions;
    out->region_lines = layer->geometry.region_lines;
    out->lines_per_item = layer->geometry.g;
    out->bits_per_line = layer->geometry.k;
}

tamis_status tamis_filter_layer_info(const tamis_filter *filter, uint32_t index, tamis_layer_info *out)
{
    tamis_layer_info info = {.struct_size = sizeof info};
    if (out == NULL || index >= filter->layer_count)
        return TAMIS_E_ARGUMENT;
    measure_layer(tamis_layer_numbered(filter, index), &info);
    return tamis_results_write(out, &info, sizeof info, LAYER_INFO_FIRST) ? TAMIS_OK : TAMIS_E_ARGUMENT;
}

static uint32_t stuck_counters(const tamis_filter *filter)
{
    uint64_t stuck = 0;
    size_t nbytes = filter->counters == NULL ? 0 : tamis_counter_bytes(&filter->layers[0]);
    for (size_t i = 0; i < nbytes; i++)
        stuck += (unsigned)((filter->counters[i] & 15u) == 15u) + (unsigned)(filter->counters[i] >> 4 == 15u);
    return stuck < UINT32_MAX ? (uint32_t)stuck : UINT32_MAX;
}

/* More items than a layer is sized for: counted where they are counted, else
 * estimated, and then only when the estimate cannot be chance. */
static bool layer_overfull(const tamis_filter *filter, const tamis_layer *layer, double estimate)
{
    switch (filter->params.kind) {
    case TAMIS_SCALABLE: /* grows in time */
        return layer->items_new > tamis_layer_full_at(layer) + layer->capacity / 1024 + 1;
    case TAMIS_ROTATING:
        return layer->items_new > layer->capacity;
    case TAMIS_BLOOM:
    case TAMIS_COUNTING:
        break;
    }
    double beyond = estimate - (double)layer->capacity;
    return filter->offered > layer->capacity && beyond > SURE * tamis_layer_estimate_deviation(layer);
}

static void add_layers(const tamis_filter *filter, tamis_info *out)
{
    for (uint32_t i = 0; i < filter->layer_count; i++) {
        const tamis_layer *layer = &filter->layers[i];
        tamis_layer_info part;
        measure_layer(layer, &part);
        out->current_rate += (1.0 - out->current_rate) * part.current_rate;
        out->items_estimated += part.items_estimated;
        out->bits += part.lines * TAMIS_LINE_BITS;
        out->bits_set += part.bits_set;
        out->saturated |= part.bits_set == part.lines * TAMIS_LINE_BITS;
        out->overfull |= layer_overfull(filter, layer, part.items_estimated);
    }
    out->current_rate += tamis_rate_floor(out->items_estimated);
    if (out->current_rate > 1.0)
        out->current_rate = 1.0;
}

tamis_status tamis_filter_info(const tamis_filter *filter, tamis_info *out)
{
    if (out == NULL || out->struct_size < INFO_FIRST)
        return TAMIS_E_ARGUMENT;
    tamis_info info = {.struct_size = sizeof info};
    info.kind = filter->params.kind;
    info.flags = filter->params.flags;
    info.capacity = tamis_filter_capacity(filter);
    info.error_rate = filter->params.error_rate;
    info.items_offered = filter->offered;
    info.payload_bytes = tamis_filter_memory(filter);
    info.seed = filter->params.seed;
    info.window_ms = filter->params.window_ms;
    info.now_ms = filter->now_ms;
    info.normalisation = filter->params.normalisation;
    info.layers = filter->layer_count;
    info.stuck_counters = stuck_counters(filter);
    add_layers(filter, &info);
    info.load = info.items_estimated / (double)info.capacity;
    return tamis_results_write(out, &info, sizeof info, INFO_FIRST) ? TAMIS_OK : TAMIS_E_ARGUMENT;
}

/* --- cheap parts --------------------------------------------------------------- */

size_t tamis_filter_memory(const tamis_filter *filter)
{
    size_t nbytes = filter->counters == NULL ? 0 : tamis_counter_bytes(&filter->layers[0]);
    for (uint32_t i = 0; i < filter->layer_count; i++)
        nbytes += tamis_layer_bytes(&filter->layers[i]);
    return nbytes;
}

tamis_kind tamis_filter_kind(const tamis_filter *filter)
{
    return filter->params.kind;
}

double tamis_filter_error_rate(const tamis_filter *filter)
{
    return filter->params.error_rate;
}

uint64_t tamis_filter_capacity(const tamis_filter *filter)
{
    if (filter->params.kind != TAMIS_SCALABLE)
        return filter->params.capacity;
    uint64_t items = 0;
    for (uint32_t i = 0; i < filter->layer_count; i++)
        items += filter->layers[i].capacity;
    return items;
}

uint64_t tamis_filter_items_offered(const tamis_filter *filter)
{
    return filter->offered;
}

uint64_t tamis_filter_payload_bytes(const tamis_filter *filter)
{
    return tamis_filter_memory(filter);
}

uint32_t tamis_filter_normalisation(const tamis_filter *filter)
{
    return filter->params.normalisation;
}

double tamis_filter_model_rate(const tamis_filter *filter, uint64_t distinct)
{
    return filter->ops->model_rate(filter, distinct);
}
