#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "stream/tape.h"

void tamis_temp_init(tamis_temp *temp, const char *folder, size_t block)
{
    *temp = (tamis_temp){.folder = folder, .block = block, .fd = -1};
}

void tamis_temp_close(tamis_temp *temp)
{
    if (temp->fd >= 0)
        (void)close(temp->fd);
    temp->fd = -1;
}

/* For file systems that make no files without a name. */
static int make_and_unlink(const char *folder)
{
    static const char ending[] = "/tamis.XXXXXX";
    size_t len = strlen(folder);
    char *name = malloc(len + sizeof ending);
    if (name == NULL)
        return -1;
    memcpy(name, folder, len);
    memcpy(name + len, ending, sizeof ending);
    int fd = mkostemp(name, O_CLOEXEC);
    if (fd >= 0)
        (void)unlink(name);
    free(name);
    return fd;
}

tamis_status tamis_temp_make(const char *folder, int *out_fd, tamis_error *err)
{
    int fd = -1;
#ifdef O_TMPFILE
    fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
#endif
    if (fd < 0)
        fd = make_and_unlink(folder);
    if (fd < 0)
        return tamis_fail_errno(err, "cannot make a temporary file in %s", folder);
    *out_fd = fd;
    return TAMIS_OK;
}

tamis_status tamis_temp_write(const char *folder, int fd, const void *data, size_t len, uint64_t at,
                              tamis_error *err)
{
    const char *bytes = data;
    while (len > 0) {
        ssize_t n = pwrite(fd, bytes, len, (off_t)at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return tamis_fail_errno(err, "cannot write temporary data in %s", folder);
        bytes += n;
        len -= (size_t)n;
        at += (uint64_t)n;
    }
    return TAMIS_OK;
}
