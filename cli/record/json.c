#include "record/json.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fail.h"
#include "number.h"

enum { DEPTH_MAX = 512 };

static const char not_json[] = "it is not JSON";

typedef struct reader {
    const char *at, *end;
    const json_pointer *pointer;
    arena *memory;
    const char **why;
    tamis_item found; /* source text of the value at the pointer */
    bool has_found;
} reader;

/* --- pointers ---------------------------------------------------------------- */

/* Undoes ~0 and ~1 of one token; false: another ~. */
static bool decode_token(const char *from, size_t len, char *to, size_t *out_len)
{
    size_t n = 0;
    for (size_t i = 0; i < len; i++) {
        char c = from[i];
        if (c == '~') {
            i++;
            if (i >= len || (from[i] != '0' && from[i] != '1'))
                return false;
            c = from[i] == '0' ? '~' : '/';
        }
        to[n++] = c;
    }
    *out_len = n;
    return true;
}

tamis_status json_pointer_parse(const char *text, json_pointer *out, tamis_error *err)
{
    size_t len = strlen(text), count = 0;
    for (size_t i = 0; i < len; i++)
        count += text[i] == '/';
    if (len > 0 && text[0] != '/')
        return fail(err, TAMIS_E_ARGUMENT, "--json %s: a pointer starts with /, as in /user/id", text);
    tamis_item *tokens = malloc((count + 1) * sizeof *tokens + len);
    if (tokens == NULL)
        return fail(err, TAMIS_E_NOMEM, "out of memory");
    char *to = (char *)(tokens + count + 1);
    const char *at = text;
    for (size_t i = 0; i < count; i++) {
        size_t span = strcspn(++at, "/"), decoded = 0;
        if (!decode_token(at, span, to, &decoded)) {
            free(tokens);
            return fail(err, TAMIS_E_ARGUMENT,
                        "--json %s: in a pointer ~ stands only in ~0 (for ~) and ~1 (for /)", text);
        }
        tokens[i] = (tamis_item){to, decoded};
        to += decoded;
        at += span;
    }
    *out = (json_pointer){count, tokens};
    return TAMIS_OK;
}

void json_pointer_free(json_pointer *pointer)
{
    free(pointer->tokens);
    *pointer = (json_pointer){0, NULL};
}

/* --- reading ----------------------------------------------------------------- */

static void skip_space(reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r'))
        r->at++;
}

static bool take_char(reader *r, char c)
{
    if (r->at >= r->end || *r->at != c)
        return false;
    r->at++;
    return true;
}

static bool digit_at(const reader *r)
{
    return r->at < r->end && *r->at >= '0' && *r->at <= '9';
}

static bool skip_digits(reader *r)
{
    if (!digit_at(r))
        return false;
    while (digit_at(r))
        r->at++;
    return true;
}

static bool skip_number(reader *r)
{
    (void)take_char(r, '-');
    if (!take_char(r, '0') && !skip_digits(r))
        return false;
    if (take_char(r, '.') && !skip_digits(r))
        return false;
    if (take_char(r, 'e') || take_char(r, 'E')) {
        if (!take_char(r, '+'))
            (void)take_char(r, '-');
        return skip_digits(r);
    }
    return true;
}

static bool skip_word(reader *r, const char *word)
{
    size_t len = strlen(word);
    if ((size_t)(r->end - r->at) < len || memcmp(r->at, word, len) != 0)
        return false;
    r->at += len;
    return true;
}

/* The four digits behind \u at `at`; -1: they are not there. */
static int32_t hex4(const char *at, const char *end)
{
    int32_t value = 0;
    if (end - at < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        int digit = number_hex_digit(at[i]);
        if (digit < 0)
            return -1;
        value = value * 16 + digit;
    }
    return value;
}

/* Passes a string, which starts at its quote; *out is what stands between the
 * quotes, *escaped whether a backslash is in it. */
static bool skip_string(reader *r, tamis_item *out, bool *escaped)
{
    *escaped = false;
    if (!take_char(r, '"'))
        return false;
    const char *start = r->at;
    for (; r->at < r->end && *r->at != '"'; r->at++) {
        if ((unsigned char)*r->at < 0x20)
            return false;
        if (*r->at != '\\')
            continue;
        *escaped = true;
        if (++r->at >= r->end || *r->at == '\0' || strchr("\"\\/bfnrtu", *r->at) == NULL)
            return false;
        if (*r->at == 'u' && hex4(r->at + 1, r->end) < 0)
            return false;
    }
    *out = (tamis_item){start, (size_t)(r->at - start)};
    return take_char(r, '"');
}

static size_t put_utf8(char *to, uint32_t code)
{
    if (code < 0x80) {
        to[0] = (char)code;
        return 1;
    }
    size_t len = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = len - 1; i > 0; i--) {
        to[i] = (char)(unsigned char)(0x80 | (code & 0x3f));
        code >>= 6;
    }
    to[0] = (char)(unsigned char)(lead[len] | code);
    return len;
}

/* Reads \uXXXX with *at on the u, two of them where they are a pair. A surrogate
 * without its other half keeps its own three bytes: keys that differ stay so. */
static uint32_t decode_unicode(const char **at, const char *end)
{
    uint32_t code = (uint32_t)hex4(*at + 1, end);
    *at += 5;
    if (code < 0xd800 || code > 0xdbff || end - *at < 6 || (*at)[0] != '\\' || (*at)[1] != 'u')
        return code;
    uint32_t low = (uint32_t)hex4(*at + 2, end);
    if (low < 0xdc00 || low > 0xdfff)
        return code;
    *at += 6;
    return 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
}

