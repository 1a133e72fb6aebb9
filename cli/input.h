/* The lines that a subcommand reads: names of files, records, keys, the reader. */
#ifndef TAMIS_CLI_INPUT_H
#define TAMIS_CLI_INPUT_H

#include <tamis/stream.h>

#include "options.h"
#include "record/record.h"

typedef struct input {
    const char **paths; /* owned array */
    size_t count;
    char *names; /* owned text of --files0-from */
    record *rec;
    tamis_record_format format;
    tamis_reader *reader;
    bool cr_matters; /* a CR at a line's end would be part of its key */
} input;

/* The normalisation that -i, --trim, --hex and --url ask for. */
uint32_t input_normalisation(const options *opts);

/* The options that a normalisation stands for, as "-i --trim"; "none". */
const char *input_normalisation_text(uint32_t word, char *out, size_t size);

/* The stored normalisation, once no option that was given differs from it.
 * E_ARGUMENT names list and option. */
tamis_status input_agree(const options *opts, const char *list, uint32_t stored, tamis_error *err);

/* Sets up names and records: operands from `first_operand` on, or --files0-from,
 * or standard input. */
tamis_status input_prepare(const options *opts, size_t first_operand, uint32_t normalisation, input *in,
                           tamis_error *err);

/* Opens the reader, which obeys the stop flag. */
tamis_status input_start(input *in, tamis_error *err);

/* Refuses an input that is what `fd` writes to: what was written would be read again,
 * without end. Only the first input may be an empty file, as the shell makes it. */
tamis_status input_apart_from(const input *in, int fd, tamis_error *err);

/* Room for keys, owned; zero-filled: none yet. */
typedef struct key_room {
    tamis_item *keys;
    size_t size;
} key_room;

/* The keys of a run without those that are none; *count of them. NULL: no memory. */
const tamis_item *input_keys(key_room *room, const tamis_records *records, size_t *count);

/* Warns of CRs and tells the progress bar how far it is. */
void input_warn(const input *in);
void input_progress(const input *in);

void input_close(input *in);

#endif
