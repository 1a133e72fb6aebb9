/* Files of small filters of every kind: saved, loaded, asked; prints XXH3-64 of
 * each file's bytes, which must be the same on every machine.
 *
 *     core_file [FOLDER]
 *
 * The files stay in FOLDER; without one they are made in a temporary folder and
 * removed. */
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tamis/tamis.h>

#include "hash/xxh3.h"
#include "portable/file_items.h"

#define MAX_PATH 4096

static int failures;

static void expect(bool truth, const char *sample_name, const char *what)
{
    if (truth)
        return;
    printf("%s: FAILED: %s\n", sample_name, what);
    failures++;
}

static void fill(const file_sample *what, tamis_filter *filter)
{
    unsigned char item[400];
    for (unsigned i = 0; i < what->items; i++) {
        size_t len = make_item(i, item);
        if (what->step_ms != 0)
            expect(tamis_filter_advance(filter, i * what->step_ms) == TAMIS_OK, what->name, "advance");
        expect(tamis_filter_add(filter, item, len, NULL) == TAMIS_OK, what->name, "add");
    }
    for (unsigned i = 0; i < what->removed; i++)
        expect(tamis_filter_remove(filter, item, make_item(i, item)) == TAMIS_OK, what->name, "remove");
    expect(tamis_filter_set_metadata(filter, what->metadata, strlen(what->metadata)) == TAMIS_OK, what->name,
           "metadata");
}

/* The answers of both filters, to items added and not added, are the same. */
static void compare(const file_sample *what, const tamis_filter *made, const tamis_filter *loaded)
{
    unsigned char item[400];
    for (unsigned i = 0; i < what->items + 2000; i++) {
        size_t len = make_item(i, item);
        bool found = tamis_filter_contains(loaded, item, len);
        expect(found == tamis_filter_contains(made, item, len), what->name, "answers differ");
        if (what->step_ms == 0 && i >= what->removed && i < what->items)
            expect(found, what->name, "an item is lost");
    }
    expect(tamis_filter_equal(made, loaded), what->name, "filters differ");
}

static void check_loaded(const file_sample *what, const tamis_filter *made, const char *path)
{
    tamis_error err;
    tamis_open_options options = TAMIS_OPEN_OPTIONS_INIT;
    const unsigned maps[] = {0, TAMIS_OPEN_MAP};
    for (size_t i = 0; i < 2; i++) {
        tamis_filter *loaded = NULL;
        options.flags = TAMIS_OPEN_NORMALISED | maps[i];
        if (tamis_filter_open(path, &options, &loaded, &err) != TAMIS_OK) {
            expect(false, what->name, err.message);
            return;
        }
        compare(what, made, loaded);
        tamis_filter_free(loaded);
    }
}

/* Adds an item in place; a writer that does not close leaves the file dirty. */
static void add_in_place(const file_sample *what, const char *path, const char *item, bool close)
{
    tamis_filter *filter = NULL;
    tamis_error err;
    tamis_open_options options = TAMIS_OPEN_OPTIONS_INIT;
    options.flags = TAMIS_OPEN_NORMALISED | TAMIS_OPEN_MAP_WRITE;
    if (tamis_filter_open(path, &options, &filter, &err) != TAMIS_OK) {
        expect(false, what->name, err.message);
        return;
    }
    expect(tamis_filter_add(filter, item, strlen(item), NULL) == TAMIS_OK, what->name, "add in place");
    if (close)
        expect(tamis_filter_close(filter, NULL) == TAMIS_OK, what->name, "close");
    else
        tamis_filter_free(filter);
}

static void check_in_place(const file_sample *what, const char *path)
{
    tamis_filter *filter = NULL;
    tamis_open_options options = TAMIS_OPEN_OPTIONS_INIT;
    options.flags = TAMIS_OPEN_NORMALISED;
    if (what->params.kind != TAMIS_BLOOM && what->params.kind != TAMIS_COUNTING)
        return;
    add_in_place(what, path, "closed", true);
    expect(tamis_file_verify(path, NULL) == TAMIS_OK, what->name, "verify after a close");
    add_in_place(what, path, "left", false);
    expect(tamis_file_verify(path, NULL) == TAMIS_E_DIRTY, what->name, "verify without a close");
    expect(tamis_file_reseal(path, NULL) == TAMIS_OK, what->name, "reseal");
    expect(tamis_file_verify(path, NULL) == TAMIS_OK, what->name, "verify after a reseal");
    if (tamis_filter_open(path, &options, &filter, NULL) != TAMIS_OK)
        return;
    expect(tamis_filter_contains(filter, "closed", 6) && tamis_filter_contains(filter, "left", 4), what->name,
           "an item added in place is lost");
    tamis_filter_free(filter);
}

static void print_hash(const file_sample *what, const tamis_filter *made, const char *path)
{
    size_t size = (size_t)tamis_filter_file_bytes(made);
    unsigned char *bytes = malloc(size + 1);
    FILE *file = fopen(path, "rb");
    if (bytes == NULL || file == NULL || fread(bytes, 1, size + 1, file) != size)
        expect(false, what->name, "the file does not have the size that was told");
    else
        printf("%-16s %6zu bytes  %016" PRIx64 "\n", what->name, size, (uint64_t)tamis_xxh3(bytes, size, 0));
    if (file != NULL)
        (void)fclose(file);
    free(bytes);
}

static void run_sample(const file_sample *what, const char *folder, bool keep)
{
    tamis_error err;
    tamis_filter *filter = NULL;
    char path[MAX_PATH];
    if (tamis_filter_create(&what->params, &filter, &err) != TAMIS_OK) {
        expect(false, what->name, err.message);
        return;
    }
    fill(what, filter);
    (void)snprintf(path, sizeof path, "%s/%s.tamis", folder, what->name);
    if (tamis_filter_save(filter, path, NULL, &err) != TAMIS_OK)
        expect(false, what->name, err.message);
    expect(tamis_file_verify(path, NULL) == TAMIS_OK, what->name, "verify");
    check_loaded(what, filter, path);
    print_hash(what, filter, path);
    if (!keep) {
        check_in_place(what, path);
        (void)unlink(path);
    }
    tamis_filter_free(filter);
}

int main(int argc, char **argv)
{
    char made[] = "/tmp/tamis-core-file-XXXXXX";
    const char *folder = argc > 1 ? argv[1] : mkdtemp(made);
    if (folder == NULL) {
        perror("mkdtemp");
        return 2;
    }
    for (size_t i = 0; i < sizeof file_samples / sizeof file_samples[0]; i++)
        run_sample(&file_samples[i], folder, argc > 1);
    if (argc <= 1)
        (void)rmdir(folder);
    return failures == 0 ? 0 : 1;
}
