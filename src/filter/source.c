#include "filter/source.h"

#include "hash/xxh3.h"

#define SHORT_ITEM 128u /* bytes from which on hashing is worth a call */

/* Items that are not short: out of line, so that the loop stays small. */
static
#if defined(__GNUC__)
    __attribute__((noinline))
#endif
    uint64_t
    hash_long(const void *data, size_t len, uint64_t seed)
{
    return tamis_xxh3(data, len, seed);
}

static inline uint64_t hash_item(const void *data, size_t len, uint64_t seed)
{
    return len <= SHORT_ITEM ? tamis_xxh3(data, len, seed) : hash_long(data, len, seed);
}

static void hash_words(const unsigned char *words, size_t count, uint64_t seed, uint64_t *out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = tamis_xxh3(words + 8 * i, 8, seed);
}

void tamis_source_hash(const tamis_source *from, size_t at, size_t count, uint64_t *out)
{
    if (from->items != NULL) {
        const tamis_item *items = from->items + at;
        for (size_t i = 0; i < count; i++)
            out[i] = hash_item(items[i].data, items[i].len, from->seed);
    } else if (from->width == 8) {
        hash_words(from->fixed + at * 8, count, from->seed, out);
    } else {
        for (size_t i = 0; i < count; i++)
            out[i] = hash_item(from->fixed + (at + i) * from->width, from->width, from->seed);
    }
}
