#include "filter/sizing.h"

#include <math.h>

#include "filter/rate.h"

#define GRID_BITS 12u /* sizes have 13 significant bits: steps of 1/8192 to 1/4096 */
#define MAX_G 8u
#define MAX_K 8u
#define LOOSE 1.10          /* of the classic size: good enough to use no more lines an item */
#define TIGHT 1.05          /* the same where the caller asks for a compact filter */
#define SPEED_PREMIUM 1.03  /* what k = 8, which needs no rotation, may cost in size */
#define GAIN_OF_A_LINE 1.25 /* in rate, that one more line an item must bring */
#define MAX_LINES (UINT64_C(1) << 56)

static const double ln2 = 0.69314718055994530942;

double tamis_classic_bits(double rate)
{
    return -log(rate) / (ln2 * ln2);
}

#define KEPT_BITS 20

static double keep_bits(double rate, double (*rounded)(double))
{
    int exponent;
    double digits = frexp(rate, &exponent);
    return ldexp(rounded(ldexp(digits, KEPT_BITS)), exponent - KEPT_BITS);
}

double tamis_promise_kept(double rate)
{
    return keep_bits(rate, ceil);
}

double tamis_rate_kept(double rate)
{
    return keep_bits(rate, floor);
}

uint64_t tamis_items_kept(uint64_t items)
{
    unsigned drop = 0;
    while (items >> drop >= UINT64_C(1) << KEPT_BITS)
        drop++;
    return items >> drop << drop;
}

/* The grid: 1, 2, ... 8191, then 13 significant bits. */
static uint64_t grid_lines(uint64_t index)
{
    const uint64_t step = UINT64_C(1) << GRID_BITS;
    if (index < 2 * step)
        return index;
    uint64_t exponent = index / step - 1;
    return (step + index % step) << exponent;
}

static uint64_t grid_index(uint64_t lines)
{
    const uint64_t step = UINT64_C(1) << GRID_BITS;
    uint64_t exponent = 0;
    while (lines >> exponent >= 2 * step)
        exponent++;
    return exponent * step + (lines >> exponent);
}

/* R equal regions of at most `most` lines that hold at least `lines`. */
static void split_up(uint64_t lines, uint32_t most, tamis_geometry *out)
{
    out->regions = (lines - 1) / most + 1;
    out->region_lines = (uint32_t)((lines - 1) / out->regions + 1);
}

static bool rate_fits(uint64_t lines, uint64_t items, double rate, uint32_t most, tamis_geometry *shape)
{
    split_up(lines, most, shape);
    return tamis_rate_model_holds(shape) && tamis_rate_model(shape, (double)items) <= rate;
}

/* Fewest lines on the grid that fit for the shape's g and k; UINT64_MAX: none. */
static uint64_t fewest_lines(uint64_t items, double rate, uint32_t most, tamis_geometry *shape)
{
    const uint64_t last = grid_index(MAX_LINES);
    uint64_t low = 1, high = last + 1;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (rate_fits(grid_lines(middle), items, rate, most, shape))
            high = middle;
        else
            low = middle + 1;
    }
    return high > last ? UINT64_MAX : grid_lines(high);
}

/* The best k for a given g; false when no k will do. */
static bool best_for_g(uint32_t g, uint64_t items, double rate, const tamis_sizing_rules *rules,
                       tamis_geometry *out)
{
    tamis_geometry shape = {1, 1, g, MAX_K};
    uint64_t eight = fewest_lines(items, rate, rules->region_lines, &shape);
    uint64_t best = eight;
    uint32_t best_k = MAX_K;
    for (uint32_t k = MAX_K - 1; k >= 1; k--) {
        shape.k = k;
        uint64_t lines = fewest_lines(items, rate, rules->region_lines, &shape);
        if (lines < best) {
            best = lines;
            best_k = k;
        } else if (best != UINT64_MAX && (double)lines > 1.2 * (double)best) {
            break; /* fewer bits only get worse from here */
        }
    }
    if (best == UINT64_MAX)
        return false;
    bool eight_will_do = !rules->compact && (double)eight <= SPEED_PREMIUM * (double)best;
    shape.k = eight_will_do ? MAX_K : best_k;
    split_up(eight_will_do ? eight : best, rules->region_lines, &shape);
    *out = shape;
    return true;
}

