/* CSV: cutting in pieces gives the same records as cutting at once, and keys of
 * cut records never fail but for their quotes or a missing field. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "record/fields.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

/* The first record, shown byte by byte from `shown` on. */
static size_t cut_slowly(const char *text, size_t len, size_t shown)
{
    csv_scan scan = {0, 0};
    bool restart = true;
    for (; shown <= len; shown++) {
        size_t cut = csv_cut(&scan, ',', '\n', text, shown, restart);
        if (cut != 0)
            return cut;
        restart = false;
    }
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static field_list list;
    const char *text = (const char *)data;
    arena memory = {NULL, 0};
    const char *why = NULL;
    tamis_item key;
    require(field_list_parse("2,1", &list, NULL) == TAMIS_OK);
    for (size_t at = 0; at < size;) {
        csv_scan scan = {0, 0};
        size_t cut = csv_cut(&scan, ',', '\n', text + at, size - at, true);
        require(cut <= size - at && cut == cut_slowly(text + at, size - at, at % 2));
        size_t len = cut != 0 ? cut - 1 : size - at;
        tamis_status status = csv_key(&list, ',', &memory, text + at, len, &key, &why);
        require(status == TAMIS_OK || status == TAMIS_E_RECORD);
        require(status != TAMIS_OK || (key.len >= 16 && key.len <= len + 16));
        status = csv_key(NULL, ',', &memory, text + at, len, &key, &why);
        require(status != TAMIS_OK || key.len == len);
        arena_reset(&memory);
        at = cut != 0 ? at + cut : size;
    }
    arena_free(&memory);
    return 0;
}
