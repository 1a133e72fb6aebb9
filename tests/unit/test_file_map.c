/* Filters mapped from their files; dirty files, verify and reseal. */
#define _GNU_SOURCE
#include "unit/file_samples.h"

#include <signal.h>
#include <sys/wait.h>

static const tamis_kind kinds[KINDS] = {TAMIS_BLOOM, TAMIS_COUNTING, TAMIS_SCALABLE, TAMIS_ROTATING};
static const tamis_kind writable_kinds[] = {TAMIS_BLOOM, TAMIS_COUNTING};

static tamis_status open_with(const char *path, unsigned flags, tamis_filter **out)
{
    tamis_open_options options = TAMIS_OPEN_OPTIONS_INIT;
    options.flags = flags;
    return tamis_filter_open(path, &options, out, NULL);
}

/* Saves a filter with numbers 0 to items - 1. */
static const char *save_sample(void **state, tamis_kind kind, unsigned items, char *path)
{
    tamis_filter *filter = make_filter(kind, 1000, items);
    path_in(state, "sample.tamis", path);
    assert_int_equal(tamis_filter_set_metadata(filter, "meta", 4), TAMIS_OK);
    assert_int_equal(tamis_filter_save(filter, path, NULL, NULL), TAMIS_OK);
    tamis_filter_free(filter);
    return path;
}

static void test_read_only(void **state)
{
    char path[MAX_PATH];
    for (size_t i = 0; i < KINDS; i++) {
        tamis_filter *mapped = NULL, *read = NULL;
        size_t len = 0;
        save_sample(state, kinds[i], 500, path);
        assert_int_equal(open_with(path, TAMIS_OPEN_MAP, &mapped), TAMIS_OK);
        assert_int_equal(open_with(path, 0, &read), TAMIS_OK);
        assert_true(tamis_filter_equal(mapped, read));
        assert_has_numbers(mapped, 0, 500);
        assert_memory_equal(tamis_filter_metadata(mapped, &len), "meta", 4);
        assert_int_equal(len, 4);
        assert_int_equal(tamis_filter_add(mapped, "x", 1, NULL), TAMIS_E_UNSUPPORTED);
        assert_int_equal(tamis_filter_clear(mapped), TAMIS_E_UNSUPPORTED);
        assert_int_equal(tamis_filter_set_metadata(mapped, "x", 1), TAMIS_E_UNSUPPORTED);
        /* Saved over the file it stands in, it stays whole. */
        file_bytes before = read_file(path);
        assert_int_equal(tamis_filter_save(mapped, path, NULL, NULL), TAMIS_OK);
        file_bytes after = read_file(path);
        assert_same_bytes(before, after);
        assert_has_numbers(mapped, 0, 500);
        assert_int_equal(tamis_filter_close(mapped, NULL), TAMIS_OK);
        tamis_filter_free(read);
        free(before.data);
        free(after.data);
    }
}

static void test_clone_of_mapping(void **state)
{
    char path[MAX_PATH];
    tamis_filter *mapped = NULL, *copy = NULL;
    save_sample(state, TAMIS_COUNTING, 100, path);
    assert_int_equal(open_with(path, TAMIS_OPEN_MAP, &mapped), TAMIS_OK);
    assert_int_equal(tamis_filter_clone(mapped, &copy), TAMIS_OK);
    tamis_filter_free(mapped);
    add_numbers(copy, 100, 200);
    assert_has_numbers(copy, 0, 200);
    tamis_filter_free(copy);
}

