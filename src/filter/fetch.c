/* Bringing lines near before another thread needs them. */
#include "filter/kind.h"
#include "filter/line.h"

void tamis_filter_fetch_hashes(const tamis_filter *filter, const uint64_t *hashes, size_t count)
{
    uint32_t layers = __atomic_load_n(&filter->layer_count, __ATOMIC_ACQUIRE);
    for (uint32_t layer = 0; layer < layers; layer++)
        for (size_t i = 0; i < count; i++)
            tamis_layer_prefetch(&filter->layers[layer], hashes[i]);
}
