/* Dedup against a plain exact list of what was seen. */
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include "unit/stream_help.h"

#include <math.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "stream/fingerprints.h"
#include "stream/internal.h"

static tamis_filter *new_filter(tamis_kind kind, uint64_t capacity, double rate, uint64_t seed)
{
    tamis_params params = TAMIS_PARAMS_INIT;
    params.kind = kind;
    params.capacity = capacity;
    params.error_rate = rate;
    params.seed = seed;
    tamis_filter *filter = NULL;
    assert_int_equal(tamis_filter_create(&params, &filter, NULL), TAMIS_OK);
    return filter;
}

/* A run over a file's records into a nameless file. */
typedef struct outcome {
    tamis_status status;
    tamis_dedup_report report;
    tamis_error error;
    bytes output;
} outcome;

static outcome run_fd(int in, const tamis_record_format *format, const tamis_dedup_options *options)
{
    outcome result = {.status = TAMIS_OK};
    int out = nameless_file();
    tamis_reader *reader = NULL;
    tamis_writer *writer = NULL;
    assert_int_equal(lseek(in, 0, SEEK_SET), 0);
    assert_int_equal(tamis_reader_open_fd(in, "input", format, 0, &reader, NULL), TAMIS_OK);
    assert_int_equal(tamis_writer_open(out, format->delimiter, &writer, NULL), TAMIS_OK);
    result.status = tamis_dedup_run(reader, writer, options, &result.report, &result.error);
    tamis_reader_close(reader);
    tamis_writer_free(writer);
    result.output = contents_of(out);
    (void)close(out);
    return result;
}

static outcome run(const bytes *input, const tamis_dedup_options *options)
{
    tamis_record_format format = lines_format();
    int in = file_of(input->data, input->len);
    outcome result = run_fd(in, &format, options);
    (void)close(in);
    return result;
}

static tamis_dedup_options options_of(tamis_filter *filter, tamis_on_full on_full)
{
    return (tamis_dedup_options){
        .struct_size = sizeof(tamis_dedup_options), .filter = filter, .on_full = on_full};
}

/* `count` lines "line I" with I below `distinct`, and what is left of them when only
 * the first of each kind stays; at most `most` kinds (0: all). */
static void make_lines(uint64_t seed, size_t count, size_t distinct, size_t most, bytes *input, bytes *firsts,
                       size_t *first_records)
{
    bool *seen = calloc(distinct, sizeof *seen);
    assert_non_null(seen);
    size_t kinds = 0;
    bool full = false;
    *first_records = count;
    for (size_t i = 0; i < count; i++) {
        char line[40];
        size_t which = below(&seed, distinct);
        size_t len = (size_t)snprintf(line, sizeof line, "line %zu\n", which);
        put(input, line, len);
        if (seen[which] || full)
            continue;
        full = most != 0 && kinds == most;
        if (full) {
            *first_records = i;
            continue;
        }
        seen[which] = true;
        kinds++;
        put(firsts, line, len);
    }
    free(seen);
}

static void first_occurrences_in_order(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < 4; kind++) {
        bytes input = {0}, firsts = {0};
        size_t records;
        make_lines(kind + 1, 60000, 30000, 0, &input, &firsts, &records);
        tamis_filter *filter = kind == 0   ? NULL
                               : kind == 1 ? new_filter(TAMIS_BLOOM, 30000, 1e-9, 1)
                               : kind == 2 ? new_filter(TAMIS_SCALABLE, 100, 1e-9, 1)
                                           : new_filter(TAMIS_COUNTING, 30000, 1e-9, 1);
        tamis_dedup_options options = options_of(filter, kind == 2 ? TAMIS_FULL_GROW : TAMIS_FULL_WARN);
        outcome result = run(&input, &options);
        assert_int_equal(result.status, TAMIS_OK);
        assert_same_bytes(&result.output, &firsts);
        assert_int_equal(result.report.records, records);
        assert_false(result.report.overfull);
        assert_true(result.report.lost_expected < 1e-3);
        assert_true(result.report.memory_bytes > 0);
        outcome again = run(&input, &options); /* exact mode forgets, a filter does not */
        assert_int_equal(again.report.printed, filter == NULL ? result.report.printed : 0);
        tamis_filter_free(filter);
        drop(&result.output);
        drop(&again.output);
        drop(&input);
        drop(&firsts);
    }
}

