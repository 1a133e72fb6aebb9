/* Any bytes, cut into reads of any size and read with blocks of any size, with and
 * without a `cut` of one's own: the records, joined again, are the input. */
#define _GNU_SOURCE

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stream/internal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define READ_MAX 4096u /* a pipe takes as much without waiting */

typedef struct expectation {
    const uint8_t *data;
    size_t size;
    size_t at;
    unsigned char delimiter;
    bool cut;
} expectation;

static void require(bool holds)
{
    if (!holds)
        abort();
}

/* The next record is what stands in the input up to a delimiter or the end; without
 * a `cut` that is the next delimiter. */
static void take(expectation *input, const tamis_records *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const unsigned char *record = batch->records[i].data;
        size_t len = batch->records[i].len, left = input->size - input->at;
        require(len <= left && record[len] == input->delimiter);
        require(len == 0 || memcmp(record, input->data + input->at, len) == 0);
        require(len == left || input->data[input->at + len] == input->delimiter);
        require(input->cut || len == 0 || memchr(record, input->delimiter, len) == NULL);
        require(batch->keys[i].len == len || (batch->keys[i].len + 1 == len && record[len - 1] == '\r'));
        input->at += len < left ? len + 1 : len;
    }
}

/* Records of one delimiter, or of two when the first byte is 'q'. */
static size_t cut_pairs(void *ctx, const char *data, size_t len, bool restart)
{
    size_t *seen = ctx;
    if (restart)
        *seen = 0;
    for (; *seen < len; ++*seen)
        if (data[*seen] == '\n' && (data[0] != 'q' || (*seen > 0 && data[*seen - 1] == '\n')))
            return *seen + 1;
    return 0;
}

static void drain(tamis_reader *reader, expectation *input, bool to_the_end)
{
    tamis_records batch;
    do {
        if (!to_the_end && tamis_reader_would_wait(reader))
            return;
        require(tamis_reader_next(reader, &batch, NULL) == TAMIS_OK);
        take(input, &batch);
    } while (batch.count > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 4)
        return 0;
    size_t block = 1 + data[0], step = 1 + data[1] * (READ_MAX / 256), seen = 0;
    bool cut = (data[2] & 1) != 0;
    tamis_record_format format = {
        .struct_size = sizeof format, .delimiter = cut ? '\n' : data[3], .ctx = &seen};
    format.crlf = (data[2] & 2) != 0;
    format.cut = cut ? cut_pairs : NULL;
    expectation input = {data + 4, size - 4, 0, format.delimiter, cut};
    int ends[2];
    tamis_reader *reader = NULL;
    require(pipe(ends) == 0);
    require(tamis_reader_open_fd(ends[0], "input", &format, block, &reader, NULL) == TAMIS_OK);
    for (size_t at = 0; at < input.size; at += step) {
        size_t len = input.size - at < step ? input.size - at : step;
        require(write(ends[1], input.data + at, len) == (ssize_t)len);
        drain(reader, &input, false);
    }
    (void)close(ends[1]);
    drain(reader, &input, true);
    require(input.at == input.size);
    tamis_reader_close(reader);
    (void)close(ends[0]);
    return 0;
}
