#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "commands.h"
#include "fail.h"
#include "input.h"
#include "lists.h"
#include "report.h"

static bool same_file(const char *a, const char *b)
{
    struct stat one, two;
    return strcmp(a, "-") != 0 && strcmp(b, "-") != 0 && stat(a, &one) == 0 && stat(b, &two) == 0 &&
           one.st_dev == two.st_dev && one.st_ino == two.st_ino;
}

/* The operand before `index` that is the same file; NULL: none. */
static const char *earlier(const options *opts, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (same_file(opts->operands[i], opts->operands[index]))
            return opts->operands[i];
    return NULL;
}

/* Merges, with a message that names files, and options rather than numbers. */
static tamis_status merge_into(const options *opts, const char *path, tamis_filter *into,
                               const tamis_filter *other, tamis_error *err)
{
    char one[64], two[64];
    tamis_error why = {.status = TAMIS_OK};
    const char *first = opts->operands[0];
    tamis_kind kind = tamis_filter_kind(into), kind2 = tamis_filter_kind(other);
    uint32_t norm = tamis_filter_normalisation(into), norm2 = tamis_filter_normalisation(other);
    if (kind != kind2)
        return fail(err, TAMIS_E_MISMATCH, "%s (%s) and %s (%s) differ in kind and cannot be merged", first,
                    list_kind_text(kind), path, list_kind_text(kind2));
    if (norm != norm2)
        return fail(err, TAMIS_E_MISMATCH, "%s (%s) and %s (%s) differ in normalisation and cannot be merged",
                    first, input_normalisation_text(norm, one, sizeof one), path,
                    input_normalisation_text(norm2, two, sizeof two));
    if (kind == TAMIS_SCALABLE || kind == TAMIS_ROTATING)
        return fail(err, TAMIS_E_UNSUPPORTED, "%s is %s; build both with the same -n to merge them", first,
                    list_kind_text(kind));
    tamis_status status = tamis_filter_merge(into, other, &why);
    if (status != TAMIS_OK)
        return fail(err, status, "%s cannot be merged with %s: %s", path, first, why.message);
    return TAMIS_OK;
}

static tamis_status merge_one(const options *opts, size_t index, tamis_filter *into, tamis_error *err)
{
    const char *path = opts->operands[index];
    tamis_filter *other = NULL;
    const char *before = earlier(opts, index);
    if (before != NULL && tamis_filter_kind(into) == TAMIS_COUNTING)
        return fail(err, TAMIS_E_ARGUMENT,
                    "%s and %s are the same counting filter, whose counts would double; name it once", before,
                    path);
    if (before != NULL)
        return TAMIS_OK; /* it is in already */
    tamis_status status = list_open(path, false, &other, err);
    if (status == TAMIS_OK)
        status = merge_into(opts, path, into, other, err);
    tamis_filter_free(other);
    return status;
}

static tamis_status merge_all(const options *opts, tamis_filter **into, tamis_error *err)
{
    tamis_status status = list_open(opts->operands[0], false, into, err);
    for (size_t i = 1; i < opts->operand_count && status == TAMIS_OK; i++)
        status = merge_one(opts, i, *into, err);
    return status;
}

/* Locks the output where it is there already: it may be one of the inputs. */
static tamis_status lock_output(const options *opts, tamis_lock **lock, tamis_error *err)
{
    bool stream = false;
    tamis_status status = list_output_streams(opts->output, &stream, err);
    if (status != TAMIS_OK || stream)
        return status;
    status = tamis_lock_acquire(opts->output, opts->flag[OPT_WAIT] ? TAMIS_LOCK_WAIT : 0u, lock, err);
    if (status == TAMIS_E_IO && err->system_errno == ENOENT)
        return TAMIS_OK;
    return status;
}

int merge_main(const options *opts)
{
    tamis_error err = {.status = TAMIS_OK};
    tamis_lock *lock = NULL;
    tamis_filter *merged = NULL;
    int result = STATUS_FINE;
    tamis_status status = list_check_output(opts, &err);
    if (status == TAMIS_OK)
        status = lock_output(opts, &lock, &err);
    if (status == TAMIS_OK)
        status = merge_all(opts, &merged, &err);
    if (status == TAMIS_OK)
        status = list_write(opts, merged, lock, &err);
    if (status == TAMIS_OK)
        result = list_warn_overfull(opts->output, merged) ? STATUS_OVERFULL : STATUS_FINE;
    tamis_filter_free(merged);
    tamis_lock_release(lock);
    return status == TAMIS_OK ? result : report_failure(&err);
}
