/* The loops of a kernel. A kernel's file defines, and then includes this:
 *
 *   KERNEL_NAME     the kernel's name as a string
 *   KERNEL_OBJECT   the tamis_kernel to define
 *   KERNEL_TARGET   attributes of every function (the instruction set)
 *   POPCOUNT(word)  number of bits set in 64
 *   line_has(line, w, k), line_add(line, w, k)   as tamis_line_has, tamis_line_add
 *
 * k and g are passed down as constants where that pays: the compiler makes a loop
 * for g = 1, k = 8, one for g = 1, and one for the rest. */

#include <string.h>

#define INLINE KERNEL_TARGET static inline __attribute__((always_inline))

#define AHEAD 64u                      /* items between prefetch and probe; a power of two */
#define GROUP 8u                       /* items hashed at a time */
#define BLOCK 512u                     /* items that go through several layers at a time */
#define NEAR_BYTES ((size_t)256 << 10) /* a layer of this size is in L2: no prefetch */

/* --- an item in a layer -------------------------------------------------------- */

/* What a loop needs of a layer, in registers: nothing that is written can change it. */
typedef struct place {
    unsigned char *payload;
    uint64_t lines;
    uint64_t regions;
    uint64_t region_lines;
} place;

INLINE place place_of(const tamis_layer *layer)
{
    const tamis_geometry *geometry = &layer->geometry;
    return (place){layer->payload, tamis_geometry_lines(geometry), geometry->regions, geometry->region_lines};
}

INLINE uint64_t scale(uint64_t hash, uint64_t range)
{
    uint64_t low;
    return tamis_mulhi64(hash, range, &low);
}

/* Line 0: floor(h R L / 2^64) is region and line in one, since the region's part of
 * h R is whole. */
INLINE unsigned char *line_zero(place at, uint64_t hash)
{
    return at.payload + scale(hash, at.lines) * TAMIS_LINE_BYTES;
}

INLINE unsigned char *region_of(place at, uint64_t hash)
{
    return at.payload + scale(hash, at.regions) * at.region_lines * TAMIS_LINE_BYTES;
}

INLINE unsigned char *line_of(place at, unsigned char *region, uint64_t line_hash)
{
    return region + scale(line_hash, at.region_lines) * TAMIS_LINE_BYTES;
}

INLINE void prefetch(place at, uint64_t hash, uint32_t g)
{
    TAMIS_PREFETCH(line_zero(at, hash));
    if (g == 1)
        return;
    unsigned char *region = region_of(at, hash);
    for (uint32_t j = 1; j < g; j++)
        TAMIS_PREFETCH(line_of(at, region, tamis_line_hash(hash, j)));
}

INLINE bool place_has(place at, uint64_t hash, uint32_t g, uint32_t k)
{
    bool all = line_has(line_zero(at, hash), hash * TAMIS_GOLDEN, k);
    if (g == 1)
        return all;
    unsigned char *region = region_of(at, hash);
    for (uint32_t j = 1; j < g; j++) {
        uint64_t line_hash = tamis_line_hash(hash, j);
        all &= line_has(line_of(at, region, line_hash), line_hash * TAMIS_GOLDEN, k);
    }
    return all;
}

INLINE bool place_add(place at, uint64_t hash, uint32_t g, uint32_t k)
{
    bool changed = line_add(line_zero(at, hash), hash * TAMIS_GOLDEN, k);
    if (g == 1)
        return changed;
    unsigned char *region = region_of(at, hash);
    for (uint32_t j = 1; j < g; j++) {
        uint64_t line_hash = tamis_line_hash(hash, j);
        changed |= line_add(line_of(at, region, line_hash), line_hash * TAMIS_GOLDEN, k);
    }
    return changed;
}

INLINE bool layer_has(const tamis_layer *layer, uint64_t hash)
{
    uint32_t g = layer->geometry.g, k = layer->geometry.k;
    if (g == 1 && k == TAMIS_LANES)
        return place_has(place_of(layer), hash, 1, TAMIS_LANES);
    return place_has(place_of(layer), hash, g, k);
}

