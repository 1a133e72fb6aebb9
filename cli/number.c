#include "number.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "fail.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Reads digits from *text on; false when there are none or they pass 2^64-1. */
static bool read_digits(const char **text, uint64_t *out, bool *overflow)
{
    uint64_t value = 0;
    const char *at = *text;
    *overflow = false;
    for (; is_digit(*at); at++)
        if (__builtin_mul_overflow(value, UINT64_C(10), &value) ||
            __builtin_add_overflow(value, (uint64_t)(*at - '0'), &value))
            *overflow = true;
    bool any = at != *text;
    *text = at;
    *out = value;
    return any && !*overflow;
}

/* A decimal fraction as it stands at the beginning of a text. */
typedef struct decimal {
    uint64_t whole;
    uint64_t fraction; /* in units of 10^-places */
    unsigned places;   /* 0 to PLACES_MAX, without zeros at the end */
    bool good;         /* there is a number */
    bool overflow;     /* beyond 2^64-1 */
} decimal;

enum { PLACES_MAX = 6 };

/* Reads "15" or "1.5". Leaves *text behind it. */
static decimal read_decimal(const char **text)
{
    decimal out = {.good = false};
    out.good = read_digits(text, &out.whole, &out.overflow) || out.overflow;
    if (!out.good || **text != '.' || !is_digit((*text)[1]))
        return out;
    for (++*text; is_digit(**text) && out.places < PLACES_MAX; ++*text, out.places++)
        out.fraction = out.fraction * 10 + (uint64_t)(**text - '0');
    for (; out.places > 0 && out.fraction % 10 == 0; out.places--)
        out.fraction /= 10;
    out.good = !is_digit(**text);
    return out;
}

static uint64_t power_of_ten(unsigned exponent)
{
    uint64_t power = 1;
    while (exponent-- > 0)
        power *= 10;
    return power;
}

/* value * unit, rounded down; *exact says whether that changed it. False: beyond 2^64-1. */
static bool scale(const decimal *value, uint64_t unit, uint64_t *out, bool *exact)
{
    uint64_t power = power_of_ten(value->places);
    uint64_t high = unit / power, low = unit % power; /* low * fraction < 10^12 */
    uint64_t part = value->fraction * low;
    *exact = part % power == 0;
    return !value->overflow && !__builtin_mul_overflow(value->whole, unit, out) &&
           !__builtin_add_overflow(*out, value->fraction * high + part / power, out);
}

/* 1000, 1000000, ... for K, M, G and T, 10^x for ex; 0: something else. */
static uint64_t count_unit(const char *text)
{
    static const char letters[] = "kKmMgGtT";
    const char *letter = *text != '\0' ? strchr(letters, *text) : NULL;
    uint64_t exponent = 0;
    bool overflow = false;
    if (*text == '\0')
        return 1;
    if (letter != NULL)
        return text[1] == '\0' ? power_of_ten(3 * ((unsigned)(letter - letters) / 2 + 1)) : 0;
    if (*text != 'e' && *text != 'E')
        return 0;
    text += text[1] == '+' ? 2 : 1;
    bool good = read_digits(&text, &exponent, &overflow) && *text == '\0' && exponent < 20;
    return good ? power_of_ten((unsigned)exponent) : 0;
}

/* What to write instead, fitting what the option counts. */
static const char *count_example(uint64_t max)
{
    return max > 1000000000 ? "10000000, 10M or 1e7" : max > 256 ? "60" : "4";
}

tamis_status number_count(const char *option, const char *text, uint64_t min, uint64_t max, uint64_t *out,
                          tamis_error *err)
{
    uint64_t value = 0;
    bool exact = true;
    const char *at = text;
    decimal number = read_decimal(&at);
    uint64_t unit = number.good ? count_unit(at) : 0;
    bool fits = scale(&number, unit, &value, &exact);
    if (unit == 0 || !exact)
        return fail(err, TAMIS_E_ARGUMENT, "%s %s: not a whole number; write one such as %s", option, text,
                    count_example(max));
    if (!fits || value < min || value > max)
        return fail(err, TAMIS_E_RANGE, "%s %s: must lie between %llu and %llu", option, text,
                    (unsigned long long)min, (unsigned long long)max);
    *out = value;
    return TAMIS_OK;
}

/* Digits with at most one point and one exponent: what strtod takes beyond that
 * (spaces, hexadecimal, inf, nan) is not a rate. */
