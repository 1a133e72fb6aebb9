/* The bits of one item. */
#include "filter/layers.h"
#include "filter/line.h"

static bool bit_is_set(const tamis_layer *layer, uint64_t bit)
{
    return (layer->payload[bit / 8] >> bit % 8 & 1) != 0;
}

size_t tamis_filter_explain(const tamis_filter *filter, const void *item, size_t len, tamis_probe *out,
                            size_t max)
{
    uint64_t hash = tamis_filter_hash(filter, item, len);
    size_t count = 0;
    for (uint32_t age = 0; age < filter->layer_count; age++) {
        uint32_t index = filter->params.kind == TAMIS_ROTATING ? filter->layer_count - 1 - age : age;
        const tamis_layer *layer = tamis_layer_numbered(filter, index);
        uint64_t bits[64];
        unsigned found = tamis_layer_bits(layer, hash, bits);
        for (unsigned i = 0; i < found; i++, count++) {
            if (count >= max)
                continue;
            uint64_t line = bits[i] / TAMIS_LINE_BITS;
            out[count] = (tamis_probe){
                .layer = index,
                .line_of_item = i / layer->geometry.k,
                .region = line / layer->geometry.region_lines,
                .line = line,
                .bit = (uint32_t)(bits[i] % TAMIS_LINE_BITS),
                .set = bit_is_set(layer, bits[i]),
            };
        }
    }
    return count;
}
