#define _GNU_SOURCE

#include <inttypes.h>
#include <sys/random.h>

#include "capacity.h"
#include "commands.h"
#include "fail.h"
#include "input.h"
#include "intake.h"
#include "lists.h"
#include "memory.h"
#include "progress.h"
#include "report.h"
#include "signals.h"

#define DEFAULT_RATE 0.001

static tamis_status choose_seed(const options *opts, tamis_params *params, tamis_error *err)
{
    params->seed = opts->seed;
    if (!opts->flag[OPT_SECRET_SEED])
        return TAMIS_OK;
    params->flags |= TAMIS_SECRET_SEED;
    if (getrandom(&params->seed, sizeof params->seed, 0) != (ssize_t)sizeof params->seed)
        return fail_errno(err, "--secret-seed: no random number");
    return TAMIS_OK;
}

/* Scalable where it may grow, else of fixed size. */
static tamis_status choose_kind(const options *opts, tamis_params *params, tamis_error *err)
{
    static const tamis_kind kinds[] = {TAMIS_BLOOM, TAMIS_COUNTING, TAMIS_SCALABLE};
    const bool *given = opts->given;
    bool fixed =
        given[OPT_ON_FULL] ? opts->on_full != ON_FULL_GROW : given[OPT_CAPACITY] || given[OPT_MEMORY];
    params->kind = given[OPT_KIND] ? kinds[opts->kind] : fixed ? TAMIS_BLOOM : TAMIS_SCALABLE;
    bool grows = params->kind == TAMIS_SCALABLE;
    if (given[OPT_ON_FULL] && grows != (opts->on_full == ON_FULL_GROW))
        return fail(err, TAMIS_E_ARGUMENT, "--on-full %s does not go with --kind %s: %s",
                    opts->given_text[OPT_ON_FULL], list_kind_text(params->kind),
                    grows ? "a scalable filter grows"
                          : "only a scalable filter grows; leave one of the two away");
    if (grows && given[OPT_MEMORY])
        return fail(err, TAMIS_E_ARGUMENT,
                    "-S does not go with a filter that grows: give -n, or --kind bloom");
    return TAMIS_OK;
}

/* Two of capacity, rate and memory: those that were given, the default rate, and
 * the estimate of the input. */
static tamis_status choose_size(const options *opts, const input *in, tamis_params *params, tamis_error *err)
{
    const bool *given = opts->given;
    if (given[OPT_CAPACITY] && given[OPT_RATE] && given[OPT_MEMORY])
        return fail(err, TAMIS_E_ARGUMENT,
                    "-n, -p and -S are all given: leave one away, it follows from the others");
    params->memory = opts->memory;
    if (!(given[OPT_CAPACITY] && given[OPT_MEMORY]))
        params->error_rate = given[OPT_RATE] ? opts->error_rate : DEFAULT_RATE;
    if (given[OPT_MEMORY]) {
        params->capacity = capacity_given(opts);
        return TAMIS_OK;
    }
    return capacity_choose(opts, in, params, err);
}

static tamis_status make_filter(const options *opts, const input *in, tamis_filter **out, tamis_error *err)
{
    tamis_params params = TAMIS_PARAMS_INIT;
    params.normalisation = input_normalisation(opts);
    if (opts->flag[OPT_COMPACT])
        params.flags |= TAMIS_COMPACT;
    tamis_status status = choose_kind(opts, &params, err);
    if (status == TAMIS_OK)
        status = choose_size(opts, in, &params, err);
    if (status == TAMIS_OK && (status = memory_check(&params, err)) != TAMIS_OK && opts->given[OPT_MEMORY])
        status = memory_too_small(&params, opts->given_text[OPT_MEMORY], err);
    if (status == TAMIS_OK)
        status = choose_seed(opts, &params, err);
    return status != TAMIS_OK ? status : tamis_filter_create(&params, out, err);
}

static tamis_status build(const options *opts, input *in, intake *into, tamis_error *err)
{
    tamis_status status = list_check_output(opts, err);
    if (status == TAMIS_OK)
        status = input_start(in, err);
    if (status == TAMIS_OK)
        status = make_filter(opts, in, &into->filter, err);
    if (status != TAMIS_OK)
        return status;
    bool stop = opts->given[OPT_ON_FULL] && opts->on_full == ON_FULL_STOP;
    into->stop_beyond = stop ? (double)tamis_filter_capacity(into->filter) : 0.0;
    into->advice = "give a larger -n, or --on-full grow or warn";
    signals_catch();
    progress_begin(opts);
    status = intake_run(in, (unsigned)opts->parallel, into, err);
    progress_clear();
    return status != TAMIS_OK ? status : list_write(opts, into->filter, NULL, err);
}

/* More than it was made for: counted, so that one line beyond is noticed. */
static bool overfull(const options *opts, const intake *into)
{
    uint64_t capacity = tamis_filter_capacity(into->filter);
    if (list_warn_overfull(opts->output, into->filter))
        return true;
    if (tamis_filter_kind(into->filter) == TAMIS_SCALABLE || into->fresh <= capacity)
        return false;
    report_warning("%s holds %" PRIu64 " distinct lines, but was made for %" PRIu64 "; give a larger -n",
                   opts->output, into->fresh, capacity);
    return true;
}

int build_main(const options *opts)
{
    tamis_error err = {.status = TAMIS_OK};
    input in;
    intake into = {.filter = NULL};
    if (input_prepare(opts, 0, input_normalisation(opts), &in, &err) != TAMIS_OK)
        return report_failure(&err);
    tamis_status status = build(opts, &in, &into, &err);
    int result = STATUS_FINE;
    if (status == TAMIS_OK) {
        input_warn(&in);
        result = overfull(opts, &into) ? STATUS_OVERFULL : STATUS_FINE;
        intake_stats(opts, &in, &into);
    }
    tamis_filter_free(into.filter);
    input_close(&in);
    return status == TAMIS_OK ? result : report_failure(&err);
}
