#include "json_out.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static bool need_comma;

static void put_quoted(const char *text)
{
    (void)putchar('"');
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            (void)printf("\\%c", c);
        else if (c < 0x20 || c >= 0x7f)
            (void)printf("\\u%04x", c); /* a byte of a name: as if it were Latin-1 */
        else
            (void)putchar(c);
    }
    (void)putchar('"');
}

static void begin(const char *name)
{
    if (need_comma)
        (void)putchar(',');
    need_comma = true;
    if (name != NULL) {
        put_quoted(name);
        (void)putchar(':');
    }
}

void json_open(const char *name, char bracket)
{
    begin(name);
    (void)putchar(bracket);
    need_comma = false;
}

void json_close(char bracket)
{
    (void)putchar(bracket);
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
    (void)printf("%" PRIu64, value);
}

void json_real(const char *name, double value)
{
    begin(name);
    if (isfinite(value))
        (void)printf("%.10g", value);
    else
        (void)printf("null");
}

void json_bool(const char *name, bool value)
{
    begin(name);
    (void)printf(value ? "true" : "false");
}

void json_null(const char *name)
{
    begin(name);
    (void)printf("null");
}

void json_end(void)
{
    (void)putchar('\n');
    need_comma = false;
}
