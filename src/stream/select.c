#define _GNU_SOURCE

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "stream/select.h"

#define MIB (UINT64_C(1) << 20)
#define LIMIT_MIN (16 * MIB)
#define LIMIT_MAX_32BIT (1024 * MIB)
#define FILTER_RATE 0.002 /* of B's filter, when there is room */
#define TEMP_BLOCK ((size_t)64 * 1024)
#define PARTS_MAX 256u

/* --- memory ---------------------------------------------------------------------- */

static tamis_status share_memory(uint64_t limit, tamis_select_sizes *out, tamis_error *err)
{
    if (limit != 0 && limit < LIMIT_MIN)
        return tamis_fail(err, TAMIS_E_RANGE,
                          "memory limit of %llu bytes is below the least of %llu (16 MiB)",
                          (unsigned long long)limit, (unsigned long long)LIMIT_MIN);
    if (limit == 0) {
        uint64_t system = tamis_memory_available(), space = tamis_address_space_left();
        uint64_t available = space < system ? space : system;
        limit = available != UINT64_MAX ? available / 2 : 0;
    }
    if (limit < LIMIT_MIN)
        limit = LIMIT_MIN;
    if (sizeof(size_t) < 8 && limit > LIMIT_MAX_32BIT)
        limit = LIMIT_MAX_32BIT;
    uint64_t parts = limit / 8 / TEMP_BLOCK;
    *out = (tamis_select_sizes){.total = limit,
                                .filter = limit / 3,
                                .log = limit / 2,
                                .table = limit / 4 * 3,
                                .parts = parts < PARTS_MAX ? (uint32_t)parts : PARTS_MAX,
                                .block = TEMP_BLOCK};
    return TAMIS_OK;
}

/* --- shared steps ------------------------------------------------------------------ */

tamis_status tamis_selection_stopped(const tamis_selection *sel, tamis_error *err)
{
    if (sel->options->stop != NULL && *sel->options->stop)
        return tamis_fail(err, TAMIS_E_INTERRUPTED, "interrupted");
    return TAMIS_OK;
}

tamis_status tamis_selection_make_filter(tamis_selection *sel, uint64_t items, double error_rate,
                                         tamis_error *err)
{
    sel->filter = NULL;
    tamis_params params = TAMIS_PARAMS_INIT;
    params.seed = TAMIS_KEY_SEED;
    params.capacity = items == 0 ? 1 : items;
    params.error_rate = error_rate;
    tamis_plan plan = {.struct_size = sizeof plan};
    if (tamis_plan_filter(&params, &plan, NULL) != TAMIS_OK || plan.payload_bytes > sel->sizes.filter) {
        params.error_rate = 0;
        params.memory = sel->sizes.filter;
        if (params.memory < TAMIS_LINE_BYTES || tamis_plan_filter(&params, &plan, NULL) != TAMIS_OK)
            return TAMIS_OK; /* so many items, so little memory: nothing would be held back */
    }
    return tamis_filter_create(&params, &sel->filter, err);
}

static void free_filter(tamis_selection *sel)
{
    tamis_filter_free(sel->filter);
    sel->filter = NULL;
}

/* --- candidates ---------------------------------------------------------------------- */

static tamis_status add_to_filter(tamis_selection *sel, const tamis_records *records,
                                  tamis_select_batch *batch, tamis_error *err)
{
    tamis_status status = TAMIS_OK;
    for (size_t from = 0, to = 0; status == TAMIS_OK && tamis_next_keyed(records, &from, &to);)
        if (sel->filter != NULL)
            status = tamis_filter_add_hashes(sel->filter, batch->hashes + from, to - from, NULL, NULL, NULL);
    return status == TAMIS_OK ? status : tamis_fail(err, status, "%s", tamis_status_text(status));
}

static tamis_status read_b(tamis_selection *sel, tamis_error *err)
{
    uint64_t items = 0;
    tamis_status status = tamis_estimate_fd(sel->b.fd, sel->b.name, sel->format->delimiter, &items, err);
    if (status == TAMIS_OK)
        status = tamis_selection_make_filter(sel, items, FILTER_RATE, err);
    return status == TAMIS_OK ? tamis_selection_pass(sel, &sel->b, TAMIS_PASS_HASH, add_to_filter, err)
                              : status;
}

static tamis_status log_candidate(tamis_selection *sel, const tamis_item *key, const tamis_item *record,
                                  uint64_t ordinal, tamis_error *err)
{
    uint64_t gap = sel->options->minus ? ordinal - sel->candidate : 0;
    sel->candidate = ordinal;
    sel->report->candidates++;
    return tamis_entry_append(&sel->log, key, sel->options->minus ? NULL : record, gap, err);
}

