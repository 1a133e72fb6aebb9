/* What may run at once: readers, shared adds beside them, and bulk builds. Run
 * under ThreadSanitizer, too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdlib.h>

#include <tamis/tamis.h>

#define THREADS 8u
#define ITEMS 20000u /* a thread */

static tamis_filter *new_filter(tamis_kind kind, uint64_t capacity, uint32_t region_lines)
{
    tamis_params params = TAMIS_PARAMS_INIT;
    tamis_filter *filter = NULL;
    params.kind = kind;
    params.capacity = capacity;
    params.error_rate = 0.001;
    params.region_lines = region_lines;
    assert_int_equal(tamis_filter_create(&params, &filter, NULL), TAMIS_OK);
    return filter;
}

typedef struct task {
    tamis_filter *filter;
    pthread_mutex_t *lock;
    uint64_t first;
    size_t new_items;
    size_t found;
    pthread_t thread;
} task;

static void run_tasks(task *tasks, size_t count, void *(*work)(void *))
{
    for (size_t i = 0; i < count; i++)
        assert_int_equal(pthread_create(&tasks[i].thread, NULL, work, &tasks[i]), 0);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(pthread_join(tasks[i].thread, NULL), 0);
}

static void *add_shared(void *argument)
{
    task *self = argument;
    for (uint64_t i = self->first; i < self->first + ITEMS; i++) {
        bool is_new = false;
        if (tamis_filter_add_shared(self->filter, &i, sizeof i, &is_new) == TAMIS_OK)
            self->new_items += is_new;
        self->found += tamis_filter_contains(self->filter, &i, sizeof i);
    }
    return NULL;
}

static void test_shared_adds_lose_nothing(void **state)
{
    (void)state;
    task tasks[THREADS] = {{.filter = NULL}};
    tamis_filter *filter = new_filter(TAMIS_BLOOM, THREADS * ITEMS, 0),
                 *alone = new_filter(TAMIS_BLOOM, THREADS * ITEMS, 0);
    size_t new_items = 0;
    for (unsigned i = 0; i < THREADS; i++)
        tasks[i] = (task){.filter = filter, .first = i / 2 * ITEMS}; /* two threads share a range */
    run_tasks(tasks, THREADS, add_shared);
    for (unsigned i = 0; i < THREADS; i++) {
        assert_int_equal(tasks[i].found, ITEMS); /* each its own, at once */
        new_items += tasks[i].new_items;
    }
    for (uint64_t i = 0; i < THREADS / 2 * ITEMS; i++) {
        assert_true(tamis_filter_contains(filter, &i, sizeof i));
        assert_int_equal(tamis_filter_add(alone, &i, sizeof i, NULL), TAMIS_OK);
    }
    assert_int_equal(tamis_filter_items_offered(filter), THREADS * ITEMS);
    assert_true(new_items <= THREADS * ITEMS);
    for (uint64_t i = 0; i < THREADS / 2 * ITEMS; i++) /* the same offers, so that all is equal */
        assert_int_equal(tamis_filter_add(alone, &i, sizeof i, NULL), TAMIS_OK);
    assert_true(tamis_filter_equal(filter, alone));
    tamis_filter_free(filter);
    tamis_filter_free(alone);
}

/* Under a lock "new" is exact: never more often than there are items (B35). */
static void *add_locked(void *argument)
{
    task *self = argument;
    for (uint64_t i = 0; i < ITEMS / 2; i++) {
        bool is_new = false;
        (void)pthread_mutex_lock(self->lock);
        (void)tamis_filter_add(self->filter, &i, sizeof i, &is_new);
        (void)pthread_mutex_unlock(self->lock);
        self->new_items += is_new;
    }
    return NULL;
}

static void test_B35_new_is_exact_under_a_lock(void **state)
{
    (void)state;
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    tamis_filter *filter = new_filter(TAMIS_BLOOM, ITEMS, 0);
    task tasks[THREADS] = {{.filter = NULL}};
    size_t new_items = 0;
    for (unsigned i = 0; i < THREADS; i++)
        tasks[i] = (task){.filter = filter, .lock = &lock};
    run_tasks(tasks, THREADS, add_locked);
    for (unsigned i = 0; i < THREADS; i++)
        new_items += tasks[i].new_items;
    assert_true(new_items <= ITEMS / 2);
    assert_true(new_items > ITEMS / 2 - ITEMS / 100);
    for (uint64_t i = 0; i < ITEMS / 2; i++)
        assert_true(tamis_filter_contains(filter, &i, sizeof i));
    tamis_filter_free(filter);
}

static void *ask(void *argument)
{
    task *self = argument;
    for (uint64_t i = self->first; i < self->first + ITEMS; i++)
        self->found += tamis_filter_contains(self->filter, &i, sizeof i);
    return NULL;
}

