/* One input of bytes: opening, reading with a stop flag, asking without waiting. */
#ifndef TAMIS_STREAM_INPUT_H
#define TAMIS_STREAM_INPUT_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tamis/status.h>

typedef struct tamis_input {
    int fd;
    bool owned;       /* close it at the end */
    bool regular;     /* reading never waits */
    bool fifo;        /* opened by name: reads as ended until its first writer is there, so is waited for */
    uint64_t bytes;   /* regular: from the current position to the end */
    const char *name; /* as given; "-" for stdin */
} tamis_input;

/* How messages call a file: "-" is standard input. */
const char *tamis_input_label(const char *name);

/* Tells whether `path` can be read, and is a regular file, without opening it.
 * Fails with E_IO: missing, a directory, no permission. */
tamis_status tamis_input_check(const char *path, uint64_t *out_bytes, bool *out_regular, tamis_error *err);

tamis_status tamis_input_open(const char *path, tamis_input *out, tamis_error *err);
/* Reads a descriptor that stays the caller's. */
tamis_status tamis_input_from_fd(int fd, const char *name, tamis_input *out, tamis_error *err);
void tamis_input_close(tamis_input *input);

/* Reads up to `size` bytes; *got = 0 at the end. With may_wait false it returns at
 * once, with *got = 0 and *would_wait true when there is nothing yet. A stop flag
 * (may be NULL) ends a wait with E_INTERRUPTED. */
tamis_status tamis_input_read(tamis_input *input, void *buffer, size_t size,
                              const volatile sig_atomic_t *stop, bool may_wait, size_t *got, bool *would_wait,
                              tamis_error *err);

#endif
