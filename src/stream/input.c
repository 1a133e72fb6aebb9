#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64

#include "stream/input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

/* A signal may arrive between looking at the stop flag and the start of a wait;
 * waits are therefore cut into pieces of this length. */
#define WAIT_MS 200
#define READ_MAX ((size_t)1 << 30)

static bool is_stdin(const char *name)
{
    return strcmp(name, "-") == 0;
}

const char *tamis_input_label(const char *name)
{
    return is_stdin(name) ? "standard input" : name;
}

static tamis_status refuse_directory(const char *name, tamis_error *err)
{
    errno = EISDIR;
    return tamis_fail_errno(err, "cannot read %s", tamis_input_label(name));
}

static uint64_t bytes_left(int fd, const struct stat *info)
{
    off_t at = lseek(fd, 0, SEEK_CUR);
    return at < 0 || at > info->st_size ? 0 : (uint64_t)(info->st_size - at);
}

tamis_status tamis_input_check(const char *path, uint64_t *out_bytes, bool *out_regular, tamis_error *err)
{
    struct stat info;
    int failed = is_stdin(path) ? fstat(STDIN_FILENO, &info) : stat(path, &info);
    if (failed == 0 && !is_stdin(path))
        failed = faccessat(AT_FDCWD, path, R_OK, AT_EACCESS);
    if (failed != 0)
        return tamis_fail_errno(err, "cannot read %s", tamis_input_label(path));
    if (S_ISDIR(info.st_mode))
        return refuse_directory(path, err);
    *out_regular = S_ISREG(info.st_mode);
    *out_bytes = !*out_regular    ? 0
                 : is_stdin(path) ? bytes_left(STDIN_FILENO, &info)
                                  : (uint64_t)info.st_size;
    return TAMIS_OK;
}

tamis_status tamis_input_from_fd(int fd, const char *name, tamis_input *out, tamis_error *err)
{
    struct stat info;
    if (fstat(fd, &info) != 0)
        return tamis_fail_errno(err, "cannot read %s", tamis_input_label(name));
    if (S_ISDIR(info.st_mode))
        return refuse_directory(name, err);
    bool regular = S_ISREG(info.st_mode);
    *out = (tamis_input){
        .fd = fd, .regular = regular, .bytes = regular ? bytes_left(fd, &info) : 0, .name = name};
    if (regular)
        (void)posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    return TAMIS_OK;
}

tamis_status tamis_input_open(const char *path, tamis_input *out, tamis_error *err)
{
    if (is_stdin(path))
        return tamis_input_from_fd(STDIN_FILENO, path, out, err);
    /* Non-blocking only for the opening: a named pipe without a writer does not hold it
     * up, and is waited for when it is read. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return tamis_fail_errno(err, "cannot read %s", path);
    (void)fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
    struct stat info;
    bool fifo = fstat(fd, &info) == 0 && S_ISFIFO(info.st_mode);
    tamis_status status = tamis_input_from_fd(fd, path, out, err);
    if (status != TAMIS_OK) {
        (void)close(fd);
        return status;
    }
    out->owned = true;
    out->fifo = fifo;
    return TAMIS_OK;
}

void tamis_input_close(tamis_input *input)
{
    if (input->owned)
        (void)close(input->fd);
    input->owned = false;
    input->fd = -1;
}

/* Waits up to `timeout_ms` for something to read: 1 there is, 0 there is not. */
static int wait_for_input(int fd, int timeout_ms)
{
    struct pollfd wanted = {.fd = fd, .events = POLLIN};
    int ready = poll(&wanted, 1, timeout_ms);
    return ready < 0 ? (errno == EINTR ? 0 : 1) : ready;
}

tamis_status tamis_input_read(tamis_input *input, void *buffer, size_t size,
                              const volatile sig_atomic_t *stop, bool may_wait, size_t *got, bool *would_wait,
                              tamis_error *err)
{
    *got = 0;
    *would_wait = false;
    bool ask_first = !input->regular && (stop != NULL || !may_wait || input->fifo);
    for (;;) {
        if (stop != NULL && *stop)
            return tamis_fail(err, TAMIS_E_INTERRUPTED, "interrupted while reading %s",
                              tamis_input_label(input->name));
        if (ask_first && wait_for_input(input->fd, may_wait ? WAIT_MS : 0) == 0) {
            *would_wait = !may_wait;
            if (!may_wait)
                return TAMIS_OK;
            continue;
        }
        ssize_t n = read(input->fd, buffer, size < READ_MAX ? size : READ_MAX);
        if (n >= 0) {
            *got = (size_t)n;
            return TAMIS_OK;
        }
        if (errno == EAGAIN || errno == EWOULDBLOCK)
            ask_first = true;
        else if (errno != EINTR)
            return tamis_fail_errno(err, "cannot read %s", tamis_input_label(input->name));
    }
}
