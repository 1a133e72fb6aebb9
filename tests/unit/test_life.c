/* What every kind of filter promises from creation to the end: copies, clearing, equality,
 * metadata, and memory that comes and goes through the caller's allocator. */
#include "support/counting_allocator.h"

#include "filter/internal.h"

static const tamis_kind kinds[] = {TAMIS_BLOOM, TAMIS_COUNTING, TAMIS_SCALABLE, TAMIS_ROTATING};

#define KINDS (sizeof kinds / sizeof *kinds)

static tamis_filter *filled(tamis_kind kind)
{
    tamis_filter *filter = make_kind(kind, 1000, 0.01, 9);
    if (kind == TAMIS_ROTATING)
        assert_int_equal(tamis_filter_advance(filter, 123456), TAMIS_OK);
    add_range(filter, 0, 900);
    return filter;
}

static void test_a_new_filter_is_empty(void **state)
{
    (void)state;
    for (size_t i = 0; i < KINDS; i++) {
        tamis_filter *filter = make_kind(kinds[i], 1000, 0.01, 0);
        tamis_info info = info_of(filter);
        assert_int_equal(hits_in_range(filter, 0, 100000), 0);
        assert_false(tamis_filter_contains(filter, NULL, 0));
        assert_int_equal(info.bits_set, 0);
        assert_int_equal(info.items_offered, 0);
        assert_true(info.items_estimated <= 0.0 && info.items_estimated >= 0.0);
        assert_true(info.current_rate <= 0.0 && info.load <= 0.0);
        assert_false(info.saturated || info.overfull);
        assert_int_equal(tamis_filter_validate(filter, NULL), TAMIS_OK);
        tamis_filter_free(filter);
    }
    tamis_filter_free(NULL);
}

static void test_the_empty_item_is_an_item(void **state)
{
    (void)state;
    for (size_t i = 0; i < KINDS; i++) {
        tamis_filter *filter = make_kind(kinds[i], 1000, 1e-6, 0);
        bool is_new = false;
        assert_int_equal(tamis_filter_add(filter, NULL, 0, &is_new), TAMIS_OK);
        assert_true(is_new);
        assert_true(tamis_filter_contains(filter, "", 0));
        assert_false(tamis_filter_contains(filter, "\0", 1));
        assert_int_equal(tamis_filter_add(filter, "", 0, &is_new), TAMIS_OK);
        assert_false(is_new);
        assert_int_equal(tamis_filter_add(filter, "\0", 1, NULL), TAMIS_OK);
        assert_true(tamis_filter_contains(filter, "\0\0", 1));
        assert_int_equal(tamis_filter_items_offered(filter), 3);
        tamis_filter_free(filter);
    }
}

static void test_info_says_what_was_asked_for(void **state)
{
    (void)state;
    for (size_t i = 0; i < KINDS; i++) {
        tamis_params params = params_of(kinds[i], 1000, 0.01, 77);
        params.normalisation = TAMIS_NORM_TRIM(1) | TAMIS_NORM_URL(3);
        params.flags = TAMIS_SECRET_SEED;
        tamis_filter *filter = make_filter(&params);
        tamis_plan plan = {.struct_size = sizeof plan};
        assert_int_equal(tamis_plan_filter(&params, &plan, NULL), TAMIS_OK);
        add_range(filter, 0, 500);
        tamis_info info = info_of(filter);
        assert_int_equal(info.kind, kinds[i]);
        assert_int_equal(info.flags, TAMIS_SECRET_SEED);
        assert_int_equal(info.capacity, 1000);
        assert_true(info.error_rate >= 0.01 && info.error_rate <= 0.01);
        assert_int_equal(info.items_offered, 500);
        assert_int_equal(info.payload_bytes, plan.payload_bytes);
        assert_int_equal(info.bits, plan.lines * plan.layers * 512);
        assert_int_equal(info.seed, 77);
        assert_int_equal(info.window_ms, params.window_ms);
        assert_int_equal(info.normalisation, 0x03000001);
        assert_int_equal(info.layers, plan.layers);
        assert_int_equal(info.stuck_counters, 0);
        assert_near(info.items_estimated, 500, 0.1);
        assert_near(info.load, info.items_estimated / 1000, 1e-12);
        assert_int_equal(tamis_filter_kind(filter), kinds[i]);
        assert_int_equal(tamis_filter_capacity(filter), 1000);
        assert_int_equal(tamis_filter_payload_bytes(filter), plan.payload_bytes);
        assert_int_equal(tamis_filter_normalisation(filter), 0x03000001);
        assert_true(tamis_filter_error_rate(filter) >= 0.01 && tamis_filter_error_rate(filter) <= 0.01);
        tamis_filter_free(filter);
    }
}

