/* The bulk build: each thread hashes a slice of the items and deals the hashes
 * out to owners by region; then each owner adds what it was dealt, slice by slice
 * and so in the order of the items, into regions that no other thread writes.
 *
 *   hashes   | slice 0              | slice 1              |   a thread each
 *   dealt    | owner 0 | owner 1    | owner 0 | owner 1    |
 *
 * Where there are fewer regions than threads, there are fewer owners. */
#define _GNU_SOURCE

#include "filter/bulk.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>

#include "base/memory.h"
#include "filter/kind.h"
#include "filter/line.h"

#define MAX_THREADS 256u
#define ROUND ((size_t)1 << 23)     /* items at once: twice 64 MiB of hashes */
#define SLICE_MIN ((size_t)1 << 14) /* fewer items are not worth a thread */

typedef struct bulk {
    tamis_filter *filter;
    const tamis_source *from;
    size_t count;
    unsigned threads;
    uint64_t *made;              /* `count` hashes; unused (= dealt) when the source has them ready */
    uint64_t *dealt;             /* `count` hashes */
    size_t (*ends)[MAX_THREADS]; /* [slice][owner]: where its hashes end in `dealt` */
} bulk;

typedef struct worker {
    bulk *job;
    unsigned index;
    void (*work)(struct worker *worker);
    size_t total; /* new items */
    pthread_t thread;
} worker;

static size_t slice_begin(const bulk *job, unsigned slice)
{
    return (size_t)((uint64_t)job->count * slice / job->threads);
}

/* Regions 0..R-1 are dealt out evenly and in order. */
static unsigned owner_of(const bulk *job, uint64_t hash)
{
    uint64_t low;
    const tamis_geometry *geometry = &job->filter->layers[0].geometry;
    uint64_t region = tamis_region_of(geometry, hash, &low);
    return (unsigned)(region * job->threads / geometry->regions);
}

/* First half: hashes the slice, counts what each owner gets, and deals it out. */
static void deal(worker *self)
{
    const bulk *job = self->job;
    size_t begin = slice_begin(job, self->index), end = slice_begin(job, self->index + 1);
    const uint64_t *hashes = tamis_source_hashes(job->from, begin, end - begin, job->made + begin);
    size_t counts[MAX_THREADS] = {0}, at = begin;
    size_t *places = job->ends[self->index];
    for (size_t i = 0; i < end - begin; i++)
        counts[owner_of(job, hashes[i])]++;
    for (unsigned owner = 0; owner < job->threads; owner++) {
        places[owner] = at;
        at += counts[owner];
    }
    for (size_t i = 0; i < end - begin; i++)
        job->dealt[places[owner_of(job, hashes[i])]++] = hashes[i];
}

/* Second half: the owner's part of every slice. */
static void add_owned(worker *self)
{
    const bulk *job = self->job;
    for (unsigned slice = 0; slice < job->threads; slice++) {
        size_t begin = self->index == 0 ? slice_begin(job, slice) : job->ends[slice][self->index - 1];
        tamis_source part = {.hashes = job->dealt + begin};
        size_t size = job->ends[slice][self->index] - begin;
        self->total += job->filter->ops->add_part(job->filter, &part, size, NULL);
    }
}

static void *run_worker(void *argument)
{
    worker *self = argument;
    self->work(self);
    return NULL;
}

/* Signals are for the caller's threads. */
static bool start(worker *self)
{
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_create(&self->thread, NULL, run_worker, self) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

/* Runs `work` for each worker: in threads, or here where none can be had. */
static void run_all(bulk *job, worker *workers, void (*work)(worker *))
{
    bool started[MAX_THREADS] = {false};
    for (unsigned i = 0; i < job->threads; i++) {
        workers[i].work = work;
        started[i] = i > 0 && start(&workers[i]);
    }
    for (unsigned i = 0; i < job->threads; i++)
        if (!started[i])
            work(&workers[i]);
    for (unsigned i = 0; i < job->threads; i++)
        if (started[i])
            (void)pthread_join(workers[i].thread, NULL);
}

static void add_round(bulk *job, worker *workers, size_t *total)
{
    for (unsigned i = 0; i < job->threads; i++)
        workers[i] = (worker){.job = job, .index = i};
    run_all(job, workers, deal);
    run_all(job, workers, add_owned);
    for (unsigned i = 0; i < job->threads; i++)
        *total += workers[i].total;
    job->filter->offered += job->count;
}

static tamis_status add_rounds(tamis_filter *filter, const tamis_source *from, size_t count, unsigned threads,
                               size_t *total, size_t *done)
{
    const tamis_allocator *allocator = &tamis_default_allocator;
    size_t most = count < ROUND ? count : ROUND;
    size_t worker_bytes = threads * sizeof(worker), ends_bytes = threads * sizeof(size_t[MAX_THREADS]);
    worker *workers = tamis_allocate(allocator, worker_bytes);
    bulk job = {.filter = filter, .threads = threads};
    job.ends = tamis_allocate(allocator, ends_bytes);
    job.dealt = tamis_allocate(allocator, most * sizeof *job.dealt);
    job.made = from->hashes != NULL ? job.dealt : tamis_allocate(allocator, most * sizeof *job.made);
    bool ready = workers != NULL && job.ends != NULL && job.dealt != NULL && job.made != NULL;
    for (*done = 0; ready && *done < count; *done += job.count) {
        tamis_source rest = tamis_source_from(from, *done);
        job.from = &rest;
        job.count = count - *done < most ? count - *done : most;
        add_round(&job, workers, total);
    }
    if (job.made != job.dealt)
        tamis_release(allocator, job.made, most * sizeof *job.made);
    tamis_release(allocator, job.dealt, most * sizeof *job.dealt);
    tamis_release(allocator, job.ends, ends_bytes);
    tamis_release(allocator, workers, worker_bytes);
    return ready ? TAMIS_OK : TAMIS_E_NOMEM;
}

static unsigned useful_threads(const tamis_filter *filter, size_t count, unsigned threads)
{
    uint64_t most = filter->layers[0].geometry.regions;
    if (most > count / SLICE_MIN + 1)
        most = count / SLICE_MIN + 1;
    return threads < most ? threads : (unsigned)most;
}

tamis_status tamis_bulk_add(tamis_filter *filter, tamis_source from, size_t count, unsigned threads,
                            size_t *out_total, size_t *out_done)
{
    size_t total = 0, done = 0;
    tamis_status status = TAMIS_OK;
    from.seed = filter->params.seed;
    if (threads == 0 || threads > MAX_THREADS)
        status = TAMIS_E_RANGE;
    else if (filter->read_only)
        status = TAMIS_E_UNSUPPORTED;
    else if (filter->ops->add_part == NULL || useful_threads(filter, count, threads) == 1)
        status = filter->ops->add(filter, &from, count, NULL, &total, &done);
    else
        status = add_rounds(filter, &from, count, useful_threads(filter, count, threads), &total, &done);
    if (out_total != NULL)
        *out_total = total;
    if (out_done != NULL)
        *out_done = done;
    return status;
}
