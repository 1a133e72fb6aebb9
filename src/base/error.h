/* Filling in tamis_error: every failure with a message passes through here. */
#ifndef TAMIS_BASE_ERROR_H
#define TAMIS_BASE_ERROR_H

#include <tamis/status.h>

#if defined(__GNUC__)
#define TAMIS_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define TAMIS_PRINTF(text, first)
#endif

/* Puts status and message into *err (may be NULL) and returns the status. */
TAMIS_PRINTF(3, 4)
tamis_status tamis_fail(tamis_error *err, tamis_status status, const char *format, ...);

/* The same for a failed system call: E_IO with errno's value and text behind
 * "what: ". E_CLOSED for EPIPE. Keeps errno. */
TAMIS_PRINTF(2, 3)
tamis_status tamis_fail_errno(tamis_error *err, const char *format, ...);

#endif
