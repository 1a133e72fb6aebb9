/* The table of options and its parser. */
#include "cli_test.h"

#include <ctype.h>

#include "options.h"

static tamis_error err;
static options opts;

enum { WORDS_MAX = 16 };

/* Parses words that end with NULL. */
static tamis_status parse(command_id command, const char *const *words)
{
    char *argv[WORDS_MAX];
    static char copies[WORDS_MAX][64];
    int argc = 0;
    for (; words[argc] != NULL; argc++) {
        assert_true(argc < WORDS_MAX && strlen(words[argc]) < sizeof copies[0]);
        strcpy(copies[argc], words[argc]);
        argv[argc] = copies[argc];
    }
    return options_parse(command, argc, argv, &opts, &err);
}

#define PARSE(command, ...) parse(command, (const char *const[]){__VA_ARGS__, NULL})

static void letters_and_names(void **state)
{
    (void)state;
    assert_int_equal(PARSE(CMD_BUILD, "-n", "10", "a", "-p0.5", "--output=x", "b"), TAMIS_OK);
    assert_int_equal(opts.capacity, 10);
    assert_true(opts.error_rate >= 0.5 && opts.error_rate <= 0.5);
    assert_string_equal(opts.output, "x");
    assert_int_equal(opts.operand_count, 2);
    assert_string_equal(opts.operands[0], "a");
    assert_string_equal(opts.operands[1], "b");
    options_free(&opts);
    assert_int_equal(PARSE(CMD_BUILD, "--capacity", "10", "-ox"), TAMIS_OK);
    assert_int_equal(opts.capacity, 10);
    assert_string_equal(opts.output, "x");
    options_free(&opts);
}

static void clusters(void **state)
{
    (void)state;
    assert_int_equal(PARSE(CMD_CHECK, "-vcm3", "list"), TAMIS_OK);
    assert_true(opts.flag[OPT_INVERT] && opts.flag[OPT_COUNT_ONLY]);
    assert_int_equal(opts.max_count, 3);
    options_free(&opts);
    assert_int_equal(PARSE(CMD_CHECK, "-vQ", "list"), TAMIS_E_ARGUMENT);
    assert_non_null(strstr(err.message, "unknown option -Q"));
}

static void dashes(void **state)
{
    (void)state;
    assert_int_equal(PARSE(CMD_DEDUP, "-", "--", "-n", "--", "-"), TAMIS_OK);
    assert_int_equal(opts.operand_count, 4);
    assert_string_equal(opts.operands[1], "-n");
    assert_string_equal(opts.operands[2], "--");
    options_free(&opts);
}

static void optional_value(void **state)
{
    (void)state;
    assert_int_equal(PARSE(CMD_DEDUP, "--stats", "json"), TAMIS_OK);
    assert_int_equal(opts.stats, STATS_TEXT);
    assert_int_equal(opts.operand_count, 1);
    options_free(&opts);
    assert_int_equal(PARSE(CMD_DEDUP, "--stats=json"), TAMIS_OK);
    assert_int_equal(opts.stats, STATS_JSON);
    options_free(&opts);
}

static void defaults(void **state)
{
    (void)state;
    assert_int_equal(PARSE(CMD_DEDUP, "x"), TAMIS_OK);
    assert_int_equal(opts.checkpoint, 60);
    assert_int_equal(opts.on_full, ON_FULL_GROW);
    assert_int_equal(opts.bad_records, BAD_STOP);
    options_free(&opts);
}

static void bytes(void **state)
{
    (void)state;
    assert_int_equal(PARSE(CMD_DEDUP, "-t", "\\t", "-k", "1"), TAMIS_OK);
    assert_int_equal(opts.separator, '\t');
    options_free(&opts);
    assert_int_equal(PARSE(CMD_DEDUP, "-t", "\xff", "-k", "1"), TAMIS_OK);
    assert_int_equal(opts.separator, 0xff);
    options_free(&opts);
    assert_int_equal(PARSE(CMD_DEDUP, "-t", "", "-k", "1"), TAMIS_E_ARGUMENT);
    assert_int_equal(PARSE(CMD_DEDUP, "-t", "ab", "-k", "1"), TAMIS_E_ARGUMENT);
}

static void labels(void **state)
{
    (void)state;
    assert_int_equal(PARSE(CMD_CHECK, "-l", "a=x=y", "--list=b=z"), TAMIS_OK);
    assert_int_equal(opts.label_count, 2);
    assert_int_equal(opts.labels[0].name_len, 1);
    assert_string_equal(opts.labels[0].path, "x=y");
    assert_string_equal(opts.labels[1].path, "z");
    options_free(&opts);
}

