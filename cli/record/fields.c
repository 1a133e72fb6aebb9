#include "record/fields.h"

#include <string.h>

#include "fail.h"

static tamis_status add_field(field_list *out, uint32_t number, const char *text, tamis_error *err)
{
    for (uint32_t i = 0; i < out->count; i++)
        if (out->numbers[i] == number)
            return fail(err, TAMIS_E_ARGUMENT,
                        "-k %s: field %u comes twice; this is a list as in cut -f, not a span as in sort: "
                        "write -k 2 for one field",
                        text, (unsigned)number);
    if (out->count == FIELDS_MAX)
        return fail(err, TAMIS_E_ARGUMENT, "-k %s: more than %d fields", text, FIELDS_MAX);
    out->numbers[out->count++] = number;
    if (number > out->last)
        out->last = number;
    return TAMIS_OK;
}

/* A field's number, 1 to 1,000,000; 0: there is none. */
static uint32_t read_number(const char **at)
{
    uint32_t value = 0;
    for (; **at >= '0' && **at <= '9'; ++*at) {
        value = value * 10 + (uint32_t)(**at - '0');
        if (value > 1000000)
            return 0;
    }
    return value;
}

/* One number or range: 2, 2-4, -4 (from the first on), 2- (to the last). */
typedef struct field_range {
    uint32_t first, last; /* 0: not a number */
    bool open;
} field_range;

static field_range read_range(const char **at)
{
    bool from_first = **at == '-';
    field_range range = {.first = from_first ? 1 : read_number(at)};
    range.last = range.first;
    if (**at != '-')
        return range;
    ++*at;
    range.open = !from_first && (**at == ',' || **at == '\0');
    if (!range.open)
        range.last = read_number(at);
    return range;
}

/* Ends the list with an open range: nothing may follow, nothing before may be in it. */
static tamis_status open_list(field_list *out, uint32_t first, bool is_last, const char *text,
                              tamis_error *err)
{
    if (!is_last)
        return fail(err, TAMIS_E_ARGUMENT, "-k %s: the open range %u- has to come last", text,
                    (unsigned)first);
    if (out->last >= first)
        return fail(err, TAMIS_E_ARGUMENT, "-k %s: field %u comes twice, it is in the range %u- too", text,
                    (unsigned)out->last, (unsigned)first);
    out->open = first;
    out->last = UINT32_MAX;
    return TAMIS_OK;
}

tamis_status field_list_parse(const char *text, field_list *out, tamis_error *err)
{
    const char *at = text;
    out->count = out->last = out->open = 0;
    for (;;) {
        field_range range = read_range(&at);
        if (range.first == 0 || range.last < range.first || (*at != ',' && *at != '\0'))
            return fail(err, TAMIS_E_ARGUMENT,
                        "-k %s: not a list of fields; write numbers from 1 to 1000000 and ranges, such as "
                        "2 or 1,3 or 2-4 or 3-",
                        text);
        if (range.open)
            return open_list(out, range.first, *at == '\0', text, err);
        for (uint32_t number = range.first; number <= range.last; number++) {
            tamis_status status = add_field(out, number, text, err);
            if (status != TAMIS_OK)
                return status;
        }
        if (*at++ == '\0')
            return TAMIS_OK;
    }
}

static void store_length(char *to, size_t len)
{
    uint64_t value = len;
    for (int i = 0; i < 8; i++)
        to[i] = (char)(unsigned char)(value >> (8 * i));
}

/* Joins values: each preceded by its length as 8 bytes, little-endian. */
static tamis_status join(const tamis_item *values, uint32_t count, arena *memory, tamis_item *out)
{
    size_t total = 0;
    for (uint32_t i = 0; i < count; i++)
        total += 8 + values[i].len;
    char *key = arena_take(memory, total);
    if (key == NULL)
        return TAMIS_E_NOMEM;
    *out = (tamis_item){key, total};
    for (uint32_t i = 0; i < count; i++) {
        store_length(key, values[i].len);
        if (values[i].len > 0)
            memcpy(key + 8, values[i].data, values[i].len);
        key += 8 + values[i].len;
    }
    return TAMIS_OK;
}

/* Where in the key a field stands; -1: nowhere. */
static int place(const field_list *list, uint32_t number)
{
    if (list->open != 0 && number >= list->open)
        return (int)(list->count + (number - list->open));
    for (uint32_t i = 0; i < list->count; i++)
        if (list->numbers[i] == number)
            return (int)i;
    return -1;
}

bool field_list_joins(const field_list *list)
{
    return list->count > 1 || list->open != 0;
}

/* The key of the `found` fields that the record has. */
static tamis_status finish(const field_list *list, tamis_item *values, uint32_t found, arena *memory,
                           tamis_item *out, const char **why)
{
    if (found < list->count + (list->open != 0)) {
        *why = "it has too few fields";
        return TAMIS_E_RECORD;
    }
    if (!field_list_joins(list)) {
        *out = values[0];
        return TAMIS_OK;
    }
    for (uint32_t i = 0; i < found && list->normalise != NULL; i++) {
        tamis_status status = list->normalise(list->ctx, &values[i], why);
        if (status != TAMIS_OK)
            return status;
    }
    return join(values, found, memory, out);
}

static tamis_status too_many(const char **why)
{
    *why = "it has more than 1024 fields of the key";
    return TAMIS_E_RECORD;
}

