/* Items of the shapes that people have: random, sequential, strided, short, with a shared prefix.
 * Item i of a shape is the same on every machine; different i give different items. */
#ifndef TAMIS_TESTS_ITEMS_H
#define TAMIS_TESTS_ITEMS_H

#include <inttypes.h>

#include "support/support.h"

typedef enum item_shape {
    ITEMS_RANDOM,   /* 16 hexadecimal digits of a mixed number */
    ITEMS_DECIMAL,  /* "0", "1", "2" ... */
    ITEMS_U64,      /* 8 bytes, little-endian, counting up */
    ITEMS_STRIDE16, /* the same, in steps of 2^16 */
    ITEMS_STRIDE32, /* 2^32 */
    ITEMS_STRIDE40, /* 2^40; i below 2^24 */
    ITEMS_GOLDEN,   /* in steps of 2^64 over the golden ratio */
    ITEMS_PREFIX,   /* a URL whose end counts up */
    ITEMS_SHORT,    /* all 65,793 strings of 0 to 2 bytes */
    ITEM_SHAPES
} item_shape;

#define ITEM_MAX 96
#define SHORT_ITEMS 65793u

static inline const char *shape_name(item_shape shape)
{
    static const char *const names[ITEM_SHAPES] = {"random",   "decimal", "u64",    "stride16", "stride32",
                                                   "stride40", "golden",  "prefix", "short"};
    return names[shape];
}

static inline size_t put_u64(unsigned char *out, uint64_t value)
{
    for (unsigned i = 0; i < 8; i++)
        out[i] = (unsigned char)(value >> (8 * i));
    return 8;
}

static inline size_t put_short(unsigned char *out, uint64_t i)
{
    if (i == 0)
        return 0;
    if (i <= 256) {
        out[0] = (unsigned char)(i - 1);
        return 1;
    }
    out[0] = (unsigned char)((i - 257) >> 8);
    out[1] = (unsigned char)(i - 257);
    return 2;
}

/* Writes item i and returns its length. */
static inline size_t put_item(item_shape shape, uint64_t i, unsigned char out[ITEM_MAX])
{
    char *text = (char *)out;
    switch (shape) {
    case ITEMS_RANDOM:
        return (size_t)snprintf(text, ITEM_MAX, "%016" PRIx64, mixed(i * UINT64_C(0x9e3779b97f4a7c15)));
    case ITEMS_DECIMAL:
        return (size_t)snprintf(text, ITEM_MAX, "%" PRIu64, i);
    case ITEMS_U64:
        return put_u64(out, i);
    case ITEMS_STRIDE16:
        return put_u64(out, i << 16);
    case ITEMS_STRIDE32:
        return put_u64(out, i << 32);
    case ITEMS_STRIDE40:
        return put_u64(out, i << 40);
    case ITEMS_GOLDEN:
        return put_u64(out, i * UINT64_C(0x9e3779b97f4a7c15));
    case ITEMS_PREFIX:
        return (size_t)snprintf(text, ITEM_MAX,
                                "https://www.example.org/catalogue/article/page?number=%" PRIu64, i);
    case ITEMS_SHORT:
        return put_short(out, i);
    case ITEM_SHAPES:
        break;
    }
    return 0;
}

#define ITEM_BLOCK 512u

/* A block of items, ready for the batch calls. */
typedef struct item_block {
    tamis_item items[ITEM_BLOCK];
    unsigned char bytes[ITEM_BLOCK][ITEM_MAX];
} item_block;

static inline size_t fill_block(item_block *block, item_shape shape, uint64_t from, uint64_t count)
{
    size_t take = count < ITEM_BLOCK ? (size_t)count : ITEM_BLOCK;
    for (size_t i = 0; i < take; i++) {
        block->items[i].data = block->bytes[i];
        block->items[i].len = put_item(shape, from + i, block->bytes[i]);
    }
    return take;
}

/* Adds items from..from+count-1. */
static inline void add_items(tamis_filter *filter, item_shape shape, uint64_t from, uint64_t count)
{
    static item_block block;
    for (uint64_t at = 0; at < count;) {
        size_t take = fill_block(&block, shape, from + at, count - at);
        assert_int_equal(tamis_filter_add_batch(filter, block.items, take, NULL, NULL, NULL), TAMIS_OK);
        at += take;
    }
}

/* Asks for items from..from+count-1 and returns how many are found. */
static inline uint64_t hits_of_items(const tamis_filter *filter, item_shape shape, uint64_t from,
                                     uint64_t count)
{
    static item_block block;
    uint64_t hits = 0;
    for (uint64_t at = 0; at < count;) {
        size_t take = fill_block(&block, shape, from + at, count - at);
        hits += tamis_filter_contains_batch(filter, block.items, take, NULL);
        at += take;
    }
    return hits;
}

/* Hits among `asks` questions about absent items, when a question is a hit with
 * probability `rate`, stay within five standard deviations (one hit of grace for
 * the skewed tail where hardly any is expected). */
static inline void assert_binomial(uint64_t hits, uint64_t asks, double rate, const char *what)
{
    double mean = (double)asks * rate;
    double bound = 5.0 * sqrt(mean * (1.0 - rate)) + 3.0;
    double off = (double)hits - mean;
    if (!(off <= bound && off >= -bound))
        print_error("%s: %" PRIu64 " hits among %" PRIu64 ", expected %.2f +- %.2f\n", what, hits, asks, mean,
                    bound);
    assert_true(off <= bound && off >= -bound);
}

#endif