static void odd_lines(void **state)
{
    (void)state;
    bytes input = {0}, wanted = {0};
    static const char lines[] = "\n\na\0b\na\0c\na\0b\n\xff\n\xff\nend",
                      first[] = "\na\0b\na\0c\n\xff\nend\n";
    put(&input, lines, sizeof lines - 1);
    put(&wanted, first, sizeof first - 1);
    tamis_dedup_options options = options_of(NULL, TAMIS_FULL_GROW);
    outcome result = run(&input, &options);
    assert_int_equal(result.status, TAMIS_OK);
    assert_same_bytes(&result.output, &wanted);
    drop(&result.output);
    input.len = 0;
    result = run(&input, &options);
    assert_int_equal(result.status, TAMIS_OK);
    assert_int_equal(result.output.len, 0);
    drop(&result.output);
    drop(&input);
    drop(&wanted);
}

/* --- lost lines -------------------------------------------------------------------- */

/* Distinct lines all: whatever is not printed was lost. Beyond the capacity the
 * rate is not the promised one, and the estimate has to follow it. */
static void check_lost(double rate, size_t capacity, size_t count, unsigned seeds, tamis_kind kind)
{
    bytes input = {0};
    for (size_t i = 0; i < count; i++) {
        char line[40];
        put(&input, line, (size_t)snprintf(line, sizeof line, "https://example.com/%zu\n", i * 7919));
    }
    double expected = 0, lost = 0;
    for (unsigned seed = 0; seed < seeds; seed++) {
        tamis_filter *filter = new_filter(kind, capacity, rate, seed + 100);
        tamis_dedup_options options =
            options_of(filter, kind == TAMIS_SCALABLE ? TAMIS_FULL_GROW : TAMIS_FULL_WARN);
        outcome result = run(&input, &options);
        assert_int_equal(result.status, TAMIS_OK);
        if (kind == TAMIS_BLOOM)
            assert_int_equal(result.report.overfull, result.report.printed > capacity);
        expected += result.report.lost_expected;
        lost += (double)(count - result.report.printed);
        tamis_filter_free(filter);
        drop(&result.output);
    }
    drop(&input);
    print_message("rate %g: %.0f lost, %.1f expected\n", rate, lost, expected);
    assert_true(expected > 10);
    assert_true(fabs(lost - expected) <= 5 * sqrt(expected));
}

static void lost_lines_are_estimated(void **state)
{
    (void)state;
    check_lost(1e-2, 200000, 200000, 6, TAMIS_BLOOM);
    check_lost(1e-3, 200000, 200000, 4, TAMIS_BLOOM);
    check_lost(1e-4, 200000, 200000, 6, TAMIS_BLOOM);
    check_lost(1e-4, 100000, 200000, 3, TAMIS_BLOOM);
    check_lost(1e-2, 3000, 9000, 10, TAMIS_BLOOM);
    check_lost(1e-2, 20000, 200000, 6, TAMIS_SCALABLE);
    check_lost(0.1, 10000, 400000, 1, TAMIS_SCALABLE);
    check_lost(0.5, 10000, 100000, 1, TAMIS_SCALABLE);
}

/* A state of an earlier run counts in the rate of the next. */
static void lost_lines_of_a_second_run(void **state)
{
    (void)state;
    tamis_filter *filter = new_filter(TAMIS_BLOOM, 200000, 1e-2, 3);
    uint64_t expected_at_most = 0;
    for (unsigned half = 0; half < 2; half++) {
        bytes input = {0};
        for (size_t i = 0; i < 100000; i++) {
            char line[40];
            put(&input, line, (size_t)snprintf(line, sizeof line, "%u %zu\n", half, i));
        }
        tamis_dedup_options options = options_of(filter, TAMIS_FULL_WARN);
        outcome result = run(&input, &options);
        double lost = (double)(100000 - result.report.printed);
        if (half == 1)
            assert_true(fabs(lost - result.report.lost_expected) <= 5 * sqrt(result.report.lost_expected));
        else
            expected_at_most = (uint64_t)(4 * result.report.lost_expected) + 1;
        assert_true(half == 0 || result.report.lost_expected > (double)expected_at_most);
        drop(&result.output);
        drop(&input);
    }
    tamis_filter_free(filter);
}

