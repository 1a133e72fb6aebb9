#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include "file/target.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"

#define MAX_LINKS 40
#define MAX_NAMES 100

static tamis_status no_memory(tamis_error *err)
{
    return tamis_fail(err, TAMIS_E_NOMEM, "no memory for a file name");
}

/* Length of the folder's part of a path, its last slash included. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? 0 : (size_t)(slash - path) + 1;
}

/* `name` as seen from the folder of `path`. NULL: no memory. */
static char *beside(const char *path, const char *name)
{
    size_t folder = name[0] == '/' ? 0 : folder_length(path);
    size_t size = folder + strlen(name) + 1;
    char *joined = malloc(size);
    if (joined == NULL)
        return NULL;
    memcpy(joined, path, folder);
    memcpy(joined + folder, name, size - folder);
    return joined;
}

/* What the link at target->path points to takes its place. */
static tamis_status follow_link(tamis_target *target, tamis_error *err)
{
    char link[PATH_MAX];
    ssize_t len = readlink(target->path, link, sizeof link - 1);
    if (len < 0)
        return tamis_fail_errno(err, "cannot read a symbolic link");
    link[len] = '\0';
    char *next = beside(target->path, link);
    if (next == NULL)
        return no_memory(err);
    free(target->path);
    target->path = next;
    return TAMIS_OK;
}

tamis_status tamis_target_look(tamis_target *target, tamis_error *err)
{
    target->exists = lstat(target->path, &target->st) == 0;
    if (!target->exists && errno != ENOENT)
        return tamis_fail_errno(err, "cannot look at the file");
    return TAMIS_OK;
}

tamis_status tamis_target_resolve(const char *path, tamis_target *out, tamis_error *err)
{
    memset(out, 0, sizeof *out);
    out->path = strdup(path);
    if (out->path == NULL)
        return no_memory(err);
    for (int i = 0; i < MAX_LINKS; i++) {
        tamis_status status = tamis_target_look(out, err);
        if (status != TAMIS_OK || !out->exists || !S_ISLNK(out->st.st_mode))
            return status;
        status = follow_link(out, err);
        if (status != TAMIS_OK)
            return status;
    }
    errno = ELOOP;
    return tamis_fail_errno(err, "cannot follow the symbolic link");
}

/* ".NAME.tamis-XXXXXX" beside the target; a long NAME is cut. */
static char *temporary_name(const tamis_target *target, unsigned attempt)
{
    static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    struct timespec now = {0, 0};
    char name[NAME_MAX + 1];
    char tail[] = ".tamis-XXXXXX";
    (void)clock_gettime(CLOCK_REALTIME, &now);
    uint64_t word = ((uint64_t)now.tv_nsec + attempt) * UINT64_C(0x9E3779B97F4A7C15) + (uint64_t)getpid();
    word = (word ^ word >> 29) * UINT64_C(0xff51afd7ed558ccd);
    for (size_t i = sizeof tail - 7; i < sizeof tail - 1; i++, word /= 36)
        tail[i] = digits[word % 36];
    int most = (int)(sizeof name - sizeof tail - 1);
    (void)snprintf(name, sizeof name, ".%.*s%s", most, target->path + folder_length(target->path), tail);
    return beside(target->path, name);
}

tamis_status tamis_target_open_temporary(tamis_target *target, mode_t mode, int *out_fd, tamis_error *err)
{
    for (unsigned attempt = 0; attempt < MAX_NAMES; attempt++) {
        char *name = temporary_name(target, attempt);
        if (name == NULL)
            return no_memory(err);
        *out_fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
        if (*out_fd >= 0) {
            target->temporary = name;
            return TAMIS_OK;
        }
        free(name);
        if (errno != EEXIST)
            break;
    }
    return tamis_fail_errno(err, "cannot create a temporary file in its folder");
}

/* rename() that never replaces; link() where the system has no such thing. */
static int rename_new(const char *from, const char *to)
{
#ifdef RENAME_NOREPLACE
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
        return 0;
    if (errno != EINVAL && errno != ENOSYS)
        return -1;
#endif
    return link(from, to) == 0 ? unlink(from) : -1;
}

tamis_status tamis_target_commit(tamis_target *target, bool replace, tamis_error *err)
{
    int failed =
        replace ? rename(target->temporary, target->path) : rename_new(target->temporary, target->path);
    if (failed != 0 && errno == EEXIST && !replace)
        return tamis_fail(err, TAMIS_E_EXISTS, "the file exists already and was left alone");
    if (failed != 0)
        return tamis_fail_errno(err, "cannot rename the temporary file");
    free(target->temporary);
    target->temporary = NULL;
    return TAMIS_OK;
}

/* A folder that may be written but not read cannot be opened, and some file
 * systems cannot sync one: nothing more can be done there. */
tamis_status tamis_target_sync_folder(const tamis_target *target, tamis_error *err)
{
    char *folder = beside(target->path, ".");
    if (folder == NULL)
        return no_memory(err);
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(folder);
    if (fd < 0)
        return TAMIS_OK;
    int failed = fsync(fd);
    if (failed != 0 && (errno == EINVAL || errno == ENOTSUP || errno == EROFS))
        failed = 0;
    tamis_status status = TAMIS_OK;
    if (failed != 0)
        status = tamis_fail_errno(err, "the file was replaced, but its folder cannot be synced");
    (void)close(fd);
    return status;
}

void tamis_target_end(tamis_target *target)
{
    if (target->temporary != NULL)
        (void)unlink(target->temporary);
    free(target->temporary);
    free(target->path);
}
