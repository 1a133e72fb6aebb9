/* What kinds with several layers share. */
#ifndef TAMIS_FILTER_LAYERS_H
#define TAMIS_FILTER_LAYERS_H

#include "filter/ring.h"

/* True when any of the layers but `except` has the item; newest (last) first. */
bool tamis_layers_have(const tamis_filter *filter, uint64_t hash, uint32_t except);

/* Batch form over all layers. */
size_t tamis_layers_contain(const tamis_filter *filter, const uint64_t *hashes, size_t count, uint8_t *out_found);

bool tamis_layers_contain_one(const tamis_filter *filter, uint64_t hash);

/* Rate of an absent item from the model, from each layer's count. */
double tamis_layers_model_rate(const tamis_filter *filter, uint64_t unused);

#define TAMIS_NO_LAYER UINT32_MAX

#endif
