/* Records: how lines, CSV, fields and JSON texts give keys, and how keys are
 * normalised. Made into callbacks for tamis_record_format. */
#ifndef TAMIS_CLI_RECORD_H
#define TAMIS_CLI_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tamis/stream.h>

/* What the key of a record is. */
typedef struct record_rule {
    unsigned char delimiter;
    bool crlf, header, keep_bad;
    bool csv;
    bool separated;          /* fields separated by `separator`, without quotes */
    unsigned char separator; /* of separated and csv */
    const char *fields;      /* "1,3" or "2-4"; NULL: the whole record */
    const char *pointer;     /* JSON pointer; NULL: not JSON */
    uint32_t normalisation;  /* TAMIS_NORM_*(1) */
} record_rule;

typedef struct record record;

/* Makes the callbacks of a rule, whose texts must outlive it. Fails with
 * E_ARGUMENT (a field list or pointer that is none), E_VERSION (a normalisation
 * this version does not know) and E_NOMEM. */
tamis_status record_open(const record_rule *rule, record **out, tamis_error *err);
void record_close(record *rec);

/* The format for the library; it points into `rec`. */
tamis_record_format record_format(record *rec);

/* Keys under --url that are no absolute URL and stayed as they were. */
uint64_t record_unparsed_urls(const record *rec);

/* Applies only the normalisation, to an item from the command line. */
tamis_status record_normalise(record *rec, tamis_item *item, const char **why);

#endif
