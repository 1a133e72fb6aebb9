/* The subcommands: each runs and returns its exit status. */
#ifndef TAMIS_CLI_COMMANDS_H
#define TAMIS_CLI_COMMANDS_H

#include "options.h"

int dedup_main(const options *opts);
int build_main(const options *opts);
int add_main(const options *opts);
int check_main(const options *opts);
int select_main(const options *opts); /* common and minus */
int merge_main(const options *opts);
int info_main(const options *opts);
int verify_main(const options *opts);
int plan_main(const options *opts);
int remove_main(const options *opts);
int explain_main(const options *opts);
int bench_main(const options *opts);

#endif
