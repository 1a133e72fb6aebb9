/* The scalable filter: growth that keeps the promise, its end, failures on the way. */
#include "support/counting_allocator.h"

#include "filter/internal.h"
#include "filter/layers.h"
#include "filter/plan.h"

static void check_layers(const tamis_filter *filter, double promised)
{
    tamis_info info = info_of(filter);
    double sum = 0.0;
    uint64_t capacity = 0;
    for (uint32_t i = 0; i < info.layers; i++) {
        tamis_layer_info layer = layer_of(filter, i);
        sum += layer.error_rate;
        capacity += layer.capacity;
        assert_true(layer.items_new <= tamis_layer_full_at(&filter->layers[i]) + layer.capacity / 1024 + 1);
        if (i > 0) {
            tamis_layer_info before = layer_of(filter, i - 1);
            assert_true(layer.error_rate < before.error_rate);
            assert_true(layer.capacity >= 4 * before.capacity);
            assert_true(layer.lines >= 16384 * 98 / 100); /* a MiB, but for the grid */
            double lost = (double)before.capacity * before.error_rate / 2;
            assert_true(before.items_new > tamis_layer_full_at(&filter->layers[i - 1]));
            assert_true((double)before.items_new >
                        (double)(before.capacity - before.capacity / 32 - 2) - lost);
        }
    }
    assert_true(sum < promised);
    assert_int_equal(info.capacity, capacity);
    assert_false(info.overfull);
    assert_int_equal(tamis_filter_validate(filter, NULL), TAMIS_OK);
}

static void test_growth_keeps_the_promise(void **state)
{
    (void)state;
    static const double rates[] = {0.9, 0.7, 0.3, 0.01, 1e-5};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        for (uint32_t tightening = 0; tightening <= 3; tightening++) {
            tamis_params params = params_of(TAMIS_SCALABLE, 100, rates[i], 3);
            params.tightening = tightening;
            tamis_filter *filter = make_filter(&params);
            for (uint64_t n = 0; n < 90000; n += 30000) {
                add_range(filter, n, 30000);
                check_layers(filter, rates[i]);
                assert_int_equal(hits_in_range(filter, 0, n + 30000), n + 30000);
                assert_at_most(info_of(filter).current_rate, rates[i], "current rate");
                assert_at_most(tamis_filter_model_rate(filter, 0), rates[i], "model rate");
                assert_near(info_of(filter).items_estimated, (double)n + 30000, rates[i] + 0.05);
            }
            assert_true(info_of(filter).layers >= 2);
            tamis_filter_free(filter);
        }
}

/* The shares of all 16 layers, and what is set aside for collisions, stay within p. */
static void test_shares_of_all_layers_stay_within_the_rate(void **state)
{
    (void)state;
    for (uint32_t tightening = 1; tightening <= 8; tightening++)
        for (double rate = 0.9; rate > 1e-9; rate /= 7) {
            tamis_params params = params_of(TAMIS_SCALABLE, 100, rate, 0);
            double sum = 0.0;
            params.tightening = tightening;
            for (uint32_t i = 0; i < TAMIS_MAX_LAYERS; i++) {
                double share = tamis_layer_rate(&params, i);
                assert_true(share > 0.0);
                sum += share;
            }
            sum += (double)tamis_growth_end(rate) / 18446744073709551616.0;
            assert_true(sum <= rate * (1 + 1e-12));
        }
}

static void test_new_is_told_over_all_layers(void **state)
{
    (void)state;
    tamis_filter *filter = make_kind(TAMIS_SCALABLE, 1000, 0.05, 3);
    uint64_t new_items = 0, in_layers = 0;
    for (uint64_t i = 0; i < 5000; i++) {
        bool had = has_u64(filter, i);
        bool is_new = add_u64(filter, i);
        assert_int_equal(is_new, !had);
        new_items += is_new;
    }
    for (uint64_t i = 0; i < 5000; i++)
        assert_false(add_u64(filter, i));
    for (uint32_t i = 0; i < info_of(filter).layers; i++)
        in_layers += layer_of(filter, i).items_new;
    assert_int_equal(in_layers, new_items);
    assert_int_equal(tamis_filter_items_offered(filter), 10000);
    tamis_filter_free(filter);
}

