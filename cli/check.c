#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "fail.h"
#include "input.h"
#include "lists.h"
#include "output.h"
#include "progress.h"
#include "report.h"
#include "signals.h"

/* What a thread finds out about a run of records. */
typedef struct answers {
    key_room room;
    uint8_t *found; /* one row a list */
    size_t size;
} answers;

/* One filter to ask. */
typedef struct asked {
    const char *label; /* NULL: lines are printed without one */
    size_t label_len;
    const char *path;
    tamis_filter *filter;
    uint64_t selected;
} asked;

typedef struct check {
    const options *opts;
    input in;
    output out;
    asked *lists;
    size_t list_count;
    const uint8_t *found; /* one row of answers a list, for the run in hand */
    uint64_t selected;    /* lines in (with -v: not in) at least one list */
    bool done;
} check;

/* --- opening ----------------------------------------------------------------- */

static tamis_status name_lists(check *c, tamis_error *err)
{
    const options *opts = c->opts;
    size_t labels = opts->label_count;
    if (labels == 0 && opts->operand_count == 0)
        return fail(err, TAMIS_E_ARGUMENT,
                    "the filter file is missing: tamis check LIST [FILE]..., or -l NAME=LIST");
    c->list_count = labels > 0 ? labels : 1;
    c->lists = calloc(c->list_count, sizeof *c->lists);
    if (c->lists == NULL)
        return fail(err, TAMIS_E_NOMEM, "out of memory");
    if (labels == 0)
        c->lists[0].path = opts->operands[0];
    for (size_t i = 0; i < labels; i++)
        c->lists[i] = (asked){opts->labels[i].name, opts->labels[i].name_len, opts->labels[i].path, NULL, 0};
    return TAMIS_OK;
}

/* Opens all lists, which must want their keys alike. */
static tamis_status open_lists(check *c, uint32_t *normalisation, tamis_error *err)
{
    const options *opts = c->opts;
    char first[64], other[64];
    for (size_t i = 0; i < c->list_count; i++) {
        asked *list = &c->lists[i];
        tamis_status status = list_open(list->path, opts->flag[OPT_MMAP], &list->filter, err);
        if (status != TAMIS_OK)
            return status;
        uint32_t stored = tamis_filter_normalisation(list->filter);
        status = input_agree(opts, list->path, stored, err);
        if (status != TAMIS_OK)
            return status;
        if (i > 0 && stored != *normalisation)
            return fail(err, TAMIS_E_ARGUMENT,
                        "%s and %s normalise their lines differently (%s; %s); ask them one by one",
                        c->lists[0].path, list->path,
                        input_normalisation_text(*normalisation, first, sizeof first),
                        input_normalisation_text(stored, other, sizeof other));
        *normalisation = stored;
        if (!opts->flag[OPT_MMAP])
            (void)list_warn_overfull(list->path, list->filter);
    }
    return TAMIS_OK;
}

static tamis_status check_stdin(const check *c, tamis_error *err)
{
    size_t uses = 0;
    for (size_t i = 0; i < c->list_count; i++)
        uses += strcmp(c->lists[i].path, "-") == 0;
    for (size_t i = 0; i < c->in.count; i++)
        uses += strcmp(c->in.paths[i], "-") == 0;
    return uses < 2 ? TAMIS_OK
                    : fail(err, TAMIS_E_ARGUMENT,
                           "- is used more than once: standard input can be one list or "
                           "one file");
}

static bool prints(const check *c)
{
    return !c->opts->flag[OPT_COUNT_ONLY] && !c->opts->flag[OPT_QUIET_MATCH];
}

static tamis_status prepare(check *c, tamis_error *err)
{
    uint32_t normalisation = 0;
    tamis_status status = name_lists(c, err);
    if (status == TAMIS_OK)
        status = open_lists(c, &normalisation, err);
    if (status == TAMIS_OK)
        status = input_prepare(c->opts, c->opts->label_count > 0 ? 0 : 1, normalisation, &c->in, err);
    if (status == TAMIS_OK)
        status = check_stdin(c, err);
    if (status == TAMIS_OK)
        status = input_start(&c->in, err);
    if (status == TAMIS_OK)
        status = output_open(c->opts, &c->out, err);
    if (status == TAMIS_OK && prints(c))
        status = input_apart_from(&c->in, c->out.fd, err);
    return status;
}

