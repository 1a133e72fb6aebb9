/* Numbers on the command line: the whole text or nothing. */
#ifndef TAMIS_CLI_NUMBER_H
#define TAMIS_CLI_NUMBER_H

#include <stdint.h>

#include <tamis/status.h>

/* Value of a hexadecimal digit; -1: it is none. */
int number_hex_digit(char c);

/* Each parses all of `text`, the value of `option` (as the user wrote it, for the
 * message), and fails with E_ARGUMENT (not a number) or E_RANGE; *out is then
 * untouched. */

/* A whole number, min to max: digits, also with K, M, G, T (thousands, millions, ...)
 * or an exponent behind them: 10000000, 10M, 1.5K, 1e7. */
tamis_status number_count(const char *option, const char *text, uint64_t min, uint64_t max, uint64_t *out,
                          tamis_error *err);

/* An error rate: a decimal fraction strictly between 0 and 1. */
tamis_status number_rate(const char *option, const char *text, double *out, tamis_error *err);

/* Bytes, 1 or more: a number with K or KiB, M or MiB, G, T (powers of 1024) or nothing
 * behind it; 1.5G is good, and rounded down to whole bytes. */
tamis_status number_size(const char *option, const char *text, uint64_t *out, tamis_error *err);

/* Any 64-bit number, decimal or 0x hexadecimal. */
tamis_status number_seed(const char *option, const char *text, uint64_t *out, tamis_error *err);

#endif