KERNEL_TARGET static bool has_one(const tamis_layer *layer, uint64_t hash)
{
    return layer_has(layer, hash);
}

KERNEL_TARGET static bool add_one(tamis_layer *layer, uint64_t hash)
{
    uint32_t g = layer->geometry.g, k = layer->geometry.k;
    if (g == 1 && k == TAMIS_LANES)
        return place_add(place_of(layer), hash, 1, TAMIS_LANES);
    return place_add(place_of(layer), hash, g, k);
}

KERNEL_TARGET static bool any_has(const tamis_layer *layers, uint32_t layer_count, uint32_t except,
                                  uint64_t hash)
{
    for (uint32_t i = layer_count; i-- > 0;)
        if (i != except && layer_has(&layers[i], hash))
            return true;
    return false;
}

/* --- batches over one layer -----------------------------------------------------
 * Hashes are made and their lines prefetched AHEAD places before they are probed, so
 * that many cache misses are under way at once. Ready hashes are used where they are;
 * others are made in groups, in a ring. A layer that is near needs no prefetch. */

typedef struct run {
    const tamis_source *from;
    size_t count;
    uint64_t ring[2 * AHEAD];
} run;

/* Hashes of the group that begins at `at`, *size of them. */
INLINE const uint64_t *run_group(run *r, size_t at, size_t *size)
{
    size_t left = at < r->count ? r->count - at : 0;
    *size = left < GROUP ? left : GROUP;
    if (r->from->hashes != NULL)
        return r->from->hashes + at;
    uint64_t *group = r->ring + at % (2 * AHEAD);
    if (*size > 0)
        tamis_source_hash(r->from, at, *size, group);
    return group;
}

/* The first AHEAD items' lines. */
INLINE void run_begin(run *r, place at, uint32_t g)
{
    size_t size;
    for (size_t begin = 0; begin < AHEAD && begin < r->count; begin += GROUP) {
        const uint64_t *group = run_group(r, begin, &size);
        for (size_t i = 0; i < size; i++)
            prefetch(at, group[i], g);
    }
}

typedef struct shape {
    bool adding;
    bool near;
    uint32_t g;
    uint32_t k;
} shape;

INLINE size_t probe(place at, uint64_t hash, shape how, uint8_t *answer)
{
    bool yes = how.adding ? place_add(at, hash, how.g, how.k) : place_has(at, hash, how.g, how.k);
    *answer = yes;
    return yes;
}

INLINE size_t run_near(run *r, place at, uint8_t *out, shape how)
{
    uint8_t unused[GROUP];
    size_t total = 0, size;
    for (size_t begin = 0; begin < r->count; begin += GROUP) {
        const uint64_t *group = run_group(r, begin, &size);
        uint8_t *answers = out == NULL ? unused : out + begin;
        for (size_t i = 0; i < size; i++)
            total += probe(at, group[i], how, &answers[i]);
    }
    return total;
}

INLINE size_t run_far(run *r, place at, uint8_t *out, shape how)
{
    uint8_t unused[GROUP];
    size_t total = 0, size;
    run_begin(r, at, how.g);
    for (size_t begin = 0; begin < r->count; begin += GROUP) {
        const uint64_t *next = run_group(r, begin + AHEAD, &size);
        const uint64_t *group =
            r->from->hashes != NULL ? r->from->hashes + begin : r->ring + begin % (2 * AHEAD);
        uint8_t *answers = out == NULL ? unused : out + begin;
        size_t i = 0, end = r->count - begin < GROUP ? r->count - begin : GROUP;
        for (; i < size; i++) {
            prefetch(at, next[i], how.g);
            total += probe(at, group[i], how, &answers[i]);
        }
        for (; i < end; i++)
            total += probe(at, group[i], how, &answers[i]);
    }
    return total;
}

INLINE size_t run_shape(const tamis_layer *layer, const tamis_source *from, size_t count, uint8_t *out,
                        shape how)
{
    run r;
    r.from = from;
    r.count = count;
    return how.near ? run_near(&r, place_of(layer), out, how) : run_far(&r, place_of(layer), out, how);
}

