/* The AVX2 kernel: a line is two vectors. */
#include "filter/kernel.h"

#ifdef TAMIS_HAVE_AVX2

#include <immintrin.h>

#include "filter/lane_windows.h"
#include "filter/line.h"

#define KERNEL_NAME "avx2"
#define KERNEL_OBJECT tamis_kernel_avx2
#define POPCOUNT(word) ((uint64_t)__builtin_popcountll(word))
#define KERNEL_TARGET __attribute__((target("avx2,popcnt")))
#define AVX2 KERNEL_TARGET static inline __attribute__((always_inline))

typedef struct halves {
    __m256i low;
    __m256i high;
} halves;

/* The bits of w, one a lane, in the k lanes that take part. */
AVX2 halves line_mask(uint64_t w, unsigned k)
{
    const __m256i one = _mm256_set1_epi64x(1), low_six = _mm256_set1_epi64x(63);
    const __m256i word = _mm256_set1_epi64x((long long)w);
    __m256i low = _mm256_srlv_epi64(word, _mm256_setr_epi64x(0, 6, 12, 18));
    __m256i high = _mm256_srlv_epi64(word, _mm256_setr_epi64x(24, 30, 36, 42));
    halves mask = {_mm256_sllv_epi64(one, _mm256_and_si256(low, low_six)),
                   _mm256_sllv_epi64(one, _mm256_and_si256(high, low_six))};
    if (k == TAMIS_LANES)
        return mask;
    const __m256i *window = (const __m256i *)(const void *)lane_window(w, k);
    mask.low = _mm256_and_si256(mask.low, _mm256_loadu_si256(window));
    mask.high = _mm256_and_si256(mask.high, _mm256_loadu_si256(window + 1));
    return mask;
}

AVX2 bool line_has(const unsigned char *line, uint64_t w, unsigned k)
{
    halves mask = line_mask(w, k);
    const __m256i *lanes = (const __m256i *)(const void *)line;
    __m256i missing = _mm256_or_si256(_mm256_andnot_si256(_mm256_load_si256(lanes), mask.low),
                                      _mm256_andnot_si256(_mm256_load_si256(lanes + 1), mask.high));
    return _mm256_testz_si256(missing, missing) != 0;
}

AVX2 bool line_add(unsigned char *line, uint64_t w, unsigned k)
{
    halves mask = line_mask(w, k);
    __m256i *lanes = (__m256i *)(void *)line;
    __m256i low = _mm256_load_si256(lanes), high = _mm256_load_si256(lanes + 1);
    __m256i missing =
        _mm256_or_si256(_mm256_andnot_si256(low, mask.low), _mm256_andnot_si256(high, mask.high));
    _mm256_store_si256(lanes, _mm256_or_si256(low, mask.low));
    _mm256_store_si256(lanes + 1, _mm256_or_si256(high, mask.high));
    return _mm256_testz_si256(missing, missing) == 0;
}

#include "filter/kernel_template.h"

#else
typedef int tamis_no_avx2;
#endif
