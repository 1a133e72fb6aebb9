/* Kernels: the inner loops of a filter, one instance of a template for each
 * instruction set. Every one gives the same bits as src/filter/line.h. */
#ifndef TAMIS_FILTER_KERNEL_H
#define TAMIS_FILTER_KERNEL_H

#include "base/bits.h"
#include "filter/internal.h"
#include "filter/source.h"

typedef struct tamis_kernel {
    const char *name;
    /* One item and one layer. */
    bool (*has)(const tamis_layer *layer, uint64_t hash);
    bool (*add)(tamis_layer *layer, uint64_t hash);
    /* Is an item in any of the layers? Newest (last) first. */
    bool (*contains_one)(const tamis_filter *filter, uint64_t hash);
    /* Batches; `out` gets a byte for each item or is NULL. The number of ones is
     * returned. */
    size_t (*contains)(const tamis_layer *layers, uint32_t layer_count, const tamis_source *from,
                       size_t count, uint8_t *out);
    size_t (*add_all)(tamis_layer *layer, const tamis_source *from, size_t count, uint8_t *out);
    /* Adds to layer `top` what no other layer has (refresh: also what another has);
     * *changed is the number of items that changed it. An item is new when no layer
     * had it. */
    size_t (*add_unseen)(tamis_layer *layers, uint32_t layer_count, uint32_t top, bool refresh,
                         const tamis_source *from, size_t count, uint8_t *out, size_t *changed);
    /* Measures of a layer's bits: tamis_layer_bits_set, tamis_layer_current_rate. */
    uint64_t (*bits_set)(const tamis_layer *layer);
    double (*current_rate)(const tamis_layer *layer);
} tamis_kernel;

/* The best kernel that this machine can run. */
const tamis_kernel *tamis_kernel_choose(void);

/* A kernel by its name ("plain", "avx2", "avx512", "neon") for tests and
 * measurements; NULL when it was not built or this machine cannot run it. */
const tamis_kernel *tamis_kernel_named(const char *name);

extern const tamis_kernel tamis_kernel_plain;

#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__) && !defined(TAMIS_THREAD_SANITIZER)
#if !defined(TAMIS_NO_AVX2)
#define TAMIS_HAVE_AVX2 1
extern const tamis_kernel tamis_kernel_avx2;
#endif
#if !defined(TAMIS_NO_AVX512) && !defined(TAMIS_HAVE_AVX512)
#define TAMIS_HAVE_AVX512 1
extern const tamis_kernel tamis_kernel_avx512;
#endif
#endif

#if defined(__aarch64__) && defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && \
    !defined(TAMIS_NO_NEON)
#define TAMIS_HAVE_NEON 1
extern const tamis_kernel tamis_kernel_neon;
#endif

#endif
