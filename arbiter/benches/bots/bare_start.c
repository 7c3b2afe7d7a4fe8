/* The least that a fresh process for each bot costs: a copy of a small process loads the library and ends. No sandbox, no
 * supervisor, no messages. `bare_start LIBRARY COPIES` prints the microseconds of one, from fork until it is reaped. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double microseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e6 + now.tv_nsec / 1e3;
}

int main(int count, char **words)
{
    if (count != 3)
        return 2;
    int copies = atoi(words[2]);
    double begun = microseconds();
    for (int i = 0; i < copies; i++) {
        pid_t copy = fork();
        if (copy == 0)
            _exit(dlopen(words[1], RTLD_NOW | RTLD_LOCAL) ? 0 : 1);
        int status;
        if (copy < 0 || waitpid(copy, &status, 0) != copy || status != 0)
            return 1;
    }
    printf("%.2f\n", (microseconds() - begun) / copies);
    return 0;
}
