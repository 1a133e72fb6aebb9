/* What the scripts about filter files need of the library.
 *
 *     file_helper sums              sums of XXH3-64, for format_reader.py
 *     file_helper make FOLDER       filters of every kind, with the items "item-0" ...
 *     file_helper has FILE < ITEMS  prints 1 or 0 for each line
 *     file_helper save FILE ROUNDS  saves a small and a large filter in turn
 *     file_helper add FILE FIRST COUNT   adds "item-FIRST" ..., a save for each, waiting for the lock
 *     file_helper map FILE FIRST COUNT   the same through a writable mapping
 *     file_helper fill FILE         saves one large filter; exit status 3 when that fails with E_IO
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tamis/tamis.h>

static tamis_error err;

static int failed(const char *what)
{
    (void)fprintf(stderr, "file_helper: %s: %s\n", what, err.message);
    return 1;
}

static size_t make_item(unsigned number, char *out)
{
    return (size_t)snprintf(out, 32, "item-%u", number);
}

static tamis_filter *create(tamis_kind kind, uint64_t capacity, double error_rate, uint32_t region_lines)
{
    tamis_filter *filter = NULL;
    tamis_params params = TAMIS_PARAMS_INIT;
    params.kind = kind;
    params.capacity = capacity;
    params.error_rate = error_rate;
    params.region_lines = region_lines;
    params.seed = capacity;
    params.window_ms = kind == TAMIS_ROTATING ? 8000 : 0;
    if (tamis_filter_create(&params, &filter, &err) != TAMIS_OK)
        exit(failed("create"));
    return filter;
}

static void add_items(tamis_filter *filter, unsigned count)
{
    char item[32];
    for (unsigned i = 0; i < count; i++) {
        if (tamis_filter_kind(filter) == TAMIS_ROTATING)
            (void)tamis_filter_advance(filter, i * 20);
        (void)tamis_filter_add(filter, item, make_item(i, item), NULL);
    }
}

/* --- commands ------------------------------------------------------------------- */

static int print_sums(void)
{
    static const unsigned ranges[][2] = {{0, 0}, {1, 3}, {4, 8}, {9, 16}, {17, 128}, {129, 240}, {241, 1500}};
    static const uint64_t seeds[] = {0, UINT64_C(0xfedcba9876543210)};
    unsigned char data[1500];
    for (unsigned i = 0; i < sizeof data; i++)
        data[i] = (unsigned char)(7 * i + 3);
    for (size_t s = 0; s < 2; s++) {
        tamis_filter *filter = NULL;
        tamis_params params = TAMIS_PARAMS_INIT;
        params.capacity = 1;
        params.error_rate = 0.1;
        params.seed = seeds[s];
        if (tamis_filter_create(&params, &filter, &err) != TAMIS_OK)
            return failed("create");
        for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
            uint64_t sum = 0;
            for (unsigned size = ranges[i][0]; size <= ranges[i][1]; size++)
                sum += tamis_filter_hash(filter, data, size);
            printf("    (%u, %u, 0x%" PRIx64 ", 0x%016" PRIx64 "),\n", ranges[i][0], ranges[i][1], seeds[s],
                   sum);
        }
        tamis_filter_free(filter);
    }
    return 0;
}

/* The rates are bad on purpose: then false positives must agree, too. */
static int make_all(const char *folder)
{
    static const struct {
        const char *name;
        tamis_kind kind;
        uint64_t capacity;
        double error_rate;
        uint32_t region_lines;
    } list[] = {
        {"bloom-k", TAMIS_BLOOM, 1000, 0.3, 0},      {"bloom-regions", TAMIS_BLOOM, 3000, 0.1, 3},
        {"bloom-tight", TAMIS_BLOOM, 1000, 1e-5, 2}, {"bloom-one", TAMIS_BLOOM, 1, 0.9, 1},
        {"counting", TAMIS_COUNTING, 800, 0.2, 5},   {"scalable", TAMIS_SCALABLE, 500, 0.25, 4},
        {"rotating", TAMIS_ROTATING, 1000, 0.3, 0},
    };
    static const char metadata[] =
        "at most sixty of these bytes are kept beside the filter, fewer beside some";
    char path[4096], item[32];
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        tamis_filter *filter =
            create(list[i].kind, list[i].capacity, list[i].error_rate, list[i].region_lines);
        unsigned items = list[i].capacity < 1000 ? (unsigned)list[i].capacity * 2 : 1000;
        add_items(filter, items);
        for (unsigned gone = 0; list[i].kind == TAMIS_COUNTING && gone < items / 2; gone++)
            (void)tamis_filter_remove(filter, item, make_item(gone, item));
        (void)tamis_filter_set_metadata(filter, metadata, i * 10);
        (void)snprintf(path, sizeof path, "%s/%s.tamis", folder, list[i].name);
        if (tamis_filter_save(filter, path, NULL, &err) != TAMIS_OK)
            return failed("save");
        tamis_filter_free(filter);
    }
    return 0;
}

