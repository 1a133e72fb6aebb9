/* Threads: contains from many at once; adds under the caller's lock (field report B35).
 * Meant for the thread sanitizer, which sees what the answers cannot show. */
#define _POSIX_C_SOURCE 200809L

#include "support/support.h"

#include <pthread.h>

#define THREADS 8
#define ITEMS 10000

typedef struct worker {
    pthread_t thread;
    tamis_filter *filter;
    pthread_mutex_t *lock; /* NULL: asks only */
    uint64_t answers;
} worker;

static void start(worker *workers, tamis_filter *filter, pthread_mutex_t *lock, void *(*work)(void *))
{
    for (int i = 0; i < THREADS; i++) {
        workers[i].filter = filter;
        workers[i].lock = lock;
        workers[i].answers = 0;
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
}

static uint64_t join(worker *workers)
{
    uint64_t answers = 0;
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
        answers += workers[i].answers;
    }
    return answers;
}

/* cmocka's checks belong to the main thread: workers only count. */
static void *add_all(void *argument)
{
    worker *self = argument;
    for (uint64_t item = 0; item < ITEMS; item++) {
        bool is_new = false;
        (void)pthread_mutex_lock(self->lock);
        tamis_status status = tamis_filter_add(self->filter, &item, sizeof item, &is_new);
        (void)pthread_mutex_unlock(self->lock);
        self->answers += status == TAMIS_OK && is_new;
    }
    return NULL;
}

static void *ask_all(void *argument)
{
    worker *self = argument;
    uint8_t found[100];
    uint64_t items[100];
    for (uint64_t from = 0; from < ITEMS; from += 100) {
        for (uint64_t i = 0; i < 100; i++)
            items[i] = from + i;
        self->answers += tamis_filter_contains_fixed(self->filter, items, sizeof *items, 100, found);
        self->answers += tamis_filter_contains(self->filter, &from, sizeof from);
    }
    tamis_info info = {.struct_size = sizeof info};
    if (tamis_filter_info(self->filter, &info) == TAMIS_OK)
        self->answers++;
    return NULL;
}

/* Eight threads add the same items under a lock: each is new at most once, none is lost. */
static void check_adds(tamis_kind kind, uint64_t capacity)
{
    worker workers[THREADS];
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    tamis_filter *filter = make_kind(kind, capacity, 0.001, 3);
    start(workers, filter, &lock, add_all);
    uint64_t new_items = join(workers);
    assert_in_range(new_items, ITEMS - ITEMS / 200, ITEMS);
    assert_int_equal(hits_in_range(filter, 0, ITEMS), ITEMS);
    assert_int_equal(tamis_filter_items_offered(filter), THREADS * ITEMS);
    tamis_filter_free(filter);
}

static void test_adds_of_every_kind_under_a_lock(void **state)
{
    (void)state;
    check_adds(TAMIS_BLOOM, ITEMS);
    check_adds(TAMIS_COUNTING, ITEMS);
    check_adds(TAMIS_SCALABLE, 100); /* layers come while others wait */
    check_adds(TAMIS_ROTATING, 8 * ITEMS);
}

static void test_asks_from_many_threads_at_once(void **state)
{
    (void)state;
    for (tamis_kind kind = TAMIS_BLOOM; kind <= TAMIS_ROTATING; kind++) {
        worker workers[THREADS];
        tamis_filter *filter = make_kind(kind, 8 * ITEMS, 0.001, 3), *before;
        add_range(filter, 0, ITEMS);
        before = clone_of(filter);
        start(workers, filter, NULL, ask_all);
        assert_int_equal(join(workers), THREADS * (ITEMS + ITEMS / 100 + 1));
        assert_true(tamis_filter_equal(filter, before));
        tamis_filter_free(before);
        tamis_filter_free(filter);
    }
}

static void *make_and_use(void *argument)
{
    worker *self = argument;
    tamis_params params = params_of(TAMIS_SCALABLE, 100, 0.001, 3);
    tamis_filter *filter = NULL;
    if (tamis_filter_create(&params, &filter, NULL) != TAMIS_OK)
        return NULL;
    for (uint64_t item = 0; item < ITEMS; item++)
        (void)tamis_filter_add(filter, &item, sizeof item, NULL);
    for (uint64_t item = 0; item < ITEMS; item++)
        self->answers += tamis_filter_contains(filter, &item, sizeof item);
    tamis_filter_free(filter);
    return NULL;
}

/* Nothing is shared between filters: each thread makes and uses its own. */
static void test_filters_of_different_threads_are_independent(void **state)
{
    (void)state;
    worker workers[THREADS];
    start(workers, NULL, NULL, make_and_use);
    assert_int_equal(join(workers), THREADS * ITEMS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_adds_of_every_kind_under_a_lock),
        cmocka_unit_test(test_asks_from_many_threads_at_once),
        cmocka_unit_test(test_filters_of_different_threads_are_independent),
    };
    return cmocka_run_group_tests_name("threads, locked", tests, NULL, NULL);
}
