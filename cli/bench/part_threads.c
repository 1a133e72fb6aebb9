/* One thread beside two: asking, the bulk build, shared adds. */
#define _POSIX_C_SOURCE 200809L

#include <pthread.h>
#include <stdlib.h>

#include "bench/subject.h"

enum { POOL = 1 << 20 };
static const double faster = 1.8; /* two threads than one */

/* A thread's part of a run. */
typedef struct share {
    const contender *of;
    uint64_t (*work)(tamis_filter *filter, const uint64_t *hashes, size_t count);
    size_t first, count;
    uint64_t found;
} share;

static void *run_share(void *argument)
{
    share *part = argument;
    part->found = part->work(part->of->filter, part->of->hashes + part->first, part->count);
    return NULL;
}

/* Half of the items here and half in another thread, or all of them here. */
static uint64_t run_shares(const contender *c, uint64_t (*work)(tamis_filter *, const uint64_t *, size_t))
{
    pthread_t other;
    size_t half = c->threads > 1 ? c->count / 2 : 0;
    share there = {c, work, 0, half, 0}, here = {c, work, half, c->count - half, 0};
    bool begun = half > 0 && pthread_create(&other, NULL, run_share, &there) == 0;
    (void)run_share(&here);
    if (begun)
        (void)pthread_join(other, NULL);
    else
        (void)run_share(&there);
    return there.found + here.found;
}

static uint64_t ask(tamis_filter *filter, const uint64_t *hashes, size_t count)
{
    return tamis_filter_contains_hashes(filter, hashes, count, NULL);
}

static uint64_t add_shared(tamis_filter *filter, const uint64_t *hashes, size_t count)
{
    size_t total = 0;
    (void)tamis_filter_add_shared_hashes(filter, hashes, count, NULL, &total);
    return total;
}

static uint64_t add_plain(tamis_filter *filter, const uint64_t *hashes, size_t count)
{
    size_t total = 0;
    (void)tamis_filter_add_hashes(filter, hashes, count, NULL, &total, NULL);
    return total;
}

static uint64_t run_ask(const contender *c)
{
    return run_shares(c, ask);
}

static uint64_t run_add_shared(const contender *c)
{
    return run_shares(c, add_shared);
}

static uint64_t run_add_plain(const contender *c)
{
    return run_shares(c, add_plain);
}

static uint64_t run_bulk(const contender *c)
{
    size_t total = 0;
    (void)tamis_filter_bulk_hashes(c->filter, c->hashes, c->count, c->threads, &total, NULL);
    return total;
}

static size_t enter(stage *s, tamis_filter *filter, const uint64_t *pool, uint64_t (*run)(const contender *),
                    unsigned threads)
{
    size_t count = s->items < POOL ? (size_t)s->items : POOL;
    return stage_enter(
        s, (contender){.run = run, .count = count, .filter = filter, .hashes = pool, .threads = threads});
}

static void claim_all(stage *s, subject *on, const uint64_t *pool)
{
    size_t ask_1 = enter(s, on->full, pool, run_ask, 1), ask_2 = enter(s, on->full, pool, run_ask, 2);
    size_t plain = enter(s, on->half.filter, pool, run_add_plain, 1);
    size_t bulk_1 = enter(s, on->half.filter, pool, run_bulk, 1);
    size_t bulk_2 = enter(s, on->half.filter, pool, run_bulk, 2);
    size_t shared_1 = enter(s, on->half.filter, pool, run_add_shared, 1);
    size_t shared_2 = enter(s, on->half.filter, pool, run_add_shared, 2);
    stage_run(s);
    const claim claims[] = {
        {.what = "2 threads: contains", .subject = sum_of(ask_2)},
        {"1 thread: contains", sum_of(ask_1), "2 threads", sum_of(ask_2), faster, AT_LEAST},
        {.what = "2 threads: bulk build", .subject = sum_of(bulk_2)},
        {"1 thread: bulk build", sum_of(bulk_1), "2 threads", sum_of(bulk_2), faster, AT_LEAST},
        {.what = "2 threads: add_shared", .subject = sum_of(shared_2)},
        {"1 thread: add_shared", sum_of(shared_1), "2 threads", sum_of(shared_2), faster, AT_LEAST},
        {"1 thread: bulk build", sum_of(bulk_1), "add, batch", sum_of(plain), 0, TARGET_NONE},
        {"1 thread: add_shared", sum_of(shared_1), "add, batch", sum_of(plain), 0, TARGET_NONE},
    };
    stage_claim_all(s, claims, sizeof claims / sizeof claims[0]);
}

/* The hashes of items that the filter has. */
static uint64_t *make_pool(stage *s, const tamis_filter *filter)
{
    uint64_t *pool = malloc(POOL * sizeof *pool);
    if (pool == NULL || !stage_fine(s)) {
        free(pool);
        return NULL;
    }
    for (uint64_t i = 0; i < POOL; i++)
        pool[i] = tamis_filter_hash(filter, &i, sizeof i);
    return pool;
}

void part_threads(bench *b)
{
    stage s;
    subject on;
    uint64_t items = bench_main_size(b);
    uint64_t nbytes = 3 * subject_bytes(TAMIS_BLOOM, items, 0.01) + POOL * (8 + 16);
    if (stage_begin(&s, b, "threads", items, nbytes)) {
        s.rounds = s.rounds < FEW_ROUNDS ? s.rounds : FEW_ROUNDS;
        subject_make(&s, s.error_rate, &on);
        uint64_t *pool = make_pool(&s, on.full);
        if (pool != NULL)
            claim_all(&s, &on, pool);
        else if (stage_fine(&s))
            b->error.status = TAMIS_E_NOMEM;
        free(pool);
    }
    stage_end(&s);
}
