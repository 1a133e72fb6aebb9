#define _GNU_SOURCE

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "base/error.h"
#include "stream/fingerprints.h"
#include "stream/internal.h"

#define CHUNK_MIN ((uint64_t)1024) /* records between two looks at the rate, at least */
#define CHUNK_SHARE 512u           /* or this part of the items */
#define SURE 5.0                   /* standard deviations */
#define RATE_MAX 0.999999          /* so that an estimate stays finite */
#define PROGRESS_MS 50u
#define CHECKPOINT_SHARE 20u      /* one part in so many of the run */
#define SAVE_BYTES_PER_MS 100000u /* how fast the first checkpoint is guessed to be */

typedef struct dedup {
    tamis_reader *reader;
    tamis_writer *writer;
    const tamis_dedup_options *options;
    tamis_dedup_report *report;
    tamis_fingerprints exact; /* used when options->filter is NULL */
    uint8_t *flags;

    double held;   /* estimated items of earlier runs */
    double rate;   /* of a false positive, now */
    uint64_t room; /* TAMIS_FULL_STOP: new items until the capacity */
    size_t chunk;
    unsigned rounds; /* of finding how many were lost meanwhile */

    uint64_t started_ms;
    uint64_t progress_ms;   /* time of the last call */
    uint64_t checkpoint_ms; /* end of the last one */
    uint64_t saving_ms;     /* spent in checkpoints */
    uint64_t last_save_ms;  /* what the last one took */
} dedup;

static uint64_t now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* --- preparation -------------------------------------------------------------- */

static tamis_status check_options(const tamis_dedup_options *options, tamis_error *err)
{
    if (options->struct_size != sizeof *options)
        return tamis_fail(err, TAMIS_E_ARGUMENT, "dedup options: struct_size %zu is not %zu",
                          options->struct_size, sizeof *options);
    if (options->filter == NULL)
        return TAMIS_OK;
    bool scalable = tamis_filter_kind(options->filter) == TAMIS_SCALABLE;
    if (options->on_full == TAMIS_FULL_GROW && !scalable)
        return tamis_fail(err, TAMIS_E_ARGUMENT,
                          "only a scalable filter grows past its capacity of %llu items",
                          (unsigned long long)tamis_filter_capacity(options->filter));
    if (options->on_full == TAMIS_FULL_STOP && tamis_filter_kind(options->filter) == TAMIS_ROTATING)
        return tamis_fail(err, TAMIS_E_ARGUMENT, "a rotating filter has no capacity to stop at");
    return TAMIS_OK;
}

/* The rate once `more` items came on top of those held and counted. */
static double rate_after(const dedup *run, double more)
{
    double distinct = run->held + (double)run->report->printed + run->report->lost_expected + more;
    return tamis_filter_model_rate(run->options->filter, (uint64_t)distinct);
}

/* A look costs microseconds for each layer, at high rates many: it is taken less often
 * when there are many items. */
static void widen_chunk(dedup *run, uint64_t items)
{
    uint64_t wanted = items / CHUNK_SHARE;
    if (wanted > run->chunk)
        run->chunk = wanted < TAMIS_BATCH_RECORDS ? (size_t)wanted : TAMIS_BATCH_RECORDS;
}

/* What an earlier run left in the filter. */
static tamis_status look_at_filter(dedup *run, tamis_error *err)
{
    tamis_filter *filter = run->options->filter;
    uint64_t capacity = tamis_filter_capacity(filter);
    if (tamis_filter_items_offered(filter) > 0) {
        tamis_info info = {.struct_size = sizeof info};
        tamis_status status = tamis_filter_info(filter, &info);
        if (status != TAMIS_OK)
            return tamis_fail(err, status, "cannot measure the filter: %s", tamis_status_text(status));
        run->held = info.items_estimated;
    }
    run->room = run->held >= (double)capacity ? 0 : capacity - (uint64_t)run->held;
    widen_chunk(run, capacity);
    /* Filters with several layers count for themselves: a second round changes nothing. */
    tamis_kind kind = tamis_filter_kind(filter);
    run->rounds = kind == TAMIS_SCALABLE || kind == TAMIS_ROTATING ? 1 : 2;
    run->rate = rate_after(run, 0);
    if (kind == TAMIS_SCALABLE)
        return tamis_filter_limit_growth(filter, run->options->memory_limit);
    return TAMIS_OK;
}

