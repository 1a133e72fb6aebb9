/* The small filters whose files must be the same everywhere and for ever: see
 * core_file.c and golden/files/README.md. */
#ifndef TESTS_PORTABLE_FILE_ITEMS_H
#define TESTS_PORTABLE_FILE_ITEMS_H

#include <stdio.h>

#include <tamis/tamis.h>

typedef struct file_sample {
    const char *name;
    tamis_params params;
    unsigned items;
    unsigned removed; /* counting: of the items, from the first on */
    uint64_t step_ms; /* rotating: between items */
    const char *metadata;
} file_sample;

static const file_sample file_samples[] = {
    {"example", {sizeof(tamis_params), TAMIS_BLOOM, 0, 10, 0.01, 0, 0, 0, 0, 0, 0, NULL}, 1, 0, 0, ""},
    {"bloom_empty", {sizeof(tamis_params), TAMIS_BLOOM, 0, 0, 0.01, 64, 0, 0, 0, 0, 0, NULL}, 0, 0, 0, ""},
    {"bloom_small", {sizeof(tamis_params), TAMIS_BLOOM, 0, 100, 0.01, 0, 0, 0, 0, 0, 0, NULL}, 100, 0, 0, ""},
    {"bloom_seeded",
     {sizeof(tamis_params), TAMIS_BLOOM, TAMIS_COMPACT | TAMIS_SECRET_SEED, 2000, 1e-6, 0,
      UINT64_C(0x8123456789abcdef), 0, 0, 16, 0, NULL},
     2000,
     0,
     0,
     "kept beside the filter"},
    {"bloom_normalised",
     {sizeof(tamis_params), TAMIS_BLOOM, 0, 500, 0.001, 0, 7, 0, TAMIS_NORM_TRIM(1) | TAMIS_NORM_URL(1), 0, 0,
      NULL},
     700,
     0,
     0,
     ""},
    {"counting",
     {sizeof(tamis_params), TAMIS_COUNTING, 0, 300, 0.01, 0, 3, 0, 0, 0, 0, NULL},
     300,
     100,
     0,
     "0123456789012345678901234567890123456789012345678901234567890123"},
    {"scalable", {sizeof(tamis_params), TAMIS_SCALABLE, 0, 100, 0.01, 0, 5, 0, 0, 0, 2, NULL}, 400, 0, 0, ""},
    {"scalable_first",
     {sizeof(tamis_params), TAMIS_SCALABLE, 0, 100, 0.001, 0, 5, 0, 0, 0, 0, NULL},
     50,
     0,
     0,
     ""},
    {"rotating",
     {sizeof(tamis_params), TAMIS_ROTATING, TAMIS_REFRESH, 450, 0.01, 0, 0, 8000, 0, 0, 0, NULL},
     600,
     0,
     25,
     "x"},
};

/* Items of many lengths, with bytes of every value. */
static inline size_t make_item(unsigned number, unsigned char *out)
{
    size_t len = number % 300;
    for (size_t i = 0; i < len; i++)
        out[i] = (unsigned char)(number * 7u + i * 31u);
    int digits = snprintf((char *)out + len, 16, "%u", number);
    return len + (size_t)digits;
}

#endif
