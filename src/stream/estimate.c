#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "stream/input.h"
#include "stream/internal.h"

#define SAMPLE ((size_t)64 * 1024)
#define SAMPLES 128u /* of all files together, and at least one a file */

/* What the sampled blocks of one file hold. */
typedef struct sample {
    uint64_t bytes;
    uint64_t delimiters;
    bool open_end; /* the last byte seen is no delimiter */
} sample;

static ssize_t read_at(int fd, char *buffer, size_t size, off_t at)
{
    ssize_t got;
    do
        got = pread(fd, buffer, size, at);
    while (got < 0 && errno == EINTR);
    return got;
}

static void count_block(const char *block, size_t len, unsigned char delimiter, sample *into)
{
    uint64_t found = 0;
    for (size_t i = 0; i < len; i++)
        found += (unsigned char)block[i] == delimiter;
    into->bytes += len;
    into->delimiters += found;
    if (len > 0)
        into->open_end = (unsigned char)block[len - 1] != delimiter;
}

/* Reads `blocks` blocks spread evenly over the file, or all of a small one. */
static tamis_status sample_file(const tamis_input *input, off_t start, uint64_t blocks, char *buffer,
                                unsigned char delimiter, sample *out, tamis_error *err)
{
    uint64_t whole = (input->bytes + SAMPLE - 1) / SAMPLE;
    bool all = blocks >= whole;
    if (all)
        blocks = whole;
    uint64_t step = all ? SAMPLE : blocks < 2 ? 0 : (input->bytes - SAMPLE) / (blocks - 1);
    for (uint64_t i = 0; i < blocks; i++) {
        ssize_t got = read_at(input->fd, buffer, SAMPLE, start + (off_t)(i * step));
        if (got < 0)
            return tamis_fail_errno(err, "cannot read %s", tamis_input_label(input->name));
        count_block(buffer, (size_t)got, delimiter, out);
    }
    return TAMIS_OK;
}

static uint64_t extrapolate(const sample *seen, uint64_t bytes)
{
    if (seen->bytes == 0)
        return 0;
    double records = (double)seen->delimiters * ((double)bytes / (double)seen->bytes);
    return (uint64_t)records + (seen->open_end ? 1 : 0);
}

static tamis_status estimate_input(const tamis_input *input, uint64_t blocks, unsigned char delimiter,
                                   uint64_t *out, tamis_error *err)
{
    char *buffer = malloc(SAMPLE);
    if (buffer == NULL)
        return tamis_fail(err, TAMIS_E_NOMEM, "out of memory for a block of %zu bytes", SAMPLE);
    sample seen = {0, 0, false};
    off_t start = lseek(input->fd, 0, SEEK_CUR);
    tamis_status status = sample_file(input, start < 0 ? 0 : start, blocks, buffer, delimiter, &seen, err);
    free(buffer);
    if (status == TAMIS_OK)
        *out = extrapolate(&seen, input->bytes);
    return status;
}

tamis_status tamis_estimate_fd(int fd, const char *name, unsigned char delimiter, uint64_t *out,
                               tamis_error *err)
{
    tamis_input input;
    tamis_status status = tamis_input_from_fd(fd, name, &input, err);
    return status == TAMIS_OK ? estimate_input(&input, SAMPLES, delimiter, out, err) : status;
}

static tamis_status estimate_path(const char *path, uint64_t total, unsigned char delimiter, uint64_t *out,
                                  tamis_error *err)
{
    tamis_input input;
    tamis_status status = tamis_input_open(path, &input, err);
    if (status != TAMIS_OK)
        return status;
    double share = total == 0 ? 0 : (double)input.bytes / (double)total;
    status = estimate_input(&input, 1 + (uint64_t)(share * SAMPLES), delimiter, out, err);
    tamis_input_close(&input);
    return status;
}

tamis_status tamis_estimate_records(const char *const *paths, size_t count, const tamis_record_format *format,
                                    uint64_t *out, tamis_error *err)
{
    uint64_t total = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t bytes = 0;
        bool regular = false;
        tamis_status status = tamis_input_check(paths[i], &bytes, &regular, err);
        if (status != TAMIS_OK)
            return status;
        if (!regular) {
            *out = 0;
            return TAMIS_OK;
        }
        total += bytes;
    }
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t records = 0;
        tamis_status status = estimate_path(paths[i], total, format->delimiter, &records, err);
        if (status != TAMIS_OK)
            return status;
        sum += records;
    }
    *out = sum;
    return TAMIS_OK;
}
