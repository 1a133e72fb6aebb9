/* Saving whole: the name stands for the old file or for the new one. */
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <tamis/file.h>

#include "base/error.h"
#include "base/options.h"
#include "file/io.h"
#include "file/lock.h"
#include "file/map.h"
#include "file/target.h"
#include "filter/internal.h"

/* Size of the options in version 0.1. */
#define FIRST_OPTIONS (offsetof(tamis_save_options, out_lock) + sizeof(tamis_lock *))

typedef struct save_job {
    const tamis_filter *filter;
    tamis_save_options options;
    tamis_target target;
    tamis_lock *lock; /* on the file to be replaced, and then on the new one; NULL: there was none */
    int fd;           /* of the temporary file, locked */
} save_job;

static tamis_status check_options(const tamis_save_options *given, tamis_save_options *out, tamis_error *err)
{
    const tamis_save_options defaults = TAMIS_SAVE_OPTIONS_INIT;
    if (!tamis_options_read(out, sizeof *out, given != NULL ? given : &defaults, FIRST_OPTIONS))
        return tamis_fail(err, TAMIS_E_ARGUMENT,
                          "save options of %zu bytes, or with members that are not known here; "
                          "start from TAMIS_SAVE_OPTIONS_INIT",
                          given->struct_size);
    if ((out->flags & ~(TAMIS_SAVE_NEW | TAMIS_SAVE_WAIT)) != 0)
        return tamis_fail(err, TAMIS_E_ARGUMENT, "save flags 0x%x; known are 0x%x", out->flags,
                          TAMIS_SAVE_NEW | TAMIS_SAVE_WAIT);
    if (out->lock != NULL && (out->flags & TAMIS_SAVE_NEW) != 0)
        return tamis_fail(err, TAMIS_E_ARGUMENT,
                          "a lock is on a file that exists; TAMIS_SAVE_NEW wants none");
    return TAMIS_OK;
}

/* A given lock must be on the file of that name. */
static tamis_status check_lock(const save_job *job, tamis_error *err)
{
    const struct stat *st = &job->target.st;
    if (job->target.exists && (st->st_dev != job->lock->device || st->st_ino != job->lock->inode))
        return tamis_fail(err, TAMIS_E_IN_USE,
                          "the file is not the one that was locked; somebody replaced it");
    return TAMIS_OK;
}

/* Locks the file that is to be replaced, if there is one. A writable mapping has
 * the lock on its own file until it is closed: waiting for it would not end. */
static tamis_status lock_old(save_job *job, tamis_error *err)
{
    if (job->target.exists && tamis_map_writes_to(job->filter, &job->target.st))
        return tamis_fail(err, TAMIS_E_IN_USE,
                          "the filter is mapped from this file for writing; close it instead of saving it");
    if (job->options.lock != NULL) {
        job->lock = job->options.lock;
        return check_lock(job, err);
    }
    if (!job->target.exists)
        return TAMIS_OK;
    if ((job->options.flags & TAMIS_SAVE_NEW) != 0)
        return tamis_fail(err, TAMIS_E_EXISTS, "the file exists already and was left alone");
    bool wait = (job->options.flags & TAMIS_SAVE_WAIT) != 0;
    tamis_status status = tamis_lock_take(job->target.path, wait, &job->lock, err);
    return status == TAMIS_OK ? tamis_target_look(&job->target, err) : status;
}

static bool is_secret(const save_job *job)
{
    return (job->filter->params.flags & TAMIS_SECRET_SEED) != 0;
}

/* The new file gets owner and mode of the one it replaces, as far as that is
 * allowed. A secret is for the owner alone, whoever could read the file before. */
static tamis_status keep_mode(const save_job *job, tamis_error *err)
{
    const struct stat *old = &job->target.st;
    mode_t mode = old->st_mode & (is_secret(job) ? 0700 : 07777);
    if (fchown(job->fd, old->st_uid, old->st_gid) != 0)
        (void)!fchown(job->fd, (uid_t)-1, old->st_gid);
    return fchmod(job->fd, mode) == 0 ? TAMIS_OK
                                      : tamis_fail_errno(err, "cannot set the mode of the temporary file");
}

/* Writes, syncs and closes the temporary file; a second descriptor stays open for
 * the lock, so that it is never given up. */
