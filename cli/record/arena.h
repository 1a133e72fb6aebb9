/* Memory for keys that live until the next batch. */
#ifndef TAMIS_CLI_ARENA_H
#define TAMIS_CLI_ARENA_H

#include <stddef.h>

typedef struct arena_chunk arena_chunk;

typedef struct arena {
    arena_chunk *newest; /* the others hang behind it */
    size_t used;         /* of the newest */
} arena;

/* `len` bytes that stay until arena_reset; NULL: out of memory. */
char *arena_take(arena *a, size_t len);

/* Gives back the end of what was taken last: only `len` bytes of `ptr` stay. */
void arena_shrink(arena *a, const char *ptr, size_t len);

/* Everything taken may be used again. */
void arena_reset(arena *a);

void arena_free(arena *a);

#endif
