#define _GNU_SOURCE

#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fail.h"

#define LINKS_MAX 40
#define NAME_KEPT 200 /* bytes of FILE's name in that of its temporary file */

/* The mode of a new file: 0666 less the umask. */
static mode_t new_mode(void)
{
    mode_t mask = umask(0);
    (void)umask(mask);
    return 0666 & ~mask;
}

/* --- names ------------------------------------------------------------------- */

/* Length of the folder's part of a path, its last slash included. */
static int folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? 0 : (int)(slash - path) + 1;
}

/* Where a symbolic link leads; "" when the path is none, NULL when it is too long. */
static char *read_link(const char *path, char text[PATH_MAX])
{
    ssize_t len = readlink(path, text, PATH_MAX);
    text[len > 0 && len < PATH_MAX ? len : 0] = '\0';
    return len < PATH_MAX ? text : NULL;
}

/* Whether a name stands in a folder of descriptors, as /proc/self/fd/1 does; of our
 * own ones *number says which. */
static bool is_descriptor(const char *path, int *number)
{
    char folder[PATH_MAX], real[PATH_MAX], own[64];
    int len = folder_length(path);
    if (len == 0 || len >= PATH_MAX)
        return false;
    memcpy(folder, path, (size_t)len);
    folder[len] = '\0';
    if (realpath(folder, real) == NULL || strncmp(real, "/proc/", 6) != 0)
        return false;
    (void)snprintf(own, sizeof own, "/proc/%ld/fd", (long)getpid());
    *number = strcmp(real, own) == 0 ? atoi(path + len) : -1;
    return true;
}

/* Whether a path leads through a folder of descriptors: not to the file behind it,
 * which may be open for appending, but to what is open. */
static bool leads_to_descriptor(const char *path, int *number)
{
    char name[PATH_MAX], link[PATH_MAX];
    if (strlen(path) >= sizeof name)
        return false;
    (void)strcpy(name, path);
    for (int i = 0; i < LINKS_MAX; i++) {
        if (is_descriptor(name, number))
            return true;
        if (read_link(name, link) == NULL || *link == '\0')
            return false;
        int folder = *link == '/' ? 0 : folder_length(name);
        size_t len = strlen(link);
        if ((size_t)folder + len >= sizeof name)
            return false;
        memcpy(name + folder, link, len + 1);
    }
    return false;
}

tamis_status output_stream(const char *path, int *fd, tamis_error *err)
{
    struct stat about;
    int number = -1;
    bool descriptor = leads_to_descriptor(path, &number);
    *fd = -1;
    if (!descriptor && (stat(path, &about) != 0 || S_ISREG(about.st_mode)))
        return TAMIS_OK;
    *fd = number >= 0 ? fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) : open(path, O_WRONLY | O_CLOEXEC);
    return *fd >= 0 ? TAMIS_OK : fail_errno(err, "%s", path);
}

/* out->path: the file that `path` leads to, there or not. */
static tamis_status follow_links(const char *path, output *out, tamis_error *err)
{
    char link[PATH_MAX];
    out->path = strdup(path);
    for (int i = 0; i < LINKS_MAX && out->path != NULL; i++) {
        if (read_link(out->path, link) == NULL)
            break;
        if (*link == '\0')
            return TAMIS_OK;
        char *next = NULL;
        int folder = *link == '/' ? 0 : folder_length(out->path);
        int len = asprintf(&next, "%.*s%s", folder, out->path, link);
        free(out->path);
        out->path = len < 0 ? NULL : next;
    }
    if (out->path == NULL)
        return fail(err, TAMIS_E_NOMEM, "out of memory");
    errno = ELOOP;
    return fail_errno(err, "%s", path);
}

/* --- opening ------------------------------------------------------------------ */

/* Owner and mode of the file that is replaced (NULL: there is none), as far as the
 * system allows. */
static tamis_status set_mode(const output *out, const struct stat *old, tamis_error *err)
{
    if (old != NULL && fchown(out->fd, old->st_uid, old->st_gid) != 0)
        (void)!fchown(out->fd, (uid_t)-1, old->st_gid);
    mode_t mode = old != NULL ? old->st_mode & 07777 : new_mode();
    return fchmod(out->fd, mode) == 0 ? TAMIS_OK : fail_errno(err, "%s", out->path);
}

/* A temporary file in the folder of out->path. */
static tamis_status open_temporary(output *out, tamis_error *err)
{
    int folder = folder_length(out->path);
    int len =
        asprintf(&out->temporary, "%.*s.%.*s.tamis-XXXXXX", folder, out->path, NAME_KEPT, out->path + folder);
    if (len < 0) {
        out->temporary = NULL;
        return fail(err, TAMIS_E_NOMEM, "out of memory");
    }
    out->fd = mkostemp(out->temporary, O_CLOEXEC);
    if (out->fd >= 0)
        return TAMIS_OK;
    free(out->temporary);
    out->temporary = NULL;
    return fail_errno(err, "%s cannot be written", out->path);
}

static tamis_status open_file(const char *path, output *out, tamis_error *err)
{
    struct stat about;
    tamis_status status = output_stream(path, &out->fd, err);
    if (status != TAMIS_OK || out->fd >= 0)
        return status;
    bool exists = stat(path, &about) == 0;
    status = follow_links(path, out, err);
    if (status == TAMIS_OK)
        status = open_temporary(out, err);
    return status == TAMIS_OK ? set_mode(out, exists ? &about : NULL, err) : status;
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

/* --- ending ------------------------------------------------------------------- */

/* Makes the new name durable, where the folder can be opened and synced. */
static tamis_status sync_folder(const output *out, tamis_error *err)
{
    char *folder = NULL;
    if (asprintf(&folder, "%.*s.", folder_length(out->path), out->path) < 0)
        return fail(err, TAMIS_E_NOMEM, "out of memory");
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(folder);
    if (fd < 0)
        return TAMIS_OK;
    bool synced = fsync(fd) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS;
    tamis_status status =
        synced ? TAMIS_OK : fail_errno(err, "%s was replaced, but its folder cannot be synced", out->path);
    (void)close(fd);
    return status;
}

static tamis_status put_in_place(output *out, tamis_error *err)
{
    if (rename(out->temporary, out->path) != 0)
        return fail_errno(err, "%s", out->path);
    free(out->temporary);
    out->temporary = NULL;
    return sync_folder(out, err);
}

static tamis_status finish(output *out, tamis_error *err)
{
    bool standard = out->fd == STDOUT_FILENO;
    tamis_status status =
        standard ? tamis_writer_flush(out->writer, err) : tamis_writer_sync(out->writer, err);
    if (status != TAMIS_OK || standard)
        return status;
    int fd = out->fd;
    out->fd = -1;
    if (close(fd) != 0)
        return fail_errno(err, "%s", out->path != NULL ? out->path : "output");
    return out->temporary != NULL ? put_in_place(out, err) : TAMIS_OK;
}

tamis_status output_end(output *out, tamis_status status, tamis_error *err)
{
    tamis_error failure = {.status = TAMIS_OK};
    if (status == TAMIS_OK)
        return finish(out, err);
    if (out->temporary != NULL || tamis_writer_flush(out->writer, &failure) == TAMIS_OK)
        return status;
    *err = failure;
    return failure.status;
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