/* Lines an item of a size that is good enough not to look at a larger g. */
static double good_lines_per_item(double rate, const tamis_sizing_rules *rules)
{
    return (rules->compact ? TIGHT : LOOSE) * tamis_classic_bits(rate) / TAMIS_LINE_BITS;
}

bool tamis_size_for_rate(uint64_t items, double rate, const tamis_sizing_rules *rules, tamis_geometry *out)
{
    double good_enough = good_lines_per_item(rate, rules) * (double)items;
    uint64_t least = UINT64_MAX;
    for (uint32_t g = 1; g <= MAX_G; g++) {
        tamis_geometry shape;
        if (!best_for_g(g, items, rate, rules, &shape))
            continue;
        uint64_t lines = tamis_geometry_lines(&shape);
        if (lines < least) {
            least = lines;
            *out = shape;
        }
        if ((double)lines <= good_enough)
            break;
    }
    return least != UINT64_MAX;
}

/* R and L of the largest array within `lines` lines. */
static void fill_up(uint64_t lines, uint32_t most, tamis_geometry *out)
{
    out->regions = (lines - 1) / most + 1;
    out->region_lines = (uint32_t)(lines / out->regions);
}

bool tamis_size_for_memory(uint64_t items, uint64_t bytes, const tamis_sizing_rules *rules,
                           tamis_geometry *out)
{
    uint64_t lines = bytes / TAMIS_LINE_BYTES;
    if (lines == 0 || lines > MAX_LINES)
        return false;
    double kept = 2.0;
    for (uint32_t g = 1; g <= MAX_G; g++) {
        for (uint32_t k = MAX_K; k >= 1; k--) {
            tamis_geometry shape = {1, 1, g, k};
            fill_up(lines, rules->region_lines, &shape);
            if (!tamis_rate_model_holds(&shape))
                continue;
            double rate = tamis_rate_model(&shape, (double)items);
            double needed = kept < 1.0 && out->g < g && !rules->compact ? kept / GAIN_OF_A_LINE : kept;
            if (rate < needed) {
                kept = rate;
                *out = shape;
            }
        }
    }
    return true;
}

/* Largest number of items whose rate (with the floor, if asked) is within `rate`. */
static uint64_t most_items(const tamis_geometry *shape, double rate, bool subtract_floor)
{
    uint64_t low = 0, high = TAMIS_MAX_CAPACITY;
    while (low < high) {
        uint64_t middle = low + (high - low + 1) / 2;
        double floor_rate = subtract_floor ? tamis_rate_floor((double)middle) : 0.0;
        bool fits = floor_rate <= rate / 2 && tamis_rate_model(shape, (double)middle) <= rate - floor_rate;
        if (fits)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

uint64_t tamis_capacity_for_memory(double rate, uint64_t bytes, const tamis_sizing_rules *rules,
                                   bool subtract_floor, tamis_geometry *out)
{
    uint64_t lines = bytes / TAMIS_LINE_BYTES;
    if (lines == 0)
        return 0;
    if (lines > MAX_LINES)
        lines = MAX_LINES;
    double good_enough = good_lines_per_item(rate, rules);
    uint64_t most = 0;
    for (uint32_t g = 1; g <= MAX_G; g++) {
        for (uint32_t k = MAX_K; k >= 1; k--) {
            tamis_geometry shape = {1, 1, g, k};
            fill_up(lines, rules->region_lines, &shape);
            uint64_t items = tamis_rate_model_holds(&shape) ? most_items(&shape, rate, subtract_floor) : 0;
            if (items > most) {
                most = items;
                *out = shape;
            }
        }
        if (most > 0 && (double)lines <= good_enough * (double)most)
            break;
    }
    return tamis_items_kept(most);
}
