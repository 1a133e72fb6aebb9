/* Numbers on the command line: the whole text or nothing, and a message that
 * names option and value. */
#include "cli_test.h"

#include "number.h"

static tamis_error err;

static void check_message(const char *part)
{
    if (strstr(err.message, part) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", part, err.message);
}

static void counts(void **state)
{
    (void)state;
    uint64_t value = 77;
    assert_int_equal(number_count("-n", "0", 0, 9, &value, &err), TAMIS_OK);
    assert_int_equal(value, 0);
    assert_int_equal(number_count("-n", "18446744073709551615", 0, UINT64_MAX, &value, &err), TAMIS_OK);
    assert_true(value == UINT64_MAX);
    assert_int_equal(number_count("-n", "007", 0, 9, &value, &err), TAMIS_OK);
    assert_int_equal(value, 7);
    static const struct {
        const char *text;
        uint64_t value;
    } units[] = {{"10K", 10000},
                 {"2m", 2000000},
                 {"3G", UINT64_C(3000000000)},
                 {"1T", UINT64_C(1000000000000)},
                 {"1e6", 1000000},
                 {"2.5E+3", 2500},
                 {"1.5K", 1500},
                 {"1.000000K", 1000},
                 {"7e0", 7},
                 {"1.0", 1},
                 {"1e19", UINT64_C(10000000000000000000)},
                 {"0.000001M", 1}};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        assert_int_equal(number_count("-n", units[i].text, 0, UINT64_MAX, &value, &err), TAMIS_OK);
        assert_true(value == units[i].value);
    }
    assert_int_equal(number_count("-n", "2e19", 0, UINT64_MAX, &value, &err), TAMIS_E_RANGE);
    assert_int_equal(number_count("-n", "18446745T", 0, UINT64_MAX, &value, &err), TAMIS_E_RANGE);
}

static void counts_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"",     "-1",  "+1",   " 1",      "1 ",         "1.5",   "1e",  "e3",
                                        "1e-3", "0x1", "1KK",  "1KiB",    "a",          "1a",    "nan", "1.",
                                        ".5K",  "K",   "1e20", "1.2345K", "1.0000001M", "1.5.0K"};
    uint64_t value = 77;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_int_equal(number_count("-n", texts[i], 0, 9, &value, &err), TAMIS_E_ARGUMENT);
        check_message("-n");
        check_message(texts[i]);
    }
    assert_int_equal(number_count("-n", "10", 0, 9, &value, &err), TAMIS_E_RANGE);
    check_message("between 0 and 9");
    assert_int_equal(number_count("-n", "0", 1, 9, &value, &err), TAMIS_E_RANGE);
    assert_int_equal(number_count("-n", "18446744073709551616", 0, UINT64_MAX, &value, &err), TAMIS_E_RANGE);
    assert_int_equal(number_count("-n", "99999999999999999999999", 0, UINT64_MAX, &value, &err),
                     TAMIS_E_RANGE);
    assert_int_equal(value, 77);
}

static void rates(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } good[] = {{"0.5", 0.5}, {".25", 0.25}, {"1e-9", 1e-9}, {"5E-1", 0.5}, {"+0.5", 0.5}};
    double value = 0.0;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_int_equal(number_rate("-p", good[i].text, &value, &err), TAMIS_OK);
        assert_true(value >= good[i].value && value <= good[i].value);
    }
    assert_int_equal(number_rate("-p", "0.", &value, &err), TAMIS_E_RANGE);
}

static void rates_refused(void **state)
{
    (void)state;
    static const char *const not_numbers[] = {"",     "nan",  "NAN",   "inf", "-inf", "infinity", "0x.8p0",
                                              " 0.5", "0.5 ", "0.5x",  "1e",  "1e+",  ".",        "e5",
                                              "0..5", "0.5.", "--0.5", "%",   "nan%"};
    static const char *const out_of_range[] = {"0",     "1",   "2",    "-0.5", "1e-400",
                                               "1e400", "1.0", "0.5%", "100",  "-0"};
    double value = 0.125;
    for (size_t i = 0; i < sizeof not_numbers / sizeof not_numbers[0]; i++)
        if (number_rate("-p", not_numbers[i], &value, &err) != TAMIS_E_ARGUMENT)
            fail_msg("%s is taken for a number", not_numbers[i]);
    for (size_t i = 0; i < sizeof out_of_range / sizeof out_of_range[0]; i++)
        if (number_rate("-p", out_of_range[i], &value, &err) != TAMIS_E_RANGE)
            fail_msg("%s is taken for a rate", out_of_range[i]);
    assert_true(value >= 0.125 && value <= 0.125);
}

