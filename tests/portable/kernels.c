/* Every kernel that this machine can run gives the bits and answers of the plain
 * definitions in src/filter/line.h, for all g and k, single and in batches. Plain C
 * without cmocka, so that it runs on other CPUs, too. Which kernels ran is said on
 * stderr. The AVX-512 kernel runs on emulated instructions as well. */
#include "support/avx512_emulated.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filter/kernel.h"
#include "filter/line.h"

static const char *const names[] = {"plain", "avx2", "avx512", "neon"};

/* Ends the test, naming the place, unless the condition holds. */
#define CHECK(condition) check((condition), #condition, __LINE__)

#define KERNELS (sizeof names / sizeof *names)
#define ITEMS 700u
#define LAYERS 3u

static void check(bool holds, const char *condition, int line)
{
    if (holds)
        return;
    printf("kernels.c:%d: not true: %s\n", line, condition);
    exit(1);
}

static tamis_layer new_layer(uint64_t regions, uint32_t region_lines, uint32_t g, uint32_t k)
{
    tamis_layer layer = {.geometry = {regions, region_lines, g, k}, .capacity = 1, .error_rate = 0.5};
    layer.payload = aligned_alloc(64, tamis_layer_bytes(&layer));
    CHECK(layer.payload != NULL);
    memset(layer.payload, 0, tamis_layer_bytes(&layer));
    return layer;
}

static void fill_hashes(uint64_t *hashes, size_t count, uint64_t seed)
{
    for (size_t i = 0; i < count; i++)
        hashes[i] = tamis_hash_u64(i, seed);
}

/* A filter around layers, as single questions want it. */
static tamis_filter filter_of(const tamis_kernel *kernel, const tamis_layer *layers, uint32_t layer_count,
                              bool one)
{
    tamis_filter filter = {.kernel = kernel, .layer_count = layer_count};
    filter.params.kind = one ? TAMIS_BLOOM : TAMIS_SCALABLE;
    memcpy(filter.layers, layers, layer_count * sizeof *layers);
    tamis_filter_settle(&filter);
    return filter;
}

/* Batches of every small size, with and without answers, of ready hashes and of items. */
static void compare_sizes(const tamis_kernel *kernel, const tamis_layer *layer, const uint64_t *items)
{
    enum { MOST = 150 };
    uint8_t answers[MOST];
    uint64_t hashes[MOST];
    const tamis_source fixed = {.fixed = (const unsigned char *)items, .width = 8, .seed = 7};
    tamis_source_hash(&fixed, 0, MOST, hashes);
    const tamis_source ready = {.hashes = hashes};
    for (size_t count = 0; count <= MOST; count++) {
        size_t expected = 0;
        for (size_t i = 0; i < count; i++)
            expected += tamis_layer_has(layer, hashes[i]);
        CHECK(kernel->contains(layer, 1, &ready, count, NULL) == expected);
        CHECK(kernel->contains(layer, 1, &fixed, count, NULL) == expected);
        for (int made = 0; made < 2; made++) {
            memset(answers, 2, sizeof answers);
            CHECK(kernel->contains(layer, 1, made ? &fixed : &ready, count, answers) == expected);
            for (size_t i = 0; i < MOST; i++)
                CHECK(answers[i] == (i >= count ? 2 : tamis_layer_has(layer, hashes[i])));
        }
    }
}

static void compare_shape(const tamis_kernel *kernel, uint64_t regions, uint32_t lines, uint32_t g,
                          uint32_t k)
{
    tamis_layer plain = new_layer(regions, lines, g, k), single = new_layer(regions, lines, g, k);
    tamis_layer batch = new_layer(regions, lines, g, k);
    uint64_t hashes[ITEMS], others[ITEMS];
    uint8_t new_items[ITEMS], found[ITEMS];
    fill_hashes(hashes, ITEMS, g * 8 + k);
    fill_hashes(others, ITEMS, 1000 + g * 8 + k);
    memcpy(hashes + ITEMS / 2, hashes, 10 * sizeof *hashes); /* repeats */
    tamis_source from = {.hashes = hashes};
    size_t total = kernel->add_all(&batch, &from, ITEMS, new_items), expected = 0;
    for (size_t i = 0; i < ITEMS; i++) {
        bool is_new = tamis_layer_add(&plain, hashes[i]);
        expected += is_new;
        CHECK(kernel->add(&single, hashes[i]) == is_new);
        CHECK(new_items[i] == is_new);
    }
    CHECK(total == expected);
    CHECK(memcmp(single.payload, plain.payload, tamis_layer_bytes(&plain)) == 0);
    CHECK(memcmp(batch.payload, plain.payload, tamis_layer_bytes(&plain)) == 0);
    from.hashes = others;
    const tamis_filter one = filter_of(kernel, &plain, 1, true), many = filter_of(kernel, &plain, 1, false);
    total = kernel->contains(&plain, 1, &from, ITEMS, found);
    for (size_t i = 0; i < ITEMS; i++) {
        bool has = tamis_layer_has(&plain, others[i]);
        total -= has;
        CHECK(found[i] == has);
        CHECK(kernel->has(&plain, others[i]) == has);
        CHECK(kernel->has(&plain, hashes[i]));
        CHECK(kernel->contains_one(&one, others[i]) == has);
        CHECK(kernel->contains_one(&many, others[i]) == has);
    }
    CHECK(total == 0);
    compare_sizes(kernel, &plain, others);
    free(plain.payload);
    free(single.payload);
    free(batch.payload);
}