INLINE size_t run_shapes(const tamis_layer *layer, const tamis_source *from, size_t count, uint8_t *out,
                         bool adding, bool near)
{
    uint32_t g = layer->geometry.g, k = layer->geometry.k;
    if (g == 1 && k == TAMIS_LANES)
        return run_shape(layer, from, count, out, (shape){adding, near, 1, TAMIS_LANES});
    if (g == 1)
        return run_shape(layer, from, count, out, (shape){adding, near, 1, k});
    if (k == TAMIS_LANES)
        return run_shape(layer, from, count, out, (shape){adding, near, g, TAMIS_LANES});
    return run_shape(layer, from, count, out, (shape){adding, near, g, k});
}

KERNEL_TARGET static size_t ask_layer(const tamis_layer *layer, const tamis_source *from, size_t count,
                                      uint8_t *out)
{
    return tamis_layer_bytes(layer) <= NEAR_BYTES ? run_shapes(layer, from, count, out, false, true)
                                                  : run_shapes(layer, from, count, out, false, false);
}

KERNEL_TARGET static size_t add_all(tamis_layer *layer, const tamis_source *from, size_t count, uint8_t *out)
{
    return tamis_layer_bytes(layer) <= NEAR_BYTES ? run_shapes(layer, from, count, out, true, true)
                                                  : run_shapes(layer, from, count, out, true, false);
}

/* --- batches over several layers ---------------------------------------------------
 * Block by block, layer by layer from the newest: of what a layer has not, the next
 * one is asked. No branch depends on an answer. */

typedef struct sieve {
    uint64_t hashes[BLOCK]; /* those still in it */
    uint16_t places[BLOCK]; /* where in the block they come from */
    uint8_t answers[BLOCK]; /* of a layer */
    uint8_t known[BLOCK];   /* of the block: whether a layer has it */
    uint64_t made[BLOCK];
    size_t left;
} sieve;

/* What the layer answers is noted; what it has leaves the sieve. */
KERNEL_TARGET static void sift(sieve *s, const tamis_layer *layer)
{
    const tamis_source from = {.hashes = s->hashes};
    size_t left = 0;
    (void)ask_layer(layer, &from, s->left, s->answers);
    for (size_t i = 0; i < s->left; i++) {
        s->known[s->places[i]] = s->answers[i];
        s->hashes[left] = s->hashes[i];
        s->places[left] = s->places[i];
        left += s->answers[i] ^ 1u;
    }
    s->left = left;
}

/* Sifts `count` items, at most BLOCK, through all layers but `except`. */
KERNEL_TARGET static void sift_all(sieve *s, const tamis_layer *layers, uint32_t layer_count, uint32_t except,
                                   const uint64_t *hashes, size_t count)
{
    s->left = count;
    memcpy(s->hashes, hashes, count * sizeof *hashes);
    memset(s->known, 0, count);
    for (size_t i = 0; i < count; i++)
        s->places[i] = (uint16_t)i;
    for (uint32_t i = layer_count; i-- > 0 && s->left > 0;)
        if (i != except)
            sift(s, &layers[i]);
}

KERNEL_TARGET static size_t contains_layers(const tamis_layer *layers, uint32_t layer_count,
                                            const tamis_source *from, size_t count, uint8_t *out)
{
    sieve s;
    size_t total = 0;
    for (size_t at = 0; at < count; at += BLOCK) {
        size_t size = count - at < BLOCK ? count - at : BLOCK;
        sift_all(&s, layers, layer_count, UINT32_MAX, tamis_source_hashes(from, at, size, s.made), size);
        total += size - s.left;
        if (out != NULL)
            memcpy(out + at, s.known, size);
    }
    return total;
}

KERNEL_TARGET static size_t contains(const tamis_layer *layers, uint32_t layer_count,
                                     const tamis_source *from, size_t count, uint8_t *out)
{
    if (layer_count == 1)
        return ask_layer(layers, from, count, out);
    return contains_layers(layers, layer_count, from, count, out);
}

