/* Filter files: one self-describing file, the same bytes on every machine.
 * docs/format.md defines it. */
#ifndef TAMIS_FILE_H
#define TAMIS_FILE_H

#include <tamis/filter.h>

TAMIS_BEGIN_DECLS

/* The right to replace a file. Held from before it is read until after it was
 * saved, it keeps two writers from losing each other's items. Not thread-safe. */
typedef struct tamis_lock tamis_lock;

/* tamis_lock_acquire flags */
#define TAMIS_LOCK_WAIT 1u /* wait for the other writer instead of failing */

/* Locks an existing file (symbolic links resolved) for writing, with flock, and
 * makes sure that the locked file is still the one of that name. The caller owns
 * the lock and ends it with tamis_lock_release.
 * Fails with E_IN_USE, E_IO (with system_errno; ENOENT when there is no such
 * file), E_NOMEM, E_INTERRUPTED (a signal while waiting). Since 0.1. */
TAMIS_API tamis_status tamis_lock_acquire(const char *path, unsigned flags, tamis_lock **out,
                                          tamis_error *err);

/* Ends a lock; NULL is ignored. Since 0.1. */
TAMIS_API void tamis_lock_release(tamis_lock *lock);

/* tamis_open_options.flags */
#define TAMIS_OPEN_MAP 1u        /* map read-only: O(1), only the header is checked */
#define TAMIS_OPEN_MAP_WRITE 2u  /* map for writing (bloom, counting), holding the lock until closed */
#define TAMIS_OPEN_WAIT 4u       /* with MAP_WRITE: wait for another writer */
#define TAMIS_OPEN_NORMALISED 8u /* the caller normalises its items as the filter says */

typedef struct tamis_open_options {
    size_t struct_size; /* sizeof(tamis_open_options) */
    unsigned flags;
    const tamis_allocator *allocator; /* NULL = aligned_alloc */
} tamis_open_options;

/* clang-format off */
#define TAMIS_OPEN_OPTIONS_INIT { sizeof(tamis_open_options), 0, NULL }
/* clang-format on */

/* Opens a filter file. Without a MAP flag the whole file is read and every
 * checksum, range and count is checked before anything is believed; nothing is
 * allocated beyond the file's real size. `options` may be NULL. The caller owns
 * the filter.
 * Fails with E_IO, E_FORMAT (not a tamis file), E_CORRUPT (err says what),
 * E_VERSION (unknown version or feature), E_NORMALISED (flag not given, and the
 * filter has a normalisation), E_IN_USE, E_UNSUPPORTED (mapping this kind for
 * writing, or what is not a regular file), E_NOMEM, E_TOO_LARGE, E_INTERRUPTED
 * (a signal while waiting), E_ARGUMENT (flags). Since 0.1. */
TAMIS_API tamis_status tamis_filter_open(const char *path, const tamis_open_options *options,
                                         tamis_filter **out, tamis_error *err);

/* The same from bytes in memory, which are copied. Since 0.1. */
TAMIS_API tamis_status tamis_filter_decode(const void *data, size_t nbytes, const tamis_open_options *options,
                                           tamis_filter **out, tamis_error *err);

/* The same from a file descriptor read to its end (a pipe will do). Since 0.1. */
TAMIS_API tamis_status tamis_filter_read(int fd, const tamis_open_options *options, tamis_filter **out,
                                         tamis_error *err);

/* tamis_save_options.flags */
#define TAMIS_SAVE_NEW 1u  /* fail with E_EXISTS instead of replacing a file */
#define TAMIS_SAVE_WAIT 2u /* without a lock: wait for another writer */

typedef struct tamis_save_options {
    size_t struct_size; /* sizeof(tamis_save_options) */
    unsigned flags;
    tamis_lock *lock;      /* held on `path`, and afterwards on the new file; NULL: taken for the save only */
    bool keep_locked;      /* with `out_lock`: also when no lock was given */
    tamis_lock **out_lock; /* where to put that lock */
} tamis_save_options;

/* clang-format off */
#define TAMIS_SAVE_OPTIONS_INIT { sizeof(tamis_save_options), 0, NULL, false, NULL }
/* clang-format on */

/* Saves a filter whole: a temporary file in the same folder, checked writes,
 * fsync, rename, fsync of the folder. At any moment the name stands for the old
 * file or the new one. Symbolic links are resolved, the mode of a replaced file
 * is kept; a new file gets 0666 less the umask, 0600 with TAMIS_SECRET_SEED.
 * A device or pipe is written to directly. `options` may be NULL. Fails with E_IO,
 * E_IN_USE, E_EXISTS, E_NOMEM, E_INTERRUPTED (a signal while waiting), E_ARGUMENT
 * (flags); the old file is then as it was and the temporary one is gone. E_IO of
 * the folder's fsync alone comes after the file was replaced. Since 0.1. */
TAMIS_API tamis_status tamis_filter_save(const tamis_filter *filter, const char *path,
                                         const tamis_save_options *options, tamis_error *err);

/* Writes a filter's file to a file descriptor. Fails with E_IO, E_CLOSED
 * (EPIPE). Since 0.1. */
TAMIS_API tamis_status tamis_filter_write(const tamis_filter *filter, int fd, tamis_error *err);

/* Size in bytes of a filter's file. Since 0.1. */
TAMIS_API uint64_t tamis_filter_file_bytes(const tamis_filter *filter);

/* Ends a writable mapping cleanly: counts and checksums are written, the dirty
 * mark is taken away, the file synced, the lock released, the filter freed.
 * For other filters the same as tamis_filter_free. On E_IO the filter is freed
 * and the file stays marked dirty. Since 0.1. */
TAMIS_API tamis_status tamis_filter_close(tamis_filter *filter, tamis_error *err);

/* Checks every byte of a filter file. Fails as tamis_filter_open does, and with
 * E_DIRTY when a writable mapping was not closed cleanly. Since 0.1. */
TAMIS_API tamis_status tamis_file_verify(const char *path, tamis_error *err);

/* Rewrites a dirty file with fresh counts and checksums (atomically, under its
 * lock). A clean file is left alone. Fails as tamis_filter_open and
 * tamis_filter_save do. Since 0.1. */
TAMIS_API tamis_status tamis_file_reseal(const char *path, tamis_error *err);

TAMIS_END_DECLS

#endif
