/* Filter files: one self-describing file, the same bytes on every machine.
 * docs/format.md defines it.
 *
 * Thread safety: functions that take paths, descriptors or bytes may run in any
 * number of threads at once; between processes and threads, locks keep the writers
 * of one file apart. A tamis_lock, and a filter that is closed, belong to one
 * thread at a time. A filter that is saved or written is only read (see filter.h).
 *
 * Every tamis_error may be NULL. Result pointers are written on success only. */
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
 * *out and ends it with tamis_lock_release. Waiting for a lock that this process
 * has, through another tamis_lock or a writable mapping, does not end.
 * Thread-safe. Since 0.1. Fails with
 *   E_ARGUMENT     an unknown flag
 *   E_IN_USE       another writer has it, and TAMIS_LOCK_WAIT was not given
 *   E_INTERRUPTED  a signal came while waiting
 *   E_IO           the file cannot be opened or locked; system_errno says why
 *                  (ENOENT: there is no such file)
 *   E_NOMEM        no memory for the lock */
TAMIS_API tamis_status tamis_lock_acquire(const char *path, unsigned flags, tamis_lock **out,
                                          tamis_error *err);

/* Ends a lock and frees it; NULL is ignored. The lock must not be used by another
 * thread. Cannot fail. Since 0.1. */
TAMIS_API void tamis_lock_release(tamis_lock *lock);

/* tamis_open_options.flags */
#define TAMIS_OPEN_MAP 1u        /* map read-only: O(1), only the header is checked */
#define TAMIS_OPEN_MAP_WRITE 2u  /* map for writing (bloom, counting), holding the lock until closed */
#define TAMIS_OPEN_WAIT 4u       /* with MAP_WRITE: wait for another writer */
#define TAMIS_OPEN_NORMALISED 8u /* the caller normalises its items as the filter says */

/* Start from TAMIS_OPEN_OPTIONS_INIT. Later versions may add members at the end,
 * for which 0 is what was before. */
typedef struct tamis_open_options {
    size_t struct_size; /* sizeof(tamis_open_options) */
    unsigned flags;
    const tamis_allocator *allocator; /* copied; NULL = aligned_alloc */
} tamis_open_options;

/* clang-format off */
#define TAMIS_OPEN_OPTIONS_INIT { sizeof(tamis_open_options), 0, NULL }
/* clang-format on */

/* Opens a filter file. Without a MAP flag the whole file is read and every
 * checksum, range and count is checked before anything is believed; nothing is
 * allocated beyond the file's real size.
 *
 * TAMIS_OPEN_MAP: the file is mapped as it is, and follows what a writer in place
 * does to it; its payload is not checked. Take a lock before you copy or save it
 * beside a live writer. TAMIS_OPEN_MAP_WRITE: the file is marked dirty, changed in
 * place, and locked for other writers until tamis_filter_close. Its payload is not
 * checked either: tamis_file_verify does.
 *
 * A dirty file (whose writer did not close it: a crash, a power loss) opens in each
 * of these ways, and no item is lost that was in it before. In a dirty counting
 * file all counters are unknown: every set bit gets the counter 15, which never
 * counts down, so that items from before the crash cannot be removed any more: a
 * remove succeeds and changes no bit. Its items offered are those of before.
 *
 * `options` may be NULL. The caller owns *out and ends it with tamis_filter_close
 * (writable mapping) or tamis_filter_free. Thread-safe. Since 0.1. Fails with
 *   E_ARGUMENT     unknown options or flags; both MAP flags; WAIT without MAP_WRITE
 *   E_IO           the file cannot be opened, read, locked, mapped or marked dirty;
 *                  system_errno says why
 *   E_FORMAT       not a tamis file: too short, or without the magic
 *   E_CORRUPT      damaged, truncated, too long, or a number that cannot be; err says which
 *   E_VERSION      made by a newer tamis: version, kind, flag or feature unknown
 *   E_NORMALISED   its items are normalised and TAMIS_OPEN_NORMALISED was not given
 *   E_UNSUPPORTED  a scalable or rotating filter to be mapped for writing; what is
 *                  not a regular file to be mapped
 *   E_IN_USE       MAP_WRITE: another writer has it, and WAIT was not given
 *   E_INTERRUPTED  MAP_WRITE: a signal came while waiting
 *   E_NOMEM        no memory
 *   E_TOO_LARGE    it does not fit in this machine's addresses */
