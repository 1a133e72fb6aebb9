#include "record/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fail.h"
#include "number.h"
#include "record/arena.h"
#include "record/fields.h"
#include "record/json.h"
#include "record/url.h"

struct record {
    record_rule rule;
    arena memory;
    field_list fields;
    json_pointer pointer;
    csv_scan scan;
    uint64_t unparsed_urls;
    char why[512]; /* the last record that has no key lacks this */
    bool trim, fold, hex, url;
};

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static tamis_item trimmed(tamis_item item)
{
    const char *data = item.data;
    size_t len = item.len;
    while (len > 0 && is_space(data[len - 1]))
        len--;
    while (len > 0 && is_space(*data)) {
        data++;
        len--;
    }
    return (tamis_item){data, len};
}

static tamis_status fold_case(record *rec, tamis_item *item)
{
    const char *data = item->data;
    char *to = arena_take(&rec->memory, item->len);
    if (to == NULL)
        return TAMIS_E_NOMEM;
    for (size_t i = 0; i < item->len; i++)
        to[i] = data[i] >= 'A' && data[i] <= 'Z' ? (char)(data[i] - 'A' + 'a') : data[i];
    item->data = to;
    return TAMIS_OK;
}

static tamis_status unhex(record *rec, tamis_item *item, const char **why)
{
    const char *data = item->data;
    bool good = item->len > 0 && item->len % 2 == 0;
    for (size_t i = 0; i < item->len && good; i++)
        good = number_hex_digit(data[i]) >= 0;
    if (!good) {
        *why = "its key is not hexadecimal (two digits a byte)";
        return TAMIS_E_RECORD;
    }
    char *to = arena_take(&rec->memory, item->len / 2);
    if (to == NULL)
        return TAMIS_E_NOMEM;
    for (size_t i = 0; i < item->len / 2; i++)
        to[i] = (char)(unsigned char)(number_hex_digit(data[2 * i]) << 4 | number_hex_digit(data[2 * i + 1]));
    *item = (tamis_item){to, item->len / 2};
    return TAMIS_OK;
}

tamis_status record_normalise(record *rec, tamis_item *item, const char **why)
{
    if (rec->trim)
        *item = trimmed(*item);
    if (rec->fold && fold_case(rec, item) != TAMIS_OK)
        return TAMIS_E_NOMEM;
    if (rec->hex)
        return unhex(rec, item, why);
    if (!rec->url)
        return TAMIS_OK;
    tamis_status status = url_canonical(&rec->memory, *item, item);
    if (status != TAMIS_E_RECORD)
        return status;
    rec->unparsed_urls++; /* stays as it is */
    return TAMIS_OK;
}

static tamis_status normalise_value(void *ctx, tamis_item *value, const char **why)
{
    return record_normalise(ctx, value, why);
}

/* The callbacks of tamis_record_format. */

static size_t cut_csv(void *ctx, const char *data, size_t len, bool restart)
{
    record *rec = ctx;
    return csv_cut(&rec->scan, rec->rule.separator, rec->rule.delimiter, data, len, restart);
}

static void begin(void *ctx)
{
    record *rec = ctx;
    arena_reset(&rec->memory);
}

static tamis_status raw_key(record *rec, const char *data, size_t len, tamis_item *out, const char **why)
{
    const field_list *fields = rec->rule.fields != NULL ? &rec->fields : NULL;
    if (rec->rule.pointer != NULL)
        return json_key(&rec->pointer, &rec->memory, data, len, out, why);
    if (rec->rule.csv)
        return csv_key(fields, rec->rule.separator, &rec->memory, data, len, out, why);
    if (fields != NULL)
        return fields_key(fields, rec->rule.separator, &rec->memory, data, len, out, why);
    *out = (tamis_item){data, len};
    return TAMIS_OK;
}

