/* The limit: loops that do nothing but touch the lines that a filter has to touch.
 * A line is chosen by a ready hash with one multiplication, and eight bytes of it
 * are read. */
#ifndef TAMIS_CLI_BENCH_TOUCH_H
#define TAMIS_CLI_BENCH_TOUCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct touch_place {
    unsigned char *base;
    uint64_t lines; /* regions * region_lines */
    uint64_t regions;
    uint64_t region_lines;
    uint32_t per_item; /* lines an item; all of them in one region */
    uint32_t span;     /* a "line" is this many lines, all of them touched */
} touch_place;

/* Touches each hash's lines in each of the places; `distance` is how many items
 * ahead they are prefetched, 0 for not at all. `writing` changes what it reads. */
uint64_t touch_run(const touch_place *places, size_t place_count, const uint64_t *hashes, size_t count,
                   size_t distance, bool writing);

#endif