static void test_a_filter_of_known_size_does_not_grow(void **state)
{
    (void)state;
    tamis_filter *filter = make_kind(TAMIS_SCALABLE, 10000, 0.01, 3);
    uint64_t size = tamis_filter_payload_bytes(filter);
    add_range(filter, 0, 9800);
    add_range(filter, 0, 9800); /* repeats need no room */
    assert_int_equal(info_of(filter).layers, 1);
    assert_int_equal(tamis_filter_payload_bytes(filter), size);
    add_range(filter, 9800, 500);
    assert_int_equal(info_of(filter).layers, 2);
    tamis_filter_free(filter);
}

/* Adds from `from` on until it fails; the number added. */
static uint64_t add_until_full(tamis_filter *filter, uint64_t from, tamis_status wanted)
{
    for (uint64_t i = from;; i++) {
        bool is_new = true;
        tamis_status status = tamis_filter_add(filter, &i, sizeof i, &is_new);
        if (status != TAMIS_OK) {
            assert_int_equal(status, wanted);
            assert_true(is_new); /* as it was */
            return i - from;
        }
        assert_true(i < 10000000);
    }
}

static void test_a_limit_ends_growth(void **state)
{
    (void)state;
    tamis_filter *filter = make_kind(TAMIS_SCALABLE, 1000, 0.01, 3);
    assert_int_equal(tamis_filter_limit_growth(filter, 1700), TAMIS_OK); /* no room for a layer of any use */
    uint64_t added = add_until_full(filter, 0, TAMIS_E_FULL);
    assert_in_range(added, 980, 1050); /* false positives take no room */
    tamis_filter *before = clone_of(filter);
    assert_int_equal(add_until_full(filter, added, TAMIS_E_FULL), 0);
    assert_true(tamis_filter_equal(filter, before));
    assert_int_equal(hits_in_range(filter, 0, added), added);
    assert_int_equal(add_until_full(before, added, TAMIS_E_FULL), 0); /* a clone keeps the limit */

    /* a batch stops there too, and says where */
    uint64_t items[64];
    size_t total = 99, done = 99;
    uint8_t answers[64];
    for (uint64_t i = 0; i < 64; i++)
        items[i] = 5000000 + i;
    assert_int_equal(tamis_filter_add_fixed(filter, items, 8, 64, answers, &total, &done), TAMIS_E_FULL);
    assert_int_equal(total, 0);
    assert_int_equal(done, 0);

    assert_int_equal(tamis_filter_limit_growth(filter, 0), TAMIS_OK);
    add_range(filter, added, 5000);
    assert_int_equal(hits_in_range(filter, 0, added + 5000), added + 5000);
    tamis_filter_free(filter);
    tamis_filter_free(before);
}

/* Where four times as much does not fit, a smaller layer uses what is left. */
static void test_growth_uses_what_the_limit_leaves(void **state)
{
    (void)state;
    tamis_filter *filter = make_kind(TAMIS_SCALABLE, 100000, 0.01, 3);
    uint64_t limit = 2 * tamis_filter_payload_bytes(filter);
    assert_int_equal(tamis_filter_limit_growth(filter, limit), TAMIS_OK);
    uint64_t added = add_until_full(filter, 0, TAMIS_E_FULL);
    assert_true(added > 170000);
    assert_true(tamis_filter_payload_bytes(filter) <= limit);
    assert_true(tamis_filter_payload_bytes(filter) > limit * 9 / 10);
    assert_true(info_of(filter).current_rate <= 0.01);
    tamis_filter_free(filter);
}

/* Made for n, it holds n without growing; one more, and it grows. */
static void test_the_asked_capacity_fits(void **state)
{
    (void)state;
    const uint64_t sizes[] = {1, 2, 10, 1000, 10000, 1000000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        tamis_filter *filter = make_kind(TAMIS_SCALABLE, sizes[i], 1e-6, 3);
        add_range(filter, 0, sizes[i]);
        add_range(filter, 0, sizes[i]); /* repeats take no room */
        assert_int_equal(info_of(filter).layers, 1);
        add_range(filter, sizes[i], 5000);
        assert_int_equal(info_of(filter).layers, 2);
        assert_false(info_of(filter).overfull);
        tamis_filter_free(filter);
    }
}

