/* No false negative, ever: whatever the kind, the size, the shape of the lines and the
 * way in which items came, an item that was added is found.
 *
 * TAMIS_TEST_FULL=1: up to 10 million items. */
#include "support/items.h"

#include <inttypes.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Adds the items from..from+count-1 in pieces of random sizes by any of the calls. */
static void add_in_pieces(tamis_filter *filter, item_shape shape, uint64_t from, uint64_t count,
                          uint64_t *random)
{
    static item_block block;
    static uint64_t hashes[ITEM_BLOCK];
    for (uint64_t at = 0; at < count;) {
        uint64_t wanted = 1 + random_below(random, ITEM_BLOCK), way = random_below(random, 8);
        size_t take = fill_block(&block, shape, from + at, wanted < count - at ? wanted : count - at);
        if (way == 0) {
            for (size_t i = 0; i < take; i++)
                assert_int_equal(tamis_filter_add(filter, block.items[i].data, block.items[i].len, NULL),
                                 TAMIS_OK);
        } else if (way < 3) {
            for (size_t i = 0; i < take; i++)
                hashes[i] = tamis_filter_hash(filter, block.items[i].data, block.items[i].len);
            assert_int_equal(tamis_filter_add_hashes(filter, hashes, take, NULL, NULL, NULL), TAMIS_OK);
        } else {
            assert_int_equal(tamis_filter_add_batch(filter, block.items, take, NULL, NULL, NULL), TAMIS_OK);
        }
        at += take;
    }
}

static void expect_all(const tamis_filter *filter, item_shape shape, uint64_t from, uint64_t count)
{
    uint64_t hits = hits_of_items(filter, shape, from, count);
    if (hits != count)
        print_error("%" PRIu64 " of %" PRIu64 " %s items lost\n", count - hits, count, shape_name(shape));
    assert_true(hits == count);
    unsigned char item[ITEM_MAX]; /* one call for each of some */
    for (uint64_t i = from; i < from + count; i += 1 + count / 50)
        assert_true(tamis_filter_contains(filter, item, put_item(shape, i, item)));
}

static void check_filter(const tamis_params *params, item_shape shape, uint64_t count)
{
    uint64_t random = params->seed + count;
    tamis_filter *filter = make_filter(params);
    if (params->kind == TAMIS_ROTATING)
        assert_int_equal(tamis_filter_advance(filter, random_below(&random, 100000)), TAMIS_OK);
    add_in_pieces(filter, shape, 0, count, &random);
    expect_all(filter, shape, 0, count);
    tamis_filter_free(filter);
}

static const uint64_t sizes[] = {1, 2, 3, 10, 51, 100, 1000, 10000, 100000, 1000000, 10000000};

static size_t size_count(void)
{
    return full_run() ? COUNT(sizes) : COUNT(sizes) - 2;
}

static const tamis_kind kinds[] = {TAMIS_BLOOM, TAMIS_COUNTING, TAMIS_SCALABLE, TAMIS_ROTATING};

static void test_every_kind_and_size(void **state)
{
    (void)state;
    for (size_t kind = 0; kind < COUNT(kinds); kind++)
        for (size_t i = 0; i < size_count(); i++) {
            tamis_params params = params_of(kinds[kind], sizes[i], 0.01, i);
            item_shape shape = (item_shape)((kind + i) % ITEMS_STRIDE16);
            if (sizes[i] > 1000000 && kinds[kind] != TAMIS_BLOOM)
                continue;
            check_filter(&params, shape, sizes[i]);
            if (sizes[i] <= 10000) /* three times too many */
                check_filter(&params, shape, 3 * sizes[i]);
        }
}

static void test_every_shape_of_items(void **state)
{
    (void)state;
    for (item_shape shape = ITEMS_RANDOM; shape < ITEM_SHAPES; shape++)
        for (size_t kind = 0; kind < COUNT(kinds); kind++) {
            tamis_params params = params_of(kinds[kind], 20000, 0.001, 5);
            check_filter(&params, shape, 20000);
        }
}

/* Rates that use every number of lines an item and of bits a line. */
static void test_every_geometry(void **state)
{
    (void)state;
    static const double rates[] = {0.9,  0.5,  0.3,  0.2,  0.1,  0.05,  0.02,  0.01,  3e-3,  1e-3, 1e-4,
                                   1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13, 1e-15};
    static const uint32_t limits[] = {0, 1, 7, 64, 1000};
    bool seen[9][9] = {{false}};
    for (size_t n = 0; n < 2; n++)
        for (size_t i = 0; i < COUNT(rates); i++)
            for (size_t j = 0; j < COUNT(limits); j++)
                for (unsigned flags = 0; flags <= TAMIS_COMPACT; flags++) {
                    tamis_params params = params_of(TAMIS_BLOOM, n == 0 ? 3000 : 9000, rates[i], i);
                    tamis_plan plan = {.struct_size = sizeof plan};
                    params.region_lines = limits[j];
                    params.flags = flags;
                    if (tamis_plan_filter(&params, &plan, NULL) != TAMIS_OK)
                        continue; /* regions too small for several lines an item */
                    seen[plan.lines_per_item][plan.bits_per_line] = true;
                    check_filter(&params, ITEMS_DECIMAL, params.capacity);
                }
    for (size_t g = 1; g <= 6; g++) /* the test would be worth little without these */
        assert_true(seen[g][5] || seen[g][6] || seen[g][7] || seen[g][8]);
    for (size_t k = 1; k <= 8; k++)
        assert_true(seen[1][k]);
}

