/* The reader: whatever the input and however it arrives, its records are those
 * that a plain split gives. */
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include "unit/stream_help.h"

#include <signal.h>
#include <sys/time.h>

#include "stream/internal.h"

/* Reads all, and checks every record against a plain split of the input. */
static void check_reader(tamis_reader *reader, const bytes *input, char delimiter)
{
    size_t at = 0;
    uint64_t number = 0;
    tamis_records batch;
    do {
        assert_int_equal(tamis_reader_next(reader, &batch, NULL), TAMIS_OK);
        assert_true(batch.count <= TAMIS_BATCH_RECORDS);
        assert_int_equal(batch.first_number, number + 1);
        for (size_t i = 0; i < batch.count; i++) {
            size_t len = record_at(input, at, delimiter);
            const char *record = batch.records[i].data;
            assert_int_equal(batch.records[i].len, len);
            assert_memory_equal(record, input->data + at, len + 1 <= input->len - at ? len + 1 : len);
            assert_int_equal(record[len], delimiter);
            at += len + 1;
        }
        number += batch.count;
    } while (batch.count > 0);
    assert_true(at == input->len || (at == input->len + 1 && input->data[input->len - 1] != delimiter));
    tamis_reader_stats stats;
    tamis_reader_get_stats(reader, &stats);
    assert_int_equal(stats.records, number);
    assert_int_equal(stats.bytes, input->len);
}

static void check_bytes(const bytes *input, char delimiter, size_t block)
{
    tamis_record_format format = lines_format();
    format.delimiter = (unsigned char)delimiter;
    int fd = file_of(input->data, input->len);
    tamis_reader *reader = NULL;
    assert_int_equal(tamis_reader_open_fd(fd, "input", &format, block, &reader, NULL), TAMIS_OK);
    check_reader(reader, input, delimiter);
    tamis_reader_close(reader);
    (void)close(fd);
}

static void check_text(const char *text, size_t len)
{
    bytes input = {0};
    put(&input, text, len);
    for (size_t block = 1; block <= len + 2; block++) {
        check_bytes(&input, '\n', block);
        check_bytes(&input, '\0', block);
    }
    drop(&input);
}

#define CHECK_TEXT(literal) check_text(literal, sizeof(literal) - 1)

static void odd_inputs_at_every_block_size(void **state)
{
    (void)state;
    CHECK_TEXT("");
    CHECK_TEXT("\n");
    CHECK_TEXT("\n\n\n\n");
    CHECK_TEXT("no end");
    CHECK_TEXT("one\n");
    CHECK_TEXT("one\n\ntwo\nthree");
    CHECK_TEXT("a\0b\n\0\0\nc\0");
    CHECK_TEXT("\xff\xfe\n\xc3\x28\n\x80\n");
    CHECK_TEXT("cr\r\nlf\n\r\n\r");
}

static void random_lines_cross_blocks_everywhere(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (unsigned round = 0; round < 60; round++) {
        bytes input = {0};
        size_t count = below(&random, 400);
        for (size_t i = 0; i < count; i++) {
            char line[300];
            size_t len = below(&random, round % 3 == 0 ? 3 : round % 3 == 1 ? 80 : sizeof line);
            memset(line, 'a' + (int)(i % 26), len);
            put(&input, line, len);
            if (i + 1 < count || round % 2 == 0)
                put(&input, "\n", 1);
        }
        put(&input, "", 0);
        check_bytes(&input, '\n', 1 + below(&random, 1000));
        check_bytes(&input, '\n', 0);
        check_bytes(&input, 'c', 0);
        drop(&input);
    }
}

static void more_records_than_a_batch_holds(void **state)
{
    (void)state;
    bytes input = {0};
    for (size_t i = 0; i < 3 * TAMIS_BATCH_RECORDS + 17; i++)
        put(&input, "x\n", i % 3 == 0 ? 2 : 0);
    for (size_t i = 0; i < 2 * TAMIS_BATCH_RECORDS; i++)
        put(&input, "\n", 1);
    check_bytes(&input, '\n', 0);
    drop(&input);
}

