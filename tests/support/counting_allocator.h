/* An allocator that counts, checks sizes on release, and fails when told to. */
#ifndef TAMIS_TESTS_COUNTING_ALLOCATOR_H
#define TAMIS_TESTS_COUNTING_ALLOCATOR_H

#include "support/support.h"

#define MAX_BLOCKS 256

typedef struct counting_allocator {
    void *blocks[MAX_BLOCKS];
    size_t sizes[MAX_BLOCKS];
    size_t live; /* blocks */
    size_t live_bytes;
    size_t calls;     /* of allocate */
    size_t fail_from; /* calls from this number on (counting from 1) fail; 0: none */
    size_t fail_only; /* this one call fails; 0: none */
} counting_allocator;

static inline void *counted_allocate(void *ctx, size_t nbytes, size_t alignment)
{
    counting_allocator *counter = ctx;
    counter->calls++;
    if ((counter->fail_from != 0 && counter->calls >= counter->fail_from) ||
        counter->calls == counter->fail_only)
        return NULL;
    assert_true(alignment >= 64 && (alignment & (alignment - 1)) == 0);
    assert_true(nbytes > 0);
    size_t rounded = (nbytes + alignment - 1) / alignment * alignment;
    void *block = aligned_alloc(alignment, rounded);
    assert_non_null(block);
    memset(block, 0, rounded);
    for (size_t i = 0; i < MAX_BLOCKS; i++) {
        if (counter->blocks[i] == NULL) {
            counter->blocks[i] = block;
            counter->sizes[i] = nbytes;
            counter->live++;
            counter->live_bytes += nbytes;
            return block;
        }
    }
    fail_msg("more than %d blocks", MAX_BLOCKS);
    return NULL;
}

static inline void counted_release(void *ctx, void *ptr, size_t nbytes)
{
    counting_allocator *counter = ctx;
    for (size_t i = 0; i < MAX_BLOCKS; i++) {
        if (counter->blocks[i] == ptr) {
            assert_int_equal(counter->sizes[i], nbytes);
            counter->blocks[i] = NULL;
            counter->live--;
            counter->live_bytes -= nbytes;
            free(ptr);
            return;
        }
    }
    fail_msg("released what was not allocated");
}

static inline tamis_allocator counted(counting_allocator *counter)
{
    tamis_allocator allocator = {counter, counted_allocate, counted_release};
    return allocator;
}

#endif
