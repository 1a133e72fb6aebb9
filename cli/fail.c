#include "fail.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void set_message(tamis_error *err, tamis_status status, int saved, const char *format, va_list args)
{
    err->status = status;
    err->system_errno = saved;
    (void)vsnprintf(err->message, sizeof err->message, format, args);
}

tamis_status fail(tamis_error *err, tamis_status status, const char *format, ...)
{
    if (err != NULL) {
        va_list args;
        va_start(args, format);
        set_message(err, status, 0, format, args);
        va_end(args);
    }
    return status;
}

tamis_status fail_errno(tamis_error *err, const char *format, ...)
{
    int saved = errno;
    tamis_status status = saved == EPIPE ? TAMIS_E_CLOSED : saved == ENOMEM ? TAMIS_E_NOMEM : TAMIS_E_IO;
    if (err != NULL) {
        va_list args;
        va_start(args, format);
        set_message(err, status, saved, format, args);
        va_end(args);
        size_t used = strlen(err->message);
        (void)snprintf(err->message + used, sizeof err->message - used, ": %s", strerror(saved));
    }
    return status;
}
