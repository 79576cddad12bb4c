/* What all commands share: reporting an error, signals, leaving. */
#include "cli/commands.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"

/* True when a message begins with file:line:column: */
static bool has_place(const char *message) {
    for (const char *colon = strchr(message, ':'); colon; colon = strchr(colon + 1, ':')) {
        const char *c = colon + 1;
        size_t line = strspn(c, "0123456789");
        if (line == 0 || c[line] != ':') continue;
        c += line + 1;
        size_t column = strspn(c, "0123456789");
        if (column > 0 && c[column] == ':' && c[column + 1] == ' ') return true;
    }
    return false;
}

int report(const pd_error *error) {
    fprintf(stderr, "%s%s\n", has_place(error->message) ? "" : "puddle: ", error->message);
    return (int)pd_error_result(error->code);
}

static volatile sig_atomic_t signalled; /* number of the first signal that came; 0: none */

static void on_signal(int number) {
    if (!signalled) signalled = number;
}

bool interrupted(void) { return signalled != 0; }

static void catch_signal(int number, int flags) {
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = flags};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

void catch_signals(void) {
    struct sigaction before;
    /* Once only: a second Ctrl-C ends a program that does not come to its end. */
    catch_signal(SIGINT, (int)SA_RESETHAND);
    catch_signal(SIGTERM, (int)SA_RESETHAND);
    /* Every time: of a terminal that is closed, the shell and the system may both tell. nohup has it ignored. */
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN) catch_signal(SIGHUP, 0);
    /* A reader that has gone shows as a failed write, which is reported like any other. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* so does a file that may not grow further */
}

void open_standard_files(void) {
    /* A closed standard stream would hand its number to the next file opened, and messages would end up in it. Opened
     * the wrong way round, so that using it still fails. */
    for (int file = 0; file <= 2; file++)
        if (fcntl(file, F_GETFD) == -1 && errno == EBADF && open("/dev/null", file ? O_RDONLY : O_WRONLY) < 0) _exit(1);
}

int close_output(int code) {
    errno = 0;
    bool failed = ferror(stdout) != 0;
    if (fclose(stdout) != 0) failed = true;
    if (failed && signalled != SIGHUP) { /* whose terminal is gone */
        fprintf(stderr, "puddle: cannot write to standard output: %s (check where it goes)\n",
                errno ? strerror(errno) : "an earlier write failed");
        return code ? code : PD_FAILED;
    }
    return code || !signalled ? code : 128 + (int)signalled;
}
