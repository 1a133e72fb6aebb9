#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "stream/internal.h"

#define BUFFER ((size_t)256 * 1024)
#define WRITE_MAX ((size_t)1 << 30)

struct tamis_writer {
    int fd;
    unsigned char delimiter;
    size_t used;
    tamis_error failure; /* the first; nothing is written after it */
    char buffer[BUFFER];
};

tamis_status tamis_writer_open(int fd, unsigned char delimiter, tamis_writer **out, tamis_error *err)
{
    tamis_writer *writer = malloc(sizeof *writer);
    if (writer == NULL)
        return tamis_fail(err, TAMIS_E_NOMEM, "out of memory for an output buffer of %zu bytes", BUFFER);
    writer->fd = fd;
    writer->delimiter = delimiter;
    writer->used = 0;
    writer->failure.status = TAMIS_OK;
    *out = writer;
    return TAMIS_OK;
}

void tamis_writer_free(tamis_writer *writer)
{
    free(writer);
}

/* Waits until a non-blocking descriptor takes more. */
static void wait_writable(int fd)
{
    struct pollfd wanted = {.fd = fd, .events = POLLOUT};
    (void)poll(&wanted, 1, 1000);
}

/* What was lost stays lost: from the first failure on every call fails like it. */
static tamis_status failed_before(const tamis_writer *writer, tamis_error *err)
{
    if (err != NULL)
        *err = writer->failure;
    return writer->failure.status;
}

static tamis_status keep_failure(tamis_writer *writer, const char *what, tamis_error *err)
{
    (void)tamis_fail_errno(&writer->failure, "%s", what);
    return failed_before(writer, err);
}

static tamis_status write_all(tamis_writer *writer, const char *data, size_t len, tamis_error *err)
{
    while (len > 0) {
        ssize_t n = write(writer->fd, data, len < WRITE_MAX ? len : WRITE_MAX);
        if (n >= 0) {
            data += n;
            len -= (size_t)n;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            wait_writable(writer->fd);
        } else if (errno != EINTR) {
            return keep_failure(writer, "cannot write output", err);
        }
    }
    return TAMIS_OK;
}

tamis_status tamis_writer_flush(tamis_writer *writer, tamis_error *err)
{
    if (writer->failure.status != TAMIS_OK)
        return failed_before(writer, err);
    size_t pending = writer->used;
    writer->used = 0;
    return write_all(writer, writer->buffer, pending, err);
}

tamis_status tamis_writer_sync(tamis_writer *writer, tamis_error *err)
{
    tamis_status status = tamis_writer_flush(writer, err);
    struct stat info;
    if (status != TAMIS_OK || fstat(writer->fd, &info) != 0 || !S_ISREG(info.st_mode))
        return status;
    int failed;
    do
        failed = fsync(writer->fd);
    while (failed != 0 && errno == EINTR);
    return failed == 0 ? TAMIS_OK : keep_failure(writer, "cannot sync output", err);
}

tamis_status tamis_writer_bytes(tamis_writer *writer, const void *data, size_t len, tamis_error *err)
{
    if (writer->failure.status != TAMIS_OK)
        return failed_before(writer, err);
    if (len > BUFFER - writer->used) {
        tamis_status status = tamis_writer_flush(writer, err);
        if (status != TAMIS_OK)
            return status;
    }
    if (len >= BUFFER / 2 && writer->used == 0)
        return write_all(writer, data, len, err);
    if (len > 0)
        memcpy(writer->buffer + writer->used, data, len);
    writer->used += len;
    return TAMIS_OK;
}

tamis_status tamis_writer_record(tamis_writer *writer, const void *data, size_t len, tamis_error *err)
{
    tamis_status status = tamis_writer_bytes(writer, data, len, err);
    return status == TAMIS_OK ? tamis_writer_bytes(writer, &writer->delimiter, 1, err) : status;
}

/* First byte behind a record in memory. */
static const char *end_of(const tamis_item *record)
{
    return (const char *)record->data + record->len;
}

/* Number of records from `from` on that are wanted and neighbours in memory. */
static size_t run_length(const tamis_records *records, const uint8_t *flags, size_t from)
{
    size_t i = from + 1;
    while (i < records->count && (flags == NULL || flags[i] != 0) &&
           records->records[i].data == (const void *)(end_of(&records->records[i - 1]) + 1))
        i++;
    return i - from;
}

tamis_status tamis_writer_records(tamis_writer *writer, const tamis_records *records, const uint8_t *flags,
                                  tamis_error *err)
{
    size_t i = 0;
    while (i < records->count) {
        if (flags != NULL && flags[i] == 0) {
            i++;
            continue;
        }
        const tamis_item *first = &records->records[i];
        tamis_status status;
        if ((unsigned char)*end_of(first) == writer->delimiter) {
            size_t run = run_length(records, flags, i);
            const char *end = end_of(&records->records[i + run - 1]) + 1;
            status = tamis_writer_bytes(writer, first->data, (size_t)(end - (const char *)first->data), err);
            i += run;
        } else {
            status = tamis_writer_record(writer, first->data, first->len, err);
            i++;
        }
        if (status != TAMIS_OK)
            return status;
    }
    return TAMIS_OK;
}
