#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include "file/io.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

/* Some systems refuse more in one call. */
#define MOST_AT_ONCE ((size_t)1 << 30)

/* True when a failed call is to be made again. */
static bool try_again(int fd, short events)
{
    if (errno == EINTR)
        return true;
    if (errno != EAGAIN && errno != EWOULDBLOCK)
        return false;
    struct pollfd wait = {fd, events, 0};
    return poll(&wait, 1, -1) >= 0 || errno == EINTR;
}

static size_t at_once(size_t len)
{
    return len < MOST_AT_ONCE ? len : MOST_AT_ONCE;
}

tamis_status tamis_io_read(int fd, void *to, size_t len, size_t *out_got, tamis_error *err)
{
    *out_got = 0;
    while (*out_got < len) {
        ssize_t got = read(fd, (unsigned char *)to + *out_got, at_once(len - *out_got));
        if (got == 0)
            break;
        if (got > 0)
            *out_got += (size_t)got;
        else if (!try_again(fd, POLLIN))
            return tamis_fail_errno(err, "cannot read the filter file");
    }
    return TAMIS_OK;
}

tamis_status tamis_io_write(int fd, const void *from, size_t len, tamis_error *err)
{
    size_t done = 0;
    while (done < len) {
        ssize_t put = write(fd, (const unsigned char *)from + done, at_once(len - done));
        if (put >= 0)
            done += (size_t)put;
        else if (!try_again(fd, POLLOUT))
            return tamis_fail_errno(err, "cannot write the filter file");
    }
    return TAMIS_OK;
}

tamis_status tamis_io_write_at(int fd, const void *from, size_t len, uint64_t offset, tamis_error *err)
{
    size_t done = 0;
    while (done < len) {
        ssize_t put =
            pwrite(fd, (const unsigned char *)from + done, at_once(len - done), (off_t)(offset + done));
        if (put >= 0)
            done += (size_t)put;
        else if (!try_again(fd, POLLOUT))
            return tamis_fail_errno(err, "cannot write the filter file");
    }
    return TAMIS_OK;
}

tamis_status tamis_io_sync(int fd, tamis_error *err)
{
    int failed;
    do
        failed = fsync(fd);
    while (failed != 0 && errno == EINTR);
    return failed == 0 ? TAMIS_OK : tamis_fail_errno(err, "cannot sync the filter file");
}

/* After EINTR the descriptor is closed all the same. */
tamis_status tamis_io_close(int fd, tamis_error *err)
{
    if (close(fd) == 0 || errno == EINTR)
        return TAMIS_OK;
    return tamis_fail_errno(err, "cannot close the filter file");
}

tamis_status tamis_io_name_error(tamis_error *err, tamis_status status, const char *name)
{
    if (err == NULL || status == TAMIS_OK)
        return status;
    char message[sizeof err->message];
    int system_errno = err->system_errno;
    memcpy(message, err->message, sizeof message);
    (void)tamis_fail(err, status, "%.240s: %s", name, message);
    err->system_errno = system_errno;
    return status;
}
