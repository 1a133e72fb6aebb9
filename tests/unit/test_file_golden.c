/* Old files stay readable: tests/golden/files holds files that were written once
 * and are never written again. */
#define _GNU_SOURCE
#include "portable/file_items.h"
#include "unit/file_samples.h"

static void assert_answers(const file_sample *sample, const tamis_filter *filter)
{
    unsigned char item[400];
    unsigned found = 0;
    for (unsigned i = 0; i < sample->items; i++) {
        bool has = tamis_filter_contains(filter, item, make_item(i, item));
        if (sample->step_ms == 0 && i >= sample->removed)
            assert_true(has);
        if (sample->step_ms != 0 && (sample->items - 1 - i) * sample->step_ms < sample->params.window_ms)
            assert_true(has);
    }
    for (unsigned i = sample->items; i < sample->items + 10000; i++)
        found += tamis_filter_contains(filter, item, make_item(i, item));
    assert_true(found < 400); /* 1 % and some that are overfull; none at all would be no test of the bits */
}

static void test_golden_files(void **state)
{
    (void)state;
    char path[MAX_PATH];
    unsigned seen = 0;
    for (size_t i = 0; i < sizeof file_samples / sizeof file_samples[0]; i++) {
        const file_sample *sample = &file_samples[i];
        tamis_open_options options = TAMIS_OPEN_OPTIONS_INIT;
        tamis_filter *filter = NULL;
        size_t len = 0;
        (void)snprintf(path, sizeof path, "%s/tests/golden/files/%s.tamis", TAMIS_SOURCE_DIR, sample->name);
        if (access(path, R_OK) != 0)
            continue;
        seen++;
        options.flags = TAMIS_OPEN_NORMALISED;
        assert_int_equal(tamis_file_verify(path, NULL), TAMIS_OK);
        assert_int_equal(tamis_filter_open(path, &options, &filter, NULL), TAMIS_OK);
        assert_int_equal(tamis_filter_kind(filter), sample->params.kind);
        assert_int_equal(tamis_filter_items_offered(filter), sample->items - sample->removed);
        assert_answers(sample, filter);
        const void *metadata = tamis_filter_metadata(filter, &len);
        assert_int_equal(len, strlen(sample->metadata));
        assert_true(len == 0 || memcmp(metadata, sample->metadata, len) == 0);
        file_bytes there = read_file(path), again = file_of(filter);
        assert_same_bytes(there, again);
        free(there.data);
        free(again.data);
        tamis_filter_free(filter);
    }
    assert_int_equal(seen, 8); /* all but the large one */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_golden_files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
