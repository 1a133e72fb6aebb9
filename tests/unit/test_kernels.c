/* Every kernel that this machine can run gives the bits and answers of the plain
 * definitions in src/filter/line.h, for all g and k, single and in batches. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "filter/kernel.h"
#include "filter/line.h"

static const char *const names[] = {"plain", "avx2", "avx512", "neon"};

#define KERNELS (sizeof names / sizeof *names)
#define ITEMS 700u
#define LAYERS 3u

static tamis_layer new_layer(uint64_t regions, uint32_t region_lines, uint32_t g, uint32_t k)
{
    tamis_layer layer = {.geometry = {regions, region_lines, g, k}, .capacity = 1, .error_rate = 0.5};
    layer.payload = aligned_alloc(64, tamis_layer_bytes(&layer));
    assert_non_null(layer.payload);
    memset(layer.payload, 0, tamis_layer_bytes(&layer));
    return layer;
}

static void fill_hashes(uint64_t *hashes, size_t count, uint64_t seed)
{
    for (size_t i = 0; i < count; i++)
        hashes[i] = tamis_hash_u64(i, seed);
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
        assert_int_equal(kernel->add(&single, hashes[i]), is_new);
        assert_int_equal(new_items[i], is_new);
    }
    assert_int_equal(total, expected);
    assert_memory_equal(single.payload, plain.payload, tamis_layer_bytes(&plain));
    assert_memory_equal(batch.payload, plain.payload, tamis_layer_bytes(&plain));
    from.hashes = others;
    total = kernel->contains(&plain, 1, &from, ITEMS, found);
    for (size_t i = 0; i < ITEMS; i++) {
        bool has = tamis_layer_has(&plain, others[i]);
        total -= has;
        assert_int_equal(found[i], has);
        assert_int_equal(kernel->has(&plain, others[i]), has);
        assert_true(kernel->has(&plain, hashes[i]));
    }
    assert_int_equal(total, 0);
    free(plain.payload);
    free(single.payload);
    free(batch.payload);
}

static void for_each_kernel(void (*check)(const tamis_kernel *kernel))
{
    size_t ran = 0;
    for (size_t i = 0; i < KERNELS; i++) {
        const tamis_kernel *kernel = tamis_kernel_named(names[i]);
        if (kernel == NULL) {
            print_message("kernel %s: not on this machine\n", names[i]);
            continue;
        }
        assert_string_equal(kernel->name, names[i]);
        check(kernel);
        ran++;
    }
    assert_true(ran > 0);
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

static void test_same_bits_for_all_g_and_k(void **state)
{
    (void)state;
    for_each_kernel(check_shapes);
}

/* Several layers, against a loop over the plain definitions. */
static void compare_layers(const tamis_kernel *kernel, bool refresh)
{
    tamis_layer layers[LAYERS], model[LAYERS];
    uint64_t hashes[ITEMS];
    uint8_t answers[ITEMS];
    fill_hashes(hashes, ITEMS, 5);
    for (uint32_t i = 0; i < LAYERS; i++) {
        layers[i] = new_layer(1, 20 + i, 1 + i, 8 - i);
        model[i] = new_layer(1, 20 + i, 1 + i, 8 - i);
        for (size_t j = i; j < 100; j += LAYERS) {
            (void)tamis_layer_add(&layers[i], hashes[j]);
            (void)tamis_layer_add(&model[i], hashes[j]);
        }
    }
    tamis_source from = {.hashes = hashes};
    size_t changed;
    size_t total = kernel->add_unseen(layers, LAYERS, 1, refresh, &from, ITEMS, answers, &changed);
    for (size_t i = 0; i < ITEMS; i++) {
        bool known = tamis_layer_has(&model[0], hashes[i]) || tamis_layer_has(&model[2], hashes[i]);
        bool set = (!known || refresh) && tamis_layer_add(&model[1], hashes[i]);
        changed -= set;
        total -= set && !known;
        assert_int_equal(answers[i], set && !known);
        assert_true(kernel->any_has(layers, LAYERS, UINT32_MAX, hashes[i]));
    }
    assert_int_equal(changed, 0);
    assert_int_equal(total, 0);
    assert_memory_equal(layers[1].payload, model[1].payload, tamis_layer_bytes(&model[1]));
    assert_int_equal(kernel->contains(layers, LAYERS, &from, ITEMS, NULL), ITEMS);
    for (uint32_t i = 0; i < LAYERS; i++) {
        free(layers[i].payload);
        free(model[i].payload);
    }
}

static void check_layers(const tamis_kernel *kernel)
{
    compare_layers(kernel, false);
    compare_layers(kernel, true);
}

static void test_several_layers(void **state)
{
    (void)state;
    for_each_kernel(check_layers);
}

static void test_kernel_name(void **state)
{
    (void)state;
    assert_ptr_equal(tamis_kernel_named(tamis_kernel_name()), tamis_kernel_choose());
}

static void test_unknown_kernel(void **state)
{
    (void)state;
    assert_null(tamis_kernel_named("abacus"));
    assert_non_null(tamis_kernel_choose());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bits_for_all_g_and_k),
        cmocka_unit_test(test_several_layers),
        cmocka_unit_test(test_kernel_name),
        cmocka_unit_test(test_unknown_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
