/* Locks: one writer at a time, from before the file is read until after it was
 * replaced. */
#define _GNU_SOURCE
#include "unit/file_samples.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

#define WRITERS 4u
#define ROUNDS 25u

static const char *save_empty(void **state, char *path)
{
    tamis_filter *filter = make_filter(TAMIS_BLOOM, 1000, 0);
    assert_int_equal(tamis_filter_save(filter, path_in(state, "x", path), NULL, NULL), TAMIS_OK);
    tamis_filter_free(filter);
    return path;
}

static tamis_status save_locked(const tamis_filter *filter, const char *path, tamis_lock *lock)
{
    tamis_save_options options = TAMIS_SAVE_OPTIONS_INIT;
    options.lock = lock;
    return tamis_filter_save(filter, path, &options, NULL);
}

static void test_second_writer(void **state)
{
    char path[MAX_PATH];
    tamis_error err;
    tamis_lock *lock = NULL, *second = NULL;
    tamis_filter *filter = make_filter(TAMIS_BLOOM, 10, 10);
    save_empty(state, path);
    assert_int_equal(tamis_lock_acquire(path, 0, &lock, NULL), TAMIS_OK);
    assert_int_equal(tamis_lock_acquire(path, 0, &second, &err), TAMIS_E_IN_USE);
    assert_non_null(strstr(err.message, path));
    assert_null(second);
    assert_int_equal(tamis_filter_save(filter, path, NULL, NULL), TAMIS_E_IN_USE);
    /* The lock goes over to each new file. */
    for (int i = 0; i < 3; i++) {
        assert_int_equal(save_locked(filter, path, lock), TAMIS_OK);
        assert_int_equal(tamis_lock_acquire(path, 0, &second, NULL), TAMIS_E_IN_USE);
    }
    tamis_lock_release(lock);
    assert_int_equal(tamis_lock_acquire(path, 0, &second, NULL), TAMIS_OK);
    tamis_lock_release(second);
    assert_int_equal(files_in(state), 1);
    tamis_filter_free(filter);
}

static void test_missing_file(void **state)
{
    char path[MAX_PATH];
    tamis_error err;
    tamis_lock *lock = NULL;
    assert_int_equal(tamis_lock_acquire(path_in(state, "x", path), 0, &lock, &err), TAMIS_E_IO);
    assert_int_equal(err.system_errno, ENOENT);
    assert_int_equal(tamis_lock_acquire(path, 99, &lock, &err), TAMIS_E_ARGUMENT);
    assert_null(lock);
    tamis_lock_release(NULL);
}

static void test_keep_locked(void **state)
{
    char path[MAX_PATH];
    tamis_lock *lock = NULL, *second = NULL;
    tamis_filter *filter = make_filter(TAMIS_BLOOM, 10, 10);
    tamis_save_options options = TAMIS_SAVE_OPTIONS_INIT;
    options.flags = TAMIS_SAVE_NEW;
    options.out_lock = &lock;
    assert_int_equal(tamis_filter_save(filter, path_in(state, "x", path), &options, NULL), TAMIS_OK);
    assert_non_null(lock);
    assert_int_equal(tamis_lock_acquire(path, 0, &second, NULL), TAMIS_E_IN_USE);
    assert_int_equal(save_locked(filter, path, lock), TAMIS_OK);
    tamis_lock_release(lock);
    assert_int_equal(tamis_filter_save(filter, path, &options, NULL), TAMIS_E_EXISTS);
    tamis_filter_free(filter);
}

/* Somebody who does not know of locks put another file in the place. */
static void test_replaced_behind_the_back(void **state)
{
    char path[MAX_PATH], other[MAX_PATH];
    tamis_lock *lock = NULL;
    tamis_filter *filter = make_filter(TAMIS_BLOOM, 10, 10);
    save_empty(state, path);
    assert_int_equal(tamis_lock_acquire(path, 0, &lock, NULL), TAMIS_OK);
    assert_int_equal(tamis_filter_save(filter, path_in(state, "y", other), NULL, NULL), TAMIS_OK);
    assert_int_equal(rename(other, path), 0);
    assert_int_equal(save_locked(filter, path, lock), TAMIS_E_IN_USE);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(save_locked(filter, path, lock), TAMIS_OK);
    tamis_lock_release(lock);
    assert_int_equal(files_in(state), 1);
    tamis_filter_free(filter);
}

static void test_link_is_locked_as_its_file(void **state)
{
    char path[MAX_PATH], link[MAX_PATH];
    tamis_lock *lock = NULL, *second = NULL;
    tamis_filter *filter = make_filter(TAMIS_BLOOM, 10, 10);
    save_empty(state, path);
    assert_int_equal(symlink("x", path_in(state, "link", link)), 0);
    assert_int_equal(tamis_lock_acquire(link, 0, &lock, NULL), TAMIS_OK);
    assert_int_equal(tamis_lock_acquire(path, 0, &second, NULL), TAMIS_E_IN_USE);
    assert_int_equal(save_locked(filter, link, lock), TAMIS_OK);
    assert_int_equal(tamis_lock_acquire(path, 0, &second, NULL), TAMIS_E_IN_USE);
    tamis_lock_release(lock);
    tamis_filter_free(filter);
}

/* --- processes --------------------------------------------------------------------- */

static void assert_children_succeed(unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        int status = -1;
        assert_true(wait(&status) > 0);
        assert_int_equal(status, 0);
    }
}