static void a_line_of_five_megabytes(void **state)
{
    (void)state;
    bytes input = {0};
    char *line = malloc(5 << 20);
    assert_non_null(line);
    memset(line, 'l', 5 << 20);
    put_text(&input, "before\n");
    put(&input, line, 5 << 20);
    put_text(&input, "\nafter");
    check_bytes(&input, '\n', 0);
    check_bytes(&input, '\n', 4096);
    free(line);
    drop(&input);
}

/* --- pipes -------------------------------------------------------------------- */

static void assert_next(tamis_reader *reader, const char *wanted)
{
    tamis_records batch;
    assert_int_equal(tamis_reader_next(reader, &batch, NULL), TAMIS_OK);
    assert_int_equal(batch.count, 1);
    assert_int_equal(batch.records[0].len, strlen(wanted));
    assert_memory_equal(batch.records[0].data, wanted, strlen(wanted));
}

static void feed(int fd, const char *text)
{
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
}

static void a_slow_pipe_hands_out_what_is_there(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    tamis_record_format format = lines_format();
    tamis_reader *reader = NULL;
    assert_int_equal(tamis_reader_open_fd(ends[0], "pipe", &format, 0, &reader, NULL), TAMIS_OK);
    assert_true(tamis_reader_would_wait(reader));
    feed(ends[1], "ab");
    assert_true(tamis_reader_would_wait(reader)); /* half a record is none */
    feed(ends[1], "c\nde");
    assert_false(tamis_reader_would_wait(reader));
    assert_next(reader, "abc");
    assert_true(tamis_reader_would_wait(reader));
    feed(ends[1], "f\n");
    assert_next(reader, "def");
    feed(ends[1], "last");
    assert_true(tamis_reader_would_wait(reader));
    assert_int_equal(close(ends[1]), 0);
    assert_false(tamis_reader_would_wait(reader));
    assert_next(reader, "last");
    tamis_records batch;
    assert_false(tamis_reader_would_wait(reader));
    assert_int_equal(tamis_reader_next(reader, &batch, NULL), TAMIS_OK);
    assert_int_equal(batch.count, 0);
    tamis_reader_close(reader);
    (void)close(ends[0]);
}

static void a_nonblocking_pipe_is_waited_for(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe2(ends, O_NONBLOCK), 0);
    tamis_record_format format = lines_format();
    tamis_reader *reader = NULL;
    assert_int_equal(tamis_reader_open_fd(ends[0], "pipe", &format, 0, &reader, NULL), TAMIS_OK);
    assert_true(tamis_reader_would_wait(reader));
    pid_t child = fork();
    if (child == 0) {
        (void)usleep(50000);
        _exit(write(ends[1], "late\n", 5) == 5 ? 0 : 1);
    }
    assert_next(reader, "late");
    tamis_reader_close(reader);
    (void)close(ends[0]);
    (void)close(ends[1]);
}

static volatile sig_atomic_t stop_flag;

static void set_stop_flag(int number)
{
    (void)number;
    stop_flag = 1;
}

static void a_signal_ends_a_wait(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    tamis_record_format format = lines_format();
    tamis_reader *reader = NULL;
    assert_int_equal(tamis_reader_open_fd(ends[0], "pipe", &format, 0, &reader, NULL), TAMIS_OK);
    tamis_reader_set_stop(reader, &stop_flag);
    struct sigaction action = {.sa_handler = set_stop_flag};
    assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
    struct itimerval soon = {.it_value = {.tv_usec = 20000}};
    stop_flag = 0;
    assert_int_equal(setitimer(ITIMER_REAL, &soon, NULL), 0);
    tamis_records batch;
    assert_int_equal(tamis_reader_next(reader, &batch, NULL), TAMIS_E_INTERRUPTED);
    stop_flag = 0;
    tamis_reader_close(reader);
    (void)close(ends[0]);
    (void)close(ends[1]);
}

