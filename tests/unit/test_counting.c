/* The counting filter: counters, removing, sticking at 15, merging. */
#include "support/support.h"

#include "filter/internal.h"
#include "filter/line.h"

static unsigned counter_of(const tamis_filter *filter, uint64_t bit)
{
    return (unsigned)filter->counters[bit / 2] >> (bit % 2 * 4) & 15u;
}

static bool bit_of(const tamis_filter *filter, uint64_t bit)
{
    return (filter->layers[0].payload[bit / 8] >> bit % 8 & 1) != 0;
}

/* A bit is set exactly where its counter is above 0. */
static void check_invariant(const tamis_filter *filter)
{
    uint64_t bits = tamis_geometry_lines(&filter->layers[0].geometry) * TAMIS_LINE_BITS;
    for (uint64_t bit = 0; bit < bits; bit++)
        assert_int_equal(bit_of(filter, bit), counter_of(filter, bit) > 0);
}

static tamis_status remove_u64(tamis_filter *filter, uint64_t item)
{
    return tamis_filter_remove(filter, &item, sizeof item);
}

static void test_removing_undoes_adding(void **state)
{
    (void)state;
    static const double rates[] = {0.3, 0.01, 1e-5, 1e-9};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        tamis_filter *filter = make_kind(TAMIS_COUNTING, 300, rates[i], 3);
        add_range(filter, 0, 200);
        tamis_filter *before = clone_of(filter);
        add_range(filter, 1000, 100);
        for (uint64_t item = 1000; item < 1100; item++)
            assert_int_equal(remove_u64(filter, item), TAMIS_OK);
        assert_int_equal(info_of(filter).stuck_counters, 0); /* else the next would be luck */
        assert_true(tamis_filter_equal(filter, before));
        for (uint64_t item = 0; item < 200; item++)
            assert_int_equal(remove_u64(filter, item), TAMIS_OK);
        assert_int_equal(info_of(filter).bits_set, 0);
        assert_int_equal(tamis_filter_items_offered(filter), 0);
        tamis_filter_free(before);
        tamis_filter_free(filter);
    }
}

static void test_each_add_needs_its_own_remove(void **state)
{
    (void)state;
    tamis_filter *filter = make_kind(TAMIS_COUNTING, 100, 1e-6, 3);
    for (int i = 0; i < 10; i++)
        assert_int_equal(add_u64(filter, 7), i == 0);
    assert_int_equal(tamis_filter_items_offered(filter), 10);
    for (int i = 0; i < 10; i++) {
        assert_true(has_u64(filter, 7));
        assert_int_equal(remove_u64(filter, 7), TAMIS_OK);
    }
    assert_false(has_u64(filter, 7));
    assert_int_equal(remove_u64(filter, 7), TAMIS_E_NOT_FOUND);
    tamis_filter_free(filter);
}

static void test_removing_what_is_not_there_changes_nothing(void **state)
{
    (void)state;
    tamis_filter *filter = make_kind(TAMIS_COUNTING, 200, 0.01, 3);
    add_range(filter, 0, 200);
    tamis_filter *before = clone_of(filter);
    uint64_t refused = 0;
    for (uint64_t item = 1000; item < 6000; item++) {
        if (has_u64(filter, item))
            continue; /* a false positive cannot be told */
        assert_int_equal(remove_u64(filter, item), TAMIS_E_NOT_FOUND);
        refused++;
    }
    assert_true(refused > 4500);
    assert_true(tamis_filter_equal(filter, before));
    tamis_filter_free(before);
    tamis_filter_free(filter);
}

static bool has_repeats(const uint64_t *bits, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        for (unsigned j = 0; j < i; j++)
            if (bits[i] == bits[j])
                return true;
    return false;
}

/* An item two of whose probes are the same bit needs two of its counter. Where that
 * counter is at 1, the removal finds out half way and must put everything back. */
