/* The Bloom filter: new flags, merging, estimates, the bits of an item. */
#include "support/support.h"

#include "filter/internal.h"
#include "filter/measure.h"

static void test_new_means_that_a_bit_changed(void **state)
{
    (void)state;
    tamis_filter *filter = make_kind(TAMIS_BLOOM, 500, 0.05, 3);
    uint64_t before = 0, not_new = 0;
    for (uint64_t i = 0; i < 1500; i++) {
        bool had = has_u64(filter, i);
        bool is_new = add_u64(filter, i);
        uint64_t after = info_of(filter).bits_set;
        assert_int_equal(is_new, after > before);
        assert_int_equal(is_new, !had);
        assert_true(after >= before);
        assert_false(add_u64(filter, i)); /* the second time */
        not_new += !is_new;
        before = after;
    }
    assert_in_range(not_new, 100, 1000); /* false positives did occur */
    assert_int_equal(tamis_filter_items_offered(filter), 3000);
    tamis_filter_free(filter);
}

/* --- merging --------------------------------------------------------------------- */

static void test_merge_is_union(void **state)
{
    (void)state;
    tamis_filter *a = make_kind(TAMIS_BLOOM, 1000, 0.01, 3), *b = clone_of(a), *both = clone_of(a);
    add_range(a, 0, 400);
    add_range(b, 300, 400);
    add_range(both, 0, 400);
    add_range(both, 300, 400);
    assert_int_equal(tamis_filter_merge(a, b, NULL), TAMIS_OK);
    assert_true(tamis_filter_equal(a, both));
    assert_int_equal(tamis_filter_items_offered(a), 800);
    assert_near(info_of(a).items_estimated, 700, 0.06);
    tamis_filter_free(a);
    tamis_filter_free(b);
    tamis_filter_free(both);
}

static void test_merge_with_itself_changes_nothing(void **state)
{
    (void)state;
    tamis_filter *filter = make_kind(TAMIS_BLOOM, 1000, 0.01, 3);
    add_range(filter, 0, 400);
    tamis_filter *before = clone_of(filter);
    assert_int_equal(tamis_filter_merge(filter, filter, NULL), TAMIS_OK);
    assert_true(tamis_filter_equal(filter, before));
    tamis_filter_free(filter);
    tamis_filter_free(before);
}

/* Refused, naming the field; target as before. */
static void check_mismatch(const tamis_params *a, const tamis_params *b, const char *field)
{
    tamis_filter *target = make_filter(a), *source = make_filter(b);
    tamis_error err = {TAMIS_OK, 0, ""};
    add_range(target, 0, 10);
    add_range(source, 100, 10);
    tamis_filter *before = clone_of(target);
    assert_int_equal(tamis_filter_merge(target, source, &err), TAMIS_E_MISMATCH);
    assert_int_equal(err.status, TAMIS_E_MISMATCH);
    if (strstr(err.message, field) == NULL)
        print_error("'%s' does not name '%s'\n", err.message, field);
    assert_non_null(strstr(err.message, field));
    assert_true(tamis_filter_equal(target, before));
    assert_int_equal(tamis_filter_merge(target, source, NULL), TAMIS_E_MISMATCH);
    tamis_filter_free(target);
    tamis_filter_free(source);
    tamis_filter_free(before);
}

static void check_mismatches(tamis_kind kind, tamis_kind other_kind)
{
    const tamis_params base = params_of(kind, 10000, 1e-5, 1);
    tamis_params other = base;
    other.kind = other_kind;
    check_mismatch(&base, &other, "kind");
    other = base;
    other.capacity = 10001;
    check_mismatch(&base, &other, "capacity (10000 and 10001)");
    other = base;
    other.error_rate = 2e-5;
    check_mismatch(&base, &other, "error rate (1e-05 and 2e-05)");
    other = base;
    other.seed = 1234567;
    check_mismatch(&base, &other, "seed");
    other = base;
    other.normalisation = 5;
    check_mismatch(&base, &other, "normalisation (0 and 5)");
    other = base;
    other.region_lines = 100;
    check_mismatch(&base, &other, "regions");
    other = base;
    other.flags = TAMIS_COMPACT;
    check_mismatch(&base, &other, "lines");
}

static void test_merge_names_the_field_that_differs(void **state)
{
    (void)state;
    check_mismatches(TAMIS_BLOOM, TAMIS_COUNTING);
    check_mismatches(TAMIS_COUNTING, TAMIS_BLOOM);
}

