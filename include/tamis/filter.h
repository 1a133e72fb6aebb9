/* Filters: making them, adding, asking, merging, measuring.
 *
 * Words: an item is a run of bytes with a length (the empty item is one item);
 * capacity n is the number of distinct items the filter is sized for; the error
 * rate p is the rate of false positives at n items; a line is 64 bytes; a region
 * is a run of at most 65,536 lines that holds all bits of an item.
 *
 * Thread safety, unless a function says otherwise: functions that take a
 * `const tamis_filter *` may run in any number of threads at once as long as no
 * thread changes the filter; functions that take a `tamis_filter *` need the
 * filter to themselves. */
#ifndef TAMIS_FILTER_H
#define TAMIS_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tamis/export.h>
#include <tamis/status.h>

TAMIS_BEGIN_DECLS

typedef struct tamis_filter tamis_filter;

/* An item by reference; `data` may be NULL when `len` is 0. */
typedef struct tamis_item {
    const void *data;
    size_t len;
} tamis_item;

typedef enum tamis_kind {
    TAMIS_BLOOM = 1,    /* fixed size; merge */
    TAMIS_COUNTING = 2, /* fixed size; merge, remove; five times the memory */
    TAMIS_SCALABLE = 3, /* grows by layers */
    TAMIS_ROTATING = 4  /* remembers for a window of time */
} tamis_kind;

/* Limits. */
#define TAMIS_MAX_CAPACITY (UINT64_C(1) << 48)
#define TAMIS_MAX_LAYERS 16
#define TAMIS_GENERATIONS 9
#define TAMIS_LINE_BYTES 64
#define TAMIS_MAX_REGION_LINES 65536

/* Where a filter's memory comes from. `allocate` returns zeroed memory aligned
 * to `alignment` (a power of two, at least 64), or NULL. `release` gets the same
 * pointer and size back. Both are called only by functions that take a
 * `tamis_filter *` (or make one). */
typedef struct tamis_allocator {
    void *ctx;
    void *(*allocate)(void *ctx, size_t nbytes, size_t alignment);
    void (*release)(void *ctx, void *ptr, size_t nbytes);
} tamis_allocator;

/* tamis_params.flags */
#define TAMIS_COMPACT 1u     /* within 5 % of the classic size (10 % without), slower */
#define TAMIS_REFRESH 2u     /* rotating: a repeated item is remembered anew */
#define TAMIS_SECRET_SEED 4u /* the seed is a secret: files get mode 0600 */

/* tamis_params.normalisation: how items were normalised before they reached the
 * filter. The library does not normalise; it keeps the word in the file and
 * refuses to open a filter unless the caller knows it. A byte each, 0 = not
 * done, else the version of the rule (tamis(1) defines them). */
#define TAMIS_NORM_TRIM(version) ((uint32_t)(version))
#define TAMIS_NORM_CASE(version) ((uint32_t)(version) << 8)
#define TAMIS_NORM_HEX(version) ((uint32_t)(version) << 16)
#define TAMIS_NORM_URL(version) ((uint32_t)(version) << 24)

/* What to make. Start from TAMIS_PARAMS_INIT and set two of capacity, error_rate
 * and memory: the third follows. */
typedef struct tamis_params {
    size_t struct_size; /* sizeof(tamis_params) */
    tamis_kind kind;
    unsigned flags;     /* TAMIS_COMPACT, TAMIS_REFRESH, TAMIS_SECRET_SEED */
    uint64_t capacity;  /* items, 0 to 2^48; 0 counts as 1, or is "not given" beside memory */
    double error_rate;  /* 0 < p < 1; 0 is "not given" beside capacity and memory */
    uint64_t memory;    /* bytes of payload at most; 0 is "not given" */
    uint64_t seed;      /* of the hash; 0 is a seed like any other */
    uint64_t window_ms; /* rotating only: 8 ms or more */
    uint32_t normalisation;
    uint32_t region_lines;            /* 1 to 65,536; 0 = 65,536 */
    uint32_t tightening;              /* scalable: layer i gets p(1-2^-t)2^(-ti); 1 to 8; 0 = 1 */
    const tamis_allocator *allocator; /* copied; NULL = aligned_alloc */
} tamis_params;

