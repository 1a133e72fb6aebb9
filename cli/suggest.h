/* What a misspelt option or command may have meant. */
#ifndef TAMIS_CLI_SUGGEST_H
#define TAMIS_CLI_SUGGEST_H

#include "options.h"

/* The nearest name; NULL: none is near. */
const char *suggest_command(const char *word);
const char *suggest_option(command_id command, const char *word, size_t len);

/* What to say of a letter that a command lacks though others know it; NULL: nothing. */
const char *suggest_for_letter(command_id command, char letter);

#endif
