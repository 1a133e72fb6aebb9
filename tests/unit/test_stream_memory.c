/* Every allocation of the stream layer may fail: the call then says so, frees what
 * it had, and printed nothing that is wrong. The allocator is replaced, which only
 * glibc without sanitizers allows. */
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include "unit/stream_help.h"

#include <sys/resource.h>
#include <sys/wait.h>

#include "stream/select.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && \
    !defined(SANITIZED)

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

static bool counting;
static long until_failure; /* allocations that still succeed; negative: all do */
static long live;          /* blocks */

static bool fails(void)
{
    if (!counting || until_failure < 0)
        return false;
    return until_failure-- == 0;
}

static void *counted(void *block)
{
    live += counting && block != NULL;
    return block;
}

void *malloc(size_t size)
{
    return fails() ? NULL : counted(__libc_malloc(size));
}

void *calloc(size_t count, size_t size)
{
    return fails() ? NULL : counted(__libc_calloc(count, size));
}

void *realloc(void *block, size_t size)
{
    if (fails())
        return NULL;
    return block == NULL ? counted(__libc_malloc(size)) : __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : counted(__libc_memalign(alignment, size));
}

void free(void *block)
{
    live -= counting && block != NULL;
    __libc_free(block);
}

static bytes some_lines(size_t from, size_t count)
{
    bytes input = {0};
    for (size_t i = from; i < from + count; i++) {
        char text[600];
        put(&input, text, (size_t)snprintf(text, sizeof text, "%zu %*zu\n", i, i % 100 == 0 ? 500 : 1, i));
    }
    return input;
}

/* One call with everything that it makes; `out` is the output's descriptor. */
typedef tamis_status (*attempt)(int a, int b, int out);

static tamis_status attempt_dedup(int a, int b, int out)
{
    (void)b;
    tamis_record_format format = lines_format();
    tamis_reader *reader = NULL;
    tamis_writer *writer = NULL;
    tamis_dedup_options options = {.struct_size = sizeof options};
    tamis_dedup_report report;
    tamis_status status = tamis_reader_open_fd(a, "a", &format, 64, &reader, NULL);
    if (status == TAMIS_OK)
        status = tamis_writer_open(out, '\n', &writer, NULL);
    if (status == TAMIS_OK)
        status = tamis_dedup_run(reader, writer, &options, &report, NULL);
    tamis_reader_close(reader);
    tamis_writer_free(writer);
    return status;
}

static tamis_status attempt_select(int a, int b, int out, const tamis_select_sizes *sizes)
{
    tamis_record_format format = lines_format();
    tamis_writer *writer = NULL;
    tamis_select_options options = {.struct_size = sizeof options};
    tamis_select_report report;
    fd_path path_a = path_of(a), path_b = path_of(b);
    tamis_status status = tamis_writer_open(out, '\n', &writer, NULL);
    if (status == TAMIS_OK)
        status =
            tamis_select_run_sized(path_a.text, path_b.text, &format, writer, &options, sizes, &report, NULL);
    if (status == TAMIS_OK)
        status = tamis_writer_flush(writer, NULL);
    tamis_writer_free(writer);
    return status;
}

static tamis_status attempt_in_memory(int a, int b, int out)
{
    const tamis_select_sizes sizes = {.total = 1 << 20,
                                      .filter = 1 << 16,
                                      .log = 1 << 18,
                                      .table = 1 << 18,
                                      .parts = 4,
                                      .block = 4096,
                                      .read_block = 2000};
    return attempt_select(a, b, out, &sizes);
}

static tamis_status attempt_spilled(int a, int b, int out)
{
    const tamis_select_sizes sizes = {.total = 1000,
                                      .filter = 2000,
                                      .log = 1000,
                                      .table = 400,
                                      .parts = 3,
                                      .block = 100,
                                      .read_block = 2000};
    return attempt_select(a, b, out, &sizes);
}

static void check_every_failure(attempt try)
{
    bytes a = some_lines(0, 5000), b = some_lines(4500, 700);
    int fd_a = file_of(a.data, a.len), fd_b = file_of(b.data, b.len);
    long failures = 0;
    bool all_done = false; /* fewer allocations than that were asked for */
    bytes whole = {0};
    for (long fail_at = -1; !all_done; fail_at++) {
        int out = nameless_file();
        assert_int_equal(lseek(fd_a, 0, SEEK_SET), 0);
        until_failure = fail_at;
        live = 0;
        counting = true;
        tamis_status status = try(fd_a, fd_b, out);
        counting = false;
        all_done = fail_at >= 0 && until_failure >= 0;
        assert_int_equal(live, 0);
        bytes got = contents_of(out);
        if (fail_at < 0) {
            assert_int_equal(status, TAMIS_OK);
            whole = got;
        } else {
            assert_true(status == TAMIS_OK || status == TAMIS_E_NOMEM);
            assert_true(status == TAMIS_OK ? got.len == whole.len : got.len <= whole.len);
            assert_memory_equal(got.data, whole.data, got.len);
            failures += status != TAMIS_OK;
            drop(&got);
        }
        (void)close(out);
    }
    assert_true(failures >= 6);
    (void)close(fd_a);
    (void)close(fd_b);
    drop(&whole);
    drop(&a);
    drop(&b);
}

static void dedup_without_memory(void **state)
{
    (void)state;
    check_every_failure(attempt_dedup);
}

static void select_without_memory(void **state)
{
    (void)state;
    check_every_failure(attempt_in_memory);
    check_every_failure(attempt_spilled);
}

/* Numbers of seven digits, one a line. */
static int numbers(unsigned from, unsigned count)
{
    bytes input = {0};
    for (unsigned i = from; i < from + count; i++) {
        char text[16];
        put(&input, text, (size_t)snprintf(text, sizeof text, "%u\n", i));
    }
    int fd = file_of(input.data, input.len);
    drop(&input);
    return fd;
}

#define LIMIT ((size_t)32 << 20)
#define MORE ((size_t)4 << 20) /* buffers, and what a process has anyway */

/* Everything is a candidate, and all that fits of them is held, when the table is
 * filled: peak of this process's memory in bytes above what it began with. */
static size_t peak_of_spilled_run(int a, int b, int out)
{
    const tamis_select_sizes sizes = {
        .total = LIMIT, .log = LIMIT / 2, .table = LIMIT / 4 * 3, .parts = 2, .block = 1 << 16};
    struct rusage before, after;
    if (getrusage(RUSAGE_SELF, &before) != 0 || attempt_select(a, b, out, &sizes) != TAMIS_OK ||
        getrusage(RUSAGE_SELF, &after) != 0)
        return SIZE_MAX;
    return (size_t)(after.ru_maxrss - before.ru_maxrss) * 1024;
}

static void select_stays_within_its_limit(void **state)
{
    (void)state;
    int a = numbers(1000000, 1700000), b = numbers(1000000, 5000000), out = nameless_file(), ended = 1;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        size_t peak = peak_of_spilled_run(a, b, out);
        if (peak > LIMIT + MORE)
            print_error("%zu bytes\n", peak);
        _exit(peak < LIMIT / 2 || peak > LIMIT + MORE);
    }
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_int_equal(ended, 0);
    assert_int_equal(lseek(out, 0, SEEK_END), 8 * 1700000);
    (void)close(a);
    (void)close(b);
    (void)close(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dedup_without_memory),
        cmocka_unit_test(select_without_memory),
        cmocka_unit_test(select_stays_within_its_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    return 77; /* skipped */
}

#endif
