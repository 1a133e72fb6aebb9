/* Keys out of JSON texts: a strict reader (RFC 8259) that finds the value at a
 * pointer (RFC 6901) and keeps its source text. A library that makes numbers of
 * numbers cannot tell 1.0 from 1 nor keep 40 digits, hence a reader of our own. */
#ifndef TAMIS_CLI_JSON_H
#define TAMIS_CLI_JSON_H

#include <stdbool.h>
#include <stddef.h>

#include <tamis/stream.h>

#include "record/arena.h"

typedef struct json_pointer {
    size_t count;
    tamis_item *tokens; /* decoded; owned, in one block with their text */
} json_pointer;

/* Parses "/user/id"; "" is the whole text. Fails with E_ARGUMENT, E_NOMEM. */
tamis_status json_pointer_parse(const char *text, json_pointer *out, tamis_error *err);
void json_pointer_free(json_pointer *pointer);

/* The key at the pointer: a string decoded, a number or literal as written. Of
 * equal names in one object the last counts. E_RECORD: not JSON, nothing there,
 * an object or an array; E_NOMEM. */
tamis_status json_key(const json_pointer *pointer, arena *memory, const char *data, size_t len,
                      tamis_item *out, const char **why);

#endif
