/* The fixed-size Bloom filter: one layer. */
#include "filter/kind.h"

#include "filter/rate.h"
#include "filter/ring.h"

static tamis_status bloom_add(tamis_filter *filter, const uint64_t *hashes, size_t count, uint8_t *out_new,
                              size_t *total, size_t *done)
{
    tamis_layer *layer = &filter->layers[0];
    size_t new_items = 0;
    tamis_ring_begin(layer, 1, hashes, count);
    for (size_t i = 0; i < count; i++) {
        tamis_ring_step(layer, 1, hashes, count, i);
        new_items += tamis_answer(out_new, i, tamis_layer_add(layer, hashes[i]));
    }
    filter->offered += count;
    *total = new_items;
    *done = count;
    return TAMIS_OK;
}

static size_t bloom_contains(const tamis_filter *filter, const uint64_t *hashes, size_t count, uint8_t *out_found)
{
    const tamis_layer *layer = &filter->layers[0];
    size_t found = 0;
    tamis_ring_begin(layer, 1, hashes, count);
    for (size_t i = 0; i < count; i++) {
        tamis_ring_step(layer, 1, hashes, count, i);
        found += tamis_answer(out_found, i, tamis_layer_has(layer, hashes[i]));
    }
    return found;
}

static bool bloom_contains_one(const tamis_filter *filter, uint64_t hash)
{
    return tamis_layer_has(&filter->layers[0], hash);
}

static tamis_status bloom_merge(tamis_filter *target, const tamis_filter *source, tamis_error *err)
{
    (void)err;
    size_t nbytes = tamis_layer_bytes(&target->layers[0]);
    if (target == source)
        return TAMIS_OK;
    for (size_t at = 0; at < nbytes; at += 8) {
        unsigned char *lane = target->layers[0].payload + at;
        tamis_store64(lane, tamis_load64(lane) | tamis_load64(source->layers[0].payload + at));
    }
    target->offered += source->offered;
    return TAMIS_OK;
}

static double bloom_model_rate(const tamis_filter *filter, uint64_t distinct)
{
    double rate = tamis_rate_model(&filter->layers[0].geometry, (double)distinct) + tamis_rate_floor((double)distinct);
    return rate < 1.0 ? rate : 1.0;
}

const tamis_kind_ops tamis_bloom_ops = {
    .kind = TAMIS_BLOOM,
    .add = bloom_add,
    .contains = bloom_contains,
    .contains_one = bloom_contains_one,
    .merge = bloom_merge,
    .model_rate = bloom_model_rate,
};
