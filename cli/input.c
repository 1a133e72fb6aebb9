#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include "input.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fail.h"
#include "progress.h"
#include "report.h"
#include "signals.h"

static const struct {
    option_id id;
    uint32_t bit;
    const char *text;
} norms[] = {
    {OPT_IGNORE_CASE, TAMIS_NORM_CASE(1), "-i"},
    {OPT_TRIM, TAMIS_NORM_TRIM(1), "--trim"},
    {OPT_HEX, TAMIS_NORM_HEX(1), "--hex"},
    {OPT_URL, TAMIS_NORM_URL(1), "--url"},
};
enum { NORMS = sizeof norms / sizeof norms[0] };

uint32_t input_normalisation(const options *opts)
{
    uint32_t word = 0;
    for (int i = 0; i < NORMS; i++)
        if (opts->flag[norms[i].id])
            word |= norms[i].bit;
    return word;
}

const char *input_normalisation_text(uint32_t word, char *out, size_t size)
{
    size_t used = 0;
    (void)snprintf(out, size, "none");
    for (int i = 0; i < NORMS; i++)
        if ((word & norms[i].bit) != 0 && used < size)
            used += (size_t)snprintf(out + used, size - used, "%s%s", used > 0 ? " " : "", norms[i].text);
    uint32_t unknown = word;
    for (int i = 0; i < NORMS; i++)
        unknown &= ~norms[i].bit;
    if (unknown != 0 && used < size)
        (void)snprintf(out + used, size - used, "%sunknown rules %#" PRIx32, used > 0 ? " " : "", unknown);
    return out;
}

tamis_status input_agree(const options *opts, const char *list, uint32_t stored, tamis_error *err)
{
    char text[64];
    for (int i = 0; i < NORMS; i++)
        if (opts->flag[norms[i].id] && (stored & norms[i].bit) == 0)
            return fail(err, TAMIS_E_ARGUMENT,
                        "%s differs from how %s was built (normalisation: %s); leave it away, or build "
                        "the list with it",
                        norms[i].text, list, input_normalisation_text(stored, text, sizeof text));
    return TAMIS_OK;
}

/* --- names ------------------------------------------------------------------- */

/* Reads a file to its end, with a NUL behind it. */
static tamis_status read_whole(const char *path, char **out, size_t *out_len, tamis_error *err)
{
    bool standard = strcmp(path, "-") == 0;
    FILE *from = standard ? stdin : fopen(path, "rb");
    if (from == NULL)
        return fail_errno(err, "%s", path);
    char *text = NULL;
    size_t len = 0, room = 0;
    tamis_status status = TAMIS_OK;
    for (;;) {
        if (room - len < 2) {
            room = room * 2 + 4096;
            char *grown = realloc(text, room);
            if (grown == NULL) {
                status = fail(err, TAMIS_E_NOMEM, "%s: out of memory", path);
                break;
            }
            text = grown;
        }
        size_t got = fread(text + len, 1, room - len - 1, from);
        len += got;
        if (got == 0) {
            status = ferror(from) ? fail_errno(err, "%s", path) : TAMIS_OK;
            break;
        }
    }
    if (!standard)
        (void)fclose(from);
    if (status != TAMIS_OK) {
        free(text);
        return status;
    }
    text[len] = '\0';
    *out = text;
    *out_len = len;
    return TAMIS_OK;
}

static tamis_status split_names(const options *opts, input *in, size_t len, tamis_error *err)
{
    size_t count = 0;
    for (size_t at = 0; at < len; at += strlen(in->names + at) + 1) {
        const char *name = in->names + at;
        if (*name == '\0')
            return fail(err, TAMIS_E_ARGUMENT, "--files0-from %s: name %zu is empty", opts->files0,
                        count + 1);
        if (strcmp(name, "-") == 0 && strcmp(opts->files0, "-") == 0)
            return fail(err, TAMIS_E_ARGUMENT,
                        "--files0-from -: names that come from standard input cannot hold -");
        count++;
    }
    if (count == 0)
        return fail(err, TAMIS_E_ARGUMENT, "--files0-from %s: it names no file", opts->files0);
    in->paths = malloc(count * sizeof *in->paths);
    if (in->paths == NULL)
        return fail(err, TAMIS_E_NOMEM, "out of memory");
    for (size_t at = 0; at < len; at += strlen(in->names + at) + 1)
        in->paths[in->count++] = in->names + at;
    return TAMIS_OK;
}

static tamis_status collect_names(const options *opts, size_t first, input *in, tamis_error *err)
{
    size_t operands = opts->operand_count - first;
    if (opts->given[OPT_FILES0] && operands > 0)
        return fail(err, TAMIS_E_ARGUMENT,
                    "--files0-from does not go with file operands (%s); name files in one way",
                    opts->operands[first]);
    if (opts->given[OPT_FILES0]) {
        size_t len = 0;
        tamis_status status = read_whole(opts->files0, &in->names, &len, err);
        return status != TAMIS_OK ? status : split_names(opts, in, len, err);
    }
    in->paths = malloc((operands + 1) * sizeof *in->paths);
    if (in->paths == NULL)
        return fail(err, TAMIS_E_NOMEM, "out of memory");
    in->paths[0] = "-";
    for (size_t i = 0; i < operands; i++)
        in->paths[i] = opts->operands[first + i];
    in->count = operands > 0 ? operands : 1;
    return TAMIS_OK;
}