TAMIS_API tamis_status tamis_filter_open(const char *path, const tamis_open_options *options,
                                         tamis_filter **out, tamis_error *err);

/* Makes a filter from the bytes of a file in memory (NULL for 0 bytes), which are
 * copied, with all checks of tamis_filter_open; a dirty file is taken as there. Of
 * the flags only TAMIS_OPEN_NORMALISED is allowed. `options` may be NULL. The caller
 * owns *out. Thread-safe. Since 0.1. Fails with
 *   E_ARGUMENT     unknown options, or another flag
 *   E_FORMAT       not a tamis file: too short, or without the magic
 *   E_CORRUPT      damaged, truncated, too long, or a number that cannot be; err says which
 *   E_VERSION      made by a newer tamis: version, kind, flag or feature unknown
 *   E_NORMALISED   its items are normalised and TAMIS_OPEN_NORMALISED was not given
 *   E_NOMEM        no memory
 *   E_TOO_LARGE    it does not fit in this machine's addresses */
TAMIS_API tamis_status tamis_filter_decode(const void *data, size_t nbytes, const tamis_open_options *options,
                                           tamis_filter **out, tamis_error *err);

/* The same from a file descriptor, which is read from where it stands to its end
 * and stays open; a pipe will do, and takes memory for what really comes. The
 * descriptor must not be read by another thread. `options` may be NULL. The caller
 * owns *out. Since 0.1. Fails with
 *   E_ARGUMENT     unknown options, or another flag than TAMIS_OPEN_NORMALISED
 *   E_IO           reading fails; system_errno says why
 *   E_FORMAT       not a tamis file: too short, or without the magic
 *   E_CORRUPT      damaged, truncated, too long, or a number that cannot be; err says which
 *   E_VERSION      made by a newer tamis: version, kind, flag or feature unknown
 *   E_NORMALISED   its items are normalised and TAMIS_OPEN_NORMALISED was not given
 *   E_NOMEM        no memory
 *   E_TOO_LARGE    it does not fit in this machine's addresses */
TAMIS_API tamis_status tamis_filter_read(int fd, const tamis_open_options *options, tamis_filter **out,
                                         tamis_error *err);

/* tamis_save_options.flags */
#define TAMIS_SAVE_NEW 1u  /* fail with E_EXISTS instead of replacing a file */
#define TAMIS_SAVE_WAIT 2u /* without a lock: wait for another writer */

/* Start from TAMIS_SAVE_OPTIONS_INIT. Later versions may add members at the end,
 * for which 0 is what was before. */
typedef struct tamis_save_options {
    size_t struct_size; /* sizeof(tamis_save_options) */
    unsigned flags;
    tamis_lock *lock;      /* held on `path`, and afterwards on the new file; NULL: taken for the save only */
    tamis_lock **out_lock; /* where to put the lock on the new file: `lock`, or one that the caller then owns
                              (NULL: for a device or pipe); NULL: a lock that was taken is released */
} tamis_save_options;

/* clang-format off */
#define TAMIS_SAVE_OPTIONS_INIT { sizeof(tamis_save_options), 0, NULL, NULL }
/* clang-format on */

