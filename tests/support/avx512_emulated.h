/* The AVX-512 kernel over intrinsics written in plain C, for machines that cannot run
 * it: what each intrinsic does is as Intel's manual defines it, so that the kernel's
 * own logic is tested everywhere. Include once, before anything that needs the real
 * <immintrin.h>; defines `emulated_avx512`. */
#ifndef TAMIS_TESTS_AVX512_EMULATED_H
#define TAMIS_TESTS_AVX512_EMULATED_H

/* The compilers' headers take these for "already included". */
#define _IMMINTRIN_H_INCLUDED
#define __IMMINTRIN_H

#include <stdint.h>
#include <string.h>

typedef struct emulated_512 {
    uint64_t lane[8];
} emulated_512;

#define __m512i emulated_512
#define EACH_LANE(expression)                 \
    emulated_512 out;                         \
    for (unsigned i = 0; i < 8; i++)          \
        out.lane[i] = (uint64_t)(expression); \
    return out

static inline emulated_512 _mm512_set1_epi64(long long a)
{
    EACH_LANE(a);
}

static inline emulated_512 _mm512_setr_epi64(long long a, long long b, long long c, long long d, long long e,
                                             long long f, long long g, long long h)
{
    const long long all[8] = {a, b, c, d, e, f, g, h};
    EACH_LANE(all[i]);
}

static inline emulated_512 _mm512_srlv_epi64(emulated_512 a, emulated_512 count)
{
    EACH_LANE(count.lane[i] < 64 ? a.lane[i] >> count.lane[i] : 0);
}

static inline emulated_512 _mm512_sllv_epi64(emulated_512 a, emulated_512 count)
{
    EACH_LANE(count.lane[i] < 64 ? a.lane[i] << count.lane[i] : 0);
}

static inline emulated_512 _mm512_and_si512(emulated_512 a, emulated_512 b)
{
    EACH_LANE(a.lane[i] & b.lane[i]);
}

static inline emulated_512 _mm512_or_si512(emulated_512 a, emulated_512 b)
{
    EACH_LANE(a.lane[i] | b.lane[i]);
}

static inline emulated_512 _mm512_andnot_si512(emulated_512 a, emulated_512 b)
{
    EACH_LANE(~a.lane[i] & b.lane[i]);
}

static inline emulated_512 _mm512_load_si512(const void *from)
{
    emulated_512 out;
    memcpy(&out, from, sizeof out);
    return out;
}

static inline emulated_512 _mm512_loadu_si512(const void *from)
{
    return _mm512_load_si512(from);
}

static inline void _mm512_store_si512(void *to, emulated_512 a)
{
    memcpy(to, &a, sizeof a);
}

static inline unsigned _mm512_test_epi64_mask(emulated_512 a, emulated_512 b)
{
    unsigned mask = 0;
    for (unsigned i = 0; i < 8; i++)
        mask |= (unsigned)((a.lane[i] & b.lane[i]) != 0) << i;
    return mask;
}

#ifndef TAMIS_HAVE_AVX512
#define TAMIS_HAVE_AVX512 1
#endif
#define KERNEL_TARGET
#define tamis_kernel_avx512 emulated_avx512
extern const struct tamis_kernel emulated_avx512;
#include "filter/kernel_avx512.c"
#undef tamis_kernel_avx512

#endif
