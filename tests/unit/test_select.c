/* common and minus against a plain comparison of every key with every key, with
 * memory budgets so small that spilling, parts and several passes really happen. */
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include "unit/stream_help.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "stream/select.h"

/* --- a plain implementation --------------------------------------------------------- */

typedef struct line {
    const char *data; /* of the input; its delimiter may be missing */
    size_t len;
    char key[64];
    size_t key_len; /* SIZE_MAX: none */
} line;

typedef enum keying { WHOLE_LINES, CRLF, FIELD, UPPER, KEYINGS } keying;

/* The key is what follows the first colon; UPPER: in capitals. */
static bool find_key(keying how, const char *data, size_t len, char *key, size_t *key_len)
{
    size_t from = 0;
    if (how == CRLF && len > 0 && data[len - 1] == '\r')
        len--;
    if (how == FIELD || how == UPPER) {
        const char *colon = memchr(data, ':', len);
        if (colon == NULL)
            return false;
        from = (size_t)(colon - data) + 1;
    }
    *key_len = len - from;
    for (size_t i = from; i < len; i++)
        key[i - from] = (char)(how == UPPER && data[i] >= 'a' && data[i] <= 'z' ? data[i] - 32 : data[i]);
    return true;
}

static size_t split_lines(const bytes *input, keying how, bool header, line *out)
{
    size_t count = 0;
    for (size_t at = 0; at < input->len; count++) {
        line *one = &out[count];
        one->data = input->data + at;
        one->len = record_at(input, at, '\n');
        if ((header && count == 0) || !find_key(how, one->data, one->len, one->key, &one->key_len))
            one->key_len = SIZE_MAX;
        at += one->len + 1;
    }
    return count;
}

static bool occurs(const line *wanted, const line *in, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (in[i].key_len == wanted->key_len && memcmp(in[i].key, wanted->key, wanted->key_len) == 0)
            return true;
    return false;
}

#define LINES_MAX 3000

static bytes plain_select(const bytes *a, const bytes *b, keying how, bool header, bool minus,
                          uint64_t *printed)
{
    static line lines_a[LINES_MAX], lines_b[LINES_MAX];
    size_t count_a = split_lines(a, how, header, lines_a), count_b = split_lines(b, how, header, lines_b);
    bytes out = {0};
    *printed = 0;
    put(&out, "", 0);
    for (size_t i = 0; i < count_a; i++) {
        bool is_header = header && i == 0, no_key = lines_a[i].key_len == SIZE_MAX;
        bool wanted = no_key ? minus : occurs(&lines_a[i], lines_b, count_b) != minus;
        if (!wanted && !is_header)
            continue;
        put(&out, lines_a[i].data, lines_a[i].len);
        put(&out, "\n", 1);
        *printed += !is_header;
    }
    return out;
}

/* --- the real one ----------------------------------------------------------------------- */

/* Keys of a batch in capitals, in memory of the caller. */
typedef struct capitals {
    char text[1 << 20];
    size_t used;
} capitals;

static void begin_batch(void *ctx)
{
    ((capitals *)ctx)->used = 0;
}

static tamis_status field_key(void *ctx, const char *record, size_t len, tamis_item *out, const char **why)
{
    (void)ctx;
    const char *colon = memchr(record, ':', len);
    *why = "no colon";
    if (colon == NULL)
        return TAMIS_E_RECORD;
    *out = (tamis_item){colon + 1, (size_t)(record + len - colon) - 1};
    return TAMIS_OK;
}

static tamis_status upper_key(void *ctx, const char *record, size_t len, tamis_item *out, const char **why)
{
    capitals *all = ctx;
    size_t key_len = 0;
    *why = "no colon";
    assert_true(all->used + len <= sizeof all->text);
    if (!find_key(UPPER, record, len, all->text + all->used, &key_len))
        return TAMIS_E_RECORD;
    *out = (tamis_item){all->text + all->used, key_len};
    all->used += key_len;
    return TAMIS_OK;
}

static tamis_record_format format_of(keying how, bool header)
{
    static capitals memory;
    tamis_record_format format = lines_format();
    format.crlf = how == CRLF;
    format.header = header;
    format.keep_bad = true;
    format.key = how == FIELD ? field_key : how == UPPER ? upper_key : NULL;
    format.begin = begin_batch;
    format.ctx = &memory;
    return format;
}

