/* The counting filter: a Bloom filter with a 4-bit counter beside each bit, so
 * that adds can be taken back. A counter that reaches 15 sticks there: its bit
 * is never cleared again, which costs false positives and never a false negative.
 *
 * When adding, counters go up before bits are set; when removing, bits are cleared
 * before counters go down: a writer that dies in between leaves counters too high,
 * which costs removals and never makes a false negative. */
#include "filter/kind.h"

#include "base/error.h"
#include "filter/kernel.h"
#include "filter/line.h"

#define STUCK 15u
#define MAX_BITS 64u /* of an item: 8 lines of 8 */
#define CHUNK 16u    /* items whose counters are fetched together */

static unsigned counter_at(const tamis_filter *filter, uint64_t bit)
{
    return (unsigned)(filter->counters[bit / 2] >> (bit % 2 * 4)) & 15u;
}

static void set_counter(tamis_filter *filter, uint64_t bit, unsigned value)
{
    unsigned char *pair = &filter->counters[bit / 2];
    unsigned shift = (unsigned)(bit % 2 * 4);
    *pair = (unsigned char)((*pair & ~(15u << shift)) | value << shift);
}

static bool count_up(tamis_filter *filter, uint64_t hash)
{
    uint64_t bits[MAX_BITS];
    unsigned count = tamis_layer_bits(&filter->layers[0], hash, bits);
    for (unsigned i = 0; i < count; i++) {
        unsigned value = counter_at(filter, bits[i]);
        if (value != STUCK)
            set_counter(filter, bits[i], value + 1);
    }
    return filter->kernel->add(&filter->layers[0], hash);
}

static void prefetch_counters(const tamis_filter *filter, uint64_t hash)
{
    uint64_t bits[MAX_BITS];
    unsigned count = tamis_layer_bits(&filter->layers[0], hash, bits);
    tamis_layer_prefetch(&filter->layers[0], hash);
    for (unsigned i = 0; i < count; i++)
        TAMIS_PREFETCH(&filter->counters[bits[i] / 2]);
}

/* Adds in chunks: hashes and lines first, then the counting. */
static size_t counting_add_part(tamis_filter *filter, const tamis_source *from, size_t count,
                                uint8_t *out_new)
{
    uint64_t room[CHUNK];
    size_t total = 0;
    for (size_t at = 0; at < count; at += CHUNK) {
        size_t size = count - at < CHUNK ? count - at : CHUNK;
        const uint64_t *hashes = tamis_source_hashes(from, at, size, room);
        for (size_t i = 0; i < size; i++)
            prefetch_counters(filter, hashes[i]);
        for (size_t i = 0; i < size; i++) {
            bool is_new = count_up(filter, hashes[i]);
            total += is_new;
            if (out_new != NULL)
                out_new[at + i] = is_new;
        }
    }
    return total;
}

static tamis_status counting_add(tamis_filter *filter, const tamis_source *from, size_t count,
                                 uint8_t *out_new, size_t *total, size_t *done)
{
    *total = counting_add_part(filter, from, count, out_new);
    *done = count;
    filter->offered += count;
    return TAMIS_OK;
}

/* What an item's counters are once one add of it is taken back; a bit that comes
 * twice counts twice. False when one of them is 0: then it was never added. */
static bool counters_after(const tamis_filter *filter, const uint64_t *bits, unsigned count,
                           unsigned char *after)
{
    for (unsigned i = 0; i < count; i++) {
        unsigned value = counter_at(filter, bits[i]);
        for (unsigned j = 0; j < i; j++)
            if (bits[j] == bits[i])
                value = after[j];
        if (value == 0)
            return false;
        after[i] = (unsigned char)(value == STUCK ? STUCK : value - 1);
        for (unsigned j = 0; j < i; j++)
            if (bits[j] == bits[i])
                after[j] = after[i];
    }
    return true;
}

static void clear_bit(tamis_layer *layer, uint64_t bit)
{
    layer->payload[bit / 8] = (unsigned char)(layer->payload[bit / 8] & ~(1u << bit % 8));
}

static tamis_status counting_remove(tamis_filter *filter, uint64_t hash)
{
    tamis_layer *layer = &filter->layers[0];
    uint64_t bits[MAX_BITS];
    unsigned char after[MAX_BITS];
    unsigned count = tamis_layer_bits(layer, hash, bits);
    if (!filter->kernel->has(layer, hash) || !counters_after(filter, bits, count, after))
        return TAMIS_E_NOT_FOUND;
    for (unsigned i = 0; i < count; i++)
        if (after[i] == 0)
            clear_bit(layer, bits[i]);
    for (unsigned i = 0; i < count; i++)
        set_counter(filter, bits[i], after[i]);
    if (filter->offered > 0)
        filter->offered--;
    return TAMIS_OK;
}

static unsigned add_counters(unsigned a, unsigned b)
{
    return a + b < STUCK ? a + b : STUCK;
}

static tamis_status counting_merge(tamis_filter *target, const tamis_filter *source, tamis_error *err)
{
    if (target == source)
        return tamis_fail(err, TAMIS_E_ARGUMENT,
                          "a counting filter cannot be merged with itself: it would count twice");
    size_t nbytes = tamis_counter_bytes(&target->layers[0]);
    for (size_t i = 0; i < nbytes; i++) {
        unsigned a = target->counters[i], b = source->counters[i];
        target->counters[i] =
            (unsigned char)(add_counters(a & 15u, b & 15u) | add_counters(a >> 4, b >> 4) << 4);
    }
    return tamis_bloom_ops.merge(target, source, err);
}

static double counting_model_rate(const tamis_filter *filter, uint64_t distinct)
{
    return tamis_bloom_ops.model_rate(filter, distinct);
}

const tamis_kind_ops tamis_counting_ops = {
    .kind = TAMIS_COUNTING,
    .add = counting_add,
    .add_part = counting_add_part,
    .remove = counting_remove,
    .merge = counting_merge,
    .model_rate = counting_model_rate,
};
