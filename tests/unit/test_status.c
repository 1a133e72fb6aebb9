/* Statuses: pinned values, a text and a name for each. */
#include "support/support.h"

#include <errno.h>

#include "base/error.h"

static void test_values_are_pinned(void **state)
{
    (void)state;
    assert_int_equal(TAMIS_OK, 0);
    assert_int_equal(TAMIS_E_ARGUMENT, 1);
    assert_int_equal(TAMIS_E_RANGE, 2);
    assert_int_equal(TAMIS_E_NOMEM, 3);
    assert_int_equal(TAMIS_E_TOO_LARGE, 4);
    assert_int_equal(TAMIS_E_UNSUPPORTED, 5);
    assert_int_equal(TAMIS_E_MISMATCH, 6);
    assert_int_equal(TAMIS_E_FULL, 7);
    assert_int_equal(TAMIS_E_NOT_FOUND, 8);
    assert_int_equal(TAMIS_E_IO, 9);
    assert_int_equal(TAMIS_E_FORMAT, 10);
    assert_int_equal(TAMIS_E_CORRUPT, 11);
    assert_int_equal(TAMIS_E_VERSION, 12);
    assert_int_equal(TAMIS_E_IN_USE, 13);
    assert_int_equal(TAMIS_E_NORMALISED, 14);
    assert_int_equal(TAMIS_E_DIRTY, 15);
    assert_int_equal(TAMIS_E_EXISTS, 16);
    assert_int_equal(TAMIS_E_RECORD, 17);
    assert_int_equal(TAMIS_E_CLOSED, 18);
    assert_int_equal(TAMIS_E_INTERRUPTED, 19);
}

static void test_every_status_has_its_own_text_and_name(void **state)
{
    (void)state;
    for (int a = 0; a <= 19; a++) {
        assert_non_null(tamis_status_name((tamis_status)a));
        assert_string_not_equal(tamis_status_text((tamis_status)a), "unknown status");
        for (int b = 0; b < a; b++) {
            assert_string_not_equal(tamis_status_text((tamis_status)a), tamis_status_text((tamis_status)b));
            assert_string_not_equal(tamis_status_name((tamis_status)a), tamis_status_name((tamis_status)b));
        }
    }
    assert_string_equal(tamis_status_name(TAMIS_OK), "TAMIS_OK");
    assert_string_equal(tamis_status_name(TAMIS_E_RANGE), "TAMIS_E_RANGE");
    assert_string_equal(tamis_status_text(TAMIS_OK), "success");
}

static void test_other_values_are_unknown(void **state)
{
    (void)state;
    assert_string_equal(tamis_status_text((tamis_status)20), "unknown status");
    assert_null(tamis_status_name((tamis_status)20));
    assert_string_equal(tamis_status_text((tamis_status)1000), "unknown status");
}

static void test_version_is_that_of_the_header(void **state)
{
    (void)state;
    char wanted[32];
    (void)snprintf(wanted, sizeof wanted, "%d.%d.%d", TAMIS_VERSION_MAJOR, TAMIS_VERSION_MINOR,
                   TAMIS_VERSION_PATCH);
    assert_string_equal(tamis_version(), wanted);
}

static void test_fail_fills_in_one_line(void **state)
{
    (void)state;
    tamis_error err = {TAMIS_OK, 7, "old"};
    assert_int_equal(tamis_fail(&err, TAMIS_E_RANGE, "file %s: %d", "a\nb\tc\x7f", 3), TAMIS_E_RANGE);
    assert_int_equal(err.status, TAMIS_E_RANGE);
    assert_int_equal(err.system_errno, 0);
    assert_string_equal(err.message, "file a?b?c?: 3");
    assert_int_equal(tamis_fail(NULL, TAMIS_E_FULL, "nobody reads this"), TAMIS_E_FULL);
}

static void test_fail_cuts_what_is_too_long(void **state)
{
    (void)state;
    char longer[2000];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    tamis_error err;
    assert_int_equal(tamis_fail(&err, TAMIS_E_IO, "%s", longer), TAMIS_E_IO);
    assert_int_equal(strlen(err.message), sizeof err.message - 1);
    errno = ENOENT;
    assert_int_equal(tamis_fail_errno(&err, "%s", longer), TAMIS_E_IO);
    assert_int_equal(strlen(err.message), sizeof err.message - 1);
}

static void test_fail_errno_tells_system_errors_apart(void **state)
{
    (void)state;
    tamis_error err;
    errno = ENOENT;
    assert_int_equal(tamis_fail_errno(&err, "opening %s", "x"), TAMIS_E_IO);
    assert_int_equal(err.system_errno, ENOENT);
    assert_int_equal(errno, ENOENT);
    assert_string_equal(err.message, "opening x: No such file or directory");
    errno = EPIPE;
    assert_int_equal(tamis_fail_errno(&err, "writing"), TAMIS_E_CLOSED);
    errno = ENOMEM;
    assert_int_equal(tamis_fail_errno(NULL, "mapping"), TAMIS_E_NOMEM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_are_pinned),
        cmocka_unit_test(test_every_status_has_its_own_text_and_name),
        cmocka_unit_test(test_other_values_are_unknown),
        cmocka_unit_test(test_version_is_that_of_the_header),
        cmocka_unit_test(test_fail_fills_in_one_line),
        cmocka_unit_test(test_fail_cuts_what_is_too_long),
        cmocka_unit_test(test_fail_errno_tells_system_errors_apart),
    };
    return cmocka_run_group_tests_name("status", tests, NULL, NULL);
}
