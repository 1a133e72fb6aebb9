/* The rotating filter: an item is remembered for at least the window and at most an
 * eighth longer, and the clock never goes back. */
#include "support/support.h"

#include "filter/internal.h"

#define WINDOW UINT64_C(8000)
#define SLOT UINT64_C(1000)

static tamis_filter *make_rotating(unsigned flags, uint64_t window_ms)
{
    tamis_params params = params_of(TAMIS_ROTATING, 8000, 1e-6, 3);
    params.flags = flags;
    params.window_ms = window_ms;
    return make_filter(&params);
}

static void tell(tamis_filter *filter, uint64_t now_ms)
{
    assert_int_equal(tamis_filter_advance(filter, now_ms), TAMIS_OK);
}

/* Milliseconds after which an item added at `at` is forgotten. */
static uint64_t life_of_item(uint64_t window_ms, uint64_t at, uint64_t step)
{
    tamis_filter *filter = make_rotating(0, window_ms);
    uint64_t age = 0;
    tell(filter, at);
    assert_true(add_u64(filter, 1));
    while (has_u64(filter, 1)) {
        age += step;
        tell(filter, at + age);
        assert_true(age <= 2 * window_ms);
    }
    tamis_filter_free(filter);
    return age;
}

static void test_an_item_lives_for_the_window_and_an_eighth_at_most(void **state)
{
    (void)state;
    for (uint64_t at = 500000; at < 500000 + 2 * SLOT; at += 97) {
        uint64_t life = life_of_item(WINDOW, at, 1);
        assert_true(life > WINDOW - 1);
        assert_true(life <= WINDOW + WINDOW / 8);
    }
}

/* Windows that 8 does not divide: slots are rounded up, never down. */
static void test_odd_windows_are_never_cut_short(void **state)
{
    (void)state;
    static const uint64_t windows[] = {8, 9, 13, 15, 16, 17, 999, 1001};
    for (size_t i = 0; i < sizeof windows / sizeof *windows; i++)
        for (uint64_t at = 1000; at < 1000 + windows[i] / 4 + 3; at++) {
            uint64_t life = life_of_item(windows[i], at, 1), slot = (windows[i] + 7) / 8;
            assert_in_range(life, windows[i], 9 * slot);
        }
}

static void test_long_windows_do_not_overflow(void **state)
{
    (void)state;
    tamis_filter *filter = make_rotating(0, UINT64_MAX);
    tell(filter, UINT64_MAX / 3);
    (void)add_u64(filter, 1);
    tell(filter, UINT64_MAX);
    assert_true(has_u64(filter, 1));
    tamis_filter_free(filter);
    filter = make_rotating(0, 8);
    tell(filter, UINT64_MAX - 9);
    (void)add_u64(filter, 1);
    tell(filter, UINT64_MAX - 2);
    assert_true(has_u64(filter, 1));
    tell(filter, UINT64_MAX);
    assert_false(has_u64(filter, 1));
    tamis_filter_free(filter);
}

static void test_the_clock_never_goes_back(void **state)
{
    (void)state;
    tamis_filter *filter = make_rotating(0, WINDOW);
    tell(filter, 100000);
    (void)add_u64(filter, 1);
    tamis_filter *before = clone_of(filter);
    tell(filter, 99999);
    tell(filter, 0);
    assert_true(tamis_filter_equal(filter, before));
    assert_int_equal(info_of(filter).now_ms, 100000);
    (void)add_u64(filter, 2); /* added at 100000, whatever was told */
    tell(filter, 100000 + WINDOW);
    assert_true(has_u64(filter, 1) && has_u64(filter, 2));
    tamis_filter_free(before);
    tamis_filter_free(filter);
}

static void test_clearing_keeps_the_clock(void **state)
{
    (void)state;
    tamis_filter *filter = make_rotating(0, WINDOW);
    tell(filter, 100000);
    (void)add_u64(filter, 1);
    assert_int_equal(tamis_filter_clear(filter), TAMIS_OK);
    assert_false(has_u64(filter, 1));
    assert_int_equal(info_of(filter).now_ms, 100000);
    (void)add_u64(filter, 2);
    tell(filter, 100000 + WINDOW);
    assert_true(has_u64(filter, 2));
    tamis_filter_free(filter);
}

