#define _POSIX_C_SOURCE 200809L

#include "progress.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static bool wanted, shown;
static double began, last;

static double now(void)
{
    struct timespec at;
    return clock_gettime(CLOCK_MONOTONIC, &at) == 0 ? (double)at.tv_sec + (double)at.tv_nsec / 1e9 : 0.0;
}

void progress_begin(const options *opts)
{
    wanted = opts->flag[OPT_PROGRESS] && isatty(STDERR_FILENO) == 1;
    began = last = wanted ? now() : 0.0;
}

void progress_text(char *out, size_t size, uint64_t done, uint64_t total, double seconds)
{
    enum { WIDTH = 24 };
    double rate = seconds > 0.0 ? (double)done / seconds : 0.0;
    if (total == 0 || done > total) {
        (void)snprintf(out, size, "%.1f MB, %.1f MB/s", (double)done / 1e6, rate / 1e6);
        return;
    }
    char bar[WIDTH + 1];
    double share = (double)done / (double)total;
    int full = (int)(share * WIDTH);
    memset(bar, ' ', WIDTH);
    memset(bar, '#', (size_t)full);
    bar[WIDTH] = '\0';
    double left = rate > 0.0 ? (double)(total - done) / rate : 0.0;
    unsigned long whole = left < 1e9 ? (unsigned long)left : 1000000000ul;
    (void)snprintf(out, size, "[%s] %3.0f %%, %.1f MB/s, %lu:%02lu:%02lu left", bar, share * 100, rate / 1e6,
                   whole / 3600, whole / 60 % 60, whole % 60);
}

void progress_update(uint64_t done, uint64_t total)
{
    char line[128];
    if (!wanted)
        return;
    double at = now();
    if (at - began < 1.0 || at - last < 0.2)
        return;
    last = at;
    shown = true;
    progress_text(line, sizeof line, done, total, at - began);
    (void)fprintf(stderr, "\r%s\033[K", line);
}

void progress_clear(void)
{
    if (shown)
        (void)fputs("\r\033[K", stderr);
    shown = false;
}
