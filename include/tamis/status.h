/* Statuses and one-line error messages. */
#ifndef TAMIS_STATUS_H
#define TAMIS_STATUS_H

#include <tamis/export.h>

TAMIS_BEGIN_DECLS

/* Every status: name, pinned value, short text. Values never change. */
#define TAMIS_STATUS_MAP(X)                                   \
    X(OK, 0, "success")                                       \
    X(E_ARGUMENT, 1, "invalid or conflicting argument")       \
    X(E_RANGE, 2, "value out of range")                       \
    X(E_NOMEM, 3, "out of memory")                            \
    X(E_TOO_LARGE, 4, "size does not fit")                    \
    X(E_UNSUPPORTED, 5, "this kind of filter cannot do that") \
    X(E_MISMATCH, 6, "filters differ")                        \
    X(E_FULL, 7, "filter is full and cannot grow")            \
    X(E_NOT_FOUND, 8, "item is not in the filter")            \
    X(E_IO, 9, "input or output failed")                      \
    X(E_FORMAT, 10, "not a tamis file")                       \
    X(E_CORRUPT, 11, "file is damaged or truncated")          \
    X(E_VERSION, 12, "file needs a newer tamis")              \
    X(E_IN_USE, 13, "file is in use by another writer")       \
    X(E_NORMALISED, 14, "the filter's items are normalised")  \
    X(E_DIRTY, 15, "file was not closed cleanly")             \
    X(E_EXISTS, 16, "file exists already")                    \
    X(E_RECORD, 17, "record has no key")                      \
    X(E_CLOSED, 18, "the reader of the output went away")     \
    X(E_INTERRUPTED, 19, "interrupted")

typedef enum tamis_status {
#define TAMIS_STATUS_ENUM(name, value, text) TAMIS_##name = (value),
    TAMIS_STATUS_MAP(TAMIS_STATUS_ENUM)
#undef TAMIS_STATUS_ENUM
} tamis_status;

/* One line that says what failed: which argument, which value, which limit.
 * Filled in only on failure, by functions that take a `tamis_error *`, which
 * may always be NULL. The message is NUL-terminated, has no newline and no
 * program name, and may be cut to fit. Plain data; owned by the caller. */
typedef struct tamis_error {
    tamis_status status;
    int system_errno; /* errno behind TAMIS_E_IO, else 0 */
    char message[512];
} tamis_error;

/* Short English text of a status; "unknown status" for any other value.
 * Static storage. Thread-safe. Since 0.1. */
TAMIS_API const char *tamis_status_text(tamis_status status);

/* Name of a status such as "TAMIS_E_RANGE"; NULL for any other value.
 * Static storage. Thread-safe. Since 0.1. */
TAMIS_API const char *tamis_status_name(tamis_status status);

/* Version of the library as "major.minor.patch". Static storage.
 * Thread-safe. Since 0.1. */
TAMIS_API const char *tamis_version(void);

TAMIS_END_DECLS

#endif