/* clang-format off */
#define TAMIS_PARAMS_INIT { sizeof(tamis_params), TAMIS_BLOOM, 0, 0, 0.0, 0, 0, 0, 0, 0, 0, NULL }
/* clang-format on */

/* What a set of parameters comes to, before anything is allocated. */
typedef struct tamis_plan {
    size_t struct_size;     /* sizeof(tamis_plan), set by the caller */
    uint64_t capacity;      /* items */
    double error_rate;      /* asked for, or what the memory gives */
    double expected_rate;   /* at capacity, collisions of hashes included; <= error_rate */
    uint64_t payload_bytes; /* of all layers and counters at creation */
    uint64_t lines;         /* of one layer (bloom, counting: of the filter) */
    uint64_t regions;       /* lines = regions * region_lines */
    uint32_t region_lines;
    uint32_t lines_per_item;      /* g, 1 to 8 */
    uint32_t bits_per_line;       /* k, 1 to 8 */
    uint32_t layers;              /* at creation */
    double bits_per_item;         /* payload bits at capacity */
    double classic_bits_per_item; /* log2(1/p)/ln 2, of a filter without lines */
} tamis_plan;

/* Everything that a filter knows of itself. */
typedef struct tamis_info {
    size_t struct_size; /* sizeof(tamis_info), set by the caller */
    tamis_kind kind;
    unsigned flags;
    uint64_t capacity;      /* items; scalable: of all layers so far */
    double error_rate;      /* promised */
    double current_rate;    /* computed from the bits: what a question about an absent item now risks */
    double load;            /* estimated items / capacity */
    uint64_t items_offered; /* adds so far, repeats included (counting: less removes) */
    double items_estimated; /* distinct items, from the bits; a lower bound when saturated */
    bool saturated;         /* every bit is set: items_estimated is a lower bound */
    bool overfull;          /* estimated items beyond the capacity: the promised rate does not hold */
    uint64_t payload_bytes;
    uint64_t bits; /* payload bits that answer contains */
    uint64_t bits_set;
    uint64_t seed;
    uint64_t window_ms; /* rotating */
    uint64_t now_ms;    /* rotating: the latest time it was told */
    uint32_t normalisation;
    uint32_t layers;         /* scalable: layers; rotating: 9; else 1 */
    uint32_t stuck_counters; /* counting: counters at 15, which no longer count down (capped at 2^32-1) */
} tamis_info;

/* One layer (scalable), generation (rotating, 0 = newest) or the whole. */
typedef struct tamis_layer_info {
    size_t struct_size;
    uint64_t capacity;
    double error_rate;
    double current_rate;
    uint64_t items_new; /* adds that changed a bit here (scalable, rotating) */
    double items_estimated;
    uint64_t lines;
    uint64_t regions;
    uint32_t region_lines;
    uint32_t lines_per_item;
    uint32_t bits_per_line;
    uint64_t bits_set;
} tamis_layer_info;

/* --- sizing ------------------------------------------------------------- */

/* Computes what `params` come to: the one sizing function behind every door.
 * Any two of capacity, error rate and memory give the third.
 * Fails with E_ARGUMENT (not two of the three, all three, unknown kind or flag),
 * E_RANGE (a value outside its range; an error rate that a 64-bit hash cannot
 * hold at this capacity), E_TOO_LARGE (memory of 2^62 bytes or more; whether the
 * filter fits into this machine is seen when it is made).
 * `out->struct_size` must be set. Pure; thread-safe. Source: docs/design.md,
 * "Sizing". Since 0.1. */
TAMIS_API tamis_status tamis_plan_filter(const tamis_params *params, tamis_plan *out, tamis_error *err);

/* Expected rate of false positives of a plan once it holds `items` distinct
 * items, 0 to 2^48; for bloom and counting plans. Pure; thread-safe. Since 0.1. */
TAMIS_API double tamis_plan_rate(const tamis_plan *plan, uint64_t items);

/* --- life ---------------------------------------------------------------- */

/* Makes an empty filter; the caller owns it and frees it with tamis_filter_free.
 * Fails as tamis_plan_filter does, and with E_NOMEM. Since 0.1. */
TAMIS_API tamis_status tamis_filter_create(const tamis_params *params, tamis_filter **out, tamis_error *err);