static int print_answers(const char *path)
{
    char line[4096];
    tamis_filter *filter = NULL;
    tamis_open_options options = TAMIS_OPEN_OPTIONS_INIT;
    options.flags = TAMIS_OPEN_NORMALISED;
    if (tamis_filter_open(path, &options, &filter, &err) != TAMIS_OK)
        return failed("open");
    while (fgets(line, sizeof line, stdin) != NULL)
        printf("%d\n", tamis_filter_contains(filter, line, strcspn(line, "\n")));
    tamis_filter_free(filter);
    return 0;
}

static int save_in_turn(const char *path, unsigned rounds)
{
    tamis_filter *filters[] = {create(TAMIS_BLOOM, 1000, 0.01, 0), create(TAMIS_BLOOM, 500000, 0.001, 0)};
    add_items(filters[0], 1000);
    add_items(filters[1], 1000);
    for (unsigned i = 0; i < rounds; i++) {
        if (tamis_filter_save(filters[i % 2], path, NULL, &err) != TAMIS_OK)
            return failed("save");
        printf("%u\n", i);
        (void)fflush(stdout);
    }
    tamis_filter_free(filters[0]);
    tamis_filter_free(filters[1]);
    return 0;
}

static int save_large(const char *path)
{
    tamis_filter *filter = create(TAMIS_BLOOM, 5000000, 0.001, 0);
    tamis_status status = tamis_filter_save(filter, path, NULL, &err);
    tamis_filter_free(filter);
    return status == TAMIS_OK ? 0 : status == TAMIS_E_IO ? 3 : failed("save");
}

static int add_one(const char *path, unsigned number)
{
    char item[32];
    tamis_lock *lock = NULL;
    tamis_filter *filter = NULL;
    tamis_save_options options = TAMIS_SAVE_OPTIONS_INIT;
    if (tamis_lock_acquire(path, TAMIS_LOCK_WAIT, &lock, &err) != TAMIS_OK)
        return failed("lock");
    if (tamis_filter_open(path, NULL, &filter, &err) != TAMIS_OK)
        return failed("open");
    (void)tamis_filter_add(filter, item, make_item(number, item), NULL);
    options.lock = lock;
    if (tamis_filter_save(filter, path, &options, &err) != TAMIS_OK)
        return failed("save");
    tamis_filter_free(filter);
    tamis_lock_release(lock);
    return 0;
}

static int map_one(const char *path, unsigned number)
{
    char item[32];
    tamis_filter *filter = NULL;
    tamis_open_options options = TAMIS_OPEN_OPTIONS_INIT;
    options.flags = TAMIS_OPEN_MAP_WRITE | TAMIS_OPEN_WAIT;
    if (tamis_filter_open(path, &options, &filter, &err) != TAMIS_OK)
        return failed("map");
    (void)tamis_filter_add(filter, item, make_item(number, item), NULL);
    return tamis_filter_close(filter, &err) == TAMIS_OK ? 0 : failed("close");
}

/* Prints each number once its item is safe. */
static int add_each(const char *path, unsigned first, unsigned count, int (*add)(const char *, unsigned))
{
    for (unsigned i = first; i < first + count; i++) {
        if (add(path, i) != 0)
            return 1;
        printf("%u\n", i);
        (void)fflush(stdout);
    }
    return 0;
}

static unsigned number_of(const char *text)
{
    return (unsigned)strtoul(text, NULL, 10);
}

int main(int argc, char **argv)
{
    const char *command = argc > 1 ? argv[1] : "";
    if (strcmp(command, "sums") == 0 && argc == 2)
        return print_sums();
    if (strcmp(command, "make") == 0 && argc == 3)
        return make_all(argv[2]);
    if (strcmp(command, "has") == 0 && argc == 3)
        return print_answers(argv[2]);
    if (strcmp(command, "fill") == 0 && argc == 3)
        return save_large(argv[2]);
    if (strcmp(command, "save") == 0 && argc == 4)
        return save_in_turn(argv[2], number_of(argv[3]));
    if (strcmp(command, "add") == 0 && argc == 5)
        return add_each(argv[2], number_of(argv[3]), number_of(argv[4]), add_one);
    if (strcmp(command, "map") == 0 && argc == 5)
        return add_each(argv[2], number_of(argv[3]), number_of(argv[4]), map_one);
    (void)fprintf(stderr, "file_helper: wrong arguments; see its source\n");
    return 2;
}
