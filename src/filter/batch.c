/* Batches: items are hashed in chunks, and the kind takes the hashes. */
#include "filter/kind.h"
#include "hash/xxh3.h"

#define CHUNK 256u /* hashes at a time: 2 KiB */

/* Where the next items come from: by reference, of one width, or as hashes. */
typedef struct source {
    const tamis_item *items;
    const unsigned char *fixed;
    size_t width;
    const uint64_t *hashes;
} source;

/* Hashes of items at..at+count, in `room` unless they are there already. */
static const uint64_t *hash_chunk(const source *from, uint64_t seed, size_t at, size_t count, uint64_t *room)
{
    if (from->hashes != NULL)
        return from->hashes + at;
    if (from->items != NULL) {
        for (size_t i = 0; i < count; i++)
            room[i] = tamis_xxh3(from->items[at + i].data, from->items[at + i].len, seed);
    } else {
        for (size_t i = 0; i < count; i++)
            room[i] = tamis_xxh3(from->fixed + (at + i) * from->width, from->width, seed);
    }
    return room;
}

static uint8_t *answers_at(uint8_t *out, size_t at)
{
    return out == NULL ? NULL : out + at;
}

static tamis_status add_from(tamis_filter *filter, const source *from, size_t count, uint8_t *out_new,
                             size_t *out_total, size_t *out_done)
{
    uint64_t room[CHUNK];
    size_t step = from->hashes != NULL ? SIZE_MAX : CHUNK;
    size_t total = 0, at = 0;
    tamis_status status = filter->read_only ? TAMIS_E_UNSUPPORTED : TAMIS_OK;
    while (status == TAMIS_OK && at < count) {
        size_t take = count - at < step ? count - at : step;
        size_t new_items = 0, done = 0;
        const uint64_t *hashes = hash_chunk(from, filter->params.seed, at, take, room);
        status = filter->ops->add(filter, hashes, take, answers_at(out_new, at), &new_items, &done);
        total += new_items;
        at += done;
    }
    if (out_total != NULL)
        *out_total = total;
    if (out_done != NULL)
        *out_done = at;
    return status;
}

static size_t contains_from(const tamis_filter *filter, const source *from, size_t count, uint8_t *out_found)
{
    uint64_t room[CHUNK];
    size_t step = from->hashes != NULL ? SIZE_MAX : CHUNK;
    size_t found = 0;
    for (size_t at = 0; at < count;) {
        size_t take = count - at < step ? count - at : step;
        const uint64_t *hashes = hash_chunk(from, filter->params.seed, at, take, room);
        found += filter->ops->contains(filter, hashes, take, answers_at(out_found, at));
        at += take;
    }
    return found;
}

tamis_status tamis_filter_add_batch(tamis_filter *filter, const tamis_item *items, size_t count, uint8_t *out_new,
                                    size_t *out_total, size_t *out_done)
{
    return add_from(filter, &(source){.items = items}, count, out_new, out_total, out_done);
}

tamis_status tamis_filter_add_fixed(tamis_filter *filter, const void *items, size_t width, size_t count,
                                    uint8_t *out_new, size_t *out_total, size_t *out_done)
{
    return add_from(filter, &(source){.fixed = items, .width = width}, count, out_new, out_total, out_done);
}

tamis_status tamis_filter_add_hashes(tamis_filter *filter, const uint64_t *hashes, size_t count, uint8_t *out_new,
                                     size_t *out_total, size_t *out_done)
{
    return add_from(filter, &(source){.hashes = hashes}, count, out_new, out_total, out_done);
}

size_t tamis_filter_contains_batch(const tamis_filter *filter, const tamis_item *items, size_t count,
                                   uint8_t *out_found)
{
    return contains_from(filter, &(source){.items = items}, count, out_found);
}

size_t tamis_filter_contains_fixed(const tamis_filter *filter, const void *items, size_t width, size_t count,
                                   uint8_t *out_found)
{
    return contains_from(filter, &(source){.fixed = items, .width = width}, count, out_found);
}

size_t tamis_filter_contains_hashes(const tamis_filter *filter, const uint64_t *hashes, size_t count,
                                    uint8_t *out_found)
{
    return contains_from(filter, &(source){.hashes = hashes}, count, out_found);
}
