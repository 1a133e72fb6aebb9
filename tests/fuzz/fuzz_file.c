/* Arbitrary bytes as a filter file. The first byte says how they are taken:
 *   0  as they are
 *   1  with the checksums made right, so that the fuzzer gets past them
 *   2  in short: u16 length, so many bytes of the header, payload; the rest of the
 *      header is zero, the payload's length and the checksums are made right
 * What is accepted must be usable, and written again give the same bytes. */
#include <stdlib.h>
#include <string.h>

#include <tamis/tamis.h>

#include "base/bits.h"
#include "file/contents.h"
#include "file/format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool truth)
{
    if (!truth)
        abort();
}

static void make_checksums_right(unsigned char *file, size_t len)
{
    if (len < TAMIS_FILE_HEADER_BYTES)
        return;
    tamis_store64(file + TAMIS_AT_PAYLOAD_CHECKSUM,
                  tamis_checksum(file + TAMIS_FILE_HEADER_BYTES, len - TAMIS_FILE_HEADER_BYTES));
    tamis_header_seal(file);
}

/* The long form of a short input; the caller frees it. */
static unsigned char *expand(const uint8_t *data, size_t size, size_t *out_len)
{
    size_t header = size < 2 ? 0 : tamis_load16(data);
    size_t at = size < 2 ? size : 2;
    if (header > size - at)
        header = size - at;
    if (header > TAMIS_AT_FIXED_CHECKSUM)
        header = TAMIS_AT_FIXED_CHECKSUM;
    size_t payload = size - at - header;
    unsigned char *file = calloc(1, TAMIS_FILE_HEADER_BYTES + payload);
    require(file != NULL);
    memcpy(file, data + at, header);
    memcpy(file + TAMIS_FILE_HEADER_BYTES, data + at + header, payload);
    memcpy(file, TAMIS_FILE_MAGIC, TAMIS_FILE_MAGIC_BYTES);
    tamis_store64(file + TAMIS_AT_PAYLOAD_LENGTH, payload);
    *out_len = TAMIS_FILE_HEADER_BYTES + payload;
    return file;
}

static unsigned char *copy(const uint8_t *data, size_t size)
{
    unsigned char *file = malloc(size + 1);
    require(file != NULL);
    if (size > 0)
        memcpy(file, data, size);
    return file;
}

/* Asks everything that a filter can be asked. */
static void query(const tamis_filter *filter)
{
    tamis_probe probes[TAMIS_MAX_LAYERS * 64];
    tamis_info info = {.struct_size = sizeof info};
    require(tamis_filter_info(filter, &info) == TAMIS_OK);
    require(info.current_rate >= 0.0 && info.current_rate <= 1.0);
    for (uint32_t i = 0; i < info.layers; i++) {
        tamis_layer_info layer = {.struct_size = sizeof layer};
        require(tamis_filter_layer_info(filter, i, &layer) == TAMIS_OK);
    }
    size_t count = tamis_filter_explain(filter, "item", 4, probes, sizeof probes / sizeof probes[0]);
    require(count <= sizeof probes / sizeof probes[0]);
    (void)tamis_filter_contains(filter, "item", 4);
    require(tamis_filter_model_rate(filter, 1000) >= 0.0);
}

/* A dirty file gets new counts, features to ignore are dropped: else the bytes are
 * the same. */
static void compare_with_file(const tamis_filter *filter, const unsigned char *file, size_t len)
{
    unsigned char page[TAMIS_FILE_HEADER_BYTES];
    tamis_pieces pieces;
    tamis_seal seal;
    size_t at = sizeof page;
    tamis_seal_of(filter, &seal);
    tamis_header_encode(filter, &seal, page);
    tamis_pieces_of(filter, &pieces);
    require(tamis_filter_file_bytes(filter) == len);
    if ((file[TAMIS_AT_FLAGS + 3] & 0x80) != 0 || tamis_load32(file + TAMIS_AT_COMPATIBLE) != 0)
        return;
    require(memcmp(page, file, sizeof page) == 0);
    for (size_t i = 0; i < pieces.count; at += pieces.piece[i++].len)
        require(memcmp(file + at, pieces.piece[i].data, pieces.piece[i].len) == 0);
    require(at == len);
}

/* A scalable filter may grow, to at most this. */
static void change(tamis_filter *filter)
{
    (void)tamis_filter_limit_growth(filter, (uint64_t)8 << 20);
    if (tamis_filter_kind(filter) == TAMIS_ROTATING)
        require(tamis_filter_advance(filter, UINT64_MAX / 2) == TAMIS_OK);
    for (unsigned i = 0; i < 20; i++)
        if (tamis_filter_add(filter, &i, sizeof i, NULL) == TAMIS_OK)
            require(tamis_filter_contains(filter, &i, sizeof i));
    if (tamis_filter_kind(filter) == TAMIS_COUNTING) {
        unsigned number = 7;
        (void)tamis_filter_remove(filter, &number, sizeof number);
    }
    require(tamis_filter_clear(filter) == TAMIS_OK);
    require(!tamis_filter_contains(filter, "item", 4));
}

static void use(tamis_filter *filter, const unsigned char *file, size_t len)
{
    tamis_filter *clone = NULL;
    query(filter);
    compare_with_file(filter, file, len);
    require(tamis_filter_clone(filter, &clone) == TAMIS_OK);
    require(tamis_filter_equal(filter, clone));
    if (tamis_filter_kind(filter) == TAMIS_BLOOM || tamis_filter_kind(filter) == TAMIS_COUNTING)
        require(tamis_filter_merge(clone, filter, NULL) == TAMIS_OK);
    change(clone);
    tamis_filter_free(clone);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tamis_filter *filter = NULL;
    tamis_error err = {.status = TAMIS_OK};
    tamis_open_options options = TAMIS_OPEN_OPTIONS_INIT;
    if (size == 0)
        return 0;
    size_t len = size - 1;
    unsigned char *file = data[0] == 2 ? expand(data + 1, size - 1, &len) : copy(data + 1, len);
    if (data[0] != 0)
        make_checksums_right(file, len);
    options.flags = TAMIS_OPEN_NORMALISED;
    tamis_status status = tamis_filter_decode(file, len, &options, &filter, &err);
    require((status == TAMIS_OK) == (filter != NULL) && err.status == status);
    if (status == TAMIS_OK)
        use(filter, file, len);
    tamis_filter_free(filter);
    free(file);
    return 0;
}
