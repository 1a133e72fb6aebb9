/* Batches. */
#include "filter/bulk.h"
#include "filter/kernel.h"
#include "filter/kind.h"

static tamis_status add_from(tamis_filter *filter, tamis_source from, size_t count, uint8_t *out_new,
                             size_t *out_total, size_t *out_done)
{
    size_t total = 0, done = 0;
    from.seed = filter->params.seed;
    tamis_status status = TAMIS_E_UNSUPPORTED;
    if (!filter->read_only)
        status = filter->ops->add(filter, &from, count, out_new, &total, &done);
    if (out_total != NULL)
        *out_total = total;
    if (out_done != NULL)
        *out_done = done;
    return status;
}

static size_t contains_from(const tamis_filter *filter, tamis_source from, size_t count, uint8_t *out_found)
{
    from.seed = filter->params.seed;
    return filter->kernel->contains(filter->layers, filter->layer_count, &from, count, out_found);
}

tamis_status tamis_filter_add_batch(tamis_filter *filter, const tamis_item *items, size_t count,
                                    uint8_t *out_new, size_t *out_total, size_t *out_done)
{
    return add_from(filter, (tamis_source){.items = items}, count, out_new, out_total, out_done);
}

tamis_status tamis_filter_add_fixed(tamis_filter *filter, const void *items, size_t width, size_t count,
                                    uint8_t *out_new, size_t *out_total, size_t *out_done)
{
    return add_from(filter, (tamis_source){.fixed = items, .width = width}, count, out_new, out_total,
                    out_done);
}

tamis_status tamis_filter_add_hashes(tamis_filter *filter, const uint64_t *hashes, size_t count,
                                     uint8_t *out_new, size_t *out_total, size_t *out_done)
{
    return add_from(filter, (tamis_source){.hashes = hashes}, count, out_new, out_total, out_done);
}

size_t tamis_filter_contains_batch(const tamis_filter *filter, const tamis_item *items, size_t count,
                                   uint8_t *out_found)
{
    return contains_from(filter, (tamis_source){.items = items}, count, out_found);
}

size_t tamis_filter_contains_fixed(const tamis_filter *filter, const void *items, size_t width, size_t count,
                                   uint8_t *out_found)
{
    return contains_from(filter, (tamis_source){.fixed = items, .width = width}, count, out_found);
}

size_t tamis_filter_contains_hashes(const tamis_filter *filter, const uint64_t *hashes, size_t count,
                                    uint8_t *out_found)
{
    return contains_from(filter, (tamis_source){.hashes = hashes}, count, out_found);
}

tamis_status tamis_filter_bulk_batch(tamis_filter *filter, const tamis_item *items, size_t count,
                                     unsigned threads, size_t *out_total, size_t *out_done)
{
    return tamis_bulk_add(filter, (tamis_source){.items = items}, count, threads, out_total, out_done);
}

tamis_status tamis_filter_bulk_fixed(tamis_filter *filter, const void *items, size_t width, size_t count,
                                     unsigned threads, size_t *out_total, size_t *out_done)
{
    return tamis_bulk_add(filter, (tamis_source){.fixed = items, .width = width}, count, threads, out_total,
                          out_done);
}

tamis_status tamis_filter_bulk_hashes(tamis_filter *filter, const uint64_t *hashes, size_t count,
                                      unsigned threads, size_t *out_total, size_t *out_done)
{
    return tamis_bulk_add(filter, (tamis_source){.hashes = hashes}, count, threads, out_total, out_done);
}