static void test_a_batch_that_ends_half_way_says_where(void **state)
{
    (void)state;
    enum { COUNT = 3000 };
    static uint64_t items[COUNT];
    static uint8_t answers[COUNT];
    tamis_filter *batched = make_kind(TAMIS_SCALABLE, 1000, 0.01, 3), *single = clone_of(batched);
    size_t total = 0, done = 0, ones = 0;
    for (uint64_t i = 0; i < COUNT; i++)
        items[i] = i;
    memset(answers, 0x5a, sizeof answers);
    assert_int_equal(tamis_filter_limit_growth(batched, 1700), TAMIS_OK);
    assert_int_equal(tamis_filter_limit_growth(single, 1700), TAMIS_OK);
    assert_int_equal(tamis_filter_add_fixed(batched, items, 8, COUNT, answers, &total, &done), TAMIS_E_FULL);
    assert_int_equal(done, add_until_full(single, 0, TAMIS_E_FULL));
    assert_true(tamis_filter_equal(batched, single));
    for (size_t i = 0; i < done; i++)
        ones += answers[i];
    assert_int_equal(ones, total);
    assert_int_equal(answers[done], 0x5a);
    tamis_filter_free(batched);
    tamis_filter_free(single);
}

/* A rate at which the floor of the hash, not the number of layers, ends growth. */
static void test_the_floor_of_the_hash_ends_growth(void **state)
{
    (void)state;
    double rate = 1e-15;
    uint64_t end = tamis_growth_end(rate);
    assert_in_range(end, 500, 1000);
    tamis_filter *filter = make_kind(TAMIS_SCALABLE, 100, rate, 3);
    uint64_t added = add_until_full(filter, 0, TAMIS_E_FULL);
    assert_in_range(added, end * 9 / 10, end + 2);
    assert_int_equal(hits_in_range(filter, 0, added), added);
    assert_at_most(info_of(filter).current_rate, rate, "current rate");
    tamis_filter_free(filter);
    tamis_params params = params_of(TAMIS_SCALABLE, end + 1, rate, 3);
    filter = NULL;
    assert_int_equal(tamis_filter_create(&params, &filter, NULL), TAMIS_E_RANGE);
}

/* Growth without memory: E_NOMEM, everything so far kept; with memory again, it goes on. */
static void test_growth_survives_a_failed_allocation(void **state)
{
    (void)state;
    counting_allocator counter = {.fail_only = 0};
    tamis_allocator allocator = counted(&counter);
    tamis_params params = params_of(TAMIS_SCALABLE, 1000, 0.01, 3);
    params.allocator = &allocator;
    tamis_filter *filter = make_filter(&params);
    counter.fail_from = counter.calls + 1;
    uint64_t added = add_until_full(filter, 0, TAMIS_E_NOMEM);
    size_t live = counter.live;
    assert_in_range(added, 980, 1050);
    assert_int_equal(info_of(filter).layers, 1);
    assert_int_equal(tamis_filter_items_offered(filter), added);
    assert_int_equal(hits_in_range(filter, 0, added), added);
    assert_int_equal(add_until_full(filter, added, TAMIS_E_NOMEM), 0);
    assert_int_equal(counter.live, live);
    counter.fail_from = 0;
    add_range(filter, added, 3000);
    assert_int_equal(info_of(filter).layers, 2);
    assert_int_equal(hits_in_range(filter, 0, added + 3000), added + 3000);
    assert_int_equal(tamis_filter_clear(filter), TAMIS_OK); /* gives the second layer back */
    assert_int_equal(counter.live, live);
    tamis_filter_free(filter);
    assert_int_equal(counter.live, 0);
    assert_int_equal(counter.live_bytes, 0);
}

/* 16 layers are the end, whatever memory there is. A filter with 16 layers is made by
 * taking the record of its second for all the others, full. */
