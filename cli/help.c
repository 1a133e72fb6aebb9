#include "help.h"

#include <string.h>

#include <tamis/tamis.h>

enum { SCREEN = 79, TEXT_COLUMN = 26 };

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

static void print_option(FILE *to, const option_row *row)
{
    char left[80];
    spell(row, left, sizeof left);
    size_t len = strlen(left);
    if (len + 2 + strlen(row->brief) <= SCREEN - 2 && len < TEXT_COLUMN - 2)
        fprintf(to, "  %-*s%s\n", TEXT_COLUMN - 2, left, row->brief);
    else
        fprintf(to, "  %s  %s\n", left, row->brief);
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
    fprintf(to, "Usage: tamis %s [OPTION]... %s\n", row->name, row->operands);
    fprintf(to, "%c%s", row->brief[0] - 'a' + 'A', row->brief + 1);
    if (row->alias != NULL)
        fprintf(to, " (also: tamis %s)", row->alias);
    fputs(".\n\n", to);
    for (size_t i = 0; i < option_table_len; i++)
        if (option_table[i].group == GROUP_OWN && option_belongs(&option_table[i], command))
            print_option(to, &option_table[i]);
    print_group(to, command, GROUP_RECORDS, "Records:");
    print_group(to, command, GROUP_KEYS, "Keys:");
    print_group(to, command, GROUP_REPORT, "Others:");
    if (option_belongs(option_by_name(CMD_DEDUP, "csv", 3), command))
        fputs("Options of records and keys are told by: tamis help records\n", to);
    fprintf(to, "Exit status: %s\n", row->status);
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
