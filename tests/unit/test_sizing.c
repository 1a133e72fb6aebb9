/* Sizing: the promise of a plan, its size beside the classic optimum, its inverses, its refusals. */
#include "support/support.h"

#include <inttypes.h>

#include "filter/rate.h"
#include "filter/sizing.h"

static tamis_status plan_of(const tamis_params *params, tamis_plan *plan, tamis_error *err)
{
    memset(plan, 0, sizeof *plan);
    plan->struct_size = sizeof *plan;
    return tamis_plan_filter(params, plan, err);
}

static tamis_plan plan_for(tamis_kind kind, uint64_t capacity, double rate, unsigned flags)
{
    tamis_params params = params_of(kind, capacity, rate, 0);
    tamis_plan plan;
    tamis_error err = {TAMIS_OK, 0, ""};
    params.flags = flags;
    if (plan_of(&params, &plan, &err) != TAMIS_OK)
        fail_msg("%" PRIu64 " items at %g: %s", capacity, rate, err.message);
    return plan;
}

/* --- over a grid of capacities and rates -------------------------------------- */

static const uint64_t capacities[] = {1,
                                      2,
                                      3,
                                      7,
                                      10,
                                      51,
                                      100,
                                      999,
                                      1000,
                                      9999,
                                      10000,
                                      33333,
                                      65536,
                                      100000,
                                      1000000,
                                      10000000,
                                      123456789,
                                      1000000000,
                                      1u << 31,
                                      UINT64_C(1) << 32,
                                      UINT64_C(1) << 40,
                                      UINT64_C(1) << 48};
static const double rates[] = {0.999, 0.99, 0.9,  0.75, 0.6,  0.51,  0.5,   0.3,  0.2,
                               0.1,   0.05, 0.03, 0.02, 0.01, 3e-3,  1e-3,  3e-4, 1e-4,
                               1e-5,  1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-12, 1e-15};

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Collisions of 64-bit hashes may take half of the rate at most. */
static bool admissible(uint64_t capacity, double rate)
{
    return tamis_rate_floor((double)capacity) <= rate / 2;
}

static void for_every_pair(unsigned flags, void (*check)(uint64_t, double, unsigned))
{
    for (size_t i = 0; i < COUNT(capacities); i++)
        for (size_t j = 0; j < COUNT(rates); j++)
            if (admissible(capacities[i], rates[j]))
                check(capacities[i], rates[j], flags);
}

static void check_shape(uint64_t capacity, double rate, unsigned flags)
{
    tamis_plan plan = plan_for(TAMIS_BLOOM, capacity, rate, flags);
    assert_int_equal(plan.capacity, capacity);
    assert_true(plan.error_rate == rate || plan.error_rate != plan.error_rate);
    assert_at_most(plan.expected_rate, rate, "expected rate");
    assert_true(plan.expected_rate > 0.0);
    assert_true(tamis_plan_rate(&plan, capacity) <= rate);
    assert_int_equal(plan.lines, plan.regions * plan.region_lines);
    assert_int_equal(plan.payload_bytes, plan.lines * TAMIS_LINE_BYTES);
    assert_in_range(plan.region_lines, 1, TAMIS_MAX_REGION_LINES);
    assert_in_range(plan.lines_per_item, 1, 8);
    assert_in_range(plan.bits_per_line, 1, 8);
    assert_int_equal(plan.layers, 1);
    assert_near(plan.bits_per_item, (double)plan.payload_bytes * 8 / (double)capacity, 1e-12);
    assert_near(plan.classic_bits_per_item, log2(1 / rate) / log(2.0), 1e-12);
}

static void test_every_plan_keeps_its_promise(void **state)
{
    (void)state;
    for_every_pair(0, check_shape);
    for_every_pair(TAMIS_COMPACT, check_shape);
}

/* Bits of a classic filter at the best k: any real number for rates up to 0.5, as the
 * textbook has it. Above, that number would be below 1 and the textbook's size cannot be
 * reached by any filter, so that the best whole k, 1, is what to compare with. The share
 * of the rate that collisions of hashes take is not to be had by bits. */