/* Only the header is looked at: a damaged payload is mapped, but not read. */
static void test_map_checks_the_header(void **state)
{
    char path[MAX_PATH];
    tamis_filter *mapped = NULL;
    save_sample(state, TAMIS_BLOOM, 100, path);
    file_bytes bytes = read_file(path);
    bytes.data[TAMIS_FILE_HEADER_BYTES + 5] ^= 1;
    write_file(path, bytes.data, bytes.len);
    assert_int_equal(open_with(path, 0, &mapped), TAMIS_E_CORRUPT);
    assert_int_equal(tamis_file_verify(path, NULL), TAMIS_E_CORRUPT);
    assert_int_equal(open_with(path, TAMIS_OPEN_MAP, &mapped), TAMIS_OK);
    tamis_filter_free(mapped);
    mapped = NULL;
    bytes.data[TAMIS_AT_CAPACITY] ^= 1;
    write_file(path, bytes.data, bytes.len);
    assert_int_equal(open_with(path, TAMIS_OPEN_MAP, &mapped), TAMIS_E_CORRUPT);
    bytes.data[TAMIS_AT_CAPACITY] ^= 1;
    const size_t lengths[] = {0, 1, 4095, 4096, bytes.len - 64, bytes.len - 1};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        write_file(path, bytes.data, lengths[i]);
        tamis_status wanted = lengths[i] < TAMIS_FILE_MAGIC_BYTES ? TAMIS_E_FORMAT : TAMIS_E_CORRUPT;
        assert_int_equal(open_with(path, TAMIS_OPEN_MAP, &mapped), wanted);
        assert_int_equal(open_with(path, TAMIS_OPEN_MAP_WRITE, &mapped), wanted);
    }
    assert_null(mapped);
    free(bytes.data);
}

static void test_map_refuses(void **state)
{
    char path[MAX_PATH];
    tamis_filter *filter = NULL;
    save_sample(state, TAMIS_BLOOM, 10, path);
    assert_int_equal(open_with(path, TAMIS_OPEN_MAP | TAMIS_OPEN_MAP_WRITE, &filter), TAMIS_E_ARGUMENT);
    assert_int_equal(open_with(path, 128, &filter), TAMIS_E_ARGUMENT);
    assert_int_equal(open_with(path, TAMIS_OPEN_WAIT, &filter), TAMIS_E_ARGUMENT);
    assert_int_equal(open_with(path, TAMIS_OPEN_MAP | TAMIS_OPEN_WAIT, &filter), TAMIS_E_ARGUMENT);
    assert_int_equal(open_with("/dev/null", TAMIS_OPEN_MAP, &filter), TAMIS_E_UNSUPPORTED);
    assert_int_equal(open_with("/nowhere/x", TAMIS_OPEN_MAP, &filter), TAMIS_E_IO);
    assert_int_equal(open_with("/nowhere/x", TAMIS_OPEN_MAP_WRITE, &filter), TAMIS_E_IO);
    assert_null(filter);
}

/* The file after a clean close is the one that a save would have made. */
static void test_writable(void **state)
{
    char path[MAX_PATH];
    for (size_t i = 0; i < 2; i++) {
        tamis_filter *mapped = NULL, *read = NULL;
        save_sample(state, writable_kinds[i], 300, path);
        assert_int_equal(open_with(path, 0, &read), TAMIS_OK);
        assert_int_equal(open_with(path, TAMIS_OPEN_MAP_WRITE, &mapped), TAMIS_OK);
        add_numbers(mapped, 300, 600);
        add_numbers(read, 300, 600);
        if (writable_kinds[i] == TAMIS_COUNTING) {
            unsigned number = 17;
            assert_int_equal(tamis_filter_remove(mapped, &number, sizeof number), TAMIS_OK);
            assert_int_equal(tamis_filter_remove(read, &number, sizeof number), TAMIS_OK);
        }
        assert_int_equal(tamis_filter_close(mapped, NULL), TAMIS_OK);
        assert_int_equal(tamis_file_verify(path, NULL), TAMIS_OK);
        file_bytes in_place = read_file(path), saved = file_of(read);
        assert_same_bytes(in_place, saved);
        tamis_filter_free(read);
        free(in_place.data);
        free(saved.data);
    }
}

