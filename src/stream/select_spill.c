/* Comparing what does not fit in memory: candidates and those keys of B that could
 * be candidates are split by hash into parts on a temporary file; part after part,
 * a table of B's keys is filled, and filled again while there are more, and the
 * part's candidates are looked up in it. What was found is a tape of bits a part,
 * in the order of its candidates. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "hash/mix.h"
#include "stream/select.h"

#define CANDIDATE_RATE 0.01
#define BITS_SHARE 16u   /* of the memory, for what was found */
#define STOP_EVERY 4096u /* entries between two looks at the stop flag */

typedef struct tamis_part {
    tamis_tape candidates; /* keys */
    tamis_tape other;      /* keys of B */
    uint64_t candidate_count;
    uint64_t other_count;
    tamis_tape bits;     /* a byte for eight candidates, the lowest bit first */
    tamis_cursor cursor; /* along the bits, at the end */
    unsigned byte;
    unsigned bits_left;
} tamis_part;

/* Bits of the mixed hash that neither the table's slot nor its tag depends on much. */
static uint32_t part_of(const tamis_selection *sel, uint64_t hash)
{
    return (uint32_t)((tamis_fmix64(hash + TAMIS_GOLDEN) >> 32) * sel->part_count >> 32);
}

/* Bytes for a table while a log in memory and the bits of all parts are held, too. */
static uint64_t table_budget(const tamis_selection *sel)
{
    uint64_t held = (sel->log.spilled ? 0 : sel->log.bytes) + sel->sizes.total / BITS_SHARE;
    uint64_t left = held < sel->sizes.total ? sel->sizes.total - held : 0;
    return left < sel->sizes.table ? left : sel->sizes.table;
}

/* --- splitting ------------------------------------------------------------------------ */

static tamis_status make_parts(tamis_selection *sel, tamis_error *err)
{
    uint64_t wanted = sel->log.bytes / (table_budget(sel) / 2 + 1) + 2;
    sel->part_count = wanted < sel->sizes.parts ? (uint32_t)wanted : sel->sizes.parts;
    sel->parts = calloc(sel->part_count, sizeof *sel->parts);
    if (sel->parts == NULL)
        return tamis_fail(err, TAMIS_E_NOMEM, "out of memory for %u parts", sel->part_count);
    for (uint32_t i = 0; i < sel->part_count; i++) {
        tamis_tape_init(&sel->parts[i].candidates, &sel->temp, 0);
        tamis_tape_init(&sel->parts[i].other, &sel->temp, 0);
    }
    return TAMIS_OK;
}

static void free_bits(tamis_part *part)
{
    tamis_cursor_close(&part->cursor);
    tamis_tape_free(&part->bits);
}

void tamis_parts_free(tamis_selection *sel)
{
    for (uint32_t i = 0; sel->parts != NULL && i < sel->part_count; i++) {
        tamis_tape_free(&sel->parts[i].candidates);
        tamis_tape_free(&sel->parts[i].other);
        free_bits(&sel->parts[i]);
    }
    free(sel->parts);
    sel->parts = NULL;
}

static tamis_status split_candidate(tamis_selection *sel, const tamis_item *key, tamis_error *err)
{
    uint64_t hash = tamis_key_hash(key);
    tamis_part *part = &sel->parts[part_of(sel, hash)];
    part->candidate_count++;
    tamis_status status = tamis_entry_append(&part->candidates, key, NULL, 0, err);
    if (status == TAMIS_OK && sel->filter != NULL)
        status = tamis_filter_add_hashes(sel->filter, &hash, 1, NULL, NULL, NULL);
    return status;
}

static tamis_status split_candidates(tamis_selection *sel, tamis_error *err)
{
    tamis_cursor cursor;
    tamis_status status = tamis_cursor_open(&cursor, &sel->log, err);
    for (uint64_t i = 0; status == TAMIS_OK && cursor.left > 0; i++) {
        tamis_entry entry;
        status = i % STOP_EVERY == 0 ? tamis_selection_stopped(sel, err) : TAMIS_OK;
        if (status == TAMIS_OK)
            status = tamis_entry_read(&cursor, &entry, err);
        if (status == TAMIS_OK)
            status = split_candidate(sel, &entry.key, err);
    }
    tamis_cursor_close(&cursor);
    for (uint32_t i = 0; status == TAMIS_OK && i < sel->part_count; i++)
        status = tamis_tape_end(&sel->parts[i].candidates, err);
    sel->report->passes++;
    return status;
}

