/* Sizing: the one function that turns capacity and error rate into lines. */
#ifndef TAMIS_FILTER_SIZING_H
#define TAMIS_FILTER_SIZING_H

#include "filter/internal.h"

typedef struct tamis_sizing_rules {
    uint32_t region_lines; /* L at most, 1 to 65,536 */
    bool compact;          /* within 5 % of the classic size instead of 10 %, with more lines an item */
} tamis_sizing_rules;

/* The smallest array whose expected rate at `items` items is <= `rate`, with g no
 * larger than needed to stay within 10 % of the classic size. False: none with
 * g, k <= 8. */
bool tamis_size_for_rate(uint64_t items, double rate, const tamis_sizing_rules *rules, tamis_geometry *out);

/* The largest array of at most `bytes` bytes, with the g and k that give the
 * smallest rate at `items` items. False when not even a line fits. */
bool tamis_size_for_memory(uint64_t items, uint64_t bytes, const tamis_sizing_rules *rules,
                           tamis_geometry *out);

/* The largest number of items, up to 2^48, whose array for `rate` fits into
 * `bytes`; 0 when none does. With subtract_floor, `rate` is to hold with the
 * collisions of hashes. */
uint64_t tamis_capacity_for_memory(double rate, uint64_t bytes, const tamis_sizing_rules *rules,
                                   bool subtract_floor, tamis_geometry *out);

/* Numbers that follow from the model and are kept in files: rounded to 20 bits, so
 * that the last bits of exp and log, in which machines differ, do not matter. A
 * promise is rounded up, a layer's rate and a number of items down. */
double tamis_promise_kept(double rate);
double tamis_rate_kept(double rate);
uint64_t tamis_items_kept(uint64_t items);

/* log2(1/p)/ln 2: bits an item of a filter without lines at its best. */
double tamis_classic_bits(double rate);

#endif
