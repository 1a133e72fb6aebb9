/* What kinds with several layers share. */
#ifndef TAMIS_FILTER_LAYERS_H
#define TAMIS_FILTER_LAYERS_H

#include "filter/internal.h"

/* Layer `index` as tamis_filter_layer_info numbers them: the rotating kind counts
 * its generations from the newest. */
const tamis_layer *tamis_layer_numbered(const tamis_filter *filter, uint32_t index);

/* items_new of a layer that holds what it is made for: some of those items change no
 * bit of it. Rounded, so that machines whose exp and log differ in the last bits find the
 * same number, all but surely; at least 1. */
uint64_t tamis_layer_full_at(const tamis_layer *layer);

/* Rate of an absent item from the model, from each layer's count. */
double tamis_layers_model_rate(const tamis_filter *filter, uint64_t unused);

#endif
