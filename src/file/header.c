/* Reading a header page: nothing in it is believed before it was checked. */
#include "file/format.h"

#include <inttypes.h>
#include <string.h>

#include "base/bits.h"
#include "base/error.h"
#include "file/contents.h"

static bool is_dirty(const unsigned char *page)
{
    return (page[TAMIS_AT_DIRTY] & TAMIS_FILE_DIRTY_BIT) != 0;
}

/* What can be said of any version: magic, checksums, version. Of a dirty file the
 * header's checksum may be that of before: the writer may have died in between. */
static tamis_status check_identity(const unsigned char *page, tamis_error *err)
{
    if (memcmp(page, TAMIS_FILE_MAGIC, TAMIS_FILE_MAGIC_BYTES) != 0)
        return tamis_fail(err, TAMIS_E_FORMAT, "not a tamis file: it does not start with the magic bytes");
    unsigned version = tamis_load16(page + TAMIS_AT_VERSION);
    bool whole = tamis_load64(page + TAMIS_AT_HEADER_CHECKSUM) == tamis_header_checksum(page);
    bool fixed = tamis_load64(page + TAMIS_AT_FIXED_CHECKSUM) == tamis_header_fixed_checksum(page);
    if (version == TAMIS_FILE_VERSION ? !fixed || (!whole && !is_dirty(page)) : !whole)
        return tamis_fail(err, TAMIS_E_CORRUPT, "the header's checksum is wrong; the file is damaged");
    if (version != TAMIS_FILE_VERSION)
        return tamis_fail(err, TAMIS_E_VERSION, "file version %u; this tamis reads version %u", version,
                          TAMIS_FILE_VERSION);
    return TAMIS_OK;
}

static tamis_status unknown(tamis_error *err, const char *what, uint32_t value)
{
    return tamis_fail(err, TAMIS_E_VERSION, "%s 0x%" PRIx32 " is not known; the file needs a newer tamis",
                      what, value);
}

/* Everything that a newer tamis may have written and this one cannot read. */
static tamis_status check_features(const unsigned char *page, tamis_error *err)
{
    uint32_t features = tamis_load32(page + TAMIS_AT_INCOMPATIBLE);
    uint32_t flags =
        tamis_load32(page + TAMIS_AT_FLAGS) & ~(uint32_t)(TAMIS_FILE_PARAM_FLAGS | TAMIS_FILE_DIRTY);
    uint32_t kind = tamis_load16(page + TAMIS_AT_KIND);
    uint32_t dialect = tamis_load16(page + TAMIS_AT_DIALECT);
    uint32_t hash = tamis_load16(page + TAMIS_AT_HASH);
    if (features != 0)
        return unknown(err, "incompatible feature", features);
    if (flags != 0)
        return unknown(err, "flag", flags);
    if (kind < TAMIS_BLOOM || kind > TAMIS_ROTATING)
        return unknown(err, "kind", kind);
    if (dialect != 0)
        return unknown(err, "dialect", dialect);
    if (hash != TAMIS_FILE_HASH_XXH3)
        return unknown(err, "hash", hash);
    return TAMIS_OK;
}

static tamis_status check_section_types(const unsigned char *page, uint32_t sections, tamis_error *err)
{
    for (uint32_t i = 0; i < sections; i++) {
        uint32_t type = tamis_load32(page + TAMIS_AT_SECTIONS + (size_t)i * TAMIS_SECTION_BYTES);
        if (type != TAMIS_SECTION_LINES && type != TAMIS_SECTION_COUNTERS && type != TAMIS_SECTION_METADATA)
            return unknown(err, "section type", type);
    }
    return TAMIS_OK;
}

static bool all_zero(const unsigned char *from, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (from[i] != 0)
            return false;
    return true;
}

/* Bytes without a meaning are zero. Features that may be ignored are allowed to
 * give one to those behind the table. */
static tamis_status check_unused(const unsigned char *page, uint32_t sections, bool unknown_compatible,
                                 tamis_error *err)
{
    size_t end = TAMIS_AT_SECTIONS + (size_t)sections * TAMIS_SECTION_BYTES;
    bool zero = all_zero(page + TAMIS_AT_KEY + 8, 8) && all_zero(page + TAMIS_AT_SECTION_COUNT + 4, 4);
    for (uint32_t i = 0; i < sections; i++) {
        const unsigned char *entry = page + TAMIS_AT_SECTIONS + (size_t)i * TAMIS_SECTION_BYTES;
        zero = zero && all_zero(entry + TAMIS_SECTION_AT_K + 4, 4) &&
               all_zero(entry + TAMIS_SECTION_AT_BITS_SET + 8, 16);
        if (tamis_load32(entry) != TAMIS_SECTION_LINES)
            zero = zero &&
                   all_zero(entry + TAMIS_SECTION_AT_REGIONS, TAMIS_SECTION_BYTES - TAMIS_SECTION_AT_REGIONS);
    }
    if (!unknown_compatible)
        zero = zero && all_zero(page + end, TAMIS_AT_FIXED_CHECKSUM - end);
    return zero ? TAMIS_OK : tamis_fail(err, TAMIS_E_CORRUPT, "unused bytes of the header are not zero");
}

