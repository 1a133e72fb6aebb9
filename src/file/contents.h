/* The bytes behind the header: a filter's sections in file order. */
#ifndef TAMIS_FILE_CONTENTS_H
#define TAMIS_FILE_CONTENTS_H

#include "file/format.h"

/* Lines, counters and metadata point into the filter; padding stands for itself. */
typedef struct tamis_piece {
    unsigned char *data;
    size_t len;
} tamis_piece;

typedef struct tamis_pieces {
    size_t count;
    tamis_piece piece[TAMIS_MAX_SECTIONS + 1];
    unsigned char padding[TAMIS_FILE_ALIGN];
} tamis_pieces;

/* All bytes of a filter's payload, in order. The result points into itself: it
 * must not be copied. */
void tamis_pieces_of(const tamis_filter *filter, tamis_pieces *out);

/* XXH3-64 (seed 0) of some bytes, and of all pieces one after the other. */
uint64_t tamis_checksum(const void *data, size_t len);
uint64_t tamis_pieces_checksum(const tamis_pieces *pieces);

/* Counts the bits and makes the checksum of a filter as it is now. */
void tamis_seal_of(const tamis_filter *filter, tamis_seal *out);

/* Compares a filter's bytes with what its header promised. */
tamis_status tamis_contents_check(const tamis_filter *filter, const tamis_seal *seal, tamis_error *err);

/* After a crash no counter can be believed: of those that were on their way some
 * may have reached the disk and some not. Every set bit gets the counter 15, which
 * never counts down, every clear one 0. Other kinds stay as they are. */
void tamis_counters_repair(tamis_filter *filter);

#endif
