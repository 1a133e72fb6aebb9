/* The life of a filter, and its answers to one item at a time. */
#include "filter/kind.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/bits.h"
#include "filter/kernel.h"
#include "filter/line.h"
#include "filter/plan.h"
#include "hash/xxh3.h"

const tamis_kind_ops *tamis_kind_ops_of(tamis_kind kind)
{
    switch (kind) {
    case TAMIS_BLOOM:
        return &tamis_bloom_ops;
    case TAMIS_COUNTING:
        return &tamis_counting_ops;
    case TAMIS_SCALABLE:
        return &tamis_scalable_ops;
    case TAMIS_ROTATING:
        return &tamis_rotating_ops;
    }
    return NULL;
}

/* --- making ------------------------------------------------------------------ */

tamis_filter *tamis_filter_new_shell(const tamis_params *params, const tamis_allocator *allocator)
{
    tamis_allocator chosen = allocator != NULL ? *allocator : tamis_default_allocator;
    tamis_filter *filter = tamis_allocate(&chosen, sizeof *filter);
    if (filter == NULL)
        return NULL;
    filter->ops = tamis_kind_ops_of(params->kind);
    filter->kernel = tamis_kernel_choose();
    filter->allocator = chosen;
    filter->params = *params;
    filter->params.struct_size = sizeof filter->params;
    filter->params.memory = 0;
    filter->params.allocator = NULL;
    return filter;
}

static bool lines_fit(const tamis_geometry *geometry, uint64_t bytes_per_line)
{
    int overflow = 0;
    uint64_t lines = tamis_checked_mul(geometry->regions, geometry->region_lines, &overflow);
    uint64_t nbytes = tamis_checked_mul(lines, bytes_per_line, &overflow);
    return !overflow && nbytes <= SIZE_MAX / 2;
}

tamis_status tamis_layer_allocate(tamis_filter *filter, tamis_layer *layer)
{
    bool counting = filter->params.kind == TAMIS_COUNTING;
    if (!lines_fit(&layer->geometry, counting ? TAMIS_COUNTER_BYTES_PER_LINE : TAMIS_LINE_BYTES))
        return TAMIS_E_TOO_LARGE;
    layer->payload = tamis_allocate(&filter->allocator, tamis_layer_bytes(layer));
    if (layer->payload == NULL)
        return TAMIS_E_NOMEM;
    if (!counting)
        return TAMIS_OK;
    filter->counters = tamis_allocate(&filter->allocator, tamis_counter_bytes(layer));
    if (filter->counters != NULL)
        return TAMIS_OK;
    tamis_release(&filter->allocator, layer->payload, tamis_layer_bytes(layer));
    layer->payload = NULL;
    return TAMIS_E_NOMEM;
}

void tamis_filter_settle(tamis_filter *filter)
{
    const tamis_geometry *geometry = &filter->layers[0].geometry;
    bool one = filter->params.kind == TAMIS_BLOOM || filter->params.kind == TAMIS_COUNTING;
    filter->usual_lines = one && tamis_is_usual(geometry) ? tamis_geometry_lines(geometry) : 0;
}

/* Gives the shell its layers, all like the first. */
static tamis_status allocate_layers(tamis_filter *filter, const tamis_layer *first, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        filter->layers[i] = *first;
        tamis_status status = tamis_layer_allocate(filter, &filter->layers[i]);
        if (status != TAMIS_OK)
            return status;
        filter->layer_count = i + 1;
    }
    return TAMIS_OK;
}

tamis_status tamis_filter_create(const tamis_params *params, tamis_filter **out, tamis_error *err)
{
    tamis_params complete;
    tamis_layer first;
    tamis_status status = tamis_plan_first_layer(params, &complete, &first, err);
    if (status != TAMIS_OK)
        return status;
    tamis_kind_share share = tamis_share_of(complete.kind);
    uint64_t nbytes = tamis_geometry_lines(&first.geometry) * TAMIS_LINE_BYTES * share.memory_parts;
    tamis_filter *filter = tamis_filter_new_shell(&complete, complete.allocator);
    if (filter == NULL)
        return tamis_fail(err, TAMIS_E_NOMEM, "out of memory for a filter");
    status = allocate_layers(filter, &first, share.layers);
    if (status != TAMIS_OK) {
        tamis_filter_free(filter);
        return tamis_fail(err, status, "no memory for a filter of %llu bytes", (unsigned long long)nbytes);
    }
    tamis_filter_settle(filter);
    *out = filter;
    return TAMIS_OK;
}

void tamis_filter_free(tamis_filter *filter)
{
    if (filter == NULL)
        return;
    tamis_allocator allocator = filter->allocator;
    if (filter->mapping != NULL) {
        filter->unmap(filter->mapping);
    } else {
        if (filter->counters != NULL)
            tamis_release(&allocator, filter->counters, tamis_counter_bytes(&filter->layers[0]));
        for (uint32_t i = 0; i < filter->layer_count; i++)
            tamis_release(&allocator, filter->layers[i].payload, tamis_layer_bytes(&filter->layers[i]));
    }
    tamis_release(&allocator, filter->metadata, filter->metadata_len);
    tamis_release(&allocator, filter, sizeof *filter);
}