static void test_before_the_first_time_is_time_0(void **state)
{
    (void)state;
    tamis_filter *filter = make_rotating(0, WINDOW);
    (void)add_u64(filter, 1);
    assert_true(has_u64(filter, 1));
    tell(filter, WINDOW);
    assert_true(has_u64(filter, 1));
    tell(filter, WINDOW + SLOT);
    assert_false(has_u64(filter, 1));
    tamis_filter_free(filter);
}

/* From any moment to any later one: what is left is what the slots say. */
static void test_jumps_forget_exactly_what_has_ended(void **state)
{
    (void)state;
    for (uint64_t jump = 0; jump <= 30; jump++) {
        tamis_filter *filter = make_rotating(0, WINDOW);
        for (uint64_t slot = 100; slot <= 110; slot++) {
            tell(filter, slot * SLOT);
            (void)add_u64(filter, slot);
        }
        tell(filter, (110 + jump) * SLOT + SLOT - 1);
        for (uint64_t slot = 100; slot <= 110; slot++)
            assert_int_equal(has_u64(filter, slot), slot + 8 >= 110 + jump);
        tamis_filter_free(filter);
    }
}

static void test_small_steps_and_one_jump_give_the_same(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (int round = 0; round < 50; round++) {
        tamis_filter *steps = make_rotating(0, WINDOW);
        tell(steps, 50000);
        for (uint64_t i = 0; i < 40; i++) {
            tell(steps, 50000 + i * 150);
            (void)add_u64(steps, i);
        }
        tamis_filter *jump = clone_of(steps);
        uint64_t end = 56000 + random_below(&random, 12000);
        for (uint64_t now = 56000; now < end; now += 1 + random_below(&random, 1500))
            tell(steps, now);
        tell(steps, end);
        tell(jump, end);
        assert_true(tamis_filter_equal(steps, jump));
        tamis_filter_free(steps);
        tamis_filter_free(jump);
    }
}

static void test_a_repeat_does_not_refresh(void **state)
{
    (void)state;
    tamis_filter *filter = make_rotating(0, WINDOW);
    tell(filter, 100000);
    assert_true(add_u64(filter, 1));
    tell(filter, 105000);
    assert_false(add_u64(filter, 1));
    tell(filter, 100000 + WINDOW + SLOT);
    assert_false(has_u64(filter, 1));
    assert_true(add_u64(filter, 1));
    tamis_filter_free(filter);
}

static void test_a_repeat_refreshes_when_asked(void **state)
{
    (void)state;
    tamis_filter *filter = make_rotating(TAMIS_REFRESH, WINDOW);
    tell(filter, 100000);
    assert_true(add_u64(filter, 1));
    tell(filter, 105000);
    assert_false(add_u64(filter, 1)); /* it was there */
    assert_false(add_u64(filter, 1));
    tell(filter, 105000 + WINDOW);
    assert_true(has_u64(filter, 1));
    tell(filter, 105000 + WINDOW + SLOT);
    assert_false(has_u64(filter, 1));
    tamis_filter_free(filter);
}

/* A model of it: the time at which each item was last remembered. */
static void check_against_model(unsigned flags, uint64_t seed)
{
    enum { ITEMS = 300 };
    uint64_t remembered[ITEMS] = {0}, random = seed, now = 1000000;
    tamis_filter *filter = make_rotating(flags, WINDOW);
    for (int step = 0; step < 20000; step++) {
        now += random_below(&random, 60);
        tell(filter, now);
        uint64_t item = random_below(&random, ITEMS);
        bool was_known = has_u64(filter, item);
        uint64_t age = now - remembered[item];
        if (remembered[item] != 0 && age <= WINDOW)
            assert_true(was_known); /* never early */
        if (remembered[item] == 0 || age >= WINDOW + SLOT)
            assert_false(was_known); /* and not late: at a rate of 1e-6 not by chance either */
        if (random_below(&random, 3) != 0)
            continue;
        assert_int_equal(add_u64(filter, item), !was_known);
        if (!was_known || (flags & TAMIS_REFRESH) != 0)
            remembered[item] = now;
    }
    tamis_filter_free(filter);
}