/* Saves a filter whole: a temporary file in the same folder, checked writes,
 * fsync, rename, fsync of the folder. At any moment the name stands for the old
 * file or the new one. Symbolic links are resolved. A replaced file's mode is kept,
 * a new file gets 0666 less the umask; with TAMIS_SECRET_SEED none but the owner
 * ever gets a right: a replaced file keeps those of 0700, a new one gets 0600. A
 * device or pipe is written to directly, without a lock.
 *
 * `options` may be NULL. The filter is only read, and may be saved by several
 * threads at once; the lock belongs to one. Since 0.1. Fails with
 *   E_ARGUMENT     unknown options or flags; a lock together with TAMIS_SAVE_NEW
 *   E_IN_USE       another writer has the file, and WAIT was not given; it is not the
 *                  one that `lock` locked; the filter is a writable mapping of this
 *                  very file (close it instead), with or without WAIT
 *   E_EXISTS       TAMIS_SAVE_NEW, and there is a file
 *   E_IO           writing, syncing or renaming fails; system_errno says why
 *   E_CLOSED       a pipe that nobody reads any more
 *   E_INTERRUPTED  a signal came while waiting
 *   E_NOMEM        no memory for a name or a lock
 * After a failure the old file is as it was and the temporary one is gone; E_IO of
 * the folder's fsync alone comes after the file was replaced. */
TAMIS_API tamis_status tamis_filter_save(const tamis_filter *filter, const char *path,
                                         const tamis_save_options *options, tamis_error *err);

/* Writes a filter's file to a file descriptor, which stays open. The filter is only
 * read; the descriptor must not be written to by another thread. Since 0.1. Fails
 * with
 *   E_IO      writing fails; system_errno says why
 *   E_CLOSED  a pipe that nobody reads any more (EPIPE)
 *   E_NOMEM   the system has no memory for the write */
TAMIS_API tamis_status tamis_filter_write(const tamis_filter *filter, int fd, tamis_error *err);

/* Size in bytes of a filter's file. The filter is only read. Cannot fail. Since 0.1. */
TAMIS_API uint64_t tamis_filter_file_bytes(const tamis_filter *filter);

/* Ends a writable mapping cleanly: bits, counts and checksums are written and
 * synced, then the dirty mark is taken away and that synced; the lock is released
 * and the filter freed. For other filters the same as tamis_filter_free; NULL is
 * ignored. No other thread may use the filter. Since 0.1. Fails with
 *   E_IO     writing or syncing fails; system_errno says why. The filter is freed all
 *            the same and the file may stay marked dirty: it opens, and loses nothing
 *            that reached it
 *   E_NOMEM  the same, when the system has no memory for the write */
TAMIS_API tamis_status tamis_filter_close(tamis_filter *filter, tamis_error *err);

/* Reads a filter file and checks every byte of it. Thread-safe; takes no lock, and
 * beside a live writer in place says E_DIRTY or E_CORRUPT. Since 0.1. Fails with
 *   E_DIRTY      all is well but for a writable mapping that was not closed, or is
 *                open still
 *   E_IO         the file cannot be opened or read; system_errno says why
 *   E_FORMAT     not a tamis file: too short, or without the magic
 *   E_CORRUPT    damaged, truncated, too long, or a number that cannot be; err says which
 *   E_VERSION    made by a newer tamis: version, kind, flag or feature unknown
 *   E_NOMEM      no memory
 *   E_TOO_LARGE  it does not fit in this machine's addresses */
TAMIS_API tamis_status tamis_file_verify(const char *path, tamis_error *err);

/* Rewrites a dirty file with fresh counts and checksums (whole, under its lock);
 * counters as told at tamis_filter_open. A clean file is left alone. Thread-safe.
 * Since 0.1. Fails with
 *   E_IN_USE     another writer has it
 *   E_IO         the file cannot be opened, locked, read or replaced; system_errno
 *                says why
 *   E_FORMAT     not a tamis file: too short, or without the magic
 *   E_CORRUPT    damaged beyond a missing close; err says how
 *   E_VERSION    made by a newer tamis: version, kind, flag or feature unknown
 *   E_NOMEM      no memory
 *   E_TOO_LARGE  it does not fit in this machine's addresses
 * The file is then as it was. */
TAMIS_API tamis_status tamis_file_reseal(const char *path, tamis_error *err);

TAMIS_END_DECLS

#endif
