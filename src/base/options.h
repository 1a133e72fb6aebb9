/* Structs that callers fill in and that may grow: the first member of each is its
 * size, as the caller's compiler saw it. */
#ifndef TAMIS_BASE_OPTIONS_H
#define TAMIS_BASE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* More than any such struct will ever have: beyond it the size is not a size. */
#define TAMIS_OPTIONS_MOST ((size_t)4096)

/* Copies such a struct from a caller that was compiled with an older or a newer
 * header. `out_size` is the size that is known here, `first_size` that of its first
 * version. Members that the caller did not know become 0; of those that are not
 * known here every byte must be 0. False: sizes below the first, and requests that
 * cannot be understood. */
static inline bool tamis_options_read(void *out, size_t out_size, const void *given, size_t first_size)
{
    size_t size;
    memcpy(&size, given, sizeof size);
    if (size < first_size || size > TAMIS_OPTIONS_MOST)
        return false;
    for (size_t i = out_size; i < size; i++)
        if (((const unsigned char *)given)[i] != 0)
            return false;
    memset(out, 0, out_size);
    memcpy(out, given, size < out_size ? size : out_size);
    memcpy(out, &out_size, sizeof out_size);
    return true;
}

/* The other way round: results for a caller that was compiled with an older or a
 * newer header, whose `out` begins with its size. Members that only the caller knows
 * become 0. False, with nothing written: sizes below the first. */
static inline bool tamis_results_write(void *out, const void *results, size_t results_size, size_t first_size)
{
    size_t size;
    memcpy(&size, out, sizeof size);
    if (size < first_size || size > TAMIS_OPTIONS_MOST)
        return false;
    memset(out, 0, size);
    memcpy(out, results, size < results_size ? size : results_size);
    memcpy(out, &size, sizeof size);
    return true;
}

#endif