/* --- records ----------------------------------------------------------------- */

static record_rule rule_of(const options *opts, uint32_t normalisation)
{
    record_rule rule = {
        .delimiter = opts->flag[OPT_ZERO] ? '\0' : '\n',
        .crlf = opts->flag[OPT_CRLF],
        .header = opts->flag[OPT_HEADER],
        .keep_bad = opts->bad_records == BAD_KEEP,
        .csv = opts->flag[OPT_CSV],
        .separated = opts->given[OPT_SEPARATOR] || opts->flag[OPT_TSV],
        .separator = opts->given[OPT_SEPARATOR] ? opts->separator
                     : opts->flag[OPT_TSV]      ? '\t'
                                                : ',',
        .fields = opts->key,
        .pointer = opts->json,
        .normalisation = normalisation,
    };
    return rule;
}

static tamis_status check_separator(const record_rule *rule, tamis_error *err)
{
    if ((rule->separated || rule->csv) && rule->separator == rule->delimiter)
        return fail(err, TAMIS_E_ARGUMENT, "-t: fields cannot be separated by what ends the line");
    if (rule->csv && rule->separator == '"')
        return fail(err, TAMIS_E_ARGUMENT, "-t \": fields of CSV cannot be separated by the quote");
    return TAMIS_OK;
}

tamis_status input_prepare(const options *opts, size_t first_operand, uint32_t normalisation, input *in,
                           tamis_error *err)
{
    record_rule rule = rule_of(opts, normalisation);
    tamis_status status = check_separator(&rule, err);
    *in = (input){.count = 0};
    if (status == TAMIS_OK)
        status = record_open(&rule, &in->rec, err);
    if (status == TAMIS_OK)
        status = collect_names(opts, first_operand, in, err);
    if (status != TAMIS_OK) {
        input_close(in);
        return status;
    }
    in->format = record_format(in->rec);
    in->cr_matters =
        rule.delimiter == '\n' && rule.pointer == NULL && (normalisation & TAMIS_NORM_TRIM(1)) == 0;
    return TAMIS_OK;
}

tamis_status input_start(input *in, tamis_error *err)
{
    tamis_status status = tamis_reader_open(in->paths, in->count, &in->format, &in->reader, err);
    if (status == TAMIS_OK)
        tamis_reader_set_stop(in->reader, signals_stop());
    return status;
}

static bool has_more(const char *path, const struct stat *about)
{
    off_t at = strcmp(path, "-") == 0 ? lseek(STDIN_FILENO, 0, SEEK_CUR) : 0;
    return S_ISREG(about->st_mode) && at < about->st_size;
}

tamis_status input_apart_from(const input *in, int fd, tamis_error *err)
{
    struct stat target, about;
    if (fstat(fd, &target) != 0 || !S_ISREG(target.st_mode))
        return TAMIS_OK;
    for (size_t i = 0; i < in->count; i++) {
        const char *path = in->paths[i];
        int failed = strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &about) : stat(path, &about);
        if (failed == 0 && about.st_dev == target.st_dev && about.st_ino == target.st_ino &&
            (i > 0 || has_more(path, &about)))
            return fail(err, TAMIS_E_ARGUMENT,
                        "%s is also the output, and would be read as it grows; write to another file, or "
                        "with -o",
                        strcmp(path, "-") == 0 ? "standard input" : path);
    }
    return TAMIS_OK;
}

const tamis_item *input_keys(key_room *room, const tamis_records *records, size_t *count)
{
    size_t n = 0;
    if (room->size < records->count) {
        free(room->keys);
        room->keys = malloc(records->count * sizeof *room->keys);
        room->size = room->keys != NULL ? records->count : 0;
        if (room->keys == NULL)
            return NULL;
    }
    for (size_t i = 0; i < records->count; i++)
        if (records->keys[i].len != TAMIS_NO_KEY)
            room->keys[n++] = records->keys[i];
    *count = n;
    return room->keys;
}

void input_warn(const input *in)
{
    tamis_reader_stats stats;
    uint64_t unparsed = record_unparsed_urls(in->rec);
    if (unparsed > 0)
        report_warning("%" PRIu64 " key%s as %s", unparsed,
                       unparsed == 1 ? " is no absolute URL and stayed" : "s are no absolute URLs and stayed",
                       unparsed == 1 ? "it is" : "they are");
    if (in->reader == NULL || !in->cr_matters)
        return;
    tamis_reader_get_stats(in->reader, &stats);
    if (stats.cr_ended > stats.records / 2)
        report_warning("more than half of the lines end in CR, which is part of the line here; --crlf takes "
                       "it as part of the line end");
}

void input_progress(const input *in)
{
    tamis_reader_stats stats;
    tamis_reader_get_stats(in->reader, &stats);
    progress_update(stats.bytes, stats.total_bytes);
}

void input_close(input *in)
{
    tamis_reader_close(in->reader);
    record_close(in->rec);
    free(in->paths);
    free(in->names);
    *in = (input){.count = 0};
}
