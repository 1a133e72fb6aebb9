#include "arena.h"

#include <stdint.h>
#include <stdlib.h>

struct arena_chunk {
    arena_chunk *older;
    size_t size;
    char bytes[];
};

enum { FIRST_CHUNK = 65536 };

static int add_chunk(arena *a, size_t len)
{
    size_t size = a->newest != NULL ? a->newest->size : FIRST_CHUNK / 2;
    size = size > SIZE_MAX / 4 ? size : size * 2;
    if (size < len)
        size = len;
    if (size > SIZE_MAX - sizeof(arena_chunk))
        return 0;
    arena_chunk *chunk = malloc(sizeof *chunk + size);
    if (chunk == NULL)
        return 0;
    chunk->older = a->newest;
    chunk->size = size;
    a->newest = chunk;
    a->used = 0;
    return 1;
}

char *arena_take(arena *a, size_t len)
{
    if (a->newest == NULL || a->newest->size - a->used < len)
        if (!add_chunk(a, len))
            return NULL;
    char *out = a->newest->bytes + a->used;
    a->used += len;
    return out;
}

void arena_shrink(arena *a, const char *ptr, size_t len)
{
    a->used = (size_t)(ptr - a->newest->bytes) + len;
}

static void free_from(arena_chunk *chunk)
{
    while (chunk != NULL) {
        arena_chunk *older = chunk->older;
        free(chunk);
        chunk = older;
    }
}

/* The newest chunk is the largest: it alone is kept. */
void arena_reset(arena *a)
{
    if (a->newest != NULL) {
        free_from(a->newest->older);
        a->newest->older = NULL;
    }
    a->used = 0;
}

void arena_free(arena *a)
{
    free_from(a->newest);
    *a = (arena){NULL, 0};
}