/* Frees a filter, unmapping it when it was mapped (see tamis_filter_close for
 * the clean way to end a writable mapping). NULL is ignored. Since 0.1. */
TAMIS_API void tamis_filter_free(tamis_filter *filter);

/* Makes an independent copy in memory, with the same allocator; the caller owns
 * it. Fails with E_NOMEM. Since 0.1. */
TAMIS_API tamis_status tamis_filter_clone(const tamis_filter *filter, tamis_filter **out);

/* Forgets every item; parameters, seed and the time stay, a scalable filter goes
 * back to its first layer. Fails with E_UNSUPPORTED on a read-only mapping. Since 0.1. */
TAMIS_API tamis_status tamis_filter_clear(tamis_filter *filter);

/* True when both have the same parameters, seed and bits (and counters, layers,
 * items offered). Since 0.1. */
TAMIS_API bool tamis_filter_equal(const tamis_filter *a, const tamis_filter *b);

/* --- add and ask --------------------------------------------------------- */

/* Adds one item. `*out_new` (may be NULL) says whether any bit changed: true
 * means surely not added before; false means added before, or a false positive.
 * Fails with E_FULL (scalable at 16 layers or at the floor of its hash),
 * E_NOMEM (scalable growth), E_UNSUPPORTED (read-only mapping); the filter is
 * then unchanged. Since 0.1. */
TAMIS_API tamis_status tamis_filter_add(tamis_filter *filter, const void *item, size_t len, bool *out_new);

/* True when the item was added, or else with at most the promised rate. Never
 * false for an item that was added (and not removed or, in a rotating filter,
 * forgotten). A rotating filter without TAMIS_REFRESH does not remember anew what
 * it took for a repeat: where that was a false positive, the item is forgotten with
 * what it was mistaken for. Cannot fail. Since 0.1. */
TAMIS_API bool tamis_filter_contains(const tamis_filter *filter, const void *item, size_t len);

/* The same two by a ready hash, which must be uniformly distributed (tamis_filter_hash,
 * tamis_hash_u64). Since 0.1. */
TAMIS_API tamis_status tamis_filter_add_hash(tamis_filter *filter, uint64_t hash, bool *out_new);
TAMIS_API bool tamis_filter_contains_hash(const tamis_filter *filter, uint64_t hash);

/* Removes one earlier add of an item from a counting filter. Removing only what
 * was added never makes a false negative. Fails with E_NOT_FOUND (the item is
 * not in the filter; nothing changed), E_UNSUPPORTED (other kinds). Since 0.1. */
TAMIS_API tamis_status tamis_filter_remove(tamis_filter *filter, const void *item, size_t len);

/* The same for an item that was added by its ready hash. Since 0.1. */
TAMIS_API tamis_status tamis_filter_remove_hash(tamis_filter *filter, uint64_t hash);

/* The hash a filter uses for an item: XXH3-64 with the filter's seed. Since 0.1. */
TAMIS_API uint64_t tamis_filter_hash(const tamis_filter *filter, const void *item, size_t len);

/* The same for `count` items, into out[0..count). Since 0.1. */
TAMIS_API void tamis_filter_hash_batch(const tamis_filter *filter, const tamis_item *items, size_t count,
                                       uint64_t *out);

/* A hash for integers, for the calls that take ready hashes: a bijection on 64
 * bits with well mixed output. Pure. Since 0.1. */
TAMIS_API uint64_t tamis_hash_u64(uint64_t value, uint64_t seed);

/* Batches: the fast way. Items are taken in order, with the same results as one
 * call for each. `out_new` and `out_found` are arrays of `count` bytes, set to 1
 * or 0, or NULL; `*out_total` (may be NULL) is the number of ones.
 *
 * _batch takes items by reference; _fixed takes `count` items of `width` bytes
 * (1 or more) one after the other; _hashes takes ready 64-bit hashes, which must
 * be uniformly distributed (tamis_filter_hash, tamis_hash_u64): nothing is mixed.
 *
 * Adding fails as tamis_filter_add does; then the first `*out_done` items (may
 * be NULL) were added and the others not, and out_new holds for those. Since 0.1. */
