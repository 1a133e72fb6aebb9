/* What a filter is inside: parameters and layers of lines. Shared by the kinds,
 * the file format and the dialects; never installed. */
#ifndef TAMIS_FILTER_INTERNAL_H
#define TAMIS_FILTER_INTERNAL_H

#include <tamis/filter.h>

#define TAMIS_LINE_BITS 512u
#define TAMIS_COUNTER_BYTES_PER_LINE 256u /* 4 bits for each of 512 */
#define TAMIS_MAX_METADATA ((size_t)1 << 20)

/* Where an item's bits may lie: `regions` regions of `region_lines` lines, of
 * which an item uses g, with k bits in each. */
typedef struct tamis_geometry {
    uint64_t regions;      /* R >= 1 */
    uint32_t region_lines; /* L, 1 to 65,536 */
    uint32_t g;            /* lines an item, 1 to 8 */
    uint32_t k;            /* bits a line, 1 to 8 */
} tamis_geometry;

static inline uint64_t tamis_geometry_lines(const tamis_geometry *geometry)
{
    return geometry->regions * geometry->region_lines;
}

/* One array of lines. Bloom and counting filters have one, scalable filters up to
 * 16 (oldest first), rotating filters 9: a ring in which the generation of time
 * slot s stands in layer s mod 9, where a slot is ceil(window/8) ms long and the
 * newest slot is now div that length. The time alone thus says what each layer is. */
typedef struct tamis_layer {
    tamis_geometry geometry;
    unsigned char *payload; /* lines * 64 bytes; lane l of a line is 8 bytes, little-endian */
    uint64_t capacity;      /* items it is sized for */
    double error_rate;      /* at capacity */
    uint64_t items_new;     /* adds that changed a bit (scalable and rotating; else 0) */
    uint64_t full_at;       /* scalable: tamis_layer_full_at, or 0 = not yet known; not kept in files */
} tamis_layer;

struct tamis_kind_ops;
struct tamis_kernel;
struct tamis_mapping;

struct tamis_filter {
    const struct tamis_kind_ops *ops;
    const struct tamis_kernel *kernel;
    tamis_allocator allocator;
    /* As created: kind, flags, capacity, error_rate, seed, window_ms, normalisation,
     * region_lines (never 0), tightening (scalable: never 0). memory is 0. */
    tamis_params params;
    uint64_t offered;
    uint64_t now_ms;
    uint64_t growth_limit; /* scalable: payload bytes at most; 0 = none; not kept in files */
    uint64_t usual_lines;  /* of the only layer there will ever be, if it has g = 1 and k = 8; else 0 */
    uint32_t layer_count;
    tamis_layer layers[TAMIS_MAX_LAYERS];
    unsigned char *counters; /* counting: lines * 256 bytes; bit x of the payload has the low (x even) or
                                high (x odd) half of byte x div 2 */
    unsigned char *metadata;
    size_t metadata_len;
    bool read_only;
    /* A mapped filter: payload and counters point into it. `unmap` is called by
     * tamis_filter_free instead of releasing them. */
    struct tamis_mapping *mapping;
    void (*unmap)(struct tamis_mapping *mapping);
};

static inline size_t tamis_layer_bytes(const tamis_layer *layer)
{
    return (size_t)(tamis_geometry_lines(&layer->geometry) * TAMIS_LINE_BYTES);
}

static inline size_t tamis_counter_bytes(const tamis_layer *layer)
{
    return (size_t)(tamis_geometry_lines(&layer->geometry) * TAMIS_COUNTER_BYTES_PER_LINE);
}

/* A filter with parameters and no layers yet; *allocator NULL = default.
 * params->kind must be one of the four. NULL: out of memory. */
tamis_filter *tamis_filter_new_shell(const tamis_params *params, const tamis_allocator *allocator);

/* Allocates zeroed payload (and, for a counting filter, counters) for a layer
 * whose geometry is set and valid. E_NOMEM, E_TOO_LARGE (32-bit size_t). */
tamis_status tamis_layer_allocate(tamis_filter *filter, tamis_layer *layer);

/* The one check of parameters, layers and counts, for what was created and for
 * what was loaded (payload pointers are not looked at): ranges of every number,
 * layers as the kind wants them. E_CORRUPT with a message that names the field. */
tamis_status tamis_filter_validate(const tamis_filter *filter, tamis_error *err);

/* Sets what is kept beside the layers to answer faster; without it all answers are
 * the same. Called once the layers are there. */
void tamis_filter_settle(tamis_filter *filter);

/* Payload of all layers and counters, in bytes. */
size_t tamis_filter_memory(const tamis_filter *filter);

/* Bits set in a layer. */
uint64_t tamis_layer_bits_set(const tamis_layer *layer);

#endif
