/* Where lines go: standard output, or -o FILE, which appears when all is done. */
#ifndef TAMIS_CLI_OUTPUT_H
#define TAMIS_CLI_OUTPUT_H

#include <tamis/stream.h>

#include "options.h"

typedef struct output {
    tamis_writer *writer;
    int fd;
    char *path;      /* what the temporary file will be called; NULL: not a temporary file */
    char *temporary; /* its name now */
} output;

/* Opens standard output or a temporary file beside FILE (or FILE itself where it
 * is no regular file). */
tamis_status output_open(const options *opts, output *out, tamis_error *err);

/* Writes what is pending and puts the file in its place. */
tamis_status output_finish(output *out, tamis_error *err);

/* Frees everything; an unfinished temporary file is removed. */
void output_close(output *out);

#endif
