/* The rotating filter: remembers for at least a window W of time and at most
 * W*(1 + 1/8). Time is cut into slots of W/8; each slot has a generation of its
 * own and nine of them are kept: the current one and the eight before it. */
#include "filter/kind.h"

#include <string.h>

#include "filter/kernel.h"
#include "filter/layers.h"

static uint64_t slot_of(const tamis_filter *filter, uint64_t now_ms)
{
    uint64_t slot_ms = (filter->params.window_ms - 1) / (TAMIS_GENERATIONS - 1) + 1;
    return now_ms / slot_ms;
}

static uint32_t current_layer(const tamis_filter *filter)
{
    return (uint32_t)(slot_of(filter, filter->now_ms) % TAMIS_GENERATIONS);
}

static tamis_status rotating_advance(tamis_filter *filter, uint64_t now_ms)
{
    if (now_ms <= filter->now_ms)
        return TAMIS_OK;
    uint64_t from = slot_of(filter, filter->now_ms), to = slot_of(filter, now_ms);
    uint64_t ended = to - from < TAMIS_GENERATIONS ? to - from : TAMIS_GENERATIONS;
    for (uint64_t i = 0; i < ended; i++) {
        tamis_layer *layer = &filter->layers[(to - i) % TAMIS_GENERATIONS];
        memset(layer->payload, 0, tamis_layer_bytes(layer));
        layer->items_new = 0;
    }
    filter->now_ms = now_ms;
    return TAMIS_OK;
}

/* An item that any generation has is not added again, unless it is to be
 * remembered anew; it is new only when none had it. */
static tamis_status rotating_add(tamis_filter *filter, const tamis_source *from, size_t count,
                                 uint8_t *out_new, size_t *total, size_t *done)
{
    size_t changed;
    uint32_t top = current_layer(filter);
    bool refresh = (filter->params.flags & TAMIS_REFRESH) != 0;
    *total = filter->kernel->add_unseen(filter->layers, filter->layer_count, top, refresh, from, count,
                                        out_new, &changed);
    *done = count;
    filter->layers[top].items_new += changed;
    filter->offered += count;
    return TAMIS_OK;
}

const tamis_kind_ops tamis_rotating_ops = {
    .kind = TAMIS_ROTATING,
    .add = rotating_add,
    .advance = rotating_advance,
    .model_rate = tamis_layers_model_rate,
};
