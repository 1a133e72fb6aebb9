#include "filter/measure.h"

#include <math.h>

#include "filter/kernel.h"

uint64_t tamis_layer_bits_set(const tamis_layer *layer)
{
    return tamis_kernel_choose()->bits_set(layer);
}

double tamis_layer_current_rate(const tamis_layer *layer)
{
    return tamis_kernel_choose()->current_rate(layer);
}

static double bits_of(const tamis_layer *layer)
{
    return (double)tamis_geometry_lines(&layer->geometry) * TAMIS_LINE_BITS;
}

double tamis_layer_estimate(const tamis_layer *layer, uint64_t bits_set)
{
    double bits = bits_of(layer), set = (double)bits_set;
    if (set > bits - 1.0)
        set = bits - 1.0;
    return -bits / (layer->geometry.g * layer->geometry.k) * log1p(-set / bits);
}

/* Variance of linear counting: m (e^t - t - 1) for the number of hits, t = gkn/m. */
double tamis_layer_estimate_deviation(const tamis_layer *layer)
{
    double bits = bits_of(layer);
    double probes = (double)layer->geometry.g * layer->geometry.k;
    double load = probes * (double)layer->capacity / bits;
    return sqrt(bits * (exp(load) - load - 1.0)) / probes;
}
