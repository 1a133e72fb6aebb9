/* URLs: what is canonical stays as it is, and is at most one byte longer. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "record/url.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    arena memory = {NULL, 0};
    tamis_item url = {data, size}, once, twice;
    if (url_canonical(&memory, url, &once) == TAMIS_OK) {
        require(once.len <= size + 1);
        require(url_canonical(&memory, once, &twice) == TAMIS_OK);
        require(once.len == twice.len && memcmp(once.data, twice.data, once.len) == 0);
    }
    arena_free(&memory);
    return 0;
}
