/* peak_helper COMMAND...: runs it, ends with its status, and says on stderr how many KiB of memory it
 * held at most. (A process that a large one starts directly is said to have held as much as that.) */
#define _GNU_SOURCE

#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    struct rusage usage;
    int status = 0;
    pid_t child = argc > 1 ? fork() : -1;
    if (child == 0) {
        (void)execv(argv[1], argv + 1);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) != child || !WIFEXITED(status))
        return 126;
    (void)fprintf(stderr, "%ld\n", usage.ru_maxrss);
    return WEXITSTATUS(status);
}
