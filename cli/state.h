/* The state of dedup: a filter file that is locked while it is used. */
#ifndef TAMIS_CLI_STATE_H
#define TAMIS_CLI_STATE_H

#include <tamis/file.h>

#include "lists.h"
#include "options.h"

typedef struct state {
    locked_list list; /* path NULL: no state; the filter is owned all the same */
    bool created;     /* by this run, */
    bool saved;       /* and saved since */
} state;

/* Opens an existing state; *found says whether there is one. E_ARGUMENT: it does
 * not agree with -n, -p, --on-full or the normalisation that were given. */
tamis_status state_open(const options *opts, state *st, bool *found, tamis_error *err);

/* Saves the new filter st->list.filter empty, where there is no file yet, and
 * keeps it locked. E_EXISTS: another run was faster. */
tamis_status state_create(const options *opts, state *st, tamis_error *err);

/* Saves it whole. */
tamis_status state_save(state *st, tamis_error *err);

/* Ends it. A file that this run made and never saved since is removed. */
void state_close(state *st);

#endif
