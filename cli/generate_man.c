#include "help.h"

#include <tamis/tamis.h>

/* Text for groff: minus signs and backslashes stand for themselves, and no line
 * begins with a control character. */
static void put_text(FILE *to, const char *text)
{
    if (*text == '.' || *text == '\'')
        fputs("\\&", to);
    for (; *text != '\0'; text++) {
        if (*text == '-')
            fputs("\\-", to);
        else if (*text == '\\')
            fputs("\\e", to);
        else
            fputc(*text, to);
    }
}

static void put_paragraph(FILE *to, const char *text)
{
    fputs(".PP\n", to);
    put_text(to, text);
    fputc('\n', to);
}

static void put_option(FILE *to, const option_row *row)
{
    fputs(".TP\n", to);
    if (row->letter != '\0')
        fprintf(to, "\\fB\\-%c\\fR, ", row->letter);
    fputs("\\fB\\-\\-", to);
    put_text(to, row->name);
    fputs("\\fR", to);
    if (row->type == VALUE_OPTIONAL)
        fprintf(to, "[=\\fI%s\\fR]", row->value);
    else if (row->value != NULL)
        fprintf(to, " \\fI%s\\fR", row->value);
    fputc('\n', to);
    char first = row->brief[0];
    if (row->text != NULL) {
        put_text(to, row->text);
    } else {
        fputc(first >= 'a' && first <= 'z' ? first - 'a' + 'A' : first, to);
        put_text(to, row->brief + 1);
        fputc('.', to);
    }
    fputc('\n', to);
}

static void put_command(FILE *to, command_id command)
{
    const command_row *row = &command_table[command];
    fprintf(to, ".SS tamis %s\n", row->name);
    fprintf(to, ".B tamis %s\n[\\fIOPTION\\fR]...\n", row->name);
    if (row->operands[0] != '\0') {
        fputs(".I ", to);
        put_text(to, row->operands);
        fputc('\n', to);
    }
    put_paragraph(to, row->text);
    if (row->alias != NULL)
        fprintf(to, ".PP\n.B tamis %s\nis the same command.\n", row->alias);
    for (size_t i = 0; i < option_table_len; i++)
        if (option_table[i].group == GROUP_OWN && option_belongs(&option_table[i], command))
            put_option(to, &option_table[i]);
    fputs(".PP\nExit status: ", to);
    put_text(to, row->status);
    fputc('\n', to);
}

static void put_group(FILE *to, option_group group, const char *title, const char *intro)
{
    fprintf(to, ".SH %s\n", title);
    put_text(to, intro);
    fputc('\n', to);
    for (size_t i = 0; i < option_table_len; i++)
        if (option_table[i].group == group && option_table[i].id != OPT_HELP &&
            option_belongs(&option_table[i], CMD_DEDUP))
            put_option(to, &option_table[i]);
}

static void put_notes(FILE *to)
{
    fputs(".SH KEYS\n", to);
    put_text(to,
             "The key of a record is what is compared; what is printed is always the whole record, byte for "
             "byte. One field: its bytes. Several fields: each preceded by its length as 8 bytes, "
             "little-endian, so that (ab, cd) is not (a, bcd). Order: --trim, then -i, then --hex or --url.");
    fputc('\n', to);
    put_paragraph(
        to, "-i, --trim, --hex and --url are stored in the filter file, each with the version of its rule "
            "(1 now); check, add and remove apply what is stored by themselves, and refuse an option "
            "that differs. The options of records describe the input at hand and are not stored.");
    fputs(".SH LINES\n", to);
    put_text(to, "Lines are bytes, of any length; no locale is looked at. Empty lines count, a last line "
                 "without newline counts, and a newline is written behind it. A CR is a byte like any other "
                 "unless --crlf is given; when more than half of the lines end in CR, one warning says so. "
                 "The operand - is standard input.");
    fputs("\n.SH EXIT STATUS\n", to);
    put_text(to,
             "check, common and minus: 0 when a line was selected, 1 when none was, 2 on an error. The "
             "others: 0 on success and 2 on an error; dedup, build, add and merge also 3, when they finished "
             "but the promised error rate did not hold. After SIGINT and SIGTERM the lines read so far are "
             "finished, written and saved, and the command ends by the signal; when the reader of its output "
             "goes away, it ends at its next line.");
    fputs("\n.SH SECURITY\n", to);
    put_text(to, "With the default seed anyone can compute lines that a filter takes for seen. --secret-seed "
                 "stops attacks computed beforehand, not an attacker who watches the answers.");
    fputc('\n', to);
}

static void put_example(FILE *to, const char *text, const char *line)
{
    put_paragraph(to, text);
    fputs(".RS 4\n.nf\n", to);
    put_text(to, line);
    fputs("\n.fi\n.RE\n", to);
}

static void put_examples(FILE *to)
{
    fputs(".SH EXAMPLES\n", to);
    put_example(to, "Every line once, while the log grows:", "tail -f log | tamis dedup");
    put_example(
        to, "What was not there on the days before:", "tamis dedup --state seen.tamis today.txt > new.txt");
    put_example(to, "Password hashes, in any case, of a list with counts:",
                "tamis build -o pwned.tamis -t : -k 1 --hex pwned.txt && tamis check pwned.tamis mine.txt");
    put_example(to, "Lines of a file that another one has, exactly:", "tamis common a.txt b.txt");
    put_example(to, "Records of which the second and third field are new:",
                "tamis dedup --csv --header -k 2,3 table.csv");
    put_example(to, "What ten million lines at one in a million take:", "tamis plan -n 10000000 -p 1e-6");
}

void generate_man(FILE *to)
{
    fprintf(to,
            ".\\\" Made by \"tamis --generate man\" from the table of options; do not edit.\n"
            ".TH TAMIS 1 \"\" \"tamis %s\" \"User Commands\"\n"
            ".SH NAME\ntamis \\- tell in about ten bits a line whether it was seen before\n"
            ".SH SYNOPSIS\n",
            tamis_version());
    for (int i = 0; i < CMD_COUNT; i++) {
        fprintf(to, ".B tamis %s\n[\\fIOPTION\\fR]...%s", command_table[i].name,
                command_table[i].operands[0] != '\0' ? " " : "");
        put_text(to, command_table[i].operands);
        fputs("\n.br\n", to);
    }
    fputs(".SH DESCRIPTION\n", to);
    put_text(to,
             "Tamis works on lines with Bloom filters: small sets that never forget what was added and take "
             "something else for seen at a rate that is chosen beforehand. Options may stand before, between "
             "and behind operands; -- ends them. Long options may be cut short as long as they mean one.");
    fputs("\n.SH COMMANDS\n", to);
    for (int i = 0; i < CMD_COUNT; i++)
        put_command(to, (command_id)i);
    put_group(to, GROUP_RECORDS, "OPTIONS OF RECORDS",
              "How the input of dedup, build, add, check, common, minus and remove becomes records and "
              "keys. common and minus have no --files0-from.");
    put_group(to, GROUP_KEYS, "OPTIONS OF KEYS",
              "How the key of a record is normalised, for the same commands.");
    put_group(to, GROUP_REPORT, "OTHER OPTIONS", "For the same commands; with check, -q is that of grep.");
    put_notes(to);
    put_examples(to);
    fputs(".SH SEE ALSO\n.BR sort (1),\n.BR uniq (1),\n.BR comm (1),\n.BR grep (1)\n", to);
}