/* Payload, counters and metadata of `from` into the shell `to`. */
static tamis_status copy_contents(tamis_filter *to, const tamis_filter *from)
{
    for (uint32_t i = 0; i < from->layer_count; i++) {
        to->layers[i] = from->layers[i];
        to->layers[i].payload = NULL;
        tamis_status status = tamis_layer_allocate(to, &to->layers[i]);
        if (status != TAMIS_OK)
            return status;
        to->layer_count = i + 1;
        memcpy(to->layers[i].payload, from->layers[i].payload, tamis_layer_bytes(&from->layers[i]));
    }
    if (from->counters != NULL)
        memcpy(to->counters, from->counters, tamis_counter_bytes(&from->layers[0]));
    return tamis_filter_set_metadata(to, from->metadata, from->metadata_len);
}

tamis_status tamis_filter_clone(const tamis_filter *filter, tamis_filter **out)
{
    tamis_filter *copy = tamis_filter_new_shell(&filter->params, &filter->allocator);
    if (copy == NULL)
        return TAMIS_E_NOMEM;
    copy->offered = filter->offered;
    copy->now_ms = filter->now_ms;
    copy->growth_limit = filter->growth_limit;
    tamis_status status = copy_contents(copy, filter);
    if (status != TAMIS_OK) {
        tamis_filter_free(copy);
        return status;
    }
    tamis_filter_settle(copy);
    *out = copy;
    return TAMIS_OK;
}

tamis_status tamis_filter_clear(tamis_filter *filter)
{
    if (filter->read_only)
        return TAMIS_E_UNSUPPORTED;
    if (filter->ops->clear_extra != NULL)
        filter->ops->clear_extra(filter);
    for (uint32_t i = 0; i < filter->layer_count; i++) {
        memset(filter->layers[i].payload, 0, tamis_layer_bytes(&filter->layers[i]));
        filter->layers[i].items_new = 0;
    }
    if (filter->counters != NULL)
        memset(filter->counters, 0, tamis_counter_bytes(&filter->layers[0]));
    filter->offered = 0;
    return TAMIS_OK;
}

/* --- one item ----------------------------------------------------------------- */

uint64_t tamis_filter_hash(const tamis_filter *filter, const void *item, size_t len)
{
    return tamis_xxh3(item, len, filter->params.seed);
}

tamis_status tamis_filter_add(tamis_filter *filter, const void *item, size_t len, bool *out_new)
{
    return tamis_filter_add_hash(filter, tamis_filter_hash(filter, item, len), out_new);
}

tamis_status tamis_filter_add_hash(tamis_filter *filter, uint64_t hash, bool *out_new)
{
    size_t total;
    bool quick = filter->ops->add_one != NULL && !filter->read_only;
    tamis_status status = TAMIS_OK;
    if (quick)
        total = filter->ops->add_one(filter, hash);
    else
        status = tamis_filter_add_hashes(filter, &hash, 1, NULL, &total, NULL);
    if (status == TAMIS_OK && out_new != NULL)
        *out_new = total != 0;
    return status;
}

bool tamis_filter_contains(const tamis_filter *filter, const void *item, size_t len)
{
    return tamis_filter_contains_hash(filter, tamis_filter_hash(filter, item, len));
}

bool tamis_filter_contains_hash(const tamis_filter *filter, uint64_t hash)
{
    return filter->kernel->contains_one(filter, hash);
}

tamis_status tamis_filter_remove(tamis_filter *filter, const void *item, size_t len)
{
    return tamis_filter_remove_hash(filter, tamis_filter_hash(filter, item, len));
}

tamis_status tamis_filter_remove_hash(tamis_filter *filter, uint64_t hash)
{
    if (filter->ops->remove == NULL || filter->read_only)
        return TAMIS_E_UNSUPPORTED;
    return filter->ops->remove(filter, hash);
}

tamis_status tamis_filter_advance(tamis_filter *filter, uint64_t now_ms)
{
    if (filter->ops->advance == NULL || filter->read_only)
        return TAMIS_E_UNSUPPORTED;
    return filter->ops->advance(filter, now_ms);
}

tamis_status tamis_filter_limit_growth(tamis_filter *filter, uint64_t nbytes)
{
    if (filter->params.kind != TAMIS_SCALABLE)
        return TAMIS_E_UNSUPPORTED;
    filter->growth_limit = nbytes;
    return TAMIS_OK;
}

/* --- metadata ------------------------------------------------------------------ */

tamis_status tamis_filter_set_metadata(tamis_filter *filter, const void *data, size_t len)
{
    unsigned char *copy = NULL;
    if (len > TAMIS_MAX_METADATA)
        return TAMIS_E_RANGE;
    if (filter->mapping != NULL)
        return TAMIS_E_UNSUPPORTED;
    if (len > 0) {
        copy = tamis_allocate(&filter->allocator, len);
        if (copy == NULL)
            return TAMIS_E_NOMEM;
        memcpy(copy, data, len);
    }
    tamis_release(&filter->allocator, filter->metadata, filter->metadata_len);
    filter->metadata = copy;
    filter->metadata_len = len;
    return TAMIS_OK;
}

const void *tamis_filter_metadata(const tamis_filter *filter, size_t *out_len)
{
    *out_len = filter->metadata_len;
    return filter->metadata;
}
