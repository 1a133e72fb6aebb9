#include "intake.h"

#include <stdlib.h>

#include "fail.h"
#include "report.h"

/* What a thread makes of a run of records: the hashes of its keys. */
typedef struct hashed {
    key_room room;
    uint64_t *hashes;
    size_t size;
    size_t count;
} hashed;

static void *new_hashed(void *ctx)
{
    (void)ctx;
    return calloc(1, sizeof(hashed));
}

static void free_hashed(void *ctx, void *scratch)
{
    hashed *run = scratch;
    (void)ctx;
    free(run->room.keys);
    free(run->hashes);
    free(run);
}

static tamis_status hash_run(void *ctx, void *scratch, const tamis_records *records, tamis_error *err)
{
    const intake *into = ctx;
    hashed *run = scratch;
    const tamis_item *keys = input_keys(&run->room, records, &run->count);
    if (run->size < records->count) {
        free(run->hashes);
        run->hashes = malloc(records->count * sizeof *run->hashes);
        run->size = run->hashes != NULL ? records->count : 0;
    }
    if (keys == NULL || run->hashes == NULL)
        return fail(err, TAMIS_E_NOMEM, "out of memory");
    tamis_filter_hash_batch(into->filter, keys, run->count, run->hashes);
    return TAMIS_OK;
}

static tamis_status add_run(void *ctx, void *scratch, const tamis_records *records, tamis_error *err)
{
    intake *into = ctx;
    const hashed *run = scratch;
    size_t fresh = 0, done = 0;
    (void)records;
    tamis_status status = tamis_filter_add_hashes(into->filter, run->hashes, run->count, NULL, &fresh, &done);
    into->lines += done;
    into->fresh += fresh;
    into->items += (double)fresh;
    if (status == TAMIS_E_FULL)
        return fail(
            err, status,
            "the filter cannot grow further; begin another list, with a larger -p or of a part of the lines");
    if (status != TAMIS_OK)
        return fail(err, status, "%s", tamis_status_text(status));
    if (into->stop_beyond > 0.0 && into->items > into->stop_beyond)
        return fail(err, TAMIS_E_FULL,
                    "more than %.0f distinct lines: the filter is full and nothing was written; %s",
                    into->stop_beyond, into->advice);
    input_progress(into->in);
    return TAMIS_OK;
}

tamis_status intake_run(input *in, unsigned threads, intake *into, tamis_error *err)
{
    const tamis_flow flow = {sizeof flow, threads, new_hashed, free_hashed, hash_run, add_run, NULL, into};
    into->in = in;
    return tamis_reader_run(in->reader, &flow, err);
}

void intake_stats(const options *opts, const input *in, const intake *from)
{
    tamis_info info = {.struct_size = sizeof info};
    tamis_reader_stats read;
    if (!opts->given[OPT_STATS] || tamis_filter_info(from->filter, &info) != TAMIS_OK)
        return;
    tamis_reader_get_stats(in->reader, &read);
    stat_row rows[] = {
        {"lines_read", "lines read", STAT_COUNT, read.records, 0.0},
        {"lines_without_key", "lines without a key", STAT_COUNT, read.no_key, 0.0},
        {"lines_new", "lines new to the filter", STAT_COUNT, from->fresh, 0.0},
        {"lines_repeated", "lines already in it", STAT_COUNT, from->lines - from->fresh, 0.0},
        {"items_estimated", "items estimated from bits", STAT_REAL, 0, info.items_estimated},
        {"capacity", "capacity", STAT_COUNT, info.capacity, 0.0},
        {"load", "load", STAT_REAL, 0, info.load},
        {"error_rate_now", "error rate now", STAT_REAL, 0, info.current_rate},
        {"layers", "layers", STAT_COUNT, info.layers, 0.0},
        {"memory_bytes", "memory in bytes", STAT_COUNT, info.payload_bytes, 0.0},
    };
    report_stats(opts, rows, sizeof rows / sizeof rows[0]);
}
