#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include "file/map.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "file/contents.h"
#include "file/decode.h"
#include "file/io.h"
#include "file/lock.h"

/* A mapped file, from its first byte to its last. */
typedef struct tamis_mapping {
    unsigned char *base;
    size_t size;
    tamis_lock *lock; /* of a writable mapping; else NULL */
    tamis_allocator allocator;
} tamis_mapping;

static void unmap(tamis_mapping *mapping)
{
    tamis_allocator allocator = mapping->allocator;
    (void)munmap(mapping->base, mapping->size);
    tamis_lock_release(mapping->lock);
    tamis_release(&allocator, mapping, sizeof *mapping);
}

/* Lets a filter's pointers point into the mapping. */
static void attach(tamis_filter *filter, tamis_mapping *mapping, bool read_only)
{
    unsigned char *at = mapping->base + TAMIS_FILE_HEADER_BYTES;
    for (uint32_t i = 0; i < filter->layer_count; i++) {
        filter->layers[i].payload = at;
        at += tamis_layer_bytes(&filter->layers[i]);
    }
    if (filter->params.kind == TAMIS_COUNTING)
        filter->counters = at;
    filter->read_only = read_only;
    filter->mapping = mapping;
    filter->unmap = unmap;
}

/* Changes after TO_REPAIR are this process's own. */
enum map_how { TO_READ, TO_WRITE, TO_REPAIR };

static tamis_status map_file(tamis_filter *filter, int fd, size_t size, enum map_how how, tamis_error *err)
{
    tamis_mapping *mapping = tamis_allocate(&filter->allocator, sizeof *mapping);
    if (mapping == NULL)
        return tamis_fail(err, TAMIS_E_NOMEM, "no memory for a mapping");
    int access = how == TO_READ ? PROT_READ : PROT_READ | PROT_WRITE;
    mapping->base = mmap(NULL, size, access, how == TO_REPAIR ? MAP_PRIVATE : MAP_SHARED, fd, 0);
    mapping->size = size;
    mapping->lock = NULL; /* the caller's until all is well */
    mapping->allocator = filter->allocator;
    if (mapping->base == MAP_FAILED) {
        tamis_status status = tamis_fail_errno(err, "cannot map the file");
        tamis_release(&filter->allocator, mapping, sizeof *mapping);
        return status;
    }
    attach(filter, mapping, how != TO_WRITE);
    return TAMIS_OK;
}

/* The metadata is copied: it is small, and padding beside it is checked. */
static tamis_status read_metadata(int fd, tamis_filter *filter, const tamis_seal *seal, tamis_error *err)
{
    tamis_byte_source source;
    size_t padded = (seal->metadata_len + TAMIS_FILE_ALIGN - 1u) / TAMIS_FILE_ALIGN * TAMIS_FILE_ALIGN;
    off_t at = (off_t)(TAMIS_FILE_HEADER_BYTES + seal->payload_bytes - padded);
    if (seal->metadata_len == 0)
        return TAMIS_OK;
    if (lseek(fd, at, SEEK_SET) != at)
        return tamis_fail_errno(err, "cannot read the metadata");
    tamis_status status = tamis_bytes_of_fd(&source, fd, err);
    return status == TAMIS_OK ? tamis_decode_metadata(&source, filter, seal->metadata_len, err) : status;
}

/* Header, size and metadata; nothing that grows with the filter. */
static tamis_status open_shell(int fd, const tamis_open_options *options, tamis_filter **out,
                               tamis_seal *seal, tamis_error *err)
{
    tamis_byte_source source;
    tamis_status status = tamis_bytes_of_fd(&source, fd, err);
    if (status == TAMIS_OK && !source.size_known)
        status = tamis_fail(err, TAMIS_E_UNSUPPORTED, "only a regular file can be mapped");
    if (status == TAMIS_OK)
        status = tamis_decode_header(&source, options, out, seal, err);
    if (status != TAMIS_OK)
        return status;
    tamis_filter *filter = *out;
    status = tamis_bytes_expect(&source, seal->payload_bytes, &filter->allocator, err);
    if (status == TAMIS_OK && seal->payload_bytes > SIZE_MAX / 2)
        status = tamis_fail(err, TAMIS_E_TOO_LARGE, "%" PRIu64 " bytes cannot be mapped on this machine",
                            seal->payload_bytes);
    if (status == TAMIS_OK)
        status = read_metadata(fd, filter, seal, err);
    return status;
}

/* Writes some of the header and waits until it is safe, with all before it. */
static tamis_status write_safely(const tamis_filter *filter, const unsigned char *from, size_t len,
                                 uint64_t at, tamis_error *err)
{
    int fd = filter->mapping->lock->fd;
    tamis_status status = tamis_io_write_at(fd, from, len, at, err);
    return status == TAMIS_OK ? tamis_io_sync(fd, err) : status;
}

/* Sets or clears the dirty mark: one byte, which is there or not after a crash. */
static tamis_status write_mark(const tamis_filter *filter, bool dirty, tamis_error *err)
{
    uint32_t flags = filter->params.flags | (dirty ? TAMIS_FILE_DIRTY : 0u);
    unsigned char byte = (unsigned char)(flags >> 24);
    return write_safely(filter, &byte, 1, TAMIS_AT_DIRTY, err);
}

