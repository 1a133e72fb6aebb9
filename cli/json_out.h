/* JSON on stdout or in a file: objects and arrays of plain values. A number that is not finite
 * is written as null. */
#ifndef TAMIS_CLI_JSON_OUT_H
#define TAMIS_CLI_JSON_OUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Where the next texts go; NULL: stdout. */
void json_write_to(FILE *to);

/* `name` NULL: an element of an array, or the outermost value. */
void json_open(const char *name, char bracket);
void json_close(char bracket);
void json_text(const char *name, const char *text);
void json_count(const char *name, uint64_t value);
void json_real(const char *name, double value);
void json_bool(const char *name, bool value);
void json_null(const char *name);

/* Ends the text with a newline. */
void json_end(void);

#endif