/* While it is open the file is dirty, and locked for other writers. */
static void test_writable_excludes(void **state)
{
    char path[MAX_PATH];
    tamis_filter *mapped = NULL, *other = NULL;
    tamis_lock *lock = NULL;
    save_sample(state, TAMIS_BLOOM, 300, path);
    assert_int_equal(open_with(path, TAMIS_OPEN_MAP_WRITE, &mapped), TAMIS_OK);
    assert_int_equal(tamis_file_verify(path, NULL), TAMIS_E_DIRTY);
    assert_int_equal(open_with(path, TAMIS_OPEN_MAP_WRITE, &other), TAMIS_E_IN_USE);
    assert_int_equal(tamis_lock_acquire(path, 0, &lock, NULL), TAMIS_E_IN_USE);
    assert_int_equal(tamis_filter_save(mapped, path, NULL, NULL), TAMIS_E_IN_USE);
    assert_int_equal(tamis_file_reseal(path, NULL), TAMIS_E_IN_USE);
    assert_int_equal(open_with(path, TAMIS_OPEN_MAP, &other), TAMIS_OK); /* readers see what is written */
    add_numbers(mapped, 300, 301);
    assert_has_numbers(other, 0, 301);
    tamis_filter_free(other);
    assert_int_equal(tamis_filter_close(mapped, NULL), TAMIS_OK);
    assert_int_equal(tamis_lock_acquire(path, 0, &lock, NULL), TAMIS_OK);
    tamis_lock_release(lock);
}

/* A mapping that is saved onto its own file would wait for its own lock. */
static void test_save_onto_itself(void **state)
{
    char path[MAX_PATH], link[MAX_PATH], other[MAX_PATH];
    const unsigned flags[] = {0, TAMIS_SAVE_WAIT};
    tamis_filter *mapped = NULL;
    tamis_error err;
    save_sample(state, TAMIS_BLOOM, 300, path);
    assert_int_equal(symlink("sample.tamis", path_in(state, "link", link)), 0);
    assert_int_equal(open_with(path, TAMIS_OPEN_MAP_WRITE, &mapped), TAMIS_OK);
    (void)alarm(20);
    for (size_t i = 0; i < 2; i++) {
        tamis_save_options options = TAMIS_SAVE_OPTIONS_INIT;
        options.flags = flags[i];
        assert_int_equal(tamis_filter_save(mapped, path, &options, &err), TAMIS_E_IN_USE);
        assert_non_null(strstr(err.message, "mapped from this file"));
        assert_int_equal(tamis_filter_save(mapped, link, &options, &err), TAMIS_E_IN_USE);
        assert_int_equal(tamis_filter_save(mapped, path_in(state, "other", other), &options, &err), TAMIS_OK);
    }
    (void)alarm(0);
    assert_int_equal(tamis_filter_close(mapped, NULL), TAMIS_OK);
    assert_int_equal(tamis_file_verify(path, NULL), TAMIS_OK);
    assert_int_equal(tamis_file_verify(other, NULL), TAMIS_OK);
}

static void test_writable_kinds(void **state)
{
    char path[MAX_PATH];
    const tamis_kind others[] = {TAMIS_SCALABLE, TAMIS_ROTATING};
    for (size_t i = 0; i < 2; i++) {
        tamis_filter *mapped = NULL;
        save_sample(state, others[i], 100, path);
        file_bytes before = read_file(path);
        assert_int_equal(open_with(path, TAMIS_OPEN_MAP_WRITE, &mapped), TAMIS_E_UNSUPPORTED);
        assert_null(mapped);
        file_bytes after = read_file(path);
        assert_same_bytes(before, after);
        free(before.data);
        free(after.data);
    }
}

static void test_compatible_feature(void **state)
{
    char path[MAX_PATH];
    tamis_filter *mapped = NULL;
    save_sample(state, TAMIS_BLOOM, 100, path);
    file_bytes bytes = read_file(path);
    bytes.data[TAMIS_AT_COMPATIBLE] = 1;
    reseal_bytes(bytes);
    write_file(path, bytes.data, bytes.len);
    assert_int_equal(open_with(path, TAMIS_OPEN_MAP, &mapped), TAMIS_OK);
    tamis_filter_free(mapped);
    mapped = NULL;
    assert_int_equal(open_with(path, TAMIS_OPEN_MAP_WRITE, &mapped), TAMIS_E_VERSION);
    assert_null(mapped);
    file_bytes after = read_file(path);
    assert_same_bytes(bytes, after);
    free(bytes.data);
    free(after.data);
}

/* --- dirty files --------------------------------------------------------------------- */

