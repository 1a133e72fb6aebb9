/* The progress bar: on a terminal, once the work has taken a second. */
#ifndef TAMIS_CLI_PROGRESS_H
#define TAMIS_CLI_PROGRESS_H

#include <stddef.h>
#include <stdint.h>

#include "options.h"

/* Begins to count time; a bar comes only with --progress and a terminal. */
void progress_begin(const options *opts);

/* `total` 0: not known. Cheap when it is called too often. */
void progress_update(uint64_t done, uint64_t total);

/* Takes the bar away, before other output on stderr and at the end. */
void progress_clear(void);

/* The line shown, without its control characters: done, rate and time left. */
void progress_text(char *out, size_t size, uint64_t done, uint64_t total, double seconds);

#endif
