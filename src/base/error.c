/* For the POSIX strerror_r on every libc. */
#undef _GNU_SOURCE
#define _POSIX_C_SOURCE 200809L

#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MESSAGE_MAX (sizeof((tamis_error *)NULL)->message)

/* Control characters in a file's name must not break the one line. */
static void one_line(char *message)
{
    for (char *c = message; *c != '\0'; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = '?';
}

static void set_message(tamis_error *err, tamis_status status, int system_errno, const char *format,
                        va_list args)
{
    err->status = status;
    err->system_errno = system_errno;
    (void)vsnprintf(err->message, MESSAGE_MAX, format, args);
    one_line(err->message);
}

tamis_status tamis_fail(tamis_error *err, tamis_status status, const char *format, ...)
{
    if (err != NULL) {
        va_list args;
        va_start(args, format);
        set_message(err, status, 0, format, args);
        va_end(args);
    }
    return status;
}

static void append_errno_text(tamis_error *err, int saved)
{
    char text[128];
    if (strerror_r(saved, text, sizeof text) != 0)
        (void)snprintf(text, sizeof text, "error %d", saved);
    size_t used = strlen(err->message);
    (void)snprintf(err->message + used, MESSAGE_MAX - used, ": %s", text);
}

tamis_status tamis_fail_errno(tamis_error *err, const char *format, ...)
{
    int saved = errno;
    tamis_status status = saved == EPIPE ? TAMIS_E_CLOSED : saved == ENOMEM ? TAMIS_E_NOMEM : TAMIS_E_IO;
    if (err != NULL) {
        va_list args;
        va_start(args, format);
        set_message(err, status, saved, format, args);
        va_end(args);
        append_errno_text(err, saved);
    }
    errno = saved;
    return status;
}
