/* Filter files: what goes in comes out, from memory, files and pipes. */
#define _GNU_SOURCE
#include "unit/file_samples.h"

#include <pthread.h>
#include <signal.h>

#include "base/options.h"

static const tamis_kind kinds[KINDS] = {TAMIS_BLOOM, TAMIS_COUNTING, TAMIS_SCALABLE, TAMIS_ROTATING};

/* Decoding gives an equal filter, and that the same bytes. */
static void assert_round_trip(const tamis_filter *filter)
{
    tamis_error err;
    tamis_filter *loaded = NULL;
    tamis_open_options options = TAMIS_OPEN_OPTIONS_INIT;
    options.flags = TAMIS_OPEN_NORMALISED;
    file_bytes bytes = file_of(filter);
    assert_int_equal(tamis_filter_decode(bytes.data, bytes.len, &options, &loaded, &err), TAMIS_OK);
    assert_true(tamis_filter_equal(filter, loaded));
    file_bytes again = file_of(loaded);
    assert_same_bytes(bytes, again);
    tamis_filter_free(loaded);
    free(again.data);
    free(bytes.data);
}

static void test_B23_empty_filters(void **state)
{
    (void)state;
    for (size_t i = 0; i < KINDS; i++) {
        tamis_filter *filter = make_filter(kinds[i], 0, 0), *loaded = NULL;
        assert_round_trip(filter);
        file_bytes bytes = file_of(filter);
        assert_int_equal(decode(bytes, &loaded, NULL), TAMIS_OK);
        for (unsigned item = 0; item < 1000; item++)
            assert_false(tamis_filter_contains(loaded, &item, sizeof item));
        assert_int_equal(tamis_filter_items_offered(loaded), 0);
        tamis_filter_free(loaded);
        tamis_filter_free(filter);
        free(bytes.data);
    }
}

static void test_filled_filters(void **state)
{
    (void)state;
    for (size_t i = 0; i < KINDS; i++)
        for (unsigned items = 1; items < 3000; items = items * 3 + 1) {
            tamis_filter *filter = make_filter(kinds[i], items, items);
            assert_round_trip(filter);
            tamis_filter_free(filter);
        }
}

static void test_scalable_layers(void **state)
{
    (void)state;
    tamis_filter *filter = make_filter(TAMIS_SCALABLE, 10, 5000);
    tamis_info info = {.struct_size = sizeof info};
    assert_int_equal(tamis_filter_info(filter, &info), TAMIS_OK);
    assert_true(info.layers >= 2);
    assert_round_trip(filter);
    tamis_filter_free(filter);
}

/* The ring keeps its place: what is forgotten later is the same. */
static void test_rotating_goes_on(void **state)
{
    (void)state;
    tamis_filter *filter = make_filter(TAMIS_ROTATING, 900, 0), *loaded = NULL;
    for (unsigned i = 0; i < 40; i++) {
        assert_int_equal(tamis_filter_advance(filter, 1000000 + i * 500), TAMIS_OK);
        add_numbers(filter, i * 10, i * 10 + 10);
        file_bytes bytes = file_of(filter);
        assert_int_equal(decode(bytes, &loaded, NULL), TAMIS_OK);
        tamis_filter_free(filter);
        free(bytes.data);
        filter = loaded;
    }
    assert_has_numbers(filter, 240, 400); /* the last 8 seconds */
    unsigned found = 0;
    for (unsigned i = 0; i < 200; i++)
        found += tamis_filter_contains(filter, &i, sizeof i);
    assert_true(found < 20);
    tamis_filter_free(filter);
}

static void test_metadata(void **state)
{
    (void)state;
    const size_t lengths[] = {0, 1, 63, 64, 65, 1000, TAMIS_MAX_METADATA};
    unsigned char *bytes = malloc(TAMIS_MAX_METADATA);
    assert_non_null(bytes);
    memset(bytes, 'm', TAMIS_MAX_METADATA);
    for (size_t kind = 0; kind < KINDS; kind++)
        for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
            tamis_filter *filter = make_filter(kinds[kind], 10, 5), *loaded = NULL;
            size_t len = 0;
            assert_int_equal(tamis_filter_set_metadata(filter, bytes, lengths[i]), TAMIS_OK);
            assert_round_trip(filter);
            file_bytes file = file_of(filter);
            assert_int_equal(decode(file, &loaded, NULL), TAMIS_OK);
            const void *kept = tamis_filter_metadata(loaded, &len);
            assert_int_equal(len, lengths[i]);
            if (len > 0)
                assert_memory_equal(kept, bytes, len);
            free(file.data);
            tamis_filter_free(loaded);
            tamis_filter_free(filter);
        }
    free(bytes);
}

