#define _GNU_SOURCE

#include "bench/pages.h"

#include <stdio.h>
#include <sys/mman.h>

#define HUGE_FROM ((size_t)4 << 20)
#define HUGE_PAGE ((size_t)2 << 20)
#define SMALL_PAGE ((size_t)4096)

static size_t rounded(size_t nbytes)
{
    return (nbytes + SMALL_PAGE - 1) / SMALL_PAGE * SMALL_PAGE;
}

static void advise(void *pages, size_t nbytes, bool huge)
{
#if defined(MADV_HUGEPAGE) && defined(MADV_NOHUGEPAGE)
    if (!huge || nbytes >= HUGE_FROM)
        (void)madvise(pages, nbytes, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
#else
    (void)pages, (void)nbytes, (void)huge;
#endif
}

void *pages_map(size_t nbytes, bool huge)
{
    if (nbytes == 0 || nbytes > SIZE_MAX / 2)
        return NULL;
    size_t whole = rounded(nbytes);
    char *pages = mmap(NULL, whole + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == (char *)MAP_FAILED)
        return NULL;
    size_t before = (HUGE_PAGE - (uintptr_t)pages % HUGE_PAGE) % HUGE_PAGE;
    if (before > 0)
        (void)munmap(pages, before);
    (void)munmap(pages + before + whole, HUGE_PAGE - before);
    advise(pages + before, whole, huge);
    return pages + before;
}

void pages_unmap(void *pages, size_t nbytes)
{
    if (pages != NULL)
        (void)munmap(pages, rounded(nbytes));
}

static void *small_allocate(void *ctx, size_t nbytes, size_t alignment)
{
    (void)ctx;
    return alignment <= HUGE_PAGE ? pages_map(nbytes, false) : NULL;
}

static void small_release(void *ctx, void *pages, size_t nbytes)
{
    (void)ctx;
    pages_unmap(pages, nbytes);
}

const tamis_allocator pages_small = {NULL, small_allocate, small_release};

uint64_t pages_huge_bytes(void)
{
    char line[512];
    unsigned long long kib = 0;
    uint64_t sum = 0;
    FILE *from = fopen("/proc/self/smaps", "r");
    if (from == NULL)
        return 0;
    while (fgets(line, sizeof line, from) != NULL)
        if (sscanf(line, "AnonHugePages: %llu kB", &kib) == 1)
            sum += (uint64_t)kib * 1024;
    (void)fclose(from);
    return sum;
}
