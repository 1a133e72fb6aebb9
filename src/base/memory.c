#define _GNU_SOURCE

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MAP_FROM ((size_t)1 << 20)  /* bytes from which on fresh pages are mapped */
#define HUGE_FROM ((size_t)4 << 20) /* bytes from which on huge pages are asked for */
#define HUGE_PAGE ((size_t)2 << 20)

static void *map_pages(size_t nbytes)
{
    void *pages = mmap(NULL, nbytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return pages == MAP_FAILED ? NULL : pages;
}

/* Pages that begin where a huge page may begin. What is mapped around them is
 * given back, so that they are released like any others. */
static void *map_huge_pages(size_t nbytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t rounded = (nbytes + page - 1) / page * page;
    char *pages = nbytes < SIZE_MAX / 2 ? map_pages(rounded + HUGE_PAGE) : NULL;
    if (pages == NULL)
        return NULL;
    size_t before = (HUGE_PAGE - (uintptr_t)pages % HUGE_PAGE) % HUGE_PAGE;
    if (before > 0)
        (void)munmap(pages, before);
    (void)munmap(pages + before + rounded, HUGE_PAGE - before);
#ifdef MADV_HUGEPAGE
    (void)madvise(pages + before, rounded, MADV_HUGEPAGE); /* where the system grants them */
#endif
    return pages + before;
}

static void *default_allocate(void *ctx, size_t nbytes, size_t alignment)
{
    (void)ctx;
    if (nbytes >= MAP_FROM) /* a page is aligned enough */
        return nbytes >= HUGE_FROM ? map_huge_pages(nbytes) : map_pages(nbytes);
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
