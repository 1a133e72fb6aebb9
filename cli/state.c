#define _POSIX_C_SOURCE 200809L

#include "state.h"

#include <errno.h>
#include <inttypes.h>
#include <unistd.h>

#include "fail.h"
#include "input.h"

static tamis_status agree_in_size(const options *opts, const locked_list *list, tamis_error *err)
{
    tamis_layer_info first = {.struct_size = sizeof first};
    double rate = tamis_filter_error_rate(list->filter);
    if (tamis_filter_layer_info(list->filter, 0, &first) != TAMIS_OK)
        return fail(err, TAMIS_E_CORRUPT, "%s has no layer", list->path);
    if (opts->given[OPT_RATE] && (opts->error_rate < rate || opts->error_rate > rate))
        return fail(err, TAMIS_E_ARGUMENT,
                    "-p %s: the state %s has error rate %g; leave -p away, or begin another state",
                    opts->given_text[OPT_RATE], list->path, rate);
    if (opts->given[OPT_CAPACITY] && opts->capacity != first.capacity)
        return fail(err, TAMIS_E_ARGUMENT,
                    "-n %s: the state %s was made for %" PRIu64 "; leave -n away, or begin another state",
                    opts->given_text[OPT_CAPACITY], list->path, first.capacity);
    return TAMIS_OK;
}

static tamis_status agree(const options *opts, const locked_list *list, tamis_error *err)
{
    tamis_kind kind = tamis_filter_kind(list->filter);
    bool grows = kind == TAMIS_SCALABLE;
    if (kind == TAMIS_ROTATING)
        return fail(err, TAMIS_E_UNSUPPORTED,
                    "%s is a rotating filter, which cannot be the state of this command", list->path);
    if (opts->given[OPT_ON_FULL] && grows != (opts->on_full == ON_FULL_GROW))
        return fail(err, TAMIS_E_ARGUMENT, "--on-full %s: the state %s is a %s filter, which %s",
                    opts->given_text[OPT_ON_FULL], list->path, list_kind_text(kind),
                    grows ? "always grows" : "cannot grow");
    tamis_status status = agree_in_size(opts, list, err);
    if (status != TAMIS_OK)
        return status;
    return input_agree(opts, list->path, tamis_filter_normalisation(list->filter), err);
}

tamis_status state_open(const options *opts, state *st, bool *found, tamis_error *err)
{
    *found = false;
    tamis_status status = list_lock(opts, opts->state, &st->list, err);
    if (status == TAMIS_E_IO && err->system_errno == ENOENT)
        return TAMIS_OK;
    if (status == TAMIS_OK)
        status = agree(opts, &st->list, err);
    *found = status == TAMIS_OK;
    return status;
}

tamis_status state_create(const options *opts, state *st, tamis_error *err)
{
    tamis_save_options how = TAMIS_SAVE_OPTIONS_INIT;
    how.flags = TAMIS_SAVE_NEW;
    how.out_lock = &st->list.lock;
    st->list.path = opts->state;
    tamis_status status = tamis_filter_save(st->list.filter, opts->state, &how, err);
    if (status == TAMIS_E_EXISTS)
        return fail(err, status, "%s was made by another run just now; start again, or give --wait",
                    opts->state);
    st->created = status == TAMIS_OK;
    return status;
}

tamis_status state_save(state *st, tamis_error *err)
{
    tamis_status status = list_save(&st->list, err);
    st->saved |= status == TAMIS_OK;
    return status;
}

void state_close(state *st)
{
    if (st->created && !st->saved)
        (void)unlink(st->list.path);
    list_unlock(&st->list);
}
