/* What the tests of src/stream share: byte buffers, temporary files, chance. */
#ifndef TESTS_STREAM_HELP_H
#define TESTS_STREAM_HELP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tamis/stream.h>

typedef struct bytes {
    char *data;
    size_t len;
    size_t room;
} bytes;

static inline void put(bytes *to, const void *data, size_t len)
{
    if (to->room - to->len < len + 1) {
        to->room = (to->len + len + 1) * 2;
        to->data = realloc(to->data, to->room);
        assert_non_null(to->data);
    }
    if (len > 0)
        memcpy(to->data + to->len, data, len);
    to->len += len;
    to->data[to->len] = '\0';
}

static inline void put_text(bytes *to, const char *text)
{
    put(to, text, strlen(text));
}

static inline void drop(bytes *buffer)
{
    free(buffer->data);
    *buffer = (bytes){0};
}

static inline void assert_same_bytes(const bytes *got, const bytes *wanted)
{
    assert_int_equal(got->len, wanted->len);
    if (wanted->len > 0)
        assert_memory_equal(got->data, wanted->data, wanted->len);
}

/* An open file that has no name. */
static inline int nameless_file(void)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    int fd = dup(fileno(file));
    assert_true(fd >= 0);
    assert_int_equal(fclose(file), 0);
    return fd;
}

/* The same, with contents, at its start. */
static inline int file_of(const void *data, size_t len)
{
    int fd = nameless_file();
    assert_int_equal(write(fd, len == 0 ? "" : data, len), (ssize_t)len);
    assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
    return fd;
}

static inline int file_of_text(const char *text)
{
    return file_of(text, strlen(text));
}

/* A name for an open descriptor. */
typedef struct fd_path {
    char text[32];
} fd_path;

static inline fd_path path_of(int fd)
{
    fd_path path;
    (void)snprintf(path.text, sizeof path.text, "/dev/fd/%d", fd);
    return path;
}

/* Everything in a file, from its beginning. */
static inline bytes contents_of(int fd)
{
    bytes all = {0};
    char block[65536];
    ssize_t got;
    put(&all, "", 0);
    for (off_t at = 0; (got = pread(fd, block, sizeof block, at)) > 0; at += got)
        put(&all, block, (size_t)got);
    assert_int_equal(got, 0);
    return all;
}

static inline tamis_record_format lines_format(void)
{
    return (tamis_record_format){.struct_size = sizeof(tamis_record_format), .delimiter = '\n'};
}

static inline uint64_t chance(uint64_t *state)
{
    uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static inline size_t below(uint64_t *state, size_t bound)
{
    return (size_t)(chance(state) % bound);
}

/* Length of the record at `at`, without its delimiter. */
static inline size_t record_at(const bytes *from, size_t at, char delimiter)
{
    const char *end = memchr(from->data + at, delimiter, from->len - at);
    return end == NULL ? from->len - at : (size_t)(end - from->data) - at;
}

#endif