static tamis_status check_writable(const tamis_filter *filter, const tamis_seal *seal, const tamis_lock *lock,
                                   tamis_error *err)
{
    if (filter->params.kind != TAMIS_BLOOM && filter->params.kind != TAMIS_COUNTING)
        return tamis_fail(
            err, TAMIS_E_UNSUPPORTED,
            "only bloom and counting filters are written in place; open it without mapping and save it");
    if (seal->unknown_compatible)
        return tamis_fail(err, TAMIS_E_VERSION,
                          "the file has features that only a newer tamis can keep up to date in place");
    if (!lock->writable) {
        errno = EACCES;
        return tamis_fail_errno(err, "cannot write in the file");
    }
    return TAMIS_OK;
}

/* A hole in the file would end the process when the disk is full. */
static tamis_status fill_holes(int fd, uint64_t size, tamis_error *err)
{
    int failed = posix_fallocate(fd, 0, (off_t)size);
    if (failed == 0 || failed == EINVAL || failed == EOPNOTSUPP || failed == ENODEV || failed == EINTR)
        return TAMIS_OK;
    errno = failed;
    return tamis_fail_errno(err, "cannot reserve the file's blocks on the disk");
}

/* Marks the file dirty before anything can be written. */
static tamis_status begin_writing(tamis_filter *filter, const tamis_seal *seal, tamis_lock *lock,
                                  tamis_error *err)
{
    tamis_status status = check_writable(filter, seal, lock, err);
    uint64_t size = TAMIS_FILE_HEADER_BYTES + seal->payload_bytes;
    if (status == TAMIS_OK)
        status = fill_holes(lock->fd, size, err);
    if (status == TAMIS_OK)
        status = map_file(filter, lock->fd, (size_t)size, TO_WRITE, err);
    if (status != TAMIS_OK)
        return status;
    filter->mapping->lock = lock;
    status = write_mark(filter, true, err);
    if (status != TAMIS_OK)
        filter->mapping->lock = NULL;
    else if (seal->dirty)
        tamis_counters_repair(filter);
    return status;
}

static tamis_status open_writable(const char *path, const tamis_open_options *options, tamis_filter **filter,
                                  tamis_error *err)
{
    tamis_lock *lock = NULL;
    tamis_seal seal;
    tamis_status status = tamis_lock_take(path, (options->flags & TAMIS_OPEN_WAIT) != 0, &lock, err);
    if (status == TAMIS_OK)
        status = open_shell(lock->fd, options, filter, &seal, err);
    if (status == TAMIS_OK)
        status = begin_writing(*filter, &seal, lock, err);
    if (status != TAMIS_OK)
        tamis_lock_release(lock);
    return tamis_io_name_error(err, status, path);
}

/* A dirty file's counters are repaired for this process alone: what is copied or
 * saved from here must have right ones. */
static tamis_status map_to_read(tamis_filter *filter, int fd, const tamis_seal *seal, tamis_error *err)
{
    bool repair = seal->dirty && filter->params.kind == TAMIS_COUNTING;
    size_t size = (size_t)(TAMIS_FILE_HEADER_BYTES + seal->payload_bytes);
    tamis_status status = map_file(filter, fd, size, repair ? TO_REPAIR : TO_READ, err);
    if (status != TAMIS_OK || !repair)
        return status;
    tamis_counters_repair(filter);
    (void)mprotect(filter->mapping->base, size, PROT_READ);
    return TAMIS_OK;
}

static tamis_status open_read_only(const char *path, const tamis_open_options *options, tamis_filter **filter,
                                   tamis_error *err)
{
    tamis_seal seal;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return tamis_fail_errno(err, "cannot open %.240s", path);
    tamis_status status = open_shell(fd, options, filter, &seal, err);
    if (status == TAMIS_OK)
        status = map_to_read(*filter, fd, &seal, err);
    (void)close(fd);
    return tamis_io_name_error(err, status, path);
}

tamis_status tamis_map_open(const char *path, const tamis_open_options *options, tamis_filter **out,
                            tamis_error *err)
{
    tamis_filter *filter = NULL;
    bool writable = (options->flags & TAMIS_OPEN_MAP_WRITE) != 0;
    tamis_status status =
        writable ? open_writable(path, options, &filter, err) : open_read_only(path, options, &filter, err);
    if (status != TAMIS_OK) {
        tamis_filter_free(filter);
        return status;
    }
    *out = filter;
    return TAMIS_OK;
}

bool tamis_map_writes_to(const tamis_filter *filter, const struct stat *file)
{
    if (filter->mapping == NULL || filter->mapping->lock == NULL)
        return false;
    const tamis_lock *lock = filter->mapping->lock;
    return lock->device == file->st_dev && lock->inode == file->st_ino;
}

/* Bits, counts and checksums reach the disk before the mark goes that says not to
 * believe them. */
static tamis_status end_writing(const tamis_filter *filter, tamis_error *err)
{
    unsigned char page[TAMIS_FILE_HEADER_BYTES];
    tamis_seal seal;
    if (msync(filter->mapping->base, filter->mapping->size, MS_SYNC) != 0)
        return tamis_fail_errno(err, "cannot sync the mapped file; it stays marked dirty");
    tamis_seal_of(filter, &seal);
    seal.dirty = true;
    tamis_header_encode(filter, &seal, page);
    tamis_status status = write_safely(filter, page, sizeof page, 0, err);
    return status == TAMIS_OK ? write_mark(filter, false, err) : status;
}

tamis_status tamis_filter_close(tamis_filter *filter, tamis_error *err)
{
    tamis_status status = TAMIS_OK;
    if (filter != NULL && filter->mapping != NULL && !filter->read_only)
        status = end_writing(filter, err);
    tamis_filter_free(filter);
    return status;
}
