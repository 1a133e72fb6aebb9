#include "record/url.h"

#include <stdbool.h>
#include <string.h>

#include <uriparser/Uri.h>

#include "number.h"

/* A part of the URL; `data` NULL: there is none (not the same as empty). */
typedef struct part {
    const char *data;
    size_t len;
} part;

typedef struct parts {
    part scheme, user, host, port, path, query;
    bool authority;
} parts;

/* Whether it is a URI by the grammar of RFC 3986; a relative reference is one
 * without a scheme. */
static tamis_status check_grammar(tamis_item url)
{
    UriUriA uri;
    const char *first = url.data, *error = NULL;
    if (url.len == 0)
        return TAMIS_E_RECORD;
    int code = uriParseSingleUriExA(&uri, first, first + url.len, &error);
    if (code != URI_SUCCESS)
        return code == URI_ERROR_MALLOC ? TAMIS_E_NOMEM : TAMIS_E_RECORD;
    bool absolute = uri.scheme.first != NULL;
    uriFreeUriMembersA(&uri);
    return absolute ? TAMIS_OK : TAMIS_E_RECORD;
}

static size_t span_until(const char *at, const char *end, const char *stops)
{
    size_t n = 0;
    while (at + n < end && strchr(stops, at[n]) == NULL)
        n++;
    return n;
}

static void split_authority(part text, parts *out)
{
    const char *end = text.data + text.len;
    const char *at = text.len > 0 ? memchr(text.data, '@', text.len) : NULL;
    const char *host = text.data;
    if (at != NULL) {
        out->user = (part){text.data, (size_t)(at - text.data)};
        host = at + 1;
    }
    size_t bracket = host < end && *host == '[' ? span_until(host, end, "]") : 0;
    size_t len = bracket + span_until(host + bracket, end, ":");
    out->host = (part){host, len};
    if (host + len < end)
        out->port = (part){host + len + 1, (size_t)(end - host - 1) - len};
}

/* Splits what check_grammar has let through (so there is no NUL in it). */
static parts split(tamis_item url)
{
    parts out = {.authority = false};
    const char *at = url.data, *end = at + url.len;
    out.scheme = (part){at, span_until(at, end, ":")};
    at += out.scheme.len + 1;
    if (end - at >= 2 && at[0] == '/' && at[1] == '/') {
        at += 2;
        part text = {at, span_until(at, end, "/?#")};
        out.authority = true;
        split_authority(text, &out);
        at += text.len;
    }
    out.path = (part){at, span_until(at, end, "?#")};
    at += out.path.len;
    if (at < end && *at == '?')
        out.query = (part){at + 1, span_until(at + 1, end, "#")};
    return out;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool is_unreserved(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '.' || c == '_' || c == '~';
}

/* Copies with percent encoding made canonical; returns the length. */
static size_t put_text(char *to, part text, bool lower_case)
{
    static const char digits[] = "0123456789ABCDEF";
    size_t n = 0;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.data[i];
        if (c == '%' && text.len - i > 2) {
            int high = number_hex_digit(text.data[i + 1]), low = number_hex_digit(text.data[i + 2]);
            i += 2;
            if (!is_unreserved(high * 16 + low)) {
                to[n++] = '%';
                to[n++] = digits[high & 15];
                to[n++] = digits[low & 15];
                continue;
            }
            c = (char)(high * 16 + low);
        }
        to[n++] = lower_case ? lower(c) : c;
    }
    return n;
}

/* Resolves "." and ".." in a path that begins with "/" (RFC 3986, 5.2.4). */
static size_t remove_dots(char *path, size_t len)
{
    size_t in = 0, out = 0;
    while (in < len) {
        const char *slash = memchr(path + in + 1, '/', len - in - 1);
        size_t end = slash != NULL ? (size_t)(slash - path) : len;
        size_t name = end - in - 1;
        bool one = name == 1 && path[in + 1] == '.';
        bool two = name == 2 && path[in + 1] == '.' && path[in + 2] == '.';
        if (!one && !two) {
            memmove(path + out, path + in, end - in);
            out += end - in;
        }
        while (two && out > 0 && path[--out] != '/') {
        }
        if ((one || two) && end == len)
            path[out++] = '/';
        in = end;
    }
    return out;
}

/* Without a host a path may not come to begin with "//": it is then left as it
 * is, since what follows would be taken for one. */
static size_t put_path(char *to, const parts *url)
{
    size_t len = put_text(to, url->path, false);
    if (len == 0 && url->authority) {
        to[0] = '/';
        return 1;
    }
    if (len == 0 || to[0] != '/')
        return len;
    size_t resolved = remove_dots(to, len);
    if (url->authority || resolved < 2 || to[1] != '/')
        return resolved;
    return put_text(to, url->path, false);
}

static bool is_default_port(part scheme, part port)
{
    static const struct {
        const char *scheme, *port;
    } known[] = {{"http", "80"}, {"https", "443"}, {"ftp", "21"}, {"ws", "80"}, {"wss", "443"}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strlen(known[i].scheme) == scheme.len && memcmp(known[i].scheme, scheme.data, scheme.len) == 0)
            return strlen(known[i].port) == port.len && memcmp(known[i].port, port.data, port.len) == 0;
    return false;
}

static size_t put_authority(char *to, const parts *url, part scheme)
{
    size_t n = 0;
    to[n++] = '/';
    to[n++] = '/';
    if (url->user.data != NULL) {
        n += put_text(to + n, url->user, false);
        to[n++] = '@';
    }
    n += put_text(to + n, url->host, true);
    if (url->port.len > 0 && !is_default_port(scheme, url->port)) {
        to[n++] = ':';
        memcpy(to + n, url->port.data, url->port.len);
        n += url->port.len;
    }
    return n;
}

tamis_status url_canonical(arena *memory, tamis_item url, tamis_item *out)
{
    tamis_status status = check_grammar(url);
    if (status != TAMIS_OK)
        return status;
    parts from = split(url);
    char *to = arena_take(memory, url.len + 1); /* at most "/" is added */
    if (to == NULL)
        return TAMIS_E_NOMEM;
    size_t n = put_text(to, from.scheme, true);
    part scheme = {to, n};
    to[n++] = ':';
    if (from.authority)
        n += put_authority(to + n, &from, scheme);
    n += put_path(to + n, &from);
    if (from.query.data != NULL) {
        to[n++] = '?';
        memcpy(to + n, from.query.data, from.query.len);
        n += from.query.len;
    }
    arena_shrink(memory, to, n);
    *out = (tamis_item){to, n};
    return TAMIS_OK;
}
