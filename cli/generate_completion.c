#include "help.h"

#include <string.h>

static void put_choices(FILE *to, const char *choices)
{
    for (; *choices != '\0'; choices++)
        fputc(*choices == ',' ? ' ' : *choices, to);
}

/* The words of one subcommand's options: "-n --capacity ...". */
static void put_words(FILE *to, command_id command)
{
    const char *gap = "";
    for (size_t i = 0; i < option_table_len; i++) {
        const option_row *row = &option_table[i];
        if (!option_belongs(row, command))
            continue;
        if (row->letter != '\0') {
            fprintf(to, "%s-%c", gap, row->letter);
            gap = " ";
        }
        fprintf(to, "%s--%s", gap, row->name);
        gap = " ";
        if (row->type == VALUE_OPTIONAL)
            fprintf(to, " --%s=%s", row->name, row->choices);
    }
}

/* "-S|--memory" as a shell pattern. */
static void put_pattern(FILE *to, const option_row *row)
{
    if (row->letter != '\0')
        fprintf(to, "-%c|", row->letter);
    fprintf(to, "--%s)", row->name);
}

/* True when an earlier row has the same name and completes alike. */
static bool seen_before(size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (option_table[i].id == option_table[index].id)
            return true;
    return false;
}

static void put_bash_values(FILE *to)
{
    fputs("    case $previous in\n", to);
    for (size_t i = 0; i < option_table_len; i++) {
        const option_row *row = &option_table[i];
        if (row->type == VALUE_NONE || row->id == OPT_JSON || seen_before(i))
            continue;
        fputs("    ", to);
        put_pattern(to, row);
        if (row->type == VALUE_OPTIONAL)
            fputs(" [ -z \"$joined\" ] ||", to);
        if (row->choices != NULL) {
            fputs(row->type == VALUE_OPTIONAL ? " { COMPREPLY" : " COMPREPLY", to);
            fputs("=($(compgen -W '", to);
            put_choices(to, row->choices);
            fputs("' -- \"$word\")); return", to);
            fputs(row->type == VALUE_OPTIONAL ? "; } ;;\n" : " ;;\n", to);
        } else if (row->id == OPT_TEMP_DIR) {
            fputs(" COMPREPLY=($(compgen -d -- \"$word\")); return ;;\n", to);
        } else if (row->is_file) {
            fputs(" COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n", to);
        } else {
            fputs(" return ;;\n", to);
        }
    }
    fputs("    esac\n", to);
}

void generate_bash(FILE *to)
{
    fputs("# Made by \"tamis --generate bash\" from the table of options; do not edit.\n"
          "_tamis()\n{\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} options= joined=\n"
          "    local commands='",
          to);
    for (int i = 0; i < CMD_COUNT; i++)
        fprintf(to, "%s%s", i > 0 ? " " : "", command_table[i].name);
    fputs(
        "'\n"
        "    COMPREPLY=()\n"
        "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
        "        COMPREPLY=($(compgen -W \"$commands help --help --version\" -- \"$word\"))\n"
        "        return\n"
        "    fi\n"
        "    if [ \"${COMP_WORDS[1]}\" = help ]; then\n"
        "        [ \"$COMP_CWORD\" -ne 2 ] || COMPREPLY=($(compgen -W \"$commands records\" -- \"$word\"))\n"
        "        return\n"
        "    fi\n"
        "    # --option=word comes as three words.\n"
        "    if [ \"$word\" = = ]; then\n"
        "        joined=1 word=\n"
        "    elif [ \"$previous\" = = ]; then\n"
        "        joined=1 previous=${COMP_WORDS[COMP_CWORD-2]}\n"
        "    fi\n",
        to);
    put_bash_values(to);
    fputs("    case ${COMP_WORDS[1]} in\n", to);
    for (int i = 0; i < CMD_COUNT; i++) {
        fprintf(to, "    %s", command_table[i].name);
        if (command_table[i].alias != NULL)
            fprintf(to, "|%s", command_table[i].alias);
        fputs(") options='", to);
        put_words(to, (command_id)i);
        fputs("' ;;\n", to);
    }
    fputs("    esac\n"
          "    case $word in\n"
          "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
          "    *) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n"
          "    esac\n}\n"
          "complete -o filenames -F _tamis tamis\n",
          to);
}

/* Text inside a zsh _arguments description within single quotes. */
static void put_zsh_text(FILE *to, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            fputs("'\\''", to);
        else if (strchr("[]:\\", *text) != NULL)
            fprintf(to, "\\%c", *text);
        else
            fputc(*text, to);
    }
}

static void put_zsh_action(FILE *to, const option_row *row)
{
    if (row->type == VALUE_NONE)
        return;
    fputs(row->type == VALUE_OPTIONAL ? "::" : ":", to);
    put_zsh_text(to, row->value);
    fputc(':', to);
    if (row->choices != NULL) {
        fputc('(', to);
        put_choices(to, row->choices);
        fputc(')', to);
    } else if (row->id == OPT_TEMP_DIR) {
        fputs("_files -/", to);
    } else if (row->is_file) {
        fputs("_files", to);
    }
}

static void put_zsh_option(FILE *to, const option_row *row)
{
    const char *star = row->type == VALUE_LABEL ? "*" : "";
    if (row->letter != '\0') {
        fprintf(to, "            '%s-%c[", star, row->letter);
        put_zsh_text(to, row->brief);
        fputc(']', to);
        put_zsh_action(to, row);
        fputs("' \\\n", to);
    }
    fprintf(to, "            '%s--%s%s[", star, row->name, row->type == VALUE_OPTIONAL ? "=-" : "");
    put_zsh_text(to, row->brief);
    fputc(']', to);
    put_zsh_action(to, row);
    fputs("' \\\n", to);
}

void generate_zsh(FILE *to)
{
    fputs("#compdef tamis\n"
          "# Made by \"tamis --generate zsh\" from the table of options; do not edit.\n"
          "_tamis()\n{\n"
          "    local -a commands\n"
          "    commands=(\n",
          to);
    for (int i = 0; i < CMD_COUNT; i++) {
        fprintf(to, "        '%s:", command_table[i].name);
        put_zsh_text(to, command_table[i].brief);
        fputs("'\n", to);
    }
    fputs("    )\n"
          "    if (( CURRENT == 2 )); then\n"
          "        _describe 'command' commands\n"
          "        return\n"
          "    fi\n"
          "    local command=$words[2]\n"
          "    shift words\n"
          "    (( CURRENT-- ))\n"
          "    case $command in\n",
          to);
    for (int i = 0; i < CMD_COUNT; i++) {
        fprintf(to, "    %s", command_table[i].name);
        if (command_table[i].alias != NULL)
            fprintf(to, "|%s", command_table[i].alias);
        fputs(")\n        _arguments -s \\\n", to);
        for (size_t row = 0; row < option_table_len; row++)
            if (option_belongs(&option_table[row], (command_id)i))
                put_zsh_option(to, &option_table[row]);
        fputs("            '*:file:_files' ;;\n", to);
    }
    fputs("    esac\n}\n_tamis \"$@\"\n", to);
}
