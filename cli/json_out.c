#include "json_out.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static bool need_comma;
static FILE *target; /* NULL: stdout */

static FILE *out(void)
{
    return target != NULL ? target : stdout;
}

void json_write_to(FILE *to)
{
    target = to;
}

static void put_quoted(const char *text)
{
    (void)putc('"', out());
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            (void)fprintf(out(), "\\%c", c);
        else if (c < 0x20 || c >= 0x7f)
            (void)fprintf(out(), "\\u%04x", c); /* a byte of a name: as if it were Latin-1 */
        else
            (void)putc(c, out());
    }
    (void)putc('"', out());
}

static void begin(const char *name)
{
    if (need_comma)
        (void)putc(',', out());
    need_comma = true;
    if (name != NULL) {
        put_quoted(name);
        (void)putc(':', out());
    }
}

void json_open(const char *name, char bracket)
{
    begin(name);
    (void)putc(bracket, out());
    need_comma = false;
}

void json_close(char bracket)
{
    (void)putc(bracket, out());
    need_comma = true;
}

void json_text(const char *name, const char *text)
{
    begin(name);
    put_quoted(text);
}

void json_count(const char *name, uint64_t value)
{
    begin(name);
    (void)fprintf(out(), "%" PRIu64, value);
}

void json_real(const char *name, double value)
{
    begin(name);
    if (isfinite(value))
        (void)fprintf(out(), "%.10g", value);
    else
        (void)fprintf(out(), "null");
}

void json_bool(const char *name, bool value)
{
    begin(name);
    (void)fprintf(out(), value ? "true" : "false");
}

void json_null(const char *name)
{
    begin(name);
    (void)fprintf(out(), "null");
}

void json_end(void)
{
    (void)putc('\n', out());
    need_comma = false;
}