/* --- limits --------------------------------------------------------------------------- */

static void stops_before_the_record_that_does_not_fit(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed < 12; seed++) {
        bytes input = {0}, firsts = {0};
        size_t records;
        size_t capacity = seed == 1 ? 1 : 100 * (size_t)seed * (size_t)seed;
        make_lines(seed, 60000, 20000, capacity, &input, &firsts, &records);
        tamis_filter *filter = new_filter(TAMIS_BLOOM, capacity, 1e-9, 1);
        tamis_dedup_options options = options_of(filter, TAMIS_FULL_STOP);
        outcome result = run(&input, &options);
        assert_int_equal(result.status, TAMIS_E_FULL);
        assert_int_equal(result.report.records, records);
        assert_int_equal(result.report.printed, capacity);
        assert_same_bytes(&result.output, &firsts);
        drop(&result.output);
        result = run(&firsts, &options); /* nothing new: fits */
        assert_int_equal(result.status, TAMIS_OK);
        assert_int_equal(result.report.printed, 0);
        drop(&result.output);
        tamis_filter_free(filter);
        drop(&input);
        drop(&firsts);
    }
}

static void growth_ends_at_the_memory_limit(void **state)
{
    (void)state;
    bytes input = {0};
    for (size_t i = 0; i < 400000; i++) {
        char line[40];
        put(&input, line, (size_t)snprintf(line, sizeof line, "%zu\n", i));
    }
    for (int exact = 0; exact < 2; exact++) {
        tamis_filter *filter = exact ? NULL : new_filter(TAMIS_SCALABLE, 1000, 1e-9, 1);
        tamis_dedup_options options = options_of(filter, TAMIS_FULL_GROW);
        options.memory_limit = 2 << 20;
        outcome result = run(&input, &options);
        assert_int_equal(result.status, TAMIS_E_FULL);
        assert_non_null(strstr(result.error.message, "2097152"));
        assert_true(result.report.memory_bytes <= options.memory_limit);
        assert_int_equal(result.report.records, result.report.printed);
        assert_in_range(result.report.printed, 10000, 399999);
        bytes prefix = {.data = input.data, .len = 0};
        for (size_t i = 0; i < result.report.printed; i++)
            prefix.len += record_at(&input, prefix.len, '\n') + 1;
        assert_same_bytes(&result.output, &prefix);
        tamis_filter_free(filter);
        drop(&result.output);
    }
    drop(&input);
}

static void options_are_checked(void **state)
{
    (void)state;
    bytes input = {0};
    put_text(&input, "a\n");
    tamis_filter *filter = new_filter(TAMIS_BLOOM, 10, 0.1, 1);
    tamis_dedup_options options = options_of(filter, TAMIS_FULL_GROW);
    outcome result = run(&input, &options);
    assert_int_equal(result.status, TAMIS_E_ARGUMENT);
    drop(&result.output);
    options = options_of(NULL, TAMIS_FULL_GROW);
    options.memory_limit = 1000;
    result = run(&input, &options);
    assert_int_equal(result.status, TAMIS_E_RANGE);
    drop(&result.output);
    options.struct_size = 1;
    result = run(&input, &options);
    assert_int_equal(result.status, TAMIS_E_ARGUMENT);
    drop(&result.output);
    tamis_filter_free(filter);
    drop(&input);
}

