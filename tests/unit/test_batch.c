/* Batches give the same as one call for each item: every form, kind, size and cut. */
#include "support/items.h"

#define COUNT 700
#define WIDTH 5

/* Items of five bytes with repeats among them, in the three forms. */
typedef struct batch {
    unsigned char fixed[COUNT * WIDTH];
    tamis_item items[COUNT];
    uint64_t hashes[COUNT];
} batch;

static void fill(batch *all, const tamis_filter *filter, uint64_t random)
{
    for (size_t i = 0; i < COUNT; i++) {
        unsigned char *item = all->fixed + i * WIDTH;
        memset(item, 0, WIDTH);
        item[random_below(&random, WIDTH)] = (unsigned char)random_below(&random, 256);
        item[0] = (unsigned char)(item[0] ^ (unsigned char)i);
        all->items[i].data = item;
        all->items[i].len = WIDTH;
        all->hashes[i] = tamis_filter_hash(filter, item, WIDTH);
    }
}

typedef enum form { BY_REFERENCE, FIXED, HASHES, FORMS } form;

static tamis_status add_some(tamis_filter *filter, const batch *all, form how, size_t from, size_t count,
                             uint8_t *out_new, size_t *total, size_t *done)
{
    switch (how) {
    case BY_REFERENCE:
        return tamis_filter_add_batch(filter, all->items + from, count, out_new, total, done);
    case FIXED:
        return tamis_filter_add_fixed(filter, all->fixed + from * WIDTH, WIDTH, count, out_new, total, done);
    case HASHES:
    case FORMS:
        break;
    }
    return tamis_filter_add_hashes(filter, all->hashes + from, count, out_new, total, done);
}

static size_t ask_some(const tamis_filter *filter, const batch *all, form how, size_t from, size_t count,
                       uint8_t *out)
{
    switch (how) {
    case BY_REFERENCE:
        return tamis_filter_contains_batch(filter, all->items + from, count, out);
    case FIXED:
        return tamis_filter_contains_fixed(filter, all->fixed + from * WIDTH, WIDTH, count, out);
    case HASHES:
    case FORMS:
        break;
    }
    return tamis_filter_contains_hashes(filter, all->hashes + from, count, out);
}

/* Shapes that take different ways through the kernels: g and k small and large, one
 * region and many, in cache and (region_lines of 1) not on a grid. */
static const struct shape {
    tamis_kind kind;
    double rate;
    unsigned flags;
    uint32_t region_lines;
} shapes[] = {
    {TAMIS_BLOOM, 0.01, 0, 0},
    {TAMIS_BLOOM, 0.3, 0, 0},
    {TAMIS_BLOOM, 1e-9, 0, 64},
    {TAMIS_BLOOM, 1e-6, TAMIS_COMPACT, 0},
    {TAMIS_BLOOM, 0.01, 0, 1},
    {TAMIS_COUNTING, 0.01, 0, 0},
    {TAMIS_COUNTING, 1e-6, 0, 0},
    {TAMIS_SCALABLE, 0.01, 0, 0},
    {TAMIS_SCALABLE, 1e-6, 0, 0},
    {TAMIS_ROTATING, 0.01, 0, 0},
    {TAMIS_ROTATING, 0.001, TAMIS_REFRESH, 0},
};

#define SHAPES (sizeof shapes / sizeof *shapes)

/* A filter of few items, so that scalable ones grow and there are false positives. */
static tamis_filter *make_shape(const struct shape *shape)
{
    tamis_params params = params_of(shape->kind, 200, shape->rate, 7);
    params.flags = shape->flags;
    params.region_lines = shape->region_lines;
    tamis_filter *filter = make_filter(&params);
    if (shape->kind == TAMIS_ROTATING) { /* something in an older generation */
        assert_int_equal(tamis_filter_advance(filter, 100000), TAMIS_OK);
        add_range(filter, 0, 25);
        assert_int_equal(tamis_filter_advance(filter, 103000), TAMIS_OK);
    }
    return filter;
}

/* The reference: one call for each item. */
static void add_singly(tamis_filter *filter, const batch *all, uint8_t *answers)
{
    for (size_t i = 0; i < COUNT; i++) {
        bool is_new;
        assert_int_equal(tamis_filter_add(filter, all->items[i].data, all->items[i].len, &is_new), TAMIS_OK);
        answers[i] = is_new;
    }
}

static size_t sum(const uint8_t *answers, size_t count)
{
    size_t total = 0;
    for (size_t i = 0; i < count; i++)
        total += answers[i];
    return total;
}

/* Cut into pieces of `piece` items (0: of random sizes), with or without answers. */
static void check_adds(const struct shape *shape, form how, size_t piece, bool answers_too)
{
    static batch all;
    uint8_t wanted[COUNT], given[COUNT];
    uint64_t random = piece + 1;
    tamis_filter *single = make_shape(shape), *batched = make_shape(shape);
    fill(&all, single, 3);
    add_singly(single, &all, wanted);
    memset(given, 0x5a, sizeof given);
    for (size_t at = 0; at < COUNT;) {
        size_t take = piece != 0 ? piece : (size_t)random_below(&random, 150);
        size_t total = 0, done = 0;
        take = take < COUNT - at ? take : COUNT - at;
        assert_int_equal(
            add_some(batched, &all, how, at, take, answers_too ? given + at : NULL, &total, &done), TAMIS_OK);
        assert_int_equal(done, take);
        assert_int_equal(total, sum(wanted + at, take));
        at += take;
    }
    if (answers_too)
        assert_memory_equal(given, wanted, COUNT);
    assert_true(tamis_filter_equal(single, batched));
    assert_int_equal(tamis_filter_items_offered(batched), tamis_filter_items_offered(single));
    tamis_filter_free(single);
    tamis_filter_free(batched);
}

