/* Available memory: control groups, in a folder made up like /sys/fs/cgroup. */
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include "unit/stream_help.h"

#include <sys/resource.h>
#include <sys/stat.h>

#include "stream/internal.h"

#define MIB (UINT64_C(1) << 20)

static char root[] = "/tmp/tamis-groups-XXXXXX";

static void write_file(const char *name, const char *text)
{
    char path[256];
    (void)snprintf(path, sizeof path, "%s/%s", root, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void make_folder(const char *name)
{
    char path[256];
    (void)snprintf(path, sizeof path, "%s/%s", root, name);
    assert_int_equal(mkdir(path, 0700), 0);
}

static uint64_t left(const char *groups)
{
    char path[256];
    write_file("self", groups);
    (void)snprintf(path, sizeof path, "%s/self", root);
    return tamis_memory_of_groups(root, path);
}

/* The root as in a container; a group of its own, and one without a limit within. */
static int make_tree(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(root));
    make_folder("jobs");
    make_folder("jobs/free");
    write_file("jobs/memory.max", "209715200\n"); /* 200 MiB */
    write_file("jobs/memory.current", "104857600\n");
    write_file("jobs/memory.stat", "anon 52428800\ninactive_file 20971520\nactive_file 10485760\n");
    write_file("jobs/free/memory.max", "max\n");
    write_file("jobs/free/memory.current", "1048576\n");
    return 0;
}

static int remove_tree(void **state)
{
    (void)state;
    static const char *const names[] = {"jobs/free/memory.max",
                                        "jobs/free/memory.current",
                                        "jobs/free",
                                        "jobs/memory.max",
                                        "jobs/memory.current",
                                        "jobs/memory.stat",
                                        "jobs",
                                        "memory.max",
                                        "self"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[256];
        (void)snprintf(path, sizeof path, "%s/%s", root, names[i]);
        (void)remove(path);
    }
    return rmdir(root);
}

static void cached_files_give_way(void **state)
{
    (void)state;
    assert_true(left("0::/jobs\n") == 130 * MIB); /* 200 - (100 - 20 - 10) */
}

static void groups_around_count(void **state)
{
    (void)state;
    assert_true(left("0::/jobs/free\n") == 130 * MIB);
    assert_true(left("1:name=systemd:/x\n0::/jobs/free\n") == 130 * MIB);
    write_file("memory.max", "1000\n");
    assert_true(left("0::/jobs/free\n") == 1000);
    assert_true(left("0::/\n") == 1000);
}

static void no_group_no_limit(void **state)
{
    (void)state;
    write_file("memory.max", "max\n");
    assert_true(left("0::/\n") == UINT64_MAX);
    assert_true(left("0::/gone\n") == UINT64_MAX);
    assert_true(left("2:memory:/jobs\n") == UINT64_MAX);
    assert_true(left("") == UINT64_MAX);
    assert_true(tamis_memory_of_groups(root, "/nowhere/cgroup") == UINT64_MAX);
}

static void nothing_left_is_zero(void **state)
{
    (void)state;
    write_file("jobs/memory.max", "1048576\n");
    assert_true(left("0::/jobs\n") == 0);
}

static void this_machine_has_some(void **state)
{
    (void)state;
    uint64_t available = tamis_memory_available();
    assert_true(available > 0);
    assert_true(available <= (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE) ||
                available == UINT64_MAX);
}

/* Bytes of the address space in use. */
static uint64_t address_space(void)
{
    unsigned long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%llu", &pages), 1);
    (void)fclose(file);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void the_process_limit_counts(void **state)
{
    (void)state;
    struct rlimit before, limit;
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    limit = before;
    limit.rlim_cur = address_space() + 64 * MIB;
    assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
    uint64_t available = tamis_address_space_left();
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    assert_true(available <= 64 * MIB);
    assert_true(available >= 48 * MIB);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cached_files_give_way), cmocka_unit_test(groups_around_count),
        cmocka_unit_test(no_group_no_limit),     cmocka_unit_test(nothing_left_is_zero),
        cmocka_unit_test(this_machine_has_some), cmocka_unit_test(the_process_limit_counts),
    };
    return cmocka_run_group_tests(tests, make_tree, remove_tree);
}
