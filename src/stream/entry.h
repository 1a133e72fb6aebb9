/* One key on a tape, with the record it came from where that is wanted. */
#ifndef TAMIS_STREAM_ENTRY_H
#define TAMIS_STREAM_ENTRY_H

#include <tamis/filter.h>

#include "stream/tape.h"

typedef struct tamis_entry {
    tamis_item key;
    tamis_item record; /* data NULL: not kept */
    uint64_t gap;      /* any number; how far behind the entry before it the record stood */
} tamis_entry;

#define TAMIS_ENTRY_HEAD 22u /* most bytes before a key that is kept alone */

/* Writes the bytes that stand before a key of `len` bytes kept alone; returns how many. */
size_t tamis_entry_key_head(unsigned char out[TAMIS_ENTRY_HEAD], uint64_t gap, size_t len);

/* Whether a key is a part of its record's bytes. */
bool tamis_lies_inside(const tamis_item *key, const tamis_item *record);

/* Appends; `record` NULL keeps the key alone. A key that lies inside its record is
 * kept as a part of it. */
tamis_status tamis_entry_append(tamis_tape *tape, const tamis_item *key, const tamis_item *record,
                                uint64_t gap, tamis_error *err);

/* Reads the next one; it points into the tape, valid until the cursor is used again. */
tamis_status tamis_entry_read(tamis_cursor *cursor, tamis_entry *out, tamis_error *err);

#endif
