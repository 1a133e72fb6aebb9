#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "fail.h"
#include "lists.h"
#include "report.h"

static tamis_status verify_one(const options *opts, const char *path, tamis_error *err)
{
    tamis_filter *filter = NULL;
    if (strcmp(path, "-") == 0) {
        if (opts->flag[OPT_RESEAL])
            return fail(err, TAMIS_E_ARGUMENT, "--reseal -: standard input cannot be rewritten; name a file");
        tamis_status status = list_open(path, false, &filter, err);
        tamis_filter_free(filter);
        return status;
    }
    if (opts->flag[OPT_RESEAL]) {
        tamis_status status = tamis_file_reseal(path, err);
        if (status != TAMIS_OK)
            return status;
    }
    return tamis_file_verify(path, err);
}

/* Goes on to the next file after a bad one: each gets its own line. */
int verify_main(const options *opts)
{
    tamis_error err = {.status = TAMIS_OK};
    int result = STATUS_FINE;
    for (size_t i = 0; i < opts->operand_count; i++) {
        tamis_status status = verify_one(opts, opts->operands[i], &err);
        if (status == TAMIS_OK)
            (void)printf("%s: OK\n", opts->operands[i]);
        else
            result = report_failure(&err);
    }
    return report_finish_stdout(&err) == TAMIS_OK ? result : report_failure(&err);
}
