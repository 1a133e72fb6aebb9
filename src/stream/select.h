/* What the parts of common and minus share. */
#ifndef TAMIS_STREAM_SELECT_H
#define TAMIS_STREAM_SELECT_H

#include "stream/entry.h"
#include "stream/internal.h"
#include "stream/keyset.h"

/* How much of what, in bytes; tests make them tiny. */
typedef struct tamis_select_sizes {
    uint64_t total;    /* log, table and filter together when nothing is spilled */
    uint64_t filter;   /* one filter; 0: no filter, everything is a candidate */
    uint64_t log;      /* of candidates held in memory */
    uint64_t table;    /* an exact set of one part, its keys included */
    uint32_t parts;    /* most parts that spilled data is split into */
    size_t block;      /* of the temporary file */
    size_t read_block; /* of the readers; 0 = the usual */
} tamis_select_sizes;

/* What tells that a regular file was changed; all 0 for other inputs. */
typedef struct tamis_select_stamp {
    int64_t size;
    int64_t seconds;
    int64_t nanoseconds;
} tamis_select_stamp;

/* An input that can be read again from where it began. */
typedef struct tamis_select_input {
    const char *name;
    int fd;
    bool owned;
    bool again; /* it can be read more than once */
    int64_t start;
    uint64_t bytes;           /* 0: not known */
    uint64_t records;         /* after the first pass; UINT64_MAX before */
    tamis_select_stamp stamp; /* before the first pass */
} tamis_select_input;

struct tamis_part;
struct tamis_walk;

typedef struct tamis_selection {
    const tamis_record_format *format;
    const tamis_select_options *options;
    tamis_select_sizes sizes;
    tamis_select_report *report;
    tamis_writer *writer;
    tamis_temp temp;
    tamis_select_input a;
    tamis_select_input b;
    uint64_t bytes_done;  /* by finished passes */
    uint64_t bytes_total; /* 0: not known */

    uint8_t *flags; /* one for each record of a batch: what minus writes */

    tamis_filter *filter; /* of B, then of the candidates; NULL: lets everything through */
    tamis_tape log;       /* the candidates, in order */
    uint64_t ordinal;     /* records of A in earlier batches */
    uint64_t candidate;   /* 1-based ordinal in A of the last candidate */

    tamis_keyset set;         /* in memory: the candidates' keys, marked when found in B */
    struct tamis_part *parts; /* spilled */
    uint32_t part_count;
    bool spilled;
    struct tamis_walk *walk; /* minus: along the log, while A is read again */
} tamis_selection;

/* What a thread finds out about a run of records. */
typedef struct tamis_select_batch {
    const tamis_item *keys; /* of the flagged records; kept until it is their turn */
    char *memory;           /* of those that must be copied for that */
    size_t room;
    uint8_t flags[TAMIS_BATCH_RECORDS];
    uint64_t hashes[TAMIS_BATCH_RECORDS];
    tamis_item own[TAMIS_BATCH_RECORDS];
} tamis_select_batch;

/* What a pass needs to know of each record with a key. */
typedef enum tamis_pass_work {
    TAMIS_PASS_HASH, /* the hash */
    TAMIS_PASS_ASK,  /* the hash; the filter flags it; the keys of those flagged */
    TAMIS_PASS_KEEP  /* the key; all are flagged */
} tamis_pass_work;

/* In the order of the input. */
typedef tamis_status (*tamis_batch_function)(tamis_selection *sel, const tamis_records *records,
                                             tamis_select_batch *batch, tamis_error *err);

/* Reads an input from its start. A later pass must find what the first one did. */
tamis_status tamis_selection_pass(tamis_selection *sel, tamis_select_input *input, tamis_pass_work work,
                                  tamis_batch_function take_batch, tamis_error *err);

/* The next run of records [*from, *to) with keys, behind *to; false: no more. */
bool tamis_next_keyed(const tamis_records *records, size_t *from, size_t *to);

/* A filter for `items` keys within the budget; NULL when none is worth having. */
tamis_status tamis_selection_make_filter(tamis_selection *sel, uint64_t items, double error_rate,
                                         tamis_error *err);

/* E_INTERRUPTED when the stop flag is set. */
tamis_status tamis_selection_stopped(const tamis_selection *sel, tamis_error *err);

/* Finds out which candidates occur in B, in memory or by spilling. */
bool tamis_candidates_fit(const tamis_selection *sel);
tamis_status tamis_find_in_memory(tamis_selection *sel, tamis_error *err);
tamis_status tamis_find_spilled(tamis_selection *sel, tamis_error *err);
/* Afterwards, for the candidates in order: whether this one occurs. */
tamis_status tamis_candidate_found(tamis_selection *sel, const tamis_item *key, bool *out, tamis_error *err);
tamis_status tamis_next_part_bit(tamis_selection *sel, uint64_t hash, bool *out, tamis_error *err);
void tamis_parts_free(tamis_selection *sel);

/* Makes sel->a / sel->b. One that cannot be read again is spooled if it must be. */
tamis_status tamis_select_input_open(tamis_select_input *input, const char *path, bool again,
                                     tamis_selection *sel, tamis_error *err);
void tamis_select_input_close(tamis_select_input *input);
/* E_IO when a later pass found other than the first: a number of records, or size or
 * time of the file. */
tamis_status tamis_select_input_check(const tamis_select_input *input, uint64_t records, tamis_error *err);
tamis_status tamis_select_input_changed(const tamis_select_input *input, tamis_error *err);

/* tamis_select_run with sizes of one's own. */
tamis_status tamis_select_run_sized(const char *path_a, const char *path_b, const tamis_record_format *format,
                                    tamis_writer *writer, const tamis_select_options *options,
                                    const tamis_select_sizes *sizes, tamis_select_report *report,
                                    tamis_error *err);

#endif
