#define _GNU_SOURCE

#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capacity.h"
#include "commands.h"
#include "fail.h"
#include "input.h"
#include "memory.h"
#include "output.h"
#include "progress.h"
#include "report.h"
#include "signals.h"
#include "state.h"

#define DEFAULT_RATE 1e-9

typedef struct dedup {
    const options *opts;
    input in;
    output out;
    state st;
    uint32_t layers_before;
    tamis_dedup_report report;
} dedup;

/* -S limits the first layer too: one that follows from an estimate is made
 * smaller, one that was asked for is refused. */
static tamis_status keep_within(const options *opts, tamis_params *params, tamis_error *err)
{
    tamis_plan plan = {.struct_size = sizeof plan};
    if (!opts->given[OPT_MEMORY])
        return TAMIS_OK;
    tamis_status status = tamis_plan_filter(params, &plan, err);
    if (status != TAMIS_OK || plan.payload_bytes <= opts->memory)
        return status;
    if (opts->given[OPT_CAPACITY])
        return fail(err, TAMIS_E_TOO_LARGE,
                    "-n %s at error rate %g needs %" PRIu64 " bytes, more than -S %s; give fewer "
                    "lines, a larger -p or more memory",
                    opts->given_text[OPT_CAPACITY], params->error_rate, plan.payload_bytes,
                    opts->given_text[OPT_MEMORY]);
    params->capacity = 0;
    params->memory = opts->memory;
    status = tamis_plan_filter(params, &plan, err);
    return status == TAMIS_OK ? status : memory_too_small(params, opts->given_text[OPT_MEMORY], err);
}

static tamis_status make_filter(dedup *d, tamis_error *err)
{
    const options *opts = d->opts;
    tamis_params params = TAMIS_PARAMS_INIT;
    params.kind = opts->on_full == ON_FULL_GROW ? TAMIS_SCALABLE : TAMIS_BLOOM;
    params.error_rate = opts->given[OPT_RATE] ? opts->error_rate : DEFAULT_RATE;
    params.normalisation = input_normalisation(opts);
    tamis_status status = capacity_choose(opts, &d->in, &params, err);
    if (status == TAMIS_OK)
        status = keep_within(opts, &params, err);
    if (status == TAMIS_OK)
        status = memory_check(&params, err);
    return status != TAMIS_OK ? status : tamis_filter_create(&params, &d->st.list.filter, err);
}

static uint32_t count_layers(const tamis_filter *filter)
{
    tamis_layer_info layer = {.struct_size = sizeof layer};
    uint32_t layers = 0;
    while (layers < TAMIS_MAX_LAYERS && tamis_filter_layer_info(filter, layers, &layer) == TAMIS_OK)
        layers++;
    return layers;
}

/* Makes the state. Where another run was faster, --wait waits for it and goes on
 * with what it leaves. */
static tamis_status make_state(dedup *d, uint32_t norm, tamis_error *err)
{
    const options *opts = d->opts;
    for (;;) {
        bool found = false;
        tamis_filter *empty = d->st.list.filter;
        tamis_status status = state_create(opts, &d->st, err);
        if (status != TAMIS_E_EXISTS || !opts->flag[OPT_WAIT])
            return status;
        status = state_open(opts, &d->st, &found, err);
        if (!found && status == TAMIS_OK) {
            d->st.list.filter = empty; /* the other run took its state away again */
            continue;
        }
        tamis_filter_free(empty);
        if (found && tamis_filter_normalisation(d->st.list.filter) != norm)
            return fail(err, TAMIS_E_ARGUMENT,
                        "%s was made by another run just now, with another normalisation; start again",
                        opts->state);
        return status;
    }
}

