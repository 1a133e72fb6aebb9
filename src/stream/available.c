/* How much memory can be had: the system's, within what control groups and the
 * process's own limit leave. */
#define _GNU_SOURCE

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "stream/internal.h"

/* The number behind `name` in a file of lines "name number"; UINT64_MAX: there is none. */
static uint64_t number_in(const char *path, const char *name)
{
    char line[256];
    size_t len = strlen(name);
    uint64_t number = UINT64_MAX;
    FILE *from = fopen(path, "re");
    while (from != NULL && number == UINT64_MAX && fgets(line, sizeof line, from) != NULL)
        if (strncmp(line, name, len) != 0 || sscanf(line + len, "%" SCNu64, &number) != 1)
            number = UINT64_MAX;
    if (from != NULL)
        (void)fclose(from);
    return number;
}

static uint64_t of_the_system(void)
{
    uint64_t kib = number_in("/proc/meminfo", "MemAvailable:");
    if (kib != UINT64_MAX)
        return kib * 1024;
    long pages = sysconf(_SC_AVPHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : UINT64_MAX;
}

static uint64_t group_number(const char *folder, const char *file, const char *name)
{
    char path[PATH_MAX];
    int len = snprintf(path, sizeof path, "%s/%s", folder, file);
    return len > 0 && (size_t)len < sizeof path ? number_in(path, name) : UINT64_MAX;
}

/* What one group leaves. Cached files count as used there, but give way. */
static uint64_t of_group(const char *folder)
{
    uint64_t limit = group_number(folder, "memory.max", ""); /* "max": none */
    uint64_t used = group_number(folder, "memory.current", "");
    uint64_t cold = group_number(folder, "memory.stat", "inactive_file ");
    uint64_t warm = group_number(folder, "memory.stat", "active_file ");
    if (limit == UINT64_MAX || used == UINT64_MAX)
        return limit;
    uint64_t cached = (cold == UINT64_MAX ? 0 : cold) + (warm == UINT64_MAX ? 0 : warm);
    used -= cached < used ? cached : used;
    return used < limit ? limit - used : 0;
}

uint64_t tamis_memory_of_groups(const char *root, const char *groups)
{
    char line[PATH_MAX], folder[PATH_MAX];
    FILE *from = fopen(groups, "re");
    bool found = false;
    while (from != NULL && !found && fgets(line, sizeof line, from) != NULL)
        found = strncmp(line, "0::/", 4) == 0;
    if (from != NULL)
        (void)fclose(from);
    if (!found)
        return UINT64_MAX;
    line[strcspn(line, "\n")] = '\0';
    int len = snprintf(folder, sizeof folder, "%s%s", root, line + 3);
    if (len < 0 || (size_t)len >= sizeof folder)
        return UINT64_MAX;
    uint64_t most = UINT64_MAX;
    for (size_t at = (size_t)len; at >= strlen(root); at--) { /* a group, then those around it */
        if (folder[at] != '/' && folder[at] != '\0')
            continue;
        folder[at] = '\0';
        uint64_t left = of_group(folder);
        most = left < most ? left : most;
    }
    return most;
}

uint64_t tamis_address_space_left(void)
{
    struct rlimit limit;
    uint64_t kib = number_in("/proc/self/status", "VmSize:");
    if (kib == UINT64_MAX || getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return UINT64_MAX;
    return limit.rlim_cur > kib * 1024 ? limit.rlim_cur - kib * 1024 : 0;
}

uint64_t tamis_memory_available(void)
{
    uint64_t system = of_the_system();
    uint64_t groups = tamis_memory_of_groups("/sys/fs/cgroup", "/proc/self/cgroup");
    return groups < system ? groups : system;
}
