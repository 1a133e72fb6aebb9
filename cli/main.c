/* tamis: dispatch to the subcommands. */
#include <stdio.h>
#include <string.h>

#include <tamis/tamis.h>

#include "commands.h"
#include "fail.h"
#include "help.h"
#include "options.h"
#include "report.h"
#include "signals.h"
#include "suggest.h"

static int (*const mains[CMD_COUNT])(const options *) = {
    [CMD_DEDUP] = dedup_main, [CMD_BUILD] = build_main,   [CMD_ADD] = add_main,
    [CMD_CHECK] = check_main, [CMD_COMMON] = select_main, [CMD_MINUS] = select_main,
    [CMD_MERGE] = merge_main, [CMD_INFO] = info_main,     [CMD_VERIFY] = verify_main,
    [CMD_PLAN] = plan_main,   [CMD_REMOVE] = remove_main, [CMD_EXPLAIN] = explain_main,
    [CMD_BENCH] = bench_main,
};

static int finish(void)
{
    tamis_error err = {.status = TAMIS_OK};
    return report_finish_stdout(&err) == TAMIS_OK ? STATUS_FINE : report_failure(&err);
}

static int usage_error(const char *problem, const char *what)
{
    tamis_error err = {.status = TAMIS_OK};
    (void)fail(&err, TAMIS_E_ARGUMENT, "%s%s; tamis --help lists the commands", problem, what);
    return report_failure(&err);
}

static int unknown_command(const char *word)
{
    tamis_error err = {.status = TAMIS_OK};
    const char *near = word[0] != '-' ? suggest_command(word) : NULL;
    if (near == NULL)
        return usage_error(word[0] == '-' ? "unknown option " : "unknown command ", word);
    (void)fail(&err, TAMIS_E_ARGUMENT, "unknown command %s; did you mean %s?", word, near);
    return report_failure(&err);
}

static int run_command(command_id command, int argc, char **argv)
{
    tamis_error err = {.status = TAMIS_OK};
    options opts;
    report_begin(command_table[command].name, false);
    if (options_parse(command, argc, argv, &opts, &err) != TAMIS_OK)
        return report_failure(&err);
    report_begin(command_table[command].name, opts.flag[OPT_QUIET]);
    int status;
    if (opts.flag[OPT_HELP]) {
        help_command(stdout, command);
        status = finish();
    } else {
        status = mains[command](&opts);
    }
    options_free(&opts);
    return status;
}

/* "tamis help", "tamis help COMMAND", "tamis help records". */
static int run_help(int argc, char **argv)
{
    const char *topic = argc > 0 ? argv[0] : NULL;
    if (topic == NULL) {
        help_program(stdout);
    } else if (strcmp(topic, "records") == 0) {
        help_records(stdout);
    } else {
        command_id command = command_find(topic);
        if (command == CMD_COUNT)
            return usage_error("no help on ", topic);
        help_command(stdout, command);
    }
    return finish();
}

/* Hidden: for tools/generate.sh. */
static int run_generate(const char *what)
{
    if (strcmp(what, "man") == 0)
        generate_man(stdout);
    else if (strcmp(what, "bash") == 0)
        generate_bash(stdout);
    else if (strcmp(what, "zsh") == 0)
        generate_zsh(stdout);
    else
        return usage_error("--generate makes man, bash or zsh, not ", what);
    return finish();
}

int main(int argc, char **argv)
{
    signals_prepare();
    report_begin(NULL, false);
    if (argc < 2)
        return usage_error("a command is missing", "");
    const char *word = argv[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0)
        return run_help(argc - 2, argv + 2);
    if (strcmp(word, "--version") == 0) {
        (void)printf("tamis %s\n", tamis_version());
        return finish();
    }
    if (strcmp(word, "--generate") == 0 && argc == 3)
        return run_generate(argv[2]);
    command_id command = command_find(word);
    if (command == CMD_COUNT)
        return unknown_command(word);
    return run_command(command, argc - 2, argv + 2);
}
