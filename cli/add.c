#include "commands.h"
#include "fail.h"
#include "input.h"
#include "intake.h"
#include "lists.h"
#include "progress.h"
#include "report.h"
#include "signals.h"

/* --on-full must be something that the filter's kind can do. */
static tamis_status check_kind(const options *opts, const locked_list *list, tamis_error *err)
{
    tamis_kind kind = tamis_filter_kind(list->filter);
    bool grows = kind == TAMIS_SCALABLE;
    if (kind == TAMIS_ROTATING)
        return fail(err, TAMIS_E_UNSUPPORTED, "%s is a rotating filter, which lines are not added to by hand",
                    list->path);
    if (opts->given[OPT_ON_FULL] && grows != (opts->on_full == ON_FULL_GROW))
        return fail(err, TAMIS_E_ARGUMENT, "--on-full %s: %s is a %s filter, which %s",
                    opts->given_text[OPT_ON_FULL], list->path, list_kind_text(kind),
                    grows ? "always grows" : "cannot grow");
    return TAMIS_OK;
}

static void limit_items(const options *opts, intake *into)
{
    tamis_info info = {.struct_size = sizeof info};
    if (!opts->given[OPT_ON_FULL] || opts->on_full != ON_FULL_STOP)
        return;
    if (tamis_filter_info(into->filter, &info) != TAMIS_OK)
        return;
    into->items = info.items_estimated;
    into->stop_beyond = (double)info.capacity;
    into->advice = "build a list of its own from these lines, or a larger one from all; --on-full warn goes "
                   "beyond the error rate";
}

static tamis_status add(const options *opts, const locked_list *list, input *in, intake *into,
                        tamis_error *err)
{
    tamis_status status = check_kind(opts, list, err);
    if (status == TAMIS_OK)
        status = input_start(in, err);
    if (status != TAMIS_OK)
        return status;
    limit_items(opts, into);
    signals_catch();
    progress_begin(opts);
    status = intake_run(in, (unsigned)opts->parallel, into, err);
    progress_clear();
    return status != TAMIS_OK ? status : list_save(list, err);
}

int add_main(const options *opts)
{
    tamis_error err = {.status = TAMIS_OK};
    locked_list list;
    input in = {.count = 0};
    int result = STATUS_FINE;
    tamis_status status = list_lock(opts, opts->operands[0], &list, &err);
    if (status != TAMIS_OK)
        return report_failure(&err);
    intake into = {.filter = list.filter};
    uint32_t stored = tamis_filter_normalisation(list.filter);
    status = input_agree(opts, list.path, stored, &err);
    if (status == TAMIS_OK)
        status = input_prepare(opts, 1, stored, &in, &err);
    if (status == TAMIS_OK)
        status = add(opts, &list, &in, &into, &err);
    if (status == TAMIS_OK) {
        input_warn(&in);
        result = list_warn_overfull(list.path, list.filter) ? STATUS_OVERFULL : STATUS_FINE;
        intake_stats(opts, &in, &into);
    }
    input_close(&in);
    list_unlock(&list);
    return status == TAMIS_OK ? result : report_failure(&err);
}
