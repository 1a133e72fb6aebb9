#include "file/format.h"

#include <string.h>

#include "base/bits.h"
#include "file/contents.h"

static bool append_section(tamis_layout *layout, uint32_t type, uint32_t index, uint64_t unit, uint64_t count)
{
    uint64_t length, padded;
    if (__builtin_mul_overflow(unit, count, &length) ||
        __builtin_add_overflow(length, TAMIS_FILE_ALIGN - 1u, &padded))
        return false;
    padded &= ~(uint64_t)(TAMIS_FILE_ALIGN - 1u);
    tamis_section *section = &layout->sections[layout->count++];
    section->type = type;
    section->index = index;
    section->offset = TAMIS_FILE_HEADER_BYTES + layout->payload_bytes;
    section->length = length;
    return !__builtin_add_overflow(layout->payload_bytes, padded, &layout->payload_bytes) &&
           layout->payload_bytes <= (uint64_t)INT64_MAX - TAMIS_FILE_HEADER_BYTES;
}

bool tamis_layout_of(const tamis_filter *filter, size_t metadata_len, tamis_layout *out)
{
    memset(out, 0, sizeof *out);
    for (uint32_t i = 0; i < filter->layer_count; i++)
        if (!append_section(out, TAMIS_SECTION_LINES, i, TAMIS_LINE_BYTES,
                            tamis_geometry_lines(&filter->layers[i].geometry)))
            return false;
    if (filter->params.kind == TAMIS_COUNTING &&
        !append_section(out, TAMIS_SECTION_COUNTERS, 0, TAMIS_COUNTER_BYTES_PER_LINE,
                        tamis_geometry_lines(&filter->layers[0].geometry)))
        return false;
    return metadata_len == 0 || append_section(out, TAMIS_SECTION_METADATA, 0, 1, metadata_len);
}

static void encode_layer(const tamis_layer *layer, uint64_t bits_set, unsigned char *entry)
{
    tamis_store64(entry + TAMIS_SECTION_AT_REGIONS, layer->geometry.regions);
    tamis_store32(entry + TAMIS_SECTION_AT_REGION_LINES, layer->geometry.region_lines);
    tamis_store32(entry + TAMIS_SECTION_AT_G, layer->geometry.g);
    tamis_store32(entry + TAMIS_SECTION_AT_K, layer->geometry.k);
    tamis_store64(entry + TAMIS_SECTION_AT_CAPACITY, layer->capacity);
    tamis_store64(entry + TAMIS_SECTION_AT_ERROR_RATE, tamis_double_bits(layer->error_rate));
    tamis_store64(entry + TAMIS_SECTION_AT_ITEMS_NEW, layer->items_new);
    tamis_store64(entry + TAMIS_SECTION_AT_BITS_SET, bits_set);
}

static void encode_sections(const tamis_filter *filter, const tamis_seal *seal, unsigned char *page)
{
    tamis_layout layout;
    (void)tamis_layout_of(filter, filter->metadata_len, &layout); /* a filter in memory has sizes that fit */
    tamis_store64(page + TAMIS_AT_PAYLOAD_LENGTH, layout.payload_bytes);
    tamis_store32(page + TAMIS_AT_SECTION_COUNT, layout.count);
    for (uint32_t i = 0; i < layout.count; i++) {
        const tamis_section *section = &layout.sections[i];
        unsigned char *entry = page + TAMIS_AT_SECTIONS + (size_t)i * TAMIS_SECTION_BYTES;
        tamis_store32(entry + TAMIS_SECTION_AT_TYPE, section->type);
        tamis_store32(entry + TAMIS_SECTION_AT_INDEX, section->index);
        tamis_store64(entry + TAMIS_SECTION_AT_OFFSET, section->offset);
        tamis_store64(entry + TAMIS_SECTION_AT_LENGTH, section->length);
        if (section->type == TAMIS_SECTION_LINES)
            encode_layer(&filter->layers[section->index], seal->bits_set[section->index], entry);
    }
}

static void encode_params(const tamis_params *params, bool dirty, unsigned char *page)
{
    tamis_store16(page + TAMIS_AT_KIND, (uint16_t)params->kind);
    tamis_store32(page + TAMIS_AT_FLAGS, params->flags | (dirty ? TAMIS_FILE_DIRTY : 0u));
    tamis_store32(page + TAMIS_AT_NORMALISATION, params->normalisation);
    tamis_store64(page + TAMIS_AT_KEY, params->seed);
    tamis_store64(page + TAMIS_AT_CAPACITY, params->capacity);
    tamis_store64(page + TAMIS_AT_ERROR_RATE, tamis_double_bits(params->error_rate));
    tamis_store32(page + TAMIS_AT_REGION_LINES, params->region_lines);
    tamis_store32(page + TAMIS_AT_TIGHTENING, params->tightening);
    tamis_store64(page + TAMIS_AT_WINDOW_MS, params->window_ms);
}

uint64_t tamis_header_checksum(const unsigned char *page)
{
    unsigned char copy[TAMIS_AT_HEADER_CHECKSUM];
    memcpy(copy, page, sizeof copy);
    copy[TAMIS_AT_DIRTY] &= (unsigned char)~TAMIS_FILE_DIRTY_BIT;
    return tamis_checksum(copy, sizeof copy);
}

uint64_t tamis_header_fixed_checksum(const unsigned char *page)
{
    unsigned char copy[TAMIS_AT_FIXED_CHECKSUM];
    memcpy(copy, page, sizeof copy);
    copy[TAMIS_AT_DIRTY] &= (unsigned char)~TAMIS_FILE_DIRTY_BIT;
    memset(copy + TAMIS_AT_OFFERED, 0, 8);
    memset(copy + TAMIS_AT_BITS_SET, 0, 8);
    memset(copy + TAMIS_AT_PAYLOAD_CHECKSUM, 0, 8);
    for (size_t i = 0; i < TAMIS_MAX_SECTIONS; i++)
        memset(copy + TAMIS_AT_SECTIONS + i * TAMIS_SECTION_BYTES + TAMIS_SECTION_AT_BITS_SET, 0, 8);
    return tamis_checksum(copy, sizeof copy);
}

void tamis_header_seal(unsigned char *page)
{
    tamis_store64(page + TAMIS_AT_FIXED_CHECKSUM, tamis_header_fixed_checksum(page));
    tamis_store64(page + TAMIS_AT_HEADER_CHECKSUM, tamis_header_checksum(page));
}

void tamis_header_encode(const tamis_filter *filter, const tamis_seal *seal, unsigned char *page)
{
    memset(page, 0, TAMIS_FILE_HEADER_BYTES);
    memcpy(page, TAMIS_FILE_MAGIC, TAMIS_FILE_MAGIC_BYTES);
    tamis_store16(page + TAMIS_AT_VERSION, TAMIS_FILE_VERSION);
    tamis_store16(page + TAMIS_AT_HASH, TAMIS_FILE_HASH_XXH3);
    encode_params(&filter->params, seal->dirty, page);
    uint64_t bits_set = 0;
    for (uint32_t i = 0; i < filter->layer_count; i++)
        bits_set += seal->bits_set[i];
    tamis_store64(page + TAMIS_AT_OFFERED, filter->offered);
    tamis_store64(page + TAMIS_AT_BITS_SET, bits_set);
    tamis_store64(page + TAMIS_AT_NOW_MS, filter->now_ms);
    tamis_store64(page + TAMIS_AT_PAYLOAD_CHECKSUM, seal->payload_checksum);
    encode_sections(filter, seal, page);
    tamis_header_seal(page);
}
