/* Streams of records: reading, deduplicating, exact common and minus.
 * UNSTABLE until 1.0: names and structs of this header may change.
 *
 * The library sees bytes: a record is what stands between two delimiters, and a
 * caller who wants a field of it as the key says how (tamis_record_format).
 * Objects here are for one thread at a time. */
#ifndef TAMIS_STREAM_H
#define TAMIS_STREAM_H

#include <signal.h>

#include <tamis/file.h>
#include <tamis/filter.h>

TAMIS_BEGIN_DECLS

/* --- records ------------------------------------------------------------- */

/* How bytes become records and records become keys. Zero-filled with the size
 * and a delimiter set, it means: whole lines. */
typedef struct tamis_record_format {
    size_t struct_size;      /* sizeof(tamis_record_format) */
    unsigned char delimiter; /* '\n' or '\0' (any byte will do) */
    bool crlf;               /* a CR before the delimiter is not part of the key */
    /* The first record of each file has no key and is passed through; in a later file
     * one equal to the first of all is left out (neither handed out nor counted). */
    bool header;
    bool keep_bad; /* a record without a key is passed through, not an error */
    void *ctx;     /* of the three calls below */
    /* Length of the first record in data[0..len), its delimiter included; 0 when
     * it does not end there (at_end: then all of it is the record). The call may
     * keep in ctx how far it has looked at this record; `restart` says that the
     * record is a new one. NULL: up to the delimiter. */
    size_t (*cut)(void *ctx, const char *data, size_t len, bool restart);
    /* A new batch begins: memory of earlier keys may be used again. May be NULL. */
    void (*begin)(void *ctx);
    /* The key of a record (its delimiter, and with crlf its CR, taken away).
     * *out may point into the record or into ctx's own memory, which must stay
     * until the next `begin`. TAMIS_E_RECORD: it has none; then *why (text that
     * stays until the next call) says what is missing. Other failures end the run. NULL: the record. */
    tamis_status (*key)(void *ctx, const char *record, size_t len, tamis_item *out, const char **why);
} tamis_record_format;

/* A run of records, valid until the reader is used again. The delimiter follows
 * each record in memory, also where the input lacked it. A record without a key
 * (header, keep_bad) has keys[i].data == NULL and keys[i].len == SIZE_MAX. */
typedef struct tamis_records {
    const tamis_item *records; /* bytes without the delimiter (a CR of crlf is still there) */
    const tamis_item *keys;
    size_t count;          /* 0: end of all input */
    const char *file;      /* name of the file they come from, "-" for stdin */
    uint64_t first_number; /* 1-based number of records[0] within its file */
} tamis_records;

#define TAMIS_NO_KEY SIZE_MAX

typedef struct tamis_reader tamis_reader;

/* Reads the records of several files one after the other ("-" is stdin); the
 * names and the format must outlive the reader. No file is opened before its
 * turn except that all are checked for existence and readability at once.
 * Fails with E_IO (err names the file), E_NOMEM. Since 0.1. */
TAMIS_API tamis_status tamis_reader_open(const char *const *paths, size_t count,
                                         const tamis_record_format *format, tamis_reader **out,
                                         tamis_error *err);

/* Ends a reader; NULL is ignored. Since 0.1. */
TAMIS_API void tamis_reader_close(tamis_reader *reader);

/* The next run of records, from one file only, at most about 8,192. It returns what is there and
 * waits only when no whole record is at hand. Fails with E_IO, E_NOMEM, E_RECORD
 * (err names file, record and reason), E_ARGUMENT (a `cut` that does not end a record at a
 * delimiter), E_INTERRUPTED (the stop flag), and as `key` does. Since 0.1. */
TAMIS_API tamis_status tamis_reader_next(tamis_reader *reader, tamis_records *out, tamis_error *err);

/* True when the next call could have to wait for input (a pipe or terminal with
 * no whole record to read): the moment to write out what is pending. This is a
 * use of the reader: the last run of records is no longer valid. Since 0.1. */
TAMIS_API bool tamis_reader_would_wait(tamis_reader *reader);

/* What was read so far. */
typedef struct tamis_reader_stats {
    uint64_t records;     /* all files, those without a key included */
    uint64_t no_key;      /* of them: passed through without a key (header lines included) */
    uint64_t cr_ended;    /* records that end in CR (counted only without crlf) */
    uint64_t bytes;       /* read */
    uint64_t total_bytes; /* of all inputs that are regular files; 0 when any is not */
} tamis_reader_stats;

/* As of the last records handed out; from any thread. Since 0.1. */
TAMIS_API void tamis_reader_get_stats(tamis_reader *reader, tamis_reader_stats *out);

