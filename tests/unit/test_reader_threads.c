/* Many threads at once: asking one filter that nobody changes, and working each on a filter of its own. All begin
 * together, so that whatever the library prepares at its first use is raced for. Run under ThreadSanitizer by CI. */
#define _POSIX_C_SOURCE 200809L

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include <tamis/tamis.h>

#define THREADS 4
#define ITEMS 2000u

typedef struct task {
    pthread_t thread;
    pthread_barrier_t *start;
    const tamis_filter *shared; /* NULL: the thread makes its own */
    tamis_kind kind;
    unsigned wrong; /* what did not come out as it should */
} task;

static size_t item_text(char text[32], unsigned number)
{
    return (size_t)snprintf(text, 32, "item %u", number);
}

static tamis_filter *filled(tamis_kind kind)
{
    tamis_params params = TAMIS_PARAMS_INIT;
    params.kind = kind;
    params.capacity = ITEMS;
    params.error_rate = 1e-6;
    params.window_ms = kind == TAMIS_ROTATING ? 60000 : 0;
    tamis_filter *filter = NULL;
    if (tamis_filter_create(&params, &filter, NULL) != TAMIS_OK)
        return NULL;
    for (unsigned i = 0; i < ITEMS; i++) {
        char text[32];
        size_t len = item_text(text, i);
        if (tamis_filter_add(filter, text, len, NULL) != TAMIS_OK) {
            tamis_filter_free(filter);
            return NULL;
        }
    }
    return filter;
}

/* Number of wrong answers when the first ITEMS numbers are in the filter. */
static unsigned ask(const tamis_filter *filter)
{
    uint64_t hashes[ITEMS];
    unsigned wrong = 0;
    for (unsigned i = 0; i < ITEMS; i++) {
        char text[32];
        size_t len = item_text(text, i);
        hashes[i] = tamis_filter_hash(filter, text, len);
        wrong += !tamis_filter_contains(filter, text, len);
    }
    wrong += tamis_filter_contains_hashes(filter, hashes, ITEMS, NULL) != ITEMS;
    tamis_info info = {.struct_size = sizeof info};
    wrong += tamis_filter_info(filter, &info) != TAMIS_OK || info.items_offered != ITEMS;
    tamis_filter *copy = NULL;
    wrong += tamis_filter_clone(filter, &copy) != TAMIS_OK || !tamis_filter_equal(copy, filter);
    tamis_filter_free(copy);
    return wrong;
}

static void *run_task(void *argument)
{
    task *self = argument;
    (void)pthread_barrier_wait(self->start);
    if (self->shared != NULL) {
        self->wrong = ask(self->shared);
        return NULL;
    }
    tamis_filter *own = filled(self->kind);
    self->wrong = own == NULL ? 1 : ask(own);
    tamis_filter_free(own);
    return NULL;
}

static void run_threads(const tamis_filter *shared, tamis_kind kind)
{
    pthread_barrier_t start;
    task tasks[THREADS];
    assert_int_equal(pthread_barrier_init(&start, NULL, THREADS), 0);
    for (size_t i = 0; i < THREADS; i++) {
        tasks[i] = (task){.start = &start, .shared = shared, .kind = kind};
        assert_int_equal(pthread_create(&tasks[i].thread, NULL, run_task, &tasks[i]), 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(tasks[i].thread, NULL), 0);
        assert_int_equal(tasks[i].wrong, 0);
    }
    (void)pthread_barrier_destroy(&start);
}

/* First in the program: nothing of the library was used before. */
static void each_thread_with_its_own_filter(void **state)
{
    (void)state;
    for (int kind = TAMIS_BLOOM; kind <= TAMIS_ROTATING; kind++)
        run_threads(NULL, (tamis_kind)kind);
}

static void all_threads_ask_one_filter(void **state)
{
    (void)state;
    for (int kind = TAMIS_BLOOM; kind <= TAMIS_ROTATING; kind++) {
        tamis_filter *filter = filled((tamis_kind)kind);
        assert_non_null(filter);
        run_threads(filter, (tamis_kind)kind);
        tamis_filter_free(filter);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_thread_with_its_own_filter),
        cmocka_unit_test(all_threads_ask_one_filter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
