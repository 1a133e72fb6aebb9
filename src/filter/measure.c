#include "filter/measure.h"

#include <math.h>

#include "base/bits.h"
#include "filter/line.h"

uint64_t tamis_layer_bits_set(const tamis_layer *layer)
{
    uint64_t set = 0;
    size_t nbytes = tamis_layer_bytes(layer);
    for (size_t at = 0; at < nbytes; at += 8)
        set += tamis_popcount64(tamis_load64(layer->payload + at));
    return set;
}

/* Mean over rotations of the product of k neighbouring lanes' fills. */
static double line_rate(const unsigned char *line, unsigned k)
{
    double fill[TAMIS_LANES];
    for (unsigned lane = 0; lane < TAMIS_LANES; lane++)
        fill[lane] = tamis_popcount64(tamis_load64(line + 8 * lane)) / 64.0;
    unsigned rotations = k == TAMIS_LANES ? 1 : TAMIS_LANES;
    double sum = 0.0;
    for (unsigned r = 0; r < rotations; r++) {
        double product = 1.0;
        for (unsigned i = 0; i < k; i++)
            product *= fill[(r + i) % TAMIS_LANES];
        sum += product;
    }
    return sum / rotations;
}

double tamis_layer_current_rate(const tamis_layer *layer)
{
    const tamis_geometry *geometry = &layer->geometry;
    const unsigned char *line = layer->payload;
    double regions = 0.0;
    for (uint64_t region = 0; region < geometry->regions; region++) {
        double lines = 0.0;
        for (uint32_t i = 0; i < geometry->region_lines; i++, line += TAMIS_LINE_BYTES)
            lines += line_rate(line, geometry->k);
        double mean = lines / geometry->region_lines, all = 1.0;
        for (uint32_t j = 0; j < geometry->g; j++)
            all *= mean;
        regions += all;
    }
    return regions / (double)geometry->regions;
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
