/* Where a file's bytes come from: memory, a regular file, or a pipe. */
#ifndef TAMIS_FILE_BYTES_H
#define TAMIS_FILE_BYTES_H

#include <tamis/file.h>

#define TAMIS_MAX_CHUNKS 64

typedef struct tamis_chunk {
    unsigned char *data;
    size_t size;
    size_t used;
} tamis_chunk;

typedef struct tamis_byte_source {
    int fd; /* -1: memory */
    const unsigned char *data;
    uint64_t left;                        /* bytes still there; of a pipe only those spooled */
    bool size_known;                      /* false: a pipe that was not spooled yet */
    const tamis_allocator *allocator;     /* of the chunks */
    tamis_chunk chunks[TAMIS_MAX_CHUNKS]; /* what was spooled */
    size_t chunk_count;
    size_t chunk_at; /* the chunk to take from, and where in it */
    size_t chunk_offset;
} tamis_byte_source;

void tamis_bytes_of_memory(tamis_byte_source *source, const void *data, size_t nbytes);

/* A descriptor from where it stands to its end. E_IO. */
tamis_status tamis_bytes_of_fd(tamis_byte_source *source, int fd, tamis_error *err);

/* Reads at most `len` bytes; fewer only at the end. E_IO. */
tamis_status tamis_bytes_take(tamis_byte_source *source, unsigned char *to, size_t len, size_t *out_got,
                              tamis_error *err);

/* Reads exactly `len` bytes. E_CORRUPT when there are fewer, E_IO. */
tamis_status tamis_bytes_read(tamis_byte_source *source, unsigned char *to, size_t len, tamis_error *err);

/* Makes sure that exactly `nbytes` are left. Of a pipe they are read into memory
 * that grows with what really comes. E_CORRUPT, E_IO, E_NOMEM. */
tamis_status tamis_bytes_expect(tamis_byte_source *source, uint64_t nbytes, const tamis_allocator *allocator,
                                tamis_error *err);

/* Gives back what was spooled. */
void tamis_bytes_end(tamis_byte_source *source);

#endif
