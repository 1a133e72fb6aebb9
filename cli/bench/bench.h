/* A run of tamis bench: what is asked for, and what was found. */
#ifndef TAMIS_CLI_BENCH_BENCH_H
#define TAMIS_CLI_BENCH_BENCH_H

#include <stdio.h>

#include "bench/figure.h"
#include "options.h"

enum { BENCH_SIZES = 32, BENCH_NOTES = 64, BENCH_NOTE_LENGTH = 160 };

typedef struct bench {
    const options *opts;
    uint64_t sizes[BENCH_SIZES]; /* numbers of items, rising */
    size_t size_count;
    size_t rounds;   /* chunks of each contender */
    bool talk;       /* progress on stderr */
    figure *figures; /* owned */
    size_t figure_count;
    char notes[BENCH_NOTES][BENCH_NOTE_LENGTH]; /* what was skipped, what the system grants */
    size_t note_count;
    tamis_error error; /* the first failure; from then on nothing is done */
} bench;

/* The size of those parts that are run at one size: the largest up to 10 million. */
uint64_t bench_main_size(const bench *b);

/* Keeps a figure; shows it in a table. */
void bench_keep(bench *b, const figure *f);

/* Keeps and shows a line of text. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void bench_note(bench *b, const char *format, ...);

/* On a terminal, what is being done now. */
void bench_progress(const bench *b, const char *part, uint64_t items, const char *what);
void bench_progress_clear(const bench *b);

/* "200M", "1M", "12345". */
void bench_spell_count(uint64_t items, char *out, size_t size);

/* The parts; failures go into b->error. */
void part_sizes(bench *b);
void part_pages(bench *b);
void part_rates(bench *b);
void part_strings(bench *b);
void part_threads(bench *b);
void part_kinds(bench *b);

/* Output of the whole. */
void bench_show_heading(const bench *b);
void bench_show_figure(const figure *f, const figure *before);
void bench_show_summary(const bench *b);
void bench_show_json(const bench *b, FILE *to);
void bench_draw(const bench *b, FILE *to); /* the plot, as SVG */

/* How many figures have that verdict. */
size_t bench_count(const bench *b, verdict v);

/* The machine's CPU by name. */
void bench_cpu_name(char *out, size_t size);

#endif
