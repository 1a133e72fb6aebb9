#include "help.h"

#include <string.h>

#include <tamis/tamis.h>

enum { SCREEN = 79, TEXT_COLUMN = 28 };

/* "-n, --capacity N" as help and man page show it. */
static void spell(const option_row *row, char *out, size_t size)
{
    char letter[8] = "    ";
    if (row->letter != '\0')
        (void)snprintf(letter, sizeof letter, "-%c, ", row->letter);
    const char *value = row->value != NULL ? row->value : "";
    const char *join = row->type == VALUE_OPTIONAL ? "[=" : row->value != NULL ? " " : "";
    (void)snprintf(out, size, "%s--%s%s%s%s", letter, row->name, join, value,
                   row->type == VALUE_OPTIONAL ? "]" : "");
}

/* Prints words within the screen; the cursor stands at `column`, and further lines
 * begin at `indent`. Ends the line. */
static void print_wrapped(FILE *to, const char *text, size_t column, size_t indent)
{
    while (*text != '\0') {
        size_t len = strcspn(text, " ");
        bool first = column == indent;
        if (!first && column + 1 + len > SCREEN) {
            fprintf(to, "\n%*s", (int)indent, "");
            column = indent;
            first = true;
        }
        fprintf(to, "%s%.*s", first ? "" : " ", (int)len, text);
        column += len + !first;
        text += len + (text[len] == ' ');
    }
    fputc('\n', to);
}

static void print_option(FILE *to, const option_row *row)
{
    char left[80];
    spell(row, left, sizeof left);
    if (strlen(left) > TEXT_COLUMN - 4)
        fprintf(to, "  %s\n%*s", left, TEXT_COLUMN, "");
    else
        fprintf(to, "  %-*s", TEXT_COLUMN - 2, left);
    print_wrapped(to, row->brief, TEXT_COLUMN, TEXT_COLUMN);
}

/* " -n N" with wrapping at the screen's edge. */
static void print_short(FILE *to, const option_row *row, size_t *column)
{
    char word[80];
    const char *value = row->value != NULL ? row->value : "";
    const char *join = row->type == VALUE_OPTIONAL ? "[=" : row->value != NULL ? " " : "";
    const char *end = row->type == VALUE_OPTIONAL ? "]" : "";
    if (row->letter != '\0')
        (void)snprintf(word, sizeof word, "-%c%s%s%s", row->letter, join, value, end);
    else
        (void)snprintf(word, sizeof word, "--%s%s%s%s", row->name, join, value, end);
    if (*column + 2 + strlen(word) > SCREEN) {
        fprintf(to, "\n          ");
        *column = 10;
    }
    fprintf(to, "  %s", word);
    *column += 2 + strlen(word);
}

static void print_group(FILE *to, command_id command, option_group group, const char *title)
{
    size_t column = 10;
    bool any = false;
    for (size_t i = 0; i < option_table_len; i++) {
        const option_row *row = &option_table[i];
        if (row->group != group || !option_belongs(row, command))
            continue;
        if (!any)
            fprintf(to, "%-10s", title);
        any = true;
        print_short(to, row, &column);
    }
    if (any)
        fputc('\n', to);
}

void help_command(FILE *to, command_id command)
{
    const command_row *row = &command_table[command];
    fprintf(to, "Usage: tamis %s [OPTION]...%s%s", row->name, row->operands[0] != '\0' ? " " : "",
            row->operands);
    if (row->alias != NULL)
        fprintf(to, "    (also: tamis %s)", row->alias);
    fprintf(to, "\n%c%s.\n\n", row->brief[0] - 'a' + 'A', row->brief + 1);
    for (size_t i = 0; i < option_table_len; i++)
        if (option_table[i].group == GROUP_OWN && option_belongs(&option_table[i], command))
            print_option(to, &option_table[i]);
    print_group(to, command, GROUP_RECORDS, "Records:");
    print_group(to, command, GROUP_KEYS, "Keys:");
    print_group(to, command, GROUP_REPORT, "Others:");
    if (option_belongs(option_by_name(CMD_DEDUP, "csv", 3), command))
        fputs("Options of records and keys are told by: tamis help records\n", to);
    fputs("Exit status:", to);
    print_wrapped(to, row->status, 12, 4);
}

void help_records(FILE *to)
{
    static const option_group groups[] = {GROUP_RECORDS, GROUP_KEYS, GROUP_REPORT};
    static const char *const titles[] = {
        "Records:", "Keys (only the key; what is printed is the input):", "Others:"};
    fputs("Options that dedup, build, add, check, common, minus and remove share.\n", to);
    for (size_t g = 0; g < sizeof groups / sizeof groups[0]; g++) {
        fprintf(to, "%s\n", titles[g]);
        for (size_t i = 0; i < option_table_len; i++)
            if (option_table[i].group == groups[g] && option_belongs(&option_table[i], CMD_DEDUP))
                print_option(to, &option_table[i]);
    }
}

void help_program(FILE *to)
{
    fputs("Usage: tamis COMMAND [OPTION]... [OPERAND]...\n"
          "Tells in about ten bits a line whether it was seen before.\n\n",
          to);
    for (int i = 0; i < CMD_COUNT; i++)
        fprintf(to, "  %-9s%s\n", command_table[i].name, command_table[i].brief);
    fputs("\n  tamis COMMAND --help    the options of a command\n"
          "  tamis help records      the options of records and keys\n"
          "  tamis --version         the version\n\n"
          "Lines are bytes; - is standard input; everything but data goes to stderr.\n",
          to);
}