static void test_a_removal_that_fails_half_way_is_undone(void **state)
{
    (void)state;
    tamis_filter *filter = make_kind(TAMIS_COUNTING, 1000, 1e-8, 3); /* several lines an item, of few */
    unsigned found = 0;
    for (uint64_t item = 0; item < 10000; item++) {
        uint64_t bits[64];
        unsigned count =
            tamis_layer_bits(&filter->layers[0], tamis_filter_hash(filter, &item, sizeof item), bits);
        if (!has_repeats(bits, count))
            continue;
        found++;
        for (unsigned i = 0; i < count; i++) { /* as other items would leave it */
            filter->layers[0].payload[bits[i] / 8] |= (unsigned char)(1u << bits[i] % 8);
            filter->counters[bits[i] / 2] |= (unsigned char)(1u << bits[i] % 2 * 4);
        }
        tamis_filter *before = clone_of(filter);
        assert_true(has_u64(filter, item));
        assert_int_equal(remove_u64(filter, item), TAMIS_E_NOT_FOUND);
        assert_true(tamis_filter_equal(filter, before));
        tamis_filter_free(before);
        assert_int_equal(tamis_filter_clear(filter), TAMIS_OK);
    }
    assert_true(found >= 10);
    tamis_filter_free(filter);
}

static void test_counters_stick_at_15(void **state)
{
    (void)state;
    tamis_filter *filter = make_kind(TAMIS_COUNTING, 100, 0.01, 3);
    for (int i = 0; i < 14; i++)
        (void)add_u64(filter, 7);
    assert_int_equal(info_of(filter).stuck_counters, 0);
    (void)add_u64(filter, 7); /* the fifteenth */
    tamis_info info = info_of(filter);
    assert_int_equal(info.stuck_counters, info.bits_set);
    for (int i = 0; i < 30; i++)
        (void)add_u64(filter, 7);
    for (int i = 0; i < 100; i++) { /* never again absent */
        assert_int_equal(remove_u64(filter, 7), TAMIS_OK);
        assert_true(has_u64(filter, 7));
    }
    assert_int_equal(info_of(filter).stuck_counters, info.bits_set);
    assert_int_equal(tamis_filter_items_offered(filter), 0); /* and not below */
    tamis_filter_free(filter);
}

static void test_merge_adds_counters(void **state)
{
    (void)state;
    tamis_filter *a = make_kind(TAMIS_COUNTING, 300, 0.01, 3), *b = clone_of(a), *both = clone_of(a);
    add_range(a, 0, 200);
    add_range(b, 100, 200);
    add_range(both, 0, 200);
    add_range(both, 100, 200);
    assert_int_equal(tamis_filter_merge(a, b, NULL), TAMIS_OK);
    assert_true(tamis_filter_equal(a, both));
    check_invariant(a);
    assert_int_equal(remove_u64(a, 150), TAMIS_OK); /* once in each */
    assert_true(has_u64(a, 150));
    assert_int_equal(remove_u64(a, 150), TAMIS_OK);
    tamis_filter_free(a);
    tamis_filter_free(b);
    tamis_filter_free(both);
}

static void test_merge_saturates(void **state)
{
    (void)state;
    tamis_filter *a = make_kind(TAMIS_COUNTING, 100, 1e-6, 3), *b = clone_of(a);
    for (int i = 0; i < 10; i++) {
        (void)add_u64(a, 7);
        (void)add_u64(b, 7);
        (void)add_u64(i < 4 ? a : b, 8); /* 4 + 6: does not */
    }
    assert_int_equal(tamis_filter_merge(a, b, NULL), TAMIS_OK);
    for (int i = 0; i < 20; i++)
        assert_int_equal(remove_u64(a, 7), TAMIS_OK);
    assert_true(has_u64(a, 7)); /* stuck: 20 do not fit in 4 bits */
    for (int i = 0; i < 10; i++)
        assert_int_equal(remove_u64(a, 8), TAMIS_OK);
    assert_false(has_u64(a, 8));
    check_invariant(a);
    tamis_filter_free(a);
    tamis_filter_free(b);
}

