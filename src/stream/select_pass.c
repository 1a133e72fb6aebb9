/* One pass over an input, in threads: what concerns the keys alone is done in any of
 * them, the rest in the order of the input. */
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "stream/input.h"
#include "stream/select.h"

typedef struct pass {
    tamis_selection *sel;
    tamis_reader *reader;
    tamis_pass_work work;
    tamis_batch_function take;
} pass;

bool tamis_next_keyed(const tamis_records *records, size_t *from, size_t *to)
{
    size_t at = *to;
    while (at < records->count && tamis_has_no_key(&records->keys[at]))
        at++;
    *from = at;
    while (at < records->count && !tamis_has_no_key(&records->keys[at]))
        at++;
    *to = at;
    return *from < *to;
}

/* --- in any thread -------------------------------------------------------------------- */

static void *new_batch(void *ctx)
{
    (void)ctx;
    tamis_select_batch *batch = malloc(sizeof *batch);
    if (batch != NULL) {
        batch->memory = NULL;
        batch->room = 0;
    }
    return batch;
}

static void free_batch(void *ctx, void *scratch)
{
    tamis_select_batch *batch = scratch;
    (void)ctx;
    free(batch->memory);
    free(batch);
}

static void hash_keys(tamis_select_batch *batch, const tamis_records *records)
{
    for (size_t from = 0, to = 0; tamis_next_keyed(records, &from, &to);)
        for (size_t i = from; i < to; i++)
            batch->hashes[i] = tamis_key_hash(&records->keys[i]);
}

/* Flags the keys that the filter lets through. */
static void ask_filter(const tamis_selection *sel, tamis_select_batch *batch, const tamis_records *records)
{
    memset(batch->flags, 0, records->count);
    for (size_t from = 0, to = 0; tamis_next_keyed(records, &from, &to);) {
        if (sel->filter == NULL)
            memset(batch->flags + from, 1, to - from);
        else
            (void)tamis_filter_contains_hashes(sel->filter, batch->hashes + from, to - from,
                                               batch->flags + from);
    }
}

static bool make_room(tamis_select_batch *batch, size_t bytes)
{
    if (bytes <= batch->room)
        return true;
    free(batch->memory);
    batch->memory = malloc(bytes);
    batch->room = batch->memory == NULL ? 0 : bytes;
    return batch->memory != NULL;
}

static bool must_be_copied(const tamis_select_batch *batch, const tamis_records *records, size_t i)
{
    return batch->flags[i] != 0 && !tamis_lies_inside(&records->keys[i], &records->records[i]);
}

/* Keys that `key` made are gone when it is this batch's turn: the flagged ones are
 * copied, unless they are a part of their record. */
static tamis_status keep_keys(const tamis_selection *sel, tamis_select_batch *batch,
                              const tamis_records *records, tamis_error *err)
{
    batch->keys = records->keys;
    if (sel->format->key == NULL)
        return TAMIS_OK;
    size_t bytes = 0;
    for (size_t i = 0; i < records->count; i++)
        bytes += must_be_copied(batch, records, i) ? records->keys[i].len : 0;
    if (!make_room(batch, bytes))
        return tamis_fail(err, TAMIS_E_NOMEM, "out of memory for %zu bytes of keys", bytes);
    char *to = batch->memory;
    for (size_t i = 0; i < records->count; i++) {
        batch->own[i] = records->keys[i];
        if (!must_be_copied(batch, records, i) || records->keys[i].len == 0)
            continue;
        memcpy(to, records->keys[i].data, records->keys[i].len);
        batch->own[i].data = to;
        to += records->keys[i].len;
    }
    batch->keys = batch->own;
    return TAMIS_OK;
}

static void flag_all_keys(tamis_select_batch *batch, const tamis_records *records)
{
    memset(batch->flags, 0, records->count);
    for (size_t from = 0, to = 0; tamis_next_keyed(records, &from, &to);)
        memset(batch->flags + from, 1, to - from);
}

static tamis_status prepare(void *ctx, void *scratch, const tamis_records *records, tamis_error *err)
{
    const pass *run = ctx;
    tamis_select_batch *batch = scratch;
    if (run->work == TAMIS_PASS_KEEP)
        flag_all_keys(batch, records);
    else
        hash_keys(batch, records);
    if (run->work == TAMIS_PASS_ASK)
        ask_filter(run->sel, batch, records);
    return run->work == TAMIS_PASS_HASH ? TAMIS_OK : keep_keys(run->sel, batch, records, err);
}

/* --- in turn ---------------------------------------------------------------------------- */

static tamis_status take(void *ctx, void *scratch, const tamis_records *records, tamis_error *err)
{
    const pass *run = ctx;
    tamis_selection *sel = run->sel;
    tamis_status status = run->take(sel, records, scratch, err);
    if (status != TAMIS_OK || sel->options->progress == NULL)
        return status;
    tamis_reader_stats stats;
    tamis_reader_get_stats(run->reader, &stats);
    sel->options->progress(sel->options->ctx, sel->bytes_done + stats.bytes, sel->bytes_total);
    return TAMIS_OK;
}

tamis_status tamis_selection_pass(tamis_selection *sel, tamis_select_input *input, tamis_pass_work work,
                                  tamis_batch_function take_batch, tamis_error *err)
{
    if (input->again && lseek(input->fd, (off_t)input->start, SEEK_SET) < 0)
        return tamis_fail_errno(err, "cannot read %s again", tamis_input_label(input->name));
    pass run = {.sel = sel, .work = work, .take = take_batch};
    tamis_status status =
        tamis_reader_open_fd(input->fd, input->name, sel->format, sel->sizes.read_block, &run.reader, err);
    if (status != TAMIS_OK)
        return status;
    tamis_reader_set_stop(run.reader, sel->options->stop);
    const tamis_flow flow = {.struct_size = sizeof flow,
                             .threads = sel->options->threads == 0 ? 1 : sel->options->threads,
                             .scratch_new = new_batch,
                             .scratch_free = free_batch,
                             .work = prepare,
                             .finish = take,
                             .ctx = &run};
    status = tamis_reader_run(run.reader, &flow, err);
    tamis_reader_stats stats;
    tamis_reader_get_stats(run.reader, &stats);
    tamis_reader_close(run.reader);
    sel->bytes_done += stats.bytes;
    sel->report->passes++;
    if (input->records == UINT64_MAX)
        input->records = stats.records;
    else if (status == TAMIS_OK)
        status = tamis_select_input_check(input, stats.records, err);
    return status;
}