static void twice(void **state)
{
    (void)state;
    assert_int_equal(PARSE(CMD_DEDUP, "-n", "1", "--capacity", "2"), TAMIS_E_ARGUMENT);
    assert_int_equal(PARSE(CMD_DEDUP, "-n", "1", "--capacity", "1", "-z", "-z"), TAMIS_OK);
    options_free(&opts);
}

static void help_asks_for_nothing_else(void **state)
{
    (void)state;
    assert_int_equal(PARSE(CMD_COMMON, "--help"), TAMIS_OK);
    assert_true(opts.flag[OPT_HELP]);
    options_free(&opts);
}

static void names(void **state)
{
    (void)state;
    assert_int_equal(command_find("dedup"), CMD_DEDUP);
    assert_int_equal(command_find("uniq"), CMD_DEDUP);
    assert_int_equal(command_find("explain"), CMD_EXPLAIN);
    assert_int_equal(command_find("dedu"), CMD_COUNT);
    assert_int_equal(command_find(""), CMD_COUNT);
}

/* Every conflict that the table names is refused, and the message says why. */
static void every_conflict(void **state)
{
    (void)state;
    static const char *const values[OPT_COUNT] = {
        [OPT_RATE] = "0.5", [OPT_CAPACITY] = "5",  [OPT_ON_FULL] = "warn",
        [OPT_STATE] = "s",  [OPT_OUTPUT] = "o",    [OPT_SEED] = "1",
        [OPT_JSON] = "/a",  [OPT_SEPARATOR] = ",", [OPT_KEY] = "1",
    };
    for (size_t i = 0; i < option_conflicts_len; i++) {
        const option_conflict *row = &option_conflicts[i];
        for (int command = 0; command < CMD_COUNT; command++) {
            const char *words[WORDS_MAX] = {NULL};
            char spelt[2][40];
            const option_id ids[] = {row->a, row->b};
            int n = 0;
            if ((row->commands >> command & 1u) == 0)
                continue;
            for (size_t o = 0; o < 2; o++) {
                for (size_t t = 0; t < option_table_len; t++)
                    if (option_table[t].id == ids[o] &&
                        option_belongs(&option_table[t], (command_id)command)) {
                        strcpy(spelt[o], "--");
                        strcat(spelt[o], option_table[t].name);
                    }
                words[n++] = spelt[o];
                if (values[ids[o]] != NULL)
                    words[n++] = values[ids[o]];
            }
            assert_int_equal(parse((command_id)command, words), TAMIS_E_ARGUMENT);
            if (strstr(err.message, row->why) == NULL)
                fail_msg("%s %s: %s", spelt[0], spelt[1], err.message);
        }
    }
}

/* The table itself: names and letters are unique for each command, every option
 * has a help text that fits, and none is out of reach. */
static void table(void **state)
{
    (void)state;
    bool used[OPT_COUNT] = {false};
    for (size_t i = 0; i < option_table_len; i++) {
        const option_row *row = &option_table[i];
        used[row->id] = true;
        assert_int_not_equal(row->commands, 0);
        assert_true(islower((unsigned char)row->name[0]));
        assert_true(strlen(row->brief) > 0 && strlen(row->brief) <= 51);
        assert_true((row->type == VALUE_NONE) == (row->value == NULL));
        assert_true((row->type == VALUE_CHOICE || row->type == VALUE_OPTIONAL) == (row->choices != NULL));
        for (int command = 0; command < CMD_COUNT; command++) {
            if (!option_belongs(row, (command_id)command))
                continue;
            assert_ptr_equal(option_by_name((command_id)command, row->name, strlen(row->name)), row);
            if (row->letter != '\0')
                assert_ptr_equal(option_by_letter((command_id)command, row->letter), row);
        }
    }
    for (int id = 0; id < OPT_COUNT; id++)
        assert_true(used[id]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(letters_and_names),
        cmocka_unit_test(clusters),
        cmocka_unit_test(dashes),
        cmocka_unit_test(optional_value),
        cmocka_unit_test(defaults),
        cmocka_unit_test(bytes),
        cmocka_unit_test(labels),
        cmocka_unit_test(twice),
        cmocka_unit_test(help_asks_for_nothing_else),
        cmocka_unit_test(names),
        cmocka_unit_test(every_conflict),
        cmocka_unit_test(table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
