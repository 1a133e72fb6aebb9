#include "bench/touch.h"

#include <string.h>

enum { LINE = 64 };

#if defined(__GNUC__)
#define INLINE static inline __attribute__((always_inline))
#define PREFETCH(address) __builtin_prefetch(address)
#else
#define INLINE static inline
#define PREFETCH(address) ((void)(address))
#endif

/* The upper half of the hash is enough to choose among fewer than 2^32. */
INLINE uint64_t scale(uint64_t hash, uint64_t range)
{
    return (hash >> 32) * range >> 32;
}

INLINE unsigned char *line_of(touch_place at, uint64_t hash, uint32_t j)
{
    uint64_t line = scale(hash, at.lines);
    if (j > 0) {
        uint32_t turn = 23 * j % 64;
        uint64_t turned = hash << turn | hash >> (64 - turn);
        line = scale(hash, at.regions) * at.region_lines + scale(turned, at.region_lines);
    }
    return at.base + line * (at.span * (uint64_t)LINE);
}

INLINE void fetch(touch_place at, uint64_t hash)
{
    for (uint32_t j = 0; j < at.per_item; j++) {
        unsigned char *line = line_of(at, hash, j);
        for (uint32_t part = 0; part < at.span; part++)
            PREFETCH(line + part * LINE);
    }
}

INLINE uint64_t touch_part(unsigned char *line, bool writing)
{
    uint64_t word;
    memcpy(&word, line, sizeof word);
    if (writing) {
        word |= 1;
        memcpy(line, &word, sizeof word);
    }
    return word;
}

INLINE uint64_t touch_item(touch_place at, uint64_t hash, bool writing)
{
    uint64_t sum = 0;
    for (uint32_t j = 0; j < at.per_item; j++) {
        unsigned char *line = line_of(at, hash, j);
        for (uint32_t part = 0; part < at.span; part++)
            sum += touch_part(line + part * LINE, writing);
    }
    return sum;
}

INLINE uint64_t run_one(touch_place at, const uint64_t *hashes, size_t count, size_t distance, bool writing)
{
    uint64_t sum = 0;
    size_t ahead = distance == 0 || distance > count ? 0 : count - distance;
    for (size_t i = 0; i < distance && i < count; i++)
        fetch(at, hashes[i]);
    for (size_t i = 0; i < ahead; i++) {
        fetch(at, hashes[i + distance]);
        sum += touch_item(at, hashes[i], writing);
    }
    for (size_t i = ahead; i < count; i++)
        sum += touch_item(at, hashes[i], writing);
    return sum;
}

/* The number of lines as a constant where that is usual. */
INLINE uint64_t run_shaped(touch_place at, const uint64_t *hashes, size_t count, size_t distance,
                           bool writing)
{
    if (at.span == 1 && at.per_item <= 3) {
        at.span = 1;
        switch (at.per_item) {
        case 1:
            at.per_item = 1;
            return run_one(at, hashes, count, distance, writing);
        case 2:
            at.per_item = 2;
            return run_one(at, hashes, count, distance, writing);
        default:
            at.per_item = 3;
            return run_one(at, hashes, count, distance, writing);
        }
    }
    return run_one(at, hashes, count, distance, writing);
}

static uint64_t run_many(const touch_place *places, size_t place_count, const uint64_t *hashes, size_t count,
                         size_t distance)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count + distance; i++) {
        for (size_t p = 0; p < place_count && i < count; p++) {
            if (distance > 0)
                fetch(places[p], hashes[i]);
        }
        for (size_t p = 0; p < place_count && i >= distance; p++)
            sum += touch_item(places[p], hashes[i - distance], false);
    }
    return sum;
}

uint64_t touch_run(const touch_place *places, size_t place_count, const uint64_t *hashes, size_t count,
                   size_t distance, bool writing)
{
    if (place_count > 1)
        return run_many(places, place_count, hashes, count, distance);
    if (writing)
        return run_shaped(places[0], hashes, count, distance, true);
    return run_shaped(places[0], hashes, count, distance, false);
}
