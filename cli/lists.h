/* Filter files as the subcommands use them. */
#ifndef TAMIS_CLI_LISTS_H
#define TAMIS_CLI_LISTS_H

#include <tamis/file.h>

#include "options.h"

/* Opens a filter file, whole or (map) in O(1); "-" is standard input. The caller
 * normalises its items. */
tamis_status list_open(const char *path, bool map, tamis_filter **out, tamis_error *err);

/* A filter file locked for rewriting. */
typedef struct locked_list {
    const char *path;
    tamis_lock *lock;
    tamis_filter *filter;
} locked_list;

/* Locks (waiting with --wait) and opens. E_IO with ENOENT: there is none. */
tamis_status list_lock(const options *opts, const char *path, locked_list *out, tamis_error *err);
tamis_status list_save(const locked_list *list, tamis_error *err);
void list_unlock(locked_list *list);

/* Writes a new filter file, or the stream for "-". `lock` (NULL: none) is held on
 * the path. */
tamis_status list_write(const options *opts, const tamis_filter *filter, tamis_lock *lock, tamis_error *err);

/* Whether an output is written to rather than replaced: "-", a pipe, /dev/stdout.
 * E_ARGUMENT: a terminal. */
tamis_status list_output_streams(const char *path, bool *out, tamis_error *err);

/* Refuses an output that cannot be meant, before any work: no -o, a terminal, a
 * folder that is missing. */
tamis_status list_check_output(const options *opts, tamis_error *err);

/* Warns of a filter that holds more than it was made for. Says whether it does. */
bool list_warn_overfull(const char *path, const tamis_filter *filter);

/* "bloom", "counting", "scalable", "rotating". */
const char *list_kind_text(tamis_kind kind);

#endif