/* Everything that can be refused is refused before a file is made. */
static tamis_status prepare(dedup *d, tamis_error *err)
{
    const options *opts = d->opts;
    bool found = false;
    tamis_status status = opts->given[OPT_STATE] ? state_open(opts, &d->st, &found, err) : TAMIS_OK;
    uint32_t norm = found ? tamis_filter_normalisation(d->st.list.filter) : input_normalisation(opts);
    if (status == TAMIS_OK)
        status = input_prepare(opts, 0, norm, &d->in, err);
    if (status == TAMIS_OK)
        status = input_start(&d->in, err);
    if (status == TAMIS_OK && !found && !opts->flag[OPT_EXACT])
        status = make_filter(d, err);
    if (status == TAMIS_OK)
        status = output_open(opts, &d->out, err);
    if (status == TAMIS_OK)
        status = input_apart_from(&d->in, d->out.fd, err);
    signals_catch();
    if (status == TAMIS_OK && !found && opts->given[OPT_STATE])
        status = make_state(d, norm, err);
    if (status == TAMIS_OK && d->st.list.filter != NULL)
        d->layers_before = count_layers(d->st.list.filter);
    return status;
}

static tamis_status checkpoint(void *ctx, tamis_error *err)
{
    dedup *d = ctx;
    return state_save(&d->st, err);
}

static void progress(void *ctx, const tamis_reader_stats *stats)
{
    (void)ctx;
    progress_update(stats->bytes, stats->total_bytes);
}

static tamis_on_full on_full(const dedup *d)
{
    const options *opts = d->opts;
    if (d->st.list.filter != NULL && tamis_filter_kind(d->st.list.filter) != TAMIS_SCALABLE)
        return opts->on_full == ON_FULL_STOP ? TAMIS_FULL_STOP : TAMIS_FULL_WARN;
    return TAMIS_FULL_GROW;
}

/* Whether the state is worth saving: not one that this run made and that is empty. */
static bool has_state(const dedup *d)
{
    return d->opts->given[OPT_STATE] &&
           (!d->st.created || d->st.saved || tamis_filter_items_offered(d->st.list.filter) > 0);
}

/* Ends the output and saves the state, also of a run that stopped (filter full, bad
 * record, signal), but never when the output failed. */
static tamis_status finish(dedup *d, tamis_status status, tamis_error *err)
{
    status = output_end(&d->out, status, err);
    bool stopped = status == TAMIS_E_FULL || status == TAMIS_E_RECORD || status == TAMIS_E_INTERRUPTED;
    bool saves = status == TAMIS_OK ? d->opts->given[OPT_STATE] : stopped && has_state(d);
    tamis_error second = {.status = TAMIS_OK};
    if (!saves || state_save(&d->st, &second) == TAMIS_OK)
        return status;
    *err = second;
    return second.status;
}

/* What to do about a filter that is full, in options that the run can be given. */
static const char *full_advice(const dedup *d)
{
    const options *opts = d->opts;
    if (d->st.list.filter == NULL || tamis_filter_kind(d->st.list.filter) == TAMIS_SCALABLE)
        return opts->given[OPT_MEMORY] ? "give a larger -S" : "give a larger -p";
    if (opts->given[OPT_STATE])
        return "begin another state, with a larger -n or one that grows (--on-full grow)";
    return "give a larger -n, or --on-full grow";
}

static void advise(const dedup *d, tamis_error *err)
{
    size_t used = strlen(err->message);
    (void)snprintf(err->message + used, sizeof err->message - used, "; %s", full_advice(d));
}

/* A run that was killed may have left half a line at the end of its output, to which
 * this one adds (>>): the line is ended first, so that none is glued to it. */
