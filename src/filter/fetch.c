/* Bringing lines near before another thread needs them. */
#include "filter/line.h"

#define NEAR_BYTES ((size_t)1 << 20) /* a layer of this size is near anyway */

void tamis_filter_fetch_hashes(const tamis_filter *filter, const uint64_t *hashes, size_t count)
{
    uint32_t layers = __atomic_load_n(&filter->layer_count, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < layers; i++) {
        const tamis_layer *layer = &filter->layers[i];
        for (size_t j = 0; j < count && tamis_layer_bytes(layer) > NEAR_BYTES; j++)
            tamis_layer_prefetch(layer, hashes[j]);
    }
}
