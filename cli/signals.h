/* Signals: finish what is at hand, then end as the signal says. */
#ifndef TAMIS_CLI_SIGNALS_H
#define TAMIS_CLI_SIGNALS_H

#include <signal.h>

/* Makes SIGPIPE and SIGXFSZ errors of write(), and 0, 1 and 2 descriptors that
 * fail where they were closed. */
void signals_prepare(void);

/* From now on SIGINT and SIGTERM (where not ignored) set the stop flag; a second
 * one ends the process at once. */
void signals_catch(void);

/* The stop flag. */
const volatile sig_atomic_t *signals_stop(void);

/* Ends the process by the signal that set the flag; returns when none did. */
void signals_raise(void);

/* Ends the process by SIGPIPE; where the parent ignores it, returns status 2. */
int signals_broken_pipe(void);

#endif
