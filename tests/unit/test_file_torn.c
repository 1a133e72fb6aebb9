/* Power losses: what a writable mapping writes is recorded, and every mixture of old
 * and new sectors that a disk may be left with has to open, with nothing lost. */
#define _GNU_SOURCE
#include "unit/file_samples.h"

#include <fcntl.h>
#include <sys/syscall.h>

#define SECTOR 512u
#define MOST_MOMENTS 16u
#define BEFORE 60u /* items in the file before it is mapped */
#define AFTER 90u
#define REMOVED 10u /* of the new ones, counting */

/* --- the recorder ---------------------------------------------------------------- */

/* The file as it was at the last sync, and as it is: the disk has some of each. */
typedef struct moment {
    file_bytes safe;
    file_bytes now;
} moment;

static struct recorder {
    const char *path; /* NULL: nothing is recorded */
    file_bytes safe;
    size_t count;
    moment moments[MOST_MOMENTS];
} recorder;

static file_bytes copy_of(file_bytes bytes)
{
    file_bytes copy = {malloc(bytes.len), bytes.len};
    assert_non_null(copy.data);
    memcpy(copy.data, bytes.data, bytes.len);
    return copy;
}

static void record(bool synced)
{
    if (recorder.path == NULL)
        return;
    assert_true(recorder.count < MOST_MOMENTS);
    moment *entry = &recorder.moments[recorder.count++];
    entry->safe = copy_of(recorder.safe);
    entry->now = read_file(recorder.path);
    if (synced) {
        free(recorder.safe.data);
        recorder.safe = copy_of(entry->now);
    }
}

static void start_recording(const char *path)
{
    recorder.path = path;
    recorder.count = 0;
    recorder.safe = read_file(path);
}

static void stop_recording(void)
{
    recorder.path = NULL;
    free(recorder.safe.data);
}

/* These take the place of the C library's, in this program. */

ssize_t pwrite(int fd, const void *from, size_t len, off_t at)
{
    ssize_t put = syscall(SYS_pwrite64, fd, from, len, at);
    record(false);
    return put;
}

ssize_t pwrite64(int fd, const void *from, size_t len, off64_t at)
{
    ssize_t put = syscall(SYS_pwrite64, fd, from, len, at);
    record(false);
    return put;
}

int fsync(int fd)
{
    record(true);
    return (int)syscall(SYS_fsync, fd);
}

/* --- the losses -------------------------------------------------------------------- */

typedef struct outcomes {
    unsigned clean, dirty, mixtures;
} outcomes;

static size_t differing_sectors(const moment *at, size_t *out)
{
    size_t count = 0;
    for (size_t sector = 0; sector * SECTOR < at->now.len; sector++) {
        size_t left = at->now.len - sector * SECTOR, len = left < SECTOR ? left : SECTOR;
        if (memcmp(at->safe.data + sector * SECTOR, at->now.data + sector * SECTOR, len) != 0)
            out[count++] = sector;
    }
    return count;
}

/* One disk: readable in every way, and its items are there. */
static void check_disk(const char *path, file_bytes disk, unsigned items, outcomes *seen)
{
    const unsigned maps[] = {0, TAMIS_OPEN_MAP, TAMIS_OPEN_MAP_WRITE};
    write_file(path, disk.data, disk.len);
    tamis_status status = tamis_file_verify(path, NULL);
    assert_true(status == TAMIS_OK || status == TAMIS_E_DIRTY);
    seen->clean += status == TAMIS_OK;
    seen->dirty += status == TAMIS_E_DIRTY;
    for (size_t i = 0; i < 3; i++) {
        tamis_filter *filter = NULL;
        tamis_open_options options = TAMIS_OPEN_OPTIONS_INIT;
        options.flags = maps[i];
        assert_int_equal(tamis_filter_open(path, &options, &filter, NULL), TAMIS_OK);
        assert_has_numbers(filter, 0, items);
        tamis_filter_free(filter); /* a writable one is left dirty */
    }
    assert_int_equal(tamis_file_reseal(path, NULL), TAMIS_OK);
    assert_int_equal(tamis_file_verify(path, NULL), TAMIS_OK);
}

