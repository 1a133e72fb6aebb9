/* Records through threads: what `finish` sees is the input in order, whatever the
 * number of threads; the first failure in that order ends it. */
#define _GNU_SOURCE

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tamis/stream.h>

#define LINES 100000u /* a dozen batches */

typedef struct sums {
    uint64_t worked;   /* guarded by `lock` */
    uint64_t finished; /* records */
    uint64_t next;     /* the line that finish must see next */
    uint64_t fail_at;  /* line at which `finish` fails; 0: never */
    uint64_t spoil_at; /* line at which `work` fails */
    unsigned idles;
    bool wrong;
    pthread_mutex_t lock;
} sums;

static void write_lines(char *path, unsigned lines)
{
    (void)strcpy(path, "/tmp/tamis-flow-XXXXXX");
    int fd = mkstemp(path);
    FILE *out = fdopen(fd, "w");
    assert_non_null(out);
    for (unsigned i = 1; i <= lines; i++)
        (void)fprintf(out, "line %u\n", i);
    assert_int_equal(fclose(out), 0);
}

static uint64_t line_number(const tamis_item *record)
{
    char text[32] = {0};
    memcpy(text, record->data, record->len < sizeof text ? record->len : sizeof text - 1);
    return strtoull(text + 5, NULL, 10);
}

static bool has_line(const tamis_records *records, uint64_t line)
{
    return line >= records->first_number && line < records->first_number + records->count;
}

static void *new_scratch(void *ctx)
{
    (void)ctx;
    return calloc(1, sizeof(uint64_t));
}

static void free_scratch(void *ctx, void *scratch)
{
    (void)ctx;
    free(scratch);
}

/* Leaves the number of its first record in the scratch. */
static tamis_status work(void *ctx, void *scratch, const tamis_records *records, tamis_error *err)
{
    sums *all = ctx;
    *(uint64_t *)scratch = records->first_number;
    (void)pthread_mutex_lock(&all->lock);
    all->worked += records->count;
    (void)pthread_mutex_unlock(&all->lock);
    err->status = TAMIS_E_RECORD;
    return all->spoil_at != 0 && has_line(records, all->spoil_at) ? TAMIS_E_RECORD : TAMIS_OK;
}

static tamis_status finish(void *ctx, void *scratch, const tamis_records *records, tamis_error *err)
{
    sums *all = ctx;
    all->wrong |= *(uint64_t *)scratch != records->first_number;
    for (size_t i = 0; i < records->count; i++)
        all->wrong |= line_number(&records->records[i]) != all->next++;
    all->finished += records->count;
    err->status = TAMIS_E_FULL;
    return all->fail_at != 0 && has_line(records, all->fail_at) ? TAMIS_E_FULL : TAMIS_OK;
}

static tamis_status idle(void *ctx, tamis_error *err)
{
    sums *all = ctx;
    (void)err;
    all->idles++;
    return TAMIS_OK;
}

static tamis_status run(const char *path, unsigned threads, sums *all)
{
    const tamis_record_format format = {.struct_size = sizeof format, .delimiter = '\n'};
    const tamis_flow flow = {sizeof flow, threads, new_scratch, free_scratch, work, finish, idle, all};
    tamis_reader *reader = NULL;
    tamis_error err;
    assert_int_equal(tamis_reader_open(&path, 1, &format, &reader, &err), TAMIS_OK);
    all->next = 1;
    assert_int_equal(pthread_mutex_init(&all->lock, NULL), 0);
    tamis_status status = tamis_reader_run(reader, &flow, &err);
    if (status != TAMIS_OK)
        assert_int_equal(err.status, status);
    tamis_reader_close(reader);
    return status;
}

static void test_order_is_kept(void **state)
{
    (void)state;
    char path[64];
    write_lines(path, LINES);
    for (unsigned threads = 1; threads <= 5; threads++) {
        sums all = {.worked = 0};
        assert_int_equal(run(path, threads, &all), TAMIS_OK);
        assert_int_equal(all.finished, LINES);
        assert_int_equal(all.worked, LINES);
        assert_false(all.wrong);
    }
    assert_int_equal(unlink(path), 0);
}

