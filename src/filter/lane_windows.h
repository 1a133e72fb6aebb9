/* Masks of k neighbouring lanes from lane r on: eight words from lane_windows[k-1] + 8 - r. */
#ifndef TAMIS_FILTER_LANE_WINDOWS_H
#define TAMIS_FILTER_LANE_WINDOWS_H

#include <stdint.h>

#define ON UINT64_MAX
#define WINDOW(a, b, c, d, e, f, g, h)                 \
    {                                                  \
        a, b, c, d, e, f, g, h, a, b, c, d, e, f, g, h \
    }

/* Twice the lanes 0..k-1 of eight, one after the other. */
static const uint64_t lane_windows[8][16] = {
    WINDOW(ON, 0, 0, 0, 0, 0, 0, 0),       WINDOW(ON, ON, 0, 0, 0, 0, 0, 0),
    WINDOW(ON, ON, ON, 0, 0, 0, 0, 0),     WINDOW(ON, ON, ON, ON, 0, 0, 0, 0),
    WINDOW(ON, ON, ON, ON, ON, 0, 0, 0),   WINDOW(ON, ON, ON, ON, ON, ON, 0, 0),
    WINDOW(ON, ON, ON, ON, ON, ON, ON, 0), WINDOW(ON, ON, ON, ON, ON, ON, ON, ON),
};

#undef ON
#undef WINDOW

static inline const uint64_t *lane_window(uint64_t w, unsigned k)
{
    return lane_windows[k - 1] + 8 - (w >> 61);
}

/* The mask of the other lanes; k < 8. */
static inline const uint64_t *lanes_outside(uint64_t w, unsigned k)
{
    return lane_windows[7 - k] + 8 - ((w >> 61) + k) % 8;
}

#endif
