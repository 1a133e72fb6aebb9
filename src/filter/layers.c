#include "filter/layers.h"

#include "filter/rate.h"
#include "filter/sizing.h"

const tamis_layer *tamis_layer_numbered(const tamis_filter *filter, uint32_t index)
{
    if (filter->params.kind != TAMIS_ROTATING)
        return &filter->layers[index];
    uint64_t slot_ms = (filter->params.window_ms - 1) / (TAMIS_GENERATIONS - 1) + 1;
    uint64_t newest = filter->now_ms / slot_ms % TAMIS_GENERATIONS;
    return &filter->layers[(newest + TAMIS_GENERATIONS - index) % TAMIS_GENERATIONS];
}

uint64_t tamis_layer_full_at(const tamis_layer *layer)
{
    double lost = tamis_rate_kept(tamis_rate_lost(&layer->geometry, (double)layer->capacity));
    double most = (double)(layer->capacity - 1);
    return layer->capacity - (uint64_t)(lost < most ? lost : most);
}

double tamis_layers_model_rate(const tamis_filter *filter, uint64_t unused)
{
    (void)unused;
    double rate = 0.0, items = 0.0;
    for (uint32_t i = 0; i < filter->layer_count; i++) {
        const tamis_layer *layer = &filter->layers[i];
        double held = tamis_rate_items(&layer->geometry, (double)layer->items_new);
        rate += (1.0 - rate) * tamis_rate_model(&layer->geometry, held);
        items += (double)layer->items_new;
    }
    rate += tamis_rate_floor(items);
    return rate < 1.0 ? rate : 1.0;
}
