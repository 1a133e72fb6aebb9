#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include "file/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "file/io.h"

tamis_status tamis_lock_fd(int fd, bool wait, tamis_error *err)
{
    if (flock(fd, wait ? LOCK_EX : LOCK_EX | LOCK_NB) == 0)
        return TAMIS_OK;
    if (errno == EWOULDBLOCK)
        return tamis_fail(err, TAMIS_E_IN_USE, "another writer has it; try again later, or wait for it");
    if (errno == EINTR)
        return tamis_fail(err, TAMIS_E_INTERRUPTED, "interrupted while waiting for another writer");
    return tamis_fail_errno(err, "cannot lock the file");
}

static tamis_status remember_file(tamis_lock *lock, int fd, tamis_error *err)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return tamis_fail_errno(err, "cannot look at the locked file");
    lock->fd = fd;
    lock->writable = (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDWR;
    lock->device = st.st_dev;
    lock->inode = st.st_ino;
    return TAMIS_OK;
}

tamis_status tamis_lock_of_fd(int fd, tamis_lock **out, tamis_error *err)
{
    tamis_lock *lock = malloc(sizeof *lock);
    if (lock == NULL)
        return tamis_fail(err, TAMIS_E_NOMEM, "no memory for a lock");
    tamis_status status = remember_file(lock, fd, err);
    if (status != TAMIS_OK) {
        free(lock);
        return status;
    }
    *out = lock;
    return TAMIS_OK;
}

tamis_status tamis_lock_move(tamis_lock *lock, int fd, tamis_error *err)
{
    int old = lock->fd;
    tamis_status status = remember_file(lock, fd, err);
    if (status == TAMIS_OK)
        (void)close(old);
    return status;
}

/* For writing where that is allowed: network file systems lock only such files. */
static int open_for_lock(const char *path)
{
    int fd = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0 && (errno == EACCES || errno == EROFS || errno == EPERM))
        fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    return fd;
}

/* Only a regular file can be replaced whole. */
static tamis_status check_regular(int fd, tamis_error *err)
{
    struct stat st;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
        return TAMIS_OK;
    return tamis_fail(err, TAMIS_E_UNSUPPORTED, "it is no regular file: only such a file can be rewritten");
}

/* True when the name still stands for the file that is locked. */
static bool same_file(const char *path, int fd)
{
    struct stat named, locked;
    return stat(path, &named) == 0 && fstat(fd, &locked) == 0 && named.st_dev == locked.st_dev &&
           named.st_ino == locked.st_ino;
}

/* One try; *out stays NULL when the file was replaced in the meantime. */
static tamis_status try_acquire(const char *path, bool wait, tamis_lock **out, tamis_error *err)
{
    int fd = open_for_lock(path);
    if (fd < 0)
        return tamis_fail_errno(err, "cannot open the file for locking");
    tamis_status status = check_regular(fd, err);
    if (status == TAMIS_OK)
        status = tamis_lock_fd(fd, wait, err);
    if (status == TAMIS_OK && same_file(path, fd))
        status = tamis_lock_of_fd(fd, out, err);
    if (*out == NULL)
        (void)close(fd);
    return status;
}

tamis_status tamis_lock_take(const char *path, bool wait, tamis_lock **out, tamis_error *err)
{
    tamis_lock *lock = NULL;
    tamis_status status = TAMIS_OK;
    while (lock == NULL && status == TAMIS_OK)
        status = try_acquire(path, wait, &lock, err);
    if (status == TAMIS_OK)
        *out = lock;
    return status;
}

tamis_status tamis_lock_acquire(const char *path, unsigned flags, tamis_lock **out, tamis_error *err)
{
    if ((flags & ~TAMIS_LOCK_WAIT) != 0)
        return tamis_fail(err, TAMIS_E_ARGUMENT, "lock flags 0x%x; known are 0x%x", flags, TAMIS_LOCK_WAIT);
    return tamis_io_name_error(err, tamis_lock_take(path, (flags & TAMIS_LOCK_WAIT) != 0, out, err), path);
}

void tamis_lock_release(tamis_lock *lock)
{
    if (lock == NULL)
        return;
    (void)close(lock->fd);
    free(lock);
}
