/* Saving: modes, links, devices, failures. Locks are in test_file_lock.c. */
#define _GNU_SOURCE
#include "unit/file_samples.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

static tamis_status save(const tamis_filter *filter, const char *path, unsigned flags, tamis_error *err)
{
    tamis_save_options options = TAMIS_SAVE_OPTIONS_INIT;
    options.flags = flags;
    return tamis_filter_save(filter, path, &options, err);
}

static mode_t mode_of(const char *path)
{
    struct stat st;
    assert_int_equal(lstat(path, &st), 0);
    return st.st_mode & 07777;
}

static void assert_file_is(const char *path, const tamis_filter *filter)
{
    file_bytes there = read_file(path), wanted = file_of(filter);
    assert_same_bytes(there, wanted);
    free(there.data);
    free(wanted.data);
}

static void test_modes(void **state)
{
    char path[MAX_PATH];
    tamis_params params = sample_params(TAMIS_BLOOM, 10, 0.01);
    tamis_filter *filter = make_filter(TAMIS_BLOOM, 10, 10), *secret = NULL;
    params.flags = TAMIS_SECRET_SEED;
    assert_int_equal(tamis_filter_create(&params, &secret, NULL), TAMIS_OK);
    mode_t umask_before = umask(027);
    assert_int_equal(save(filter, path_in(state, "new", path), 0, NULL), TAMIS_OK);
    assert_int_equal(mode_of(path), 0640);
    assert_int_equal(save(secret, path_in(state, "secret", path), 0, NULL), TAMIS_OK);
    assert_int_equal(mode_of(path), 0600);
    const mode_t kept[] = {0644, 0600, 0444, 0666, 0770};
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        assert_int_equal(chmod(path, kept[i]), 0);
        assert_int_equal(save(filter, path, 0, NULL), TAMIS_OK);
        assert_int_equal(mode_of(path), kept[i]);
    }
    umask(umask_before);
    tamis_filter_free(filter);
    tamis_filter_free(secret);
}

/* Whoever could read the file that is replaced: a secret seed is the owner's. */
static void test_secret_replaces_public(void **state)
{
    char path[MAX_PATH];
    tamis_params params = sample_params(TAMIS_BLOOM, 10, 0.01);
    tamis_filter *filter = make_filter(TAMIS_BLOOM, 10, 10), *secret = NULL;
    const mode_t modes[][2] = {{0644, 0600}, {0666, 0600}, {0755, 0700}, {0440, 0400}, {06777, 0700}};
    params.flags = TAMIS_SECRET_SEED;
    assert_int_equal(tamis_filter_create(&params, &secret, NULL), TAMIS_OK);
    path_in(state, "x", path);
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        assert_int_equal(save(filter, path, 0, NULL), TAMIS_OK);
        assert_int_equal(chmod(path, modes[i][0]), 0);
        assert_int_equal(save(secret, path, 0, NULL), TAMIS_OK);
        assert_int_equal(mode_of(path), modes[i][1]);
    }
    tamis_filter_free(filter);
    tamis_filter_free(secret);
}

