#include "suggest.h"

#include <stddef.h>
#include <string.h>

enum { WORD_MAX = 24, NEAR = 2 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Letters to insert, drop, replace or exchange with their neighbour (Damerau and
 * Levenshtein), for words up to WORD_MAX; else WORD_MAX. */
static size_t distance(const char *a, size_t a_len, const char *b, size_t b_len)
{
    size_t rows[WORD_MAX + 1][WORD_MAX + 1];
    if (a_len > WORD_MAX || b_len > WORD_MAX)
        return WORD_MAX;
    for (size_t i = 0; i <= a_len; i++)
        rows[i][0] = i;
    for (size_t j = 0; j <= b_len; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= a_len; i++)
        for (size_t j = 1; j <= b_len; j++) {
            size_t best = rows[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            best = least(best, least(rows[i - 1][j], rows[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                best = least(best, rows[i - 2][j - 2] + 1);
            rows[i][j] = best;
        }
    return rows[a_len][b_len];
}

/* Keeps a name that is nearer than *best, and nearer than half of it is away. */
static void consider(const char *name, const char *word, size_t len, const char **found, size_t *best)
{
    size_t away = distance(word, len, name, strlen(name));
    if (away < *best && 2 * away < strlen(name)) {
        *found = name;
        *best = away;
    }
}

const char *suggest_command(const char *word)
{
    const char *found = NULL;
    size_t best = NEAR + 1;
    for (int i = 0; i < CMD_COUNT; i++) {
        consider(command_table[i].name, word, strlen(word), &found, &best);
        if (command_table[i].alias != NULL)
            consider(command_table[i].alias, word, strlen(word), &found, &best);
    }
    consider("help", word, strlen(word), &found, &best);
    return found;
}

const char *suggest_option(command_id command, const char *word, size_t len)
{
    const char *found = NULL;
    size_t best = NEAR + 1;
    for (size_t i = 0; i < option_table_len; i++)
        if (option_belongs(&option_table[i], command))
            consider(option_table[i].name, word, len, &found, &best);
    return found;
}

const char *suggest_for_letter(command_id command, char letter)
{
    if (command == CMD_CHECK && letter == 'n')
        return "line numbers are --line-number";
    if (command == CMD_DEDUP && letter != '\0' && strchr("cdu", letter) != NULL)
        return "counts, repeated or unique lines alone are not offered, since lines are printed while reading; "
               "see sort and uniq";
    return NULL;
}