static void test_info_refuses_other_sizes(void **state)
{
    (void)state;
    tamis_filter *filter = filled(TAMIS_BLOOM);
    tamis_info info = {.struct_size = 8};
    tamis_layer_info layer = {.struct_size = 8};
    assert_int_equal(tamis_filter_info(filter, &info), TAMIS_E_ARGUMENT);
    assert_int_equal(tamis_filter_info(filter, NULL), TAMIS_E_ARGUMENT);
    assert_int_equal(info.bits_set, 0);
    assert_int_equal(tamis_filter_layer_info(filter, 0, &layer), TAMIS_E_ARGUMENT);
    layer.struct_size = sizeof layer;
    assert_int_equal(tamis_filter_layer_info(filter, 1, &layer), TAMIS_E_ARGUMENT);
    assert_int_equal(layer.bits_set, 0);
    tamis_filter_free(filter);
}

static void test_a_clone_is_equal_and_independent(void **state)
{
    (void)state;
    for (size_t i = 0; i < KINDS; i++) {
        tamis_filter *filter = filled(kinds[i]);
        assert_int_equal(tamis_filter_set_metadata(filter, "note", 4), TAMIS_OK);
        tamis_filter *copy = clone_of(filter);
        size_t len = 0;
        assert_true(tamis_filter_equal(filter, copy));
        assert_memory_equal(tamis_filter_metadata(copy, &len), "note", 4);
        assert_int_equal(len, 4);
        assert_int_equal(hits_in_range(copy, 0, 900), 900);
        add_range(copy, 5000, 50);
        assert_false(tamis_filter_equal(filter, copy));
        assert_int_equal(tamis_filter_items_offered(filter), 900);
        tamis_filter_free(filter);
        assert_int_equal(hits_in_range(copy, 0, 900), 900);
        assert_int_equal(hits_in_range(copy, 5000, 50), 50);
        tamis_filter_free(copy);
    }
}

static void test_clear_forgets_everything(void **state)
{
    (void)state;
    for (size_t i = 0; i < KINDS; i++) {
        tamis_filter *filter = filled(kinds[i]), *fresh = make_kind(kinds[i], 1000, 0.01, 9);
        assert_int_equal(tamis_filter_clear(filter), TAMIS_OK);
        assert_int_equal(hits_in_range(filter, 0, 5000), 0);
        assert_int_equal(info_of(filter).bits_set, 0);
        assert_int_equal(tamis_filter_items_offered(filter), 0);
        if (kinds[i] == TAMIS_ROTATING) /* the time stays */
            assert_int_equal(tamis_filter_advance(fresh, 123456), TAMIS_OK);
        assert_true(tamis_filter_equal(filter, fresh));
        add_range(filter, 0, 900); /* and it can be filled again */
        assert_int_equal(hits_in_range(filter, 0, 900), 900);
        tamis_filter_free(filter);
        tamis_filter_free(fresh);
    }
}

static void test_equal_sees_every_difference(void **state)
{
    (void)state;
    const tamis_params base = params_of(TAMIS_BLOOM, 1000, 0.01, 1);
    tamis_params other[8];
    for (size_t i = 0; i < 8; i++)
        other[i] = base;
    other[1].capacity = 1001; /* the same geometry */
    other[2].error_rate = 0.0100001;
    other[3].seed = 2;
    other[4].normalisation = 1;
    other[5].flags = TAMIS_SECRET_SEED;
    other[6].kind = TAMIS_COUNTING;
    other[7].region_lines = 3;
    tamis_filter *filter = make_filter(&base);
    for (size_t i = 0; i < 8; i++) {
        tamis_filter *twin = make_filter(&other[i]);
        assert_int_equal(tamis_filter_equal(filter, twin), i == 0);
        assert_int_equal(tamis_filter_equal(twin, filter), i == 0);
        tamis_filter_free(twin);
    }
    tamis_filter *twin = clone_of(filter);
    (void)add_u64(filter, 1);
    assert_false(tamis_filter_equal(filter, twin));
    (void)add_u64(twin, 1);
    assert_true(tamis_filter_equal(filter, twin));
    (void)add_u64(twin, 1); /* no bit changes, but one more item was offered */
    assert_false(tamis_filter_equal(filter, twin));
    tamis_filter_free(twin);
    tamis_filter_free(filter);
}

