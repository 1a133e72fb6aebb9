#include "filter/layers.h"

#include "filter/rate.h"

bool tamis_layers_have(const tamis_filter *filter, uint64_t hash, uint32_t except)
{
    for (uint32_t i = filter->layer_count; i-- > 0;)
        if (i != except && tamis_layer_has(&filter->layers[i], hash))
            return true;
    return false;
}

bool tamis_layers_contain_one(const tamis_filter *filter, uint64_t hash)
{
    return tamis_layers_have(filter, hash, TAMIS_NO_LAYER);
}

size_t tamis_layers_contain(const tamis_filter *filter, const uint64_t *hashes, size_t count, uint8_t *out_found)
{
    size_t found = 0;
    tamis_ring_begin(filter->layers, filter->layer_count, hashes, count);
    for (size_t i = 0; i < count; i++) {
        tamis_ring_step(filter->layers, filter->layer_count, hashes, count, i);
        found += tamis_answer(out_found, i, tamis_layers_have(filter, hashes[i], TAMIS_NO_LAYER));
    }
    return found;
}

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
