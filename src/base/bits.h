/* Bits and bytes: little-endian access, 128-bit products, counting. */
#ifndef TAMIS_BASE_BITS_H
#define TAMIS_BASE_BITS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
static inline uint64_t tamis_le64(uint64_t value)
{
    return __builtin_bswap64(value);
}
static inline uint32_t tamis_le32(uint32_t value)
{
    return __builtin_bswap32(value);
}
static inline uint16_t tamis_le16(uint16_t value)
{
    return __builtin_bswap16(value);
}
#else
static inline uint64_t tamis_le64(uint64_t value)
{
    return value;
}
static inline uint32_t tamis_le32(uint32_t value)
{
    return value;
}
static inline uint16_t tamis_le16(uint16_t value)
{
    return value;
}
#endif

/* ThreadSanitizer sees no vector kernels and wants loads beside shared adds to be
 * atomic ones. */
#if defined(__SANITIZE_THREAD__)
#define TAMIS_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TAMIS_THREAD_SANITIZER 1
#endif
#endif

static inline uint64_t tamis_load64(const void *from)
{
    uint64_t value;
    memcpy(&value, from, sizeof value);
    return tamis_le64(value);
}

static inline uint32_t tamis_load32(const void *from)
{
    uint32_t value;
    memcpy(&value, from, sizeof value);
    return tamis_le32(value);
}

static inline uint16_t tamis_load16(const void *from)
{
    uint16_t value;
    memcpy(&value, from, sizeof value);
    return tamis_le16(value);
}

static inline void tamis_store64(void *to, uint64_t value)
{
    value = tamis_le64(value);
    memcpy(to, &value, sizeof value);
}

static inline void tamis_store32(void *to, uint32_t value)
{
    value = tamis_le32(value);
    memcpy(to, &value, sizeof value);
}

static inline void tamis_store16(void *to, uint16_t value)
{
    value = tamis_le16(value);
    memcpy(to, &value, sizeof value);
}

/* The 64-bit image of a double, for files. */
static inline uint64_t tamis_double_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double tamis_bits_double(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* High and low word of the 128-bit product a*b. */
static inline uint64_t tamis_mulhi64(uint64_t a, uint64_t b, uint64_t *low)
{
#if defined(__SIZEOF_INT128__)
    __extension__ typedef unsigned __int128 uint128;
    uint128 product = (uint128)a * b;
    *low = (uint64_t)product;
    return (uint64_t)(product >> 64);
#else
    uint64_t a_low = a & 0xffffffffu, a_high = a >> 32;
    uint64_t b_low = b & 0xffffffffu, b_high = b >> 32;
    uint64_t middle = a_high * b_low + (a_low * b_low >> 32);
    uint64_t other = a_low * b_high + (middle & 0xffffffffu);
    *low = a * b;
    return a_high * b_high + (middle >> 32) + (other >> 32);
#endif
}

/* Bits set in a word, for CPUs without an instruction for it: sums of neighbours. */
static inline uint64_t tamis_popcount64(uint64_t value)
{
    value -= value >> 1 & UINT64_C(0x5555555555555555);
    value = (value & UINT64_C(0x3333333333333333)) + (value >> 2 & UINT64_C(0x3333333333333333));
    value = (value + (value >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return value * UINT64_C(0x0101010101010101) >> 56;
}

/* a*b, or 0 with *overflow set to 1. */
static inline uint64_t tamis_checked_mul(uint64_t a, uint64_t b, int *overflow)
{
    uint64_t product;
    if (__builtin_mul_overflow(a, b, &product)) {
        *overflow = 1;
        return 0;
    }
    return product;
}

#endif