/* A flag that a signal handler may set: reading then ends with E_INTERRUPTED,
 * also out of a wait (the handler must be installed without SA_RESTART). NULL: none.
 * Since 0.1. */
TAMIS_API void tamis_reader_set_stop(tamis_reader *reader, const volatile sig_atomic_t *stop);

/* What is done with the records of a reader, in threads. */
typedef struct tamis_flow {
    size_t struct_size; /* sizeof(tamis_flow) */
    unsigned threads;   /* at most this many, the caller's included; 1 to 256 */
    /* What one run of records needs from `work` to `finish`: made once a thread.
     * Both may be NULL. */
    void *(*scratch_new)(void *ctx);
    void (*scratch_free)(void *ctx, void *scratch);
    /* For each run of records, in any thread and order. May be NULL. Where the
     * format has a `key`, calls do not overlap and come in order, and only they may
     * look at the keys, whose memory is used again. */
    tamis_status (*work)(void *ctx, void *scratch, const tamis_records *records, tamis_error *err);
    /* After `work`, in the order of the input, one call at a time. */
    tamis_status (*finish)(void *ctx, void *scratch, const tamis_records *records, tamis_error *err);
    /* Everything read is finished, and the input has nothing more for now: the
     * moment to write out what is pending. May be NULL. */
    tamis_status (*idle)(void *ctx, tamis_error *err);
    void *ctx;
} tamis_flow;

/* Takes all records of a reader through `work` and `finish`. The first failure, in
 * the order of the input, ends it: nothing after it is finished. What `finish` sees
 * does not depend on the number of threads. Fails as tamis_reader_next and the
 * calls do, and with E_ARGUMENT, E_RANGE (threads), E_NOMEM. Since 0.1. */
TAMIS_API tamis_status tamis_reader_run(tamis_reader *reader, const tamis_flow *flow, tamis_error *err);

/* Estimates how many records the files hold, from their sizes and the mean
 * record length of blocks sampled over them, without reading them through;
 * *out = 0 when any of them is not a regular file. Fails with E_IO, E_NOMEM. Since 0.1. */
TAMIS_API tamis_status tamis_estimate_records(const char *const *paths, size_t count,
                                              const tamis_record_format *format, uint64_t *out,
                                              tamis_error *err);

/* --- output -------------------------------------------------------------- */

typedef struct tamis_writer tamis_writer;

/* Buffered output of records to a file descriptor, which stays the caller's.
 * Once a call could not write, every later one fails with the same error: what was
 * pending is lost. Fails with E_NOMEM. Since 0.1. */
TAMIS_API tamis_status tamis_writer_open(int fd, unsigned char delimiter, tamis_writer **out,
                                         tamis_error *err);
/* Frees the writer without writing what is pending; NULL is ignored. Since 0.1. */
TAMIS_API void tamis_writer_free(tamis_writer *writer);

/* Writes the records whose flag is not 0 (flags NULL: all), each followed by the
 * delimiter; neighbours go out as one copy. Fails with E_IO, E_CLOSED (EPIPE).
 * Since 0.1. */
TAMIS_API tamis_status tamis_writer_records(tamis_writer *writer, const tamis_records *records,
                                            const uint8_t *flags, tamis_error *err);
/* Writes bytes as they are. Fails with E_IO, E_CLOSED. Since 0.1. */
TAMIS_API tamis_status tamis_writer_bytes(tamis_writer *writer, const void *data, size_t len,
                                          tamis_error *err);
/* Writes out what is pending. Fails with E_IO, E_CLOSED. Since 0.1. */
TAMIS_API tamis_status tamis_writer_flush(tamis_writer *writer, tamis_error *err);
/* flush, and fsync when the descriptor is a regular file. Fails with E_IO, E_CLOSED.
 * Since 0.1. */
TAMIS_API tamis_status tamis_writer_sync(tamis_writer *writer, tamis_error *err);

/* --- dedup --------------------------------------------------------------- */

typedef enum tamis_on_full { TAMIS_FULL_GROW, TAMIS_FULL_STOP, TAMIS_FULL_WARN } tamis_on_full;

typedef struct tamis_dedup_report {
    uint64_t records;      /* read */
    uint64_t printed;      /* first occurrences written (records without a key not counted) */
    uint64_t passed;       /* records without a key, written as they came */
    double lost_expected;  /* lines possibly dropped wrongly: sum over printed lines of r/(1-r) */
    uint64_t memory_bytes; /* payload of the filter, or of the exact table */
    bool overfull;         /* the promised rate did not hold at the end */
} tamis_dedup_report;