static void test_16_layers_are_the_end(void **state)
{
    (void)state;
    tamis_params params = params_of(TAMIS_SCALABLE, 100, 0.01, 3);
    tamis_filter *filter = make_filter(&params);
    while (filter->layer_count < TAMIS_MAX_LAYERS) {
        tamis_layer *layer = &filter->layers[filter->layer_count];
        *layer = filter->layers[0];
        assert_int_equal(tamis_layer_allocate(filter, layer), TAMIS_OK);
        layer->items_new = layer->capacity + 1;
        filter->layer_count++;
    }
    assert_int_equal(add_until_full(filter, 0, TAMIS_E_FULL), 0);
    assert_int_equal(tamis_filter_clear(filter), TAMIS_OK);
    assert_int_equal(info_of(filter).layers, 1);
    tamis_filter_free(filter);
}

/* Growth must not depend on how adds were cut into calls. */
static void test_the_cut_of_batches_does_not_matter(void **state)
{
    (void)state;
    enum { COUNT = 40000 };
    static uint64_t items[COUNT];
    static uint8_t wanted[COUNT], given[COUNT];
    uint64_t random = 1;
    for (size_t i = 0; i < COUNT; i++)
        items[i] = random_below(&random, COUNT); /* with repeats */
    static const uint64_t capacities[] = {1, 100, 3000, 20000};
    for (size_t c = 0; c < 4; c++) {
        tamis_filter *single = make_kind(TAMIS_SCALABLE, capacities[c], 0.01, 3), *batched = clone_of(single);
        for (size_t i = 0; i < COUNT; i++)
            wanted[i] = add_u64(single, items[i]);
        for (size_t at = 0; at < COUNT;) {
            size_t take = (size_t)random_below(&random, 2000), done = 0;
            take = take < COUNT - at ? take : COUNT - at;
            assert_int_equal(tamis_filter_add_fixed(batched, items + at, 8, take, given + at, NULL, &done),
                             TAMIS_OK);
            assert_int_equal(done, take);
            at += take;
        }
        assert_memory_equal(wanted, given, COUNT);
        assert_true(tamis_filter_equal(single, batched));
        assert_true(info_of(single).layers >= 2);
        tamis_filter_free(single);
        tamis_filter_free(batched);
    }
}

static void test_explain_lists_all_layers(void **state)
{
    (void)state;
    tamis_filter *filter = make_kind(TAMIS_SCALABLE, 100, 0.01, 3);
    add_range(filter, 0, 1000);
    tamis_probe probes[1024];
    uint64_t item = 999;
    size_t count = tamis_filter_explain(filter, &item, sizeof item, probes, 1024), wanted = 0;
    assert_int_equal(info_of(filter).layers, 2);
    bool all[2] = {true, true};
    for (size_t i = 0; i < count; i++) {
        assert_true(i == 0 || probes[i].layer >= probes[i - 1].layer);
        all[probes[i].layer] &= probes[i].set;
    }
    for (uint32_t i = 0; i < 2; i++)
        wanted += layer_of(filter, i).lines_per_item * layer_of(filter, i).bits_per_line;
    assert_int_equal(count, wanted);
    assert_true(all[1]);
    assert_false(all[0]);
    tamis_filter_free(filter);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_growth_keeps_the_promise),
        cmocka_unit_test(test_shares_of_all_layers_stay_within_the_rate),
        cmocka_unit_test(test_new_is_told_over_all_layers),
        cmocka_unit_test(test_a_filter_of_known_size_does_not_grow),
        cmocka_unit_test(test_a_limit_ends_growth),
        cmocka_unit_test(test_growth_uses_what_the_limit_leaves),
        cmocka_unit_test(test_the_asked_capacity_fits),
        cmocka_unit_test(test_a_batch_that_ends_half_way_says_where),
        cmocka_unit_test(test_the_floor_of_the_hash_ends_growth),
        cmocka_unit_test(test_growth_survives_a_failed_allocation),
        cmocka_unit_test(test_16_layers_are_the_end),
        cmocka_unit_test(test_the_cut_of_batches_does_not_matter),
        cmocka_unit_test(test_explain_lists_all_layers),
    };
    return cmocka_run_group_tests_name("scalable", tests, NULL, NULL);
}
