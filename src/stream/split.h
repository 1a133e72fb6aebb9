/* Finding the ends of records in a block of bytes. */
#ifndef TAMIS_STREAM_SPLIT_H
#define TAMIS_STREAM_SPLIT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <tamis/filter.h>

#if defined(__SSE2__)
#include <emmintrin.h>

#define TAMIS_SPLIT_STEP 64u

/* Bit i is set where byte i of the 64 bytes at `data` is the delimiter. */
static inline uint64_t tamis_delimiter_mask(const char *data, __m128i wanted)
{
    uint64_t mask = 0;
    for (unsigned part = 0; part < 4; part++) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(data + 16 * part));
        uint64_t bits = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, wanted));
        mask |= bits << (16 * part);
    }
    return mask;
}
#endif

/* Cuts data[0..len) at the delimiter into at most `max` items, of which the last
 * bytes may be no whole one; the first `scanned` bytes are known to hold no
 * delimiter. Returns the number of items; *consumed is the length of all of them,
 * their delimiters included. */
static inline size_t tamis_split(const char *data, size_t len, size_t scanned, unsigned char delimiter,
                                 tamis_item *out, size_t max, size_t *consumed)
{
    size_t count = 0;
    const char *record = data;
    size_t at = scanned;
#if defined(__SSE2__)
    const __m128i wanted = _mm_set1_epi8((char)delimiter);
    while (len - at >= TAMIS_SPLIT_STEP && max - count >= TAMIS_SPLIT_STEP) {
        uint64_t mask = tamis_delimiter_mask(data + at, wanted);
        for (; mask != 0; mask &= mask - 1) {
            const char *end = data + at + (unsigned)__builtin_ctzll(mask);
            out[count++] = (tamis_item){record, (size_t)(end - record)};
            record = end + 1;
        }
        at += TAMIS_SPLIT_STEP;
    }
#endif
    while (count < max && at < len) {
        const char *end = memchr(data + at, delimiter, len - at);
        if (end == NULL)
            break;
        out[count++] = (tamis_item){record, (size_t)(end - record)};
        record = end + 1;
        at = (size_t)(record - data);
    }
    *consumed = (size_t)(record - data);
    return count;
}

#endif