static tamis_status split_others(tamis_selection *sel, const tamis_records *records,
                                 tamis_select_batch *batch, tamis_error *err)
{
    tamis_status status = TAMIS_OK;
    for (size_t i = 0; status == TAMIS_OK && i < records->count; i++) {
        if (batch->flags[i] == 0)
            continue;
        tamis_part *part = &sel->parts[part_of(sel, batch->hashes[i])];
        if (part->candidate_count == 0)
            continue;
        part->other_count++;
        status = tamis_entry_append(&part->other, &batch->keys[i], NULL, 0, err);
    }
    return status;
}

/* --- one part --------------------------------------------------------------------------- */

/* A table that is filled with keys of B as long as they fit. */
typedef struct part_table {
    tamis_keyset set;
    unsigned char *keys;
    size_t room;       /* bytes for keys */
    uint64_t most;     /* keys */
    tamis_cursor from; /* the keys of B that are still to come */
    bool waiting;      /* `entry` was read and did not fit */
    tamis_entry entry;
} part_table;

static tamis_status open_table(const tamis_selection *sel, const tamis_part *part, part_table *table,
                               tamis_error *err)
{
    uint64_t budget = table_budget(sel), bytes = part->other.bytes, keys = part->other_count;
    uint64_t slot = sizeof *table->set.slots;
    memset(table, 0, sizeof *table);
    if (bytes + tamis_keyset_slots(keys) * slot > budget) {
        keys = budget / (bytes / keys + 2 * slot) + 1;
        uint64_t slots = tamis_keyset_slots(keys) * slot;
        bytes = budget > slots ? budget - slots : 0;
    }
    table->most = keys;
    table->room = (size_t)bytes + TAMIS_ENTRY_HEAD;
    tamis_status status = tamis_keyset_init(&table->set, tamis_keyset_slots(keys), err);
    if (status != TAMIS_OK)
        return status;
    table->keys = tamis_allocate(&tamis_default_allocator, table->room);
    if (table->keys == NULL)
        return tamis_fail(err, TAMIS_E_NOMEM, "out of memory for %zu bytes of keys", table->room);
    return tamis_cursor_open(&table->from, &part->other, err);
}

static void close_table(part_table *table)
{
    tamis_cursor_close(&table->from);
    tamis_release(&tamis_default_allocator, table->keys, table->room);
    tamis_keyset_free(&table->set);
}

/* Room for one key that is larger than all of it; the table is empty. */
static tamis_status widen(part_table *table, size_t room, tamis_error *err)
{
    tamis_release(&tamis_default_allocator, table->keys, table->room);
    table->keys = tamis_allocate(&tamis_default_allocator, room);
    table->room = table->keys == NULL ? 0 : room;
    return table->keys != NULL ? TAMIS_OK
                               : tamis_fail(err, TAMIS_E_NOMEM, "out of memory for a key of %zu bytes", room);
}

/* Puts `entry` in; `waiting` stays true when it does not fit any more. */
static tamis_status put_waiting(part_table *table, tamis_error *err)
{
    const tamis_item *key = &table->entry.key;
    uint64_t hash = tamis_key_hash(key);
    uint64_t *slot = tamis_keyset_find(&table->set, hash, key);
    table->waiting = false;
    if (*slot != 0)
        return TAMIS_OK;
    size_t need = TAMIS_ENTRY_HEAD + key->len, place = table->set.size;
    if (table->set.count == table->most || need > table->room - place) {
        table->waiting = table->set.count > 0;
        tamis_status status = table->waiting ? TAMIS_OK : widen(table, need, err);
        if (status != TAMIS_OK || table->waiting)
            return status;
    }
    table->set.base = table->keys;
    size_t head = tamis_entry_key_head(table->keys + place, 0, key->len);
    if (key->len > 0)
        memcpy(table->keys + place + head, key->data, key->len);
    table->set.size += head + key->len;
    tamis_keyset_put(&table->set, slot, hash, place);
    return TAMIS_OK;
}

/* Fills the empty table with the next keys of B. */
static tamis_status fill_table(part_table *table, tamis_error *err)
{
    tamis_keyset_clear(&table->set);
    tamis_status status = table->waiting ? put_waiting(table, err) : TAMIS_OK;
    while (status == TAMIS_OK && !table->waiting && table->from.left > 0) {
        status = tamis_entry_read(&table->from, &table->entry, err);
        if (status == TAMIS_OK)
            status = put_waiting(table, err);
    }
    return status;
}

static tamis_status earlier_bits(tamis_cursor *before, unsigned *out, tamis_error *err)
{
    *out = 0;
    if (before->left == 0)
        return TAMIS_OK;
    const unsigned char *byte;
    tamis_status status = tamis_cursor_read(before, 1, &byte, err);
    if (status == TAMIS_OK)
        *out = *byte;
    return status;
}