static double classic_bits(uint64_t capacity, double rate)
{
    double left = rate - tamis_rate_floor((double)capacity);
    double n = (double)capacity;
    return rate <= 0.5 ? -n * log(left) / (log(2.0) * log(2.0)) : -n / log1p(-left);
}

static void check_size(uint64_t capacity, double rate, unsigned flags)
{
    if (capacity < 10000)
        return;
    double most = flags == TAMIS_COMPACT ? 1.05 : 1.10;
    tamis_plan plan = plan_for(TAMIS_BLOOM, capacity, rate, flags);
    double wanted = classic_bits(capacity, rate);
    if (wanted < 100 * 512.0) /* so few lines that a whole line more is a matter of per cents */
        wanted += 512.0 / most;
    if ((double)plan.payload_bytes * 8 > most * wanted)
        print_error("%" PRIu64 " items at %g, flags %u\n", capacity, rate, flags);
    assert_at_most((double)plan.payload_bytes * 8, most * wanted, "bits");
}

static void test_sizes_are_near_the_classic_optimum(void **state)
{
    (void)state;
    for_every_pair(0, check_size);
    for_every_pair(TAMIS_COMPACT, check_size);
}

/* No smaller array of the same shape on the grid keeps the promise: one line less in each
 * region for few lines, 1/4096 less for many. */
static void check_tight(uint64_t capacity, double rate, unsigned flags)
{
    tamis_plan plan = plan_for(TAMIS_BLOOM, capacity, rate, flags);
    uint64_t less = plan.lines / 4096 + 1;
    tamis_geometry shape = {1, 1, plan.lines_per_item, plan.bits_per_line};
    if (plan.lines <= less || plan.regions > 1)
        return;
    shape.region_lines = (uint32_t)(plan.lines - less);
    double left = rate - tamis_rate_floor((double)capacity);
    assert_true(!tamis_rate_model_holds(&shape) || tamis_rate_model(&shape, (double)capacity) > left);
}

static void test_sizes_are_as_small_as_the_grid_allows(void **state)
{
    (void)state;
    for_every_pair(0, check_tight);
    for_every_pair(TAMIS_COMPACT, check_tight);
}

static void check_kinds(uint64_t capacity, double rate, unsigned flags)
{
    static const tamis_kind kinds[] = {TAMIS_COUNTING, TAMIS_SCALABLE, TAMIS_ROTATING};
    static const uint32_t layers[] = {1, 1, TAMIS_GENERATIONS};
    static const uint32_t parts[] = {5, 1, TAMIS_GENERATIONS};
    if (tamis_rate_floor((double)capacity) > rate / 32 || capacity > TAMIS_MAX_CAPACITY / 16)
        return; /* what a scalable filter needs is what all of them can have */
    for (size_t i = 0; i < COUNT(kinds); i++) {
        tamis_plan plan = plan_for(kinds[i], capacity, rate, flags);
        assert_at_most(plan.expected_rate, rate, "expected rate");
        assert_int_equal(plan.layers, layers[i]);
        assert_int_equal(plan.payload_bytes, plan.lines * TAMIS_LINE_BYTES * parts[i]);
    }
}

static void test_every_kind_keeps_its_promise(void **state)
{
    (void)state;
    for_every_pair(0, check_kinds);
}

static void test_more_items_or_a_smaller_rate_never_need_less(void **state)
{
    (void)state;
    for (size_t j = 0; j < COUNT(rates); j++)
        for (size_t i = 0; i + 1 < COUNT(capacities) && admissible(capacities[i + 1], rates[j]); i++)
            assert_true(plan_for(TAMIS_BLOOM, capacities[i], rates[j], TAMIS_COMPACT).lines <=
                        plan_for(TAMIS_BLOOM, capacities[i + 1], rates[j], TAMIS_COMPACT).lines);
    for (size_t i = 0; i < COUNT(capacities); i++)
        for (size_t j = 0; j + 1 < COUNT(rates) && admissible(capacities[i], rates[j + 1]); j++)
            assert_true(plan_for(TAMIS_BLOOM, capacities[i], rates[j], TAMIS_COMPACT).lines <=
                        plan_for(TAMIS_BLOOM, capacities[i], rates[j + 1], TAMIS_COMPACT).lines);
}

