/* The one table of subcommands and options: the parser, --help, the man page and
 * the completions all come from it. */
#ifndef TAMIS_CLI_OPTIONS_H
#define TAMIS_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tamis/status.h>

typedef enum command_id {
    CMD_DEDUP,
    CMD_BUILD,
    CMD_ADD,
    CMD_CHECK,
    CMD_COMMON,
    CMD_MINUS,
    CMD_MERGE,
    CMD_INFO,
    CMD_VERIFY,
    CMD_PLAN,
    CMD_REMOVE,
    CMD_EXPLAIN,
    CMD_BENCH,
    CMD_COUNT
} command_id;

typedef enum option_id {
    OPT_CAPACITY,
    OPT_RATE,
    OPT_MEMORY,
    OPT_ON_FULL,
    OPT_EXACT,
    OPT_STATE,
    OPT_WAIT,
    OPT_CHECKPOINT,
    OPT_KIND,
    OPT_COMPACT,
    OPT_SEED,
    OPT_SECRET_SEED,
    OPT_INVERT,
    OPT_QUIET_MATCH,
    OPT_COUNT_ONLY,
    OPT_MAX_COUNT,
    OPT_LINE_NUMBER,
    OPT_LINE_BUFFERED,
    OPT_LIST,
    OPT_MMAP,
    OPT_INFO_JSON,
    OPT_SHOW_SEED,
    OPT_RESEAL,
    OPT_ITEMS,
    OPT_PART,
    OPT_SVG,
    OPT_RESULTS,
    OPT_QUICK,
    OPT_STRICT,
    OPT_OUTPUT,
    OPT_TEMP_DIR,
    OPT_ZERO,
    OPT_SEPARATOR,
    OPT_KEY,
    OPT_CSV,
    OPT_TSV,
    OPT_HEADER,
    OPT_JSON,
    OPT_CRLF,
    OPT_BAD_RECORDS,
    OPT_FILES0,
    OPT_IGNORE_CASE,
    OPT_TRIM,
    OPT_HEX,
    OPT_URL,
    OPT_PARALLEL,
    OPT_STATS,
    OPT_PROGRESS,
    OPT_QUIET,
    OPT_HELP,
    OPT_COUNT
} option_id;

typedef enum value_type {
    VALUE_NONE,     /* bool */
    VALUE_TEXT,     /* const char *, not empty */
    VALUE_COUNT,    /* uint64_t, row.min to row.max */
    VALUE_RATE,     /* double */
    VALUE_SIZE,     /* uint64_t */
    VALUE_SEED,     /* uint64_t */
    VALUE_CHOICE,   /* int: index into row.choices */
    VALUE_OPTIONAL, /* int: 0 without a value, else 1 + index into row.choices */
    VALUE_BYTE,     /* unsigned char; \t and \0 spelt out are understood */
    VALUE_LABEL     /* NAME=FILE, may be repeated: option_label */
} value_type;

typedef enum option_group { GROUP_OWN, GROUP_RECORDS, GROUP_KEYS, GROUP_REPORT } option_group;

typedef struct option_row {
    option_id id;
    unsigned commands; /* bit 1 << command_id */
    option_group group;
    char letter; /* '\0': none */
    const char *name;
    value_type type;
    const char *value;   /* what help calls the value; NULL: none */
    const char *choices; /* "a,b,c" */
    uint64_t min, max;
    size_t field;      /* offset in struct options */
    bool is_file;      /* completions offer files */
    const char *brief; /* for --help: one line */
    const char *text;  /* for the man page; NULL: brief says it all */
} option_row;

typedef struct command_row {
    const char *name;
    const char *alias;
    const char *operands; /* as in the usage line */
    size_t min_operands, max_operands;
    const char *missing; /* what to say when there are too few */
    const char *brief;
    const char *text;   /* for the man page */
    const char *status; /* exit statuses */
} command_row;

/* Two options that do not go together, and what to do. */
typedef struct option_conflict {
    unsigned commands;
    option_id a, b;
    const char *why;
} option_conflict;

/* An option that makes sense only with another one. */
typedef struct option_need {
    unsigned commands;
    option_id option;
    option_id needs;
    const char *why;
} option_need;

extern const command_row command_table[CMD_COUNT];
extern const option_row option_table[];
extern const size_t option_table_len;
extern const option_conflict option_conflicts[];
extern const size_t option_conflicts_len;
extern const option_need option_needs[];
extern const size_t option_needs_len;

typedef struct option_label {
    const char *name;
    size_t name_len;
    const char *path;
} option_label;

enum { ON_FULL_GROW, ON_FULL_STOP, ON_FULL_WARN };
enum { KIND_BLOOM, KIND_COUNTING, KIND_SCALABLE };
enum { BAD_STOP, BAD_KEEP };
enum { STATS_TEXT, STATS_JSON };

typedef struct options {
    command_id command;
    bool given[OPT_COUNT];
    const char *given_text[OPT_COUNT]; /* the value as written; NULL: none */
    uint64_t capacity, memory, seed, checkpoint, max_count, parallel;
    double error_rate;
    int on_full, kind, bad_records, stats, part;
    const char *state, *output, *temp_dir, *key, *json, *files0, *items, *svg, *results;
    unsigned char separator;
    bool flag[OPT_COUNT]; /* options without a value */
    option_label *labels; /* owned */
    size_t label_count;
    const char **operands; /* owned array of borrowed texts */
    size_t operand_count;
} options;

/* The subcommand of that name or alias; CMD_COUNT: none. */
command_id command_find(const char *name);

/* The row that a subcommand has for a letter or a long name; NULL: none. */
const option_row *option_by_letter(command_id command, char letter);
const option_row *option_by_name(command_id command, const char *name, size_t len);

/* Whether a subcommand knows a row. */
bool option_belongs(const option_row *row, command_id command);

/* Parses the words behind the subcommand: options in any place, "--" ends them.
 * The texts must outlive *out. With --help no other rule is looked at. On failure
 * (E_ARGUMENT, E_RANGE, E_NOMEM) nothing is owned and err says what to do. */
tamis_status options_parse(command_id command, int argc, char *const *argv, options *out, tamis_error *err);

/* Frees what *opts owns. */
void options_free(options *opts);

#endif