/* A process that dies with the file mapped. */
static void die_while_writing(const char *path, unsigned from, unsigned to)
{
    int status = -1;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        tamis_filter *mapped = NULL;
        if (open_with(path, TAMIS_OPEN_MAP_WRITE, &mapped) != TAMIS_OK)
            _exit(1);
        for (unsigned i = from; i < to; i++)
            (void)tamis_filter_add(mapped, &i, sizeof i, NULL);
        (void)kill(getpid(), SIGKILL);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
}

static void test_dirty(void **state)
{
    char path[MAX_PATH];
    for (size_t i = 0; i < 2; i++) {
        tamis_filter *filter = NULL;
        save_sample(state, writable_kinds[i], 300, path);
        die_while_writing(path, 300, 500);
        assert_int_equal(tamis_file_verify(path, NULL), TAMIS_E_DIRTY);
        assert_int_equal(open_with(path, 0, &filter), TAMIS_OK);
        assert_has_numbers(filter, 0, 500);
        tamis_filter_free(filter);
        assert_int_equal(open_with(path, TAMIS_OPEN_MAP, &filter), TAMIS_OK);
        assert_has_numbers(filter, 0, 500);
        tamis_filter_free(filter);
        assert_int_equal(tamis_file_reseal(path, NULL), TAMIS_OK);
        assert_int_equal(tamis_file_verify(path, NULL), TAMIS_OK);
        assert_int_equal(open_with(path, 0, &filter), TAMIS_OK);
        assert_has_numbers(filter, 0, 500);
        tamis_filter_free(filter);
    }
    assert_int_equal(files_in(state), 1);
}

/* A dirty file can be written on; its clean close ends the matter. */
static void test_dirty_goes_on(void **state)
{
    char path[MAX_PATH];
    tamis_filter *filter = NULL;
    save_sample(state, TAMIS_COUNTING, 300, path);
    die_while_writing(path, 300, 400);
    assert_int_equal(open_with(path, TAMIS_OPEN_MAP_WRITE, &filter), TAMIS_OK);
    add_numbers(filter, 400, 500);
    assert_int_equal(tamis_filter_close(filter, NULL), TAMIS_OK);
    assert_int_equal(tamis_file_verify(path, NULL), TAMIS_OK);
    assert_int_equal(open_with(path, 0, &filter), TAMIS_OK);
    assert_has_numbers(filter, 0, 500);
    tamis_filter_free(filter);
}

static void test_free_leaves_dirty(void **state)
{
    char path[MAX_PATH];
    tamis_filter *filter = NULL;
    save_sample(state, TAMIS_BLOOM, 10, path);
    assert_int_equal(open_with(path, TAMIS_OPEN_MAP_WRITE, &filter), TAMIS_OK);
    tamis_filter_free(filter);
    assert_int_equal(tamis_file_verify(path, NULL), TAMIS_E_DIRTY);
}

static void test_dirty_is_checked_still(void **state)
{
    char path[MAX_PATH];
    tamis_filter *filter = NULL;
    save_sample(state, TAMIS_BLOOM, 10, path);
    die_while_writing(path, 10, 20);
    file_bytes bytes = read_file(path);
    write_file(path, bytes.data, bytes.len - 64);
    assert_int_equal(open_with(path, 0, &filter), TAMIS_E_CORRUPT);
    bytes.data[TAMIS_AT_CAPACITY] ^= 1;
    write_file(path, bytes.data, bytes.len);
    assert_int_equal(open_with(path, 0, &filter), TAMIS_E_CORRUPT);
    assert_int_equal(tamis_file_reseal(path, NULL), TAMIS_E_CORRUPT);
    assert_null(filter);
    free(bytes.data);
}

/* A dirty counting file as a crash may leave it: bits on the disk, counters not,
 * and the other way round. *out_wanted is the payload after its repair. */
