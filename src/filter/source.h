/* Where the items of a batch come from: by reference, of one width, or as hashes. */
#ifndef TAMIS_FILTER_SOURCE_H
#define TAMIS_FILTER_SOURCE_H

#include <tamis/filter.h>

typedef struct tamis_source {
    const tamis_item *items;    /* by reference, or NULL */
    const unsigned char *fixed; /* `width` bytes each, or NULL */
    size_t width;
    const uint64_t *hashes; /* ready, or NULL */
    uint64_t seed;
} tamis_source;

/* The same source without its first `count` items. */
static inline tamis_source tamis_source_from(const tamis_source *from, size_t count)
{
    tamis_source rest = *from;
    if (from->items != NULL)
        rest.items += count;
    if (from->fixed != NULL)
        rest.fixed += count * from->width;
    if (from->hashes != NULL)
        rest.hashes += count;
    return rest;
}

/* Hashes of the items at..at+count of a source that has no ready ones. */
void tamis_source_hash(const tamis_source *from, size_t at, size_t count, uint64_t *out);

/* The same; ready hashes are used where they are, the others made in `room`. */
static inline const uint64_t *tamis_source_hashes(const tamis_source *from, size_t at, size_t count,
                                                  uint64_t *room)
{
    if (from->hashes != NULL)
        return from->hashes + at;
    tamis_source_hash(from, at, count, room);
    return room;
}

#endif