static void test_normalised(void **state)
{
    (void)state;
    tamis_error err;
    tamis_filter *filter = NULL, *loaded = NULL;
    tamis_params params = sample_params(TAMIS_BLOOM, 10, 0.01);
    params.normalisation = TAMIS_NORM_CASE(1) | TAMIS_NORM_HEX(1);
    assert_int_equal(tamis_filter_create(&params, &filter, &err), TAMIS_OK);
    file_bytes bytes = file_of(filter);
    assert_int_equal(decode(bytes, &loaded, &err), TAMIS_E_NORMALISED);
    assert_null(loaded);
    assert_round_trip(filter);
    tamis_filter_free(filter);
    free(bytes.data);
}

static void test_merge_after_load(void **state)
{
    (void)state;
    const tamis_kind mergeable[] = {TAMIS_BLOOM, TAMIS_COUNTING};
    for (size_t i = 0; i < 2; i++) {
        tamis_filter *a = make_filter(mergeable[i], 1000, 300), *b = make_filter(mergeable[i], 1000, 0);
        tamis_filter *loaded = NULL;
        add_numbers(b, 300, 600);
        file_bytes bytes = file_of(a);
        assert_int_equal(decode(bytes, &loaded, NULL), TAMIS_OK);
        assert_int_equal(tamis_filter_merge(loaded, b, NULL), TAMIS_OK);
        assert_int_equal(tamis_filter_merge(a, b, NULL), TAMIS_OK);
        assert_has_numbers(loaded, 0, 600);
        assert_true(tamis_filter_equal(a, loaded));
        tamis_filter_free(loaded);
        tamis_filter_free(a);
        tamis_filter_free(b);
        free(bytes.data);
    }
}

/* --- pipes ------------------------------------------------------------------------ */

typedef struct feed {
    int fd;
    file_bytes bytes;
    size_t step;
} feed;

static void *feed_pipe(void *argument)
{
    feed *work = argument;
    for (size_t at = 0; at < work->bytes.len; at += work->step) {
        size_t left = work->bytes.len - at, part = left < work->step ? left : work->step;
        if (write(work->fd, work->bytes.data + at, part) != (ssize_t)part)
            break;
    }
    (void)close(work->fd);
    return NULL;
}

/* Reads bytes that come in pieces of `step` through a pipe. */
static tamis_status read_piped(file_bytes bytes, size_t step, const tamis_open_options *options,
                               tamis_filter **out)
{
    int ends[2];
    pthread_t thread;
    assert_int_equal(pipe(ends), 0);
    feed work = {ends[1], bytes, step};
    assert_int_equal(pthread_create(&thread, NULL, feed_pipe, &work), 0);
    tamis_status status = tamis_filter_read(ends[0], options, out, NULL);
    (void)close(ends[0]);
    assert_int_equal(pthread_join(thread, NULL), 0);
    return status;
}

static void test_pipe(void **state)
{
    (void)state;
    const size_t steps[] = {100, 4096, 65536};
    for (size_t kind = 0; kind < KINDS; kind++)
        for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
            tamis_filter *filter = make_filter(kinds[kind], 100000, 2000), *loaded = NULL;
            assert_int_equal(tamis_filter_set_metadata(filter, "abc", 3), TAMIS_OK);
            file_bytes bytes = file_of(filter);
            assert_int_equal(read_piped(bytes, steps[i], NULL, &loaded), TAMIS_OK);
            assert_true(tamis_filter_equal(filter, loaded));
            tamis_filter_free(loaded);
            tamis_filter_free(filter);
            free(bytes.data);
        }
}

static void test_large_pipe(void **state)
{
    (void)state;
    tamis_filter *filter = make_filter(TAMIS_BLOOM, 8000000, 20000), *loaded = NULL;
    file_bytes bytes = file_of(filter);
    assert_true(bytes.len > ((size_t)8 << 20));
    assert_int_equal(read_piped(bytes, 65536, NULL, &loaded), TAMIS_OK);
    assert_true(tamis_filter_equal(filter, loaded));
    tamis_filter_free(loaded);
    tamis_filter_free(filter);
    free(bytes.data);
}

static void test_pipe_with_wrong_length(void **state)
{
    (void)state;
    tamis_filter *filter = make_filter(TAMIS_BLOOM, 1000, 1000), *loaded = NULL;
    file_bytes bytes = file_of(filter);
    bytes.len--;
    assert_int_equal(read_piped(bytes, 1000, NULL, &loaded), TAMIS_E_CORRUPT);
    bytes.len++;
    bytes.data = realloc(bytes.data, bytes.len + 1);
    assert_non_null(bytes.data);
    bytes.data[bytes.len++] = 0;
    assert_int_equal(read_piped(bytes, 1000, NULL, &loaded), TAMIS_E_CORRUPT);
    assert_null(loaded);
    tamis_filter_free(filter);
    free(bytes.data);
}