static void test_many_readers(void **state)
{
    (void)state;
    tamis_filter *filter = new_filter(TAMIS_BLOOM, ITEMS, 0);
    task tasks[THREADS] = {{.filter = NULL}};
    for (uint64_t i = 0; i < ITEMS; i++)
        assert_int_equal(tamis_filter_add(filter, &i, sizeof i, NULL), TAMIS_OK);
    for (unsigned i = 0; i < THREADS; i++)
        tasks[i] = (task){.filter = filter};
    run_tasks(tasks, THREADS, ask);
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(tasks[i].found, ITEMS);
    tamis_filter_free(filter);
}

static void compare_bulk(tamis_kind kind, unsigned threads, uint32_t region_lines)
{
    static uint64_t items[400000], hashes[400000]; /* more than a round of 5 threads */
    const size_t count = sizeof items / sizeof *items;
    tamis_filter *one = new_filter(kind, count, region_lines), *many = new_filter(kind, count, region_lines);
    size_t total_one = 0, total_many = 0, done = 0;
    for (size_t i = 0; i < count; i++)
        items[i] = i % (count - 1000) * UINT64_C(0x9E3779B97F4A7C15); /* with repeats */
    assert_int_equal(tamis_filter_add_fixed(one, items, 8, count, NULL, &total_one, NULL), TAMIS_OK);
    assert_int_equal(tamis_filter_bulk_fixed(many, items, 8, count, threads, &total_many, &done), TAMIS_OK);
    assert_int_equal(done, count);
    assert_int_equal(total_one, total_many);
    assert_true(tamis_filter_equal(one, many));
    for (size_t i = 0; i < count; i++)
        hashes[i] = tamis_filter_hash(many, &items[i], 8);
    assert_int_equal(tamis_filter_clear(many), TAMIS_OK);
    assert_int_equal(tamis_filter_bulk_hashes(many, hashes, count, threads, &total_many, NULL), TAMIS_OK);
    assert_int_equal(total_one, total_many);
    assert_true(tamis_filter_equal(one, many));
    tamis_filter_free(one);
    tamis_filter_free(many);
}

static void test_bulk_builds_the_same_bytes(void **state)
{
    (void)state;
    const tamis_kind kinds[] = {TAMIS_BLOOM, TAMIS_COUNTING, TAMIS_SCALABLE};
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++)
        for (unsigned threads = 1; threads <= 5; threads++) {
            compare_bulk(kinds[kind], threads, 0);
            compare_bulk(kinds[kind], threads, 64);
        }
}

/* Lines may be fetched while another thread adds and the filter grows. */
static void *fetch(void *argument)
{
    const task *self = argument;
    for (uint64_t i = 0; i < ITEMS; i++) {
        uint64_t hash = tamis_hash_u64(self->first + i, 0);
        tamis_filter_fetch_hashes(self->filter, &hash, 1);
    }
    return NULL;
}

static void test_fetching_beside_growth(void **state)
{
    (void)state;
    task one = {.filter = new_filter(TAMIS_SCALABLE, 100, 0)};
    assert_int_equal(pthread_create(&one.thread, NULL, fetch, &one), 0);
    for (uint64_t i = 0; i < ITEMS; i++)
        assert_int_equal(tamis_filter_add_hash(one.filter, tamis_hash_u64(i, 0), NULL), TAMIS_OK);
    assert_int_equal(pthread_join(one.thread, NULL), 0);
    for (uint64_t i = 0; i < ITEMS; i++)
        assert_true(tamis_filter_contains_hash(one.filter, tamis_hash_u64(i, 0)));
    tamis_filter_free(one.filter);
}

static void test_bulk_refusals(void **state)
{
    (void)state;
    uint64_t hash = 1;
    tamis_filter *filter = new_filter(TAMIS_BLOOM, 10, 0);
    assert_int_equal(tamis_filter_bulk_hashes(filter, &hash, 1, 0, NULL, NULL), TAMIS_E_RANGE);
    assert_int_equal(tamis_filter_bulk_hashes(filter, &hash, 1, 257, NULL, NULL), TAMIS_E_RANGE);
    assert_int_equal(tamis_filter_items_offered(filter), 0);
    tamis_filter_free(filter);
    filter = new_filter(TAMIS_COUNTING, 10, 0);
    assert_int_equal(tamis_filter_add_shared(filter, "a", 1, NULL), TAMIS_E_UNSUPPORTED);
    tamis_filter_free(filter);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shared_adds_lose_nothing),
        cmocka_unit_test(test_B35_new_is_exact_under_a_lock),
        cmocka_unit_test(test_many_readers),
        cmocka_unit_test(test_bulk_builds_the_same_bytes),
        cmocka_unit_test(test_fetching_beside_growth),
        cmocka_unit_test(test_bulk_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
