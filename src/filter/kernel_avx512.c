/* The AVX-512 kernel: a line is one vector. */
#include "filter/kernel.h"

#ifdef TAMIS_HAVE_AVX512

#ifndef KERNEL_TARGET /* a test that emulates the instructions defines both */
#include <immintrin.h>
#endif

#include "filter/lane_windows.h"
#include "filter/line.h"

#define KERNEL_NAME "avx512"
#define KERNEL_OBJECT tamis_kernel_avx512
#define POPCOUNT(word) ((uint64_t)__builtin_popcountll(word))
#ifndef KERNEL_TARGET
#define KERNEL_TARGET __attribute__((target("avx512f,popcnt")))
#endif
#define AVX512 KERNEL_TARGET static inline __attribute__((always_inline))

/* The bits of w, one a lane, in the k lanes that take part. */
AVX512 __m512i line_mask(uint64_t w, unsigned k)
{
    const __m512i shifts = _mm512_setr_epi64(0, 6, 12, 18, 24, 30, 36, 42);
    __m512i places = _mm512_srlv_epi64(_mm512_set1_epi64((long long)w), shifts);
    places = _mm512_and_si512(places, _mm512_set1_epi64(63));
    __m512i mask = _mm512_sllv_epi64(_mm512_set1_epi64(1), places);
    return k == TAMIS_LANES ? mask : _mm512_and_si512(mask, _mm512_loadu_si512(lane_window(w, k)));
}

AVX512 bool line_has(const unsigned char *line, uint64_t w, unsigned k)
{
    __m512i mask = line_mask(w, k);
    __m512i missing = _mm512_andnot_si512(_mm512_load_si512(line), mask);
    return _mm512_test_epi64_mask(missing, missing) == 0;
}

AVX512 bool line_add(unsigned char *line, uint64_t w, unsigned k)
{
    __m512i mask = line_mask(w, k), old = _mm512_load_si512(line);
    __m512i missing = _mm512_andnot_si512(old, mask);
    _mm512_store_si512(line, _mm512_or_si512(old, mask));
    return _mm512_test_epi64_mask(missing, missing) != 0;
}

#include "filter/kernel_template.h"

#else
typedef int tamis_no_avx512;
#endif
