/* Lines into a filter: what build and add share. */
#ifndef TAMIS_CLI_INTAKE_H
#define TAMIS_CLI_INTAKE_H

#include "input.h"

typedef struct intake {
    input *in;
    tamis_filter *filter;
    double stop_beyond; /* distinct items that end it with E_FULL; 0: none */
    const char *advice; /* what to do then */
    double items;       /* distinct so far; set at the start to what the filter holds */
    uint64_t lines;     /* with a key */
    uint64_t fresh;     /* of them: not in the filter before */
} intake;

/* Adds the keys of everything read, with `threads` threads at most. Fails as reading and adding do, and with
 * E_FULL. */
tamis_status intake_run(input *in, unsigned threads, intake *into, tamis_error *err);

/* The report of --stats. */
void intake_stats(const options *opts, const input *in, const intake *from);

#endif