static void test_region_lines_are_an_upper_limit(void **state)
{
    (void)state;
    static const uint32_t limits[] = {1, 7, 63, 64, 100, 1000, 4096, 65535, 65536};
    for (size_t i = 0; i < COUNT(limits); i++) {
        tamis_params params = params_of(TAMIS_BLOOM, 1000000, 0.001, 0);
        tamis_plan plan;
        params.region_lines = limits[i];
        assert_int_equal(plan_of(&params, &plan, NULL), TAMIS_OK);
        assert_in_range(plan.region_lines, 1, limits[i]);
        assert_at_most(plan.expected_rate, 0.001, "expected rate");
    }
}

/* --- two of three give the third ----------------------------------------------- */

/* With the memory that (n, p) needs: the rate is no worse than asked for but for the
 * quarter that one line less an item may cost, and the capacity is not below n. */
static void check_inverses(uint64_t capacity, double rate, unsigned flags)
{
    tamis_plan plan = plan_for(TAMIS_BLOOM, capacity, rate, flags), back;
    tamis_params params = params_of(TAMIS_BLOOM, capacity, 0.0, 0);
    params.flags = flags;
    params.memory = plan.payload_bytes;
    assert_int_equal(plan_of(&params, &back, NULL), TAMIS_OK);
    assert_in_range(back.payload_bytes, 1, params.memory);
    assert_at_most(back.error_rate, rate * 1.25, "rate from capacity and memory");
    assert_at_most(back.expected_rate, back.error_rate * (1 + 1e-12), "expected rate");
    assert_int_equal(back.capacity, capacity);

    params.capacity = 0;
    params.error_rate = rate;
    assert_int_equal(plan_of(&params, &back, NULL), TAMIS_OK);
    assert_in_range(back.payload_bytes, 1, params.memory);
    assert_at_most(back.expected_rate, rate, "expected rate");
    /* Where a line is a per cent of the array, the two ways may settle on a different g. */
    double grid = capacity < 10000 ? 0.04 : 1.0 / 4096;
    if (back.capacity < TAMIS_MAX_CAPACITY)
        assert_at_most((double)capacity, (double)back.capacity * (1 + grid), "capacity from rate and memory");
}

static void test_plans_invert_each_other(void **state)
{
    (void)state;
    for_every_pair(0, check_inverses);
    for_every_pair(TAMIS_COMPACT, check_inverses);
}

static void test_other_kinds_invert_too(void **state)
{
    (void)state;
    static const tamis_kind kinds[] = {TAMIS_COUNTING, TAMIS_SCALABLE, TAMIS_ROTATING};
    for (size_t i = 0; i < COUNT(kinds); i++) {
        tamis_params params = params_of(kinds[i], 0, 0.01, 0);
        tamis_plan plan = plan_for(kinds[i], 100000, 0.01, 0), back;
        params.memory = plan.payload_bytes;
        assert_int_equal(plan_of(&params, &back, NULL), TAMIS_OK);
        assert_in_range(back.capacity, 100000 - 25, 110000);
        assert_in_range(back.payload_bytes, 1, params.memory);
        assert_at_most(back.expected_rate, 0.01, "expected rate");
        params.capacity = 100000;
        params.error_rate = 0.0;
        assert_int_equal(plan_of(&params, &back, NULL), TAMIS_OK);
        assert_in_range(back.payload_bytes, 1, params.memory);
        assert_at_most(back.error_rate, 0.01, "rate from capacity and memory");
    }
}