/* Every subset of the sectors that were on their way. */
static void check_moment(const char *path, const moment *at, unsigned items, outcomes *seen)
{
    size_t sectors[64];
    assert_true(at->now.len <= 64 * SECTOR && at->now.len == at->safe.len);
    size_t count = differing_sectors(at, sectors);
    assert_true(count <= 8);
    for (unsigned subset = 0; subset < 1u << count; subset++) {
        file_bytes disk = copy_of(at->safe);
        for (size_t i = 0; i < count; i++) {
            size_t from = sectors[i] * SECTOR, left = disk.len - from;
            if ((subset >> i & 1u) != 0)
                memcpy(disk.data + from, at->now.data + from, left < SECTOR ? left : SECTOR);
        }
        check_disk(path, disk, items, seen);
        seen->mixtures++;
        free(disk.data);
    }
}

static void write_in_place(const char *path, tamis_kind kind)
{
    tamis_filter *filter = NULL;
    tamis_open_options options = TAMIS_OPEN_OPTIONS_INIT;
    options.flags = TAMIS_OPEN_MAP_WRITE;
    assert_int_equal(tamis_filter_open(path, &options, &filter, NULL), TAMIS_OK);
    add_numbers(filter, BEFORE, AFTER);
    for (unsigned i = BEFORE; kind == TAMIS_COUNTING && i < BEFORE + REMOVED; i++)
        assert_int_equal(tamis_filter_remove(filter, &i, sizeof i), TAMIS_OK);
    assert_int_equal(tamis_filter_close(filter, NULL), TAMIS_OK);
}

static outcomes lose_power_everywhere(void **state, tamis_kind kind)
{
    char path[MAX_PATH], disk[MAX_PATH];
    outcomes seen = {0, 0, 0};
    tamis_filter *filter = make_filter(kind, 100, BEFORE);
    assert_int_equal(tamis_filter_save(filter, path_in(state, "x", path), NULL, NULL), TAMIS_OK);
    tamis_filter_free(filter);
    filter = NULL;
    start_recording(path);
    write_in_place(path, kind);
    stop_recording();
    path_in(state, "disk", disk);
    for (size_t i = 0; i < recorder.count; i++) {
        check_moment(disk, &recorder.moments[i], BEFORE, &seen);
        free(recorder.moments[i].safe.data);
        free(recorder.moments[i].now.data);
    }
    assert_int_equal(tamis_file_verify(path, NULL), TAMIS_OK);
    assert_int_equal(tamis_filter_open(path, NULL, &filter, NULL), TAMIS_OK);
    assert_has_numbers(filter, 0, BEFORE);
    assert_has_numbers(filter, BEFORE + REMOVED, AFTER);
    tamis_filter_free(filter);
    return seen;
}

static void test_torn_writes(void **state)
{
    const tamis_kind kinds[] = {TAMIS_BLOOM, TAMIS_COUNTING};
    for (size_t i = 0; i < 2; i++) {
        outcomes seen = lose_power_everywhere(state, kinds[i]);
        /* The mark, its sync; counts, their sync; the mark, its sync. */
        assert_int_equal(recorder.count, 6);
        assert_true(seen.clean >= 4 && seen.dirty >= 8 && seen.mixtures >= 16);
    }
}

/* Whatever a writer in place may change, torn by single sectors, beside any payload. */
static void test_torn_header(void **state)
{
    char path[MAX_PATH];
    tamis_filter *filter = make_filter(TAMIS_COUNTING, 100, BEFORE);
    path_in(state, "x", path);
    for (unsigned step = 0; step < 2; step++) {
        outcomes seen = {0, 0, 0};
        file_bytes old = file_of(filter);
        add_numbers(filter, BEFORE + step, BEFORE + step + 1);
        file_bytes new = file_of(filter);
        old.data[TAMIS_AT_DIRTY] |= TAMIS_FILE_DIRTY_BIT;
        new.data[TAMIS_AT_DIRTY] |= TAMIS_FILE_DIRTY_BIT;
        moment at = {old, new};
        check_moment(path, &at, BEFORE, &seen);
        assert_int_equal(seen.clean, 0);
        assert_true(seen.mixtures >= 8); /* counts, checksums, payload */
        free(old.data);
        free(new.data);
    }
    tamis_filter_free(filter);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_torn_writes, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_torn_header, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
