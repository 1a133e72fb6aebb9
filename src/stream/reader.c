#define _GNU_SOURCE

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "stream/input.h"
#include "stream/internal.h"
#include "stream/split.h"

#define BLOCK ((size_t)256 * 1024) /* fits the second level cache together with the records */

/* buffer: [0, start) handed out, [start, end) at hand, of which the first `scanned`
 * bytes hold no delimiter; one more byte is allocated for the last delimiter. */
struct tamis_reader {
    const char *const *paths;
    size_t path_count;
    size_t next_path;
    tamis_record_format format;
    const volatile sig_atomic_t *stop;

    tamis_input input;
    bool open;       /* `input` is */
    bool ended;      /* everything of it was read */
    uint64_t number; /* records of it handed out */

    char *buffer;
    size_t capacity;
    size_t start;
    size_t end;
    size_t scanned;
    char *header; /* the first one that came; owned */
    size_t header_len;
    bool cut_begun; /* `cut` has seen the beginning of the record at `start` */

    tamis_item *records;
    tamis_item *keys;

    bool prepared; /* `batch` or `failed` waits for the next call */
    tamis_records batch;
    uint64_t batch_no_key;
    tamis_status failed;
    tamis_error failure;

    tamis_reader_stats stats;
    pthread_mutex_t published_lock; /* `published` may be asked for while another thread reads */
    tamis_reader_stats published;   /* as of the last batch */
};

/* --- statistics, for any thread ---------------------------------------------- */

static void publish_stats(tamis_reader *reader)
{
    (void)pthread_mutex_lock(&reader->published_lock);
    reader->published = reader->stats;
    (void)pthread_mutex_unlock(&reader->published_lock);
}

/* --- making and ending ----------------------------------------------------- */

static void free_reader(tamis_reader *reader)
{
    if (reader->open)
        tamis_input_close(&reader->input);
    free(reader->buffer);
    free(reader->records);
    free(reader->keys);
    free(reader->header);
    free(reader);
}

void tamis_reader_close(tamis_reader *reader)
{
    if (reader != NULL)
        free_reader(reader);
}

static tamis_status new_reader(const tamis_record_format *format, size_t block, tamis_reader **out,
                               tamis_error *err)
{
    if (format->struct_size != sizeof *format)
        return tamis_fail(err, TAMIS_E_ARGUMENT, "record format: struct_size %zu is not %zu",
                          format->struct_size, sizeof *format);
    tamis_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL)
        return tamis_fail(err, TAMIS_E_NOMEM, "out of memory for a reader");
    reader->published_lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    reader->format = *format;
    reader->capacity = block;
    reader->buffer = malloc(block + 1);
    reader->records = malloc(TAMIS_BATCH_RECORDS * sizeof *reader->records);
    reader->keys = malloc(TAMIS_BATCH_RECORDS * sizeof *reader->keys);
    if (reader->buffer == NULL || reader->records == NULL || reader->keys == NULL) {
        free_reader(reader);
        return tamis_fail(err, TAMIS_E_NOMEM, "out of memory for a reader's buffer of %zu bytes", block);
    }
    *out = reader;
    return TAMIS_OK;
}

static tamis_status check_paths(tamis_reader *reader, tamis_error *err)
{
    bool all_regular = true;
    uint64_t total = 0;
    for (size_t i = 0; i < reader->path_count; i++) {
        uint64_t bytes = 0;
        bool regular = false;
        tamis_status status = tamis_input_check(reader->paths[i], &bytes, &regular, err);
        if (status != TAMIS_OK)
            return status;
        all_regular = all_regular && regular;
        total += bytes;
    }
    reader->stats.total_bytes = all_regular ? total : 0;
    publish_stats(reader);
    return TAMIS_OK;
}

tamis_status tamis_reader_open(const char *const *paths, size_t count, const tamis_record_format *format,
                               tamis_reader **out, tamis_error *err)
{
    tamis_reader *reader = NULL;
    tamis_status status = new_reader(format, BLOCK, &reader, err);
    if (status != TAMIS_OK)
        return status;
    reader->paths = paths;
    reader->path_count = count;
    status = check_paths(reader, err);
    if (status != TAMIS_OK)
        free_reader(reader);
    else
        *out = reader;
    return status;
}

tamis_status tamis_reader_open_fd(int fd, const char *name, const tamis_record_format *format, size_t block,
                                  tamis_reader **out, tamis_error *err)
{
    tamis_reader *reader = NULL;
    tamis_status status = new_reader(format, block == 0 ? BLOCK : block, &reader, err);
    if (status != TAMIS_OK)
        return status;
    status = tamis_input_from_fd(fd, name, &reader->input, err);
    if (status != TAMIS_OK) {
        free_reader(reader);
        return status;
    }
    reader->open = true;
    reader->stats.total_bytes = reader->input.bytes;
    publish_stats(reader);
    *out = reader;
    return TAMIS_OK;
}