static void fingerprints_of_zero_are_kept(void **state)
{
    (void)state;
    tamis_fingerprints set;
    bool fresh = false;
    assert_int_equal(tamis_fingerprints_init(&set, 0, NULL), TAMIS_OK);
    const tamis_fingerprint prints[] = {{0, 0},          {0, 1},          {1, 0},
                                        {UINT64_MAX, 0}, {UINT64_MAX, 1}, {UINT64_MAX, 2}};
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < sizeof prints / sizeof *prints; i++) {
            assert_int_equal(tamis_fingerprints_add(&set, prints[i], &fresh), TAMIS_OK);
            assert_int_equal(fresh, round == 0);
        }
    for (uint64_t i = 0; i <= 3000; i++) { /* nearly all in one place of the table, which grows */
        assert_int_equal(tamis_fingerprints_add(&set, (tamis_fingerprint){i * 40, i + 3}, &fresh), TAMIS_OK);
        assert_true(fresh);
    }
    assert_int_equal(tamis_fingerprints_add(&set, prints[0], &fresh), TAMIS_OK);
    assert_false(fresh);
    tamis_fingerprints_clear(&set);
}

/* --- flow ---------------------------------------------------------------------------------- */

static void await_output(int fd, const char *wanted)
{
    char got[64];
    size_t have = 0;
    while (have < strlen(wanted)) {
        struct pollfd ready = {.fd = fd, .events = POLLIN};
        assert_int_equal(poll(&ready, 1, 10000), 1);
        ssize_t n = read(fd, got + have, sizeof got - have);
        assert_true(n > 0);
        have += (size_t)n;
    }
    assert_int_equal(have, strlen(wanted));
    assert_memory_equal(got, wanted, have);
}

static int dedup_child(int in, int out)
{
    tamis_record_format format = lines_format();
    tamis_reader *reader = NULL;
    tamis_writer *writer = NULL;
    tamis_dedup_options options = options_of(NULL, TAMIS_FULL_GROW);
    tamis_dedup_report report;
    if (tamis_reader_open_fd(in, "pipe", &format, 0, &reader, NULL) != TAMIS_OK ||
        tamis_writer_open(out, '\n', &writer, NULL) != TAMIS_OK)
        return 1;
    int failed = tamis_dedup_run(reader, writer, &options, &report, NULL) != TAMIS_OK;
    tamis_reader_close(reader);
    tamis_writer_free(writer);
    return failed;
}

static void output_flows_while_input_waits(void **state)
{
    (void)state;
    int in[2], out[2], status = 1;
    assert_int_equal(pipe(in), 0);
    assert_int_equal(pipe(out), 0);
    pid_t child = fork();
    if (child == 0) {
        (void)close(in[1]);
        _exit(dedup_child(in[0], out[1]));
    }
    (void)close(in[0]);
    (void)close(out[1]);
    assert_int_equal(write(in[1], "a\na\n", 4), 4);
    await_output(out[0], "a\n");
    assert_int_equal(write(in[1], "b\nhalf", 6), 6);
    await_output(out[0], "b\n");
    assert_int_equal(write(in[1], " line\na\nlast", 12), 12);
    await_output(out[0], "half line\n");
    (void)close(in[1]);
    await_output(out[0], "last\n");
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    (void)close(out[0]);
}

static void a_closed_output_ends_the_run(void **state)
{
    (void)state;
    (void)signal(SIGPIPE, SIG_IGN);
    int out[2];
    assert_int_equal(pipe(out), 0);
    (void)close(out[0]);
    int in = file_of("a\nb\n", 4);
    assert_int_equal(dedup_child(in, out[1]), 1);
    (void)close(in);
    (void)close(out[1]);
}

static volatile sig_atomic_t stop_flag;
static unsigned keys_until_stop;

static tamis_status key_then_stop(void *ctx, const char *record, size_t len, tamis_item *out,
                                  const char **why)
{
    (void)ctx;
    *why = "starts with #";
    if (len > 0 && record[0] == '#')
        return TAMIS_E_RECORD;
    if (--keys_until_stop == 0)
        stop_flag = 1;
    *out = (tamis_item){record, len};
    return TAMIS_OK;
}

