/* The writer: the flagged records and nothing else come out, whatever the
 * descriptor does. */
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include "unit/stream_help.h"

#include <errno.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "stream/internal.h"

/* Records that stand one after the other, as a reader makes them. */
typedef struct lines {
    bytes text;
    tamis_item items[2000];
    uint8_t flags[2000];
    tamis_records records;
} lines;

static void make_lines(lines *out, uint64_t *random, size_t count, size_t longest)
{
    char line[2000];
    out->text.len = 0;
    for (size_t i = 0; i < count; i++) {
        size_t len = below(random, longest + 1);
        memset(line, 'a' + (int)(i % 26), len);
        out->items[i].len = len;
        out->flags[i] = below(random, 4) != 0;
        put(&out->text, line, len);
        put(&out->text, "\n", 1);
    }
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        out->items[i].data = out->text.data + at;
        at += out->items[i].len + 1;
    }
    out->records = (tamis_records){.records = out->items, .keys = out->items, .count = count};
}

static void put_flagged(bytes *to, const lines *from, const uint8_t *flags, char delimiter)
{
    for (size_t i = 0; i < from->records.count; i++)
        if (flags == NULL || flags[i] != 0) {
            put(to, from->items[i].data, from->items[i].len);
            put(to, &delimiter, 1);
        }
}

static void random_batches(tamis_writer *writer, bytes *wanted, char delimiter, uint64_t seed)
{
    static lines batch;
    uint64_t random = seed;
    for (unsigned round = 0; round < 40; round++) {
        make_lines(&batch, &random, below(&random, 2000), round % 2 == 0 ? 20 : 1500);
        const uint8_t *flags = round % 5 == 0 ? NULL : batch.flags;
        put_flagged(wanted, &batch, flags, delimiter);
        assert_int_equal(tamis_writer_records(writer, &batch.records, flags, NULL), TAMIS_OK);
        if (round % 7 == 0)
            assert_int_equal(tamis_writer_flush(writer, NULL), TAMIS_OK);
    }
    drop(&batch.text);
}

static void flagged_records_come_out(void **state)
{
    (void)state;
    for (int nul = 0; nul < 2; nul++) {
        int fd = nameless_file();
        tamis_writer *writer = NULL;
        assert_int_equal(tamis_writer_open(fd, nul ? '\0' : '\n', &writer, NULL), TAMIS_OK);
        bytes wanted = {0};
        random_batches(writer, &wanted, nul ? '\0' : '\n', 11);
        assert_int_equal(tamis_writer_sync(writer, NULL), TAMIS_OK);
        bytes got = contents_of(fd);
        assert_same_bytes(&got, &wanted);
        tamis_writer_free(writer);
        drop(&got);
        drop(&wanted);
        (void)close(fd);
    }
}

static void records_larger_than_the_buffer(void **state)
{
    (void)state;
    static char large[1000001];
    memset(large, 'L', sizeof large);
    large[1000000] = '\n';
    tamis_item items[] = {{"a\n", 1}, {large, 1000000}, {"b\n", 1}};
    tamis_records records = {.records = items, .keys = items, .count = 3};
    int fd = nameless_file();
    tamis_writer *writer = NULL;
    assert_int_equal(tamis_writer_open(fd, '\n', &writer, NULL), TAMIS_OK);
    assert_int_equal(tamis_writer_records(writer, &records, NULL, NULL), TAMIS_OK);
    assert_int_equal(tamis_writer_record(writer, large, 300000, NULL), TAMIS_OK);
    assert_int_equal(tamis_writer_bytes(writer, NULL, 0, NULL), TAMIS_OK);
    assert_int_equal(tamis_writer_flush(writer, NULL), TAMIS_OK);
    bytes got = contents_of(fd);
    assert_int_equal(got.len, 1000005 + 300001);
    assert_memory_equal(got.data, "a\nL", 3);
    assert_memory_equal(got.data + 1000000, "LL\nb\nLL", 7);
    tamis_writer_free(writer);
    drop(&got);
    (void)close(fd);
}

/* Every write() of a packet socket is a packet. */
static void a_thousand_records_are_one_write(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends), 0);
    tamis_writer *writer = NULL;
    assert_int_equal(tamis_writer_open(ends[0], '\n', &writer, NULL), TAMIS_OK);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(tamis_writer_record(writer, "0123456789", 10, NULL), TAMIS_OK);
    assert_int_equal(tamis_writer_flush(writer, NULL), TAMIS_OK);
    char block[20000];
    assert_int_equal(recv(ends[1], block, sizeof block, MSG_DONTWAIT), 11000);
    assert_int_equal(recv(ends[1], block, sizeof block, MSG_DONTWAIT), -1);
    tamis_writer_free(writer);
    (void)close(ends[0]);
    (void)close(ends[1]);
}

