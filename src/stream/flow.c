/* Records through threads. Every thread does the same: take the next run of
 * records (one thread at a time), work on it, wait for its turn, finish it. So
 * one reads and works while another finishes, and with more threads more work.
 *
 *   thread 0   read 0 | work 0 | finish 0 | read 2 | work 2          | finish 2
 *   thread 1          | read 1 | work 1   | finish 1 | read 3 | work 3        ...
 */
#define _GNU_SOURCE

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "base/error.h"
#include "stream/internal.h"

#define MAX_THREADS 256u

typedef struct flow_run {
    tamis_reader *reader;
    const tamis_flow *flow;
    pthread_mutex_t reading; /* guards the reader and `next` */
    uint64_t next;           /* number of the next run of records */
    bool ended;              /* nothing more is read */
    pthread_mutex_t turns;   /* guards `turn` */
    pthread_cond_t turned;
    uint64_t turn;       /* the run of records that may be finished */
    tamis_status status; /* the first failure; changed in turn only */
    tamis_error error;
} flow_run;

typedef struct flow_thread {
    flow_run *run;
    void *scratch;
    tamis_block block;
    pthread_t thread;
    bool started;
} flow_thread;

/* One run of records on its way. */
typedef struct parcel {
    uint64_t number;
    tamis_records records;
    tamis_status status;
    tamis_error error;
} parcel;

/* --- turns ---------------------------------------------------------------------- */

static void wait_for_turn(flow_run *run, uint64_t number)
{
    (void)pthread_mutex_lock(&run->turns);
    while (run->turn != number)
        (void)pthread_cond_wait(&run->turned, &run->turns);
    (void)pthread_mutex_unlock(&run->turns);
}

static void end_turn(flow_run *run)
{
    (void)pthread_mutex_lock(&run->turns);
    run->turn++;
    (void)pthread_cond_broadcast(&run->turned);
    (void)pthread_mutex_unlock(&run->turns);
}

/* --- steps ------------------------------------------------------------------------ */

/* Before the input makes everybody wait: what was read is finished and written. */
static tamis_status go_idle(flow_run *run, tamis_error *err)
{
    if (!tamis_reader_would_wait(run->reader))
        return TAMIS_OK;
    wait_for_turn(run, run->next);
    if (run->status != TAMIS_OK)
        return run->status; /* nobody needs what would be waited for */
    return run->flow->idle == NULL ? TAMIS_OK : run->flow->idle(run->flow->ctx, err);
}

static void do_work(flow_thread *self, parcel *item)
{
    const tamis_flow *flow = self->run->flow;
    if (item->status == TAMIS_OK && item->records.count > 0 && flow->work != NULL)
        item->status = flow->work(flow->ctx, self->scratch, &item->records, &item->error);
}

/* One thread alone can use the reader's own memory. */
static tamis_status next_records(flow_thread *self, parcel *item)
{
    tamis_reader *reader = self->run->reader;
    if (self->run->flow->threads == 1)
        return tamis_reader_next(reader, &item->records, &item->error);
    return tamis_reader_next_block(reader, &self->block, &item->records, &item->error);
}

/* Takes the next run of records; false when there is nothing to take. The end of
 * the input and its failures are taken, too, by one thread. */
static bool take(flow_thread *self, parcel *item)
{
    flow_run *run = self->run;
    (void)pthread_mutex_lock(&run->reading);
    bool taken = !run->ended;
    if (taken) {
        item->error.status = TAMIS_OK;
        item->status = go_idle(run, &item->error);
        if (item->status == TAMIS_OK)
            item->status = next_records(self, item);
        item->number = run->next++;
        run->ended = item->status != TAMIS_OK || item->records.count == 0;
        if (tamis_reader_makes_keys(run->reader))
            do_work(self, item);
    }
    (void)pthread_mutex_unlock(&run->reading);
    return taken;
}

static void finish(flow_thread *self, parcel *item)
{
    flow_run *run = self->run;
    const tamis_flow *flow = run->flow;
    if (run->status != TAMIS_OK)
        return;
    if (item->status == TAMIS_OK && item->records.count > 0)
        item->status = flow->finish(flow->ctx, self->scratch, &item->records, &item->error);
    if (item->status == TAMIS_OK)
        return;
    run->status = item->status;
    run->error = item->error;
}

/* A failure ends the reading, too. */
static void stop_reading(flow_run *run)
{
    (void)pthread_mutex_lock(&run->reading);
    run->ended = true;
    (void)pthread_mutex_unlock(&run->reading);
}

static void *pump(void *argument)
{
    flow_thread *self = argument;
    flow_run *run = self->run;
    parcel item = {.number = 0};
    while (take(self, &item)) {
        if (!tamis_reader_makes_keys(run->reader))
            do_work(self, &item);
        wait_for_turn(run, item.number);
        finish(self, &item);
        bool failed = run->status != TAMIS_OK;
        end_turn(run);
        if (failed)
            stop_reading(run);
    }
    return NULL;
}

/* --- threads ----------------------------------------------------------------------- */

/* Signals are for the caller's thread. */
static void start(flow_thread *thread)
{
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    thread->started = pthread_create(&thread->thread, NULL, pump, thread) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static bool make_scratch(flow_run *run, flow_thread *threads)
{
    for (unsigned i = 0; i < run->flow->threads; i++) {
        threads[i].run = run;
        if (run->flow->scratch_new == NULL)
            continue;
        threads[i].scratch = run->flow->scratch_new(run->flow->ctx);
        if (threads[i].scratch == NULL)
            return false;
    }
    return true;
}

static void free_threads(flow_run *run, flow_thread *threads)
{
    for (unsigned i = 0; i < run->flow->threads; i++) {
        tamis_block_free(&threads[i].block);
        if (threads[i].scratch != NULL)
            run->flow->scratch_free(run->flow->ctx, threads[i].scratch);
    }
    free(threads);
}

/* A thread that cannot be had is done without. */
static void run_threads(flow_run *run, flow_thread *threads)
{
    for (unsigned i = 1; i < run->flow->threads; i++)
        start(&threads[i]);
    (void)pump(&threads[0]);
    for (unsigned i = 1; i < run->flow->threads; i++)
        if (threads[i].started)
            (void)pthread_join(threads[i].thread, NULL);
}

tamis_status tamis_reader_run(tamis_reader *reader, const tamis_flow *flow, tamis_error *err)
{
    if (flow->struct_size != sizeof *flow)
        return tamis_fail(err, TAMIS_E_ARGUMENT, "flow: struct_size %zu is not %zu", flow->struct_size,
                          sizeof *flow);
    if (flow->threads == 0 || flow->threads > MAX_THREADS)
        return tamis_fail(err, TAMIS_E_RANGE, "%u threads are not 1 to %u", flow->threads, MAX_THREADS);
    flow_run run = {.reader = reader,
                    .flow = flow,
                    .reading = PTHREAD_MUTEX_INITIALIZER,
                    .turns = PTHREAD_MUTEX_INITIALIZER,
                    .turned = PTHREAD_COND_INITIALIZER};
    flow_thread *threads = calloc(flow->threads, sizeof *threads);
    bool ready = threads != NULL && make_scratch(&run, threads);
    if (ready)
        run_threads(&run, threads);
    if (threads != NULL)
        free_threads(&run, threads);
    if (!ready)
        return tamis_fail(err, TAMIS_E_NOMEM, "out of memory for %u threads", flow->threads);
    if (run.status != TAMIS_OK && err != NULL)
        *err = run.error;
    return run.status;
}
