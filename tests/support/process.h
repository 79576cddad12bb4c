/* Runs the built program beside the test, which reads its output by a pipe and sends signals. */
#ifndef PUDDLE_TESTS_PROCESS_H
#define PUDDLE_TESTS_PROCESS_H

#include "command.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>

/* Starts the program in the folder. Its output goes to other files than that of run(). */
static inline pid_t start(const char *arguments) {
    char command[512];
    snprintf(command, sizeof command, "exec %s %s", PROGRAM_IN_SHELL, arguments);
    fflush(NULL);
    pid_t child = fork();
    if (child != 0) return child;
    if (chdir(folder)) _exit(127);
    dup2(open("its-out", O_WRONLY | O_CREAT | O_TRUNC, 0644), 1);
    dup2(open("its-err", O_WRONLY | O_CREAT | O_TRUNC, 0644), 2);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

/* Waits for the child to exit. Returns its exit code, -n after signal n. */
static inline int finish(pid_t child) {
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    free(out), free(err);
    out = read_text("its-out");
    err = read_text("its-err");
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* Opens the pipe of the program's statistics. The first row shows that it runs. While the pipe is full the program
 * blocks, so that it does not get far ahead. */
static inline FILE *open_rows(void) {
    FILE *rows = fopen(at("rows"), "r"); /* blocks until the program opens it */
    assert_non_null(rows);
    return rows;
}

static inline void read_rows(FILE *rows, int count) {
    char line[2048];
    for (int i = 0; i < count; i++)
        if (!fgets(line, sizeof line, rows)) fail_msg("the rows end before row %d", i);
}

/* Reads until the program closes the pipe. */
static inline void drain_rows(FILE *rows) {
    char line[2048] = "\n";
    while (fgets(line, sizeof line, rows)) continue;
    assert_int_equal(line[strlen(line) - 1], '\n');
    fclose(rows);
}

static inline void make_pipe(void) {
    unlink(at("rows"));
    assert_int_equal(mkfifo(at("rows"), 0600), 0);
}

#endif
