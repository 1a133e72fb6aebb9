#define _GNU_SOURCE

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define MAP_FROM ((size_t)1 << 20) /* bytes from which on fresh pages are mapped */

static void *map_pages(size_t nbytes)
{
    void *pages = mmap(NULL, nbytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return pages == MAP_FAILED ? NULL : pages;
}

static void *default_allocate(void *ctx, size_t nbytes, size_t alignment)
{
    (void)ctx;
    if (nbytes >= MAP_FROM) /* a page is aligned enough */
        return map_pages(nbytes);
    if (nbytes > SIZE_MAX - alignment)
        return NULL;
    size_t rounded = (nbytes + alignment - 1) / alignment * alignment;
    void *block = aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
    if (block != NULL)
        memset(block, 0, nbytes);
    return block;
}

static void default_release(void *ctx, void *ptr, size_t nbytes)
{
    (void)ctx;
    if (nbytes >= MAP_FROM)
        (void)munmap(ptr, nbytes);
    else
        free(ptr);
}

const tamis_allocator tamis_default_allocator = {NULL, default_allocate, default_release};