/* The values of two seeds may be secrets. */
static void test_merge_does_not_tell_seeds(void **state)
{
    (void)state;
    tamis_filter *a = make_kind(TAMIS_BLOOM, 10, 0.01, 123456789),
                 *b = make_kind(TAMIS_BLOOM, 10, 0.01, 987654321);
    tamis_error err;
    assert_int_equal(tamis_filter_merge(a, b, &err), TAMIS_E_MISMATCH);
    assert_null(strstr(err.message, "123456789"));
    assert_null(strstr(err.message, "987654321"));
    tamis_filter_free(a);
    tamis_filter_free(b);
}

/* --- estimates and rates ------------------------------------------------------------ */

static void test_estimates_follow_the_items(void **state)
{
    (void)state;
    static const double rates[] = {0.3, 0.01, 1e-4, 1e-9};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        tamis_filter *filter = make_kind(TAMIS_BLOOM, 10000, rates[i], 3);
        for (uint64_t n = 0; n < 20000; n += 2500) {
            add_range(filter, n, 2500);
            add_range(filter, n, 100); /* repeats do not count */
            assert_near(info_of(filter).items_estimated, (double)(n + 2500), 0.04);
        }
        tamis_filter_free(filter);
    }
}

static void test_a_saturated_filter_has_a_defined_estimate(void **state)
{
    (void)state;
    tamis_filter *filter = make_kind(TAMIS_BLOOM, 1, 0.5, 0);
    add_range(filter, 0, 20000);
    tamis_info info = info_of(filter);
    tamis_layer_info layer = layer_of(filter, 0);
    assert_true(info.saturated);
    assert_true(info.overfull);
    assert_int_equal(info.bits_set, info.bits);
    double probes = (double)layer.lines_per_item * layer.bits_per_line;
    assert_near(info.items_estimated, (double)info.bits / probes * log((double)info.bits), 1e-9);
    assert_true(info.current_rate >= 1.0 && info.current_rate <= 1.0);
    assert_true(isfinite(info.load));
    tamis_filter_free(filter);
}

static void test_overfull_is_told_when_it_is_so(void **state)
{
    (void)state;
    tamis_filter *filter = make_kind(TAMIS_BLOOM, 10000, 0.01, 3);
    add_range(filter, 0, 10000);
    add_range(filter, 0, 10000); /* repeats */
    assert_false(info_of(filter).overfull);
    add_range(filter, 10000, 2000);
    assert_true(info_of(filter).overfull);
    assert_true(info_of(filter).load > 1.1);
    tamis_filter_free(filter);
}

/* The rate from the bits beside a slow definition: every line and rotation asked for. */
static void test_current_rate_is_that_of_the_bits(void **state)
{
    (void)state;
    static const double rates[] = {0.3, 0.1, 0.01, 1e-3, 1e-5};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        tamis_filter *filter = make_kind(TAMIS_BLOOM, 2000, rates[i], 3);
        add_range(filter, 0, 2000);
        const tamis_layer *layer = &filter->layers[0];
        unsigned k = layer->geometry.k, g = layer->geometry.g;
        double sum = 0.0;
        for (uint64_t line = 0; line < layer->geometry.region_lines; line++)
            for (unsigned r = 0; r < 8; r++) {
                double product = 1.0;
                for (unsigned j = 0; j < k; j++) {
                    const unsigned char *lane = layer->payload + line * 64 + (r + j) % 8 * 8;
                    unsigned set = 0;
                    for (unsigned bit = 0; bit < 64; bit++)
                        set += (unsigned)lane[bit / 8] >> bit % 8 & 1u;
                    product *= set / 64.0;
                }
                sum += product;
            }
        double mean = sum / 8 / (double)layer->geometry.region_lines, wanted = 1.0;
        for (unsigned j = 0; j < g; j++)
            wanted *= mean;
        assert_int_equal(layer->geometry.regions, 1);
        assert_near(tamis_layer_current_rate(layer), wanted, 1e-9);
        assert_near(layer_of(filter, 0).current_rate, wanted, 1e-9);
        tamis_filter_free(filter);
    }
}

/* Rates far below what 1 - (1 - q) could hold are told as well. */
static void test_tiny_rates_are_told_exactly(void **state)
{
    (void)state;
    tamis_filter *filter = make_kind(TAMIS_BLOOM, 10, 1e-17, 3);
    add_range(filter, 0, 10);
    tamis_info info = info_of(filter);
    double bits_alone = layer_of(filter, 0).current_rate;
    assert_true(bits_alone > 0.0);
    assert_near(info.current_rate, bits_alone + info.items_estimated / 18446744073709551616.0, 1e-6);
    tamis_filter_free(filter);
}