void tamis_reader_set_stop(tamis_reader *reader, const volatile sig_atomic_t *stop)
{
    reader->stop = stop;
}

void tamis_reader_get_stats(tamis_reader *reader, tamis_reader_stats *out)
{
    (void)pthread_mutex_lock(&reader->published_lock);
    *out = reader->published;
    (void)pthread_mutex_unlock(&reader->published_lock);
}

/* --- keys ------------------------------------------------------------------ */

static tamis_status key_of(tamis_reader *reader, const tamis_item *record, tamis_item *key, const char **why)
{
    const char *data = record->data;
    size_t len = record->len;
    if (reader->format.crlf && len > 0 && data[len - 1] == '\r')
        len--;
    if (reader->format.key == NULL) {
        *key = (tamis_item){data, len};
        return TAMIS_OK;
    }
    return reader->format.key(reader->format.ctx, data, len, key, why);
}

/* The first record of a batch that cannot be used fails; a later one ends the
 * batch before itself, so that everything before it is still handed out. */
static tamis_status fail_record(tamis_reader *reader, size_t index, tamis_status status, const char *why,
                                tamis_error *err)
{
    if (index > 0) {
        reader->batch.count = index;
        reader->start = (size_t)((const char *)reader->records[index].data - reader->buffer);
        reader->scanned = 0;
        reader->cut_begun = false;
        return TAMIS_OK;
    }
    const char *name = tamis_input_label(reader->input.name);
    unsigned long long number = (unsigned long long)reader->number + 1;
    if (status != TAMIS_E_RECORD)
        why = tamis_status_text(status);
    return tamis_fail(err, status, "%s: record %llu: %s", name, number, why == NULL ? "no key" : why);
}

/* Fills in the keys of the batch's records. */
static tamis_status find_keys(tamis_reader *reader, tamis_error *err)
{
    const tamis_record_format *format = &reader->format;
    bool header = format->header && reader->number == 0;
    reader->batch_no_key = 0;
    if (format->key == NULL && !format->crlf && !header) {
        reader->batch.keys = reader->records;
        return TAMIS_OK;
    }
    reader->batch.keys = reader->keys;
    if (format->key != NULL && format->begin != NULL)
        format->begin(format->ctx);
    for (size_t i = 0; i < reader->batch.count; i++) {
        const char *why = NULL;
        tamis_status status = TAMIS_OK;
        bool none = header && i == 0;
        if (!none)
            status = key_of(reader, &reader->records[i], &reader->keys[i], &why);
        none = none || (status == TAMIS_E_RECORD && format->keep_bad);
        if (none) {
            reader->keys[i] = (tamis_item){NULL, TAMIS_NO_KEY};
            reader->batch_no_key++;
        } else if (status != TAMIS_OK) {
            return fail_record(reader, i, status, why, err);
        }
    }
    return TAMIS_OK;
}

/* --- records ---------------------------------------------------------------- */

static tamis_status cut_records(tamis_reader *reader, tamis_error *err)
{
    const tamis_record_format *format = &reader->format;
    size_t count = 0;
    while (count < TAMIS_BATCH_RECORDS && reader->start < reader->end) {
        const char *data = reader->buffer + reader->start;
        size_t len = reader->end - reader->start;
        size_t record = format->cut(format->ctx, data, len, !reader->cut_begun);
        reader->cut_begun = record == 0;
        if (record == 0)
            break;
        if (record > len || (unsigned char)data[record - 1] != format->delimiter)
            return tamis_fail(err, TAMIS_E_ARGUMENT,
                              "record format: cut does not end a record of %s at a delimiter",
                              tamis_input_label(reader->input.name));
        reader->records[count++] = (tamis_item){data, record - 1};
        reader->start += record;
    }
    reader->batch.count = count;
    return TAMIS_OK;
}

static void split_records(tamis_reader *reader)
{
    size_t consumed = 0;
    size_t len = reader->end - reader->start;
    reader->batch.count =
        tamis_split(reader->buffer + reader->start, len, reader->scanned, reader->format.delimiter,
                    reader->records, TAMIS_BATCH_RECORDS, &consumed);
    reader->start += consumed;
    reader->scanned = reader->batch.count == TAMIS_BATCH_RECORDS ? 0 : len - consumed;
}

