/* Help, man page and completions, made from the table of options. */
#ifndef TAMIS_CLI_HELP_H
#define TAMIS_CLI_HELP_H

#include <stdio.h>

#include "options.h"

/* The program's own help, and that of one subcommand. */
void help_program(FILE *to);
void help_command(FILE *to, command_id command);

/* The options that all commands share which read lines ("tamis help records"). */
void help_records(FILE *to);

/* The man page tamis(1) in groff man, and completions. */
void generate_man(FILE *to);
void generate_bash(FILE *to);
void generate_zsh(FILE *to);

#endif