static void decode_params(const unsigned char *page, const tamis_allocator *allocator, tamis_params *params)
{
    memset(params, 0, sizeof *params);
    params->struct_size = sizeof *params;
    params->kind = (tamis_kind)tamis_load16(page + TAMIS_AT_KIND);
    params->flags = tamis_load32(page + TAMIS_AT_FLAGS) & TAMIS_FILE_PARAM_FLAGS;
    params->normalisation = tamis_load32(page + TAMIS_AT_NORMALISATION);
    params->seed = tamis_load64(page + TAMIS_AT_KEY);
    params->capacity = tamis_load64(page + TAMIS_AT_CAPACITY);
    params->error_rate = tamis_bits_double(tamis_load64(page + TAMIS_AT_ERROR_RATE));
    params->region_lines = tamis_load32(page + TAMIS_AT_REGION_LINES);
    params->tightening = tamis_load32(page + TAMIS_AT_TIGHTENING);
    params->window_ms = tamis_load64(page + TAMIS_AT_WINDOW_MS);
    params->allocator = allocator;
}

static void decode_layer(const unsigned char *entry, tamis_layer *layer)
{
    layer->geometry.regions = tamis_load64(entry + TAMIS_SECTION_AT_REGIONS);
    layer->geometry.region_lines = tamis_load32(entry + TAMIS_SECTION_AT_REGION_LINES);
    layer->geometry.g = tamis_load32(entry + TAMIS_SECTION_AT_G);
    layer->geometry.k = tamis_load32(entry + TAMIS_SECTION_AT_K);
    layer->capacity = tamis_load64(entry + TAMIS_SECTION_AT_CAPACITY);
    layer->error_rate = tamis_bits_double(tamis_load64(entry + TAMIS_SECTION_AT_ERROR_RATE));
    layer->items_new = tamis_load64(entry + TAMIS_SECTION_AT_ITEMS_NEW);
}

/* Takes layers and the metadata's length from the table. Whether the sections are
 * those that the filter should have, and lie where they should, comes after. */
static tamis_status decode_sections(const unsigned char *page, tamis_filter *filter, tamis_seal *seal,
                                    tamis_error *err)
{
    uint32_t count = tamis_load32(page + TAMIS_AT_SECTION_COUNT);
    for (uint32_t i = 0; i < count; i++) {
        const unsigned char *entry = page + TAMIS_AT_SECTIONS + (size_t)i * TAMIS_SECTION_BYTES;
        uint32_t type = tamis_load32(entry + TAMIS_SECTION_AT_TYPE);
        uint64_t length = tamis_load64(entry + TAMIS_SECTION_AT_LENGTH);
        if (type == TAMIS_SECTION_LINES) {
            if (filter->layer_count == TAMIS_MAX_LAYERS)
                return tamis_fail(err, TAMIS_E_CORRUPT, "the filter has more than %d layers",
                                  TAMIS_MAX_LAYERS);
            seal->bits_set[filter->layer_count] = tamis_load64(entry + TAMIS_SECTION_AT_BITS_SET);
            decode_layer(entry, &filter->layers[filter->layer_count++]);
        } else if (type == TAMIS_SECTION_METADATA) {
            if (length == 0 || length > TAMIS_MAX_METADATA)
                return tamis_fail(err, TAMIS_E_CORRUPT, "metadata of %" PRIu64 " bytes; the limit is %zu",
                                  length, TAMIS_MAX_METADATA);
            seal->metadata_len = (size_t)length;
        }
    }
    return TAMIS_OK;
}

static bool same_section(const tamis_section *want, const unsigned char *entry)
{
    return want->type == tamis_load32(entry + TAMIS_SECTION_AT_TYPE) &&
           want->index == tamis_load32(entry + TAMIS_SECTION_AT_INDEX) &&
           want->offset == tamis_load64(entry + TAMIS_SECTION_AT_OFFSET) &&
           want->length == tamis_load64(entry + TAMIS_SECTION_AT_LENGTH);
}