static void test_adding_in_batches_equals_adding_singly(void **state)
{
    (void)state;
    static const size_t pieces[] = {0, 1, 2, 7, 8, 9, 63, 64, 65, 127, 128, 129, 255, 256, 257, COUNT};
    for (size_t s = 0; s < SHAPES; s++)
        for (form how = BY_REFERENCE; how < FORMS; how++)
            for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++) {
                check_adds(&shapes[s], how, pieces[p], true);
                check_adds(&shapes[s], how, pieces[p], false);
            }
}

static void test_every_place_to_cut_gives_the_same(void **state)
{
    (void)state;
    static batch all;
    for (size_t s = 0; s < SHAPES; s++) {
        tamis_filter *whole = make_shape(&shapes[s]);
        fill(&all, whole, 3);
        assert_int_equal(add_some(whole, &all, BY_REFERENCE, 0, COUNT, NULL, NULL, NULL), TAMIS_OK);
        for (size_t cut = 0; cut <= COUNT; cut += cut < 140 ? 1 : 37) {
            tamis_filter *cut_in_two = make_shape(&shapes[s]);
            assert_int_equal(add_some(cut_in_two, &all, HASHES, 0, cut, NULL, NULL, NULL), TAMIS_OK);
            assert_int_equal(add_some(cut_in_two, &all, FIXED, cut, COUNT - cut, NULL, NULL, NULL), TAMIS_OK);
            assert_true(tamis_filter_equal(whole, cut_in_two));
            tamis_filter_free(cut_in_two);
        }
        tamis_filter_free(whole);
    }
}

static void check_asks(const tamis_filter *filter, const batch *all, form how, size_t from, size_t count)
{
    uint8_t given[COUNT];
    memset(given, 0x5a, sizeof given);
    size_t found = ask_some(filter, all, how, from, count, given);
    assert_int_equal(found, sum(given, count));
    assert_int_equal(ask_some(filter, all, how, from, count, NULL), found);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(given[i], tamis_filter_contains(filter, all->items[from + i].data, WIDTH));
    for (size_t i = count; i < COUNT; i++) /* nothing written behind the end */
        assert_int_equal(given[i], 0x5a);
}

static void test_asking_in_batches_equals_asking_singly(void **state)
{
    (void)state;
    static batch all;
    for (size_t s = 0; s < SHAPES; s++) {
        tamis_filter *filter = make_shape(&shapes[s]);
        fill(&all, filter, 5);
        assert_int_equal(add_some(filter, &all, FIXED, 0, COUNT / 3, NULL, NULL, NULL), TAMIS_OK);
        for (form how = BY_REFERENCE; how < FORMS; how++) {
            for (size_t count = 0; count <= 140; count++)
                check_asks(filter, &all, how, (count * 5) % (COUNT - 140), count);
            check_asks(filter, &all, how, 0, COUNT);
        }
        tamis_filter_free(filter);
    }
}

static void test_empty_batches_do_nothing(void **state)
{
    (void)state;
    for (size_t s = 0; s < SHAPES; s++) {
        tamis_filter *filter = make_shape(&shapes[s]), *before = clone_of(filter);
        size_t total = 9, done = 9;
        assert_int_equal(tamis_filter_add_batch(filter, NULL, 0, NULL, &total, &done), TAMIS_OK);
        assert_int_equal(total, 0);
        assert_int_equal(done, 0);
        assert_int_equal(tamis_filter_add_fixed(filter, NULL, 1, 0, NULL, NULL, NULL), TAMIS_OK);
        assert_int_equal(tamis_filter_add_hashes(filter, NULL, 0, NULL, NULL, NULL), TAMIS_OK);
        assert_int_equal(tamis_filter_contains_batch(filter, NULL, 0, NULL), 0);
        assert_int_equal(tamis_filter_contains_fixed(filter, NULL, 1, 0, NULL), 0);
        assert_int_equal(tamis_filter_contains_hashes(filter, NULL, 0, NULL), 0);
        assert_true(tamis_filter_equal(filter, before));
        tamis_filter_free(before);
        tamis_filter_free(filter);
    }
}

/* Items of every length around the steps of the hash, the same by reference and singly;
 * all widths in the fixed form. */
static void test_items_of_every_length(void **state)
{
    (void)state;
    static unsigned char bytes[600];
    uint64_t random = 11;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)next_random(&random);
    tamis_filter *filter = make_kind(TAMIS_BLOOM, 1000, 1e-9, 5);
    for (size_t len = 0; len <= 300; len++) {
        tamis_item item = {len == 0 ? NULL : bytes, len};
        uint8_t is_new = 0;
        assert_int_equal(tamis_filter_add_batch(filter, &item, 1, &is_new, NULL, NULL), TAMIS_OK);
        assert_int_equal(is_new, 1); /* at 1e-9 each length is an item of its own */
        assert_true(tamis_filter_contains(filter, bytes, len));
        if (len > 0)
            assert_int_equal(tamis_filter_contains_fixed(filter, bytes, len, 1, NULL), 1);
        assert_false(tamis_filter_contains(filter, bytes + 1, len + 1));
    }
    tamis_filter_free(filter);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_adding_in_batches_equals_adding_singly),
        cmocka_unit_test(test_every_place_to_cut_gives_the_same),
        cmocka_unit_test(test_asking_in_batches_equals_asking_singly),
        cmocka_unit_test(test_empty_batches_do_nothing),
        cmocka_unit_test(test_items_of_every_length),
    };
    return cmocka_run_group_tests_name("batch", tests, NULL, NULL);
}