/* --- asking ------------------------------------------------------------------ */

static bool is_key(const tamis_records *records, size_t i)
{
    return records->keys[i].len != TAMIS_NO_KEY;
}

static void *new_answers(void *ctx)
{
    (void)ctx;
    return calloc(1, sizeof(answers));
}

static void free_answers(void *ctx, void *scratch)
{
    answers *mine = scratch;
    (void)ctx;
    free(mine->room.keys);
    free(mine->found);
    free(mine);
}

/* Asks every list about every key: row r of found, column i, is 1 where line i
 * is selected by list r; a record without a key is selected by none. */
static tamis_status ask(void *ctx, void *scratch, const tamis_records *records, tamis_error *err)
{
    const check *c = ctx;
    answers *mine = scratch;
    size_t keys = 0, cells = c->list_count * records->count;
    if (mine->size < cells) {
        free(mine->found);
        mine->found = malloc(cells);
        mine->size = mine->found != NULL ? cells : 0;
    }
    const tamis_item *list = input_keys(&mine->room, records, &keys);
    if (list == NULL || mine->found == NULL)
        return fail(err, TAMIS_E_NOMEM, "out of memory");
    for (size_t r = 0; r < c->list_count; r++) {
        uint8_t *row = mine->found + r * records->count;
        (void)tamis_filter_contains_batch(c->lists[r].filter, list, keys, row);
        size_t from = keys;
        for (size_t i = records->count; i-- > 0;)
            row[i] = is_key(records, i) ? row[--from] != c->opts->flag[OPT_INVERT] : 0;
    }
    return TAMIS_OK;
}

static tamis_status print_prefix(check *c, const asked *list, uint64_t number, tamis_error *err)
{
    char text[32];
    tamis_status status = TAMIS_OK;
    if (list->label != NULL) {
        status = tamis_writer_bytes(c->out.writer, list->label, list->label_len, err);
        if (status == TAMIS_OK)
            status = tamis_writer_bytes(c->out.writer, ":", 1, err);
    }
    if (status != TAMIS_OK || !c->opts->flag[OPT_LINE_NUMBER])
        return status;
    int len = snprintf(text, sizeof text, "%" PRIu64 ":", number);
    return tamis_writer_bytes(c->out.writer, text, (size_t)len, err);
}

/* One record with its delimiter. */
static tamis_status print_record(check *c, const tamis_records *records, size_t i, tamis_error *err)
{
    tamis_records one = *records;
    one.records += i;
    one.keys += i;
    one.count = 1;
    return tamis_writer_records(c->out.writer, &one, NULL, err);
}

/* Prints one record as often as lists select it; true in *any: at least once. */
static tamis_status print_hits(check *c, const tamis_records *records, size_t i, bool *any, tamis_error *err)
{
    for (size_t r = 0; r < c->list_count; r++) {
        if (c->found[r * records->count + i] == 0)
            continue;
        *any = true;
        c->lists[r].selected++;
        tamis_status status = TAMIS_OK;
        if (prints(c))
            status = print_prefix(c, &c->lists[r], records->first_number + i, err);
        if (status == TAMIS_OK && prints(c))
            status = print_record(c, records, i, err);
        if (status != TAMIS_OK)
            return status;
    }
    return TAMIS_OK;
}

/* A record without a key (a header, or kept as it is) is printed, and selected by
 * nothing. */
static tamis_status pass(check *c, const tamis_records *records, size_t i, tamis_error *err)
{
    return prints(c) ? print_record(c, records, i, err) : TAMIS_OK;
}

static tamis_status select_one_by_one(check *c, const tamis_records *records, tamis_error *err)
{
    uint64_t most = c->opts->given[OPT_MAX_COUNT] ? c->opts->max_count : UINT64_MAX;
    for (size_t i = 0; i < records->count && !c->done; i++) {
        bool any = false;
        tamis_status status =
            is_key(records, i) ? print_hits(c, records, i, &any, err) : pass(c, records, i, err);
        if (status != TAMIS_OK)
            return status;
        c->selected += any;
        c->done = any && (c->selected >= most || c->opts->flag[OPT_QUIET_MATCH]);
    }
    return TAMIS_OK;
}

