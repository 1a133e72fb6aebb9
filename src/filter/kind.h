/* What a kind of filter is: a table of operations. One kind a file. */
#ifndef TAMIS_FILTER_KIND_H
#define TAMIS_FILTER_KIND_H

#include "filter/internal.h"
#include "filter/source.h"

typedef struct tamis_kind_ops {
    tamis_kind kind;
    /* Adds items in order. *done is the number added: all of them unless it fails. */
    tamis_status (*add)(tamis_filter *filter, const tamis_source *from, size_t count, uint8_t *out_new,
                        size_t *total, size_t *done);
    /* Adds without counting them as offered: what threads with regions of their own
     * may do at once. NULL: the kind cannot. Returns how many were new. */
    size_t (*add_part)(tamis_filter *filter, const tamis_source *from, size_t count, uint8_t *out_new);
    /* Adds one; whether it is new. NULL: `add` does it. */
    bool (*add_one)(tamis_filter *filter, uint64_t hash);
    /* The rest may be NULL: the kind cannot do it. */
    tamis_status (*remove)(tamis_filter *filter, uint64_t hash);
    tamis_status (*merge)(tamis_filter *target, const tamis_filter *source, tamis_error *err);
    tamis_status (*advance)(tamis_filter *filter, uint64_t now_ms);
    void (*clear_extra)(tamis_filter *filter); /* beyond payload and counts */
    /* Rate of an absent item from the model and the counts. */
    double (*model_rate)(const tamis_filter *filter, uint64_t distinct);
} tamis_kind_ops;

extern const tamis_kind_ops tamis_bloom_ops;
extern const tamis_kind_ops tamis_counting_ops;
extern const tamis_kind_ops tamis_scalable_ops;
extern const tamis_kind_ops tamis_rotating_ops;

/* The table of a kind; NULL when there is no such kind. */
const tamis_kind_ops *tamis_kind_ops_of(tamis_kind kind);

#endif
