/* The loops of a kernel. A kernel's file defines, and then includes this:
 *
 *   KERNEL_NAME     the kernel's name as a string
 *   KERNEL_OBJECT   the tamis_kernel to define
 *   KERNEL_TARGET   attributes of every function (the instruction set)
 *   POPCOUNT(word)  number of bits set in 64
 *   line_has(line, w, k), line_add(line, w, k)   as tamis_line_has, tamis_line_add
 *
 * or, where one test for several items is cheaper than a test each, instead of line_has:
 *
 *   KERNEL_FINDS             as 1
 *   found_bits               what was found of an item's bits in its lines so far
 *   line_find(line, w, k)    a line's part of that
 *   found_both(a, b)         of two lines
 *   found_all(f)             whether all bits were found
 *   found_four(a, b, c, d)   the same for four items: bits 0 to 3
 *
 * k and g are passed down as constants where that pays: the compiler makes a loop
 * for g = 1, k = 8, one for g = 1, and one for the rest. */

#include <string.h>

#define INLINE KERNEL_TARGET static inline __attribute__((always_inline))

#if defined(__GNUC__)
#define OUT_OF_LINE __attribute__((noinline))
#else
#define OUT_OF_LINE
#endif

#define AHEAD 64u                      /* items between prefetch and probe; a power of two */
#define GROUP 8u                       /* items hashed at a time */
#define BLOCK 2048u                    /* items that go through several layers at a time */
#define FEW 8u                         /* so few are asked one by one */
#define NEAR_BYTES ((size_t)256 << 10) /* a layer of this size is in L2: no prefetch */

#ifndef KERNEL_FINDS
typedef bool found_bits;
#define line_find line_has

INLINE found_bits found_both(found_bits a, found_bits b)
{
    return (found_bits)(a & b);
}

INLINE bool found_all(found_bits f)
{
    return f;
}
#endif

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

INLINE found_bits place_find(place at, uint64_t hash, uint32_t g, uint32_t k)
{
    found_bits all = line_find(line_zero(at, hash), hash * TAMIS_GOLDEN, k);
    if (g == 1)
        return all;
    unsigned char *region = region_of(at, hash);
    for (uint32_t j = 1; j < g; j++) {
        uint64_t line_hash = tamis_line_hash(hash, j);
        all = found_both(all, line_find(line_of(at, region, line_hash), line_hash * TAMIS_GOLDEN, k));
    }
    return all;
}