/* Makes a batch of the whole records at hand; none: count 0. */
static tamis_status take_records(tamis_reader *reader, tamis_error *err)
{
    tamis_status status = TAMIS_OK;
    reader->batch = (tamis_records){.records = reader->records, .keys = reader->records};
    if (reader->format.cut != NULL)
        status = cut_records(reader, err);
    else
        split_records(reader);
    if (status == TAMIS_OK && reader->batch.count > 0)
        status = find_keys(reader, err);
    return status;
}

/* Makes a batch of what is left at the end of an input. */
static tamis_status take_rest(tamis_reader *reader, tamis_error *err)
{
    size_t len = reader->end - reader->start;
    char *data = reader->buffer + reader->start;
    if ((unsigned char)data[len - 1] == reader->format.delimiter)
        len--; /* only a `cut` leaves such a rest */
    else
        data[len] = (char)reader->format.delimiter;
    reader->records[0] = (tamis_item){data, len};
    reader->batch.count = 1;
    reader->start = reader->end;
    reader->scanned = 0;
    reader->cut_begun = false;
    return find_keys(reader, err);
}

/* Keeps the first header that comes. A later one that equals it leaves the batch,
 * of which nothing may be left then. */
static tamis_status settle_header(tamis_reader *reader, tamis_error *err)
{
    tamis_records *batch = &reader->batch;
    if (!reader->format.header || reader->number > 0 || batch->count == 0)
        return TAMIS_OK;
    const tamis_item *record = &batch->records[0];
    if (reader->header == NULL) {
        reader->header = malloc(record->len + 1);
        if (reader->header == NULL)
            return tamis_fail(err, TAMIS_E_NOMEM, "out of memory for a header of %zu bytes", record->len);
        memcpy(reader->header, record->data, record->len);
        reader->header_len = record->len;
        return TAMIS_OK;
    }
    if (record->len != reader->header_len || memcmp(record->data, reader->header, record->len) != 0)
        return TAMIS_OK;
    reader->number++;
    reader->batch_no_key--;
    batch->count--;
    batch->records++;
    batch->keys++;
    return TAMIS_OK;
}

/* --- bytes ------------------------------------------------------------------ */

static tamis_status grow_buffer(tamis_reader *reader, tamis_error *err)
{
    size_t capacity = reader->capacity * 2;
    char *buffer =
        capacity > reader->capacity && capacity < PTRDIFF_MAX ? realloc(reader->buffer, capacity + 1) : NULL;
    if (buffer == NULL)
        return tamis_fail(err, TAMIS_E_NOMEM, "out of memory: record %llu of %s is longer than %zu bytes",
                          (unsigned long long)reader->number + 1, tamis_input_label(reader->input.name),
                          reader->end);
    reader->buffer = buffer;
    reader->capacity = capacity;
    return TAMIS_OK;
}

/* Moves the beginning of a record to the front and leaves room behind it. */
static tamis_status make_room(tamis_reader *reader, tamis_error *err)
{
    if (reader->start > 0) {
        memmove(reader->buffer, reader->buffer + reader->start, reader->end - reader->start);
        reader->end -= reader->start;
        reader->start = 0;
    }
    return reader->end > reader->capacity / 2 ? grow_buffer(reader, err) : TAMIS_OK;
}

static tamis_status read_more(tamis_reader *reader, bool may_wait, bool *would_wait, tamis_error *err)
{
    tamis_status status = make_room(reader, err);
    if (status != TAMIS_OK)
        return status;
    size_t got = 0;
    status = tamis_input_read(&reader->input, reader->buffer + reader->end, reader->capacity - reader->end,
                              reader->stop, may_wait, &got, would_wait, err);
    if (status != TAMIS_OK || *would_wait)
        return status;
    reader->end += got;
    reader->stats.bytes += got;
    reader->ended = got == 0;
    return TAMIS_OK;
}

static tamis_status open_next(tamis_reader *reader, tamis_error *err)
{
    tamis_status status = tamis_input_open(reader->paths[reader->next_path], &reader->input, err);
    if (status != TAMIS_OK)
        return status;
    reader->next_path++;
    reader->open = true;
    reader->ended = false;
    reader->number = 0;
    reader->start = reader->end = reader->scanned = 0;
    return TAMIS_OK;
}

static void end_input(tamis_reader *reader)
{
    tamis_input_close(&reader->input);
    reader->open = false;
}

/* --- batches ---------------------------------------------------------------- */

static bool stopped(const tamis_reader *reader)
{
    return reader->stop != NULL && *reader->stop;
}