/* A file may stand in the middle of another: it is read from where the descriptor
 * stands. */
static void test_descriptor_with_offset(void **state)
{
    (void)state;
    tamis_filter *filter = make_filter(TAMIS_COUNTING, 50, 50), *loaded = NULL;
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_int_equal(write(fileno(file), "before", 6), 6);
    assert_int_equal(tamis_filter_write(filter, fileno(file), NULL), TAMIS_OK);
    assert_int_equal(lseek(fileno(file), 6, SEEK_SET), 6);
    assert_int_equal(tamis_filter_read(fileno(file), NULL, &loaded, NULL), TAMIS_OK);
    assert_true(tamis_filter_equal(filter, loaded));
    tamis_filter_free(loaded);
    tamis_filter_free(filter);
    assert_int_equal(fclose(file), 0);
}

static void test_closed_pipe(void **state)
{
    (void)state;
    int ends[2];
    tamis_error err;
    tamis_filter *filter = make_filter(TAMIS_BLOOM, 10, 10);
    assert_int_equal(pipe(ends), 0);
    (void)close(ends[0]);
    assert_int_equal(tamis_filter_write(filter, ends[1], &err), TAMIS_E_CLOSED);
    (void)close(ends[1]);
    tamis_filter_free(filter);
}

/* What an older and a newer caller look like from here. */
static void test_options_read(void **state)
{
    (void)state;
    struct {
        size_t size;
        uint32_t first, second;
    } out, given = {sizeof given, 7, 8};
    const size_t first_size = sizeof given - 4;
    assert_true(tamis_options_read(&out, sizeof out, &given, first_size));
    assert_true(out.size == sizeof out && out.first == 7 && out.second == 8);
    given.size = first_size;
    assert_true(tamis_options_read(&out, sizeof out, &given, first_size));
    assert_true(out.size == sizeof out && out.first == 7 && out.second == 0);
    given.size = first_size - 1;
    assert_false(tamis_options_read(&out, sizeof out, &given, first_size));
    given.size = sizeof given;
    assert_false(tamis_options_read(&out, first_size, &given, first_size)); /* second is 8 */
    given.second = 0;
    assert_true(tamis_options_read(&out, first_size, &given, first_size));
    assert_true(out.size == first_size && out.first == 7);
    given.size = TAMIS_OPTIONS_MOST + 1;
    assert_false(tamis_options_read(&out, sizeof out, &given, first_size));
}

static void test_options(void **state)
{
    (void)state;
    tamis_filter *filter = make_filter(TAMIS_BLOOM, 10, 10), *loaded = NULL;
    file_bytes bytes = file_of(filter);
    tamis_open_options options = TAMIS_OPEN_OPTIONS_INIT;
    options.flags = TAMIS_OPEN_MAP; /* memory cannot be mapped */
    assert_int_equal(tamis_filter_decode(bytes.data, bytes.len, &options, &loaded, NULL), TAMIS_E_ARGUMENT);
    options.flags = 0;
    options.struct_size = 3;
    assert_int_equal(tamis_filter_decode(bytes.data, bytes.len, &options, &loaded, NULL), TAMIS_E_ARGUMENT);
    struct {
        tamis_open_options known;
        uint64_t later;
    } larger = {TAMIS_OPEN_OPTIONS_INIT, 1};
    larger.known.struct_size = sizeof larger;
    assert_int_equal(tamis_filter_decode(bytes.data, bytes.len, &larger.known, &loaded, NULL),
                     TAMIS_E_ARGUMENT);
    assert_null(loaded);
    larger.later = 0;
    assert_int_equal(tamis_filter_decode(bytes.data, bytes.len, &larger.known, &loaded, NULL), TAMIS_OK);
    tamis_filter_free(loaded);
    tamis_filter_free(filter);
    free(bytes.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_B23_empty_filters),
        cmocka_unit_test(test_filled_filters),
        cmocka_unit_test(test_scalable_layers),
        cmocka_unit_test(test_rotating_goes_on),
        cmocka_unit_test(test_metadata),
        cmocka_unit_test(test_normalised),
        cmocka_unit_test(test_merge_after_load),
        cmocka_unit_test(test_pipe),
        cmocka_unit_test(test_large_pipe),
        cmocka_unit_test(test_pipe_with_wrong_length),
        cmocka_unit_test(test_descriptor_with_offset),
        cmocka_unit_test(test_closed_pipe),
        cmocka_unit_test(test_options_read),
        cmocka_unit_test(test_options),
    };
    (void)signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
