#define _POSIX_C_SOURCE 200809L

#include "lists.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fail.h"
#include "output.h"
#include "report.h"

tamis_status list_open(const char *path, bool map, tamis_filter **out, tamis_error *err)
{
    tamis_open_options how = TAMIS_OPEN_OPTIONS_INIT;
    how.flags = TAMIS_OPEN_NORMALISED | (map ? TAMIS_OPEN_MAP : 0u);
    if (strcmp(path, "-") != 0)
        return tamis_filter_open(path, &how, out, err);
    if (map)
        return fail(err, TAMIS_E_ARGUMENT, "--mmap: standard input cannot be mapped; name a file");
    return tamis_filter_read(STDIN_FILENO, &how, out, err);
}

tamis_status list_lock(const options *opts, const char *path, locked_list *out, tamis_error *err)
{
    *out = (locked_list){.path = path};
    if (strcmp(path, "-") == 0)
        return fail(err, TAMIS_E_ARGUMENT,
                    "-: a filter that comes from standard input cannot be rewritten; name a file");
    tamis_status status =
        tamis_lock_acquire(path, opts->flag[OPT_WAIT] ? TAMIS_LOCK_WAIT : 0u, &out->lock, err);
    if (status != TAMIS_OK)
        return status;
    status = list_open(path, false, &out->filter, err);
    if (status != TAMIS_OK)
        list_unlock(out);
    return status;
}

tamis_status list_save(const locked_list *list, tamis_error *err)
{
    tamis_save_options how = TAMIS_SAVE_OPTIONS_INIT;
    how.lock = list->lock;
    return tamis_filter_save(list->filter, list->path, &how, err);
}

void list_unlock(locked_list *list)
{
    tamis_filter_free(list->filter);
    tamis_lock_release(list->lock);
    *list = (locked_list){.path = list->path};
}

tamis_status list_write(const options *opts, const tamis_filter *filter, tamis_lock *lock, tamis_error *err)
{
    tamis_save_options how = TAMIS_SAVE_OPTIONS_INIT;
    int fd = -1;
    if (strcmp(opts->output, "-") == 0)
        return tamis_filter_write(filter, STDOUT_FILENO, err);
    tamis_status status = output_stream(opts->output, &fd, err);
    if (status != TAMIS_OK)
        return status;
    if (fd >= 0) {
        status = tamis_filter_write(filter, fd, err);
        return close(fd) == 0 || status != TAMIS_OK ? status : fail_errno(err, "%s", opts->output);
    }
    how.lock = lock;
    how.flags = lock == NULL && opts->flag[OPT_WAIT] ? TAMIS_SAVE_WAIT : 0u;
    return tamis_filter_save(filter, opts->output, &how, err);
}

/* Whether a file can be made in the folder of `path`. */
static tamis_status check_folder(const char *path, tamis_error *err)
{
    char *folder = strdup(path);
    if (folder == NULL)
        return fail(err, TAMIS_E_NOMEM, "out of memory");
    char *slash = strrchr(folder, '/');
    if (slash != NULL)
        slash[slash == folder] = '\0';
    int failed = access(slash != NULL ? folder : ".", W_OK | X_OK);
    free(folder);
    return failed == 0 ? TAMIS_OK : fail_errno(err, "%s cannot be written", path);
}

tamis_status list_output_streams(const char *path, bool *out, tamis_error *err)
{
    int fd = -1;
    tamis_status status = strcmp(path, "-") == 0 ? TAMIS_OK : output_stream(path, &fd, err);
    *out = fd >= 0 || strcmp(path, "-") == 0;
    if (status == TAMIS_OK && fd >= 0 && isatty(fd) == 1)
        status =
            fail(err, TAMIS_E_ARGUMENT, "-o %s: a filter is not written to a terminal; name a file", path);
    if (fd >= 0)
        (void)close(fd);
    return status;
}

tamis_status list_check_output(const options *opts, tamis_error *err)
{
    struct stat about;
    const char *path = opts->output;
    if (path == NULL)
        return fail(err, TAMIS_E_ARGUMENT,
                    "-o is missing: name the filter file to write, as in tamis %s -o LIST",
                    command_table[opts->command].name);
    if (strcmp(path, "-") == 0 && isatty(STDOUT_FILENO) == 1)
        return fail(err, TAMIS_E_ARGUMENT,
                    "-o -: a filter is not written to a terminal; name a file or redirect stdout");
    if (strcmp(path, "-") == 0)
        return TAMIS_OK;
    if (stat(path, &about) == 0 && S_ISDIR(about.st_mode))
        return fail(err, TAMIS_E_ARGUMENT, "-o %s: is a folder; name a file", path);
    bool stream = false;
    tamis_status status = list_output_streams(path, &stream, err);
    return status != TAMIS_OK || stream ? status : check_folder(path, err);
}

bool list_warn_overfull(const char *path, const tamis_filter *filter)
{
    tamis_info info = {.struct_size = sizeof info};
    if (tamis_filter_info(filter, &info) != TAMIS_OK || !info.overfull)
        return false;
    report_warning("%s is over-full: about %.0f items in a filter for %" PRIu64
                   " (load %.2f); its error rate is now %.2g, not %.2g",
                   path, info.items_estimated, info.capacity, info.load, info.current_rate, info.error_rate);
    return true;
}

const char *list_kind_text(tamis_kind kind)
{
    switch (kind) {
    case TAMIS_BLOOM:
        return "bloom";
    case TAMIS_COUNTING:
        return "counting";
    case TAMIS_SCALABLE:
        return "scalable";
    case TAMIS_ROTATING:
        return "rotating";
    }
    return "unknown";
}