/* Adds to `top` what is left in the sieve; `known` says afterwards what is new. */
KERNEL_TARGET static size_t add_left(sieve *s, tamis_layer *top, size_t count)
{
    const tamis_source from = {.hashes = s->hashes};
    size_t added = add_all(top, &from, s->left, s->answers);
    memset(s->known, 0, count);
    for (size_t i = 0; i < s->left; i++)
        s->known[s->places[i]] = s->answers[i];
    return added;
}

/* Adds the whole block to `top`; `known` says afterwards what is new. */
KERNEL_TARGET static size_t add_block(sieve *s, tamis_layer *top, const uint64_t *hashes, size_t count,
                                      size_t *changed)
{
    const tamis_source from = {.hashes = hashes};
    size_t total = 0;
    *changed += add_all(top, &from, count, s->answers);
    for (size_t i = 0; i < count; i++) {
        s->known[i] = s->answers[i] & (s->known[i] ^ 1u);
        total += s->known[i];
    }
    return total;
}

KERNEL_TARGET static size_t add_unseen(tamis_layer *layers, uint32_t layer_count, uint32_t top, bool refresh,
                                       const tamis_source *from, size_t count, uint8_t *out, size_t *changed)
{
    sieve s;
    size_t total = 0;
    if (layer_count == 1)
        return *changed = add_all(layers, from, count, out);
    *changed = 0;
    for (size_t at = 0; at < count; at += BLOCK) {
        size_t size = count - at < BLOCK ? count - at : BLOCK;
        const uint64_t *hashes = tamis_source_hashes(from, at, size, s.made);
        sift_all(&s, layers, layer_count, top, hashes, size);
        if (refresh) {
            total += add_block(&s, &layers[top], hashes, size, changed);
        } else {
            size_t added = add_left(&s, &layers[top], size);
            *changed += added;
            total += added;
        }
        if (out != NULL)
            memcpy(out + at, s.known, size);
    }
    return total;
}

/* --- measures -------------------------------------------------------------------------- */

KERNEL_TARGET static uint64_t bits_set(const tamis_layer *layer)
{
    uint64_t set = 0;
    size_t nbytes = tamis_layer_bytes(layer);
    for (size_t at = 0; at < nbytes; at += 8)
        set += POPCOUNT(tamis_load64(layer->payload + at));
    return set;
}

/* Mean over rotations of the product of k neighbouring lanes' fills. */
INLINE double line_rate(const unsigned char *line, unsigned k)
{
    double fill[2 * TAMIS_LANES];
    for (unsigned lane = 0; lane < TAMIS_LANES; lane++)
        fill[lane] = fill[lane + TAMIS_LANES] = (double)POPCOUNT(tamis_load64(line + 8 * lane)) / 64.0;
    unsigned rotations = k == TAMIS_LANES ? 1 : TAMIS_LANES;
    double sum = 0.0;
    for (unsigned r = 0; r < rotations; r++) {
        double product = 1.0;
        for (unsigned i = 0; i < k; i++)
            product *= fill[r + i];
        sum += product;
    }
    return sum / rotations;
}

KERNEL_TARGET static double current_rate(const tamis_layer *layer)
{
    const tamis_geometry *geometry = &layer->geometry;
    const unsigned char *line = layer->payload;
    double regions = 0.0;
    for (uint64_t region = 0; region < geometry->regions; region++) {
        double lines = 0.0;
        for (uint32_t i = 0; i < geometry->region_lines; i++, line += TAMIS_LINE_BYTES)
            lines += line_rate(line, geometry->k);
        double mean = lines / geometry->region_lines, all = 1.0;
        for (uint32_t j = 0; j < geometry->g; j++)
            all *= mean;
        regions += all;
    }
    return regions / (double)geometry->regions;
}

const tamis_kernel KERNEL_OBJECT = {
    .name = KERNEL_NAME,
    .has = has_one,
    .add = add_one,
    .any_has = any_has,
    .contains = contains,
    .add_all = add_all,
    .add_unseen = add_unseen,
    .bits_set = bits_set,
    .current_rate = current_rate,
};