static void rate_hints(void **state)
{
    (void)state;
    double value = 0.0;
    (void)number_rate("-p", "5", &value, &err);
    check_message("did you mean 0.05?");
    (void)number_rate("-p", "5%", &value, &err);
    check_message("did you mean 0.05?");
    (void)number_rate("-p", "1000", &value, &err);
    assert_null(strstr(err.message, "did you mean"));
    check_message("between 0 and 1");
}

static void sizes(void **state)
{
    (void)state;
    uint64_t value = 0;
    assert_int_equal(number_size("-S", "1", &value, &err), TAMIS_OK);
    assert_int_equal(value, 1);
    assert_int_equal(number_size("-S", "3k", &value, &err), TAMIS_OK);
    assert_int_equal(value, 3072);
    assert_int_equal(number_size("-S", "2M", &value, &err), TAMIS_OK);
    assert_int_equal(value, 2097152);
    assert_int_equal(number_size("-S", "5G", &value, &err), TAMIS_OK);
    assert_true(value == UINT64_C(5) << 30);
    assert_int_equal(number_size("-S", "16777215T", &value, &err), TAMIS_OK);
    assert_true(value == UINT64_C(16777215) << 40);
    assert_int_equal(number_size("-S", "1.5G", &value, &err), TAMIS_OK);
    assert_true(value == UINT64_C(3) << 29);
    assert_int_equal(number_size("-S", "64MiB", &value, &err), TAMIS_OK);
    assert_int_equal(value, 67108864);
    assert_int_equal(number_size("-S", "1.1K", &value, &err), TAMIS_OK);
    assert_int_equal(value, 1126);
}

static void sizes_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"",    "K",  "1KB", "1Kib", "1kiBs", "-1M", "1.5",
                                        "1 M", "1P", "M1",  "1.M",  ".5M",   "1e6", "1.1234567M"};
    uint64_t value = 77;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_int_equal(number_size("-S", texts[i], &value, &err), TAMIS_E_ARGUMENT);
    assert_int_equal(number_size("-S", "0", &value, &err), TAMIS_E_RANGE);
    assert_int_equal(number_size("-S", "0G", &value, &err), TAMIS_E_RANGE);
    assert_int_equal(number_size("-S", "16777216T", &value, &err), TAMIS_E_RANGE);
    assert_int_equal(number_size("-S", "18446744073709551616", &value, &err), TAMIS_E_RANGE);
    assert_int_equal(value, 77);
}

static void seeds(void **state)
{
    (void)state;
    uint64_t value = 0;
    assert_int_equal(number_seed("--seed", "18446744073709551615", &value, &err), TAMIS_OK);
    assert_true(value == UINT64_MAX);
    assert_int_equal(number_seed("--seed", "0xFFFFFFFFffffffff", &value, &err), TAMIS_OK);
    assert_true(value == UINT64_MAX);
    assert_int_equal(number_seed("--seed", "0X10", &value, &err), TAMIS_OK);
    assert_int_equal(value, 16);
    static const char *const texts[] = {"",    "0x", "0x10000000000000000", "0xg",
                                        "10h", "-1", "18446744073709551616"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_int_equal(number_seed("--seed", texts[i], &value, &err), TAMIS_E_ARGUMENT);
    assert_int_equal(value, 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts),        cmocka_unit_test(counts_refused), cmocka_unit_test(rates),
        cmocka_unit_test(rates_refused), cmocka_unit_test(rate_hints),     cmocka_unit_test(sizes),
        cmocka_unit_test(sizes_refused), cmocka_unit_test(seeds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