/* What is wrong, where the key was looked for, and what else can be done. */
static void explain_bad(record *rec, const char **why)
{
    const record_rule *rule = &rec->rule;
    const char *option = rule->pointer != NULL ? "--json" : "-k";
    const char *place = rule->pointer != NULL ? rule->pointer : rule->fields;
    char where[256] = "";
    if (rule->keep_bad)
        return;
    if (place != NULL)
        (void)snprintf(where, sizeof where, " (%s %s)", option, *place != '\0' ? place : "\"\"");
    (void)snprintf(rec->why, sizeof rec->why, "%s%s; mend it, or give --bad-records keep", *why, where);
    *why = rec->why;
}

static tamis_status key(void *ctx, const char *data, size_t len, tamis_item *out, const char **why)
{
    record *rec = ctx;
    tamis_item item;
    bool joined = rec->rule.fields != NULL && field_list_joins(&rec->fields); /* normalised by field */
    tamis_status status = raw_key(rec, data, len, &item, why);
    if (status == TAMIS_OK && !joined)
        status = record_normalise(rec, &item, why);
    if (status == TAMIS_E_RECORD)
        explain_bad(rec, why);
    if (status == TAMIS_OK) {
        *out = item;
        if (out->data == NULL)
            out->data = ""; /* an empty key is a key */
    }
    return status;
}

/* Takes a normalisation apart; false: a rule or version that is not known. */
static bool set_normalisation(record *rec, uint32_t word)
{
    uint32_t known = TAMIS_NORM_TRIM(1) | TAMIS_NORM_CASE(1) | TAMIS_NORM_HEX(1) | TAMIS_NORM_URL(1);
    if ((word & ~known) != 0)
        return false;
    rec->trim = (word & TAMIS_NORM_TRIM(1)) != 0;
    rec->fold = (word & TAMIS_NORM_CASE(1)) != 0;
    rec->hex = (word & TAMIS_NORM_HEX(1)) != 0;
    rec->url = (word & TAMIS_NORM_URL(1)) != 0;
    return true;
}

tamis_status record_open(const record_rule *rule, record **out, tamis_error *err)
{
    record *rec = calloc(1, sizeof *rec);
    if (rec == NULL)
        return fail(err, TAMIS_E_NOMEM, "out of memory");
    rec->rule = *rule;
    tamis_status status = TAMIS_OK;
    if (!set_normalisation(rec, rule->normalisation))
        status = fail(err, TAMIS_E_VERSION,
                      "its items are normalised by a rule that this version does not know (%#x); "
                      "use a newer tamis",
                      (unsigned)rule->normalisation);
    if (status == TAMIS_OK && rule->fields != NULL)
        status = field_list_parse(rule->fields, &rec->fields, err);
    if (rule->normalisation != 0) {
        rec->fields.normalise = normalise_value;
        rec->fields.ctx = rec;
    }
    if (status == TAMIS_OK && rule->pointer != NULL)
        status = json_pointer_parse(rule->pointer, &rec->pointer, err);
    if (status == TAMIS_OK)
        *out = rec;
    else
        record_close(rec);
    return status;
}

void record_close(record *rec)
{
    if (rec == NULL)
        return;
    arena_free(&rec->memory);
    json_pointer_free(&rec->pointer);
    free(rec);
}

tamis_record_format record_format(record *rec)
{
    const record_rule *rule = &rec->rule;
    bool plain = !rule->csv && rule->fields == NULL && rule->pointer == NULL && rule->normalisation == 0;
    return (tamis_record_format){
        .struct_size = sizeof(tamis_record_format),
        .delimiter = rule->delimiter,
        .crlf = rule->crlf,
        .header = rule->header,
        .keep_bad = rule->keep_bad,
        .ctx = rec,
        .cut = rule->csv ? cut_csv : NULL,
        .begin = plain ? NULL : begin,
        .key = plain ? NULL : key,
    };
}

uint64_t record_unparsed_urls(const record *rec)
{
    return rec->unparsed_urls;
}