/* There is one right table for a filter; any other is refused. */
static tamis_status check_sections(const unsigned char *page, const tamis_filter *filter,
                                   const tamis_seal *seal, tamis_error *err)
{
    tamis_layout layout;
    if (!tamis_layout_of(filter, seal->metadata_len, &layout))
        return tamis_fail(err, TAMIS_E_CORRUPT, "the sizes of the sections do not fit in 63 bits");
    if (layout.count != tamis_load32(page + TAMIS_AT_SECTION_COUNT))
        return tamis_fail(err, TAMIS_E_CORRUPT, "%" PRIu32 " sections where this filter has %" PRIu32,
                          tamis_load32(page + TAMIS_AT_SECTION_COUNT), layout.count);
    for (uint32_t i = 0; i < layout.count; i++)
        if (!same_section(&layout.sections[i], page + TAMIS_AT_SECTIONS + (size_t)i * TAMIS_SECTION_BYTES))
            return tamis_fail(err, TAMIS_E_CORRUPT,
                              "section %" PRIu32 " is not the one of %" PRIu64 " bytes at %" PRIu64
                              " that the filter's numbers ask for",
                              i, layout.sections[i].length, layout.sections[i].offset);
    if (layout.payload_bytes != seal->payload_bytes)
        return tamis_fail(err, TAMIS_E_CORRUPT,
                          "payload of %" PRIu64 " bytes where the sections come to %" PRIu64,
                          seal->payload_bytes, layout.payload_bytes);
    return TAMIS_OK;
}

static tamis_status check_bits_set(const unsigned char *page, const tamis_filter *filter,
                                   const tamis_seal *seal, tamis_error *err)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < filter->layer_count; i++) {
        uint64_t bits = tamis_geometry_lines(&filter->layers[i].geometry) * TAMIS_LINE_BITS;
        if (seal->bits_set[i] > bits)
            return tamis_fail(err, TAMIS_E_CORRUPT,
                              "layer %" PRIu32 " with %" PRIu64 " of %" PRIu64 " bits set", i,
                              seal->bits_set[i], bits);
        total += seal->bits_set[i];
    }
    if (total != tamis_load64(page + TAMIS_AT_BITS_SET))
        return tamis_fail(err, TAMIS_E_CORRUPT, "%" PRIu64 " bits set where the layers come to %" PRIu64,
                          tamis_load64(page + TAMIS_AT_BITS_SET), total);
    return TAMIS_OK;
}

static tamis_status fill_shell(const unsigned char *page, tamis_filter *filter, tamis_seal *seal,
                               tamis_error *err)
{
    filter->offered = tamis_load64(page + TAMIS_AT_OFFERED);
    filter->now_ms = tamis_load64(page + TAMIS_AT_NOW_MS);
    tamis_status status = decode_sections(page, filter, seal, err);
    if (status == TAMIS_OK)
        status = tamis_filter_validate(filter, err);
    if (status == TAMIS_OK)
        status = check_sections(page, filter, seal, err);
    if (status == TAMIS_OK && !seal->dirty)
        status = check_bits_set(page, filter, seal, err);
    if (status == TAMIS_OK)
        tamis_filter_settle(filter);
    return status;
}

/* Only filters of one fixed size can be mapped for writing. */
static tamis_status check_dirty(const unsigned char *page, bool dirty, tamis_error *err)
{
    unsigned kind = tamis_load16(page + TAMIS_AT_KIND);
    if (dirty && kind != TAMIS_BLOOM && kind != TAMIS_COUNTING)
        return tamis_fail(err, TAMIS_E_CORRUPT,
                          "a dirty mark on a filter of kind %u, which is never written in place", kind);
    return TAMIS_OK;
}

static tamis_status check_page(const unsigned char *page, tamis_seal *seal, tamis_error *err)
{
    tamis_status status = check_identity(page, err);
    if (status == TAMIS_OK)
        status = check_features(page, err);
    if (status != TAMIS_OK)
        return status;
    seal->dirty = is_dirty(page);
    seal->unknown_compatible = tamis_load32(page + TAMIS_AT_COMPATIBLE) != 0;
    seal->payload_bytes = tamis_load64(page + TAMIS_AT_PAYLOAD_LENGTH);
    seal->payload_checksum = tamis_load64(page + TAMIS_AT_PAYLOAD_CHECKSUM);
    uint32_t sections = tamis_load32(page + TAMIS_AT_SECTION_COUNT);
    if (sections == 0 || sections > TAMIS_MAX_SECTIONS)
        return tamis_fail(err, TAMIS_E_CORRUPT, "%" PRIu32 " sections; a file has 1 to %d", sections,
                          TAMIS_MAX_SECTIONS);
    status = check_section_types(page, sections, err);
    if (status == TAMIS_OK)
        status = check_dirty(page, seal->dirty, err);
    return status == TAMIS_OK ? check_unused(page, sections, seal->unknown_compatible, err) : status;
}

tamis_status tamis_header_decode(const unsigned char *page, const tamis_allocator *allocator,
                                 tamis_filter **out, tamis_seal *seal, tamis_error *err)
{
    memset(seal, 0, sizeof *seal);
    tamis_status status = check_page(page, seal, err);
    if (status != TAMIS_OK)
        return status;
    tamis_params params;
    decode_params(page, allocator, &params);
    tamis_filter *filter = tamis_filter_new_shell(&params, allocator);
    if (filter == NULL)
        return tamis_fail(err, TAMIS_E_NOMEM, "no memory for a filter");
    status = fill_shell(page, filter, seal, err);
    if (status != TAMIS_OK) {
        tamis_filter_free(filter);
        return status;
    }
    *out = filter;
    return TAMIS_OK;
}
