#include "filter/rate.h"

#include <math.h>

#include "filter/line_rate_table.h"

#define TABLE_ITEMS 512u
#define EXACT_LINES 4096u    /* below: binomial load of a line; from here on: Poisson */
#define MIN_SHARED_LINES 64u /* of a region, where an item uses more than one line */

#define NEGLIGIBLE_RATE 0.001 /* below: a thousandth of the items at most is lost */
#define MAX_ROUNDS 50u        /* of an iteration that nears by the rate each time */

/* Mean and mean square of a line's rate over the items that may have met there. */
typedef struct moments {
    double mean;
    double square;
} moments;

/* k = 1: the closed form, for loads far beyond the table too. */
static moments one_bit_moments(double slots, double lines)
{
    double bits = TAMIS_LINE_BITS * lines;
    double free_bits = lines < EXACT_LINES ? exp(slots * log(1.0 - 1.0 / bits)) : exp(-slots / bits);
    double mean = 1.0 - free_bits;
    return (moments){mean, mean * mean};
}

/* Sums rate[c] over the distribution of c, the number of the `slots` (g an item)
 * that fall on one of `lines` lines. What lies beyond the table counts as 1. */
static moments line_moments(double slots, double lines, unsigned k)
{
    const double *rate = line_rate_table[k - 1];
    bool exact = lines < EXACT_LINES;
    double load = slots / lines;
    if (exact && lines < 2.0) {
        double r = slots < TABLE_ITEMS ? rate[(unsigned)slots] : 1.0;
        return (moments){r, r * r};
    }
    if (load >= TABLE_ITEMS)
        return (moments){1.0, 1.0};
    double odds = exact ? 1.0 / (lines - 1.0) : 0.0;
    double pmf = exact ? exp(slots * log(1.0 - 1.0 / lines)) : exp(-load);
    double left = 1.0;
    moments sum = {0.0, 0.0};
    for (unsigned c = 0; c < TABLE_ITEMS; c++) {
        sum.mean += pmf * rate[c];
        sum.square += pmf * rate[c] * rate[c];
        left -= pmf;
        if (c > load && pmf * (c + 1.0) < 1e-18 * sum.mean)
            return sum;
        double next = c + 1.0;
        pmf *= exact ? (slots - c) / next * odds : load / next;
        if (pmf <= 0.0 && c + 1.0 >= slots)
            return sum;
    }
    double beyond = left > 0.0 ? left : 0.0;
    return (moments){sum.mean + beyond, sum.square + beyond};
}

/* Rate of an item's g lines when the lines hold `slots` in all. Two of its lines
 * coincide with probability 1/L a pair: then both look at the same crowd. */
static double item_rate(const tamis_geometry *geometry, double slots, double lines)
{
    moments line = geometry->k == 1 ? one_bit_moments(slots, lines) : line_moments(slots, lines, geometry->k);
    double rate = 1.0;
    for (uint32_t j = 0; j < geometry->g; j++)
        rate *= line.mean;
    if (geometry->g == 1 || line.mean <= 0.0)
        return rate;
    double pairs = geometry->g * (geometry->g - 1.0) / 2.0;
    double crowd = line.square / (line.mean * line.mean) - 1.0;
    return rate * (1.0 + pairs / geometry->region_lines * crowd);
}

double tamis_rate_model(const tamis_geometry *geometry, double items)
{
    double lines = (double)tamis_geometry_lines(geometry);
    double slots = items * geometry->g;
    double rate;
    if (geometry->g == 1 || geometry->regions == 1 || items < 1.0) {
        rate = item_rate(geometry, slots, lines);
    } else {
        /* Regions fill unevenly, by sqrt((R-1)/n), and all lines of an item share one. */
        double spread = sqrt(((double)geometry->regions - 1.0) / items);
        double less = spread < 1.0 ? slots * (1.0 - spread) : 0.0;
        rate = 0.5 * (item_rate(geometry, less, lines) + item_rate(geometry, slots * (1.0 + spread), lines));
    }
    return rate < 1.0 ? rate : 1.0;
}

/* By Gauss and Legendre with four points, exact for polynomials of degree 7. */
double tamis_rate_lost(const tamis_geometry *geometry, double items)
{
    static const double place[] = {0.06943184420297371, 0.33000947820757187, 0.66999052179242813,
                                   0.93056815579702629};
    static const double weight[] = {0.17392742256872693, 0.32607257743127307, 0.32607257743127307,
                                    0.17392742256872693};
    double mean = 0.0;
    for (unsigned i = 0; i < 4; i++)
        mean += weight[i] * tamis_rate_model(geometry, items * place[i]);
    return items * mean;
}

double tamis_rate_items(const tamis_geometry *geometry, double changed)
{
    double items = changed;
    if (tamis_rate_model(geometry, changed) < NEGLIGIBLE_RATE)
        return items;
    for (unsigned round = 0; round < MAX_ROUNDS; round++) {
        double before = items;
        items = changed + tamis_rate_lost(geometry, before);
        if (items - before < 1e-5 * before)
            break;
    }
    return items;
}

double tamis_rate_floor(double items)
{
    return items / 18446744073709551616.0;
}

bool tamis_rate_model_holds(const tamis_geometry *geometry)
{
    return geometry->g == 1 || geometry->region_lines >= MIN_SHARED_LINES;
}
