/* What the bits of a layer tell. */
#ifndef TAMIS_FILTER_MEASURE_H
#define TAMIS_FILTER_MEASURE_H

#include "filter/internal.h"

/* Rate of an absent item, exactly, from the bits: in each region the mean over
 * lines and rotations of the product of the k lanes' fills, to the power of g;
 * then the mean over regions. */
double tamis_layer_current_rate(const tamis_layer *layer);

/* Distinct items from the number of bits set: -(m/gk) ln(1 - X/m). With every bit
 * set, what one clear bit would give: a lower bound. */
double tamis_layer_estimate(const tamis_layer *layer, uint64_t bits_set);

/* Standard deviation of that estimate near the capacity. */
double tamis_layer_estimate_deviation(const tamis_layer *layer);

#endif
