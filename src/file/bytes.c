#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include "file/bytes.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "file/format.h"
#include "file/io.h"

#define FIRST_CHUNK ((uint64_t)1 << 20)

void tamis_bytes_of_memory(tamis_byte_source *source, const void *data, size_t nbytes)
{
    memset(source, 0, sizeof *source);
    source->fd = -1;
    source->data = data;
    source->left = nbytes;
    source->size_known = true;
}

tamis_status tamis_bytes_of_fd(tamis_byte_source *source, int fd, tamis_error *err)
{
    struct stat st;
    memset(source, 0, sizeof *source);
    source->fd = fd;
    if (fstat(fd, &st) != 0)
        return tamis_fail_errno(err, "cannot read the filter file");
    off_t at = S_ISREG(st.st_mode) ? lseek(fd, 0, SEEK_CUR) : -1;
    if (at >= 0) {
        source->size_known = true;
        source->left = st.st_size > at ? (uint64_t)(st.st_size - at) : 0;
    }
    return TAMIS_OK;
}

static size_t take_from_memory(tamis_byte_source *source, unsigned char *to, size_t len)
{
    size_t got = len < source->left ? len : (size_t)source->left;
    if (got == 0)
        return 0;
    memcpy(to, source->data, got);
    source->data += got;
    source->left -= got;
    return got;
}

static void release_chunk(tamis_byte_source *source, tamis_chunk *chunk)
{
    tamis_release(source->allocator, chunk->data, chunk->size);
    chunk->data = NULL;
}

/* A chunk goes as soon as it was taken. */
static size_t take_from_chunks(tamis_byte_source *source, unsigned char *to, size_t len)
{
    size_t got = 0;
    while (got < len && source->chunk_at < source->chunk_count) {
        tamis_chunk *chunk = &source->chunks[source->chunk_at];
        size_t part = chunk->used - source->chunk_offset;
        if (part > len - got)
            part = len - got;
        memcpy(to + got, chunk->data + source->chunk_offset, part);
        got += part;
        source->chunk_offset += part;
        if (source->chunk_offset == chunk->used) {
            release_chunk(source, chunk);
            source->chunk_at++;
            source->chunk_offset = 0;
        }
    }
    source->left -= got;
    return got;
}

tamis_status tamis_bytes_take(tamis_byte_source *source, unsigned char *to, size_t len, size_t *out_got,
                              tamis_error *err)
{
    if (source->fd < 0) {
        *out_got = take_from_memory(source, to, len);
    } else if (source->chunk_count > 0) {
        *out_got = take_from_chunks(source, to, len);
    } else {
        tamis_status status = tamis_io_read(source->fd, to, len, out_got, err);
        if (status != TAMIS_OK)
            return status;
        source->left -= *out_got < source->left ? *out_got : source->left;
    }
    return TAMIS_OK;
}

tamis_status tamis_bytes_read(tamis_byte_source *source, unsigned char *to, size_t len, tamis_error *err)
{
    size_t got = 0;
    tamis_status status = tamis_bytes_take(source, to, len, &got, err);
    if (status == TAMIS_OK && got < len)
        return tamis_fail(err, TAMIS_E_CORRUPT, "the file ends %zu bytes too early", len - got);
    return status;
}

/* The next chunk is as large as all before it, so that at most twice what was
 * really read is allocated. */
static tamis_status spool_chunk(tamis_byte_source *source, uint64_t want, tamis_error *err)
{
    uint64_t size = source->left > FIRST_CHUNK ? source->left : FIRST_CHUNK;
    if (size > want)
        size = want;
    tamis_chunk *chunk = &source->chunks[source->chunk_count];
    if (source->chunk_count == TAMIS_MAX_CHUNKS || size > SIZE_MAX / 2)
        return tamis_fail(err, TAMIS_E_TOO_LARGE,
                          "a payload of more than %" PRIu64 " bytes does not fit in memory", source->left);
    chunk->data = tamis_allocate(source->allocator, (size_t)size);
    if (chunk->data == NULL)
        return tamis_fail(err, TAMIS_E_NOMEM, "no memory for %" PRIu64 " bytes of the file", size);
    chunk->size = (size_t)size;
    source->chunk_count++;
    tamis_status status = tamis_io_read(source->fd, chunk->data, chunk->size, &chunk->used, err);
    source->left += chunk->used;
    return status;
}

static tamis_status spool(tamis_byte_source *source, uint64_t nbytes, tamis_error *err)
{
    source->left = 0;
    while (source->left < nbytes) {
        uint64_t before = source->left;
        uint64_t want = nbytes - before;
        tamis_status status = spool_chunk(source, want, err);
        if (status != TAMIS_OK)
            return status;
        const tamis_chunk *chunk = &source->chunks[source->chunk_count - 1];
        if (chunk->used < chunk->size)
            return tamis_fail(err, TAMIS_E_CORRUPT,
                              "the file ends after %" PRIu64 " of %" PRIu64 " bytes behind its header",
                              source->left, nbytes);
    }
    return TAMIS_OK;
}

static tamis_status expect_end(tamis_byte_source *source, tamis_error *err)
{
    unsigned char beyond;
    size_t got = 0;
    tamis_status status = tamis_io_read(source->fd, &beyond, 1, &got, err);
    if (status == TAMIS_OK && got != 0)
        return tamis_fail(err, TAMIS_E_CORRUPT, "there are bytes behind the end of the filter");
    return status;
}

tamis_status tamis_bytes_expect(tamis_byte_source *source, uint64_t nbytes, const tamis_allocator *allocator,
                                tamis_error *err)
{
    if (source->size_known && source->left != nbytes)
        return tamis_fail(err, TAMIS_E_CORRUPT,
                          "%" PRIu64 " bytes behind the header where it says %" PRIu64 "; the file is %s",
                          source->left, nbytes, source->left < nbytes ? "truncated" : "too long");
    if (source->size_known)
        return TAMIS_OK;
    source->allocator = allocator;
    source->size_known = true;
    tamis_status status = spool(source, nbytes, err);
    return status == TAMIS_OK ? expect_end(source, err) : status;
}

void tamis_bytes_end(tamis_byte_source *source)
{
    for (size_t i = 0; i < source->chunk_count; i++)
        release_chunk(source, &source->chunks[i]);
}
