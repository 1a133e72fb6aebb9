/* JSON: a key is found or the record is a bad one; a key that is no string is a
 * JSON text again, and is its own key. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "record/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void check(const char *text, const char *data, size_t len)
{
    json_pointer pointer;
    arena memory = {NULL, 0};
    const char *why = NULL;
    tamis_item key, again;
    require(json_pointer_parse(text, &pointer, NULL) == TAMIS_OK);
    tamis_status status = json_key(&pointer, &memory, data, len, &key, &why);
    require(status == TAMIS_OK || (status == TAMIS_E_RECORD && why != NULL));
    if (status == TAMIS_OK && pointer.count == 0 && memchr(data, '"', len) == NULL) {
        require(json_key(&pointer, &memory, key.data, key.len, &again, &why) == TAMIS_OK);
        require(again.len == key.len && again.data == key.data);
    }
    json_pointer_free(&pointer);
    arena_free(&memory);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check("", (const char *)data, size);
    check("/a", (const char *)data, size);
    check("/0/a", (const char *)data, size);
    return 0;
}
