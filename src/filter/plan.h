/* From parameters to the first layer of a filter. */
#ifndef TAMIS_FILTER_PLAN_H
#define TAMIS_FILTER_PLAN_H

#include "filter/internal.h"

/* How a kind divides what it was asked for among its layers. */
typedef struct tamis_kind_share {
    uint32_t layers;           /* at creation */
    uint32_t memory_parts;     /* the array of one layer takes this part of the payload */
    uint32_t capacity_divisor; /* a layer takes the capacity divided by this, rounded up */
} tamis_kind_share;

tamis_kind_share tamis_share_of(tamis_kind kind);

/* Rate that layer `index` of a filter must have from its bits alone, so that all
 * layers and the collisions of hashes stay within params->error_rate. */
double tamis_layer_rate(const tamis_params *params, uint32_t index);

/* Completes checked parameters (capacity, error rate, region_lines, tightening)
 * and sizes the first layer. Fails as tamis_plan_filter does. */
tamis_status tamis_plan_first_layer(const tamis_params *asked, tamis_params *complete, tamis_layer *first,
                                    tamis_error *err);

/* Items that a scalable filter of this rate can hold before collisions of its
 * 64-bit hashes use up what is set aside for them; at most 2^48. */
uint64_t tamis_growth_end(double error_rate);

#endif