static bool is_header(const tamis_selection *sel, const tamis_records *records)
{
    return sel->format->header && records->first_number == 1;
}

static tamis_status log_candidates(tamis_selection *sel, const tamis_records *records,
                                   tamis_select_batch *batch, tamis_error *err)
{
    const tamis_item *all = records->records;
    tamis_status status = TAMIS_OK;
    if (is_header(sel, records) && !sel->options->minus)
        status = tamis_writer_record(sel->writer, all[0].data, all[0].len, err);
    for (size_t i = 0; status == TAMIS_OK && i < records->count; i++)
        if (batch->flags[i] != 0)
            status = log_candidate(sel, &batch->keys[i], &all[i], sel->ordinal + i + 1, err);
    sel->ordinal += records->count;
    return status;
}

static tamis_status find_candidates(tamis_selection *sel, tamis_error *err)
{
    tamis_status status = read_b(sel, err);
    if (status == TAMIS_OK)
        status = tamis_selection_pass(sel, &sel->a, TAMIS_PASS_ASK, log_candidates, err);
    if (status == TAMIS_OK)
        status = tamis_tape_end(&sel->log, err);
    free_filter(sel);
    return status;
}

/* --- output ------------------------------------------------------------------------------ */

tamis_status tamis_candidate_found(tamis_selection *sel, const tamis_item *key, bool *out, tamis_error *err)
{
    uint64_t hash = tamis_key_hash(key);
    if (sel->spilled)
        return tamis_next_part_bit(sel, hash, out, err);
    *out = tamis_keyset_is_marked(tamis_keyset_find(&sel->set, hash, key));
    return TAMIS_OK;
}

static tamis_status write_common(tamis_selection *sel, tamis_error *err)
{
    tamis_cursor cursor;
    tamis_status status = tamis_cursor_open(&cursor, &sel->log, err);
    while (status == TAMIS_OK && cursor.left > 0) {
        tamis_entry entry;
        bool found = false;
        status = tamis_entry_read(&cursor, &entry, err);
        if (status == TAMIS_OK)
            status = tamis_candidate_found(sel, &entry.key, &found, err);
        if (status == TAMIS_OK && found) {
            status = tamis_writer_record(sel->writer, entry.record.data, entry.record.len, err);
            sel->report->printed++;
        }
    }
    tamis_cursor_close(&cursor);
    sel->report->passes++;
    return status;
}

/* Walks along the log while A is read again. */
typedef struct tamis_walk {
    tamis_cursor cursor;
    uint64_t ordinal; /* of `entry`, 1-based; UINT64_MAX: no more */
    tamis_entry entry;
} tamis_walk;

static tamis_status walk_on(tamis_walk *walk, tamis_error *err)
{
    if (walk->cursor.left == 0) {
        walk->ordinal = UINT64_MAX;
        return TAMIS_OK;
    }
    tamis_status status = tamis_entry_read(&walk->cursor, &walk->entry, err);
    if (status == TAMIS_OK)
        walk->ordinal += walk->entry.gap;
    return status;
}

/* Whether the candidate at hand is the key that A has in its place now. */
static bool is_same_key(const tamis_walk *walk, const tamis_select_batch *batch, size_t index)
{
    const tamis_item *key = &batch->keys[index], *candidate = &walk->entry.key;
    return batch->flags[index] != 0 && key->len == candidate->len &&
           (key->len == 0 || memcmp(key->data, candidate->data, key->len) == 0);
}

/* Leaves out the candidates of a batch that occur in B and writes the others. */
static tamis_status write_batch(tamis_selection *sel, const tamis_records *records, tamis_select_batch *batch,
                                tamis_error *err)
{
    uint64_t printed = records->count - (is_header(sel, records) ? 1 : 0);
    tamis_status status = TAMIS_OK;
    tamis_walk *walk = sel->walk;
    uint8_t *wanted = sel->flags;
    memset(wanted, 1, records->count);
    while (status == TAMIS_OK && walk->ordinal <= sel->ordinal + records->count) {
        size_t index = (size_t)(walk->ordinal - sel->ordinal - 1);
        bool found = false;
        if (!is_same_key(walk, batch, index))
            return tamis_select_input_changed(&sel->a, err);
        status = tamis_candidate_found(sel, &walk->entry.key, &found, err);
        if (status == TAMIS_OK && found) {
            wanted[index] = 0;
            printed--;
        }
        if (status == TAMIS_OK)
            status = walk_on(walk, err);
    }
    sel->ordinal += records->count;
    sel->report->printed += printed;
    return status == TAMIS_OK ? tamis_writer_records(sel->writer, records, wanted, err) : status;
}

