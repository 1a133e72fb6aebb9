/* The native layout: from a hash to lines, and from a line to its bits.
 * Plain C; these functions define the bits that every other kernel must give.
 *
 *   hash ---x R---> region (high word)      w = h_j * golden ratio
 *            low word x L -> line 0         bits 6l..6l+5 of w: place in lane l
 *   h_j  ---x L---> line j, same region     bits 61..63: r, the first of k lanes
 */
#ifndef TAMIS_FILTER_LINE_H
#define TAMIS_FILTER_LINE_H

#include "base/bits.h"
#include "filter/internal.h"
#include "hash/mix.h"

#define TAMIS_LANES 8u

#if defined(__GNUC__)
#define TAMIS_ALWAYS_INLINE static inline __attribute__((always_inline))
#define TAMIS_PREFETCH(address) __builtin_prefetch(address)
#else
#define TAMIS_ALWAYS_INLINE static inline
#define TAMIS_PREFETCH(address) ((void)(address))
#endif

/* One line an item and a bit in each lane: what most filters have, and what loops and
 * single questions are made for above all. */
TAMIS_ALWAYS_INLINE bool tamis_is_usual(const tamis_geometry *geometry)
{
    return geometry->g == 1 && geometry->k == TAMIS_LANES;
}

/* h_j of an item: the hash itself for j = 0, else mixed anew. */
TAMIS_ALWAYS_INLINE uint64_t tamis_line_hash(uint64_t hash, uint32_t j)
{
    return j == 0 ? hash : tamis_fmix64(hash + j * TAMIS_GOLDEN);
}

/* Region of an item; *low is the rest of the product, which picks line 0. */
TAMIS_ALWAYS_INLINE uint64_t tamis_region_of(const tamis_geometry *geometry, uint64_t hash, uint64_t *low)
{
    return tamis_mulhi64(hash, geometry->regions, low);
}

/* Line j within the region: `low` for j = 0, else h_j, scaled to L. */
TAMIS_ALWAYS_INLINE uint64_t tamis_line_in_region(const tamis_geometry *geometry, uint64_t line_hash)
{
    uint64_t unused;
    return tamis_mulhi64(line_hash, geometry->region_lines, &unused);
}

/* Lane number i of the k that w picks, and the mask of its bit. */
TAMIS_ALWAYS_INLINE unsigned tamis_lane_of(uint64_t w, unsigned i)
{
    return ((unsigned)(w >> 61) + i) % TAMIS_LANES;
}

TAMIS_ALWAYS_INLINE unsigned tamis_bit_of_lane(uint64_t w, unsigned lane)
{
    return (unsigned)(w >> (6 * lane)) & 63u;
}

TAMIS_ALWAYS_INLINE uint64_t tamis_lane_load(const unsigned char *lane)
{
#ifdef TAMIS_THREAD_SANITIZER
    return tamis_le64(__atomic_load_n((const uint64_t *)(const void *)lane, __ATOMIC_RELAXED));
#else
    return tamis_load64(lane);
#endif
}

/* True when all k bits of w are set in the line; no branch on the bits. */
TAMIS_ALWAYS_INLINE bool tamis_line_has(const unsigned char *line, uint64_t w, unsigned k)
{
    uint64_t all = 1;
    if (k == TAMIS_LANES) {
        for (unsigned lane = 0; lane < TAMIS_LANES; lane++)
            all &= tamis_lane_load(line + 8 * lane) >> tamis_bit_of_lane(w, lane);
        return (all & 1) != 0;
    }
    for (unsigned i = 0; i < k; i++) {
        unsigned lane = tamis_lane_of(w, i);
        all &= tamis_lane_load(line + 8 * lane) >> tamis_bit_of_lane(w, lane);
    }
    return (all & 1) != 0;
}

/* Sets one bit; 0 when it was set before. */
TAMIS_ALWAYS_INLINE uint64_t tamis_lane_set(unsigned char *lane, unsigned bit)
{
    uint64_t old = tamis_load64(lane);
    uint64_t mask = UINT64_C(1) << bit;
    tamis_store64(lane, old | mask);
    return ~old & mask;
}