static const tamis_select_sizes roomy = {
    .total = 1 << 20, .filter = 1 << 18, .log = 1 << 19, .table = 1 << 19, .parts = 16, .block = 4096};

typedef struct outcome {
    tamis_status status;
    tamis_select_report report;
    tamis_error error;
    bytes output;
} outcome;

static unsigned threads = 1; /* of the runs that follow */

static outcome select_paths(const char *a, const char *b, const tamis_record_format *format, bool minus,
                            const tamis_select_sizes *sizes, const char *folder)
{
    outcome result = {.status = TAMIS_OK};
    tamis_select_options options = {
        .struct_size = sizeof options, .threads = threads, .minus = minus, .temp_dir = folder};
    int out = nameless_file();
    tamis_writer *writer = NULL;
    assert_int_equal(tamis_writer_open(out, '\n', &writer, NULL), TAMIS_OK);
    result.status =
        sizes != NULL
            ? tamis_select_run_sized(a, b, format, writer, &options, sizes, &result.report, &result.error)
            : tamis_select_run(a, b, format, writer, &options, &result.report, &result.error);
    assert_int_equal(tamis_writer_flush(writer, NULL), TAMIS_OK);
    result.output = contents_of(out);
    tamis_writer_free(writer);
    (void)close(out);
    return result;
}

/* An input as a file, or a pipe that holds all of it. */
static int open_input(const bytes *data, bool piped)
{
    if (!piped)
        return file_of(data->data, data->len);
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_true(data->len <= 65536);
    assert_int_equal(write(ends[1], data->data, data->len), (ssize_t)data->len);
    (void)close(ends[1]);
    return ends[0];
}

static outcome check_select(const bytes *a, const bytes *b, keying how, bool header, bool minus,
                            const tamis_select_sizes *sizes, bool pipe_a, bool pipe_b)
{
    tamis_record_format format = format_of(how, header);
    int fd_a = open_input(a, pipe_a), fd_b = open_input(b, pipe_b);
    fd_path path_a = path_of(fd_a), path_b = path_of(fd_b);
    uint64_t printed = 0;
    bytes wanted = plain_select(a, b, how, header, minus, &printed);
    outcome result = select_paths(path_a.text, path_b.text, &format, minus, sizes, NULL);
    assert_int_equal(result.status, TAMIS_OK);
    assert_same_bytes(&result.output, &wanted);
    assert_int_equal(result.report.printed, printed);
    (void)close(fd_a);
    (void)close(fd_b);
    drop(&wanted);
    drop(&result.output);
    return result;
}

/* --- random cases --------------------------------------------------------------------------- */

static bytes random_input(uint64_t *random, size_t most, size_t kinds)
{
    bytes out = {0};
    size_t count = below(random, most + 1);
    put(&out, "", 0);
    for (size_t i = 0; i < count; i++) {
        char text[64];
        static const char *const shapes[] = {"%zu",  "%zu:k%zu", "x:K%zu%zu", "",
                                             "n%zu", "q%zu:",    "%zu:k%zu\r"};
        size_t which = below(random, kinds);
        int len = snprintf(text, sizeof text, shapes[below(random, 7)], which % 7, which);
        put(&out, text, (size_t)len);
        if (i + 1 < count || below(random, 2) == 0)
            put(&out, "\n", 1);
    }
    return out;
}

static tamis_select_sizes random_sizes(uint64_t *random)
{
    tamis_select_sizes sizes = {.total = below(random, 2) == 0 ? 1 << 20 : below(random, 3000),
                                .filter = below(random, 3) == 0 ? 0 : below(random, 2000),
                                .log = below(random, 4) == 0 ? 1 << 16 : below(random, 500),
                                .table = 1 + below(random, below(random, 2) == 0 ? 300 : 20000),
                                .parts = 1 + (uint32_t)below(random, 7),
                                .block = 9 + below(random, 100),
                                .read_block = 1 + below(random, 5000)};
    return sizes;
}

