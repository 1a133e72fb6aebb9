/* What the command says on stderr, and the end of its output. */
#ifndef TAMIS_CLI_REPORT_H
#define TAMIS_CLI_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tamis/status.h>

#include "options.h"

enum { STATUS_FINE = 0, STATUS_NONE = 1, STATUS_TROUBLE = 2, STATUS_OVERFULL = 3 };

/* Sets the name before every message ("dedup"; NULL: the program's own) and
 * whether warnings are wanted. */
void report_begin(const char *command, bool quiet);

/* One line, and STATUS_TROUBLE; when the reader of the output went away or a
 * signal came, the process ends by that signal instead. */
int report_failure(const tamis_error *err);

/* One warning line, unless they are not wanted. */
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
void report_warning(const char *format, ...);

typedef enum stat_type { STAT_COUNT, STAT_REAL, STAT_BOOL } stat_type;

/* One figure of a report: its name in JSON and its label in text. */
typedef struct stat_row {
    const char *name;
    const char *label;
    stat_type type;
    uint64_t count; /* STAT_COUNT, STAT_BOOL */
    double real;
} stat_row;

/* Writes the report that --stats asks for, if it does. */
void report_stats(const options *opts, const stat_row *rows, size_t count);

/* Flushes stdout; TAMIS_E_IO or E_CLOSED where something was not written. */
tamis_status report_finish_stdout(tamis_error *err);

#endif
