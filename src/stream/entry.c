#include "stream/entry.h"

#include "base/error.h"

/* An entry: gap, length*4 + mode, what the mode adds, bytes; numbers in groups of
 * seven bits, the lowest first, the highest bit set on all but the last.
 *   KEY     length of the key; the record is not kept
 *   WHOLE   length of the record, which is the key
 *   INSIDE  length of the record; then where in it the key begins, and its length
 *   APART   length of the record; then the length of the key, which comes behind it */
enum { KEY, WHOLE, INSIDE, APART };

#define MODE_BITS 2u

static size_t put_number(unsigned char *out, uint64_t number)
{
    size_t count = 0;
    for (; number >= 0x80; number >>= 7)
        out[count++] = (unsigned char)(number | 0x80);
    out[count++] = (unsigned char)number;
    return count;
}

static size_t put_head(unsigned char *out, uint64_t gap, size_t len, unsigned mode)
{
    size_t count = put_number(out, gap);
    return count + put_number(out + count, (uint64_t)len << MODE_BITS | mode);
}

size_t tamis_entry_key_head(unsigned char out[TAMIS_ENTRY_HEAD], uint64_t gap, size_t len)
{
    return put_head(out, gap, len, KEY);
}

bool tamis_lies_inside(const tamis_item *key, const tamis_item *record)
{
    uintptr_t first = (uintptr_t)record->data, at = (uintptr_t)key->data;
    return at >= first && at - first <= record->len && key->len <= record->len - (at - first);
}

tamis_status tamis_entry_append(tamis_tape *tape, const tamis_item *key, const tamis_item *record,
                                uint64_t gap, tamis_error *err)
{
    unsigned char head[2 * TAMIS_ENTRY_HEAD];
    const tamis_item *body = record == NULL ? key : record;
    bool inside = record != NULL && tamis_lies_inside(key, record);
    bool whole = inside && key->len == record->len;
    unsigned mode = record == NULL ? KEY : whole ? WHOLE : inside ? INSIDE : APART;
    size_t len = put_head(head, gap, body->len, mode);
    if (mode == INSIDE)
        len += put_number(head + len, (uintptr_t)key->data - (uintptr_t)record->data);
    if (mode == INSIDE || mode == APART)
        len += put_number(head + len, key->len);
    tamis_status status = tamis_tape_append(tape, head, len, err);
    if (status == TAMIS_OK)
        status = tamis_tape_append(tape, body->data, body->len, err);
    if (status == TAMIS_OK && mode == APART)
        status = tamis_tape_append(tape, key->data, key->len, err);
    return status;
}

static tamis_status get_number(tamis_cursor *cursor, uint64_t *out, tamis_error *err)
{
    uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        const unsigned char *byte;
        tamis_status status = tamis_cursor_read(cursor, 1, &byte, err);
        if (status != TAMIS_OK)
            return status;
        number |= (uint64_t)(*byte & 0x7f) << shift;
        if (*byte < 0x80) {
            *out = number;
            return TAMIS_OK;
        }
    }
    return tamis_fail(err, TAMIS_E_IO, "temporary data was changed");
}

/* A length, which must lie on the tape, with `shift` bits of other things below it. */
static tamis_status get_length(tamis_cursor *cursor, unsigned shift, uint64_t *out, tamis_error *err)
{
    tamis_status status = get_number(cursor, out, err);
    if (status == TAMIS_OK && *out >> shift > cursor->left)
        status = tamis_fail(err, TAMIS_E_IO, "temporary data was changed");
    return status;
}

tamis_status tamis_entry_read(tamis_cursor *cursor, tamis_entry *out, tamis_error *err)
{
    uint64_t first = 0, offset = 0, key_len = 0;
    tamis_status status = get_number(cursor, &out->gap, err);
    if (status == TAMIS_OK)
        status = get_length(cursor, MODE_BITS, &first, err);
    unsigned mode = (unsigned)(first & ((1u << MODE_BITS) - 1));
    size_t len = (size_t)(first >> MODE_BITS);
    if (status == TAMIS_OK && mode == INSIDE)
        status = get_length(cursor, 0, &offset, err);
    if (status == TAMIS_OK && (mode == INSIDE || mode == APART))
        status = get_length(cursor, 0, &key_len, err);
    if (status == TAMIS_OK && mode == INSIDE && (offset > len || key_len > len - offset))
        status = tamis_fail(err, TAMIS_E_IO, "temporary data was changed");
    const unsigned char *body = NULL;
    if (status == TAMIS_OK)
        status = tamis_cursor_read(cursor, mode == APART ? len + (size_t)key_len : len, &body, err);
    if (status != TAMIS_OK)
        return status;
    out->record = (tamis_item){mode == KEY ? NULL : body, mode == KEY ? 0 : len};
    out->key = (tamis_item){body, len};
    if (mode == INSIDE)
        out->key = (tamis_item){body + offset, (size_t)key_len};
    else if (mode == APART)
        out->key = (tamis_item){body + len, (size_t)key_len};
    return TAMIS_OK;
}
