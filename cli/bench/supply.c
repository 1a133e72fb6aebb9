#include "bench/supply.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_ABSENT (UINT64_C(1) << 62)
#define FIRST_NEW (UINT64_C(1) << 61)

static const char text_start[SUPPLY_TEXT - 16 + 1] = "http://example.org/page/";

supply *supply_new(uint64_t members)
{
    supply *s = calloc(1, sizeof *s);
    if (s == NULL)
        return NULL;
    s->members = members;
    s->next_absent = FIRST_ABSENT;
    s->next_new = FIRST_NEW;
    for (size_t i = 0; i < SUPPLY_CHUNK; i++)
        memcpy(s->text + i * SUPPLY_TEXT, text_start, sizeof text_start - 1);
    return s;
}

static uint64_t next_value(supply *s, supply_what what)
{
    if (what == ITEMS_MIXED)
        what = (tamis_hash_u64(s->next_absent + s->next_old, 0) & 1) != 0 ? ITEMS_OLD : ITEMS_ABSENT;
    if (what == ITEMS_ABSENT)
        return s->next_absent++;
    if (what == ITEMS_NEW)
        return s->next_new++;
    s->next_old = s->next_old + 1 < s->members ? s->next_old + 1 : 0;
    return s->next_old;
}

/* Writes the last 16 characters of item i: its number in hexadecimal. */
static void write_number(char *text, uint64_t value)
{
    for (int digit = 15; digit >= 0; digit--, value >>= 4)
        text[digit] = "0123456789abcdef"[value & 15];
}

static void fill_items(supply *s, supply_form form, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char *text = s->text + i * SUPPLY_TEXT;
        if (form == FORM_TEXT)
            write_number(text + sizeof text_start - 1, s->values[i]);
        s->items[i] = form == FORM_TEXT ? (tamis_item){text, SUPPLY_TEXT}
                                        : (tamis_item){&s->values[i], sizeof s->values[i]};
    }
}

void supply_fill(supply *s, const tamis_filter *hasher, supply_what what, supply_form form, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t value = next_value(s, what);
        if (form == FORM_HASHES)
            s->hashes[i] = tamis_filter_hash(hasher, &value, sizeof value);
        else
            s->values[i] = value;
    }
    if (form != FORM_HASHES)
        fill_items(s, form, count);
}

tamis_status supply_add_range(tamis_filter *filter, uint64_t first, uint64_t count)
{
    uint64_t values[1024];
    const size_t room = sizeof values / sizeof values[0];
    tamis_status status = TAMIS_OK;
    while (count > 0 && status == TAMIS_OK) {
        size_t size = count < room ? (size_t)count : room;
        for (size_t i = 0; i < size; i++)
            values[i] = first + i;
        status = tamis_filter_add_fixed(filter, values, sizeof values[0], size, NULL, NULL, NULL);
        first += size;
        count -= size;
    }
    return status;
}
