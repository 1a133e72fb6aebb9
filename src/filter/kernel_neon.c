/* The NEON kernel: a line is four vectors. */
#include "filter/kernel.h"

#ifdef TAMIS_HAVE_NEON

#include <arm_neon.h>

#include "filter/lane_windows.h"
#include "filter/line.h"

#define KERNEL_NAME "neon"
#define KERNEL_OBJECT tamis_kernel_neon
#define KERNEL_TARGET
#define POPCOUNT(word) ((uint64_t)__builtin_popcountll(word))
#define NEON static inline __attribute__((always_inline))

/* The bits of w in lanes 2i and 2i+1. Shifts by negative numbers go right. */
NEON uint64x2_t pair_mask(uint64_t w, const uint64_t *window, int64_t i)
{
    const int64x2_t shifts =
        vcombine_s64(vcreate_s64((uint64_t)(-12 * i)), vcreate_s64((uint64_t)(-12 * i - 6)));
    uint64x2_t places = vandq_u64(vshlq_u64(vdupq_n_u64(w), shifts), vdupq_n_u64(63));
    uint64x2_t mask = vshlq_u64(vdupq_n_u64(1), vreinterpretq_s64_u64(places));
    return window == NULL ? mask : vandq_u64(mask, vld1q_u64(window + 2 * i));
}

NEON bool any_bit(uint64x2_t lanes)
{
    return vmaxvq_u32(vreinterpretq_u32_u64(lanes)) != 0;
}

NEON bool line_has(const unsigned char *line, uint64_t w, unsigned k)
{
    const uint64_t *lanes = (const uint64_t *)(const void *)line;
    const uint64_t *window = k == TAMIS_LANES ? NULL : lane_window(w, k);
    uint64x2_t missing = vdupq_n_u64(0);
    for (int64_t i = 0; i < 4; i++)
        missing = vorrq_u64(missing, vbicq_u64(pair_mask(w, window, i), vld1q_u64(lanes + 2 * i)));
    return !any_bit(missing);
}

NEON bool line_add(unsigned char *line, uint64_t w, unsigned k)
{
    uint64_t *lanes = (uint64_t *)(void *)line;
    const uint64_t *window = k == TAMIS_LANES ? NULL : lane_window(w, k);
    uint64x2_t missing = vdupq_n_u64(0);
    for (int64_t i = 0; i < 4; i++) {
        uint64x2_t mask = pair_mask(w, window, i), old = vld1q_u64(lanes + 2 * i);
        missing = vorrq_u64(missing, vbicq_u64(mask, old));
        vst1q_u64(lanes + 2 * i, vorrq_u64(old, mask));
    }
    return any_bit(missing);
}

#include "filter/kernel_template.h"

#else
typedef int tamis_no_neon;
#endif