static tamis_status begin(dedup *run, tamis_error *err)
{
    run->flags = malloc(TAMIS_BATCH_RECORDS);
    if (run->flags == NULL)
        return tamis_fail(err, TAMIS_E_NOMEM, "out of memory for %zu flags", TAMIS_BATCH_RECORDS);
    run->chunk = CHUNK_MIN;
    run->started_ms = run->progress_ms = run->checkpoint_ms = now_ms();
    if (run->options->filter != NULL)
        return look_at_filter(run, err);
    run->chunk = TAMIS_BATCH_RECORDS;
    return tamis_fingerprints_init(&run->exact, run->options->memory_limit, err);
}

/* --- adding -------------------------------------------------------------------- */

/* Counts new items. At a rate of r one that is printed stands for 1/(1-r) distinct
 * ones, where r is the mean of the rates before and after; the lost ones have a
 * share in the latter, which a second round accounts for. */
static void account(dedup *run, size_t fresh)
{
    run->room -= fresh < run->room ? fresh : run->room;
    if (run->options->filter != NULL) {
        double lost = 0, after = run->rate;
        for (unsigned round = 0; round < run->rounds; round++) {
            after = rate_after(run, (double)fresh + lost);
            double mean = (run->rate + after) / 2;
            lost = (double)fresh * mean / (1 - (mean < RATE_MAX ? mean : RATE_MAX));
        }
        run->rate = after;
        widen_chunk(run, run->report->printed);
        run->report->lost_expected += lost;
    }
    run->report->printed += fresh;
}

/* Keys, and what the filter needs of them: hashes[i] of keys[i] (exact: unused). */
typedef struct key_run {
    const tamis_item *keys;
    const uint64_t *hashes;
    size_t count;
} key_run;

static tamis_status add_chunk(dedup *run, key_run part, uint8_t *flags, size_t *done)
{
    size_t fresh = 0;
    tamis_status status =
        run->options->filter == NULL
            ? tamis_fingerprints_add_batch(&run->exact, part.keys, part.count, flags, &fresh, done)
            : tamis_filter_add_hashes(run->options->filter, part.hashes, part.count, flags, &fresh, done);
    account(run, fresh);
    return status;
}

/* A full filter: repeats pass, the first new key ends the run. */
static tamis_status pass_repeats(dedup *run, key_run part, uint8_t *flags, size_t *done)
{
    (void)tamis_filter_contains_hashes(run->options->filter, part.hashes, part.count, flags);
    for (*done = 0; *done < part.count; ++*done) {
        if (flags[*done] == 0)
            return TAMIS_E_FULL;
        flags[*done] = 0;
    }
    return TAMIS_OK;
}

/* Adds keys and flags the new ones; on failure the first *done were taken. */
static tamis_status add_keys(dedup *run, key_run all, uint8_t *flags, size_t *done)
{
    bool stops = run->options->filter != NULL && run->options->on_full == TAMIS_FULL_STOP;
    tamis_status status = TAMIS_OK;
    *done = 0;
    while (status == TAMIS_OK && *done < all.count) {
        size_t left = all.count - *done;
        key_run part = {all.keys + *done, all.hashes + *done, left < run->chunk ? left : run->chunk};
        size_t taken = 0;
        if (stops && run->room < part.count && run->room > 0)
            part.count = (size_t)run->room;
        if (stops && run->room == 0)
            status = pass_repeats(run, part, flags + *done, &taken);
        else
            status = add_chunk(run, part, flags + *done, &taken);
        *done += taken;
    }
    return status;
}