static tamis_status write_minus(tamis_selection *sel, tamis_error *err)
{
    tamis_walk walk = {.ordinal = 0};
    tamis_status status = tamis_cursor_open(&walk.cursor, &sel->log, err);
    if (status == TAMIS_OK)
        status = walk_on(&walk, err);
    sel->walk = &walk;
    sel->ordinal = 0;
    if (status == TAMIS_OK)
        status = tamis_selection_pass(sel, &sel->a, TAMIS_PASS_KEEP, write_batch, err);
    sel->walk = NULL;
    tamis_cursor_close(&walk.cursor);
    return status;
}

/* --- the run ------------------------------------------------------------------------------ */

static tamis_status open_sources(tamis_selection *sel, const char *path_a, const char *path_b,
                                 tamis_error *err)
{
    tamis_status status = tamis_select_input_open(&sel->a, path_a, sel->options->minus, sel, err);
    if (status == TAMIS_OK)
        status = tamis_select_input_open(&sel->b, path_b, true, sel, err);
    if (sel->a.again)
        sel->bytes_total = 2 * sel->b.bytes + (sel->options->minus ? 2 : 1) * sel->a.bytes;
    return status;
}

static tamis_status run_steps(tamis_selection *sel, tamis_error *err)
{
    tamis_status status = find_candidates(sel, err);
    if (status == TAMIS_OK && sel->report->candidates > 0) {
        sel->spilled = !tamis_candidates_fit(sel);
        status = sel->spilled ? tamis_find_spilled(sel, err) : tamis_find_in_memory(sel, err);
        free_filter(sel);
    }
    if (status == TAMIS_OK)
        status = sel->options->minus ? write_minus(sel, err) : write_common(sel, err);
    return status;
}

static void finish(tamis_selection *sel)
{
    sel->report->records_a = sel->a.records == UINT64_MAX ? 0 : sel->a.records;
    sel->report->records_b = sel->b.records == UINT64_MAX ? 0 : sel->b.records;
    sel->report->spilled_bytes += sel->temp.bytes;
    tamis_parts_free(sel);
    tamis_keyset_free(&sel->set);
    tamis_tape_free(&sel->log);
    tamis_temp_close(&sel->temp);
    tamis_select_input_close(&sel->a);
    tamis_select_input_close(&sel->b);
    free(sel->flags);
}

tamis_status tamis_select_run_sized(const char *path_a, const char *path_b, const tamis_record_format *format,
                                    tamis_writer *writer, const tamis_select_options *options,
                                    const tamis_select_sizes *sizes, tamis_select_report *report,
                                    tamis_error *err)
{
    *report = (tamis_select_report){0};
    tamis_selection sel = {
        .format = format, .options = options, .sizes = *sizes, .report = report, .writer = writer};
    sel.a.records = sel.b.records = UINT64_MAX;
    tamis_temp_init(&sel.temp, options->temp_dir == NULL ? "/var/tmp" : options->temp_dir, sizes->block);
    tamis_tape_init(&sel.log, &sel.temp, (size_t)sizes->log);
    sel.flags = malloc(TAMIS_BATCH_RECORDS);
    tamis_status status = TAMIS_OK;
    if (sel.flags == NULL)
        status = tamis_fail(err, TAMIS_E_NOMEM, "out of memory for the flags of a batch");
    if (status == TAMIS_OK)
        status = open_sources(&sel, path_a, path_b, err);
    if (status == TAMIS_OK)
        status = run_steps(&sel, err);
    finish(&sel);
    return status;
}

tamis_status tamis_select_run(const char *path_a, const char *path_b, const tamis_record_format *format,
                              tamis_writer *writer, const tamis_select_options *options,
                              tamis_select_report *report, tamis_error *err)
{
    *report = (tamis_select_report){0};
    if (options->struct_size != sizeof *options)
        return tamis_fail(err, TAMIS_E_ARGUMENT, "select options: struct_size %zu is not %zu",
                          options->struct_size, sizeof *options);
    if (strcmp(path_a, "-") == 0 && strcmp(path_b, "-") == 0)
        return tamis_fail(err, TAMIS_E_ARGUMENT, "only one of the two files can be standard input");
    tamis_select_sizes sizes;
    tamis_status status = share_memory(options->memory_limit, &sizes, err);
    return status == TAMIS_OK
               ? tamis_select_run_sized(path_a, path_b, format, writer, options, &sizes, report, err)
               : status;
}
