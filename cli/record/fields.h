/* Keys made of fields: plain separated ones and CSV (RFC 4180). */
#ifndef TAMIS_CLI_FIELDS_H
#define TAMIS_CLI_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tamis/stream.h>

#include "record/arena.h"

enum { FIELDS_MAX = 1024 };

/* Which fields are the key, in the order of the key. */
typedef struct field_list {
    uint32_t count;
    uint32_t numbers[FIELDS_MAX]; /* 1-based, all different */
    uint32_t last;                /* the largest of them */
    uint32_t open;                /* the first of an open range behind them, 0: there is none */
    /* What is done to each value before several are joined. NULL: nothing. */
    tamis_status (*normalise)(void *ctx, tamis_item *value, const char **why);
    void *ctx;
} field_list;

/* True when the key is values joined, each behind its length: several fields, or an
 * open range. */
bool field_list_joins(const field_list *list);

/* Parses "1,3", "2-4", "-2" or "1,3-". Fails with E_ARGUMENT. */
tamis_status field_list_parse(const char *text, field_list *out, tamis_error *err);

/* The key of a record with plain fields, in the record where there is one field,
 * else in the arena. E_RECORD: a field is missing (of an open range: its first), or more
 * than FIELDS_MAX are there; E_NOMEM. */
tamis_status fields_key(const field_list *list, unsigned char separator, arena *memory, const char *data,
                        size_t len, tamis_item *out, const char **why);

/* How far a CSV record was looked at. */
typedef struct csv_scan {
    size_t at;
    int state;
} csv_scan;

/* Length of the first CSV record in data[0..len), its delimiter included; 0: it
 * does not end there. A newline within quotes belongs to the record. */
size_t csv_cut(csv_scan *scan, unsigned char separator, unsigned char delimiter, const char *data, size_t len,
               bool restart);

/* The key of a CSV record, its values unquoted. E_RECORD: a field is missing or
 * its quotes are wrong; E_NOMEM. `list` NULL: the whole record, once its quotes
 * are found right. */
tamis_status csv_key(const field_list *list, unsigned char separator, arena *memory, const char *data,
                     size_t len, tamis_item *out, const char **why);

#endif
