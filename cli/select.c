#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "commands.h"
#include "fail.h"
#include "input.h"
#include "output.h"
#include "progress.h"
#include "report.h"
#include "signals.h"

static void progress(void *ctx, uint64_t done, uint64_t total)
{
    (void)ctx;
    progress_update(done, total);
}

/* Whether more than half of the lines at the beginning of a file end in CR. */
static bool ends_in_cr(const char *path)
{
    static char block[65536];
    struct stat about;
    size_t lines = 0, ended = 0;
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode))
        return false;
    FILE *from = fopen(path, "rb");
    if (from == NULL)
        return false;
    size_t len = fread(block, 1, sizeof block, from);
    (void)fclose(from);
    for (size_t i = 0; i < len; i++) {
        lines += block[i] == '\n';
        ended += block[i] == '\n' && i > 0 && block[i - 1] == '\r';
    }
    return ended > lines / 2;
}

static void warn_of_crs(const options *opts, const input *in)
{
    for (size_t i = 0; i < opts->operand_count; i++)
        if (in->cr_matters && !opts->flag[OPT_CRLF] && ends_in_cr(opts->operands[i]))
            report_warning("more than half of the lines of %s end in CR, which is part of the line here; "
                           "--crlf takes it as part of the line end",
                           opts->operands[i]);
}

static const char *temp_dir(const options *opts)
{
    const char *wanted = opts->temp_dir != NULL ? opts->temp_dir : getenv("TMPDIR");
    return wanted != NULL && *wanted != '\0' ? wanted : NULL;
}

/* Before any work: it may be needed only after hours. */
static tamis_status check_temp_dir(const char *folder, const char *origin, tamis_error *err)
{
    struct stat about;
    if (folder == NULL)
        return TAMIS_OK;
    if (stat(folder, &about) != 0)
        return fail_errno(err, "%s %s", origin, folder);
    if (!S_ISDIR(about.st_mode))
        return fail(err, TAMIS_E_ARGUMENT, "%s %s: is no folder", origin, folder);
    return access(folder, W_OK | X_OK) == 0 ? TAMIS_OK : fail_errno(err, "%s %s", origin, folder);
}

static void tell(const options *opts, const input *in, const tamis_select_report *report)
{
    input_warn(in);
    warn_of_crs(opts, in);
    stat_row rows[] = {
        {"lines_of_a", "lines of A", STAT_COUNT, report->records_a, 0.0},
        {"lines_of_b", "lines of B", STAT_COUNT, report->records_b, 0.0},
        {"lines_printed", "lines printed", STAT_COUNT, report->printed, 0.0},
        {"candidates", "candidates compared", STAT_COUNT, report->candidates, 0.0},
        {"spilled_bytes", "bytes in temporary files", STAT_COUNT, report->spilled_bytes, 0.0},
        {"passes", "passes", STAT_COUNT, report->passes, 0.0},
    };
    report_stats(opts, rows, sizeof rows / sizeof rows[0]);
}

static tamis_status run(const options *opts, const input *in, output *out, tamis_select_report *report,
                        tamis_error *err)
{
    tamis_select_options how = {
        .struct_size = sizeof how,
        .threads = (unsigned)opts->parallel,
        .minus = opts->command == CMD_MINUS,
        .memory_limit = opts->memory,
        .temp_dir = temp_dir(opts),
        .stop = signals_stop(),
        .progress = progress,
    };
    tamis_status status = check_temp_dir(how.temp_dir, opts->temp_dir != NULL ? "-T" : "TMPDIR", err);
    if (status == TAMIS_OK)
        status = output_open(opts, out, err);
    if (status == TAMIS_OK)
        status = input_apart_from(in, out->fd, err);
    if (status != TAMIS_OK)
        return status;
    signals_catch();
    progress_begin(opts);
    status =
        tamis_select_run(opts->operands[0], opts->operands[1], &in->format, out->writer, &how, report, err);
    progress_clear();
    return output_end(out, status, err);
}

int select_main(const options *opts)
{
    tamis_error err = {.status = TAMIS_OK};
    input in;
    output out = {.fd = -1};
    tamis_select_report report = {0, 0, 0, 0, 0, 0};
    tamis_status status = input_prepare(opts, 0, input_normalisation(opts), &in, &err);
    if (status != TAMIS_OK)
        return report_failure(&err);
    status = run(opts, &in, &out, &report, &err);
    if (status == TAMIS_OK)
        tell(opts, &in, &report);
    output_close(&out);
    input_close(&in);
    if (status != TAMIS_OK)
        return report_failure(&err);
    return report.printed > 0 ? STATUS_FINE : STATUS_NONE;
}