/* Lock, read, add one item, save; 0 when all went well. */
static int add_one(const char *path, unsigned number)
{
    tamis_lock *lock = NULL;
    tamis_filter *filter = NULL;
    tamis_status status = tamis_lock_acquire(path, TAMIS_LOCK_WAIT, &lock, NULL);
    if (status == TAMIS_OK)
        status = tamis_filter_open(path, NULL, &filter, NULL);
    if (status == TAMIS_OK)
        status = tamis_filter_add(filter, &number, sizeof number, NULL);
    if (status == TAMIS_OK)
        status = save_locked(filter, path, lock);
    tamis_filter_free(filter);
    tamis_lock_release(lock);
    return (int)status;
}

static int add_many(const char *path, unsigned writer)
{
    int failed = 0;
    for (unsigned i = 0; i < ROUNDS && failed == 0; i++)
        failed = add_one(path, writer * ROUNDS + i);
    return failed;
}

static void test_writers_lose_nothing(void **state)
{
    char path[MAX_PATH];
    tamis_filter *filter = NULL;
    save_empty(state, path);
    for (unsigned writer = 0; writer < WRITERS; writer++)
        if (fork() == 0)
            _exit(add_many(path, writer));
    assert_children_succeed(WRITERS);
    assert_int_equal(tamis_filter_open(path, NULL, &filter, NULL), TAMIS_OK);
    assert_has_numbers(filter, 0, WRITERS * ROUNDS);
    assert_int_equal(tamis_filter_items_offered(filter), WRITERS * ROUNDS);
    tamis_filter_free(filter);
    assert_int_equal(files_in(state), 1);
}

/* Adds through writable mappings, one after the other. */
static int map_and_add(const char *path, unsigned number)
{
    tamis_filter *filter = NULL;
    tamis_open_options options = TAMIS_OPEN_OPTIONS_INIT;
    options.flags = TAMIS_OPEN_MAP_WRITE | TAMIS_OPEN_WAIT;
    tamis_status status = tamis_filter_open(path, &options, &filter, NULL);
    if (status != TAMIS_OK)
        return (int)status;
    status = tamis_filter_add(filter, &number, sizeof number, NULL);
    return (int)(status == TAMIS_OK ? tamis_filter_close(filter, NULL) : status);
}

static void test_mappers_and_savers(void **state)
{
    char path[MAX_PATH];
    tamis_filter *filter = NULL;
    save_empty(state, path);
    for (unsigned i = 0; i < 20; i++)
        if (fork() == 0)
            _exit(i % 2 == 0 ? add_one(path, i) : map_and_add(path, i));
    assert_children_succeed(20);
    assert_int_equal(tamis_filter_open(path, NULL, &filter, NULL), TAMIS_OK);
    assert_has_numbers(filter, 0, 20);
    assert_int_equal(tamis_filter_items_offered(filter), 20);
    assert_int_equal(tamis_file_verify(path, NULL), TAMIS_OK);
    tamis_filter_free(filter);
}

/* Of many that create a file at once, one does. */
static void test_creators(void **state)
{
    char path[MAX_PATH];
    tamis_filter *filter = make_filter(TAMIS_BLOOM, 10, 10);
    tamis_save_options options = TAMIS_SAVE_OPTIONS_INIT;
    options.flags = TAMIS_SAVE_NEW;
    path_in(state, "x", path);
    for (unsigned i = 0; i < 8; i++)
        if (fork() == 0)
            _exit((int)tamis_filter_save(filter, path, &options, NULL));
    unsigned created = 0;
    for (unsigned i = 0; i < 8; i++) {
        int status = -1;
        assert_true(wait(&status) > 0);
        assert_true(WIFEXITED(status));
        assert_true(WEXITSTATUS(status) == TAMIS_OK || WEXITSTATUS(status) == TAMIS_E_EXISTS);
        created += WEXITSTATUS(status) == TAMIS_OK;
    }
    assert_int_equal(created, 1);
    assert_int_equal(files_in(state), 1);
    tamis_filter_free(filter);
}

/* Without a flag they replace each other's file, one at a time. */
static void test_savers_without_a_file(void **state)
{
    char path[MAX_PATH];
    tamis_filter *filter = make_filter(TAMIS_BLOOM, 10, 10);
    tamis_save_options options = TAMIS_SAVE_OPTIONS_INIT;
    options.flags = TAMIS_SAVE_WAIT;
    path_in(state, "x", path);
    for (unsigned i = 0; i < 8; i++)
        if (fork() == 0)
            _exit((int)tamis_filter_save(filter, path, &options, NULL));
    assert_children_succeed(8);
    assert_int_equal(tamis_file_verify(path, NULL), TAMIS_OK);
    assert_int_equal(files_in(state), 1);
    tamis_filter_free(filter);
}

static void ignore_alarm(int number)
{
    (void)number;
}

static void test_interrupted(void **state)
{
    char path[MAX_PATH];
    tamis_lock *lock = NULL, *second = NULL;
    struct sigaction action = {.sa_handler = ignore_alarm};
    save_empty(state, path);
    assert_int_equal(tamis_lock_acquire(path, 0, &lock, NULL), TAMIS_OK);
    assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
    (void)alarm(1);
    assert_int_equal(tamis_lock_acquire(path, TAMIS_LOCK_WAIT, &second, NULL), TAMIS_E_INTERRUPTED);
    assert_null(second);
    tamis_lock_release(lock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_second_writer, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_missing_file, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_keep_locked, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_replaced_behind_the_back, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_link_is_locked_as_its_file, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_writers_lose_nothing, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_mappers_and_savers, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_creators, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_savers_without_a_file, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_interrupted, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
