/* The fixed-size Bloom filter: one layer. */
#include "filter/kind.h"

#include "base/bits.h"
#include "filter/kernel.h"
#include "filter/rate.h"

static size_t bloom_add_part(tamis_filter *filter, const tamis_source *from, size_t count, uint8_t *out_new)
{
    return filter->kernel->add_all(&filter->layers[0], from, count, out_new);
}

static bool bloom_add_one(tamis_filter *filter, uint64_t hash)
{
    filter->offered++;
    return filter->kernel->add(&filter->layers[0], hash);
}

static tamis_status bloom_add(tamis_filter *filter, const tamis_source *from, size_t count, uint8_t *out_new,
                              size_t *total, size_t *done)
{
    *total = bloom_add_part(filter, from, count, out_new);
    *done = count;
    filter->offered += count;
    return TAMIS_OK;
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
    double rate =
        tamis_rate_model(&filter->layers[0].geometry, (double)distinct) + tamis_rate_floor((double)distinct);
    return rate < 1.0 ? rate : 1.0;
}

const tamis_kind_ops tamis_bloom_ops = {
    .kind = TAMIS_BLOOM,
    .add = bloom_add,
    .add_part = bloom_add_part,
    .add_one = bloom_add_one,
    .merge = bloom_merge,
    .model_rate = bloom_model_rate,
};
