#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "stream/input.h"
#include "stream/select.h"

#define COPY_BLOCK ((size_t)64 * 1024)

static const char *folder_of(const tamis_selection *sel)
{
    return sel->temp.folder;
}

static tamis_status copy_to(tamis_selection *sel, tamis_input *from, int to, uint64_t *bytes,
                            tamis_error *err)
{
    char *buffer = malloc(COPY_BLOCK);
    if (buffer == NULL)
        return tamis_fail(err, TAMIS_E_NOMEM, "out of memory for a block of %zu bytes", COPY_BLOCK);
    tamis_status status = TAMIS_OK;
    size_t got = 1;
    while (status == TAMIS_OK && got > 0) {
        bool would_wait = false;
        status = tamis_input_read(from, buffer, COPY_BLOCK, sel->options->stop, true, &got, &would_wait, err);
        if (status == TAMIS_OK)
            status = tamis_temp_write(folder_of(sel), to, buffer, got, *bytes, err);
        *bytes += got;
    }
    free(buffer);
    return status;
}

/* Replaces a pipe by a temporary file with what comes out of it. */
static tamis_status spool(tamis_selection *sel, tamis_input *input, tamis_error *err)
{
    int fd = -1;
    tamis_status status = tamis_temp_make(folder_of(sel), &fd, err);
    if (status != TAMIS_OK)
        return status;
    uint64_t bytes = 0;
    status = copy_to(sel, input, fd, &bytes, err);
    if (status != TAMIS_OK) {
        (void)close(fd);
        return status;
    }
    sel->report->spilled_bytes += bytes;
    sel->report->passes++;
    tamis_input_close(input);
    *input = (tamis_input){.fd = fd, .owned = true, .regular = true, .bytes = bytes, .name = input->name};
    return TAMIS_OK;
}

tamis_status tamis_source_open(tamis_source *source, const char *path, bool again, tamis_selection *sel,
                               tamis_error *err)
{
    tamis_input input;
    tamis_status status = tamis_input_open(path, &input, err);
    if (status != TAMIS_OK)
        return status;
    if (!input.regular && again)
        status = spool(sel, &input, err);
    if (status != TAMIS_OK) {
        tamis_input_close(&input);
        return status;
    }
    off_t start = input.fd == STDIN_FILENO && !input.owned ? lseek(input.fd, 0, SEEK_CUR) : 0;
    *source = (tamis_source){.name = path,
                             .fd = input.fd,
                             .owned = input.owned,
                             .again = input.regular,
                             .start = start < 0 ? 0 : start,
                             .bytes = input.bytes};
    return TAMIS_OK;
}

void tamis_source_close(tamis_source *source)
{
    if (source->owned)
        (void)close(source->fd);
    source->owned = false;
}

static tamis_status read_batches(tamis_selection *sel, tamis_reader *reader, tamis_batch_function take,
                                 tamis_reader_stats *stats, tamis_error *err)
{
    for (;;) {
        tamis_records batch;
        tamis_status status = tamis_reader_next(reader, &batch, err);
        tamis_reader_get_stats(reader, stats);
        if (status != TAMIS_OK || batch.count == 0)
            return status;
        status = take(sel, &batch, err);
        if (status != TAMIS_OK)
            return status;
        if (sel->options->progress != NULL)
            sel->options->progress(sel->options->ctx, sel->bytes_done + stats->bytes, sel->bytes_total);
    }
}

tamis_status tamis_selection_pass(tamis_selection *sel, tamis_source *source, tamis_batch_function take,
                                  tamis_error *err)
{
    bool first = source->records == UINT64_MAX;
    if (source->again && lseek(source->fd, (off_t)source->start, SEEK_SET) < 0)
        return tamis_fail_errno(err, "cannot read %s again", tamis_input_label(source->name));
    tamis_reader *reader = NULL;
    tamis_status status =
        tamis_reader_open_fd(source->fd, source->name, sel->format, sel->sizes.read_block, &reader, err);
    if (status != TAMIS_OK)
        return status;
    tamis_reader_set_stop(reader, sel->options->stop);
    tamis_reader_stats stats = {0};
    status = read_batches(sel, reader, take, &stats, err);
    tamis_reader_close(reader);
    sel->bytes_done += stats.bytes;
    sel->report->passes++;
    if (first)
        source->records = stats.records;
    else if (status == TAMIS_OK && stats.records != source->records)
        status = tamis_fail(err, TAMIS_E_IO, "%s changed while it was read", tamis_input_label(source->name));
    return status;
}
