#include "file/contents.h"

#include <inttypes.h>
#include <string.h>

#include "base/bits.h"
#include "base/error.h"
#include "hash/xxh3.h"

static void append_piece(tamis_pieces *pieces, unsigned char *data, size_t len)
{
    pieces->piece[pieces->count].data = data;
    pieces->piece[pieces->count++].len = len;
}

void tamis_pieces_of(const tamis_filter *filter, tamis_pieces *out)
{
    memset(out, 0, sizeof *out);
    for (uint32_t i = 0; i < filter->layer_count; i++)
        append_piece(out, filter->layers[i].payload, tamis_layer_bytes(&filter->layers[i]));
    if (filter->params.kind == TAMIS_COUNTING)
        append_piece(out, filter->counters, tamis_counter_bytes(&filter->layers[0]));
    if (filter->metadata_len > 0) {
        append_piece(out, filter->metadata, filter->metadata_len);
        size_t beyond = filter->metadata_len % TAMIS_FILE_ALIGN;
        if (beyond > 0)
            append_piece(out, out->padding, TAMIS_FILE_ALIGN - beyond);
    }
}

uint64_t tamis_checksum(const void *data, size_t len)
{
    return tamis_xxh3(data, len, 0);
}

uint64_t tamis_pieces_checksum(const tamis_pieces *pieces)
{
    XXH3_state_t state;
    memset(&state, 0, sizeof state);
    (void)XXH3_64bits_reset(&state);
    for (size_t i = 0; i < pieces->count; i++)
        (void)XXH3_64bits_update(&state, pieces->piece[i].data, pieces->piece[i].len);
    return XXH3_64bits_digest(&state);
}

void tamis_seal_of(const tamis_filter *filter, tamis_seal *out)
{
    tamis_pieces pieces;
    tamis_layout layout;
    memset(out, 0, sizeof *out);
    for (uint32_t i = 0; i < filter->layer_count; i++)
        out->bits_set[i] = tamis_layer_bits_set(&filter->layers[i]);
    tamis_pieces_of(filter, &pieces);
    (void)tamis_layout_of(filter, filter->metadata_len, &layout);
    out->metadata_len = filter->metadata_len;
    out->payload_bytes = layout.payload_bytes;
    out->payload_checksum = tamis_pieces_checksum(&pieces);
}

/* Bits of payload byte `y` whose counters are zero. */
static unsigned uncounted(const tamis_filter *filter, size_t y)
{
    uint32_t c = tamis_load32(filter->counters + 4 * y);
    c = (c | c >> 1 | c >> 2 | c >> 3) & 0x11111111u;
    c = (c | c >> 3) & 0x03030303u;
    c = (c | c >> 6) & 0x000f000fu;
    c = (c | c >> 12) & 0xffu;
    return filter->layers[0].payload[y] & ~c;
}

void tamis_counters_repair(tamis_filter *filter)
{
    if (filter->params.kind != TAMIS_COUNTING)
        return;
    static const unsigned char pairs[] = {0x00, 0x0f, 0xf0, 0xff};
    size_t nbytes = tamis_layer_bytes(&filter->layers[0]);
    for (size_t y = 0; y < nbytes; y++)
        for (unsigned pair = 0; pair < 4; pair++)
            filter->counters[4 * y + pair] = pairs[filter->layers[0].payload[y] >> (2 * pair) & 3];
}

static tamis_status check_counters(const tamis_filter *filter, tamis_error *err)
{
    if (filter->params.kind != TAMIS_COUNTING)
        return TAMIS_OK;
    size_t nbytes = tamis_layer_bytes(&filter->layers[0]);
    for (size_t y = 0; y < nbytes; y++)
        if (uncounted(filter, y) != 0)
            return tamis_fail(err, TAMIS_E_CORRUPT, "a set bit in byte %zu of the lines has the counter 0",
                              y);
    return TAMIS_OK;
}

tamis_status tamis_contents_check(const tamis_filter *filter, const tamis_seal *seal, tamis_error *err)
{
    tamis_seal now;
    tamis_seal_of(filter, &now);
    if (now.payload_checksum != seal->payload_checksum)
        return tamis_fail(err, TAMIS_E_CORRUPT,
                          "the payload has the checksum %016" PRIx64 " and should have %016" PRIx64
                          "; the file is damaged",
                          now.payload_checksum, seal->payload_checksum);
    for (uint32_t i = 0; i < filter->layer_count; i++)
        if (now.bits_set[i] != seal->bits_set[i])
            return tamis_fail(err, TAMIS_E_CORRUPT,
                              "layer %u has %" PRIu64 " bits set where the header says %" PRIu64, i,
                              now.bits_set[i], seal->bits_set[i]);
    return check_counters(filter, err);
}