static void random_cases(void **state)
{
    (void)state;
    uint64_t random = 42;
    unsigned spilled = 0, in_memory = 0, many_passes = 0;
    for (unsigned round = 0; round < 1000; round++) {
        size_t most = round % 10 == 0 ? 2000 : 100;
        size_t kinds = 1 + below(&random, round % 10 == 0 ? 3000 : 150);
        bytes a = random_input(&random, most, kinds), b = random_input(&random, most, kinds);
        tamis_select_sizes sizes = random_sizes(&random);
        threads = 1 + round / 4 % 4;
        bool pipes = round % 4 == 0, header = below(&random, 4) == 0;
        outcome result = check_select(&a, &b, (keying)(round % KEYINGS), header, below(&random, 2) == 0,
                                      &sizes, pipes && below(&random, 2) == 0, pipes);
        spilled += !pipes && result.report.spilled_bytes > 0;
        in_memory += result.report.spilled_bytes == 0 && result.report.candidates > 0;
        many_passes += result.report.passes > 6 + 2 * sizes.parts;
        drop(&a);
        drop(&b);
    }
    threads = 1;
    print_message("%u spilled, %u in memory, %u with many passes\n", spilled, in_memory, many_passes);
    assert_true(spilled > 150);
    assert_true(in_memory > 100);
    assert_true(many_passes > 50);
}

static void check_text(const char *a_text, const char *b_text)
{
    bytes a = {0}, b = {0};
    put_text(&a, a_text);
    put_text(&b, b_text);
    tamis_select_sizes tiny = {.total = 1, .filter = 0, .log = 1, .table = 1, .parts = 3, .block = 10};
    for (int minus = 0; minus < 2; minus++)
        for (int header = 0; header < 2; header++) {
            (void)check_select(&a, &b, WHOLE_LINES, header, minus, &roomy, false, false);
            (void)check_select(&a, &b, WHOLE_LINES, header, minus, &tiny, false, false);
            (void)check_select(&a, &b, WHOLE_LINES, header, minus, NULL, false, false);
            (void)check_select(&a, &b, WHOLE_LINES, header, minus, &tiny, true, true);
        }
    drop(&a);
    drop(&b);
}

static void odd_inputs(void **state)
{
    (void)state;
    check_text("", "");
    check_text("", "a\n");
    check_text("a\n", "");
    check_text("\n\n\n", "\n");
    check_text("\n", "a");
    check_text("a\na\na", "a");
    check_text("h\na\nb\n", "h2\nb\nh\n");
    check_text("a", "b");
}

static void binary_lines_and_large_ones(void **state)
{
    (void)state;
    static const char lines_a[] = "a\0b\n\xff\n\0\nx\n", lines_b[] = "a\0c\n\xff\n\0\n",
                      both[] = "\xff\n\0\n";
    tamis_record_format format = lines_format();
    bytes a = {0}, b = {0}, wanted = {0};
    put(&a, lines_a, sizeof lines_a - 1);
    put(&b, lines_b, sizeof lines_b - 1);
    put(&wanted, both, sizeof both - 1);
    char *large = malloc(3000000);
    assert_non_null(large);
    memset(large, 'L', 3000000);
    put(&a, large, 3000000);
    put_text(&a, "\nlast");
    put(&b, large, 3000000);
    put(&wanted, large, 3000000);
    put_text(&wanted, "\n");
    tamis_select_sizes tiny = {.total = 1, .filter = 100, .log = 1, .table = 1, .parts = 2, .block = 5000};
    const tamis_select_sizes *sizes[] = {&roomy, &tiny, NULL};
    for (size_t i = 0; i < 3; i++) {
        int fd_a = file_of(a.data, a.len), fd_b = file_of(b.data, b.len);
        fd_path path_a = path_of(fd_a), path_b = path_of(fd_b);
        outcome result = select_paths(path_a.text, path_b.text, &format, false, sizes[i], NULL);
        assert_int_equal(result.status, TAMIS_OK);
        assert_same_bytes(&result.output, &wanted);
        drop(&result.output);
        (void)close(fd_a);
        (void)close(fd_b);
    }
    free(large);
    drop(&a);
    drop(&b);
    drop(&wanted);
}