static tamis_status explain(const dedup *run, tamis_status status, tamis_error *err)
{
    unsigned long long limit = (unsigned long long)run->options->memory_limit;
    if (status == TAMIS_E_FULL && run->options->filter != NULL && run->options->on_full == TAMIS_FULL_STOP)
        return tamis_fail(err, status, "the filter is full: record %llu is beyond its capacity of %llu items",
                          (unsigned long long)run->report->records + 1,
                          (unsigned long long)tamis_filter_capacity(run->options->filter));
    if (status == TAMIS_E_FULL && limit != 0)
        return tamis_fail(err, status,
                          "record %llu does not fit: growing would pass the memory limit of %llu bytes",
                          (unsigned long long)run->report->records + 1, limit);
    return tamis_fail(err, status, "record %llu: %s", (unsigned long long)run->report->records + 1,
                      tamis_status_text(status));
}

/* Records from `i` on that have a key: where they end. */
static size_t end_of_keys(const tamis_records *batch, size_t i)
{
    if (batch->keys == batch->records)
        return batch->count;
    while (i < batch->count && !tamis_has_no_key(&batch->keys[i]))
        i++;
    return i;
}

/* Marks what is to be written in a batch; *done records of it were dealt with. */
static tamis_status mark(dedup *run, const tamis_records *batch, const uint64_t *hashes, size_t *done)
{
    size_t i = 0;
    tamis_status status = TAMIS_OK;
    while (status == TAMIS_OK && i < batch->count) {
        size_t end = end_of_keys(batch, i);
        if (end == i) {
            run->flags[i++] = 1;
            run->report->passed++;
            continue;
        }
        size_t taken = 0;
        status = add_keys(run, (key_run){batch->keys + i, hashes + i, end - i}, run->flags + i, &taken);
        i += taken;
    }
    *done = i;
    return status;
}

/* --- the run ---------------------------------------------------------------------- */

static uint64_t memory_bytes(const dedup *run)
{
    return run->options->filter == NULL ? tamis_fingerprints_bytes(&run->exact)
                                        : tamis_filter_payload_bytes(run->options->filter);
}

static bool checkpoint_is_due(const dedup *run, uint64_t now)
{
    const tamis_dedup_options *options = run->options;
    if (options->checkpoint == NULL || options->checkpoint_ms == 0 ||
        now - run->checkpoint_ms < options->checkpoint_ms)
        return false;
    uint64_t next = run->saving_ms == 0 ? memory_bytes(run) / SAVE_BYTES_PER_MS : run->last_save_ms;
    return (run->saving_ms + next) * CHECKPOINT_SHARE <= now - run->started_ms;
}

static tamis_status save(dedup *run, uint64_t began, tamis_error *err)
{
    tamis_status status = tamis_writer_sync(run->writer, err);
    if (status == TAMIS_OK)
        status = run->options->checkpoint(run->options->ctx, err);
    run->checkpoint_ms = now_ms();
    run->last_save_ms = run->checkpoint_ms - began + 1; /* rounded up */
    run->saving_ms += run->last_save_ms;
    return status;
}

/* What is done between two batches. */
static tamis_status look_at_clock(dedup *run, tamis_error *err)
{
    uint64_t now = now_ms();
    if (run->options->progress != NULL && now - run->progress_ms >= PROGRESS_MS) {
        tamis_reader_stats stats;
        tamis_reader_get_stats(run->reader, &stats);
        run->options->progress(run->options->ctx, &stats);
        run->progress_ms = now;
    }
    return checkpoint_is_due(run, now) ? save(run, now, err) : TAMIS_OK;
}

static void *new_hashes(void *ctx)
{
    (void)ctx;
    return malloc(TAMIS_BATCH_RECORDS * sizeof(uint64_t));
}

static void free_hashes(void *ctx, void *hashes)
{
    (void)ctx;
    free(hashes);
}

/* In any thread: the hashes of a batch's keys. */
static tamis_status hash_batch(void *ctx, void *scratch, const tamis_records *batch, tamis_error *err)
{
    const dedup *run = ctx;
    uint64_t *hashes = scratch;
    (void)err;
    for (size_t i = 0; run->options->filter != NULL && i < batch->count;) {
        size_t end = end_of_keys(batch, i);
        tamis_filter_hash_batch(run->options->filter, batch->keys + i, end - i, hashes + i);
        if (run->options->threads > 1)
            tamis_filter_fetch_hashes(run->options->filter, hashes + i, end - i);
        i = end > i ? end : i + 1;
    }
    return TAMIS_OK;
}