static void for_each_kernel(void (*compare)(const tamis_kernel *kernel))
{
    size_t ran = 0;
    for (size_t i = 0; i < KERNELS; i++) {
        const tamis_kernel *kernel = tamis_kernel_named(names[i]);
        if (kernel == NULL) {
            (void)fprintf(stderr, "kernel %s: not on this machine\n", names[i]);
            continue;
        }
        CHECK(strcmp(kernel->name, names[i]) == 0);
        compare(kernel);
        ran++;
    }
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    compare(&emulated_avx512);
#endif
    CHECK(ran > 0);
}

static void check_shapes(const tamis_kernel *kernel)
{
    for (uint32_t g = 1; g <= 8; g++)
        for (uint32_t k = 1; k <= 8; k++) {
            compare_shape(kernel, 1, 1, g, k);
            compare_shape(kernel, 3, 67, g, k);
            compare_shape(kernel, 1, 8191, g, k);
        }
}

/* --- several layers, against a loop over the plain definitions ----------------- */

#define MANY 4200u /* some blocks */

typedef struct layered {
    tamis_layer layers[LAYERS]; /* what the kernel works on */
    tamis_layer model[LAYERS];
    uint64_t numbers[MANY]; /* items; their hashes: */
    uint64_t hashes[MANY];
} layered;

/* Some of the items are in one of the layers. */
static void begin_layered(layered *l, uint32_t lines)
{
    const tamis_source from = {.fixed = (const unsigned char *)l->numbers, .width = 8, .seed = 3};
    fill_hashes(l->numbers, MANY, 5);
    memcpy(l->numbers + MANY / 2, l->numbers, 100 * sizeof *l->numbers); /* repeats */
    tamis_source_hash(&from, 0, MANY, l->hashes);
    for (uint32_t i = 0; i < LAYERS; i++) {
        l->layers[i] = new_layer(1, lines + i, 1 + i, 8 - i);
        l->model[i] = new_layer(1, lines + i, 1 + i, 8 - i);
        for (size_t j = i; j < 1000; j += 2 * LAYERS) {
            (void)tamis_layer_add(&l->layers[i], l->hashes[j]);
            (void)tamis_layer_add(&l->model[i], l->hashes[j]);
        }
    }
}

static void end_layered(layered *l)
{
    for (uint32_t i = 0; i < LAYERS; i++) {
        free(l->layers[i].payload);
        free(l->model[i].payload);
    }
}

static bool model_has(const layered *l, uint64_t hash, uint32_t except)
{
    bool has = false;
    for (uint32_t i = 0; i < LAYERS; i++)
        has |= i != except && tamis_layer_has(&l->model[i], hash);
    return has;
}

static void compare_questions(const tamis_kernel *kernel, const layered *l, const tamis_source *from,
                              size_t count)
{
    uint8_t answers[MANY];
    const tamis_filter whole = filter_of(kernel, l->layers, LAYERS, false);
    size_t total = kernel->contains(l->layers, LAYERS, from, count, answers);
    CHECK(kernel->contains(l->layers, LAYERS, from, count, NULL) == total);
    for (size_t i = 0; i < count; i++) {
        bool has = model_has(l, l->hashes[i], LAYERS);
        total -= has;
        CHECK(answers[i] == has);
        CHECK(kernel->contains_one(&whole, l->hashes[i]) == has);
    }
    CHECK(total == 0);
}

static void compare_adds(const tamis_kernel *kernel, layered *l, const tamis_source *from, size_t count,
                         bool refresh)
{
    uint8_t answers[MANY];
    size_t changed;
    size_t total = kernel->add_unseen(l->layers, LAYERS, 1, refresh, from, count, answers, &changed);
    for (size_t i = 0; i < count; i++) {
        bool known = model_has(l, l->hashes[i], 1);
        bool set = (!known || refresh) && tamis_layer_add(&l->model[1], l->hashes[i]);
        changed -= set;
        total -= set && !known;
        CHECK(answers[i] == (set && !known));
    }
    CHECK(changed == 0);
    CHECK(total == 0);
    for (uint32_t i = 0; i < LAYERS; i++)
        CHECK(memcmp(l->layers[i].payload, l->model[i].payload, tamis_layer_bytes(&l->model[i])) == 0);
}

static void compare_layers(const tamis_kernel *kernel, uint32_t lines, bool refresh, bool made)
{
    static const size_t counts[] = {0, 1, 8, 9, 63, 65, 1023, 2047, 2048, 2049, MANY};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        layered l;
        begin_layered(&l, lines);
        const tamis_source ready = {.hashes = l.hashes};
        const tamis_source items = {.fixed = (const unsigned char *)l.numbers, .width = 8, .seed = 3};
        compare_questions(kernel, &l, made ? &items : &ready, counts[i]);
        compare_adds(kernel, &l, made ? &items : &ready, counts[i], refresh);
        compare_questions(kernel, &l, made ? &items : &ready, counts[i]);
        end_layered(&l);
    }
}

static void check_layers(const tamis_kernel *kernel)
{
    for (int way = 0; way < 4; way++) {
        compare_layers(kernel, 150, (way & 1) != 0, (way & 2) != 0);  /* near */
        compare_layers(kernel, 3000, (way & 1) != 0, (way & 2) != 0); /* far */
    }
}

int main(void)
{
    for_each_kernel(check_shapes);
    for_each_kernel(check_layers);
    CHECK(tamis_kernel_named("abacus") == NULL);
    CHECK(tamis_kernel_named(tamis_kernel_name()) == tamis_kernel_choose());
    printf("every kernel gives the plain bits\n");
    return 0;
}