/* Far more memory than items: the promise stays a number that sizing itself would take. */
static void test_plenty_of_memory_gives_a_rate_that_can_be_asked_for(void **state)
{
    (void)state;
    static const tamis_kind kinds[] = {TAMIS_BLOOM, TAMIS_COUNTING, TAMIS_SCALABLE, TAMIS_ROTATING};
    static const uint64_t memories[] = {1u << 12, 1u << 20, UINT64_C(1) << 40, UINT64_C(1) << 56};
    for (size_t i = 0; i < COUNT(kinds); i++)
        for (uint64_t n = 1; n <= 1000000; n *= 100)
            for (size_t j = 0; j < COUNT(memories); j++) {
                tamis_params params = params_of(kinds[i], n, 0.0, 0);
                tamis_plan plan, again;
                params.memory = memories[j];
                if (plan_of(&params, &plan, NULL) != TAMIS_OK)
                    continue; /* 4 KiB do not hold everything */
                params.memory = 0;
                params.error_rate = plan.error_rate;
                assert_int_equal(plan_of(&params, &again, NULL), TAMIS_OK);
            }
}

/* --- refusals ------------------------------------------------------------------- */

/* Refused with this status, a message that holds `part`, and nothing written. */
static void check_refused(const tamis_params *params, tamis_status wanted, const char *part)
{
    tamis_plan plan, before;
    tamis_error err = {TAMIS_OK, 0, ""};
    memset(&plan, 0x5a, sizeof plan);
    plan.struct_size = sizeof plan;
    before = plan;
    assert_int_equal(tamis_plan_filter(params, &plan, &err), wanted);
    assert_int_equal(err.status, wanted);
    if (strstr(err.message, part) == NULL)
        print_error("'%s' does not say '%s'\n", err.message, part);
    assert_non_null(strstr(err.message, part));
    assert_memory_equal(&plan, &before, sizeof plan);
    tamis_filter *const marker = (tamis_filter *)(void *)&plan;
    tamis_filter *filter = marker;
    assert_int_equal(tamis_filter_create(params, &filter, NULL), wanted);
    assert_ptr_equal(filter, marker);
}

static void test_rates_outside_the_open_interval_are_refused(void **state)
{
    (void)state;
    static const double bad[] = {0.0, -0.0, 1.0, -0.1, 1.5, 2.0, 5.0, 10.1, 1000.0, 1e308, -1e308};
    for (tamis_kind kind = TAMIS_BLOOM; kind <= TAMIS_ROTATING; kind++) {
        for (size_t i = 0; i < COUNT(bad); i++) {
            tamis_params params = params_of(kind, 1000, bad[i], 0);
            char value[32];
            (void)snprintf(value, sizeof value, "error rate %g ", bad[i]);
            check_refused(&params, TAMIS_E_RANGE, value);
            check_refused(&params, TAMIS_E_RANGE, "between 0 and 1");
        }
        tamis_params params = params_of(kind, 1000, (double)NAN, 0);
        check_refused(&params, TAMIS_E_RANGE, "nan");
        params.memory = 1000;
        check_refused(&params, TAMIS_E_RANGE, "nan");
        params = params_of(kind, 1000, HUGE_VAL, 0);
        check_refused(&params, TAMIS_E_RANGE, "inf");
        params.error_rate = -HUGE_VAL;
        check_refused(&params, TAMIS_E_RANGE, "-inf");
    }
}

static void test_capacity_ends_at_2_to_the_48(void **state)
{
    (void)state;
    tamis_params params = params_of(TAMIS_BLOOM, TAMIS_MAX_CAPACITY, 0.01, 0);
    tamis_plan plan;
    assert_int_equal(plan_of(&params, &plan, NULL), TAMIS_OK);
    params.capacity++;
    check_refused(&params, TAMIS_E_RANGE, "281474976710657");
    params.capacity = UINT64_MAX;
    check_refused(&params, TAMIS_E_RANGE, "2^48");
}

static void test_capacity_0_counts_as_1(void **state)
{
    (void)state;
    for (tamis_kind kind = TAMIS_BLOOM; kind <= TAMIS_ROTATING; kind++) {
        tamis_plan none = plan_for(kind, 0, 0.001, 0), one = plan_for(kind, 1, 0.001, 0);
        assert_memory_equal(&none, &one, sizeof none);
        assert_int_equal(none.capacity, 1);
    }
}