static void what_was_prepared_is_not_lost_by_a_stop(void **state)
{
    (void)state;
    int fd = file_of_text("a\nb\n");
    tamis_record_format format = lines_format();
    tamis_reader *reader = NULL;
    assert_int_equal(tamis_reader_open_fd(fd, "file", &format, 2, &reader, NULL), TAMIS_OK);
    tamis_reader_set_stop(reader, &stop_flag);
    assert_false(tamis_reader_would_wait(reader));
    stop_flag = 1;
    tamis_records batch;
    tamis_reader_stats stats;
    assert_int_equal(tamis_reader_next(reader, &batch, NULL), TAMIS_E_INTERRUPTED);
    tamis_reader_get_stats(reader, &stats);
    assert_int_equal(stats.records, 0);
    stop_flag = 0;
    assert_next(reader, "a");
    assert_next(reader, "b");
    tamis_reader_close(reader);
    (void)close(fd);
}

/* --- files --------------------------------------------------------------------- */

static void batches_do_not_cross_files(void **state)
{
    (void)state;
    int one = file_of_text("a\nb"), none = file_of_text(""), two = file_of_text("c\n");
    fd_path names[3] = {path_of(one), path_of(none), path_of(two)};
    const char *paths[3] = {names[0].text, names[1].text, names[2].text};
    tamis_record_format format = lines_format();
    tamis_reader *reader = NULL;
    assert_int_equal(tamis_reader_open(paths, 3, &format, &reader, NULL), TAMIS_OK);
    tamis_records batch;
    assert_next(reader, "a");
    assert_int_equal(tamis_reader_next(reader, &batch, NULL), TAMIS_OK);
    assert_int_equal(batch.first_number, 2);
    assert_string_equal(batch.file, paths[0]);
    assert_int_equal(tamis_reader_next(reader, &batch, NULL), TAMIS_OK);
    assert_int_equal(batch.count, 1);
    assert_int_equal(batch.first_number, 1);
    assert_string_equal(batch.file, paths[2]);
    tamis_reader_stats stats;
    tamis_reader_get_stats(reader, &stats);
    assert_int_equal(stats.total_bytes, 5);
    tamis_reader_close(reader);
    (void)close(one);
    (void)close(none);
    (void)close(two);
}

static void what_cannot_be_read_is_refused_at_once(void **state)
{
    (void)state;
    tamis_record_format format = lines_format();
    tamis_reader *reader = NULL;
    tamis_error error;
    const char *missing[] = {"/dev/null", "/nowhere/at/all"}, *folder[] = {"/tmp"};
    assert_int_equal(tamis_reader_open(missing, 2, &format, &reader, &error), TAMIS_E_IO);
    assert_non_null(strstr(error.message, "/nowhere/at/all"));
    assert_int_equal(tamis_reader_open(folder, 1, &format, &reader, &error), TAMIS_E_IO);
    assert_non_null(strstr(error.message, "/tmp"));
    assert_non_null(strstr(error.message, "irectory"));
    format.struct_size--;
    assert_int_equal(tamis_reader_open(NULL, 0, &format, &reader, &error), TAMIS_E_ARGUMENT);
}

/* --- keys ------------------------------------------------------------------------ */