static void test_merge_with_itself_is_refused(void **state)
{
    (void)state;
    tamis_filter *filter = make_kind(TAMIS_COUNTING, 100, 0.01, 3);
    tamis_error err = {TAMIS_OK, 0, ""};
    add_range(filter, 0, 50);
    tamis_filter *before = clone_of(filter);
    assert_int_equal(tamis_filter_merge(filter, filter, &err), TAMIS_E_ARGUMENT);
    assert_non_null(strstr(err.message, "itself"));
    assert_true(tamis_filter_equal(filter, before));
    assert_int_equal(tamis_filter_merge(filter, before, NULL), TAMIS_OK); /* a copy is another */
    tamis_filter_free(filter);
    tamis_filter_free(before);
}

/* Any mix of adds and of removes of what is there, beside a multiset: nothing that is in
 * the multiset is ever absent, and the counters fit the bits throughout. */
static void check_against_multiset(double rate, uint32_t region_lines, uint64_t seed)
{
    enum { ITEMS = 150, STEPS = 6000 };
    unsigned held[ITEMS] = {0};
    uint64_t random = seed, in_all = 0;
    tamis_params params = params_of(TAMIS_COUNTING, 200, rate, seed);
    params.region_lines = region_lines;
    tamis_filter *filter = make_filter(&params);
    for (int step = 0; step < STEPS; step++) {
        uint64_t item = random_below(&random, ITEMS);
        if (held[item] > 0 && random_below(&random, 2) == 0) {
            assert_int_equal(remove_u64(filter, item), TAMIS_OK);
            held[item]--;
            in_all--;
        } else if (held[item] < 3) {
            bool had = has_u64(filter, item);
            assert_int_equal(add_u64(filter, item), !had);
            held[item]++;
            in_all++;
        }
        assert_int_equal(tamis_filter_items_offered(filter), in_all);
        if (step % 500 == 0) {
            check_invariant(filter);
            for (uint64_t i = 0; i < ITEMS; i++)
                assert_true(held[i] == 0 || has_u64(filter, i));
        }
    }
    for (uint64_t i = 0; i < ITEMS; i++)
        for (; held[i] > 0; held[i]--)
            assert_int_equal(remove_u64(filter, i), TAMIS_OK);
    check_invariant(filter);
    tamis_info info = info_of(filter);
    if (info.stuck_counters == 0)
        assert_int_equal(info.bits_set, 0);
    assert_true(info.bits_set <= info.stuck_counters);
    tamis_filter_free(filter);
}

static void test_any_mix_of_adds_and_removes(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        check_against_multiset(0.3, 0, seed); /* crowded: counters stick */
        check_against_multiset(0.01, 1, seed);
        check_against_multiset(1e-4, 0, seed);
        check_against_multiset(1e-9, 64, seed);
    }
}

static void test_memory_is_five_times_that_of_bloom(void **state)
{
    (void)state;
    tamis_filter *bloom = make_kind(TAMIS_BLOOM, 10000, 0.01, 0);
    tamis_filter *counting = make_kind(TAMIS_COUNTING, 10000, 0.01, 0);
    assert_int_equal(tamis_filter_payload_bytes(counting), 5 * tamis_filter_payload_bytes(bloom));
    add_range(bloom, 0, 10000);
    add_range(counting, 0, 10000);
    size_t nbytes = (size_t)tamis_filter_payload_bytes(bloom); /* the same bits answer */
    assert_memory_equal(bloom->layers[0].payload, counting->layers[0].payload, nbytes);
    tamis_filter_free(bloom);
    tamis_filter_free(counting);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_removing_undoes_adding),
        cmocka_unit_test(test_each_add_needs_its_own_remove),
        cmocka_unit_test(test_removing_what_is_not_there_changes_nothing),
        cmocka_unit_test(test_a_removal_that_fails_half_way_is_undone),
        cmocka_unit_test(test_counters_stick_at_15),
        cmocka_unit_test(test_merge_adds_counters),
        cmocka_unit_test(test_merge_saturates),
        cmocka_unit_test(test_merge_with_itself_is_refused),
        cmocka_unit_test(test_any_mix_of_adds_and_removes),
        cmocka_unit_test(test_memory_is_five_times_that_of_bloom),
    };
    return cmocka_run_group_tests_name("counting", tests, NULL, NULL);
}