static void test_first_failure_ends_it(void **state)
{
    (void)state;
    char path[64];
    write_lines(path, LINES);
    for (unsigned threads = 1; threads <= 5; threads++) {
        sums failing = {.fail_at = LINES / 2};
        assert_int_equal(run(path, threads, &failing), TAMIS_E_FULL);
        assert_in_range(failing.finished, LINES / 2, LINES / 2 + 8192);
        assert_false(failing.wrong);
        sums spoiled = {.spoil_at = LINES / 2, .fail_at = LINES - 1};
        assert_int_equal(run(path, threads, &spoiled), TAMIS_E_RECORD);
        assert_in_range(spoiled.finished, LINES / 2 - 8192, LINES / 2 - 1);
        assert_false(spoiled.wrong);
    }
    assert_int_equal(unlink(path), 0);
}

static void test_empty_input(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 3; threads++) {
        sums all = {.worked = 0};
        assert_int_equal(run("/dev/null", threads, &all), TAMIS_OK);
        assert_int_equal(all.finished, 0);
    }
}

/* Writes lines with pauses, so that the reader has to wait. */
static void *write_slowly(void *argument)
{
    const int *fd = argument;
    for (unsigned i = 1; i <= 20; i++) {
        (void)dprintf(*fd, "line %u\n", i);
        (void)usleep(2000);
    }
    (void)close(*fd);
    return NULL;
}

static void test_idle_before_waiting(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 3; threads++) {
        int ends[2];
        char path[64];
        pthread_t writer;
        sums all = {.worked = 0};
        assert_int_equal(pipe(ends), 0);
        (void)snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
        assert_int_equal(pthread_create(&writer, NULL, write_slowly, &ends[1]), 0);
        assert_int_equal(run(path, threads, &all), TAMIS_OK);
        assert_int_equal(pthread_join(writer, NULL), 0);
        assert_int_equal(close(ends[0]), 0);
        assert_int_equal(all.finished, 20);
        assert_true(all.idles > 0);
        assert_false(all.wrong);
    }
}

/* A failure ends a run whose input stays open: nobody waits for more of it. */
static void test_failure_while_input_stays_open(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 60; round++) {
        int ends[2];
        char path[64];
        sums all = {.fail_at = 2};
        assert_int_equal(pipe(ends), 0);
        assert_true(dprintf(ends[1], "line 1\nline 2\nline 3\n") > 0);
        (void)snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
        assert_int_equal(run(path, 1 + round % 4, &all), TAMIS_E_FULL);
        assert_int_equal(close(ends[0]), 0);
        assert_int_equal(close(ends[1]), 0);
    }
}

static void test_refusals(void **state)
{
    (void)state;
    sums all = {.worked = 0};
    const tamis_record_format format = {.struct_size = sizeof format, .delimiter = '\n'};
    const char *path = "/dev/null";
    tamis_reader *reader = NULL;
    assert_int_equal(tamis_reader_open(&path, 1, &format, &reader, NULL), TAMIS_OK);
    tamis_flow flow = {sizeof flow, 0, NULL, NULL, NULL, finish, NULL, &all};
    assert_int_equal(tamis_reader_run(reader, &flow, NULL), TAMIS_E_RANGE);
    flow.threads = 257;
    assert_int_equal(tamis_reader_run(reader, &flow, NULL), TAMIS_E_RANGE);
    flow.threads = 1;
    flow.struct_size = 1;
    assert_int_equal(tamis_reader_run(reader, &flow, NULL), TAMIS_E_ARGUMENT);
    tamis_reader_close(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_is_kept),
        cmocka_unit_test(test_first_failure_ends_it),
        cmocka_unit_test(test_empty_input),
        cmocka_unit_test(test_idle_before_waiting),
        cmocka_unit_test(test_failure_while_input_stays_open),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