static void test_clones_and_merges(void **state)
{
    (void)state;
    static const double rates[] = {0.1, 0.01, 1e-6};
    for (size_t kind = 0; kind < 2; kind++)
        for (size_t i = 0; i < COUNT(rates); i++) {
            uint64_t random = i;
            tamis_filter *a = make_kind(kinds[kind], 5000, rates[i], 5), *b = clone_of(a);
            add_in_pieces(a, ITEMS_RANDOM, 0, 3000, &random);
            add_in_pieces(b, ITEMS_RANDOM, 2000, 3000, &random);
            tamis_filter *copy = clone_of(b);
            expect_all(copy, ITEMS_RANDOM, 2000, 3000);
            assert_int_equal(tamis_filter_merge(copy, a, NULL), TAMIS_OK);
            expect_all(copy, ITEMS_RANDOM, 0, 5000);
            expect_all(a, ITEMS_RANDOM, 0, 3000);
            expect_all(b, ITEMS_RANDOM, 2000, 3000);
            tamis_filter_free(a);
            tamis_filter_free(b);
            tamis_filter_free(copy);
        }
}

static void test_growth(void **state)
{
    (void)state;
    static const double rates[] = {0.3, 0.01, 1e-6};
    uint64_t most = full_run() ? 5000000 : 200000;
    for (size_t i = 0; i < COUNT(rates); i++) {
        uint64_t random = i;
        tamis_filter *filter = make_kind(TAMIS_SCALABLE, 50, rates[i], 5);
        for (uint64_t n = 0; n < most; n += most / 4) {
            add_in_pieces(filter, ITEMS_PREFIX, n, most / 4, &random);
            expect_all(filter, ITEMS_PREFIX, 0, n + most / 4);
        }
        tamis_filter *copy = clone_of(filter);
        expect_all(copy, ITEMS_PREFIX, 0, most);
        tamis_filter_free(copy);
        tamis_filter_free(filter);
    }
}

/* Counting: any order of adds and removes of what is there, at loads where removed items
 * share most of their bits with those that stay. */
static void check_removes(double rate, uint64_t capacity, uint64_t seed)
{
    uint64_t random = seed, items = capacity * 2;
    uint8_t *held = calloc(items, 1);
    tamis_filter *filter = make_kind(TAMIS_COUNTING, capacity, rate, seed);
    assert_non_null(held);
    for (uint64_t step = 0; step < 6 * capacity; step++) {
        uint64_t item = random_below(&random, items);
        if (held[item] > 0) {
            assert_int_equal(tamis_filter_remove(filter, &item, sizeof item), TAMIS_OK);
            held[item]--;
        } else {
            for (held[item] = 1 + step % 2; random_below(&random, 20) == 0; held[item]++)
                (void)add_u64(filter, item);
            for (unsigned i = 0; i < 1 + step % 2; i++)
                (void)add_u64(filter, item);
        }
    }
    for (uint64_t item = 0; item < items; item++)
        assert_true(held[item] == 0 || has_u64(filter, item));
    free(held);
    tamis_filter_free(filter);
}

static void test_removes_of_what_was_added(void **state)
{
    (void)state;
    static const double rates[] = {0.5, 0.1, 0.01, 1e-4, 1e-8};
    for (size_t i = 0; i < COUNT(rates); i++) {
        check_removes(rates[i], 10, i);
        check_removes(rates[i], 500, i);
        check_removes(rates[i], full_run() ? 200000 : 5000, i);
    }
}

/* Rotating: what was new when it was added is there until its window ends; with
 * refreshing, everything is. (An item that is taken for a repeat by mistake and not
 * refreshed lives as long as what it was mistaken for.) */
static void check_window(unsigned flags, double rate)
{
    enum { SLOTS = 40, PER_SLOT = 250 };
    static uint8_t is_new[SLOTS * PER_SLOT];
    tamis_params params = params_of(TAMIS_ROTATING, 8 * PER_SLOT, rate, 5);
    params.flags = flags;
    tamis_filter *filter = make_filter(&params); /* 8 s: slots of 1 s */
    for (uint64_t slot = 0; slot < SLOTS; slot++) {
        assert_int_equal(tamis_filter_advance(filter, 1000000 + slot * 1000 + 999), TAMIS_OK);
        for (uint64_t i = slot * PER_SLOT; i < (slot + 1) * PER_SLOT; i++)
            is_new[i] = add_u64(filter, i) || (flags & TAMIS_REFRESH) != 0;
        uint64_t oldest = slot < 8 ? 0 : slot - 8;
        for (uint64_t i = oldest * PER_SLOT; i < (slot + 1) * PER_SLOT; i++)
            assert_true(!is_new[i] || has_u64(filter, i));
    }
    tamis_filter_free(filter);
}

static void test_rotation(void **state)
{
    (void)state;
    static const double rates[] = {0.3, 0.01, 1e-6};
    for (size_t i = 0; i < COUNT(rates); i++) {
        check_window(0, rates[i]);
        check_window(TAMIS_REFRESH, rates[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_kind_and_size),
        cmocka_unit_test(test_every_shape_of_items),
        cmocka_unit_test(test_every_geometry),
        cmocka_unit_test(test_clones_and_merges),
        cmocka_unit_test(test_growth),
        cmocka_unit_test(test_removes_of_what_was_added),
        cmocka_unit_test(test_rotation),
    };
    return cmocka_run_group_tests_name("no false negative", tests, NULL, NULL);
}
