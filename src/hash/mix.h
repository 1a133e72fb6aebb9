/* Mixing of 64-bit words. */
#ifndef TAMIS_HASH_MIX_H
#define TAMIS_HASH_MIX_H

#include <stdint.h>

#define TAMIS_GOLDEN UINT64_C(0x9E3779B97F4A7C15) /* 2^64 / golden ratio, odd */

/* The 64-bit finalizer of MurmurHash3: a bijection. */
static inline uint64_t tamis_fmix64(uint64_t word)
{
    word ^= word >> 33;
    word *= UINT64_C(0xff51afd7ed558ccd);
    word ^= word >> 33;
    word *= UINT64_C(0xc4ceb9fe1a85ec53);
    word ^= word >> 33;
    return word;
}

#endif
