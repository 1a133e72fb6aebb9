#define _POSIX_C_SOURCE 200809L

#include "signals.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

static volatile sig_atomic_t caught;
static bool pipe_was_ignored;

static void on_signal(int number)
{
    caught = number;
}

const volatile sig_atomic_t *signals_stop(void)
{
    return &caught;
}

static bool ignore(int number)
{
    struct sigaction before, action = {.sa_handler = SIG_IGN};
    (void)sigemptyset(&action.sa_mask);
    return sigaction(number, &action, &before) == 0 && before.sa_handler == SIG_IGN;
}

/* A closed descriptor must not become that of the next file opened: it is taken
 * by one on which reading (0) or writing (1, 2) fails. */
static void hold_closed_descriptors(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            (void)open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
}

void signals_prepare(void)
{
    pipe_was_ignored = ignore(SIGPIPE);
    (void)ignore(SIGXFSZ);
    hold_closed_descriptors();
}

static void catch_one(int number)
{
    struct sigaction before, action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
    (void)sigemptyset(&action.sa_mask);
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        (void)sigaction(number, &action, NULL);
}

void signals_catch(void)
{
    catch_one(SIGINT);
    catch_one(SIGTERM);
}

static void end_by(int number)
{
    struct sigaction action = {.sa_handler = SIG_DFL};
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(number, &action, NULL);
    (void)raise(number);
}

void signals_raise(void)
{
    if (caught != 0)
        end_by(caught);
}

int signals_broken_pipe(void)
{
    if (!pipe_was_ignored)
        end_by(SIGPIPE);
    return 2;
}
