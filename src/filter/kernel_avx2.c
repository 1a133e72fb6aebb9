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

#define KERNEL_FINDS 1

typedef struct halves {
    __m256i low;
    __m256i high;
} halves;

/* The bit numbers of w, one a lane. */
AVX2 halves line_places(uint64_t w)
{
    const __m256i low_six = _mm256_set1_epi64x(63), word = _mm256_set1_epi64x((long long)w);
    __m256i low = _mm256_srlv_epi64(word, _mm256_setr_epi64x(0, 6, 12, 18));
    __m256i high = _mm256_srlv_epi64(word, _mm256_setr_epi64x(24, 30, 36, 42));
    return (halves){_mm256_and_si256(low, low_six), _mm256_and_si256(high, low_six)};
}

AVX2 halves load_halves(const void *from)
{
    const __m256i *at = from;
    return (halves){_mm256_loadu_si256(at), _mm256_loadu_si256(at + 1)};
}

/* --- asking: bit 0 of all four lanes says that the item's bits were found -------- */

typedef __m256i found_bits;

AVX2 found_bits line_find(const unsigned char *line, uint64_t w, unsigned k)
{
    halves places = line_places(w), lanes = load_halves(line);
    lanes.low = _mm256_srlv_epi64(lanes.low, places.low);
    lanes.high = _mm256_srlv_epi64(lanes.high, places.high);
    if (k < TAMIS_LANES) {
        halves others = load_halves(lanes_outside(w, k));
        lanes.low = _mm256_or_si256(lanes.low, others.low);
        lanes.high = _mm256_or_si256(lanes.high, others.high);
    }
    return _mm256_and_si256(lanes.low, lanes.high);
}

AVX2 found_bits found_both(found_bits a, found_bits b)
{
    return _mm256_and_si256(a, b);
}

/* Bit 0 of each lane. */
AVX2 unsigned bits_zero(found_bits f)
{
    return (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_slli_epi64(f, 63)));
}

AVX2 bool found_all(found_bits f)
{
    return bits_zero(f) == 15;
}

/* Two items: lanes 0 and 2 are the first one's, lanes 1 and 3 the second one's. */
AVX2 found_bits found_pair(found_bits a, found_bits b)
{
    return _mm256_and_si256(_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
}

AVX2 unsigned found_four(found_bits a, found_bits b, found_bits c, found_bits d)
{
    found_bits first = found_pair(a, b), second = found_pair(c, d);
    return bits_zero(_mm256_and_si256(_mm256_permute2x128_si256(first, second, 0x20),
                                      _mm256_permute2x128_si256(first, second, 0x31)));
}

/* --- adding ---------------------------------------------------------------------- */

/* The bits of w, one a lane, in the k lanes that take part. */
AVX2 halves line_mask(uint64_t w, unsigned k)
{
    const __m256i one = _mm256_set1_epi64x(1);
    halves places = line_places(w);
    halves mask = {_mm256_sllv_epi64(one, places.low), _mm256_sllv_epi64(one, places.high)};
    if (k == TAMIS_LANES)
        return mask;
    halves window = load_halves(lane_window(w, k));
    mask.low = _mm256_and_si256(mask.low, window.low);
    mask.high = _mm256_and_si256(mask.high, window.high);
    return mask;
}

AVX2 bool line_add(unsigned char *line, uint64_t w, unsigned k)
{
    halves mask = line_mask(w, k), old = load_halves(line);
    __m256i *lanes = (__m256i *)(void *)line;
    __m256i missing =
        _mm256_or_si256(_mm256_andnot_si256(old.low, mask.low), _mm256_andnot_si256(old.high, mask.high));
    _mm256_store_si256(lanes, _mm256_or_si256(old.low, mask.low));
    _mm256_store_si256(lanes + 1, _mm256_or_si256(old.high, mask.high));
    return _mm256_testz_si256(missing, missing) == 0;
}

#include "filter/kernel_template.h"

#else
typedef int tamis_no_avx2;
#endif
