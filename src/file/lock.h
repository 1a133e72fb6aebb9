/* The inside of a lock: a descriptor that holds flock on the file of a name. */
#ifndef TAMIS_FILE_LOCK_H
#define TAMIS_FILE_LOCK_H

#include <sys/types.h>

#include <tamis/file.h>

struct tamis_lock {
    int fd;
    bool writable; /* fd is open for reading and writing, not just for reading */
    dev_t device;
    ino_t inode;
};

/* Makes a lock of a descriptor that has flock already; closing it is then the
 * lock's business. E_NOMEM, E_IO: the descriptor is left to the caller. */
tamis_status tamis_lock_of_fd(int fd, tamis_lock **out, tamis_error *err);

/* Moves a lock to another locked descriptor, and closes the one it had. */
tamis_status tamis_lock_move(tamis_lock *lock, int fd, tamis_error *err);

/* tamis_lock_acquire with an error that does not name the file. */
tamis_status tamis_lock_take(const char *path, bool wait, tamis_lock **out, tamis_error *err);

/* flock for writing; E_IN_USE, E_INTERRUPTED, E_IO. */
tamis_status tamis_lock_fd(int fd, bool wait, tamis_error *err);

#endif