/* Copies a pipe to a file a few bytes at a time, in a child. */
static pid_t slow_copy(int from, int to, int unused)
{
    pid_t child = fork();
    if (child != 0)
        return child;
    (void)close(unused);
    char block[7000];
    ssize_t got;
    while ((got = read(from, block, sizeof block)) > 0)
        if (write(to, block, (size_t)got) != got)
            _exit(1);
    _exit(got == 0 ? 0 : 1);
}

static void short_writes_are_continued(void **state)
{
    (void)state;
    for (int nonblocking = 0; nonblocking < 2; nonblocking++) {
        int ends[2], fd = nameless_file(), status = 1;
        assert_int_equal(pipe(ends), 0);
        pid_t child = slow_copy(ends[0], fd, ends[1]);
        (void)close(ends[0]);
        if (nonblocking)
            assert_int_equal(fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
        tamis_writer *writer = NULL;
        assert_int_equal(tamis_writer_open(ends[1], '\n', &writer, NULL), TAMIS_OK);
        bytes wanted = {0};
        random_batches(writer, &wanted, '\n', 12);
        assert_int_equal(tamis_writer_sync(writer, NULL), TAMIS_OK);
        (void)close(ends[1]);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
        bytes got = contents_of(fd);
        assert_same_bytes(&got, &wanted);
        tamis_writer_free(writer);
        drop(&got);
        drop(&wanted);
        (void)close(fd);
    }
}

static void a_reader_that_went_away_is_told_apart(void **state)
{
    (void)state;
    (void)signal(SIGPIPE, SIG_IGN);
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    (void)close(ends[0]);
    tamis_writer *writer = NULL;
    tamis_error error;
    assert_int_equal(tamis_writer_open(ends[1], '\n', &writer, NULL), TAMIS_OK);
    assert_int_equal(tamis_writer_record(writer, "x", 1, &error), TAMIS_OK);
    assert_int_equal(tamis_writer_flush(writer, &error), TAMIS_E_CLOSED);
    assert_int_equal(error.system_errno, EPIPE);
    tamis_writer_free(writer);
    (void)close(ends[1]);
}

static void a_full_disk_is_an_error(void **state)
{
    (void)state;
    int fd = open("/dev/full", O_WRONLY);
    if (fd < 0)
        skip();
    tamis_writer *writer = NULL;
    tamis_error error;
    assert_int_equal(tamis_writer_open(fd, '\n', &writer, NULL), TAMIS_OK);
    assert_int_equal(tamis_writer_record(writer, "x", 1, &error), TAMIS_OK);
    assert_int_equal(tamis_writer_sync(writer, &error), TAMIS_E_IO);
    assert_int_equal(error.system_errno, ENOSPC);
    tamis_writer_free(writer);
    (void)close(fd);
}

/* What a failure lost stays lost: no later success may hide it. */
static void a_failure_is_not_forgotten(void **state)
{
    (void)state;
    int fd = open("/dev/full", O_WRONLY), good = nameless_file();
    if (fd < 0)
        skip();
    tamis_writer *writer = NULL;
    tamis_error first, later = {.status = TAMIS_OK};
    assert_int_equal(tamis_writer_open(fd, '\n', &writer, NULL), TAMIS_OK);
    assert_int_equal(tamis_writer_record(writer, "x", 1, NULL), TAMIS_OK);
    assert_int_equal(tamis_writer_flush(writer, &first), TAMIS_E_IO);
    assert_int_equal(dup2(good, fd), fd); /* from here on writing would succeed */
    tamis_item item = {"y", 1};
    tamis_records records = {.records = &item, .keys = &item, .count = 1};
    assert_int_equal(tamis_writer_sync(writer, &later), TAMIS_E_IO);
    assert_string_equal(later.message, first.message);
    assert_int_equal(later.system_errno, ENOSPC);
    assert_int_equal(tamis_writer_bytes(writer, "y", 1, NULL), TAMIS_E_IO);
    assert_int_equal(tamis_writer_records(writer, &records, NULL, NULL), TAMIS_E_IO);
    assert_int_equal(tamis_writer_flush(writer, NULL), TAMIS_E_IO);
    bytes got = contents_of(good);
    assert_int_equal(got.len, 0);
    tamis_writer_free(writer);
    drop(&got);
    (void)close(fd);
    (void)close(good);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flagged_records_come_out),
        cmocka_unit_test(records_larger_than_the_buffer),
        cmocka_unit_test(a_thousand_records_are_one_write),
        cmocka_unit_test(short_writes_are_continued),
        cmocka_unit_test(a_reader_that_went_away_is_told_apart),
        cmocka_unit_test(a_full_disk_is_an_error),
        cmocka_unit_test(a_failure_is_not_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
