#include "intake.h"

#include "fail.h"
#include "report.h"

static tamis_status add_run(input *in, const tamis_records *records, intake *into, tamis_error *err)
{
    size_t count = 0, fresh = 0, done = 0;
    const tamis_item *keys = input_keys(in, records, &count);
    if (keys == NULL)
        return fail(err, TAMIS_E_NOMEM, "out of memory");
    tamis_status status = tamis_filter_add_batch(into->filter, keys, count, NULL, &fresh, &done);
    into->lines += done;
    into->fresh += fresh;
    into->items += (double)fresh;
    if (status == TAMIS_E_FULL)
        return fail(err, status, "the filter cannot grow further; choose a larger -p, or split the list");
    if (status != TAMIS_OK)
        return fail(err, status, "%s", tamis_status_text(status));
    if (into->stop_beyond > 0.0 && into->items > into->stop_beyond)
        return fail(err, TAMIS_E_FULL,
                    "more than %.0f distinct lines: the filter is full and nothing was written; give a "
                    "larger -n, or --on-full grow or warn",
                    into->stop_beyond);
    return TAMIS_OK;
}

tamis_status intake_run(input *in, intake *into, tamis_error *err)
{
    tamis_records records;
    for (;;) {
        tamis_status status = tamis_reader_next(in->reader, &records, err);
        if (status != TAMIS_OK || records.count == 0)
            return status;
        status = add_run(in, &records, into, err);
        if (status != TAMIS_OK)
            return status;
        input_progress(in);
    }
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
