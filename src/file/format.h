/* The bytes of a filter file; docs/format.md is the specification.
 *
 *      0 +--------+--+--+--+--+----+----+----+----+
 *        | magic  |v |ki|di|ha|inc |com |flag|norm|   v version, ki kind, di dialect, ha hash
 *     32 +--------+--------+--------+--------+----+   inc, com incompatible and compatible features
 *        | key: seed, 8 zero bytes  | capacity    |
 *     56 +--------+--------+--------+----+----+---+
 *        | rate p | offered| bits   | L  | t  |       L region lines asked, t tightening
 *     88 +--------+--------+--------+----+----+---+
 *        | window | now    | payload length      |
 *    112 +--------+----+----+-------------------+
 *        | payload checksum | sections | 4 zero   |
 *    128 +------------------+----------+----------+
 *        | section table: 96 bytes a section      |
 *        | zero                                   |
 *   4080 +----------------------------------------+
 *        | fixed checksum  | header checksum      |
 *   4096 +----------------------------------------+
 *        | payload: the sections, in table order, |
 *        | each padded with zeros to 64 bytes     |
 *        +----------------------------------------+
 *
 * A section of the table:
 *      0  u32 type, u32 index        32  u32 L, g, k, zero     64  u64 items new
 *      8  u64 offset in the file     48  u64 capacity          72  u64 bits set
 *     16  u64 length                 56  f64 error rate        80  16 zero bytes
 *     24  u64 R
 */
#ifndef TAMIS_FILE_FORMAT_H
#define TAMIS_FILE_FORMAT_H

#include <tamis/file.h>

#include "filter/internal.h"

#define TAMIS_FILE_HEADER_BYTES 4096u
#define TAMIS_FILE_MAGIC "\x89TMS\r\n\x1a\n"
#define TAMIS_FILE_MAGIC_BYTES 8u
#define TAMIS_FILE_VERSION 1u
#define TAMIS_FILE_HASH_XXH3 1u
#define TAMIS_FILE_ALIGN 64u

/* The flags of tamis_params keep their values in the file. */
#define TAMIS_FILE_PARAM_FLAGS (TAMIS_COMPACT | TAMIS_REFRESH | TAMIS_SECRET_SEED)
#define TAMIS_FILE_DIRTY 0x80000000u
#define TAMIS_FILE_DIRTY_BIT 0x80u /* of the byte TAMIS_AT_DIRTY */

/* Where things stand in the header ... */
enum {
    TAMIS_AT_VERSION = 8,
    TAMIS_AT_KIND = 10,
    TAMIS_AT_DIALECT = 12,
    TAMIS_AT_HASH = 14,
    TAMIS_AT_INCOMPATIBLE = 16,
    TAMIS_AT_COMPATIBLE = 20,
    TAMIS_AT_FLAGS = 24,
    TAMIS_AT_DIRTY = 27,
    TAMIS_AT_NORMALISATION = 28,
    TAMIS_AT_KEY = 32,
    TAMIS_AT_CAPACITY = 48,
    TAMIS_AT_ERROR_RATE = 56,
    TAMIS_AT_OFFERED = 64,
    TAMIS_AT_BITS_SET = 72,
    TAMIS_AT_REGION_LINES = 80,
    TAMIS_AT_TIGHTENING = 84,
    TAMIS_AT_WINDOW_MS = 88,
    TAMIS_AT_NOW_MS = 96,
    TAMIS_AT_PAYLOAD_LENGTH = 104,
    TAMIS_AT_PAYLOAD_CHECKSUM = 112,
    TAMIS_AT_SECTION_COUNT = 120,
    TAMIS_AT_SECTIONS = 128,
    TAMIS_AT_FIXED_CHECKSUM = 4080,
    TAMIS_AT_HEADER_CHECKSUM = 4088
};

/* ... and in an entry of its section table. */
enum {
    TAMIS_SECTION_AT_TYPE = 0,
    TAMIS_SECTION_AT_INDEX = 4,
    TAMIS_SECTION_AT_OFFSET = 8,
    TAMIS_SECTION_AT_LENGTH = 16,
    TAMIS_SECTION_AT_REGIONS = 24,
    TAMIS_SECTION_AT_REGION_LINES = 32,
    TAMIS_SECTION_AT_G = 36,
    TAMIS_SECTION_AT_K = 40,
    TAMIS_SECTION_AT_CAPACITY = 48,
    TAMIS_SECTION_AT_ERROR_RATE = 56,
    TAMIS_SECTION_AT_ITEMS_NEW = 64,
    TAMIS_SECTION_AT_BITS_SET = 72,
    TAMIS_SECTION_BYTES = 96
};

enum { TAMIS_SECTION_LINES = 1, TAMIS_SECTION_COUNTERS = 2, TAMIS_SECTION_METADATA = 4 };

#define TAMIS_MAX_SECTIONS (TAMIS_MAX_LAYERS + 2)

typedef struct tamis_section {
    uint32_t type;
    uint32_t index;
    uint64_t offset; /* in the file */
    uint64_t length; /* without padding */
} tamis_section;

/* Where a filter's sections lie: it follows from geometry and metadata alone. */
typedef struct tamis_layout {
    uint32_t count;
    tamis_section sections[TAMIS_MAX_SECTIONS];
    uint64_t payload_bytes; /* with padding */
} tamis_layout;

/* What the header says of the file beyond the filter itself. */
typedef struct tamis_seal {
    bool dirty;              /* a writable mapping was not closed */
    bool unknown_compatible; /* it has features to ignore */
    size_t metadata_len;
    uint64_t bits_set[TAMIS_MAX_LAYERS];
    uint64_t payload_bytes;
    uint64_t payload_checksum;
} tamis_seal;

/* False when the sizes do not fit in 63 bits. */
bool tamis_layout_of(const tamis_filter *filter, size_t metadata_len, tamis_layout *out);

/* Writes the header page, its checksums included. */
void tamis_header_encode(const tamis_filter *filter, const tamis_seal *seal, unsigned char *page);

/* The two checksums of a header page. That of the header covers everything but
 * the dirty mark; the fixed one only what no writer in place changes, so that it
 * holds whatever part of the page reached the disk. */
uint64_t tamis_header_checksum(const unsigned char *page);
uint64_t tamis_header_fixed_checksum(const unsigned char *page);

/* Makes both checksums right. */
void tamis_header_seal(unsigned char *page);

/* Checks a header page as far as it goes without the payload and makes the filter
 * it describes, without memory for the payload and the metadata. */
tamis_status tamis_header_decode(const unsigned char *page, const tamis_allocator *allocator,
                                 tamis_filter **out, tamis_seal *seal, tamis_error *err);

#endif
