/* Two filters: are they equal, and can one be merged into the other? */
#include "filter/kind.h"

#include <inttypes.h>
#include <string.h>

#include "base/error.h"

static bool same_geometry(const tamis_geometry *a, const tamis_geometry *b)
{
    return a->regions == b->regions && a->region_lines == b->region_lines && a->g == b->g && a->k == b->k;
}

static bool same_rate(double a, double b)
{
    return !(a < b) && !(a > b);
}

static bool same_layer(const tamis_layer *a, const tamis_layer *b)
{
    return same_geometry(&a->geometry, &b->geometry) && a->capacity == b->capacity &&
           same_rate(a->error_rate, b->error_rate) && a->items_new == b->items_new &&
           memcmp(a->payload, b->payload, tamis_layer_bytes(a)) == 0;
}

static bool same_params(const tamis_params *a, const tamis_params *b)
{
    return a->kind == b->kind && a->flags == b->flags && a->capacity == b->capacity &&
           same_rate(a->error_rate, b->error_rate) && a->seed == b->seed && a->window_ms == b->window_ms &&
           a->normalisation == b->normalisation && a->region_lines == b->region_lines &&
           a->tightening == b->tightening;
}

bool tamis_filter_equal(const tamis_filter *a, const tamis_filter *b)
{
    if (!same_params(&a->params, &b->params) || a->offered != b->offered || a->now_ms != b->now_ms ||
        a->layer_count != b->layer_count)
        return false;
    for (uint32_t i = 0; i < a->layer_count; i++)
        if (!same_layer(&a->layers[i], &b->layers[i]))
            return false;
    return a->counters == NULL || memcmp(a->counters, b->counters, tamis_counter_bytes(&a->layers[0])) == 0;
}

static tamis_status mismatch(tamis_error *err, const char *field, uint64_t target, uint64_t source)
{
    return tamis_fail(err, TAMIS_E_MISMATCH,
                      "filters differ in %s (%" PRIu64 " and %" PRIu64
                      "): only filters made alike can be merged",
                      field, target, source);
}

/* Names the first field in which two filters differ that must agree. The seed's
 * values stay untold: it may be a secret. */
static tamis_status check_alike(const tamis_filter *target, const tamis_filter *source, tamis_error *err)
{
    const tamis_params *t = &target->params, *s = &source->params;
    const tamis_geometry *tg = &target->layers[0].geometry, *sg = &source->layers[0].geometry;
    if (t->kind != s->kind)
        return mismatch(err, "kind", (uint64_t)t->kind, (uint64_t)s->kind);
    if (t->capacity != s->capacity)
        return mismatch(err, "capacity", t->capacity, s->capacity);
    if (!same_rate(t->error_rate, s->error_rate))
        return tamis_fail(err, TAMIS_E_MISMATCH,
                          "filters differ in error rate (%g and %g): only filters made alike can be merged",
                          t->error_rate, s->error_rate);
    if (t->seed != s->seed)
        return tamis_fail(err, TAMIS_E_MISMATCH,
                          "filters differ in seed: only filters made alike can be merged");
    if (t->normalisation != s->normalisation)
        return mismatch(err, "normalisation", t->normalisation, s->normalisation);
    if (tg->regions != sg->regions)
        return mismatch(err, "regions", tg->regions, sg->regions);
    if (tg->region_lines != sg->region_lines)
        return mismatch(err, "lines a region", tg->region_lines, sg->region_lines);
    if (tg->g != sg->g)
        return mismatch(err, "lines an item", tg->g, sg->g);
    if (tg->k != sg->k)
        return mismatch(err, "bits a line", tg->k, sg->k);
    return TAMIS_OK;
}

tamis_status tamis_filter_merge(tamis_filter *target, const tamis_filter *source, tamis_error *err)
{
    if (target->ops->merge == NULL || target->read_only)
        return tamis_fail(err, TAMIS_E_UNSUPPORTED,
                          "only bloom and counting filters that may be written can be merged");
    tamis_status status = check_alike(target, source, err);
    return status == TAMIS_OK ? target->ops->merge(target, source, err) : status;
}
