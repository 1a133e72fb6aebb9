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

tamis_status number_count(const char *option, const char *text, uint64_t min, uint64_t max, uint64_t *out,
                          tamis_error *err)
{
    uint64_t value = 0;
    bool overflow = false;
    const char *at = text;
    bool digits = read_digits(&at, &value, &overflow);
    if (*at != '\0' || (!digits && !overflow))
        return fail(err, TAMIS_E_ARGUMENT, "%s %s: not a whole number; write digits only, such as 10000000",
                    option, text);
    if (overflow || value < min || value > max)
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

/* Power of 1024 that a size's letter stands for; -1 for no such letter. */
static int size_shift(char letter)
{
    switch (letter) {
    case '\0':
        return 0;
    case 'k':
    case 'K':
        return 10;
    case 'm':
    case 'M':
        return 20;
    case 'g':
    case 'G':
        return 30;
    case 't':
    case 'T':
        return 40;
    default:
        return -1;
    }
}

tamis_status number_size(const char *option, const char *text, uint64_t *out, tamis_error *err)
{
    uint64_t value = 0;
    bool overflow = false;
    const char *at = text;
    bool digits = read_digits(&at, &value, &overflow);
    int shift = size_shift(*at);
    if (shift < 0 || (*at != '\0' && at[1] != '\0') || (!digits && !overflow))
        return fail(err, TAMIS_E_ARGUMENT,
                    "%s %s: not a size; write a whole number with K, M, G or T, such as 64M", option, text);
    if (overflow || __builtin_mul_overflow(value, UINT64_C(1) << shift, &value))
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