static tamis_status fill_temporary(save_job *job, tamis_error *err)
{
    tamis_status status = tamis_lock_fd(job->fd, false, err);
    if (status == TAMIS_OK)
        status = tamis_filter_write(job->filter, job->fd, err);
    if (status == TAMIS_OK && job->target.exists)
        status = keep_mode(job, err);
    if (status == TAMIS_OK)
        status = tamis_io_sync(job->fd, err);
    if (status != TAMIS_OK)
        return status;
    int second = fcntl(job->fd, F_DUPFD_CLOEXEC, 3);
    if (second < 0)
        return tamis_fail_errno(err, "cannot hold the lock");
    int first = job->fd;
    job->fd = second;
    return tamis_io_close(first, err);
}

static tamis_status write_temporary(save_job *job, tamis_error *err)
{
    mode_t mode = job->target.exists || is_secret(job) ? 0600 : 0666;
    tamis_status status = tamis_target_open_temporary(&job->target, mode, &job->fd, err);
    return status == TAMIS_OK ? fill_temporary(job, err) : status;
}

/* When a file came up where there was none, it is locked and replaced like any
 * other, unless only a new one was wanted. */
static tamis_status commit(save_job *job, tamis_error *err)
{
    if (job->lock != NULL)
        return tamis_target_commit(&job->target, true, err);
    tamis_status status = tamis_target_commit(&job->target, false, err);
    if (status != TAMIS_E_EXISTS || (job->options.flags & TAMIS_SAVE_NEW) != 0)
        return status;
    job->target.exists = true;
    status = lock_old(job, err);
    if (status == TAMIS_OK && job->target.exists)
        status = keep_mode(job, err);
    return status == TAMIS_OK ? tamis_target_commit(&job->target, true, err) : status;
}

/* The lock goes over to the new file. */
static tamis_status move_lock(save_job *job, tamis_error *err)
{
    tamis_status status = job->lock != NULL ? tamis_lock_move(job->lock, job->fd, err)
                                            : tamis_lock_of_fd(job->fd, &job->lock, err);
    if (status == TAMIS_OK)
        job->fd = -1;
    return status;
}

static tamis_status run_job(save_job *job, tamis_error *err)
{
    tamis_status status = lock_old(job, err);
    if (status == TAMIS_OK)
        status = write_temporary(job, err);
    if (status == TAMIS_OK)
        status = commit(job, err);
    if (status == TAMIS_OK)
        status = move_lock(job, err);
    return status == TAMIS_OK ? tamis_target_sync_folder(&job->target, err) : status;
}

/* Gives the lock to the caller or back, and cleans up. */
static void end_job(save_job *job, tamis_status status)
{
    if (status == TAMIS_OK && job->options.out_lock != NULL)
        *job->options.out_lock = job->lock;
    else if (job->options.lock == NULL)
        tamis_lock_release(job->lock);
    if (job->fd >= 0)
        (void)close(job->fd);
    tamis_target_end(&job->target);
}

static tamis_status save_file(save_job *job, const char *path, tamis_error *err)
{
    tamis_status status = tamis_target_resolve(path, &job->target, err);
    if (status == TAMIS_OK && job->target.exists && S_ISDIR(job->target.st.st_mode)) {
        errno = EISDIR;
        status = tamis_fail_errno(err, "cannot save a filter");
    }
    if (status == TAMIS_OK)
        status = run_job(job, err);
    end_job(job, status);
    return status;
}

/* Devices, pipes: nothing is replaced, nothing locked. */
static tamis_status save_direct(save_job *job, const char *path, tamis_error *err)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return tamis_fail_errno(err, "cannot open it for writing");
    tamis_status status = tamis_filter_write(job->filter, fd, err);
    tamis_status closed = tamis_io_close(fd, status == TAMIS_OK ? err : NULL);
    if (status == TAMIS_OK)
        status = closed;
    if (status == TAMIS_OK && job->options.out_lock != NULL)
        *job->options.out_lock = job->options.lock;
    return status;
}

tamis_status tamis_filter_save(const tamis_filter *filter, const char *path,
                               const tamis_save_options *options, tamis_error *err)
{
    save_job job = {.filter = filter, .fd = -1};
    struct stat st;
    tamis_status status = check_options(options, &job.options, err);
    if (status != TAMIS_OK)
        return status;
    bool direct = stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
    status = direct ? save_direct(&job, path, err) : save_file(&job, path, err);
    return tamis_io_name_error(err, status, path);
}