/* Sets the k bits of w in the line; true when any was not set before. */
TAMIS_ALWAYS_INLINE bool tamis_line_add(unsigned char *line, uint64_t w, unsigned k)
{
    uint64_t changed = 0;
    if (k == TAMIS_LANES) {
        for (unsigned lane = 0; lane < TAMIS_LANES; lane++)
            changed |= tamis_lane_set(line + 8 * lane, tamis_bit_of_lane(w, lane));
        return changed != 0;
    }
    for (unsigned i = 0; i < k; i++) {
        unsigned lane = tamis_lane_of(w, i);
        changed |= tamis_lane_set(line + 8 * lane, tamis_bit_of_lane(w, lane));
    }
    return changed != 0;
}

/* --- an item in a layer ---------------------------------------------------- */

/* First byte of the item's region; *low as tamis_region_of. */
TAMIS_ALWAYS_INLINE unsigned char *tamis_layer_region(const tamis_layer *layer, uint64_t hash, uint64_t *low)
{
    uint64_t region = tamis_region_of(&layer->geometry, hash, low);
    return layer->payload + region * layer->geometry.region_lines * TAMIS_LINE_BYTES;
}

TAMIS_ALWAYS_INLINE unsigned char *tamis_line_at(const tamis_layer *layer, unsigned char *region,
                                                 uint64_t line_hash)
{
    return region + tamis_line_in_region(&layer->geometry, line_hash) * TAMIS_LINE_BYTES;
}

TAMIS_ALWAYS_INLINE void tamis_layer_prefetch(const tamis_layer *layer, uint64_t hash)
{
    uint64_t low;
    unsigned char *region = tamis_layer_region(layer, hash, &low);
    TAMIS_PREFETCH(tamis_line_at(layer, region, low));
    for (uint32_t j = 1; j < layer->geometry.g; j++)
        TAMIS_PREFETCH(tamis_line_at(layer, region, tamis_line_hash(hash, j)));
}

TAMIS_ALWAYS_INLINE bool tamis_layer_has(const tamis_layer *layer, uint64_t hash)
{
    uint64_t low;
    unsigned k = layer->geometry.k;
    unsigned char *region = tamis_layer_region(layer, hash, &low);
    bool all = tamis_line_has(tamis_line_at(layer, region, low), hash * TAMIS_GOLDEN, k);
    for (uint32_t j = 1; j < layer->geometry.g; j++) {
        uint64_t line_hash = tamis_line_hash(hash, j);
        all &= tamis_line_has(tamis_line_at(layer, region, line_hash), line_hash * TAMIS_GOLDEN, k);
    }
    return all;
}

TAMIS_ALWAYS_INLINE bool tamis_layer_add(tamis_layer *layer, uint64_t hash)
{
    uint64_t low;
    unsigned k = layer->geometry.k;
    unsigned char *region = tamis_layer_region(layer, hash, &low);
    bool changed = tamis_line_add(tamis_line_at(layer, region, low), hash * TAMIS_GOLDEN, k);
    for (uint32_t j = 1; j < layer->geometry.g; j++) {
        uint64_t line_hash = tamis_line_hash(hash, j);
        changed |= tamis_line_add(tamis_line_at(layer, region, line_hash), line_hash * TAMIS_GOLDEN, k);
    }
    return changed;
}

/* Every bit of an item in a layer, in order: payload bit numbers, at most 64.
 * Returns how many (g*k); the same bit may come twice. */
static inline unsigned tamis_layer_bits(const tamis_layer *layer, uint64_t hash, uint64_t bits[64])
{
    const tamis_geometry *geometry = &layer->geometry;
    uint64_t low;
    uint64_t first_line = tamis_region_of(geometry, hash, &low) * geometry->region_lines;
    unsigned count = 0;
    for (uint32_t j = 0; j < geometry->g; j++) {
        uint64_t line_hash = tamis_line_hash(hash, j);
        uint64_t line = first_line + tamis_line_in_region(geometry, j == 0 ? low : line_hash);
        uint64_t w = line_hash * TAMIS_GOLDEN;
        for (unsigned i = 0; i < geometry->k; i++) {
            unsigned lane = geometry->k == TAMIS_LANES ? i : tamis_lane_of(w, i);
            bits[count++] = line * TAMIS_LINE_BITS + lane * 64 + tamis_bit_of_lane(w, lane);
        }
    }
    return count;
}

#endif