/* Keys whose hashes are all the same, as an attacker might choose them. */
static void equal_hashes_are_told_apart(void **state)
{
    (void)state;
    tamis_temp temp;
    tamis_tape tape;
    tamis_keyset set;
    tamis_temp_init(&temp, "/nowhere", 4096);
    tamis_tape_init(&tape, &temp, 1 << 17);
    assert_int_equal(tamis_keyset_init(&set, tamis_keyset_slots(300), NULL), TAMIS_OK);
    char text[300];
    memset(text, 'k', sizeof text);
    for (size_t i = 0; i < 2 * sizeof text; i++) { /* each a prefix of the one before; then again */
        tamis_item key = {text, sizeof text - 1 - i % sizeof text};
        size_t place = (size_t)tape.bytes;
        assert_int_equal(tamis_entry_append(&tape, &key, NULL, 0, NULL), TAMIS_OK);
        set.base = tape.memory;
        set.size = (size_t)tape.bytes;
        uint64_t *slot = tamis_keyset_find(&set, 77, &key);
        assert_int_equal(*slot != 0, i >= sizeof text);
        if (*slot == 0)
            tamis_keyset_put(&set, slot, 77, place);
    }
    tamis_item other = {"kkx", 3};
    assert_int_equal(*tamis_keyset_find(&set, 77, &other), 0);
    assert_int_equal(set.count, sizeof text);
    tamis_keyset_free(&set);
    tamis_tape_free(&tape);
}

static void a_file_with_itself(void **state)
{
    (void)state;
    uint64_t random = 7;
    bytes input = random_input(&random, 2000, 500);
    int fd = file_of(input.data, input.len);
    fd_path path = path_of(fd);
    tamis_record_format format = lines_format();
    tamis_select_sizes tiny = {.total = 1, .filter = 100, .log = 100, .table = 500, .parts = 4, .block = 64};
    const tamis_select_sizes *sizes[] = {&roomy, &tiny};
    for (size_t i = 0; i < 2; i++) {
        outcome common = select_paths(path.text, path.text, &format, false, sizes[i], NULL);
        assert_int_equal(common.status, TAMIS_OK);
        if (input.data[input.len - 1] != '\n')
            put(&input, "\n", 1);
        assert_same_bytes(&common.output, &input);
        outcome minus = select_paths(path.text, path.text, &format, true, sizes[i], NULL);
        assert_int_equal(minus.status, TAMIS_OK);
        assert_int_equal(minus.output.len, 0);
        assert_int_equal(minus.report.printed, 0);
        drop(&common.output);
        drop(&minus.output);
    }
    (void)close(fd);
    drop(&input);
}

/* --- failures ----------------------------------------------------------------------------------- */

static void arguments_are_checked(void **state)
{
    (void)state;
    tamis_record_format format = lines_format();
    tamis_writer *writer = NULL;
    tamis_select_report report;
    tamis_error error;
    tamis_select_options options = {.struct_size = sizeof options};
    assert_int_equal(tamis_writer_open(1, '\n', &writer, NULL), TAMIS_OK);
    assert_int_equal(tamis_select_run("-", "-", &format, writer, &options, &report, &error),
                     TAMIS_E_ARGUMENT);
    options.memory_limit = (16 << 20) - 1;
    assert_int_equal(tamis_select_run("/dev/null", "/dev/null", &format, writer, &options, &report, &error),
                     TAMIS_E_RANGE);
    assert_non_null(strstr(error.message, "16777215"));
    options.memory_limit = 16 << 20;
    assert_int_equal(tamis_select_run("/dev/null", "/nowhere/b", &format, writer, &options, &report, &error),
                     TAMIS_E_IO);
    assert_non_null(strstr(error.message, "/nowhere/b"));
    assert_int_equal(tamis_select_run("/tmp", "/dev/null", &format, writer, &options, &report, &error),
                     TAMIS_E_IO);
    assert_non_null(strstr(error.message, "/tmp"));
    options.struct_size = 3;
    assert_int_equal(tamis_select_run("a", "b", &format, writer, &options, &report, &error),
                     TAMIS_E_ARGUMENT);
    tamis_writer_free(writer);
}

static bytes many_lines(void)
{
    bytes input = {0};
    for (size_t i = 0; i < 5000; i++) {
        char text[32];
        put(&input, text, (size_t)snprintf(text, sizeof text, "line %zu\n", i));
    }
    return input;
}