/* The bytes of a string that skip_string has passed. */
static tamis_status decode_string(arena *memory, tamis_item raw, tamis_item *out)
{
    static const char names[] = "bfnrt", values[] = "\b\f\n\r\t";
    char *to = arena_take(memory, raw.len);
    if (to == NULL)
        return TAMIS_E_NOMEM;
    const char *at = raw.data, *end = at + raw.len;
    size_t n = 0;
    while (at < end) {
        if (*at != '\\') {
            to[n++] = *at++;
            continue;
        }
        at++;
        if (*at == 'u') {
            n += put_utf8(to + n, decode_unicode(&at, end));
            continue;
        }
        const char *name = strchr(names, *at);
        to[n++] = name != NULL ? values[name - names] : *at;
        at++;
    }
    arena_shrink(memory, to, n);
    *out = (tamis_item){to, n};
    return TAMIS_OK;
}

static bool same_bytes(tamis_item a, tamis_item b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

/* Whether a token is this index of an array: digits without a leading zero. */
static bool is_index(tamis_item token, size_t index)
{
    char text[24];
    size_t n = sizeof text;
    do {
        text[--n] = (char)('0' + index % 10);
        index /= 10;
    } while (index > 0);
    return same_bytes(token, (tamis_item){text + n, sizeof text - n});
}

static tamis_status bad(reader *r, const char *why)
{
    *r->why = why;
    return TAMIS_E_RECORD;
}

static tamis_status read_value(reader *r, size_t depth, bool on_path);

/* "name": value, where the name may be the pointer's next token. */
static tamis_status read_member(reader *r, size_t depth, bool on_path)
{
    tamis_item name;
    bool escaped = false;
    skip_space(r);
    if (!skip_string(r, &name, &escaped))
        return bad(r, not_json);
    bool follow = on_path && depth < r->pointer->count;
    if (follow && escaped && decode_string(r->memory, name, &name) != TAMIS_OK)
        return TAMIS_E_NOMEM;
    follow = follow && same_bytes(name, r->pointer->tokens[depth]);
    if (follow)
        r->has_found = false; /* the last of equal names counts */
    skip_space(r);
    if (!take_char(r, ':'))
        return bad(r, not_json);
    return read_value(r, depth + 1, follow);
}

static tamis_status read_object(reader *r, size_t depth, bool on_path)
{
    r->at++;
    skip_space(r);
    if (take_char(r, '}'))
        return TAMIS_OK;
    do {
        tamis_status status = read_member(r, depth, on_path);
        if (status != TAMIS_OK)
            return status;
        skip_space(r);
    } while (take_char(r, ','));
    return take_char(r, '}') ? TAMIS_OK : bad(r, not_json);
}

static tamis_status read_array(reader *r, size_t depth, bool on_path)
{
    r->at++;
    skip_space(r);
    if (take_char(r, ']'))
        return TAMIS_OK;
    size_t index = 0;
    do {
        bool follow = on_path && depth < r->pointer->count && is_index(r->pointer->tokens[depth], index);
        tamis_status status = read_value(r, depth + 1, follow);
        if (status != TAMIS_OK)
            return status;
        skip_space(r);
        index++;
    } while (take_char(r, ','));
    return take_char(r, ']') ? TAMIS_OK : bad(r, not_json);
}

static bool skip_scalar(reader *r)
{
    tamis_item ignored;
    bool escaped = false;
    switch (*r->at) {
    case '"':
        return skip_string(r, &ignored, &escaped);
    case 't':
        return skip_word(r, "true");
    case 'f':
        return skip_word(r, "false");
    case 'n':
        return skip_word(r, "null");
    default:
        return skip_number(r);
    }
}

/* Passes one value; `on_path`: the tokens so far lead to it. */
static tamis_status read_value(reader *r, size_t depth, bool on_path)
{
    if (depth > DEPTH_MAX)
        return bad(r, "its JSON is nested more than 512 deep");
    skip_space(r);
    if (r->at >= r->end)
        return bad(r, not_json);
    const char *start = r->at;
    tamis_status status = *start == '{'    ? read_object(r, depth, on_path)
                          : *start == '['  ? read_array(r, depth, on_path)
                          : skip_scalar(r) ? TAMIS_OK
                                           : bad(r, not_json);
    if (status == TAMIS_OK && on_path && depth == r->pointer->count) {
        r->found = (tamis_item){start, (size_t)(r->at - start)};
        r->has_found = true;
    }
    return status;
}

tamis_status json_key(const json_pointer *pointer, arena *memory, const char *data, size_t len,
                      tamis_item *out, const char **why)
{
    if (len == 0) {
        *why = not_json;
        return TAMIS_E_RECORD;
    }
    reader r = {.at = data, .end = data + len, .pointer = pointer, .memory = memory, .why = why};
    tamis_status status = read_value(&r, 0, true);
    if (status != TAMIS_OK)
        return status;
    skip_space(&r);
    if (r.at != r.end)
        return bad(&r, not_json);
    if (!r.has_found)
        return bad(&r, "nothing stands at the JSON pointer");
    const char *text = r.found.data;
    if (*text == '{' || *text == '[')
        return bad(&r, "an object or array stands at the JSON pointer");
    *out = r.found;
    if (*text != '"')
        return TAMIS_OK;
    tamis_item raw = {text + 1, r.found.len - 2};
    if (memchr(raw.data, '\\', raw.len) != NULL)
        return decode_string(memory, raw, out);
    *out = raw;
    return TAMIS_OK;
}
