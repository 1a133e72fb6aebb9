/* The bulk build: each thread owns a run of regions (of lines, where an item has only
 * one), whose items are those with a hash from one number to another. It looks through all
 * hashes, picks its own, and adds them in the order of the items with plain adds: no other
 * thread writes there. Looking costs some five instructions an item in every thread, so
 * that more than MAX_OWNERS are of no use; dealing the hashes out to their owners first
 * cost two threads as much as the adds.
 *
 * Where hashes are to be made, each thread makes a slice of a round of them, and all wait
 * for each other before they look. */
#define _GNU_SOURCE

#include "filter/bulk.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>

#include "base/memory.h"
#include "filter/kind.h"
#include "filter/line.h"

#define MAX_THREADS 256u
#define MAX_OWNERS 16u
#define ROUND ((size_t)1 << 16)     /* items a thread at once: half a MiB of hashes, which stay near */
#define SLICE_MIN ((size_t)1 << 14) /* fewer items are not worth a thread */
#define LOOK ((size_t)512)          /* hashes looked at at a time */
#define PICKED (4 * LOOK)           /* hashes added at a time, at most */

typedef struct bulk {
    tamis_filter *filter;
    const tamis_source *from;
    size_t count;
    unsigned threads;
    size_t round;               /* items of all threads at once */
    uint64_t *made;             /* a round of hashes; NULL when the source has them ready */
    uint64_t least[MAX_OWNERS]; /* the smallest hash of each owner */

    /* All meet here before and after they look. */
    pthread_mutex_t lock;
    pthread_cond_t all_here;
    unsigned waiting;
    uint64_t meetings;
} bulk;

typedef struct worker {
    bulk *job;
    unsigned index;
    size_t total; /* new items */
    pthread_t thread;
} worker;

/* --- owners ---------------------------------------------------------------------- */

/* The parts of a filter that no item of another part shares a line with. */
static uint64_t parts_of(const tamis_filter *filter)
{
    const tamis_geometry *geometry = &filter->layers[0].geometry;
    return geometry->g == 1 ? tamis_geometry_lines(geometry) : geometry->regions;
}

/* The smallest hash whose part is `part` or a later one: ceil(part 2^64 / parts), for
 * part < parts. */