/* Whether files without a name can be made and how large they get. */
static void a_failing_folder_is_named(void **state)
{
    (void)state;
    bytes input = many_lines();
    int fd = file_of(input.data, input.len);
    fd_path path = path_of(fd);
    tamis_record_format format = lines_format();
    tamis_select_sizes tiny = {
        .total = 8000, .filter = 1000, .log = 1000, .table = 5000, .parts = 4, .block = 512};
    outcome result = select_paths(path.text, path.text, &format, false, &tiny, "/nowhere/temp");
    assert_int_equal(result.status, TAMIS_E_IO);
    assert_non_null(strstr(result.error.message, "/nowhere/temp"));
    assert_int_equal(result.output.len, 0);
    drop(&result.output);
    (void)signal(SIGXFSZ, SIG_IGN);
    struct rlimit before, limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    unsigned failed = 0;
    for (rlim_t size = 600; size < 400000; size = size * 3 / 2) {
        limit = before;
        limit.rlim_cur = size;
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
        tamis_select_options options = {.struct_size = sizeof options, .temp_dir = "/tmp"};
        tamis_writer *writer = NULL;
        tamis_select_report report;
        assert_int_equal(tamis_writer_open(-1, '\n', &writer, NULL), TAMIS_OK);
        tamis_status status = tamis_select_run_sized(path.text, path.text, &format, writer, &options, &tiny,
                                                     &report, &result.error);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        if (status != TAMIS_OK) {
            assert_int_equal(status, TAMIS_E_IO);
            assert_non_null(strstr(result.error.message, "/tmp"));
            assert_int_equal(report.printed, 0);
            failed++;
        } else {
            assert_int_equal(report.printed, 5000);
        }
        tamis_writer_free(writer);
    }
    assert_in_range(failed, 5, 15);
    (void)close(fd);
    drop(&input);
}

/* Changes a file while it is read, between its first pass and its second. */
typedef enum change { SHRINK, REWRITE, TOUCH, REWRITE_AND_HIDE } change;

static struct {
    change how;
    int fd;
    unsigned keys_to_go;
} changing;

static void change_file(void)
{
    struct stat before;
    assert_int_equal(fstat(changing.fd, &before), 0);
    struct timespec times[2] = {before.st_atim, before.st_mtim};
    if (changing.how == SHRINK)
        assert_int_equal(ftruncate(changing.fd, 20), 0);
    if (changing.how == REWRITE || changing.how == REWRITE_AND_HIDE) /* "line 1" */
        assert_int_equal(pwrite(changing.fd, "LINE", 4, 7), 4);
    times[1].tv_nsec =
        changing.how == REWRITE_AND_HIDE ? times[1].tv_nsec : (times[1].tv_nsec + 1000) % 1000000000;
    assert_int_equal(futimens(changing.fd, times), 0);
}

static tamis_status changing_key(void *ctx, const char *record, size_t len, tamis_item *out, const char **why)
{
    (void)ctx;
    *why = NULL;
    *out = (tamis_item){record, len};
    if (--changing.keys_to_go == 0)
        change_file();
    return TAMIS_OK;
}

/* One of the two inputs, which is read twice, changes. */
static void check_change(change how, bool minus)
{
    bytes input = many_lines();
    int fd = file_of(input.data, input.len), other = file_of_text("line 1\nnone\n");
    fd_path path = path_of(fd), other_path = path_of(other);
    tamis_record_format format = lines_format();
    format.key = changing_key;
    changing.how = how;
    changing.fd = fd;
    changing.keys_to_go = 5000;
    outcome result = minus ? select_paths(path.text, other_path.text, &format, true, &roomy, NULL)
                           : select_paths(other_path.text, path.text, &format, false, &roomy, NULL);
    assert_int_equal(result.status, TAMIS_E_IO);
    assert_non_null(strstr(result.error.message, "changed while it was read"));
    drop(&result.output);
    drop(&input);
    (void)close(fd);
    (void)close(other);
}

static void an_input_that_changes_is_noticed(void **state)
{
    (void)state;
    for (int minus = 0; minus < 2; minus++) {
        check_change(SHRINK, minus);
        check_change(REWRITE, minus);
        check_change(TOUCH, minus);
    }
    check_change(REWRITE_AND_HIDE, true); /* common has no key of the first pass to compare with */
}