static void test_model_rate_is_that_of_the_plan(void **state)
{
    (void)state;
    tamis_params params = params_of(TAMIS_BLOOM, 100000, 1e-4, 3);
    tamis_plan plan = {.struct_size = sizeof plan};
    assert_int_equal(tamis_plan_filter(&params, &plan, NULL), TAMIS_OK);
    tamis_filter *filter = make_filter(&params);
    double last = -1.0;
    for (uint64_t n = 0; n <= 400000; n += 50000) {
        double rate = tamis_filter_model_rate(filter, n);
        assert_true(rate > last);
        assert_true(rate <= tamis_plan_rate(&plan, n) && rate >= tamis_plan_rate(&plan, n));
        last = rate;
    }
    assert_near(tamis_filter_model_rate(filter, 100000), plan.expected_rate, 1e-12);
    assert_true(tamis_filter_model_rate(filter, TAMIS_MAX_CAPACITY) <= 1.0);
    tamis_filter_free(filter);
}

/* --- the bits of an item -------------------------------------------------------------- */

#define PROBES 64

static bool probe_bit(const tamis_filter *filter, const tamis_probe *probe)
{
    const unsigned char *line = filter->layers[0].payload + probe->line * 64;
    return (line[probe->bit / 8] >> probe->bit % 8 & 1) != 0;
}

/* Exactly the listed bits are set by adding the item to an empty filter. */
static void check_explain(const tamis_params *params, uint64_t item)
{
    tamis_filter *filter = make_filter(params);
    tamis_probe before[PROBES], after[PROBES];
    tamis_layer_info layer = layer_of(filter, 0);
    size_t count = tamis_filter_explain(filter, &item, sizeof item, before, PROBES);
    uint64_t distinct = 0;
    assert_int_equal(count, layer.lines_per_item * layer.bits_per_line);
    (void)add_u64(filter, item);
    assert_int_equal(tamis_filter_explain(filter, &item, sizeof item, after, PROBES), count);
    for (size_t i = 0; i < count; i++) {
        bool repeated = false;
        for (size_t j = 0; j < i; j++)
            repeated |= after[j].line == after[i].line && after[j].bit == after[i].bit;
        distinct += !repeated;
        assert_false(before[i].set);
        assert_true(after[i].set);
        assert_true(probe_bit(filter, &after[i]));
        assert_int_equal(after[i].layer, 0);
        assert_int_equal(after[i].line_of_item, i / layer.bits_per_line);
        assert_in_range(after[i].line, 0, layer.lines - 1);
        assert_in_range(after[i].bit, 0, 511);
        assert_int_equal(after[i].region, after[i].line / layer.region_lines);
        assert_int_equal(after[i].region, after[0].region); /* all in one */
    }
    assert_int_equal(info_of(filter).bits_set, distinct);
    tamis_filter_free(filter);
}

static void test_explain_lists_the_bits_of_an_item(void **state)
{
    (void)state;
    static const double rates[] = {0.5, 0.1, 0.01, 1e-4, 1e-6, 1e-9, 1e-12};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        for (uint64_t item = 0; item < 200; item++) {
            tamis_params params = params_of(TAMIS_BLOOM, 5000, rates[i], item);
            params.flags = item % 2 == 0 ? TAMIS_COMPACT : 0;
            params.region_lines = item % 3 == 0 ? 64 : 0;
            check_explain(&params, item);
        }
}

static void test_explain_writes_no_more_than_asked(void **state)
{
    (void)state;
    tamis_filter *filter = make_kind(TAMIS_BLOOM, 100000, 1e-6, 0);
    tamis_probe probes[PROBES];
    memset(probes, 0x5a, sizeof probes);
    size_t count = tamis_filter_explain(filter, "x", 1, probes, 3);
    assert_true(count > 3);
    assert_int_equal(probes[3].bit, 0x5a5a5a5a);
    assert_int_equal(tamis_filter_explain(filter, "x", 1, NULL, 0), count);
    tamis_filter_free(filter);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_new_means_that_a_bit_changed),
        cmocka_unit_test(test_merge_is_union),
        cmocka_unit_test(test_merge_with_itself_changes_nothing),
        cmocka_unit_test(test_merge_names_the_field_that_differs),
        cmocka_unit_test(test_merge_does_not_tell_seeds),
        cmocka_unit_test(test_estimates_follow_the_items),
        cmocka_unit_test(test_a_saturated_filter_has_a_defined_estimate),
        cmocka_unit_test(test_overfull_is_told_when_it_is_so),
        cmocka_unit_test(test_current_rate_is_that_of_the_bits),
        cmocka_unit_test(test_tiny_rates_are_told_exactly),
        cmocka_unit_test(test_model_rate_is_that_of_the_plan),
        cmocka_unit_test(test_explain_lists_the_bits_of_an_item),
        cmocka_unit_test(test_explain_writes_no_more_than_asked),
    };
    return cmocka_run_group_tests_name("bloom", tests, NULL, NULL);
}
