/* What the tests of filter files share: small filters, bytes of files, folders. */
#ifndef TESTS_FILE_SAMPLES_H
#define TESTS_FILE_SAMPLES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include <tamis/tamis.h>

#include "base/bits.h"
#include "file/format.h"
#include "hash/xxh3.h"

#define KINDS 4
#define MAX_PATH 4096

typedef struct file_bytes {
    unsigned char *data;
    size_t len;
} file_bytes;

/* --- filters ----------------------------------------------------------------- */

static inline tamis_params sample_params(tamis_kind kind, uint64_t capacity, double error_rate)
{
    tamis_params params = TAMIS_PARAMS_INIT;
    params.kind = kind;
    params.capacity = capacity;
    params.error_rate = error_rate;
    params.window_ms = kind == TAMIS_ROTATING ? 8000 : 0;
    return params;
}

static inline void add_numbers(tamis_filter *filter, unsigned from, unsigned to)
{
    for (unsigned i = from; i < to; i++)
        assert_int_equal(tamis_filter_add(filter, &i, sizeof i, NULL), TAMIS_OK);
}

static inline void assert_has_numbers(const tamis_filter *filter, unsigned from, unsigned to)
{
    for (unsigned i = from; i < to; i++)
        assert_true(tamis_filter_contains(filter, &i, sizeof i));
}

static inline tamis_filter *make_filter(tamis_kind kind, uint64_t capacity, unsigned items)
{
    tamis_filter *filter = NULL;
    tamis_params params = sample_params(kind, capacity, 0.01);
    assert_int_equal(tamis_filter_create(&params, &filter, NULL), TAMIS_OK);
    add_numbers(filter, 0, items);
    return filter;
}

/* --- bytes -------------------------------------------------------------------- */

static inline file_bytes read_file(const char *path)
{
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    file_bytes bytes = {malloc((size_t)st.st_size + 1), (size_t)st.st_size};
    FILE *file = fopen(path, "rb");
    assert_non_null(bytes.data);
    assert_non_null(file);
    assert_int_equal(fread(bytes.data, 1, bytes.len + 1, file), bytes.len);
    assert_int_equal(fclose(file), 0);
    return bytes;
}

static inline void write_file(const char *path, const unsigned char *data, size_t len)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, len, file), len);
    assert_int_equal(fclose(file), 0);
}

static inline file_bytes file_of(const tamis_filter *filter)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_int_equal(tamis_filter_write(filter, fileno(file), NULL), TAMIS_OK);
    file_bytes bytes = {malloc((size_t)tamis_filter_file_bytes(filter)),
                        (size_t)tamis_filter_file_bytes(filter)};
    assert_non_null(bytes.data);
    rewind(file);
    assert_int_equal(fread(bytes.data, 1, bytes.len, file), bytes.len);
    assert_int_equal(fgetc(file), EOF);
    assert_int_equal(fclose(file), 0);
    return bytes;
}

/* Makes the checksums right again after a change. */
static inline void reseal_bytes(file_bytes bytes)
{
    size_t payload = bytes.len - TAMIS_FILE_HEADER_BYTES;
    tamis_store64(bytes.data + TAMIS_AT_PAYLOAD_CHECKSUM,
                  tamis_xxh3(bytes.data + TAMIS_FILE_HEADER_BYTES, payload, 0));
    tamis_header_seal(bytes.data);
}

static inline tamis_status decode(file_bytes bytes, tamis_filter **out, tamis_error *err)
{
    return tamis_filter_decode(bytes.data, bytes.len, NULL, out, err);
}

static inline void assert_same_bytes(file_bytes a, file_bytes b)
{
    assert_int_equal(a.len, b.len);
    assert_memory_equal(a.data, b.data, a.len);
}

/* A file of one line (rotating: nine). */
static inline file_bytes small_file(tamis_kind kind)
{
    tamis_filter *filter = make_filter(kind, 20, 20);
    file_bytes bytes = file_of(filter);
    tamis_filter_free(filter);
    return bytes;
}

/* --- folders -------------------------------------------------------------------- */

/* A fresh folder in *state; path_in names a file in it. */
static inline int make_folder(void **state)
{
    char *folder = strdup("/tmp/tamis-test-XXXXXX");
    *state = folder;
    return folder != NULL && mkdtemp(folder) != NULL ? 0 : -1;
}

static inline int remove_folder(void **state)
{
    char command[MAX_PATH];
    (void)snprintf(command, sizeof command, "rm -rf '%s'", (char *)*state);
    int failed = system(command);
    free(*state);
    return failed;
}

static inline const char *path_in(void **state, const char *name, char *buffer)
{
    (void)snprintf(buffer, MAX_PATH, "%s/%s", (char *)*state, name);
    return buffer;
}

/* Number of files in the folder, hidden ones too. */
static inline int files_in(void **state)
{
    char command[MAX_PATH];
    int count = -1;
    (void)snprintf(command, sizeof command, "ls -A '%s' | wc -l", (char *)*state);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    assert_int_equal(fscanf(pipe, "%d", &count), 1);
    assert_int_equal(pclose(pipe), 0);
    return count;
}

#endif
