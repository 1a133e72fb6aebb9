/* One line that says what failed, in the library's own form. */
#ifndef TAMIS_CLI_FAIL_H
#define TAMIS_CLI_FAIL_H

#include <tamis/status.h>

/* Puts status and message into *err (may be NULL) and returns the status. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
tamis_status
fail(tamis_error *err, tamis_status status, const char *format, ...);

/* The same for a failed system call: E_IO (E_CLOSED for EPIPE, E_NOMEM for
 * ENOMEM), errno's text behind "what: ". */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
tamis_status
fail_errno(tamis_error *err, const char *format, ...);

#endif