static void test_against_a_model_of_times(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        check_against_model(0, seed);
        check_against_model(TAMIS_REFRESH, seed);
    }
}

static void test_an_overfull_generation_is_told_and_not_rotated(void **state)
{
    (void)state;
    tamis_filter *filter = make_rotating(0, WINDOW);
    tell(filter, 100000);
    add_range(filter, 0, 1000);
    assert_false(info_of(filter).overfull);
    add_range(filter, 1000, 2000);
    assert_true(info_of(filter).overfull);
    assert_in_range(layer_of(filter, 0).items_new, 2900, 3000); /* three times too many: mistakes come */
    for (uint32_t i = 1; i < TAMIS_GENERATIONS; i++)
        assert_int_equal(layer_of(filter, i).items_new, 0);
    tell(filter, 100000 + WINDOW);
    assert_int_equal(hits_in_range(filter, 0, 3000), 3000);
    tell(filter, 100000 + WINDOW + SLOT);
    assert_false(info_of(filter).overfull);
    tamis_filter_free(filter);
}

static void test_generations_are_numbered_from_the_newest(void **state)
{
    (void)state;
    tamis_filter *filter = make_rotating(0, WINDOW);
    for (uint64_t slot = 100; slot < 109; slot++) {
        tell(filter, slot * SLOT);
        add_range(filter, slot * 1000, slot - 99);
    }
    assert_int_equal(info_of(filter).layers, TAMIS_GENERATIONS);
    assert_int_equal(info_of(filter).now_ms, 108000);
    assert_int_equal(info_of(filter).window_ms, WINDOW);
    for (uint32_t i = 0; i < TAMIS_GENERATIONS; i++)
        assert_int_equal(layer_of(filter, i).items_new, 9 - i);
    assert_int_equal(tamis_filter_validate(filter, NULL), TAMIS_OK);
    tamis_filter_free(filter);
}

/* From the oldest generation to the newest, by the numbers of layer_info. */
static void test_explain_goes_from_the_oldest_to_the_newest(void **state)
{
    (void)state;
    for (uint64_t slot = 100; slot < 112; slot++) {
        tamis_filter *filter = make_rotating(0, WINDOW);
        tamis_probe probes[1024];
        uint64_t item = 5;
        tell(filter, slot * SLOT);
        (void)add_u64(filter, item);
        tell(filter, (slot + 3) * SLOT);
        size_t count = tamis_filter_explain(filter, &item, sizeof item, probes, 1024);
        for (size_t i = 0; i < count; i++) {
            assert_true(i == 0 || probes[i].layer <= probes[i - 1].layer);
            assert_int_equal(probes[i].set, probes[i].layer == 3);
        }
        assert_int_equal(probes[0].layer, 8);
        assert_int_equal(probes[count - 1].layer, 0);
        tamis_filter_free(filter);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_item_lives_for_the_window_and_an_eighth_at_most),
        cmocka_unit_test(test_odd_windows_are_never_cut_short),
        cmocka_unit_test(test_long_windows_do_not_overflow),
        cmocka_unit_test(test_the_clock_never_goes_back),
        cmocka_unit_test(test_clearing_keeps_the_clock),
        cmocka_unit_test(test_before_the_first_time_is_time_0),
        cmocka_unit_test(test_jumps_forget_exactly_what_has_ended),
        cmocka_unit_test(test_small_steps_and_one_jump_give_the_same),
        cmocka_unit_test(test_a_repeat_does_not_refresh),
        cmocka_unit_test(test_a_repeat_refreshes_when_asked),
        cmocka_unit_test(test_against_a_model_of_times),
        cmocka_unit_test(test_an_overfull_generation_is_told_and_not_rotated),
        cmocka_unit_test(test_generations_are_numbered_from_the_newest),
        cmocka_unit_test(test_explain_goes_from_the_oldest_to_the_newest),
    };
    return cmocka_run_group_tests_name("rotating", tests, NULL, NULL);
}