/* Looks the part's candidates up, eight at a time: bits found before or now. */
static tamis_status look_up(const part_table *table, const tamis_part *part, tamis_cursor *keys,
                            tamis_cursor *before, tamis_tape *bits, tamis_error *err)
{
    tamis_status status = TAMIS_OK;
    for (uint64_t done = 0; status == TAMIS_OK && done < part->candidate_count; done += 8) {
        unsigned found = 0;
        status = earlier_bits(before, &found, err);
        for (unsigned i = 0; status == TAMIS_OK && i < 8 && done + i < part->candidate_count; i++) {
            tamis_entry entry;
            status = tamis_entry_read(keys, &entry, err);
            if (status == TAMIS_OK &&
                *tamis_keyset_find(&table->set, tamis_key_hash(&entry.key), &entry.key) != 0)
                found |= 1u << i;
        }
        unsigned char byte = (unsigned char)found;
        if (status == TAMIS_OK)
            status = tamis_tape_append(bits, &byte, 1, err);
    }
    return status == TAMIS_OK ? tamis_tape_end(bits, err) : status;
}

/* One pass over the part's candidates. */
static tamis_status pass_candidates(tamis_selection *sel, tamis_part *part, const part_table *table,
                                    tamis_error *err)
{
    tamis_tape bits;
    tamis_tape_init(&bits, &sel->temp, (size_t)(sel->sizes.total / BITS_SHARE / sel->part_count));
    tamis_cursor keys = {.tape = NULL}, before = {.tape = NULL};
    tamis_status status = tamis_cursor_open(&keys, &part->candidates, err);
    if (status == TAMIS_OK && part->bits.bytes > 0)
        status = tamis_cursor_open(&before, &part->bits, err);
    if (status == TAMIS_OK)
        status = look_up(table, part, &keys, &before, &bits, err);
    tamis_cursor_close(&keys);
    tamis_cursor_close(&before);
    tamis_tape_free(&part->bits);
    part->bits = bits;
    sel->report->passes++;
    return status;
}

static tamis_status find_in_part(tamis_selection *sel, tamis_part *part, tamis_error *err)
{
    part_table table;
    tamis_status status = open_table(sel, part, &table, err);
    while (status == TAMIS_OK) {
        status = tamis_selection_stopped(sel, err);
        if (status == TAMIS_OK)
            status = fill_table(&table, err);
        if (status == TAMIS_OK)
            status = pass_candidates(sel, part, &table, err);
        if (!table.waiting && table.from.left == 0)
            break;
    }
    close_table(&table);
    return status;
}

/* --- all parts ----------------------------------------------------------------------------- */

tamis_status tamis_find_spilled(tamis_selection *sel, tamis_error *err)
{
    tamis_status status = make_parts(sel, err);
    if (status == TAMIS_OK)
        status = tamis_selection_make_filter(sel, sel->report->candidates, CANDIDATE_RATE, err);
    if (status == TAMIS_OK)
        status = split_candidates(sel, err);
    if (status == TAMIS_OK)
        status = tamis_selection_pass(sel, &sel->b, TAMIS_PASS_ASK, split_others, err);
    for (uint32_t i = 0; status == TAMIS_OK && i < sel->part_count; i++)
        status = tamis_tape_end(&sel->parts[i].other, err);
    tamis_filter_free(sel->filter);
    sel->filter = NULL;
    for (uint32_t i = 0; status == TAMIS_OK && i < sel->part_count; i++)
        if (sel->parts[i].candidate_count > 0 && sel->parts[i].other_count > 0)
            status = find_in_part(sel, &sel->parts[i], err);
    for (uint32_t i = 0; status == TAMIS_OK && i < sel->part_count; i++)
        if (sel->parts[i].bits.bytes > 0)
            status = tamis_cursor_open(&sel->parts[i].cursor, &sel->parts[i].bits, err);
    return status;
}

tamis_status tamis_next_part_bit(tamis_selection *sel, uint64_t hash, bool *out, tamis_error *err)
{
    tamis_part *part = &sel->parts[part_of(sel, hash)];
    *out = false;
    if (part->other_count == 0)
        return TAMIS_OK;
    if (part->bits_left == 0) {
        const unsigned char *byte;
        tamis_status status = tamis_cursor_read(&part->cursor, 1, &byte, err);
        if (status != TAMIS_OK)
            return status;
        part->byte = *byte;
        part->bits_left = 8;
    }
    *out = (part->byte & 1) != 0;
    part->byte >>= 1;
    part->bits_left--;
    return TAMIS_OK;
}
