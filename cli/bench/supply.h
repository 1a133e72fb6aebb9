/* Items for the chunks: made just before a chunk is timed, so that its hashes and
 * bytes are near and its lines are not. */
#ifndef TAMIS_CLI_BENCH_SUPPLY_H
#define TAMIS_CLI_BENCH_SUPPLY_H

#include <tamis/filter.h>

enum { SUPPLY_CHUNK = 4096, SUPPLY_TEXT = 40 };

/* Item v is the eight bytes of the number v, or the text that ends in it. Filters
 * are filled with the items 0 to n-1 as eight bytes. */
typedef enum supply_what {
    ITEMS_OLD,    /* in the filter */
    ITEMS_ABSENT, /* not in it */
    ITEMS_MIXED,  /* one or the other, at random */
    ITEMS_NEW     /* never used before */
} supply_what;

typedef enum supply_form {
    FORM_HASHES, /* hashes */
    FORM_FIXED,  /* values, and items that point to them */
    FORM_TEXT    /* items of SUPPLY_TEXT bytes */
} supply_form;

typedef struct supply {
    uint64_t members;
    uint64_t next_old, next_absent, next_new;
    uint64_t values[SUPPLY_CHUNK];
    uint64_t hashes[SUPPLY_CHUNK];
    tamis_item items[SUPPLY_CHUNK];
    char text[SUPPLY_CHUNK * SUPPLY_TEXT];
} supply;

/* NULL when memory is out; `members` is n. Freed with free(). */
supply *supply_new(uint64_t members);

/* The next `count` items, at most SUPPLY_CHUNK; the filter says how to hash. */
void supply_fill(supply *s, const tamis_filter *hasher, supply_what what, supply_form form, size_t count);

/* Adds the items first to first+count-1 as eight bytes. */
tamis_status supply_add_range(tamis_filter *filter, uint64_t first, uint64_t count);

#endif