static void crlf_takes_one_cr_off_the_key(void **state)
{
    (void)state;
    int fd = file_of_text("a\r\nb\n\r\nc\r\r\nd\r");
    tamis_record_format format = lines_format();
    tamis_reader *reader = NULL;
    static const size_t keys[] = {1, 1, 0, 2, 1}, whole[] = {2, 1, 1, 3, 2};
    for (int crlf = 0; crlf < 2; crlf++) {
        assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
        format.crlf = crlf == 1;
        assert_int_equal(tamis_reader_open_fd(fd, "file", &format, 0, &reader, NULL), TAMIS_OK);
        for (size_t i = 0; i < 5;) {
            tamis_records batch;
            assert_int_equal(tamis_reader_next(reader, &batch, NULL), TAMIS_OK);
            assert_true(batch.count > 0);
            for (size_t j = 0; j < batch.count; j++, i++) {
                assert_int_equal(batch.keys[j].len, crlf ? keys[i] : whole[i]);
                assert_int_equal(batch.records[j].len, whole[i]);
            }
        }
        tamis_records rest;
        assert_int_equal(tamis_reader_next(reader, &rest, NULL), TAMIS_OK);
        tamis_reader_stats stats;
        tamis_reader_get_stats(reader, &stats);
        assert_int_equal(stats.cr_ended, crlf ? 0 : 4);
        tamis_reader_close(reader);
    }
    (void)close(fd);
}

/* The key is what follows the first colon; without one there is none. */
static tamis_status after_colon(void *ctx, const char *record, size_t len, tamis_item *out, const char **why)
{
    (void)ctx;
    const char *colon = memchr(record, ':', len);
    *why = "no colon";
    if (colon == NULL)
        return TAMIS_E_RECORD;
    *out = (tamis_item){colon + 1, (size_t)(record + len - colon) - 1};
    return TAMIS_OK;
}

static void a_bad_record_ends_the_run_behind_the_good_ones(void **state)
{
    (void)state;
    int fd = file_of_text("h\n1:a\n2:b\nbad\n3:c\n");
    fd_path name = path_of(fd);
    const char *paths[] = {name.text};
    tamis_record_format format = lines_format();
    format.header = true;
    format.key = after_colon;
    tamis_reader *reader = NULL;
    assert_int_equal(tamis_reader_open(paths, 1, &format, &reader, NULL), TAMIS_OK);
    tamis_records batch;
    tamis_error error;
    assert_int_equal(tamis_reader_next(reader, &batch, NULL), TAMIS_OK);
    assert_int_equal(batch.count, 3);
    assert_true(tamis_has_no_key(&batch.keys[0]));
    assert_memory_equal(batch.keys[2].data, "b", batch.keys[2].len);
    assert_int_equal(tamis_reader_next(reader, &batch, &error), TAMIS_E_RECORD);
    assert_non_null(strstr(error.message, name.text));
    assert_non_null(strstr(error.message, "record 4: no colon"));
    tamis_reader_close(reader);
    format.keep_bad = true;
    assert_int_equal(tamis_reader_open(paths, 1, &format, &reader, NULL), TAMIS_OK);
    assert_int_equal(tamis_reader_next(reader, &batch, NULL), TAMIS_OK);
    assert_int_equal(batch.count, 5);
    assert_true(tamis_has_no_key(&batch.keys[3]));
    tamis_reader_stats stats;
    tamis_reader_get_stats(reader, &stats);
    assert_int_equal(stats.no_key, 2);
    tamis_reader_close(reader);
    (void)close(fd);
}

/* Records end at newlines outside quotes; goes on where it stopped. */
typedef struct quotes {
    size_t seen;
    bool inside;
} quotes;

static size_t cut_quoted(void *ctx, const char *data, size_t len, bool restart)
{
    quotes *at = ctx;
    if (restart)
        *at = (quotes){0, false};
    for (; at->seen < len; at->seen++) {
        if (data[at->seen] == '"')
            at->inside = !at->inside;
        else if (data[at->seen] == '\n' && !at->inside)
            return at->seen + 1;
    }
    return 0;
}