tamis_status fields_key(const field_list *list, unsigned char separator, arena *memory, const char *data,
                        size_t len, tamis_item *out, const char **why)
{
    tamis_item values[FIELDS_MAX];
    const char *at = data, *end = data + len;
    uint32_t found = 0;
    for (uint32_t number = 1; number <= list->last; number++) {
        const char *stop = at < end ? memchr(at, separator, (size_t)(end - at)) : NULL;
        const char *field_end = stop != NULL ? stop : end;
        int wanted = place(list, number);
        if (wanted >= FIELDS_MAX)
            return too_many(why);
        if (wanted >= 0) {
            values[wanted] = (tamis_item){at, (size_t)(field_end - at)};
            found++;
        }
        if (stop == NULL)
            break;
        at = stop + 1;
    }
    return finish(list, values, found, memory, out, why);
}

/* --- CSV ------------------------------------------------------------------- */

enum { AT_FIELD, IN_PLAIN, IN_QUOTES, AFTER_QUOTE };

/* The state behind one more byte. */
static int csv_step(int state, char c, char separator)
{
    if (state == IN_QUOTES)
        return c == '"' ? AFTER_QUOTE : IN_QUOTES;
    if (c == separator)
        return AT_FIELD;
    if (c == '"' && state != IN_PLAIN)
        return IN_QUOTES; /* opens a field, or is the second of a doubled quote */
    return IN_PLAIN;
}

size_t csv_cut(csv_scan *scan, unsigned char separator, unsigned char delimiter, const char *data, size_t len,
               bool restart)
{
    if (restart) {
        *scan = (csv_scan){0, AT_FIELD};
        const char *line_end = len > 0 ? memchr(data, delimiter, len) : NULL;
        if (line_end != NULL && memchr(data, '"', (size_t)(line_end - data)) == NULL)
            return (size_t)(line_end - data) + 1;
    }
    for (size_t at = scan->at; at < len; at++) {
        if (scan->state == IN_QUOTES) {
            const char *quote = memchr(data + at, '"', len - at);
            if (quote == NULL)
                break;
            at = (size_t)(quote - data);
        } else if (data[at] == (char)delimiter) {
            return at + 1;
        }
        scan->state = csv_step(scan->state, data[at], (char)separator);
    }
    scan->at = len;
    return 0;
}

/* Reads the quoted field behind data[*at] == '"', undoing doubled quotes into
 * `to` (NULL: not wanted). Leaves *at behind the closing quote. False: not closed. */
static bool read_quoted(const char *data, size_t len, size_t *at, char *to, size_t *out_len)
{
    size_t i = *at + 1, n = 0;
    for (;;) {
        const char *quote = i < len ? memchr(data + i, '"', len - i) : NULL;
        if (quote == NULL)
            return false;
        size_t run = (size_t)(quote - (data + i));
        bool doubled = i + run + 1 < len && data[i + run + 1] == '"';
        if (to != NULL)
            memcpy(to + n, data + i, run + doubled);
        n += run + doubled;
        i += run + 1 + doubled;
        if (!doubled)
            break;
    }
    *at = i;
    *out_len = n;
    return true;
}

typedef struct csv_field {
    tamis_item value;
    bool last; /* of its record */
} csv_field;

/* Reads the field at data[*at] and leaves *at behind its separator. Where it is
 * wanted and has quotes its value goes to the arena. */
static tamis_status read_field(unsigned char separator, arena *memory, const char *data, size_t len,
                               size_t *at, csv_field *out, const char **why)
{
    const char *start = len > 0 ? data + *at : data;
    if (*at >= len || *start != '"') {
        const char *stop = *at < len ? memchr(start, separator, len - *at) : NULL;
        size_t span = stop != NULL ? (size_t)(stop - start) : len - *at;
        *out = (csv_field){{start, span}, stop == NULL};
        *at += span + 1;
        return TAMIS_OK;
    }
    char *to = NULL;
    if (memory != NULL && (to = arena_take(memory, len - *at)) == NULL)
        return TAMIS_E_NOMEM;
    size_t value_len = 0;
    if (!read_quoted(data, len, at, to, &value_len)) {
        *why = "a quote is not closed";
        return TAMIS_E_RECORD;
    }
    if (to != NULL)
        arena_shrink(memory, to, value_len);
    if (*at < len && data[*at] != (char)separator) {
        *why = data[*at] == '\r' && *at + 1 == len ? "there is a CR behind a closing quote (give --crlf)"
                                                   : "there is text behind a closing quote";
        return TAMIS_E_RECORD;
    }
    *out = (csv_field){{to, value_len}, *at >= len};
    ++*at;
    return TAMIS_OK;
}

/* All fields are read, also those behind the last wanted one: quotes that are
 * wrong anywhere make the record a bad one. */
tamis_status csv_key(const field_list *list, unsigned char separator, arena *memory, const char *data,
                     size_t len, tamis_item *out, const char **why)
{
    tamis_item values[FIELDS_MAX];
    csv_field field = {{NULL, 0}, false};
    uint32_t found = 0;
    size_t at = 0;
    bool quotes = len > 0 && memchr(data, '"', len) != NULL;
    if (list != NULL && !quotes)
        return fields_key(list, separator, memory, data, len, out, why);
    for (uint32_t number = 1; quotes && !field.last; number++) {
        int wanted = list != NULL ? place(list, number) : -1;
        if (wanted >= FIELDS_MAX)
            return too_many(why);
        tamis_status status = read_field(separator, wanted >= 0 ? memory : NULL, data, len, &at, &field, why);
        if (status != TAMIS_OK)
            return status;
        if (wanted >= 0) {
            values[wanted] = field.value;
            found++;
        }
    }
    if (list == NULL) {
        *out = (tamis_item){data, len};
        return TAMIS_OK;
    }
    return finish(list, values, found, memory, out, why);
}