/* The refusal names limits that are true: at them, sizing works; beyond, it does not. */
static void test_the_floor_of_the_hash_is_named(void **state)
{
    (void)state;
    tamis_params params = params_of(TAMIS_BLOOM, 10000000000, 1e-12, 0);
    check_refused(&params, TAMIS_E_RANGE,
                  "error rate 1e-12 is too small for a 64-bit hash at 10000000000 items");
    tamis_error err;
    tamis_plan plan;
    double least_rate = 0, most_items = 0;
    (void)plan_of(&params, &plan, &err);
    assert_int_equal(sscanf(strstr(err.message, "capacity is "), "capacity is %lf", &least_rate), 1);
    assert_int_equal(sscanf(strstr(err.message, "this rate "), "this rate %lf", &most_items), 1);
    assert_near(least_rate, 2e10 / 18446744073709551616.0, 0.01);
    assert_near(most_items, 1e-12 / 2 * 18446744073709551616.0, 1e-6);
    params.error_rate = least_rate * 1.01;
    assert_int_equal(plan_of(&params, &plan, NULL), TAMIS_OK);
    params.error_rate = least_rate * 0.99;
    assert_int_equal(plan_of(&params, &plan, NULL), TAMIS_E_RANGE);
    params.error_rate = 1e-12;
    params.capacity = (uint64_t)most_items;
    assert_int_equal(plan_of(&params, &plan, NULL), TAMIS_OK);
    params.capacity++;
    assert_int_equal(plan_of(&params, &plan, NULL), TAMIS_E_RANGE);
}

static void test_combinations_of_the_three(void **state)
{
    (void)state;
    tamis_params params = params_of(TAMIS_BLOOM, 1000, 0.01, 0);
    params.memory = 1000000;
    check_refused(&params, TAMIS_E_ARGUMENT, "all given");
    params = params_of(TAMIS_BLOOM, 0, 0.0, 0);
    check_refused(&params, TAMIS_E_RANGE, "error rate 0");
    params.memory = 1000000; /* alone */
    check_refused(&params, TAMIS_E_RANGE, "error rate 0");
}

static void test_too_little_memory_is_refused(void **state)
{
    (void)state;
    for (tamis_kind kind = TAMIS_BLOOM; kind <= TAMIS_ROTATING; kind++) {
        tamis_params params = params_of(kind, 1000, 0.0, 0);
        params.memory = 63;
        check_refused(&params, TAMIS_E_RANGE, "63 bytes of memory are too few");
        params.memory = 1;
        check_refused(&params, TAMIS_E_RANGE, "1 bytes of memory are too few");
        params.memory = 64; /* for a thousand million items: nothing but yes */
        params.capacity = 1000000000;
        check_refused(&params, TAMIS_E_RANGE, "64 bytes of memory are too few");
        params.capacity = 0;
        params.error_rate = 1e-15;
        check_refused(&params, TAMIS_E_RANGE, "64 bytes of memory are too few");
    }
}

static void test_memory_beyond_every_machine_is_called_too_large(void **state)
{
    (void)state;
    tamis_params params = params_of(TAMIS_BLOOM, 1000, 0.0, 0);
    params.memory = UINT64_MAX;
    check_refused(&params, TAMIS_E_TOO_LARGE, "18446744073709551615 bytes");
}