static void a_stop_leaves_everything_written(void **state)
{
    (void)state;
    bytes input = {0}, firsts = {0};
    size_t records;
    make_lines(3, 200000, 100000, 0, &input, &firsts, &records);
    tamis_record_format format = lines_format();
    format.key = key_then_stop;
    keys_until_stop = 50000;
    int in = file_of(input.data, input.len), out = nameless_file();
    tamis_reader *reader = NULL;
    tamis_writer *writer = NULL;
    tamis_dedup_options options = options_of(NULL, TAMIS_FULL_GROW);
    tamis_dedup_report report;
    assert_int_equal(tamis_reader_open_fd(in, "in", &format, 0, &reader, NULL), TAMIS_OK);
    assert_int_equal(tamis_writer_open(out, '\n', &writer, NULL), TAMIS_OK);
    tamis_reader_set_stop(reader, &stop_flag);
    assert_int_equal(tamis_dedup_run(reader, writer, &options, &report, NULL), TAMIS_E_INTERRUPTED);
    stop_flag = 0;
    assert_in_range(report.records, 1, 60000);
    bytes got = contents_of(out);
    size_t printed = 0;
    for (size_t i = 0; i < got.len; i++)
        printed += got.data[i] == '\n';
    assert_int_equal(printed, report.printed);
    assert_memory_equal(got.data, firsts.data, got.len);
    tamis_reader_close(reader);
    tamis_writer_free(writer);
    (void)close(in);
    (void)close(out);
    drop(&got);
    drop(&input);
    drop(&firsts);
}

static void records_without_a_key(void **state)
{
    (void)state;
    tamis_record_format format = lines_format();
    format.key = key_then_stop;
    format.header = true;
    keys_until_stop = 0;
    int in = file_of_text("a\na\n#\na\n#\nb\na\n");
    tamis_dedup_options options = options_of(NULL, TAMIS_FULL_GROW);
    outcome result = run_fd(in, &format, &options);
    assert_int_equal(result.status, TAMIS_E_RECORD);
    assert_int_equal(result.report.records, 2);
    assert_string_equal(result.output.data, "a\na\n"); /* the header and the first a */
    drop(&result.output);
    format.keep_bad = true;
    tamis_filter *filter = new_filter(TAMIS_BLOOM, 100, 1e-9, 1);
    options = options_of(filter, TAMIS_FULL_STOP);
    result = run_fd(in, &format, &options);
    assert_int_equal(result.status, TAMIS_OK);
    assert_string_equal(result.output.data, "a\na\n#\n#\nb\n");
    assert_int_equal(result.report.passed, 3);
    assert_int_equal(result.report.printed, 2);
    tamis_filter_free(filter);
    drop(&result.output);
    (void)close(in);
}

/* Whatever ends a run, lines that could not be written are what it reports. */
static void lost_output_comes_before_other_failures(void **state)
{
    (void)state;
    tamis_record_format format = lines_format();
    format.key = key_then_stop;
    keys_until_stop = 0;
    const struct {
        const char *input;
        tamis_status status;
    } runs[] = {{"a\nb\nc\nd\n", TAMIS_E_FULL}, {"a\n#\n", TAMIS_E_RECORD}};
    for (size_t i = 0; i < 4; i++) {
        int in = file_of_text(runs[i / 2].input),
            out = open(i % 2 == 0 ? "/dev/null" : "/dev/full", O_WRONLY);
        tamis_reader *reader = NULL;
        tamis_writer *writer = NULL;
        tamis_filter *filter = new_filter(TAMIS_BLOOM, 3, 1e-9, 1);
        tamis_dedup_options options = options_of(filter, TAMIS_FULL_STOP);
        tamis_dedup_report report;
        tamis_error error;
        assert_int_equal(tamis_reader_open_fd(in, "in", &format, 0, &reader, NULL), TAMIS_OK);
        assert_int_equal(tamis_writer_open(out, '\n', &writer, NULL), TAMIS_OK);
        tamis_status status = tamis_dedup_run(reader, writer, &options, &report, &error);
        assert_int_equal(status, i % 2 == 0 ? runs[i / 2].status : TAMIS_E_IO);
        assert_int_equal(error.status, status);
        assert_false(report.overfull);
        tamis_reader_close(reader);
        tamis_writer_free(writer);
        tamis_filter_free(filter);
        (void)close(in);
        (void)close(out);
    }
}

