#include <inttypes.h>

#include "commands.h"
#include "fail.h"
#include "input.h"
#include "lists.h"
#include "progress.h"
#include "report.h"
#include "signals.h"

typedef struct removal {
    uint64_t removed;
    uint64_t absent; /* not in the filter */
} removal;

static tamis_status remove_run(const tamis_records *records, tamis_filter *filter, removal *done,
                               tamis_error *err)
{
    for (size_t i = 0; i < records->count; i++) {
        tamis_item key = records->keys[i];
        if (key.len == TAMIS_NO_KEY)
            continue;
        tamis_status status = tamis_filter_remove(filter, key.data, key.len);
        if (status != TAMIS_OK && status != TAMIS_E_NOT_FOUND)
            return fail(err, status, "%s", tamis_status_text(status));
        done->removed += status == TAMIS_OK;
        done->absent += status == TAMIS_E_NOT_FOUND;
    }
    return TAMIS_OK;
}

static tamis_status remove_all(const options *opts, input *in, const locked_list *list, removal *done,
                               tamis_error *err)
{
    tamis_records records = {.count = 1};
    tamis_status status = input_start(in, err);
    signals_catch();
    progress_begin(opts);
    while (status == TAMIS_OK && records.count > 0) {
        status = tamis_reader_next(in->reader, &records, err);
        if (status == TAMIS_OK && records.count > 0)
            status = remove_run(&records, list->filter, done, err);
        if (status == TAMIS_OK)
            input_progress(in);
    }
    progress_clear();
    return status != TAMIS_OK ? status : list_save(list, err);
}

static void tell(const options *opts, const locked_list *list, const input *in, const removal *done)
{
    tamis_info info = {.struct_size = sizeof info};
    tamis_reader_stats read;
    input_warn(in);
    if (done->absent > 0)
        report_warning("%" PRIu64 " line%s not in %s and %s not removed", done->absent,
                       done->absent == 1 ? " was" : "s were", list->path, done->absent == 1 ? "was" : "were");
    if (!opts->given[OPT_STATS] || tamis_filter_info(list->filter, &info) != TAMIS_OK)
        return;
    tamis_reader_get_stats(in->reader, &read);
    stat_row rows[] = {
        {"lines_read", "lines read", STAT_COUNT, read.records, 0.0},
        {"lines_without_key", "lines without a key", STAT_COUNT, read.no_key, 0.0},
        {"lines_removed", "lines removed", STAT_COUNT, done->removed, 0.0},
        {"lines_absent", "lines not in the filter", STAT_COUNT, done->absent, 0.0},
        {"items_estimated", "items estimated from bits", STAT_REAL, 0, info.items_estimated},
        {"error_rate_now", "error rate now", STAT_REAL, 0, info.current_rate},
    };
    report_stats(opts, rows, sizeof rows / sizeof rows[0]);
}

static tamis_status check_kind(const locked_list *list, tamis_error *err)
{
    tamis_kind kind = tamis_filter_kind(list->filter);
    if (kind == TAMIS_COUNTING)
        return TAMIS_OK;
    return fail(err, TAMIS_E_UNSUPPORTED,
                "%s is a %s filter, which cannot forget a line; build the list with --kind counting",
                list->path, list_kind_text(kind));
}

int remove_main(const options *opts)
{
    tamis_error err = {.status = TAMIS_OK};
    locked_list list;
    removal done = {0, 0};
    input in = {.count = 0};
    tamis_status status = list_lock(opts, opts->operands[0], &list, &err);
    if (status != TAMIS_OK)
        return report_failure(&err);
    uint32_t stored = tamis_filter_normalisation(list.filter);
    status = check_kind(&list, &err);
    if (status == TAMIS_OK)
        status = input_agree(opts, list.path, stored, &err);
    if (status == TAMIS_OK)
        status = input_prepare(opts, 1, stored, &in, &err);
    if (status == TAMIS_OK)
        status = remove_all(opts, &in, &list, &done, &err);
    if (status == TAMIS_OK)
        tell(opts, &list, &in, &done);
    input_close(&in);
    list_unlock(&list);
    return status == TAMIS_OK ? STATUS_FINE : report_failure(&err);
}
