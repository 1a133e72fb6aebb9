/* For how many lines a new filter is made. */
#ifndef TAMIS_CLI_CAPACITY_H
#define TAMIS_CLI_CAPACITY_H

#include <tamis/filter.h>

#include "input.h"
#include "options.h"

/* What -n says; an empty list has room for one line. */
uint64_t capacity_given(const options *opts);

/* Sets params->capacity to what was given, or to what the files seem to hold; where
 * nothing tells, a filter that grows begins with params->memory of 1 MiB, and one of
 * fixed size fails with E_ARGUMENT. A filter that grows gets its tightening, too. */
tamis_status capacity_choose(const options *opts, const input *in, tamis_params *params, tamis_error *err);

#endif
