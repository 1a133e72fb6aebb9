#define _GNU_SOURCE

#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fail.h"

/* The mode of a new file: 0666 less the umask. */
static mode_t new_mode(void)
{
    mode_t mask = umask(0);
    (void)umask(mask);
    return 0666 & ~mask;
}

/* A temporary file in the folder of out->path. */
static tamis_status open_temporary(output *out, mode_t mode, tamis_error *err)
{
    size_t len = strlen(out->path) + 16;
    out->temporary = malloc(len);
    if (out->temporary == NULL)
        return fail(err, TAMIS_E_NOMEM, "out of memory");
    (void)snprintf(out->temporary, len, "%s.tmp-XXXXXX", out->path);
    out->fd = mkostemp(out->temporary, O_CLOEXEC);
    if (out->fd < 0) {
        free(out->temporary);
        out->temporary = NULL;
        return fail_errno(err, "%s cannot be written", out->path);
    }
    return fchmod(out->fd, mode) == 0 ? TAMIS_OK : fail_errno(err, "%s", out->path);
}

static tamis_status open_file(const char *path, output *out, tamis_error *err)
{
    struct stat about;
    bool exists = stat(path, &about) == 0;
    if (exists && !S_ISREG(about.st_mode)) {
        out->fd = open(path, O_WRONLY | O_CLOEXEC);
        return out->fd >= 0 ? TAMIS_OK : fail_errno(err, "%s", path);
    }
    out->path = exists ? realpath(path, NULL) : strdup(path);
    if (out->path == NULL)
        return fail_errno(err, "%s", path);
    return open_temporary(out, exists ? about.st_mode & 07777 : new_mode(), err);
}

tamis_status output_open(const options *opts, output *out, tamis_error *err)
{
    bool standard = opts->output == NULL || strcmp(opts->output, "-") == 0;
    *out = (output){.fd = STDOUT_FILENO};
    tamis_status status = standard ? TAMIS_OK : open_file(opts->output, out, err);
    if (status == TAMIS_OK)
        status = tamis_writer_open(out->fd, opts->flag[OPT_ZERO] ? '\0' : '\n', &out->writer, err);
    if (status != TAMIS_OK)
        output_close(out);
    return status;
}

tamis_status output_finish(output *out, tamis_error *err)
{
    tamis_status status = tamis_writer_flush(out->writer, err);
    if (status != TAMIS_OK || out->fd == STDOUT_FILENO)
        return status;
    int fd = out->fd;
    out->fd = -1;
    bool synced = out->temporary == NULL || fsync(fd) == 0;
    bool closed = close(fd) == 0;
    if (!synced || !closed)
        return fail_errno(err, "%s", out->path != NULL ? out->path : "output");
    if (out->temporary == NULL)
        return TAMIS_OK;
    if (rename(out->temporary, out->path) != 0)
        return fail_errno(err, "%s", out->path);
    free(out->temporary);
    out->temporary = NULL;
    return TAMIS_OK;
}

void output_close(output *out)
{
    tamis_writer_free(out->writer);
    if (out->fd > STDERR_FILENO)
        (void)close(out->fd);
    if (out->temporary != NULL)
        (void)unlink(out->temporary);
    free(out->temporary);
    free(out->path);
    *out = (output){.fd = -1};
}