static uint64_t least_hash_of(uint64_t part, uint64_t parts)
{
    uint64_t low = 0, high = UINT64_MAX, unused;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (tamis_mulhi64(middle, parts, &unused) < part)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Parts are given out evenly and in order: owner o begins with part floor(o parts / T). */
static void find_owners(bulk *job)
{
    uint64_t parts = parts_of(job->filter), share = parts / job->threads, more = parts % job->threads;
    for (unsigned owner = 0; owner < job->threads; owner++)
        job->least[owner] = least_hash_of(owner * share + owner * more / job->threads, parts);
}

/* --- the work of a thread ------------------------------------------------------- */

/* Owner o's hashes are `first` and the `span` numbers after it. */
typedef struct picker {
    uint64_t first;
    uint64_t span;
    uint64_t picked[PICKED];
    size_t count;
} picker;

static size_t add_picked(const bulk *job, picker *pick)
{
    const tamis_source from = {.hashes = pick->picked};
    size_t total = job->filter->ops->add_part(job->filter, &from, pick->count, NULL);
    pick->count = 0;
    return total;
}

/* Looks at `size` hashes, at most LOOK; there is room for all of them. */
static void look(picker *pick, const uint64_t *hashes, size_t size)
{
    uint64_t first = pick->first, span = pick->span;
    uint64_t *to = pick->picked + pick->count;
    size_t count = 0;
    for (size_t i = 0; i < size; i++) {
        uint64_t hash = hashes[i];
        to[count] = hash;
        count += hash - first <= span;
    }
    pick->count += count;
}

static size_t add_owned(const bulk *job, picker *pick, const uint64_t *hashes, size_t size)
{
    size_t total = 0;
    for (size_t at = 0; at < size; at += LOOK) {
        look(pick, hashes + at, size - at < LOOK ? size - at : LOOK);
        if (pick->count > PICKED - LOOK)
            total += add_picked(job, pick);
    }
    return total + add_picked(job, pick);
}

static void pick_for(const bulk *job, unsigned owner, picker *out)
{
    uint64_t end = owner + 1 == job->threads ? 0 : job->least[owner + 1]; /* 0: 2^64 */
    out->first = job->least[owner];
    out->span = end - 1 - out->first;
    out->count = 0;
}

/* --- threads -------------------------------------------------------------------------- */

/* Waits until all threads have come. */
static void meet(bulk *job)
{
    (void)pthread_mutex_lock(&job->lock);
    uint64_t meeting = job->meetings;
    if (++job->waiting == job->threads) {
        job->waiting = 0;
        job->meetings++;
        (void)pthread_cond_broadcast(&job->all_here);
    }
    while (job->meetings == meeting)
        (void)pthread_cond_wait(&job->all_here, &job->lock);
    (void)pthread_mutex_unlock(&job->lock);
}

/* Makes a thread's slice of the hashes of the items first..first+size. */
static void make_slice(const bulk *job, unsigned slice, size_t first, size_t size)
{
    size_t begin = (size_t)((uint64_t)size * slice / job->threads);
    size_t end = (size_t)((uint64_t)size * (slice + 1) / job->threads);
    tamis_source_hash(job->from, first + begin, end - begin, job->made + begin);
}

static void work(worker *self)
{
    bulk *job = self->job;
    picker pick;
    pick_for(job, self->index, &pick);
    if (job->made == NULL) {
        self->total = add_owned(job, &pick, job->from->hashes, job->count);
        return;
    }
    for (size_t first = 0; first < job->count; first += job->round) {
        size_t size = job->count - first < job->round ? job->count - first : job->round;
        make_slice(job, self->index, first, size);
        meet(job);
        self->total += add_owned(job, &pick, job->made, size);
        meet(job);
    }
}

/* Begins when all threads that could be had are there: their number is known then. */
static void *run_worker(void *argument)
{
    worker *self = argument;
    (void)pthread_mutex_lock(&self->job->lock);
    (void)pthread_mutex_unlock(&self->job->lock);
    work(self);
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

/* Runs with as many threads as can be had, this one among them. */
static void run_all(bulk *job, worker *workers)
{
    unsigned wanted = job->threads, have = 1;
    (void)pthread_mutex_lock(&job->lock);
    for (unsigned i = 0; i < wanted; i++)
        workers[i] = (worker){.job = job, .index = i};
    while (have < wanted && start(&workers[have]))
        have++;
    job->threads = have;
    find_owners(job);
    (void)pthread_mutex_unlock(&job->lock);
    work(&workers[0]);
    for (unsigned i = 1; i < have; i++)
        (void)pthread_join(workers[i].thread, NULL);
}

/* False, with nothing done, when there is no lock to be had. */
static bool add_in_threads(bulk *job, worker *workers, size_t *total)
{
    if (pthread_mutex_init(&job->lock, NULL) != 0)
        return false;
    bool ready = pthread_cond_init(&job->all_here, NULL) == 0;
    if (ready) {
        run_all(job, workers);
        (void)pthread_cond_destroy(&job->all_here);
        for (unsigned i = 0; i < job->threads; i++)
            *total += workers[i].total;
    }
    (void)pthread_mutex_destroy(&job->lock);
    return ready;
}

static tamis_status add_rounds(tamis_filter *filter, const tamis_source *from, size_t count, unsigned threads,
                               size_t *total, size_t *done)
{
    const tamis_allocator *allocator = &tamis_default_allocator;
    bulk job = {.filter = filter, .from = from, .count = count, .threads = threads};
    job.round = count < ROUND * threads ? count : ROUND * threads;
    size_t worker_bytes = threads * sizeof(worker), round_bytes = job.round * sizeof *job.made;
    worker *workers = tamis_allocate(allocator, worker_bytes);
    if (from->hashes == NULL)
        job.made = tamis_allocate(allocator, round_bytes);
    bool ready =
        workers != NULL && (job.made != NULL || from->hashes != NULL) && add_in_threads(&job, workers, total);
    if (ready) {
        *done = count;
        filter->offered += count;
    }
    tamis_release(allocator, job.made, round_bytes);
    tamis_release(allocator, workers, worker_bytes);
    return ready ? TAMIS_OK : TAMIS_E_NOMEM;
}

static unsigned useful_threads(const tamis_filter *filter, size_t count, unsigned threads)
{
    uint64_t most = parts_of(filter) < MAX_OWNERS ? parts_of(filter) : MAX_OWNERS;
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
