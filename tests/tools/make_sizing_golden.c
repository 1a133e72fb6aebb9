/* Writes tests/data/sizing_golden.tsv to its output: 10,000 pairs of capacity and error rate, spread
 * evenly over their orders of magnitude by a fixed seed, and the geometry that sizing gives for them.
 *
 *   cc -std=c11 -ffp-contract=off -I include -I src -o make_sizing_golden \
 *       tests/tools/make_sizing_golden.c src/base/[a-z]*.c src/hash/[a-z]*.c src/filter/[a-z]*.c -lm
 *   ./make_sizing_golden > tests/data/sizing_golden.tsv */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <tamis/filter.h>

#define ROWS 10000

static uint64_t random_word(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t word = *state;
    word = (word ^ (word >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    word = (word ^ (word >> 27)) * UINT64_C(0x94d049bb133111eb);
    return word ^ (word >> 31);
}

static void print_row(uint64_t capacity, const char *rate, int compact)
{
    tamis_params params = TAMIS_PARAMS_INIT;
    tamis_plan plan = {.struct_size = sizeof plan};
    params.capacity = capacity;
    params.error_rate = strtod(rate, NULL);
    params.flags = compact ? TAMIS_COMPACT : 0;
    printf("%" PRIu64 "\t%s\t%d\t", capacity, rate, compact);
    if (tamis_plan_filter(&params, &plan, NULL) != TAMIS_OK)
        printf("-\n");
    else
        printf("%" PRIu64 "\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\n", plan.regions, plan.region_lines,
               plan.lines_per_item, plan.bits_per_line);
}

int main(void)
{
    uint64_t state = 2;
    printf(
        "# capacity\trate\tcompact\tregions\tregion lines\tg\tk; '-': refused. By tests/tools/make_sizing_golden.c\n");
    for (int row = 0; row < ROWS; row++) {
        unsigned bits = (unsigned)(random_word(&state) % 48);
        uint64_t capacity = UINT64_C(1) << bits | random_word(&state) >> 16 >> (48 - bits);
        char rate[32];
        uint64_t digits = 100 + random_word(&state) % 900; /* three significant digits */
        uint64_t exponent = 3 + random_word(&state) % 12;
        (void)snprintf(rate, sizeof rate, "%" PRIu64 "e-%" PRIu64, digits, exponent);
        print_row(capacity, rate, row % 2);
    }
    return 0;
}
