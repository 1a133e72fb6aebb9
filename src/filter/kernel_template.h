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

#define INLINE KERNEL_TARGET static inline __attribute__((always_inline))

#define RING 64u                       /* hashes between prefetch and probe; a power of two */
#define GROUP 8u                       /* hashes made at a time */
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

/* --- the rolling ring -------------------------------------------------------------
 * Hashes are made ahead in groups, their lines prefetched, and probed RING places
 * behind, so that many cache misses are under way at once. Ready hashes are used
 * where they are. */

typedef struct ring {
    const tamis_source *from;
    const uint64_t *hashes; /* hash i is hashes[i & mask] */
    size_t mask;
    size_t count;
    size_t made; /* hashes 0..made are there, their lines under way */
    uint64_t room[2 * RING];
} ring;

INLINE void ring_begin(ring *r, const tamis_source *from, size_t count)
{
    r->from = from;
    r->count = count;
    r->made = 0;
    r->hashes = from->hashes != NULL ? from->hashes : r->room;
    r->mask = from->hashes != NULL ? SIZE_MAX : 2 * RING - 1;
}

/* The next group: hashed if need be. */
INLINE void ring_hash(ring *r)
{
    size_t left = r->count - r->made;
    size_t size = left < GROUP ? left : GROUP;
    if (size > 0 && r->from->hashes == NULL)
        tamis_source_hash(r->from, r->made, size, r->room + (r->made & r->mask));
    r->made += size;
}

/* How far hashes must be made before those up to `end` are probed. */
INLINE size_t ring_goal(const ring *r, size_t end)
{
    return r->count - end > RING ? end + RING : r->count;
}

INLINE void ring_ahead(ring *r, size_t end, place at, uint32_t g, bool near)
{
    size_t goal = ring_goal(r, end);
    while (r->made < goal) {
        size_t first = r->made;
        ring_hash(r);
        for (size_t i = first; i < r->made && !near; i++)
            prefetch(at, r->hashes[i & r->mask], g);
    }
}

/* The same for several layers. */
INLINE void ring_ahead_layers(ring *r, size_t end, const tamis_layer *layers, uint32_t layer_count, bool near)
{
    size_t goal = ring_goal(r, end);
    while (r->made < goal) {
        size_t first = r->made;
        ring_hash(r);
        for (uint32_t layer = 0; layer < layer_count && !near; layer++) {
            place at = place_of(&layers[layer]);
            for (size_t i = first; i < r->made; i++)
                prefetch(at, r->hashes[i & r->mask], layers[layer].geometry.g);
        }
    }
}

INLINE bool layers_are_near(const tamis_layer *layers, uint32_t layer_count)
{
    size_t nbytes = 0;
    for (uint32_t i = 0; i < layer_count; i++)
        nbytes += tamis_layer_bytes(&layers[i]);
    return nbytes <= NEAR_BYTES;
}

INLINE size_t note(uint8_t *out, size_t i, bool answer)
{
    if (out != NULL)
        out[i] = answer;
    return answer;
}

/* --- batches over one layer --------------------------------------------------------- */

INLINE size_t run_layer(const tamis_layer *layer, const tamis_source *from, size_t count, uint8_t *out,
                        bool adding, uint32_t g, uint32_t k)
{
    ring r;
    size_t total = 0;
    bool near = layers_are_near(layer, 1);
    place at = place_of(layer);
    ring_begin(&r, from, count);
    for (size_t begin = 0; begin < count; begin += GROUP) {
        size_t end = count - begin < GROUP ? count : begin + GROUP;
        ring_ahead(&r, end, at, g, near);
        const uint64_t *hashes = r.hashes;
        size_t mask = r.mask;
        for (size_t i = begin; i < end; i++) {
            uint64_t hash = hashes[i & mask];
            bool answer = adding ? place_add(at, hash, g, k) : place_has(at, hash, g, k);
            total += note(out, i, answer);
        }
    }
    return total;
}

INLINE size_t run_shaped(const tamis_layer *layer, const tamis_source *from, size_t count, uint8_t *out,
                         bool adding)
{
    uint32_t g = layer->geometry.g, k = layer->geometry.k;
    if (g == 1 && k == TAMIS_LANES)
        return run_layer(layer, from, count, out, adding, 1, TAMIS_LANES);
    if (g == 1)
        return run_layer(layer, from, count, out, adding, 1, k);
    if (k == TAMIS_LANES)
        return run_layer(layer, from, count, out, adding, g, TAMIS_LANES);
    return run_layer(layer, from, count, out, adding, g, k);
}

KERNEL_TARGET static size_t add_all(tamis_layer *layer, const tamis_source *from, size_t count, uint8_t *out)
{
    return run_shaped(layer, from, count, out, true);
}

/* --- batches over several layers ------------------------------------------------------ */

KERNEL_TARGET static size_t contains_layers(const tamis_layer *layers, uint32_t layer_count,
                                            const tamis_source *from, size_t count, uint8_t *out)
{
    ring r;
    size_t total = 0;
    bool near = layers_are_near(layers, layer_count);
    ring_begin(&r, from, count);
    for (size_t i = 0; i < count; i++) {
        ring_ahead_layers(&r, i + 1, layers, layer_count, near);
        total += note(out, i, any_has(layers, layer_count, UINT32_MAX, r.hashes[i & r.mask]));
    }
    return total;
}

KERNEL_TARGET static size_t contains(const tamis_layer *layers, uint32_t layer_count,
                                     const tamis_source *from, size_t count, uint8_t *out)
{
    if (layer_count == 1)
        return run_shaped(layers, from, count, out, false);
    return contains_layers(layers, layer_count, from, count, out);
}

KERNEL_TARGET static size_t add_unseen(tamis_layer *layers, uint32_t layer_count, uint32_t top, bool refresh,
                                       const tamis_source *from, size_t count, uint8_t *out, size_t *changed)
{
    ring r;
    size_t total = 0;
    if (layer_count == 1)
        return *changed = run_shaped(layers, from, count, out, true);
    bool near = layers_are_near(layers, layer_count);
    *changed = 0;
    ring_begin(&r, from, count);
    for (size_t i = 0; i < count; i++) {
        ring_ahead_layers(&r, i + 1, layers, layer_count, near);
        uint64_t hash = r.hashes[i & r.mask];
        bool known = any_has(layers, layer_count, top, hash);
        bool set = (!known || refresh) && add_one(&layers[top], hash);
        *changed += set;
        total += note(out, i, set && !known);
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