TAMIS_API tamis_status tamis_filter_add_batch(tamis_filter *filter, const tamis_item *items, size_t count,
                                              uint8_t *out_new, size_t *out_total, size_t *out_done);
TAMIS_API tamis_status tamis_filter_add_fixed(tamis_filter *filter, const void *items, size_t width,
                                              size_t count, uint8_t *out_new, size_t *out_total,
                                              size_t *out_done);
TAMIS_API tamis_status tamis_filter_add_hashes(tamis_filter *filter, const uint64_t *hashes, size_t count,
                                               uint8_t *out_new, size_t *out_total, size_t *out_done);
TAMIS_API size_t tamis_filter_contains_batch(const tamis_filter *filter, const tamis_item *items,
                                             size_t count, uint8_t *out_found);
TAMIS_API size_t tamis_filter_contains_fixed(const tamis_filter *filter, const void *items, size_t width,
                                             size_t count, uint8_t *out_found);
TAMIS_API size_t tamis_filter_contains_hashes(const tamis_filter *filter, const uint64_t *hashes,
                                              size_t count, uint8_t *out_found);

/* Brings the lines of `count` ready hashes nearer to the processor, so that asking or
 * adding them soon after takes less time (not counters). Changes nothing; may run beside
 * anything but tamis_filter_clear, tamis_filter_free and tamis_filter_close. Since 0.1. */
TAMIS_API void tamis_filter_fetch_hashes(const tamis_filter *filter, const uint64_t *hashes, size_t count);

/* Bulk: the items of a batch, hashed and added by up to `threads` threads (1 to 256;
 * no more than 16 are used), each into lines of its own; the filter ends up with the
 * same bytes as with the _batch calls, whatever the number of threads. Bloom and
 * counting filters; the others take their items one after the other all the same.
 * Takes half a MiB of memory a thread for the time of the call (_hashes: next to none). Fails with E_RANGE (threads), E_NOMEM, E_UNSUPPORTED (read-only
 * mapping), and as tamis_filter_add does; *out_done (may be NULL) items were then
 * added. Since 0.1. */
TAMIS_API tamis_status tamis_filter_bulk_batch(tamis_filter *filter, const tamis_item *items, size_t count,
                                               unsigned threads, size_t *out_total, size_t *out_done);
TAMIS_API tamis_status tamis_filter_bulk_fixed(tamis_filter *filter, const void *items, size_t width,
                                               size_t count, unsigned threads, size_t *out_total,
                                               size_t *out_done);
TAMIS_API tamis_status tamis_filter_bulk_hashes(tamis_filter *filter, const uint64_t *hashes, size_t count,
                                                unsigned threads, size_t *out_total, size_t *out_done);

/* Shared adds: lock-free, from any number of threads at once and beside any
 * number of readers (contains), on a bloom filter. An item is found by every
 * thread once the call that added it has returned and that thread has learned of
 * it. "New" means that this call changed a bit: of two threads that add the same
 * item at once, both may be told so, so the sum of `*out_total` can exceed the
 * number of items. Several times dearer than the plain adds, which need the filter
 * to themselves. Fails with E_UNSUPPORTED (other kinds, read-only mapping). Since 0.1. */
TAMIS_API tamis_status tamis_filter_add_shared(tamis_filter *filter, const void *item, size_t len,
                                               bool *out_new);
TAMIS_API tamis_status tamis_filter_add_shared_batch(tamis_filter *filter, const tamis_item *items,
                                                     size_t count, uint8_t *out_new, size_t *out_total);
TAMIS_API tamis_status tamis_filter_add_shared_hashes(tamis_filter *filter, const uint64_t *hashes,
                                                      size_t count, uint8_t *out_new, size_t *out_total);

/* Rotating filters: tells the time, in milliseconds since any fixed moment.
 * Generations that end are forgotten. A time before the latest one told counts
 * as the latest one: the clock never goes back. The first call sets the clock;
 * before it, everything happens at time 0. Fails with E_UNSUPPORTED (other
 * kinds, read-only mapping). Since 0.1. */
TAMIS_API tamis_status tamis_filter_advance(tamis_filter *filter, uint64_t now_ms);

