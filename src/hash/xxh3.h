/* XXH3-64 by the installed header, inlined, so that no library is needed to link. */
#ifndef TAMIS_HASH_XXH3_H
#define TAMIS_HASH_XXH3_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wcast-qual"
#pragma GCC diagnostic ignored "-Wundef"
#pragma GCC diagnostic ignored "-Wshadow"
#endif
#define XXH_INLINE_ALL
#include <xxhash.h>
#if XXH_VERSION_NUMBER < 800
#error "xxhash.h 0.8.0 or later is needed: XXH3 gave other hashes before"
#endif
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

/* XXH3_64bits_withSeed; `data` may be NULL when len is 0. */
static inline uint64_t tamis_xxh3(const void *data, size_t len, uint64_t seed)
{
    return XXH3_64bits_withSeed(len == 0 ? "" : data, len, seed);
}

#endif
