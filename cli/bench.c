/* tamis bench: the engine beside its limits. */
#define _POSIX_C_SOURCE 200809L

#include "bench/bench.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "fail.h"
#include "number.h"
#include "report.h"

enum { ROUNDS = 101, QUICK_ROUNDS = 5 };
#define MIN_ITEMS UINT64_C(10000)
#define MAX_ITEMS (UINT64_C(1) << 36)
#define MAIN_ITEMS UINT64_C(10000000)

/* In the order of the choices of --part. */
static void (*const parts[])(bench *) = {part_sizes,   part_pages,   part_rates,
                                         part_strings, part_threads, part_kinds};
enum { PARTS = sizeof parts / sizeof parts[0], PART_SIZES = 0 };

uint64_t bench_main_size(const bench *b)
{
    uint64_t found = b->sizes[0];
    for (size_t i = 0; i < b->size_count; i++)
        if (b->sizes[i] <= MAIN_ITEMS)
            found = b->sizes[i];
    return found;
}

void bench_keep(bench *b, const figure *f)
{
    figure *grown = realloc(b->figures, (b->figure_count + 1) * sizeof *grown);
    if (grown == NULL) {
        (void)fail(&b->error, TAMIS_E_NOMEM, "out of memory");
        return;
    }
    b->figures = grown;
    b->figures[b->figure_count++] = *f;
    bench_progress_clear(b);
    if (!b->opts->flag[OPT_INFO_JSON])
        bench_show_figure(f, b->figure_count > 1 ? &b->figures[b->figure_count - 2] : NULL);
}

void bench_note(bench *b, const char *format, ...)
{
    va_list args;
    if (b->note_count == BENCH_NOTES)
        return;
    char *note = b->notes[b->note_count++];
    va_start(args, format);
    (void)vsnprintf(note, BENCH_NOTE_LENGTH, format, args);
    va_end(args);
    bench_progress_clear(b);
    if (!b->opts->flag[OPT_INFO_JSON])
        (void)printf("\n# %s\n", note);
}

/* "100k" or "200M" as a number; false when it is none, or out of range. */
static bool parse_size(const char *text, size_t len, uint64_t *out)
{
    static const char letters[] = "kMG";
    char digits[16];
    uint64_t unit = 1;
    const char *letter = len > 0 ? memchr(letters, text[len - 1], sizeof letters - 1) : NULL;
    size_t digit_count = letter != NULL ? len - 1 : len;
    for (const char *l = letters; letter != NULL && l <= letter; l++)
        unit *= 1000;
    if (digit_count >= sizeof digits)
        return false;
    memcpy(digits, text, digit_count);
    digits[digit_count] = '\0';
    if (number_count("--items", digits, 0, MAX_ITEMS / unit, out, NULL) != TAMIS_OK)
        return false;
    *out *= unit;
    return *out >= MIN_ITEMS;
}

/* Adds a size where it belongs; twice the same is once. */
static void insert_size(bench *b, uint64_t items)
{
    size_t at = b->size_count;
    while (at > 0 && b->sizes[at - 1] >= items)
        at--;
    if (at < b->size_count && b->sizes[at] == items)
        return;
    memmove(&b->sizes[at + 1], &b->sizes[at], (b->size_count - at) * sizeof b->sizes[0]);
    b->sizes[at] = items;
    b->size_count++;
}

static tamis_status parse_sizes(bench *b, const char *list, tamis_error *err)
{
    for (;;) {
        uint64_t items = 0;
        size_t len = strcspn(list, ",");
        if (!parse_size(list, len, &items))
            return fail(err, TAMIS_E_RANGE,
                        "--items %.*s: must be a number from %" PRIu64 " to %" PRIu64 ", as in 100k,10M",
                        (int)len, list, MIN_ITEMS, MAX_ITEMS);
        if (b->size_count == BENCH_SIZES)
            return fail(err, TAMIS_E_RANGE, "--items: more than %d sizes; give fewer", BENCH_SIZES);
        insert_size(b, items);
        if (list[len] == '\0')
            return TAMIS_OK;
        list += len + 1;
    }
}

/* Can the file be written? Asked before minutes are spent on it. */
static tamis_status check_writable(const char *path, tamis_error *err)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT) {
        fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0)
            (void)unlink(path);
    }
    if (fd < 0)
        return fail_errno(err, "%s", path);
    (void)close(fd);
    return TAMIS_OK;
}

static tamis_status begin(bench *b, const options *opts, tamis_error *err)
{
    bool quick = opts->flag[OPT_QUICK];
    b->opts = opts;
    b->rounds = quick ? QUICK_ROUNDS : ROUNDS;
    b->talk = isatty(STDERR_FILENO) == 1;
    if (opts->given[OPT_SVG] && opts->given[OPT_PART] && opts->part != PART_SIZES)
        return fail(err, TAMIS_E_ARGUMENT,
                    "--svg draws the part sizes; leave --part away or say --part sizes");
    if (opts->given[OPT_SVG] && check_writable(opts->svg, err) != TAMIS_OK)
        return err->status;
    if (opts->given[OPT_RESULTS] && check_writable(opts->results, err) != TAMIS_OK)
        return err->status;
    const char *usual = quick ? "100k,1M" : "100k,1M,10M,200M";
    return parse_sizes(b, opts->given[OPT_ITEMS] ? opts->items : usual, err);
}

static tamis_status write_file(const bench *b, const char *path, void (*draw)(const bench *, FILE *),
                               tamis_error *err)
{
    FILE *to = fopen(path, "w");
    if (to == NULL)
        return fail_errno(err, "%s", path);
    draw(b, to);
    bool failed = ferror(to) != 0;
    if (fclose(to) != 0 || failed)
        return fail_errno(err, "%s", path);
    return TAMIS_OK;
}

static tamis_status write_files(const bench *b, tamis_error *err)
{
    const options *opts = b->opts;
    if (opts->given[OPT_SVG] && write_file(b, opts->svg, bench_draw, err) != TAMIS_OK)
        return err->status;
    return opts->given[OPT_RESULTS] ? write_file(b, opts->results, bench_show_json, err) : TAMIS_OK;
}

static tamis_status run(bench *b, tamis_error *err)
{
    const options *opts = b->opts;
    bool json = opts->flag[OPT_INFO_JSON];
    if (!json)
        bench_show_heading(b);
    for (int i = 0; i < PARTS; i++)
        if (!opts->given[OPT_PART] || opts->part == i)
            parts[i](b);
    bench_progress_clear(b);
    *err = b->error;
    if (err->status != TAMIS_OK || write_files(b, err) != TAMIS_OK)
        return err->status;
    if (json)
        bench_show_json(b, stdout);
    else
        bench_show_summary(b);
    return report_finish_stdout(err);
}

int bench_main(const options *opts)
{
    static bench b;
    tamis_error err = {.status = TAMIS_OK};
    tamis_status status = begin(&b, opts, &err);
    if (status == TAMIS_OK)
        status = run(&b, &err);
    bool missed = bench_count(&b, MISSED) > 0;
    free(b.figures);
    if (status != TAMIS_OK)
        return report_failure(&err);
    return missed && opts->flag[OPT_STRICT] ? STATUS_NONE : STATUS_FINE;
}