static void test_unknown_kinds_flags_and_sizes_are_refused(void **state)
{
    (void)state;
    tamis_params params = params_of(TAMIS_BLOOM, 1000, 0.01, 0);
    params.kind = (tamis_kind)0;
    check_refused(&params, TAMIS_E_ARGUMENT, "0 is no kind");
    params.kind = (tamis_kind)5;
    check_refused(&params, TAMIS_E_ARGUMENT, "5 is no kind");
    params = params_of(TAMIS_BLOOM, 1000, 0.01, 0);
    params.flags = 8;
    check_refused(&params, TAMIS_E_ARGUMENT, "unknown flags 0x8");
    params.flags = 1u << 31 | TAMIS_COMPACT;
    check_refused(&params, TAMIS_E_ARGUMENT, "unknown flags 0x80000000");
    params.flags = TAMIS_REFRESH;
    check_refused(&params, TAMIS_E_ARGUMENT, "refresh");
    params = params_of(TAMIS_BLOOM, 1000, 0.01, 0);
    params.struct_size = 0;
    check_refused(&params, TAMIS_E_ARGUMENT, "TAMIS_PARAMS_INIT");
    params.struct_size = 5000;
    check_refused(&params, TAMIS_E_ARGUMENT, "TAMIS_PARAMS_INIT");
    check_refused(NULL, TAMIS_E_ARGUMENT, "TAMIS_PARAMS_INIT");
}

static void test_the_plan_has_a_size_too(void **state)
{
    (void)state;
    tamis_params params = params_of(TAMIS_BLOOM, 1000, 0.01, 0);
    tamis_plan plan = {.struct_size = 1};
    assert_int_equal(tamis_plan_filter(&params, &plan, NULL), TAMIS_E_ARGUMENT);
    assert_int_equal(tamis_plan_filter(&params, NULL, NULL), TAMIS_E_ARGUMENT);
    assert_int_equal(plan.capacity, 0);
}

static void test_numbers_that_belong_to_one_kind(void **state)
{
    (void)state;
    tamis_params params = params_of(TAMIS_BLOOM, 1000, 0.01, 0);
    params.window_ms = 1000;
    check_refused(&params, TAMIS_E_ARGUMENT, "window");
    params = params_of(TAMIS_ROTATING, 1000, 0.01, 0);
    params.window_ms = 0;
    check_refused(&params, TAMIS_E_ARGUMENT, "window");
    params.window_ms = 7;
    check_refused(&params, TAMIS_E_RANGE, "window of 7 ms");
    params = params_of(TAMIS_BLOOM, 1000, 0.01, 0);
    params.tightening = 1;
    check_refused(&params, TAMIS_E_RANGE, "tightening 1");
    params = params_of(TAMIS_SCALABLE, 1000, 0.01, 0);
    params.tightening = 9;
    check_refused(&params, TAMIS_E_RANGE, "tightening 9");
    params = params_of(TAMIS_BLOOM, 1000, 0.01, 0);
    params.region_lines = 65537;
    check_refused(&params, TAMIS_E_RANGE, "65537 lines a region");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_plan_keeps_its_promise),
        cmocka_unit_test(test_sizes_are_near_the_classic_optimum),
        cmocka_unit_test(test_sizes_are_as_small_as_the_grid_allows),
        cmocka_unit_test(test_every_kind_keeps_its_promise),
        cmocka_unit_test(test_more_items_or_a_smaller_rate_never_need_less),
        cmocka_unit_test(test_region_lines_are_an_upper_limit),
        cmocka_unit_test(test_plans_invert_each_other),
        cmocka_unit_test(test_other_kinds_invert_too),
        cmocka_unit_test(test_plenty_of_memory_gives_a_rate_that_can_be_asked_for),
        cmocka_unit_test(test_rates_outside_the_open_interval_are_refused),
        cmocka_unit_test(test_capacity_ends_at_2_to_the_48),
        cmocka_unit_test(test_capacity_0_counts_as_1),
        cmocka_unit_test(test_the_floor_of_the_hash_is_named),
        cmocka_unit_test(test_combinations_of_the_three),
        cmocka_unit_test(test_too_little_memory_is_refused),
        cmocka_unit_test(test_memory_beyond_every_machine_is_called_too_large),
        cmocka_unit_test(test_unknown_kinds_flags_and_sizes_are_refused),
        cmocka_unit_test(test_the_plan_has_a_size_too),
        cmocka_unit_test(test_numbers_that_belong_to_one_kind),
    };
    return cmocka_run_group_tests_name("sizing", tests, NULL, NULL);
}
