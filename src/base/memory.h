/* Zeroed, aligned memory through a filter's allocator. */
#ifndef TAMIS_BASE_MEMORY_H
#define TAMIS_BASE_MEMORY_H

#include <tamis/filter.h>

/* The allocator that is used when a caller gives none: fresh pages for large
 * sizes, which cost nothing until they are touched. */
extern const tamis_allocator tamis_default_allocator;

static inline void *tamis_allocate(const tamis_allocator *allocator, size_t nbytes)
{
    return allocator->allocate(allocator->ctx, nbytes, TAMIS_LINE_BYTES);
}

static inline void tamis_release(const tamis_allocator *allocator, void *ptr, size_t nbytes)
{
    if (ptr != NULL)
        allocator->release(allocator->ctx, ptr, nbytes);
}

#endif