static file_bytes make_crashed(const char *path, file_bytes *out_wanted)
{
    file_bytes bytes = read_file(path);
    size_t lines = (bytes.len - TAMIS_FILE_HEADER_BYTES - 64) / 5; /* 64: metadata */
    unsigned char *payload = bytes.data + TAMIS_FILE_HEADER_BYTES, *counters = payload + lines;
    memset(payload, 0, lines);
    memset(counters, 0, lines * 4);
    payload[0] = 0x05; /* bits 0 and 2; no counters */
    payload[1] = 0x80; /* bit 15; counter 2, which may be too low */
    counters[7] = 0x20;
    counters[8] = 0x31; /* clear bits 16 and 17; counters 1 and 3 */
    bytes.data[TAMIS_AT_DIRTY] |= TAMIS_FILE_DIRTY_BIT;
    write_file(path, bytes.data, bytes.len);
    *out_wanted = (file_bytes){malloc(lines * 5), lines * 5};
    assert_non_null(out_wanted->data);
    memcpy(out_wanted->data, payload, lines * 5);
    counters = out_wanted->data + lines;
    counters[0] = 0x0f;
    counters[1] = 0x0f;
    counters[7] = 0xf0;
    counters[8] = 0;
    return bytes;
}

static void assert_payload(file_bytes file, file_bytes wanted)
{
    assert_memory_equal(file.data + TAMIS_FILE_HEADER_BYTES, wanted.data, wanted.len);
    free(file.data);
}

/* No counter of a dirty file is believed: a set bit gets 15, a clear one 0, on
 * loading, mapping for reading or writing, and resealing. */
static void test_dirty_counters(void **state)
{
    char path[MAX_PATH];
    file_bytes wanted, crashed;
    tamis_filter *filter = NULL;
    const unsigned maps[] = {0, TAMIS_OPEN_MAP};
    save_sample(state, TAMIS_COUNTING, 10, path);
    crashed = make_crashed(path, &wanted);
    assert_int_equal(tamis_file_verify(path, NULL), TAMIS_E_DIRTY);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(open_with(path, maps[i], &filter), TAMIS_OK);
        assert_payload(file_of(filter), wanted);
        tamis_filter_free(filter);
    }
    file_bytes untouched = read_file(path);
    assert_same_bytes(untouched, crashed); /* who reads repairs for himself */
    free(untouched.data);
    assert_int_equal(tamis_file_reseal(path, NULL), TAMIS_OK);
    assert_int_equal(tamis_file_verify(path, NULL), TAMIS_OK);
    assert_payload(read_file(path), wanted);
    write_file(path, crashed.data, crashed.len);
    assert_int_equal(open_with(path, TAMIS_OPEN_MAP_WRITE, &filter), TAMIS_OK);
    assert_int_equal(tamis_filter_close(filter, NULL), TAMIS_OK);
    assert_int_equal(tamis_file_verify(path, NULL), TAMIS_OK);
    assert_payload(read_file(path), wanted);
    free(crashed.data);
    free(wanted.data);
}

/* After a crash an item can be removed no more, and none is lost by trying. */
static void test_dirty_items_stay(void **state)
{
    char path[MAX_PATH];
    tamis_filter *filter = NULL;
    save_sample(state, TAMIS_COUNTING, 300, path);
    die_while_writing(path, 300, 400);
    assert_int_equal(open_with(path, TAMIS_OPEN_MAP_WRITE, &filter), TAMIS_OK);
    for (unsigned i = 0; i < 400; i += 2)
        assert_int_equal(tamis_filter_remove(filter, &i, sizeof i), TAMIS_OK);
    assert_has_numbers(filter, 0, 400);
    assert_int_equal(tamis_filter_close(filter, NULL), TAMIS_OK);
    assert_int_equal(tamis_file_verify(path, NULL), TAMIS_OK);
}

static void test_reseal_leaves_clean_files(void **state)
{
    char path[MAX_PATH];
    struct stat before, after;
    save_sample(state, TAMIS_BLOOM, 10, path);
    assert_int_equal(stat(path, &before), 0);
    assert_int_equal(tamis_file_reseal(path, NULL), TAMIS_OK);
    assert_int_equal(stat(path, &after), 0);
    assert_int_equal(before.st_ino, after.st_ino);
    assert_int_equal(tamis_file_reseal("/nowhere/x", NULL), TAMIS_E_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_read_only, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_clone_of_mapping, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_map_checks_the_header, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_map_refuses, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_writable, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_writable_excludes, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_save_onto_itself, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_writable_kinds, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_compatible_feature, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_dirty, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_dirty_goes_on, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_free_leaves_dirty, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_dirty_is_checked_still, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_dirty_counters, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_dirty_items_stay, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_reseal_leaves_clean_files, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