static void test_the_seed_changes_which_items_are_mistaken(void **state)
{
    (void)state;
    tamis_filter *a = make_kind(TAMIS_BLOOM, 1000, 0.05, 1), *b = make_kind(TAMIS_BLOOM, 1000, 0.05, 2);
    assert_int_not_equal(tamis_filter_hash(a, "x", 1), tamis_filter_hash(b, "x", 1));
    add_range(a, 0, 1000);
    add_range(b, 0, 1000);
    uint64_t in_a = 0, in_both = 0;
    for (uint64_t i = 1000; i < 101000; i++) {
        in_a += has_u64(a, i);
        in_both += has_u64(a, i) && has_u64(b, i);
    }
    assert_in_range(in_a, 3000, 7000);
    assert_in_range(in_both, in_a / 40, in_a / 12); /* a twentieth of them, by chance */
    tamis_filter_free(a);
    tamis_filter_free(b);
}

static void test_what_a_kind_cannot_do_is_unsupported(void **state)
{
    (void)state;
    for (size_t i = 0; i < KINDS; i++) {
        tamis_filter *filter = filled(kinds[i]), *before = clone_of(filter);
        uint64_t item = 1;
        if (kinds[i] != TAMIS_COUNTING)
            assert_int_equal(tamis_filter_remove(filter, &item, sizeof item), TAMIS_E_UNSUPPORTED);
        if (kinds[i] != TAMIS_ROTATING)
            assert_int_equal(tamis_filter_advance(filter, 1000000), TAMIS_E_UNSUPPORTED);
        if (kinds[i] != TAMIS_SCALABLE)
            assert_int_equal(tamis_filter_limit_growth(filter, 1000000), TAMIS_E_UNSUPPORTED);
        if (kinds[i] == TAMIS_SCALABLE || kinds[i] == TAMIS_ROTATING)
            assert_int_equal(tamis_filter_merge(filter, before, NULL), TAMIS_E_UNSUPPORTED);
        assert_true(tamis_filter_equal(filter, before));
        tamis_filter_free(filter);
        tamis_filter_free(before);
    }
}

static void test_metadata_is_kept_replaced_and_removed(void **state)
{
    (void)state;
    tamis_filter *filter = make_kind(TAMIS_BLOOM, 10, 0.01, 0);
    static unsigned char large[(1 << 20) + 1];
    size_t len = 5;
    assert_null(tamis_filter_metadata(filter, &len));
    assert_int_equal(len, 0);
    assert_int_equal(tamis_filter_set_metadata(filter, "a\0b", 3), TAMIS_OK);
    assert_memory_equal(tamis_filter_metadata(filter, &len), "a\0b", 3);
    assert_int_equal(len, 3);
    memset(large, 7, sizeof large);
    assert_int_equal(tamis_filter_set_metadata(filter, large, sizeof large), TAMIS_E_RANGE);
    assert_memory_equal(tamis_filter_metadata(filter, &len), "a\0b", 3);
    assert_int_equal(tamis_filter_set_metadata(filter, large, sizeof large - 1), TAMIS_OK);
    assert_memory_equal(tamis_filter_metadata(filter, &len), large, sizeof large - 1);
    assert_int_equal(len, sizeof large - 1);
    assert_int_equal(tamis_filter_clear(filter), TAMIS_OK); /* metadata is no item */
    assert_non_null(tamis_filter_metadata(filter, &len));
    assert_int_equal(tamis_filter_set_metadata(filter, NULL, 0), TAMIS_OK);
    assert_null(tamis_filter_metadata(filter, &len));
    assert_int_equal(len, 0);
    tamis_filter_free(filter);
}

/* --- memory -------------------------------------------------------------------- */

/* Each allocation of a creation fails in turn: E_NOMEM, nothing made, nothing kept. */
static void test_creation_survives_every_failed_allocation(void **state)
{
    (void)state;
    for (size_t i = 0; i < KINDS; i++) {
        size_t calls = SIZE_MAX;
        for (size_t at = 1; at <= calls; at++) {
            counting_allocator counter = {.fail_only = at};
            tamis_allocator allocator = counted(&counter);
            tamis_params params = params_of(kinds[i], 1000, 0.01, 0);
            tamis_filter *filter = NULL;
            tamis_error err = {TAMIS_OK, 0, ""};
            params.allocator = &allocator;
            tamis_status status = tamis_filter_create(&params, &filter, &err);
            if (status == TAMIS_OK) {
                calls = counter.calls; /* the one that was to fail never came */
                assert_int_equal(at, calls + 1);
                tamis_filter_free(filter);
            } else {
                assert_int_equal(status, TAMIS_E_NOMEM);
                assert_int_equal(err.status, TAMIS_E_NOMEM);
                assert_true(strlen(err.message) > 10);
                assert_null(filter);
            }
            assert_int_equal(counter.live, 0);
            assert_int_equal(counter.live_bytes, 0);
        }
        assert_true(calls >= 2);
    }
}

