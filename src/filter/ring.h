/* The rolling ring: hashes are looked ahead, their lines prefetched, and probed
 * some places behind, so that many cache misses are under way at once. */
#ifndef TAMIS_FILTER_RING_H
#define TAMIS_FILTER_RING_H

#include "filter/line.h"

#define TAMIS_RING 32u /* hashes between prefetch and probe */

/* Prefetches what an item touches in the layers first..last-1. */
TAMIS_ALWAYS_INLINE void tamis_layers_prefetch(const tamis_layer *layers, uint32_t count, uint64_t hash)
{
    for (uint32_t i = 0; i < count; i++)
        tamis_layer_prefetch(&layers[i], hash);
}

/* The start of a run of `count` hashes: prefetches the first ones. */
TAMIS_ALWAYS_INLINE void tamis_ring_begin(const tamis_layer *layers, uint32_t layer_count, const uint64_t *hashes,
                                          size_t count)
{
    for (size_t i = 0; i < count && i < TAMIS_RING; i++)
        tamis_layers_prefetch(layers, layer_count, hashes[i]);
}

/* Before hash i is probed: prefetches the one that enters the ring. */
TAMIS_ALWAYS_INLINE void tamis_ring_step(const tamis_layer *layers, uint32_t layer_count, const uint64_t *hashes,
                                         size_t count, size_t i)
{
    if (count - i > TAMIS_RING)
        tamis_layers_prefetch(layers, layer_count, hashes[i + TAMIS_RING]);
}

/* Notes an answer and counts it. */
TAMIS_ALWAYS_INLINE size_t tamis_answer(uint8_t *out, size_t i, bool answer)
{
    if (out != NULL)
        out[i] = answer;
    return answer;
}

#endif