/* The common case: whole records, no label, no number, no end. Marks what passes
 * without a key, too. */
static tamis_status select_run(check *c, const tamis_records *records, uint8_t *found, tamis_error *err)
{
    const options *opts = c->opts;
    if (c->lists[0].label != NULL || opts->flag[OPT_LINE_NUMBER] || opts->given[OPT_MAX_COUNT] ||
        opts->flag[OPT_QUIET_MATCH])
        return select_one_by_one(c, records, err);
    for (size_t i = 0; i < records->count; i++) {
        c->selected += found[i];
        if (!is_key(records, i))
            found[i] = 1;
    }
    c->lists[0].selected = c->selected;
    return prints(c) ? tamis_writer_records(c->out.writer, records, found, err) : TAMIS_OK;
}

/* In the order of the input. When enough was found, the run ends as if interrupted. */
static tamis_status print_run(void *ctx, void *scratch, const tamis_records *records, tamis_error *err)
{
    check *c = ctx;
    answers *mine = scratch;
    c->found = mine->found;
    tamis_status status = select_run(c, records, mine->found, err);
    if (status == TAMIS_OK && c->opts->flag[OPT_LINE_BUFFERED])
        status = tamis_writer_flush(c->out.writer, err);
    input_progress(&c->in);
    return status == TAMIS_OK && c->done ? TAMIS_E_INTERRUPTED : status;
}

/* Nothing selected waits for input that may not come. */
static tamis_status flush(void *ctx, tamis_error *err)
{
    check *c = ctx;
    return tamis_writer_flush(c->out.writer, err);
}

static tamis_status run(check *c, tamis_error *err)
{
    const tamis_flow flow = {
        sizeof flow, (unsigned)c->opts->parallel, new_answers, free_answers, ask, print_run, flush, c};
    tamis_status status = tamis_reader_run(c->in.reader, &flow, err);
    return c->done && status == TAMIS_E_INTERRUPTED ? TAMIS_OK : status;
}

static tamis_status print_counts(check *c, tamis_error *err)
{
    char text[32];
    const char end = c->opts->flag[OPT_ZERO] ? '\0' : '\n';
    for (size_t r = 0; r < c->list_count; r++) {
        const asked *list = &c->lists[r];
        int len = snprintf(text, sizeof text, "%" PRIu64 "%c", list->selected, end);
        tamis_status status = print_prefix(c, list, 0, err);
        if (status == TAMIS_OK)
            status = tamis_writer_bytes(c->out.writer, text, (size_t)len, err);
        if (status != TAMIS_OK)
            return status;
    }
    return TAMIS_OK;
}

static tamis_status finish(check *c, tamis_status status, tamis_error *err)
{
    if (status == TAMIS_OK && c->opts->flag[OPT_COUNT_ONLY])
        status = print_counts(c, err);
    return output_end(&c->out, status, err);
}

static void tell(const check *c)
{
    tamis_reader_stats read;
    input_warn(&c->in);
    tamis_reader_get_stats(c->in.reader, &read);
    stat_row rows[] = {
        {"lines_read", "lines read", STAT_COUNT, read.records, 0.0},
        {"lines_without_key", "lines without a key", STAT_COUNT, read.no_key, 0.0},
        {"lines_selected", "lines selected", STAT_COUNT, c->selected, 0.0},
    };
    report_stats(c->opts, rows, sizeof rows / sizeof rows[0]);
}

static void close_check(check *c)
{
    for (size_t i = 0; i < c->list_count && c->lists != NULL; i++)
        tamis_filter_free(c->lists[i].filter);
    free(c->lists);
    output_close(&c->out);
    input_close(&c->in);
}

int check_main(const options *opts)
{
    tamis_error err = {.status = TAMIS_OK};
    check c = {.opts = opts, .out = {.fd = -1}};
    tamis_status status = prepare(&c, &err);
    if (status == TAMIS_OK) {
        signals_catch();
        progress_begin(opts);
        status = run(&c, &err);
        progress_clear();
        status = finish(&c, status, &err);
    }
    if (status == TAMIS_OK)
        tell(&c);
    bool any = c.selected > 0;
    close_check(&c);
    if (status != TAMIS_OK)
        return report_failure(&err);
    return any ? STATUS_FINE : STATUS_NONE;
}