static tamis_status mend_output(dedup *d, tamis_error *err)
{
    const char end = d->opts->flag[OPT_ZERO] ? '\0' : '\n';
    struct stat info;
    char last = end;
    off_t at = fstat(d->out.fd, &info) == 0 && S_ISREG(info.st_mode) ? lseek(d->out.fd, 0, SEEK_CUR) : 0;
    if ((fcntl(d->out.fd, F_GETFL) & O_APPEND) != 0)
        at = info.st_size;
    int fd = at > 0 ? open("/proc/self/fd/1", O_RDONLY | O_CLOEXEC) : -1;
    if (fd >= 0 && pread(fd, &last, 1, at - 1) != 1)
        last = end;
    if (fd >= 0)
        (void)close(fd);
    return last == end ? TAMIS_OK : tamis_writer_bytes(d->out.writer, &end, 1, err);
}

static tamis_status run(dedup *d, tamis_error *err)
{
    const options *opts = d->opts;
    bool keeps = opts->given[OPT_STATE];
    tamis_dedup_options how = {
        .struct_size = sizeof how,
        .threads = (unsigned)opts->parallel,
        .filter = d->st.list.filter,
        .on_full = on_full(d),
        .memory_limit = opts->memory,
        .checkpoint_ms = keeps ? opts->checkpoint * 1000 : 0,
        .checkpoint = keeps ? checkpoint : NULL,
        .progress = progress,
        .ctx = d,
    };
    progress_begin(opts);
    tamis_status status = keeps ? mend_output(d, err) : TAMIS_OK;
    if (status == TAMIS_OK)
        status = tamis_dedup_run(d->in.reader, d->out.writer, &how, &d->report, err);
    progress_clear();
    if (status == TAMIS_E_FULL)
        advise(d, err);
    return finish(d, status, err);
}

static double rate_now(const dedup *d)
{
    tamis_info info = {.struct_size = sizeof info};
    if (d->st.list.filter == NULL || tamis_filter_info(d->st.list.filter, &info) != TAMIS_OK)
        return 0.0;
    return info.current_rate;
}

static void tell(dedup *d)
{
    const options *opts = d->opts;
    const tamis_dedup_report *report = &d->report;
    uint64_t dropped = report->records - report->printed - report->passed;
    input_warn(&d->in);
    if (report->lost_expected >= 0.5)
        report_warning("about %.0f of %" PRIu64
                       " dropped lines may have been dropped wrongly; a smaller -p or --exact "
                       "avoids it",
                       fmin(report->lost_expected, (double)dropped), dropped);
    if (report->overfull)
        report_warning("the filter is over-full: the promised error rate did not hold; %s", full_advice(d));
    if (!opts->given[OPT_STATS])
        return;
    bool grew = d->st.list.filter != NULL && count_layers(d->st.list.filter) > d->layers_before;
    stat_row rows[] = {
        {"lines_read", "lines read", STAT_COUNT, report->records, 0.0},
        {"lines_printed", "lines printed", STAT_COUNT, report->printed, 0.0},
        {"lines_dropped", "lines dropped", STAT_COUNT, dropped, 0.0},
        {"lines_dropped_wrongly", "of them possibly wrongly", STAT_REAL, 0, report->lost_expected},
        {"lines_without_key", "lines passed without a key", STAT_COUNT, report->passed, 0.0},
        {"memory_bytes", "memory in bytes", STAT_COUNT, report->memory_bytes, 0.0},
        {"error_rate_now", "error rate now", STAT_REAL, 0, rate_now(d)},
        {"grew", "grew", STAT_BOOL, grew, 0.0},
    };
    report_stats(opts, rows, sizeof rows / sizeof rows[0]);
}

int dedup_main(const options *opts)
{
    tamis_error err = {.status = TAMIS_OK};
    dedup d = {.opts = opts, .out = {.fd = -1}};
    tamis_status status = prepare(&d, &err);
    bool ran = status == TAMIS_OK;
    if (ran)
        status = run(&d, &err);
    if (ran && status != TAMIS_E_CLOSED)
        tell(&d);
    output_close(&d.out);
    state_close(&d.st);
    input_close(&d.in);
    if (status != TAMIS_OK)
        return report_failure(&err);
    return d.report.overfull ? STATUS_OVERFULL : STATUS_FINE;
}
