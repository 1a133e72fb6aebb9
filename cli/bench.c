/* tamis bench: the engine beside its limits. */
#define _POSIX_C_SOURCE 200809L

#include "bench/bench.h"

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
        (void)printf("# %s\n", note);
}

/* "100k" or "200M" as a number; the text is one element of --items. */
static tamis_status parse_size(const char *text, size_t len, uint64_t *out, tamis_error *err)
{
    static const char letters[] = "kMG";
    char digits[32];
    uint64_t unit = 1, most = MAX_ITEMS;
    const char *letter = len > 0 ? memchr(letters, text[len - 1], sizeof letters - 1) : NULL;
    size_t digit_count = letter != NULL ? len - 1 : len;
    if (digit_count >= sizeof digits)
        return fail(err, TAMIS_E_ARGUMENT, "--items: %.*s is too long for a number", (int)len, text);
    for (const char *l = letters; letter != NULL && l <= letter; l++)
        unit *= 1000;
    memcpy(digits, text, digit_count);
    digits[digit_count] = '\0';
    tamis_status status = number_count("--items", digits, 0, most / unit, out, err);
    if (status == TAMIS_OK && *out * unit < MIN_ITEMS)
        return fail(err, TAMIS_E_RANGE, "--items %.*s: must be at least %" PRIu64, (int)len, text, MIN_ITEMS);
    *out *= unit;
    return status;
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
        tamis_status status = parse_size(list, len, &items, err);
        if (status != TAMIS_OK)
            return status;
        if (b->size_count == BENCH_SIZES)
            return fail(err, TAMIS_E_RANGE, "--items: more than %d sizes; give fewer", BENCH_SIZES);
        insert_size(b, items);
        if (list[len] == '\0')
            return TAMIS_OK;
        list += len + 1;
    }
}

static tamis_status begin(bench *b, const options *opts, tamis_error *err)
{
    bool quick = opts->flag[OPT_QUICK];
    b->opts = opts;
    b->rounds = quick ? QUICK_ROUNDS : ROUNDS;
    b->talk = isatty(STDERR_FILENO) == 1;
    if (opts->given[OPT_SVG] && opts->given[OPT_PART] && opts->part != PART_SIZES)
        return fail(err, TAMIS_E_ARGUMENT, "--svg draws the part sizes; leave --part away or say --part sizes");
    const char *usual = quick ? "100k,1M" : "100k,1M,10M,200M";
    return parse_sizes(b, opts->given[OPT_ITEMS] ? opts->items : usual, err);
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
    if (err->status == TAMIS_OK && opts->given[OPT_SVG])
        (void)bench_plot(b, opts->svg, err);
    if (err->status != TAMIS_OK)
        return err->status;
    if (json)
        bench_show_json(b);
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
