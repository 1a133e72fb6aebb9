/* Debian's libbloom on the same items as bench/tamis_items: adds N 8-byte items,
 * then asks for them; prints nanoseconds an item for each, from several rounds
 * that alternate with the other program's.
 *
 * usage: libbloom_items N ERROR_RATE */
#include <bloom.h>

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
    int n = argc == 3 ? atoi(argv[1]) : 0;
    struct bloom filter;
    if (n < 1000 || bloom_init(&filter, n, atof(argv[2])) != 0)
        return 2;
    double start = seconds();
    for (uint64_t i = 0; i < (uint64_t)n; i++)
        (void)bloom_add(&filter, &i, sizeof i);
    double added = seconds();
    uint64_t found = 0;
    for (uint64_t i = 0; i < (uint64_t)n; i++)
        found += (uint64_t)(bloom_check(&filter, &i, sizeof i) > 0);
    double asked = seconds();
    printf("%.2f %.2f %" PRIu64 "\n", (added - start) * 1e9 / n, (asked - added) * 1e9 / n, found);
    bloom_free(&filter);
    return found == (uint64_t)n ? 0 : 1;
}
