/* The line of the progress bar. */
#include "cli_test.h"

#include "progress.h"

static void lines(void **state)
{
    (void)state;
    char text[128];
    progress_text(text, sizeof text, 50000000, 100000000, 5.0);
    assert_string_equal(text, "[############            ]  50 %, 10.0 MB/s, 0:00:05 left");
    progress_text(text, sizeof text, 100, 100, 1.0);
    assert_string_equal(text, "[########################] 100 %, 0.0 MB/s, 0:00:00 left");
    progress_text(text, sizeof text, 0, 100, 1.0);
    assert_string_equal(text, "[                        ]   0 %, 0.0 MB/s, 0:00:00 left");
    progress_text(text, sizeof text, 1000000, UINT64_C(36610000000), 10.0);
    assert_string_equal(text, "[                        ]   0 %, 0.1 MB/s, 101:41:30 left");
}

/* A pipe has no end that is known; a file may have grown beyond its size. */
static void unknown_total(void **state)
{
    (void)state;
    char text[128];
    progress_text(text, sizeof text, 5000000, 0, 2.0);
    assert_string_equal(text, "5.0 MB, 2.5 MB/s");
    progress_text(text, sizeof text, 5000000, 4000000, 0.0);
    assert_string_equal(text, "5.0 MB, 0.0 MB/s");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines), cmocka_unit_test(unknown_total)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