/* In turn: adds the batch, writes what is new, and looks at the clock. */
static tamis_status finish_batch(void *ctx, void *scratch, const tamis_records *records, tamis_error *err)
{
    dedup *run = ctx;
    tamis_records batch = *records;
    tamis_status status = mark(run, records, scratch, &batch.count);
    run->report->records += batch.count;
    tamis_status written = tamis_writer_records(run->writer, &batch, run->flags, err);
    if (written != TAMIS_OK)
        return written;
    return status == TAMIS_OK ? look_at_clock(run, err) : explain(run, status, err);
}

static tamis_status flush_output(void *ctx, tamis_error *err)
{
    const dedup *run = ctx;
    return tamis_writer_flush(run->writer, err);
}

/* Reads, marks and writes until the end or a failure. */
static tamis_status pump(dedup *run, tamis_error *err)
{
    unsigned threads = run->options->threads == 0 ? 1 : run->options->threads;
    if (run->options->filter == NULL && tamis_reader_makes_keys(run->reader))
        threads = 1; /* fingerprints are made in turn, from keys that must still be there */
    const tamis_flow flow = {sizeof flow, threads,      new_hashes,   free_hashes,
                             hash_batch,  finish_batch, flush_output, run};
    return tamis_reader_run(run->reader, &flow, err);
}

/* Whether the promised rate was left behind: by count where there is one number to
 * count against and nothing was in the filter before, lost items counted in as far as
 * they cannot be chance; else as the filter sees it, which takes a look at all bits. */
static bool is_overfull(const dedup *run)
{
    const tamis_filter *filter = run->options->filter;
    if (filter == NULL)
        return false;
    tamis_kind kind = tamis_filter_kind(filter);
    bool counted = (kind == TAMIS_BLOOM || kind == TAMIS_COUNTING) && run->held <= 0;
    double lost = run->report->lost_expected;
    double beyond = (double)run->report->printed + lost - (double)tamis_filter_capacity(filter);
    bool sure = beyond > SURE * sqrt(lost);
    if (counted && (sure || lost < 1))
        return sure;
    tamis_info info = {.struct_size = sizeof info};
    return tamis_filter_info(filter, &info) == TAMIS_OK && (info.overfull || (counted && info.saturated));
}

/* Writes out what is pending; where a state is kept, it must not know more than
 * what is on the disk. A failure here comes before all others: lines were lost. */
static tamis_status end_output(const dedup *run, tamis_status status, tamis_error *err)
{
    tamis_error failure;
    tamis_status ended = run->options->checkpoint != NULL ? tamis_writer_sync(run->writer, &failure)
                                                          : tamis_writer_flush(run->writer, &failure);
    if (ended == TAMIS_OK)
        return status;
    if (err != NULL)
        *err = failure;
    return ended;
}

/* In a saturated filter r/(1-r) has no bound, but no more can be lost than dropped. */
static void bound_loss(tamis_dedup_report *report)
{
    double dropped = (double)(report->records - report->printed - report->passed);
    if (report->overfull && report->lost_expected > 2 * dropped)
        report->lost_expected = dropped;
}

tamis_status tamis_dedup_run(tamis_reader *reader, tamis_writer *writer, const tamis_dedup_options *options,
                             tamis_dedup_report *report, tamis_error *err)
{
    *report = (tamis_dedup_report){0};
    tamis_status status = check_options(options, err);
    if (status != TAMIS_OK)
        return status;
    dedup run = {.reader = reader, .writer = writer, .options = options, .report = report};
    status = begin(&run, err);
    if (status == TAMIS_OK) {
        status = end_output(&run, pump(&run, err), err);
        report->memory_bytes = memory_bytes(&run);
        report->overfull = is_overfull(&run);
        bound_loss(report);
    }
    tamis_fingerprints_clear(&run.exact);
    free(run.flags);
    return status;
}