/* Makes the next batch (count 0: the end), waiting only when allowed to. */
static tamis_status prepare(tamis_reader *reader, bool may_wait, bool *would_wait, tamis_error *err)
{
    tamis_status status = TAMIS_OK;
    reader->batch = (tamis_records){.records = reader->records, .keys = reader->records};
    while (status == TAMIS_OK && !*would_wait) {
        if (stopped(reader))
            return tamis_fail(err, TAMIS_E_INTERRUPTED, "interrupted");
        if (!reader->open) {
            if (reader->next_path == reader->path_count)
                return TAMIS_OK;
            status = open_next(reader, err);
            continue;
        }
        if (reader->start < reader->end) {
            status = take_records(reader, err);
            if (status == TAMIS_OK && reader->batch.count == 0 && reader->ended)
                status = take_rest(reader, err);
            bool some = reader->batch.count > 0;
            if (status == TAMIS_OK)
                status = settle_header(reader, err);
            if (status != TAMIS_OK || reader->batch.count > 0)
                return status;
            if (some)
                continue; /* a header alone, that came before */
        }
        if (reader->ended)
            end_input(reader);
        else
            status = read_more(reader, may_wait, would_wait, err);
    }
    return status;
}

static uint64_t count_cr_ended(const tamis_records *batch)
{
    uint64_t count = 0;
    for (size_t i = 0; i < batch->count; i++) {
        size_t len = batch->records[i].len;
        const char *data = batch->records[i].data;
        count += len > 0 && data[len - 1] == '\r';
    }
    return count;
}

/* Hands the prepared batch out and counts it. */
static void hand_out(tamis_reader *reader, tamis_records *out)
{
    tamis_records *batch = &reader->batch;
    batch->file = reader->open ? reader->input.name : "";
    batch->first_number = reader->number + 1;
    reader->number += batch->count;
    reader->stats.records += batch->count;
    reader->stats.no_key += batch->count > 0 ? reader->batch_no_key : 0;
    if (!reader->format.crlf)
        reader->stats.cr_ended += count_cr_ended(batch);
    *out = *batch;
    publish_stats(reader);
}

tamis_status tamis_reader_next(tamis_reader *reader, tamis_records *out, tamis_error *err)
{
    bool would_wait = false;
    if (!reader->prepared)
        reader->failed = prepare(reader, true, &would_wait, &reader->failure);
    reader->prepared = false;
    if (reader->failed == TAMIS_OK && stopped(reader) && reader->batch.count > 0) {
        reader->prepared = true; /* read, but not handed out */
        return tamis_fail(err, TAMIS_E_INTERRUPTED, "interrupted");
    }
    if (reader->failed != TAMIS_OK) {
        if (err != NULL)
            *err = reader->failure;
        return reader->failed;
    }
    hand_out(reader, out);
    return TAMIS_OK;
}

/* --- batches of one's own ------------------------------------------------------ */

void tamis_block_free(tamis_block *block)
{
    free(block->buffer);
    free(block->records);
    free(block->keys);
}

/* A block with room for what the reader's own holds. */
static bool block_ready(const tamis_reader *reader, tamis_block *block)
{
    if (block->records == NULL)
        block->records = malloc(TAMIS_BATCH_RECORDS * sizeof *block->records);
    if (block->keys == NULL)
        block->keys = malloc(TAMIS_BATCH_RECORDS * sizeof *block->keys);
    if (block->capacity < reader->capacity) {
        free(block->buffer);
        block->buffer = malloc(reader->capacity + 1);
        block->capacity = block->buffer == NULL ? 0 : reader->capacity;
    }
    return block->buffer != NULL && block->records != NULL && block->keys != NULL;
}

/* Exchanges the memory of reader and block; what is not handed out yet moves on. */
static void exchange(tamis_reader *reader, tamis_block *block)
{
    tamis_block mine = {reader->buffer, reader->capacity, reader->records, reader->keys};
    size_t left = reader->end - reader->start;
    memcpy(block->buffer, reader->buffer + reader->start, left);
    reader->buffer = block->buffer;
    reader->capacity = block->capacity;
    reader->records = block->records;
    reader->keys = block->keys;
    reader->start = 0;
    reader->end = left;
    *block = mine;
}

tamis_status tamis_reader_next_block(tamis_reader *reader, tamis_block *block, tamis_records *out,
                                     tamis_error *err)
{
    tamis_status status = tamis_reader_next(reader, out, err);
    if (status != TAMIS_OK || out->count == 0)
        return status;
    if (!block_ready(reader, block))
        return tamis_fail(err, TAMIS_E_NOMEM, "out of memory for a buffer of %zu bytes", reader->capacity);
    exchange(reader, block);
    return TAMIS_OK;
}

bool tamis_reader_makes_keys(const tamis_reader *reader)
{
    return reader->format.key != NULL;
}

bool tamis_reader_would_wait(tamis_reader *reader)
{
    bool would_wait = false;
    if (!reader->prepared) {
        reader->failed = prepare(reader, false, &would_wait, &reader->failure);
        reader->prepared = !would_wait;
    }
    return would_wait;
}
