/* Adds from several threads at once: each bit is set by an atomic "or" of its
 * 32-bit word, without any order between them. Bits are only ever set, so a reader
 * sees an item as soon as it sees the adding call's effects at all. */
#include "base/bits.h"
#include "filter/kernel.h"
#include "filter/kind.h"
#include "filter/line.h"

#define CHUNK 32u    /* items whose lines are fetched together */
#define MAX_BITS 64u /* of an item: 8 lines of 8 */

/* Sets a bit; false when it was set before. */
static bool set_shared(unsigned char *payload, uint64_t bit)
{
    uint32_t *word = (uint32_t *)(void *)(payload + bit / 32 * 4);
    uint32_t mask = tamis_le32(UINT32_C(1) << bit % 32);
    if ((__atomic_load_n(word, __ATOMIC_RELAXED) & mask) != 0)
        return false;
    return (__atomic_fetch_or(word, mask, __ATOMIC_RELAXED) & mask) == 0;
}

static bool layer_add_shared(tamis_layer *layer, uint64_t hash)
{
    uint64_t bits[MAX_BITS];
    unsigned count = tamis_layer_bits(layer, hash, bits);
    bool changed = false;
    for (unsigned i = 0; i < count; i++)
        changed |= set_shared(layer->payload, bits[i]);
    return changed;
}

static size_t add_chunk(tamis_layer *layer, const uint64_t *hashes, size_t count, uint8_t *out_new)
{
    size_t total = 0;
    for (size_t i = 0; i < count; i++)
        tamis_layer_prefetch(layer, hashes[i]);
    for (size_t i = 0; i < count; i++) {
        bool is_new = layer_add_shared(layer, hashes[i]);
        total += is_new;
        if (out_new != NULL)
            out_new[i] = is_new;
    }
    return total;
}

static tamis_status add_shared(tamis_filter *filter, tamis_source from, size_t count, uint8_t *out_new,
                               size_t *out_total)
{
    uint64_t room[CHUNK];
    size_t total = 0;
    if (filter->params.kind != TAMIS_BLOOM || filter->read_only)
        return TAMIS_E_UNSUPPORTED;
    from.seed = filter->params.seed;
    for (size_t at = 0; at < count; at += CHUNK) {
        size_t size = count - at < CHUNK ? count - at : CHUNK;
        const uint64_t *hashes = tamis_source_hashes(&from, at, size, room);
        total += add_chunk(&filter->layers[0], hashes, size, out_new == NULL ? NULL : out_new + at);
    }
    (void)__atomic_fetch_add(&filter->offered, count, __ATOMIC_RELAXED);
    if (out_total != NULL)
        *out_total = total;
    return TAMIS_OK;
}

tamis_status tamis_filter_add_shared(tamis_filter *filter, const void *item, size_t len, bool *out_new)
{
    size_t total;
    const tamis_item one = {item, len};
    tamis_status status = tamis_filter_add_shared_batch(filter, &one, 1, NULL, &total);
    if (status == TAMIS_OK && out_new != NULL)
        *out_new = total != 0;
    return status;
}

tamis_status tamis_filter_add_shared_batch(tamis_filter *filter, const tamis_item *items, size_t count,
                                           uint8_t *out_new, size_t *out_total)
{
    return add_shared(filter, (tamis_source){.items = items}, count, out_new, out_total);
}

tamis_status tamis_filter_add_shared_hashes(tamis_filter *filter, const uint64_t *hashes, size_t count,
                                            uint8_t *out_new, size_t *out_total)
{
    return add_shared(filter, (tamis_source){.hashes = hashes}, count, out_new, out_total);
}
