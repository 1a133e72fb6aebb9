/* Adds N 8-byte items in batches, then asks for them; prints nanoseconds an item
 * for each, for comparison with bench/libbloom_items.
 *
 * usage: tamis_items N ERROR_RATE */
#include <tamis/tamis.h>

#include <inttypes.h>
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
    size_t n = argc == 3 ? strtoull(argv[1], NULL, 10) : 0;
    uint64_t *items = malloc((n + 1) * sizeof *items);
    tamis_params params = TAMIS_PARAMS_INIT;
    tamis_filter *filter = NULL;
    params.capacity = n;
    params.error_rate = argc == 3 ? atof(argv[2]) : 0;
    if (n < 1000 || items == NULL || tamis_filter_create(&params, &filter, NULL) != TAMIS_OK)
        return 2;
    for (size_t i = 0; i < n; i++)
        items[i] = i;
    double start = seconds();
    (void)tamis_filter_add_fixed(filter, items, sizeof *items, n, NULL, NULL, NULL);
    double added = seconds();
    size_t found = tamis_filter_contains_fixed(filter, items, sizeof *items, n, NULL);
    double asked = seconds();
    printf("%.2f %.2f %zu\n", (added - start) * 1e9 / (double)n, (asked - added) * 1e9 / (double)n, found);
    tamis_filter_free(filter);
    free(items);
    return found == n ? 0 : 1;
}