typedef struct tamis_dedup_options {
    size_t struct_size;     /* sizeof(tamis_dedup_options) */
    unsigned threads;       /* at most this many, 1 to 256; 0 = 1. The result does not depend on it.
                                Exact, with keys that `key` makes: one does it all */
    tamis_filter *filter;   /* what was seen; NULL: exact, 128-bit fingerprints */
    tamis_on_full on_full;  /* STOP: ends with E_FULL before the record that does not fit.
                                GROW needs a scalable filter; WARN goes on */
    uint64_t memory_limit;  /* bytes of payload or fingerprints that growth may reach; 0 = none.
                                Reaching it ends with E_FULL, all earlier records written */
    uint64_t checkpoint_ms; /* call `checkpoint` this often, never for more than 5 % of the run; 0 = never */
    /* Everything read so far is added, written and synced: save the state. */
    tamis_status (*checkpoint)(void *ctx, tamis_error *err);
    /* Called now and then (at least every 100 ms of work). May be NULL. */
    void (*progress)(void *ctx, const tamis_reader_stats *stats);
    void *ctx;
} tamis_dedup_options;

/* Writes every record whose key was not seen before, in order, while reading;
 * records without a key are passed through. Never waits for input with output
 * unwritten. However it ends, everything read is written, and synced when
 * `checkpoint` is set (the caller then saves the state); only after E_IO and
 * E_CLOSED it may not be. A failed output is what is returned, whatever came
 * before it. `report` is always filled in. Fails with E_FULL (on_full STOP,
 * memory_limit), E_IO, E_CLOSED, E_RECORD, E_INTERRUPTED, E_NOMEM, E_ARGUMENT,
 * E_RANGE (threads), and as `checkpoint` does. Since 0.1. */
TAMIS_API tamis_status tamis_dedup_run(tamis_reader *reader, tamis_writer *writer,
                                       const tamis_dedup_options *options, tamis_dedup_report *report,
                                       tamis_error *err);

/* --- memory --------------------------------------------------------------- */

/* Bytes that can be had without pushing anything out: what the system has, and no
 * more than the control groups (version 2) of this process leave. UINT64_MAX where
 * nothing tells. A use of files in /proc and /sys. Thread-safe. Since 0.1. */
TAMIS_API uint64_t tamis_memory_available(void);

/* Bytes that the limit of this process's address space (RLIMIT_AS, ulimit -v) leaves,
 * which tamis_memory_available does not count in. UINT64_MAX: no limit, or nothing
 * tells. Thread-safe. Since 0.1. */
TAMIS_API uint64_t tamis_address_space_left(void);

/* --- exact set algebra ---------------------------------------------------- */

typedef struct tamis_select_report {
    uint64_t records_a;
    uint64_t records_b;
    uint64_t printed;
    uint64_t candidates; /* of A, that the filter of B let through */
    uint64_t spilled_bytes;
    uint32_t passes; /* over input or spilled data */
} tamis_select_report;

typedef struct tamis_select_options {
    size_t struct_size;    /* sizeof(tamis_select_options) */
    unsigned threads;      /* at most this many; 0 = 1. The result does not depend on it */
    bool minus;            /* keys of A that do not occur in B, instead of those that do */
    uint64_t memory_limit; /* bytes, at least 16 MiB; 0: half of the memory that is available */
    const char *temp_dir;  /* for spilled data and spooled pipes; NULL = "/var/tmp" (TMPDIR is not read) */
    const volatile sig_atomic_t *stop;
    /* One call at a time, from any of the threads; a total of 0: not known. May be NULL. */
    void (*progress)(void *ctx, uint64_t bytes_done, uint64_t bytes_total);
    void *ctx;
} tamis_select_options;

/* Writes every record of file A, repeats included and in order, whose key occurs
 * (minus: does not occur) in file B. Exact: a filter of B picks candidates, which
 * are then compared byte by byte. Memory stays within the limit (plus some MB) by
 * spilling to temporary files, which have no name and vanish with the process;
 * inputs are read, not mapped, and a pipe is spooled where a second pass is needed.
 * The header of A is written by both and not counted as printed; other records of
 * A without a key are written by minus and not by common; of B they are ignored.
 * One of the two may be "-".
 * Fails with E_ARGUMENT (both are "-"), E_IO (also when an input changed between two passes),
 * E_NOMEM, E_RECORD, E_RANGE (memory limit, threads), E_CLOSED, E_INTERRUPTED; what is pending in
 * `writer` at the end is the caller's to flush. Since 0.1. */
TAMIS_API tamis_status tamis_select_run(const char *path_a, const char *path_b,
                                        const tamis_record_format *format, tamis_writer *writer,
                                        const tamis_select_options *options, tamis_select_report *report,
                                        tamis_error *err);

TAMIS_END_DECLS

#endif
