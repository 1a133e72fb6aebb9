#include "options.h"

#include <stdlib.h>
#include <string.h>

#include "fail.h"
#include "number.h"
#include "suggest.h"

/* Where parsing stands: the words, and the option as the user wrote it. */
typedef struct parse {
    command_id command;
    options *out;
    tamis_error *err;
    char *const *argv;
    int argc;
    int next;       /* word to look at */
    char shown[40]; /* "-n" or "--capacity" */
} parse;

command_id command_find(const char *name)
{
    for (int i = 0; i < CMD_COUNT; i++) {
        const command_row *row = &command_table[i];
        if (strcmp(row->name, name) == 0 || (row->alias != NULL && strcmp(row->alias, name) == 0))
            return (command_id)i;
    }
    return CMD_COUNT;
}

bool option_belongs(const option_row *row, command_id command)
{
    return (row->commands >> command & 1u) != 0;
}

const option_row *option_by_letter(command_id command, char letter)
{
    for (size_t i = 0; i < option_table_len; i++)
        if (letter != '\0' && option_table[i].letter == letter && option_belongs(&option_table[i], command))
            return &option_table[i];
    return NULL;
}

const option_row *option_by_name(command_id command, const char *name, size_t len)
{
    for (size_t i = 0; i < option_table_len; i++) {
        const option_row *row = &option_table[i];
        if (option_belongs(row, command) && strlen(row->name) == len && memcmp(row->name, name, len) == 0)
            return row;
    }
    return NULL;
}

/* Index of a word in "a,b,c"; -1: not there. */
static int choice_index(const char *choices, const char *word)
{
    size_t len = strlen(word);
    for (int i = 0; *choices != '\0'; i++) {
        size_t span = strcspn(choices, ",");
        if (span == len && memcmp(choices, word, len) == 0)
            return i;
        choices += span + (choices[span] == ',');
    }
    return -1;
}

static tamis_status set_choice(parse *p, const option_row *row, const char *value, int base)
{
    int index = choice_index(row->choices, value);
    if (index < 0)
        return fail(p->err, TAMIS_E_ARGUMENT, "%s %s: must be one of %s", p->shown, value, row->choices);
    int chosen = base + index;
    memcpy((char *)p->out + row->field, &chosen, sizeof chosen);
    return TAMIS_OK;
}

/* One byte, or \t or \0 spelt out. */
static tamis_status set_byte(parse *p, const option_row *row, const char *value)
{
    unsigned char byte = (unsigned char)value[0];
    if (strcmp(value, "\\t") == 0)
        byte = '\t';
    else if (strcmp(value, "\\0") == 0)
        byte = '\0';
    else if (strlen(value) != 1)
        return fail(p->err, TAMIS_E_ARGUMENT, "%s %s: must be one byte (or \\t or \\0)", p->shown, value);
    memcpy((char *)p->out + row->field, &byte, sizeof byte);
    return TAMIS_OK;
}

static bool label_taken(const options *opts, const char *name, size_t len)
{
    for (size_t i = 0; i < opts->label_count; i++)
        if (opts->labels[i].name_len == len && memcmp(opts->labels[i].name, name, len) == 0)
            return true;
    return false;
}

static tamis_status add_label(parse *p, const char *value)
{
    options *opts = p->out;
    size_t len = strcspn(value, "=");
    if (len == 0 || value[len] == '\0' || value[len + 1] == '\0')
        return fail(p->err, TAMIS_E_ARGUMENT, "%s %s: must be NAME=LIST, a label and a filter file", p->shown,
                    value);
    if (label_taken(opts, value, len))
        return fail(p->err, TAMIS_E_ARGUMENT, "%s %s: the label is used twice; choose another name", p->shown,
                    value);
    option_label *grown = realloc(opts->labels, (opts->label_count + 1) * sizeof *grown);
    if (grown == NULL)
        return fail(p->err, TAMIS_E_NOMEM, "out of memory");
    opts->labels = grown;
    opts->labels[opts->label_count++] = (option_label){value, len, value + len + 1};
    return TAMIS_OK;
}

static tamis_status set_number(parse *p, const option_row *row, const char *value)
{
    char *field = (char *)p->out + row->field;
    uint64_t number = 0;
    tamis_status status = row->type == VALUE_COUNT
                              ? number_count(p->shown, value, row->min, row->max, &number, p->err)
                          : row->type == VALUE_SIZE ? number_size(p->shown, value, &number, p->err)
                                                    : number_seed(p->shown, value, &number, p->err);
    if (status == TAMIS_OK)
        memcpy(field, &number, sizeof number);
    return status;
}

static tamis_status set_rate(parse *p, const option_row *row, const char *value)
{
    double rate = 0.0;
    tamis_status status = number_rate(p->shown, value, &rate, p->err);
    if (status == TAMIS_OK)
        memcpy((char *)p->out + row->field, &rate, sizeof rate);
    return status;
}

static tamis_status set_text(parse *p, const option_row *row, const char *value)
{
    if (value[0] == '\0' && row->id != OPT_JSON) /* the empty pointer is the whole JSON text */
        return fail(p->err, TAMIS_E_ARGUMENT, "%s: its %s is empty", p->shown, row->value);
    memcpy((char *)p->out + row->field, &value, sizeof value);
    return TAMIS_OK;
}