/* --- checkpoints --------------------------------------------------------------------------- */

typedef struct saves {
    int out;
    const tamis_dedup_report *report;
    unsigned count;
    tamis_status answer;
    unsigned sleep_us;
} saves;

/* At a checkpoint the output holds every line counted so far. */
static tamis_status check_save(void *ctx, tamis_error *err)
{
    (void)err;
    saves *all = ctx;
    bytes got = contents_of(all->out);
    size_t printed = 0;
    for (size_t i = 0; i < got.len; i++)
        printed += got.data[i] == '\n';
    assert_int_equal(printed, all->report->printed);
    drop(&got);
    all->count++;
    (void)usleep(all->sleep_us);
    return all->answer;
}

static unsigned progress_calls;

static void count_progress(void *ctx, const tamis_reader_stats *stats)
{
    (void)ctx;
    assert_true(stats->records > 0);
    progress_calls++;
}

static double seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Returns how long the run took, in seconds. */
static double run_with_saves(int in, saves *all, tamis_dedup_report *report)
{
    tamis_record_format format = lines_format();
    tamis_reader *reader = NULL;
    tamis_writer *writer = NULL;
    tamis_filter *filter = new_filter(TAMIS_BLOOM, 50000, 1e-2, 1);
    tamis_dedup_options options = options_of(filter, TAMIS_FULL_WARN);
    options.checkpoint_ms = 1;
    options.checkpoint = check_save;
    options.progress = count_progress;
    options.ctx = all;
    all->out = nameless_file();
    all->report = report;
    assert_int_equal(lseek(in, 0, SEEK_SET), 0);
    assert_int_equal(tamis_reader_open_fd(in, "in", &format, 0, &reader, NULL), TAMIS_OK);
    assert_int_equal(tamis_writer_open(all->out, '\n', &writer, NULL), TAMIS_OK);
    double began = seconds();
    assert_int_equal(tamis_dedup_run(reader, writer, &options, report, NULL), all->answer);
    double took = seconds() - began;
    tamis_reader_close(reader);
    tamis_writer_free(writer);
    tamis_filter_free(filter);
    (void)close(all->out);
    return took;
}

static void checkpoints_find_all_written_and_stay_rare(void **state)
{
    (void)state;
    bytes input = {0}, firsts = {0};
    size_t records;
    make_lines(3, 1000000, 500000, 0, &input, &firsts, &records);
    int in = file_of(input.data, input.len);
    tamis_dedup_report report;
    saves quick = {.answer = TAMIS_OK}, slow = {.sleep_us = 100000}, failing = {.answer = TAMIS_E_IO};
    double took = run_with_saves(in, &quick, &report);
    assert_true(quick.count >= 1); /* each counts as a millisecond at least, the twentieth part of the run */
    assert_true(quick.count <= 1 + (unsigned)(took * 1000 / 20));
    progress_calls = 0;
    took = run_with_saves(in, &slow, &report);
    assert_true(slow.count <= 1 + (unsigned)(took / 2));
    assert_true(progress_calls > 0);
    (void)run_with_saves(in, &failing, &report);
    assert_int_equal(failing.count, 1);
    (void)close(in);
    drop(&input);
    drop(&firsts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_occurrences_in_order),
        cmocka_unit_test(odd_lines),
        cmocka_unit_test(lost_lines_are_estimated),
        cmocka_unit_test(lost_lines_of_a_second_run),
        cmocka_unit_test(stops_before_the_record_that_does_not_fit),
        cmocka_unit_test(growth_ends_at_the_memory_limit),
        cmocka_unit_test(options_are_checked),
        cmocka_unit_test(fingerprints_of_zero_are_kept),
        cmocka_unit_test(output_flows_while_input_waits),
        cmocka_unit_test(a_closed_output_ends_the_run),
        cmocka_unit_test(a_stop_leaves_everything_written),
        cmocka_unit_test(records_without_a_key),
        cmocka_unit_test(lost_output_comes_before_other_failures),
        cmocka_unit_test(checkpoints_find_all_written_and_stay_rare),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