static void test_symbolic_links(void **state)
{
    char file[MAX_PATH], link[MAX_PATH], second[MAX_PATH], folder[MAX_PATH];
    tamis_filter *small = make_filter(TAMIS_BLOOM, 10, 10), *large = make_filter(TAMIS_BLOOM, 1000, 10);
    struct stat st;
    assert_int_equal(mkdir(path_in(state, "folder", folder), 0700), 0);
    path_in(state, "folder/file", file);
    assert_int_equal(symlink("folder/link", path_in(state, "second", second)), 0);
    assert_int_equal(symlink("file", path_in(state, "folder/link", link)), 0);
    /* They dangle: the file is made where they point. */
    assert_int_equal(save(small, second, 0, NULL), TAMIS_OK);
    assert_file_is(file, small);
    assert_int_equal(save(large, second, 0, NULL), TAMIS_OK);
    assert_file_is(file, large);
    assert_int_equal(lstat(second, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_int_equal(lstat(link, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_int_equal(save(large, second, TAMIS_SAVE_NEW, NULL), TAMIS_E_EXISTS);
    tamis_filter_free(small);
    tamis_filter_free(large);
}

static void test_link_loop(void **state)
{
    char a[MAX_PATH], b[MAX_PATH];
    tamis_error err;
    tamis_filter *filter = make_filter(TAMIS_BLOOM, 10, 10);
    assert_int_equal(symlink("b", path_in(state, "a", a)), 0);
    assert_int_equal(symlink("a", path_in(state, "b", b)), 0);
    assert_int_equal(save(filter, a, 0, &err), TAMIS_E_IO);
    assert_int_equal(err.system_errno, ELOOP);
    tamis_filter_free(filter);
}

static void test_new_only(void **state)
{
    char path[MAX_PATH];
    tamis_error err;
    tamis_filter *filter = make_filter(TAMIS_BLOOM, 10, 10), *other = make_filter(TAMIS_BLOOM, 1000, 10);
    assert_int_equal(save(filter, path_in(state, "x", path), TAMIS_SAVE_NEW, NULL), TAMIS_OK);
    assert_int_equal(save(other, path, TAMIS_SAVE_NEW, &err), TAMIS_E_EXISTS);
    assert_non_null(strstr(err.message, path));
    assert_file_is(path, filter);
    assert_int_equal(files_in(state), 1);
    tamis_filter_free(filter);
    tamis_filter_free(other);
}

static void test_names(void **state)
{
    char path[MAX_PATH], name[256];
    tamis_filter *filter = make_filter(TAMIS_BLOOM, 10, 10);
    memset(name, 'n', 255);
    name[255] = '\0';
    assert_int_equal(save(filter, path_in(state, name, path), 0, NULL), TAMIS_OK);
    assert_int_equal(save(filter, path, 0, NULL), TAMIS_OK);
    assert_int_equal(chdir((char *)*state), 0);
    assert_int_equal(save(filter, "relative", 0, NULL), TAMIS_OK);
    assert_file_is("relative", filter);
    assert_int_equal(save(filter, "-", 0, NULL), TAMIS_OK); /* a name like any other */
    assert_int_equal(chdir("/"), 0);
    assert_int_equal(files_in(state), 3);
    tamis_filter_free(filter);
}

static void test_bad_places(void **state)
{
    char path[MAX_PATH];
    tamis_error err;
    tamis_filter *filter = make_filter(TAMIS_BLOOM, 10, 10);
    assert_int_equal(save(filter, path_in(state, "missing/x", path), 0, &err), TAMIS_E_IO);
    assert_int_equal(err.system_errno, ENOENT);
    assert_int_equal(save(filter, (char *)*state, 0, &err), TAMIS_E_IO);
    assert_int_equal(err.system_errno, EISDIR);
    assert_int_equal(save(filter, "/proc/tamis", 0, &err), TAMIS_E_IO);
    assert_int_equal(files_in(state), 0);
    tamis_filter_free(filter);
}

static void test_options(void **state)
{
    char path[MAX_PATH];
    tamis_filter *filter = make_filter(TAMIS_BLOOM, 10, 10);
    tamis_save_options options = TAMIS_SAVE_OPTIONS_INIT;
    path_in(state, "x", path);
    options.flags = 64;
    assert_int_equal(tamis_filter_save(filter, path, &options, NULL), TAMIS_E_ARGUMENT);
    options.flags = 0;
    options.struct_size--;
    assert_int_equal(tamis_filter_save(filter, path, &options, NULL), TAMIS_E_ARGUMENT);
    assert_int_equal(files_in(state), 0);
    tamis_filter_free(filter);
}

/* Options of a later version: what is not known here must not be asked for. */
static void test_larger_options(void **state)
{
    char path[MAX_PATH];
    struct {
        tamis_save_options known;
        unsigned char later[24];
    } options = {TAMIS_SAVE_OPTIONS_INIT, {0}};
    tamis_filter *filter = make_filter(TAMIS_BLOOM, 10, 10);
    path_in(state, "x", path);
    options.known.struct_size = sizeof options;
    for (size_t i = 0; i < sizeof options.later; i++) {
        options.later[i] = 1;
        assert_int_equal(tamis_filter_save(filter, path, &options.known, NULL), TAMIS_E_ARGUMENT);
        options.later[i] = 0;
    }
    assert_int_equal(files_in(state), 0);
    assert_int_equal(tamis_filter_save(filter, path, &options.known, NULL), TAMIS_OK);
    options.known.struct_size = SIZE_MAX; /* not a size: nothing behind the struct is read */
    assert_int_equal(tamis_filter_save(filter, path, &options.known, NULL), TAMIS_E_ARGUMENT);
    tamis_filter_free(filter);
}

/* --- devices and pipes ------------------------------------------------------------- */

static void test_B26_full_device(void **state)
{
    (void)state;
    tamis_error err;
    tamis_filter *filter = make_filter(TAMIS_BLOOM, 10, 10);
    assert_int_equal(save(filter, "/dev/null", 0, &err), TAMIS_OK);
    if (access("/dev/full", W_OK) == 0) {
        assert_int_equal(save(filter, "/dev/full", 0, &err), TAMIS_E_IO);
        assert_int_equal(err.system_errno, ENOSPC);
        assert_non_null(strstr(err.message, "/dev/full"));
    }
    struct stat st;
    assert_int_equal(stat("/dev/null", &st), 0);
    assert_true(S_ISCHR(st.st_mode));
    tamis_filter_free(filter);
}

static void *open_fifo(void *path)
{
    tamis_filter *filter = NULL;
    (void)tamis_filter_open(path, NULL, &filter, NULL);
    return filter;
}

static void test_fifo(void **state)
{
    char path[MAX_PATH];
    pthread_t thread;
    void *loaded = NULL;
    tamis_filter *filter = make_filter(TAMIS_BLOOM, 100000, 1000);
    assert_int_equal(mkfifo(path_in(state, "fifo", path), 0600), 0);
    assert_int_equal(pthread_create(&thread, NULL, open_fifo, path), 0);
    assert_int_equal(save(filter, path, 0, NULL), TAMIS_OK);
    assert_int_equal(pthread_join(thread, &loaded), 0);
    assert_non_null(loaded);
    assert_true(tamis_filter_equal(filter, loaded));
    tamis_filter_free(loaded);
    tamis_filter_free(filter);
}

/* --- failures ---------------------------------------------------------------------- */

/* In a child: saves with files limited to `limit` bytes; 0 when that failed as it should. */
static int save_limited(const tamis_filter *filter, const char *path, rlim_t limit)
{
    tamis_error err = {.status = TAMIS_OK};
    struct rlimit files = {limit, limit};
    (void)signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &files) != 0)
        return 2;
    tamis_status status = save(filter, path, 0, &err);
    return status == TAMIS_E_IO && err.system_errno == EFBIG ? 0 : 1;
}

static void test_B26_file_size_limit(void **state)
{
    char path[MAX_PATH];
    const rlim_t limits[] = {0, 1, 4095, 4096, 5000, 100000};
    tamis_filter *small = make_filter(TAMIS_BLOOM, 10, 10), *large = make_filter(TAMIS_BLOOM, 100000, 10);
    assert_true(tamis_filter_file_bytes(large) > 100000);
    assert_int_equal(save(small, path_in(state, "x", path), 0, NULL), TAMIS_OK);
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        int status = -1;
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0)
            _exit(save_limited(large, path, limits[i]));
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
        assert_file_is(path, small);
        assert_int_equal(files_in(state), 1);
    }
    tamis_filter_free(small);
    tamis_filter_free(large);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_modes, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_secret_replaces_public, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_symbolic_links, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_link_loop, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_new_only, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_names, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_bad_places, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_options, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_larger_options, make_folder, remove_folder),
        cmocka_unit_test(test_B26_full_device),
        cmocka_unit_test_setup_teardown(test_fifo, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_B26_file_size_limit, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