static tamis_status set_value(parse *p, const option_row *row, const char *value)
{
    switch (row->type) {
    case VALUE_COUNT:
    case VALUE_SIZE:
    case VALUE_SEED:
        return set_number(p, row, value);
    case VALUE_RATE:
        return set_rate(p, row, value);
    case VALUE_CHOICE:
        return set_choice(p, row, value, 0);
    case VALUE_OPTIONAL:
        return set_choice(p, row, value, 1);
    case VALUE_BYTE:
        return set_byte(p, row, value);
    case VALUE_LABEL:
        return add_label(p, value);
    case VALUE_TEXT:
    case VALUE_NONE:
        break;
    }
    return set_text(p, row, value);
}

/* Takes one option; `value` is NULL where it has none. */
static tamis_status take(parse *p, const option_row *row, const char *value)
{
    options *opts = p->out;
    const char *before = opts->given_text[row->id];
    if (opts->given[row->id] && before != NULL && value != NULL && row->type != VALUE_LABEL &&
        strcmp(before, value) != 0)
        return fail(p->err, TAMIS_E_ARGUMENT, "%s is given twice, as %s and %s; give it once", p->shown,
                    before, value);
    opts->given[row->id] = true;
    opts->given_text[row->id] = value;
    if (value != NULL)
        return set_value(p, row, value);
    if (row->type == VALUE_NONE)
        opts->flag[row->id] = true;
    return TAMIS_OK;
}

static void show_letter(parse *p, char letter)
{
    p->shown[0] = '-';
    p->shown[1] = letter;
    p->shown[2] = '\0';
}

static void show_name(parse *p, const char *word, size_t len)
{
    if (len >= sizeof p->shown)
        len = sizeof p->shown - 1;
    memcpy(p->shown, word, len);
    p->shown[len] = '\0';
}

static tamis_status fail_unknown(parse *p)
{
    return fail(p->err, TAMIS_E_ARGUMENT, "unknown option %s; tamis %s --help lists the options", p->shown,
                command_table[p->command].name);
}

static tamis_status fail_letter(parse *p, char letter)
{
    const char *hint = suggest_for_letter(p->command, letter);
    if (hint == NULL)
        return fail_unknown(p);
    return fail(p->err, TAMIS_E_ARGUMENT, "unknown option %s; %s", p->shown, hint);
}

static tamis_status fail_name(parse *p, const char *name, size_t len)
{
    const char *near = suggest_option(p->command, name, len);
    if (near == NULL)
        return fail_unknown(p);
    return fail(p->err, TAMIS_E_ARGUMENT, "unknown option %s; did you mean --%s?", p->shown, near);
}

/* The one option whose long name begins like that; *other: a second one. */
static const option_row *option_by_prefix(command_id command, const char *name, size_t len,
                                          const option_row **other)
{
    const option_row *found = NULL;
    *other = NULL;
    for (size_t i = 0; i < option_table_len && len > 0; i++) {
        const option_row *row = &option_table[i];
        if (!option_belongs(row, command) || strncmp(row->name, name, len) != 0)
            continue;
        if (found != NULL)
            *other = row;
        else
            found = row;
    }
    return found;
}

/* The option of a long name, which may be cut short as long as it means one. */
static tamis_status find_long(parse *p, const char *name, size_t len, const option_row **out)
{
    const option_row *other = NULL;
    *out = option_by_name(p->command, name, len);
    if (*out == NULL)
        *out = option_by_prefix(p->command, name, len, &other);
    if (*out == NULL)
        return fail_name(p, name, len);
    if (other != NULL)
        return fail(p->err, TAMIS_E_ARGUMENT, "%s may be --%s or --%s; write more of it", p->shown,
                    (*out)->name, other->name);
    return TAMIS_OK;
}

/* The word behind an option that needs one. */
static tamis_status take_next(parse *p, const option_row *row)
{
    if (p->next >= p->argc)
        return fail(p->err, TAMIS_E_ARGUMENT, "%s needs a value: %s %s", p->shown, p->shown, row->value);
    return take(p, row, p->argv[p->next++]);
}

/* "--name", "--name=value" or "--name value". */
static tamis_status parse_long(parse *p, const char *word)
{
    size_t len = strcspn(word + 2, "=");
    const option_row *row = NULL;
    show_name(p, word, len + 2);
    tamis_status status = find_long(p, word + 2, len, &row);
    if (status != TAMIS_OK)
        return status;
    bool has_value = word[2 + len] == '=';
    if (has_value && row->type == VALUE_NONE)
        return fail(p->err, TAMIS_E_ARGUMENT, "%s takes no value", p->shown);
    if (has_value)
        return take(p, row, word + 2 + len + 1);
    if (row->type == VALUE_NONE || row->type == VALUE_OPTIONAL)
        return take(p, row, NULL);
    return take_next(p, row);
}

