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

/* Opens what a path that is no regular file leads to: a device, a pipe, or a
 * descriptor such as /dev/stdout or /dev/fd/3, whatever is behind it. *fd -1: the
 * path means a file, there or not. */
tamis_status output_stream(const char *path, int *fd, tamis_error *err);

/* Opens standard output or a temporary file beside FILE (or FILE itself where it
 * is no regular file). Symbolic links are followed, dangling ones too. */
tamis_status output_open(const options *opts, output *out, tamis_error *err);

/* Ends the output of a run that ended with `status`: after success the file is put
 * in its place; after a failure what was written before it still goes out, unless
 * to a file that will not appear. Returns the failure of the output, else `status`. */
tamis_status output_end(output *out, tamis_status status, tamis_error *err);

/* Frees everything; an unfinished temporary file is removed. */
void output_close(output *out);

#endif