static void check_quoted(const char *input, size_t block, const char *const *wanted)
{
    quotes at = {0, false};
    tamis_record_format format = lines_format();
    format.cut = cut_quoted;
    format.ctx = &at;
    int fd = file_of_text(input);
    tamis_reader *reader = NULL;
    assert_int_equal(tamis_reader_open_fd(fd, "file", &format, block, &reader, NULL), TAMIS_OK);
    tamis_records batch;
    size_t index = 0;
    do {
        assert_int_equal(tamis_reader_next(reader, &batch, NULL), TAMIS_OK);
        for (size_t i = 0; i < batch.count; i++, index++) {
            assert_non_null(wanted[index]);
            assert_int_equal(batch.records[i].len, strlen(wanted[index]));
            assert_memory_equal(batch.records[i].data, wanted[index], strlen(wanted[index]));
            assert_int_equal(((const char *)batch.records[i].data)[batch.records[i].len], '\n');
        }
    } while (batch.count > 0);
    assert_null(wanted[index]);
    tamis_reader_close(reader);
    (void)close(fd);
}

static void records_are_cut_by_the_caller(void **state)
{
    (void)state;
    static const char *const three[] = {"a,\"x\ny\"", "b", "c,\"\n\n\"", NULL};
    static const char *const open_end[] = {"a", "\"b\nc", NULL};
    for (size_t block = 1; block < 24; block++) {
        check_quoted("a,\"x\ny\"\nb\nc,\"\n\n\"", block, three);
        check_quoted("a,\"x\ny\"\nb\nc,\"\n\n\"\n", block, three);
        check_quoted("a\n\"b\nc", block, open_end);
        check_quoted("a\n\"b\nc\n", block, open_end);
    }
}

static void records_are_estimated(void **state)
{
    (void)state;
    tamis_record_format format = lines_format();
    uint64_t estimate = 1;
    bytes input = {0};
    size_t count = 400000;
    for (size_t i = 0; i < count; i++)
        put(&input, "0123456789012345678901234567890123456789\n", 41);
    int small = file_of_text("a\nb\nc"), large = file_of(input.data, input.len), ends[2];
    fd_path names[2] = {path_of(small), path_of(large)};
    const char *paths[] = {names[0].text, names[1].text};
    assert_int_equal(tamis_estimate_records(paths, 1, &format, &estimate, NULL), TAMIS_OK);
    assert_int_equal(estimate, 3);
    assert_int_equal(tamis_estimate_records(paths, 2, &format, &estimate, NULL), TAMIS_OK);
    assert_in_range(estimate, count - count / 100, count + count / 100);
    assert_int_equal(tamis_estimate_records(paths, 0, &format, &estimate, NULL), TAMIS_OK);
    assert_int_equal(estimate, 0);
    assert_int_equal(pipe(ends), 0);
    fd_path piped = path_of(ends[0]);
    paths[0] = piped.text;
    assert_int_equal(tamis_estimate_records(paths, 2, &format, &estimate, NULL), TAMIS_OK);
    assert_int_equal(estimate, 0);
    drop(&input);
    (void)close(small);
    (void)close(large);
    (void)close(ends[0]);
    (void)close(ends[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(odd_inputs_at_every_block_size),
        cmocka_unit_test(random_lines_cross_blocks_everywhere),
        cmocka_unit_test(more_records_than_a_batch_holds),
        cmocka_unit_test(a_line_of_five_megabytes),
        cmocka_unit_test(a_slow_pipe_hands_out_what_is_there),
        cmocka_unit_test(a_nonblocking_pipe_is_waited_for),
        cmocka_unit_test(a_signal_ends_a_wait),
        cmocka_unit_test(what_was_prepared_is_not_lost_by_a_stop),
        cmocka_unit_test(batches_do_not_cross_files),
        cmocka_unit_test(what_cannot_be_read_is_refused_at_once),
        cmocka_unit_test(crlf_takes_one_cr_off_the_key),
        cmocka_unit_test(a_bad_record_ends_the_run_behind_the_good_ones),
        cmocka_unit_test(records_are_cut_by_the_caller),
        cmocka_unit_test(records_are_estimated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
