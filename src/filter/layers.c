#include "filter/layers.h"

#include "filter/rate.h"

double tamis_layers_model_rate(const tamis_filter *filter, uint64_t unused)
{
    (void)unused;
    double absent = 1.0, items = 0.0;
    for (uint32_t i = 0; i < filter->layer_count; i++) {
        const tamis_layer *layer = &filter->layers[i];
        absent *= 1.0 - tamis_rate_model(&layer->geometry, (double)layer->items_new);
        items += (double)layer->items_new;
    }
    double rate = 1.0 - absent + tamis_rate_floor(items);
    return rate < 1.0 ? rate : 1.0;
}
