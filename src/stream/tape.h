/* Bytes written once from front to back and then read from front to back, any
 * number of times: in memory up to a budget, beyond it in a temporary file that
 * has no name. */
#ifndef TAMIS_STREAM_TAPE_H
#define TAMIS_STREAM_TAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tamis/status.h>

/* The temporary file, shared by any number of tapes, each of which is a chain of
 * blocks of it. Made when the first block is written. */
typedef struct tamis_temp {
    const char *folder;
    size_t block;    /* bytes, the link to the next block included */
    int fd;          /* -1: not made yet */
    uint64_t blocks; /* given out so far */
    uint64_t bytes;  /* written so far */
} tamis_temp;

void tamis_temp_init(tamis_temp *temp, const char *folder, size_t block);
void tamis_temp_close(tamis_temp *temp);

/* A new file without a name in `folder`; the caller closes it. E_IO names the folder. */
tamis_status tamis_temp_make(const char *folder, int *out_fd, tamis_error *err);
/* Writes all of it at a position. E_IO names the folder. */
tamis_status tamis_temp_write(const char *folder, int fd, const void *data, size_t len, uint64_t at,
                              tamis_error *err);

typedef struct tamis_tape {
    tamis_temp *temp;
    unsigned char *memory; /* `budget` bytes; NULL before the first write and after spilling */
    size_t budget;
    bool spilled;
    unsigned char *buffer; /* spilled and not ended: block number `current` */
    size_t used;           /* of it, the link included */
    uint64_t first;        /* spilled: number of the first block */
    uint64_t current;
    uint64_t bytes; /* all */
} tamis_tape;

/* A budget of 0 goes straight to the file. A budget that cannot be had is halved. */
void tamis_tape_init(tamis_tape *tape, tamis_temp *temp, size_t budget);
void tamis_tape_free(tamis_tape *tape);
/* Fails with E_IO, E_NOMEM. */
tamis_status tamis_tape_append(tamis_tape *tape, const void *data, size_t len, tamis_error *err);
/* Ends the writing, as reading needs; frees what only writing used. */
tamis_status tamis_tape_end(tamis_tape *tape, tamis_error *err);

typedef struct tamis_cursor {
    const tamis_tape *tape;
    uint64_t left;           /* bytes not read yet */
    const unsigned char *at; /* where they continue in memory or in the block */
    size_t here;             /* of them in this block (memory: all) */
    uint64_t next;           /* spilled: the block behind this one */
    unsigned char *block;    /* spilled */
    unsigned char *scratch;  /* for pieces that cross blocks */
    size_t scratch_size;
} tamis_cursor;

/* Starts at the front. Fails with E_NOMEM, E_IO. */
tamis_status tamis_cursor_open(tamis_cursor *cursor, const tamis_tape *tape, tamis_error *err);
void tamis_cursor_close(tamis_cursor *cursor);
/* The next `len` bytes in one piece, valid until the next read; a tape in memory
 * stays where it is. E_IO: fewer are left, or reading failed. */
tamis_status tamis_cursor_read(tamis_cursor *cursor, size_t len, const unsigned char **out, tamis_error *err);

#endif
