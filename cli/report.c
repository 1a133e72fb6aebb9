#include "report.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "fail.h"
#include "progress.h"
#include "signals.h"

static const char *command_name;
static bool no_warnings;

void report_begin(const char *command, bool quiet)
{
    command_name = command;
    no_warnings = quiet;
}

/* One line whatever is in it. */
static void say(const char *kind, char *message)
{
    for (char *c = message; *c != '\0'; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = '?';
    progress_clear();
    if (command_name != NULL)
        (void)fprintf(stderr, "tamis %s: %s%s\n", command_name, kind, message);
    else
        (void)fprintf(stderr, "tamis: %s%s\n", kind, message);
}

int report_failure(const tamis_error *err)
{
    char message[sizeof err->message];
    if (err->status == TAMIS_E_INTERRUPTED)
        signals_raise();
    if (err->status == TAMIS_E_CLOSED)
        return signals_broken_pipe();
    (void)snprintf(message, sizeof message, "%s",
                   err->message[0] != '\0' ? err->message : tamis_status_text(err->status));
    say("", message);
    return STATUS_TROUBLE;
}

void report_warning(const char *format, ...)
{
    char message[1024];
    va_list args;
    if (no_warnings)
        return;
    va_start(args, format);
    (void)vsnprintf(message, sizeof message, format, args);
    va_end(args);
    say("warning: ", message);
}

static void put_value(const stat_row *row, bool json)
{
    if (row->type == STAT_COUNT)
        (void)fprintf(stderr, "%" PRIu64, row->count);
    else if (row->type == STAT_BOOL)
        (void)fputs(json ? (row->count ? "true" : "false") : (row->count ? "yes" : "no"), stderr);
    else if (isfinite(row->real))
        (void)fprintf(stderr, "%.4g", row->real);
    else
        (void)fputs("null", stderr);
}

void report_stats(const options *opts, const stat_row *rows, size_t count)
{
    bool json = opts->stats == STATS_JSON;
    if (!opts->given[OPT_STATS])
        return;
    progress_clear();
    if (json)
        (void)fprintf(stderr, "{\"command\":\"%s\"", command_table[opts->command].name);
    for (size_t i = 0; i < count; i++) {
        if (json)
            (void)fprintf(stderr, ",\"%s\":", rows[i].name);
        else
            (void)fprintf(stderr, "%-28s ", rows[i].label);
        put_value(&rows[i], json);
        if (!json)
            (void)fputc('\n', stderr);
    }
    if (json)
        (void)fputs("}\n", stderr);
}

tamis_status report_finish_stdout(tamis_error *err)
{
    if (fflush(stdout) != 0 || ferror(stdout))
        return fail_errno(err, "standard output");
    return TAMIS_OK;
}