static bool looks_like_fraction(const char *text, size_t len)
{
    size_t i = len > 0 && (text[0] == '-' || text[0] == '+') ? 1 : 0;
    size_t digits = 0, points = 0;
    for (; i < len && (is_digit(text[i]) || text[i] == '.'); i++) {
        digits += is_digit(text[i]);
        points += text[i] == '.';
    }
    if (digits == 0 || points > 1)
        return false;
    if (i == len)
        return true;
    if (text[i] != 'e' && text[i] != 'E')
        return false;
    i++;
    if (i < len && (text[i] == '-' || text[i] == '+'))
        i++;
    size_t first = i;
    while (i < len && is_digit(text[i]))
        i++;
    return i == len && i > first;
}

tamis_status number_rate(const char *option, const char *text, double *out, tamis_error *err)
{
    size_t len = strlen(text);
    bool percent = len > 0 && text[len - 1] == '%';
    const char *comma = strchr(text, ',');
    if (comma != NULL && comma > text && is_digit(comma[1]))
        return fail(err, TAMIS_E_ARGUMENT, "%s %s: not a number; write a point, as in %.*s.%s", option, text,
                    (int)(comma - text), text, comma + 1);
    if (!looks_like_fraction(text, percent ? len - 1 : len))
        return fail(err, TAMIS_E_ARGUMENT, "%s %s: not a number; write an error rate such as 0.001 or 1e-9",
                    option, text);
    double value = strtod(text, NULL);
    if (!percent && value > 0.0 && value < 1.0) {
        *out = value;
        return TAMIS_OK;
    }
    if (value > 0.0 && value < 100.0)
        return fail(err, TAMIS_E_RANGE,
                    "%s %s: the error rate must lie between 0 and 1, both excluded (did you mean %g?)",
                    option, text, value / 100.0);
    return fail(err, TAMIS_E_RANGE, "%s %s: the error rate must lie between 0 and 1, both excluded", option,
                text);
}

/* 1024, 1024^2, ... for K or KiB, M or MiB and so on; 0: something else. */
static uint64_t size_unit(const char *text)
{
    static const char letters[] = "kKmMgGtT";
    if (*text == '\0')
        return 1;
    const char *letter = strchr(letters, *text);
    if (letter == NULL || (text[1] != '\0' && strcmp(text + 1, "iB") != 0))
        return 0;
    return UINT64_C(1) << 10 * ((letter - letters) / 2 + 1);
}

tamis_status number_size(const char *option, const char *text, uint64_t *out, tamis_error *err)
{
    uint64_t value = 0;
    bool exact = true;
    const char *at = text;
    decimal number = read_decimal(&at);
    uint64_t unit = number.good ? size_unit(at) : 0;
    bool fits = scale(&number, unit, &value, &exact);
    if (unit == 0 || (unit == 1 && !exact))
        return fail(err, TAMIS_E_ARGUMENT,
                    "%s %s: not a size; write bytes, or K, M, G or T (powers of 1024), such as 64M or 1.5GiB",
                    option, text);
    if (!fits)
        return fail(err, TAMIS_E_RANGE, "%s %s: larger than 2^64-1 bytes", option, text);
    if (value == 0)
        return fail(err, TAMIS_E_RANGE, "%s %s: must be at least 1 byte", option, text);
    *out = value;
    return TAMIS_OK;
}

int number_hex_digit(char c)
{
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool read_hex(const char *text, uint64_t *out)
{
    size_t len = strlen(text);
    uint64_t value = 0;
    if (len == 0 || len > 16)
        return false;
    for (size_t i = 0; i < len; i++) {
        int digit = number_hex_digit(text[i]);
        if (digit < 0)
            return false;
        value = value << 4 | (uint64_t)digit;
    }
    *out = value;
    return true;
}

tamis_status number_seed(const char *option, const char *text, uint64_t *out, tamis_error *err)
{
    uint64_t value = 0;
    bool overflow = false;
    const char *at = text;
    bool good = text[0] == '0' && (text[1] == 'x' || text[1] == 'X')
                    ? read_hex(text + 2, &value)
                    : read_digits(&at, &value, &overflow) && *at == '\0';
    if (!good)
        return fail(err, TAMIS_E_ARGUMENT,
                    "%s %s: not a 64-bit number; write it in decimal or as 0x with 1 to 16 digits", option,
                    text);
    *out = value;
    return TAMIS_OK;
}