INLINE bool place_has(place at, uint64_t hash, uint32_t g, uint32_t k)
{
    return found_all(place_find(at, hash, g, k));
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

/* Everything but the usual geometry: out of line, so that single calls stay short. */
KERNEL_TARGET OUT_OF_LINE static bool has_unusual(const tamis_layer *layer, uint64_t hash)
{
    return place_has(place_of(layer), hash, layer->geometry.g, layer->geometry.k);
}

KERNEL_TARGET OUT_OF_LINE static bool add_unusual(tamis_layer *layer, uint64_t hash)
{
    return place_add(place_of(layer), hash, layer->geometry.g, layer->geometry.k);
}

KERNEL_TARGET static bool has_one(const tamis_layer *layer, uint64_t hash)
{
    return tamis_is_usual(&layer->geometry) ? place_has(place_of(layer), hash, 1, TAMIS_LANES)
                                            : has_unusual(layer, hash);
}

KERNEL_TARGET static bool add_one(tamis_layer *layer, uint64_t hash)
{
    return tamis_is_usual(&layer->geometry) ? place_add(place_of(layer), hash, 1, TAMIS_LANES)
                                            : add_unusual(layer, hash);
}

KERNEL_TARGET OUT_OF_LINE static bool any_has(const tamis_filter *filter, uint64_t hash)
{
    for (uint32_t i = filter->layer_count; i-- > 0;)
        if (has_one(&filter->layers[i], hash))
            return true;
    return false;
}

KERNEL_TARGET static bool contains_one(const tamis_filter *filter, uint64_t hash)
{
    if (filter->usual_lines == 0)
        return any_has(filter, hash);
    const place at = {filter->layers[0].payload, filter->usual_lines, 0, 0};
    return place_has(at, hash, 1, TAMIS_LANES);
}

/* --- batches over one layer -----------------------------------------------------
 * Hashes are made and their lines prefetched AHEAD places before they are probed, so
 * that many cache misses are under way at once. Ready hashes are used where they are;
 * others are made in groups, in a ring. A layer that is near needs no prefetch. */

/* What is a constant in each of the loops that the compiler makes. */
typedef struct shape {
    bool adding;
    uint32_t g;
    uint32_t k;
} shape;

/* Answers go to `to`, which moves on by `step` an item: 0 where nobody wants them. */
typedef struct answer_list {
    uint8_t *to;
    size_t step;
} answer_list;

INLINE size_t probe(place at, uint64_t hash, shape how, answer_list *out)
{
    bool yes = how.adding ? place_add(at, hash, how.g, how.k) : place_has(at, hash, how.g, how.k);
    *out->to = yes;
    out->to += out->step;
    return yes;
}

#ifdef KERNEL_FINDS
/* Four questions. */
INLINE size_t ask_four(place at, const uint64_t *hashes, shape how, answer_list *out)
{
    static const uint8_t spread[16][4] = {
        {0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}, {1, 1, 0, 0}, {0, 0, 1, 0}, {1, 0, 1, 0},
        {0, 1, 1, 0}, {1, 1, 1, 0}, {0, 0, 0, 1}, {1, 0, 0, 1}, {0, 1, 0, 1}, {1, 1, 0, 1},
        {0, 0, 1, 1}, {1, 0, 1, 1}, {0, 1, 1, 1}, {1, 1, 1, 1},
    };
    found_bits a = place_find(at, hashes[0], how.g, how.k), b = place_find(at, hashes[1], how.g, how.k);
    found_bits c = place_find(at, hashes[2], how.g, how.k), d = place_find(at, hashes[3], how.g, how.k);
    unsigned four = found_four(a, b, c, d);
    memcpy(out->to, spread[four], 4);
    out->to += 4 * out->step;
    return (size_t)POPCOUNT(four);
}
#endif

/* A part of a batch: hashes to probe and, unless it is NULL, as many whose lines are to
 * be fetched in turn with that. */
typedef struct part {
    const uint64_t *hashes;
    const uint64_t *next;
    size_t count;
} part;

/* A batch on its way: items before `done` are probed, those before `fetched` have their
 * lines on the way and, where hashes are made, their hashes in the ring. */
typedef struct run {
    const tamis_source *from;
    size_t count;
    size_t done;
    size_t fetched;
    uint64_t ring[2 * AHEAD];
} run;

/* Makes the hashes of the group that begins at `fetched`; *size of them. */
KERNEL_TARGET static const uint64_t *make_group(run *r, size_t *size)
{
    uint64_t *group = r->ring + r->fetched % (2 * AHEAD);
    size_t left = r->count - r->fetched;
    *size = left < GROUP ? left : GROUP;
    tamis_source_hash(r->from, r->fetched, *size, group);
    r->fetched += *size;
    return group;
}

/* The first items' hashes, whose lines are to be fetched before all; *size of them. */
KERNEL_TARGET static const uint64_t *first_hashes(run *r, size_t *size)
{
    size_t most = r->count < AHEAD ? r->count : AHEAD;
    *size = most;
    if (r->from->hashes != NULL) {
        r->fetched = most;
        return r->from->hashes;
    }
    while (r->fetched < most)
        (void)make_group(r, size);
    *size = r->fetched; /* AHEAD is a number of groups */
    return r->ring;
}

/* The next part; false at the end. `near`: nothing is fetched. */
KERNEL_TARGET static bool next_part(run *r, bool near, part *out)
{
    const uint64_t *ready = r->from->hashes;
    out->next = NULL;
    if (r->fetched < r->count) {
        const uint64_t *next = ready == NULL ? make_group(r, &out->count) : ready + r->fetched;
        if (ready != NULL) {
            out->count = r->count - r->fetched;
            r->fetched = r->count;
        }
        out->next = near ? NULL : next;
    } else { /* the last ones, as far as they lie together */
        size_t together = ready == NULL ? 2 * AHEAD - r->done % (2 * AHEAD) : SIZE_MAX;
        out->count = r->count - r->done < together ? r->count - r->done : together;
    }
    out->hashes = ready == NULL ? r->ring + r->done % (2 * AHEAD) : ready + r->done;
    r->done += out->count;
    return out->count > 0;
}

INLINE size_t probe_part(place at, const part *p, shape how, answer_list *out)
{
    const uint64_t *hashes = p->hashes, *next = p->next;
    size_t total = 0, i = 0, count = p->count;
#ifdef KERNEL_FINDS
    for (; !how.adding && i + 4 <= count; i += 4) {
        for (size_t j = 0; next != NULL && j < 4; j++)
            prefetch(at, next[i + j], how.g);
        total += ask_four(at, hashes + i, how, out);
    }
#endif
    for (; i < count; i++) {
        if (next != NULL)
            prefetch(at, next[i], how.g);
        total += probe(at, hashes[i], how, out);
    }
    return total;
}

INLINE size_t run_shape(const tamis_layer *layer, const tamis_source *from, size_t count, uint8_t *out,
                        bool near, shape how)
{
    uint8_t unused[4];
    answer_list to = {out == NULL ? unused : out, out != NULL};
    place at = place_of(layer);
    size_t total = 0, size;
    part p;
    run r;
    r.from = from;
    r.count = count;
    r.done = r.fetched = 0;
    if (!near) {
        const uint64_t *first = first_hashes(&r, &size);
        for (size_t i = 0; i < size; i++)
            prefetch(at, first[i], how.g);
    }
    while (next_part(&r, near, &p))
        total += probe_part(at, &p, how, &to);
    return total;
}

INLINE size_t run_shapes(const tamis_layer *layer, const tamis_source *from, size_t count, uint8_t *out,
                         bool near, bool adding)
{
    uint32_t g = layer->geometry.g, k = layer->geometry.k;
    if (tamis_is_usual(&layer->geometry))
        return run_shape(layer, from, count, out, near, (shape){adding, 1, TAMIS_LANES});
    if (g == 1)
        return run_shape(layer, from, count, out, near, (shape){adding, 1, k});
    if (k == TAMIS_LANES)
        return run_shape(layer, from, count, out, near, (shape){adding, g, TAMIS_LANES});
    return run_shape(layer, from, count, out, near, (shape){adding, g, k});
}

/* All layers together: they take turns. */
KERNEL_TARGET static bool are_near(const tamis_layer *layers, uint32_t layer_count)
{
    size_t nbytes = 0;
    for (uint32_t i = 0; i < layer_count; i++)
        nbytes += tamis_layer_bytes(&layers[i]);
    return nbytes <= NEAR_BYTES;
}

KERNEL_TARGET static size_t ask_layer(const tamis_layer *layer, const tamis_source *from, size_t count,
                                      uint8_t *out, bool near)
{
    return run_shapes(layer, from, count, out, near, false);
}

KERNEL_TARGET static size_t add_to_layer(tamis_layer *layer, const tamis_source *from, size_t count,
                                         uint8_t *out, bool near)
{
    return run_shapes(layer, from, count, out, near, true);
}

KERNEL_TARGET static size_t add_all(tamis_layer *layer, const tamis_source *from, size_t count, uint8_t *out)
{
    return add_to_layer(layer, from, count, out, are_near(layer, 1));
}

/* --- batches over several layers ---------------------------------------------------
 * Block by block, layer by layer from the newest: of what a layer has not, the next
 * one is asked. No branch depends on an answer. A few items are not worth a block. */

typedef struct sieve {
    bool near;
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
    (void)ask_layer(layer, &from, s->left, s->answers, s->near);
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

KERNEL_TARGET OUT_OF_LINE static size_t contains_blocks(const tamis_layer *layers, uint32_t layer_count,
                                                        const tamis_source *from, size_t count, uint8_t *out)
{
    sieve s;
    size_t total = 0;
    s.near = are_near(layers, layer_count);
    for (size_t at = 0; at < count; at += BLOCK) {
        size_t size = count - at < BLOCK ? count - at : BLOCK;
        sift_all(&s, layers, layer_count, UINT32_MAX, tamis_source_hashes(from, at, size, s.made), size);
        total += size - s.left;
        if (out != NULL)
            memcpy(out + at, s.known, size);
    }
    return total;
}

KERNEL_TARGET static bool others_have(const tamis_layer *layers, uint32_t layer_count, uint32_t except,
                                      uint64_t hash)
{
    for (uint32_t i = layer_count; i-- > 0;)
        if (i != except && has_one(&layers[i], hash))
            return true;
    return false;
}

INLINE size_t note(uint8_t *out, size_t i, bool answer)
{
    if (out != NULL)
        out[i] = answer;
    return answer;
}

KERNEL_TARGET static size_t contains_few(const tamis_layer *layers, uint32_t layer_count,
                                         const tamis_source *from, size_t count, uint8_t *out)
{
    uint64_t room[FEW];
    const uint64_t *hashes = tamis_source_hashes(from, 0, count, room);
    size_t total = 0;
    for (size_t i = 0; i < count; i++)
        total += note(out, i, others_have(layers, layer_count, UINT32_MAX, hashes[i]));
    return total;
}

KERNEL_TARGET static size_t contains(const tamis_layer *layers, uint32_t layer_count,
                                     const tamis_source *from, size_t count, uint8_t *out)
{
    if (layer_count == 1)
        return ask_layer(layers, from, count, out, are_near(layers, 1));
    if (count <= FEW)
        return contains_few(layers, layer_count, from, count, out);
    return contains_blocks(layers, layer_count, from, count, out);
}

/* --- adding below several layers ------------------------------------------------------ */

/* What is added to, and how. */
typedef struct adding {
    tamis_layer *layers;
    uint32_t layer_count;
    uint32_t top;   /* the layer that takes the items */
    bool refresh;   /* also those that another layer has */
    size_t changed; /* items that changed it */
} adding;

/* Adds to `top` what is left in the sieve; `known` says afterwards what is new. */
KERNEL_TARGET static size_t add_left(sieve *s, adding *to, size_t count)
{
    const tamis_source from = {.hashes = s->hashes};
    size_t added = add_to_layer(&to->layers[to->top], &from, s->left, s->answers, s->near);
    memset(s->known, 0, count);
    for (size_t i = 0; i < s->left; i++)
        s->known[s->places[i]] = s->answers[i];
    to->changed += added;
    return added;
}

/* Adds the whole block to `top`; `known` says afterwards what is new. */
KERNEL_TARGET static size_t add_block(sieve *s, adding *to, const uint64_t *hashes, size_t count)
{
    const tamis_source from = {.hashes = hashes};
    size_t total = 0;
    to->changed += add_to_layer(&to->layers[to->top], &from, count, s->answers, s->near);
    for (size_t i = 0; i < count; i++) {
        s->known[i] = s->answers[i] & (s->known[i] ^ 1u);
        total += s->known[i];
    }
    return total;
}

KERNEL_TARGET OUT_OF_LINE static size_t add_blocks(adding *to, const tamis_source *from, size_t count,
                                                   uint8_t *out)
{
    sieve s;
    size_t total = 0;
    s.near = are_near(to->layers, to->layer_count);
    for (size_t at = 0; at < count; at += BLOCK) {
        size_t size = count - at < BLOCK ? count - at : BLOCK;
        const uint64_t *hashes = tamis_source_hashes(from, at, size, s.made);
        sift_all(&s, to->layers, to->layer_count, to->top, hashes, size);
        total += to->refresh ? add_block(&s, to, hashes, size) : add_left(&s, to, size);
        if (out != NULL)
            memcpy(out + at, s.known, size);
    }
    return total;
}

KERNEL_TARGET static size_t add_few(adding *to, const tamis_source *from, size_t count, uint8_t *out)
{
    uint64_t room[FEW];
    const uint64_t *hashes = tamis_source_hashes(from, 0, count, room);
    size_t total = 0;
    for (size_t i = 0; i < count; i++) {
        bool known = others_have(to->layers, to->layer_count, to->top, hashes[i]);
        bool set = (!known || to->refresh) && add_one(&to->layers[to->top], hashes[i]);
        to->changed += set;
        total += note(out, i, set && !known);
    }
    return total;
}

KERNEL_TARGET static size_t add_unseen(tamis_layer *layers, uint32_t layer_count, uint32_t top, bool refresh,
                                       const tamis_source *from, size_t count, uint8_t *out, size_t *changed)
{
    adding to = {layers, layer_count, top, refresh, 0};
    if (layer_count == 1)
        return *changed = add_all(layers, from, count, out);
    size_t total = count <= FEW ? add_few(&to, from, count, out) : add_blocks(&to, from, count, out);
    *changed = to.changed;
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
    .contains_one = contains_one,
    .contains = contains,
    .add_all = add_all,
    .add_unseen = add_unseen,
    .bits_set = bits_set,
    .current_rate = current_rate,
};