static void test_cloning_survives_every_failed_allocation(void **state)
{
    (void)state;
    for (size_t i = 0; i < KINDS; i++) {
        counting_allocator counter = {.fail_only = 0};
        tamis_allocator allocator = counted(&counter);
        tamis_params params = params_of(kinds[i], 100, 0.01, 0);
        params.allocator = &allocator;
        tamis_filter *filter = make_filter(&params);
        add_range(filter, 0, 300); /* scalable: grows */
        assert_int_equal(tamis_filter_set_metadata(filter, "note", 4), TAMIS_OK);
        size_t blocks = counter.live, failures = 0;
        for (;;) {
            tamis_filter *copy = NULL;
            counter.calls = 0;
            counter.fail_only = failures + 1;
            tamis_status status = tamis_filter_clone(filter, &copy);
            if (status == TAMIS_OK) {
                assert_true(tamis_filter_equal(filter, copy));
                tamis_filter_free(copy);
                break;
            }
            assert_int_equal(status, TAMIS_E_NOMEM);
            assert_null(copy);
            assert_int_equal(counter.live, blocks);
            failures++;
        }
        assert_int_equal(failures, blocks); /* a clone has as many blocks as its model */
        assert_int_equal(counter.live, blocks);
        tamis_filter_free(filter);
        assert_int_equal(counter.live, 0);
    }
}

static void test_metadata_without_memory_keeps_the_old(void **state)
{
    (void)state;
    counting_allocator counter = {.fail_only = 0};
    tamis_allocator allocator = counted(&counter);
    tamis_params params = params_of(TAMIS_BLOOM, 100, 0.01, 0);
    size_t len;
    params.allocator = &allocator;
    tamis_filter *filter = make_filter(&params);
    assert_int_equal(tamis_filter_set_metadata(filter, "old", 3), TAMIS_OK);
    counter.fail_from = 1;
    assert_int_equal(tamis_filter_set_metadata(filter, "newer", 5), TAMIS_E_NOMEM);
    assert_memory_equal(tamis_filter_metadata(filter, &len), "old", 3);
    assert_int_equal(len, 3);
    tamis_filter_free(filter);
    assert_int_equal(counter.live, 0);
}

/* More than this machine can address: refused before anything is allocated. */
static void test_sizes_beyond_the_machine_are_refused(void **state)
{
    (void)state;
    counting_allocator counter = {.fail_from = 2};
    tamis_allocator allocator = counted(&counter);
    tamis_params params = params_of(TAMIS_BLOOM, TAMIS_MAX_CAPACITY, 0.01, 0);
    tamis_filter *filter = NULL;
    tamis_error err = {TAMIS_OK, 0, ""};
    params.allocator = &allocator;
    tamis_status status = tamis_filter_create(&params, &filter, &err);
    assert_int_equal(status, sizeof(size_t) == 4 ? TAMIS_E_TOO_LARGE : TAMIS_E_NOMEM);
    assert_non_null(strstr(err.message, "bytes"));
    assert_null(filter);
    assert_int_equal(counter.live, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_new_filter_is_empty),
        cmocka_unit_test(test_the_empty_item_is_an_item),
        cmocka_unit_test(test_info_says_what_was_asked_for),
        cmocka_unit_test(test_info_refuses_other_sizes),
        cmocka_unit_test(test_a_clone_is_equal_and_independent),
        cmocka_unit_test(test_clear_forgets_everything),
        cmocka_unit_test(test_equal_sees_every_difference),
        cmocka_unit_test(test_the_seed_changes_which_items_are_mistaken),
        cmocka_unit_test(test_what_a_kind_cannot_do_is_unsupported),
        cmocka_unit_test(test_metadata_is_kept_replaced_and_removed),
        cmocka_unit_test(test_creation_survives_every_failed_allocation),
        cmocka_unit_test(test_cloning_survives_every_failed_allocation),
        cmocka_unit_test(test_metadata_without_memory_keeps_the_old),
        cmocka_unit_test(test_sizes_beyond_the_machine_are_refused),
    };
    return cmocka_run_group_tests_name("life", tests, NULL, NULL);
}
