/* Sizing gives the same answers on every machine: compares each row of tests/data/sizing_golden.tsv
 * (or of the file named as the argument) with what this machine computes. Plain C, so that it runs
 * where no test library is at hand. Status 0: all equal; 1: a difference; 2: no file. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tamis/filter.h>

#ifdef TAMIS_SOURCE_DIR
#define GOLDEN TAMIS_SOURCE_DIR "/tests/data/sizing_golden.tsv"
#else
#define GOLDEN "tests/data/sizing_golden.tsv"
#endif

/* Writes what this machine gives, in the file's form. */
static void answer(uint64_t capacity, const char *rate, int compact, char *out, size_t size)
{
    tamis_params params = TAMIS_PARAMS_INIT;
    tamis_plan plan = {.struct_size = sizeof plan};
    params.capacity = capacity;
    params.error_rate = strtod(rate, NULL);
    params.flags = compact ? TAMIS_COMPACT : 0;
    if (tamis_plan_filter(&params, &plan, NULL) != TAMIS_OK)
        (void)snprintf(out, size, "-");
    else
        (void)snprintf(out, size, "%" PRIu64 "\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32, plan.regions,
                       plan.region_lines, plan.lines_per_item, plan.bits_per_line);
}

/* 1 when the row agrees. */
static int check_row(char *row)
{
    char rate[64], given[128];
    uint64_t capacity;
    int compact, used = 0;
    row[strcspn(row, "\r\n")] = '\0';
    if (sscanf(row, "%" SCNu64 "\t%63s\t%d\t%n", &capacity, rate, &compact, &used) != 3 || used == 0) {
        fprintf(stderr, "not a row: %s\n", row);
        return 0;
    }
    answer(capacity, rate, compact, given, sizeof given);
    if (strcmp(row + used, given) == 0)
        return 1;
    fprintf(stderr, "%" PRIu64 " items at %s (compact %d): the file has %s, this machine %s\n", capacity,
            rate, compact, row + used, given);
    return 0;
}

int main(int argc, char **argv)
{
    const char *name = argc == 2 ? argv[1] : GOLDEN;
    FILE *file = fopen(name, "r");
    if (file == NULL) {
        fprintf(stderr, "%s cannot be read\n", name);
        return 2;
    }
    char row[256];
    int rows = 0, equal = 1;
    while (equal && fgets(row, sizeof row, file) != NULL) {
        if (row[0] == '#')
            continue;
        equal = check_row(row);
        rows += equal;
    }
    (void)fclose(file);
    printf("%d sizes agree\n", rows);
    return equal ? 0 : 1;
}
