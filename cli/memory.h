/* What fits into memory, before anything is allocated. */
#ifndef TAMIS_CLI_MEMORY_H
#define TAMIS_CLI_MEMORY_H

#include <tamis/filter.h>

/* Bytes that this process can still get, and what limits them (static text).
 * UINT64_MAX where nothing tells. */
uint64_t memory_available(const char **limit);

/* Fails with E_TOO_LARGE where a filter of these parameters does not fit, naming
 * bytes and limit and the error rate that would fit; or as tamis_plan_filter. */
tamis_status memory_check(const tamis_params *params, tamis_error *err);

/* Once planning `params` failed: when more memory would do, says so of -S `given`,
 * and how much. Returns the failure's status. */
tamis_status memory_too_small(const tamis_params *params, const char *given, tamis_error *err);

#endif
