/* Reading and writing descriptors to the last byte. */
#ifndef TAMIS_FILE_IO_H
#define TAMIS_FILE_IO_H

#include <tamis/file.h>

/* Reads `len` bytes, fewer only at the end; goes on after signals, and waits when
 * the descriptor does not block. E_IO. */
tamis_status tamis_io_read(int fd, void *to, size_t len, size_t *out_got, tamis_error *err);

/* Writes all of `len` bytes in the same way. E_IO, E_CLOSED. */
tamis_status tamis_io_write(int fd, const void *from, size_t len, tamis_error *err);

/* Writes all of `len` bytes at an offset. E_IO. */
tamis_status tamis_io_write_at(int fd, const void *from, size_t len, uint64_t offset, tamis_error *err);

/* Waits until a file's bytes are safe. E_IO. */
tamis_status tamis_io_sync(int fd, tamis_error *err);

/* Closes a descriptor that was written to. E_IO. */
tamis_status tamis_io_close(int fd, tamis_error *err);

/* Puts "name: " in front of a message; returns err's status. */
tamis_status tamis_io_name_error(tamis_error *err, tamis_status status, const char *name);

#endif