/* "-v", "-vc", "-n10" or "-n 10". */
static tamis_status parse_letters(parse *p, const char *word)
{
    for (const char *at = word + 1; *at != '\0'; at++) {
        const option_row *row = option_by_letter(p->command, *at);
        show_letter(p, *at);
        if (row == NULL)
            return fail_letter(p, *at);
        if (row->type != VALUE_NONE)
            return at[1] != '\0' ? take(p, row, at + 1) : take_next(p, row);
        tamis_status status = take(p, row, NULL);
        if (status != TAMIS_OK)
            return status;
    }
    return TAMIS_OK;
}

/* How an option is named in a message: as the user would most likely write it. */
static const char *option_spelling(command_id command, option_id id, char *buffer, size_t size)
{
    for (size_t i = 0; i < option_table_len; i++) {
        const option_row *row = &option_table[i];
        if (row->id != id || !option_belongs(row, command))
            continue;
        buffer[0] = '-';
        if (row->letter != '\0') {
            buffer[1] = row->letter;
            buffer[2] = '\0';
            return buffer;
        }
        buffer[1] = '-';
        size_t len = strlen(row->name);
        len = len < size - 3 ? len : size - 3;
        memcpy(buffer + 2, row->name, len);
        buffer[2 + len] = '\0';
        return buffer;
    }
    return "?";
}

static tamis_status check_conflicts(const parse *p)
{
    char a[40], b[40];
    for (size_t i = 0; i < option_conflicts_len; i++) {
        const option_conflict *row = &option_conflicts[i];
        if ((row->commands >> p->command & 1u) != 0 && p->out->given[row->a] && p->out->given[row->b])
            return fail(p->err, TAMIS_E_ARGUMENT, "%s does not go with %s: %s",
                        option_spelling(p->command, row->a, a, sizeof a),
                        option_spelling(p->command, row->b, b, sizeof b), row->why);
    }
    for (size_t i = 0; i < option_needs_len; i++) {
        const option_need *row = &option_needs[i];
        if ((row->commands >> p->command & 1u) != 0 && p->out->given[row->option] &&
            !p->out->given[row->needs])
            return fail(p->err, TAMIS_E_ARGUMENT, "%s needs %s: %s",
                        option_spelling(p->command, row->option, a, sizeof a),
                        option_spelling(p->command, row->needs, b, sizeof b), row->why);
    }
    return TAMIS_OK;
}

static tamis_status check_fields(const parse *p)
{
    const bool *given = p->out->given;
    if (given[OPT_KEY] && !given[OPT_SEPARATOR] && !given[OPT_CSV] && !given[OPT_TSV])
        return fail(p->err, TAMIS_E_ARGUMENT,
                    "-k needs to know how fields are separated: give -t SEP, --csv or --tsv");
    if (given[OPT_SEPARATOR] && !given[OPT_KEY] && !given[OPT_CSV])
        return fail(p->err, TAMIS_E_ARGUMENT, "-t needs -k: say which fields are the key, as in -t , -k 2");
    return TAMIS_OK;
}

static tamis_status check_operands(const parse *p)
{
    const options *opts = p->out;
    const command_row *row = &command_table[p->command];
    if (opts->operand_count < row->min_operands)
        return fail(p->err, TAMIS_E_ARGUMENT, "%s: tamis %s %s", row->missing, row->name, row->operands);
    if (opts->operand_count > row->max_operands)
        return fail(p->err, TAMIS_E_ARGUMENT, "too many operands, %s is left over: tamis %s%s%s",
                    opts->operands[row->max_operands], row->name, row->operands[0] != '\0' ? " " : "",
                    row->operands);
    return TAMIS_OK;
}

static tamis_status parse_word(parse *p, bool *only_operands)
{
    const char *word = p->argv[p->next++];
    if (*only_operands || word[0] != '-' || word[1] == '\0') {
        p->out->operands[p->out->operand_count++] = word;
        return TAMIS_OK;
    }
    if (word[1] != '-')
        return parse_letters(p, word);
    if (word[2] != '\0')
        return parse_long(p, word);
    *only_operands = true;
    return TAMIS_OK;
}

static tamis_status parse_all(parse *p)
{
    bool only_operands = false;
    while (p->next < p->argc) {
        tamis_status status = parse_word(p, &only_operands);
        if (status != TAMIS_OK || p->out->flag[OPT_HELP])
            return status;
    }
    tamis_status status = check_conflicts(p);
    if (status == TAMIS_OK)
        status = check_fields(p);
    return status != TAMIS_OK ? status : check_operands(p);
}

tamis_status options_parse(command_id command, int argc, char *const *argv, options *out, tamis_error *err)
{
    *out = (options){.command = command, .checkpoint = 60, .parallel = 1};
    out->operands = malloc(((size_t)argc + 1) * sizeof *out->operands);
    if (out->operands == NULL)
        return fail(err, TAMIS_E_NOMEM, "out of memory");
    parse p = {.command = command, .out = out, .err = err, .argv = argv, .argc = argc};
    tamis_status status = parse_all(&p);
    if (status != TAMIS_OK)
        options_free(out);
    return status;
}

void options_free(options *opts)
{
    free(opts->operands);
    free(opts->labels);
    *opts = (options){.command = opts->command};
}