/* Many batches at once, with keys in the format's memory, which is used again. */
static void large_inputs_in_threads(void **state)
{
    (void)state;
    bytes a = {0}, b = {0};
    for (unsigned i = 0; i < 60000; i++) {
        char text[64];
        put(&a, text, (size_t)snprintf(text, sizeof text, "%u:key %u\n", i, i * 7 % 50000));
        put(&b, text, (size_t)snprintf(text, sizeof text, "x:KEY %u\n", i * 3));
    }
    int fd_a = file_of(a.data, a.len), fd_b = file_of(b.data, b.len);
    fd_path path_a = path_of(fd_a), path_b = path_of(fd_b);
    tamis_select_sizes tiny = {.total = 1 << 18,
                               .filter = 1 << 16,
                               .log = 1 << 17,
                               .table = 1 << 17,
                               .parts = 4,
                               .block = 4096,
                               .read_block = 1 << 14};
    const tamis_select_sizes *sizes[] = {&tiny, NULL};
    for (int minus = 0; minus < 2; minus++) {
        bytes wanted = {0};
        for (threads = 1; threads <= 4; threads++)
            for (size_t i = 0; i < 4; i++) {
                tamis_record_format format = format_of(i / 2 == 0 ? UPPER : WHOLE_LINES, false);
                outcome result = select_paths(path_a.text, path_b.text, &format, minus, sizes[i % 2], NULL);
                assert_int_equal(result.status, TAMIS_OK);
                if (i != 2)
                    assert_int_equal(result.report.spilled_bytes > 0, i == 0);
                if (i / 2 == 0 && wanted.data == NULL)
                    put(&wanted, result.output.data, result.output.len);
                if (i / 2 == 0)
                    assert_same_bytes(&result.output, &wanted);
                else
                    assert_int_equal(result.report.printed, minus ? 60000 : 0);
                drop(&result.output);
            }
        size_t hits = 0;
        for (unsigned i = 0; i < 60000; i++)
            hits += i * 7 % 50000 % 3 == 0;
        size_t lines = 0;
        for (size_t i = 0; i < wanted.len; i++)
            lines += wanted.data[i] == '\n';
        assert_int_equal(lines, minus ? 60000 - hits : hits);
        drop(&wanted);
    }
    threads = 1;
    (void)close(fd_a);
    (void)close(fd_b);
    drop(&a);
    drop(&b);
}

static volatile sig_atomic_t stop_flag;
static unsigned progress_until_stop;

static void stop_at_progress(void *ctx, uint64_t done, uint64_t total)
{
    (void)ctx;
    assert_true(done <= total);
    if (progress_until_stop-- == 0)
        stop_flag = 1;
}

static void a_stop_is_obeyed_anywhere(void **state)
{
    (void)state;
    bytes input = many_lines();
    int fd = file_of(input.data, input.len);
    fd_path path = path_of(fd);
    tamis_record_format format = lines_format();
    tamis_select_sizes tiny = {.total = 8000,
                               .filter = 1000,
                               .log = 1000,
                               .table = 5000,
                               .parts = 4,
                               .block = 512,
                               .read_block = 4096};
    unsigned stopped = 0;
    for (unsigned when = 0; when < 100; when++) {
        tamis_select_options options = {
            .struct_size = sizeof options, .minus = true, .stop = &stop_flag, .progress = stop_at_progress};
        tamis_writer *writer = NULL;
        tamis_select_report report;
        assert_int_equal(tamis_writer_open(-1, '\n', &writer, NULL), TAMIS_OK);
        stop_flag = 0;
        progress_until_stop = when;
        tamis_status status =
            tamis_select_run_sized(path.text, path.text, &format, writer, &options, &tiny, &report, NULL);
        assert_int_equal(status, stop_flag ? TAMIS_E_INTERRUPTED : TAMIS_OK);
        stopped += stop_flag != 0;
        tamis_writer_free(writer);
    }
    stop_flag = 0;
    assert_in_range(stopped, 20, 99);
    (void)close(fd);
    drop(&input);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_cases),
        cmocka_unit_test(odd_inputs),
        cmocka_unit_test(binary_lines_and_large_ones),
        cmocka_unit_test(equal_hashes_are_told_apart),
        cmocka_unit_test(a_file_with_itself),
        cmocka_unit_test(arguments_are_checked),
        cmocka_unit_test(a_failing_folder_is_named),
        cmocka_unit_test(an_input_that_changes_is_noticed),
        cmocka_unit_test(large_inputs_in_threads),
        cmocka_unit_test(a_stop_is_obeyed_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