/* Scalable filters: growth that would take the payload beyond `nbytes` fails with
 * E_FULL; 0 takes the limit away. Not kept in files. Fails with E_UNSUPPORTED
 * (other kinds). Since 0.1. */
TAMIS_API tamis_status tamis_filter_limit_growth(tamis_filter *filter, uint64_t nbytes);

/* --- several filters ----------------------------------------------------- */

/* Adds everything that is in `source` to `target`: bloom and counting, with equal
 * kind, capacity, error rate, geometry, seed and normalisation. A bloom filter
 * merged with itself stays as it is; a counting filter with itself is refused.
 * Fails with E_MISMATCH (err names the field), E_UNSUPPORTED (kind, read-only
 * mapping), E_ARGUMENT (counting with itself); the target is then unchanged.
 * Since 0.1. */
TAMIS_API tamis_status tamis_filter_merge(tamis_filter *target, const tamis_filter *source, tamis_error *err);

/* --- measure ------------------------------------------------------------- */

/* Fills in everything the filter knows of itself; reads every bit of it.
 * Fails with E_ARGUMENT when out->struct_size is not known. Since 0.1. */
TAMIS_API tamis_status tamis_filter_info(const tamis_filter *filter, tamis_info *out);

/* The same for one layer, 0 <= index < info.layers. Since 0.1. */
TAMIS_API tamis_status tamis_filter_layer_info(const tamis_filter *filter, uint32_t index,
                                               tamis_layer_info *out);

/* Cheap parts of the info, which read no bits: the kind, the promised rate, the
 * number of adds, the payload in bytes, the normalisation. Since 0.1. */
TAMIS_API tamis_kind tamis_filter_kind(const tamis_filter *filter);
TAMIS_API double tamis_filter_error_rate(const tamis_filter *filter);
TAMIS_API uint64_t tamis_filter_capacity(const tamis_filter *filter);
TAMIS_API uint64_t tamis_filter_items_offered(const tamis_filter *filter);
TAMIS_API uint64_t tamis_filter_payload_bytes(const tamis_filter *filter);
TAMIS_API uint32_t tamis_filter_normalisation(const tamis_filter *filter);

/* Rate that a question about an absent item risks when `distinct` items are in
 * the filter (scalable: in its layers as they are now), from the model, in
 * microseconds and without reading bits: for reports while streaming. For
 * scalable and rotating filters `distinct` is ignored: they count per layer.
 * Since 0.1. */
TAMIS_API double tamis_filter_model_rate(const tamis_filter *filter, uint64_t distinct);

/* One bit of an item: which layer, which line of it, which of the line's 512
 * bits (the filter's numbering: bit x of a line is bit x mod 8, least significant
 * first, of byte x div 8), and whether it is set. */
typedef struct tamis_probe {
    uint32_t layer;        /* index for tamis_filter_layer_info */
    uint32_t line_of_item; /* j: 0 to g-1 */
    uint64_t region;
    uint64_t line; /* within the layer */
    uint32_t bit;  /* 0 to 511 */
    bool set;
} tamis_probe;

/* Lists an item's bits, layers from oldest to newest: fills at most `max` probes
 * and returns how many there are. Since 0.1. */
TAMIS_API size_t tamis_filter_explain(const tamis_filter *filter, const void *item, size_t len,
                                      tamis_probe *out, size_t max);

/* The name of the instruction set that answers in this process, the best one that
 * was built and that this machine has: "avx512", "avx2", "neon" or "plain". Every
 * one gives the same bits and answers. A static text; thread-safe. Since 0.1. */
TAMIS_API const char *tamis_kernel_name(void);

/* --- user metadata -------------------------------------------------------- */

/* Keeps a copy of `len` bytes (0 to 1 MiB) with the filter and its file;
 * replaces what was there. Fails with E_RANGE, E_NOMEM, E_UNSUPPORTED (mapped).
 * Since 0.1. */
TAMIS_API tamis_status tamis_filter_set_metadata(tamis_filter *filter, const void *data, size_t len);

/* The bytes kept with the filter, owned by it, valid until it changes; NULL and
 * *out_len = 0 when there are none. Since 0.1. */
TAMIS_API const void *tamis_filter_metadata(const tamis_filter *filter, size_t *out_len);

TAMIS_END_DECLS

#endif
