/* Comparing in memory: the log of candidates stays where it is, a table of their
 * keys stands over it, and B is read past them. */
#include "base/error.h"
#include "stream/select.h"

#define CANDIDATE_RATE 0.01 /* of the filter in front of the table */

bool tamis_candidates_fit(const tamis_selection *sel)
{
    if (sel->log.spilled || sel->log.bytes > TAMIS_KEYSET_MAX_PLACE)
        return false;
    uint64_t keys = sel->report->candidates;
    uint64_t table = (keys + keys / 2 + 1) * sizeof *sel->set.slots;
    uint64_t filter = keys + keys / 4;
    return sel->log.bytes + table + (filter < sel->sizes.filter ? filter : sel->sizes.filter) <=
           sel->sizes.total;
}

/* Puts every candidate's key once into the table and the filter. */
static tamis_status add_candidates(tamis_selection *sel, tamis_error *err)
{
    tamis_cursor cursor;
    tamis_status status = tamis_cursor_open(&cursor, &sel->log, err);
    sel->set.base = sel->log.memory;
    sel->set.size = (size_t)sel->log.bytes;
    while (status == TAMIS_OK && cursor.left > 0) {
        size_t place = (size_t)(sel->log.bytes - cursor.left);
        tamis_entry entry;
        status = tamis_entry_read(&cursor, &entry, err);
        if (status != TAMIS_OK)
            break;
        uint64_t hash = tamis_key_hash(&entry.key);
        uint64_t *slot = tamis_keyset_find(&sel->set, hash, &entry.key);
        if (*slot != 0)
            continue;
        tamis_keyset_put(&sel->set, slot, hash, place);
        if (sel->filter != NULL)
            status = tamis_filter_add_hashes(sel->filter, &hash, 1, NULL, NULL, NULL);
    }
    tamis_cursor_close(&cursor);
    sel->report->passes++;
    return status;
}

#define MARK_STEP 512u /* keys whose slots are fetched ahead */

/* Marks the candidates that B's records [from, to) name. */
static void mark_run(const tamis_selection *sel, const tamis_select_batch *batch, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (batch->flags[i] != 0)
            tamis_keyset_prefetch(&sel->set, batch->hashes[i]);
    for (size_t i = from; i < to; i++) {
        if (batch->flags[i] == 0)
            continue;
        uint64_t *slot = tamis_keyset_find(&sel->set, batch->hashes[i], &batch->keys[i]);
        if (*slot != 0)
            tamis_keyset_mark(slot);
    }
}

static tamis_status mark_found(tamis_selection *sel, const tamis_records *records, tamis_select_batch *batch,
                               tamis_error *err)
{
    (void)err;
    for (size_t i = 0; i < records->count; i += MARK_STEP)
        mark_run(sel, batch, i, records->count - i < MARK_STEP ? records->count : i + MARK_STEP);
    return TAMIS_OK;
}

tamis_status tamis_find_in_memory(tamis_selection *sel, tamis_error *err)
{
    uint64_t keys = sel->report->candidates;
    tamis_status status = tamis_keyset_init(&sel->set, tamis_keyset_slots(keys), err);
    if (status == TAMIS_OK)
        status = tamis_selection_make_filter(sel, keys, CANDIDATE_RATE, err);
    if (status == TAMIS_OK)
        status = add_candidates(sel, err);
    return status == TAMIS_OK ? tamis_selection_pass(sel, &sel->b, TAMIS_PASS_ASK, mark_found, err) : status;
}
