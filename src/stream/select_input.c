#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
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

/* Size and time of a regular file; zeros for what is none. */
static tamis_select_stamp stamp_of(int fd)
{
    struct stat info;
    tamis_select_stamp stamp = {0, 0, 0};
    if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode))
        stamp = (tamis_select_stamp){info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec};
    return stamp;
}

tamis_status tamis_select_input_open(tamis_select_input *input, const char *path, bool again,
                                     tamis_selection *sel, tamis_error *err)
{
    tamis_input opened;
    tamis_status status = tamis_input_open(path, &opened, err);
    if (status != TAMIS_OK)
        return status;
    if (!opened.regular && again)
        status = spool(sel, &opened, err);
    if (status != TAMIS_OK) {
        tamis_input_close(&opened);
        return status;
    }
    off_t start = opened.fd == STDIN_FILENO && !opened.owned ? lseek(opened.fd, 0, SEEK_CUR) : 0;
    *input = (tamis_select_input){.name = path,
                                  .fd = opened.fd,
                                  .owned = opened.owned,
                                  .again = opened.regular,
                                  .start = start < 0 ? 0 : start,
                                  .bytes = opened.bytes,
                                  .records = UINT64_MAX,
                                  .stamp = stamp_of(opened.fd)};
    return TAMIS_OK;
}

tamis_status tamis_select_input_check(const tamis_select_input *input, uint64_t records, tamis_error *err)
{
    tamis_select_stamp now = stamp_of(input->fd);
    bool same = records == input->records && now.size == input->stamp.size &&
                now.seconds == input->stamp.seconds && now.nanoseconds == input->stamp.nanoseconds;
    return same ? TAMIS_OK : tamis_select_input_changed(input, err);
}

tamis_status tamis_select_input_changed(const tamis_select_input *input, tamis_error *err)
{
    return tamis_fail(err, TAMIS_E_IO, "%s changed while it was read", tamis_input_label(input->name));
}

void tamis_select_input_close(tamis_select_input *input)
{
    if (input->owned)
        (void)close(input->fd);
    input->owned = false;
}
