/* Runs the program in a temporary folder. */
#ifndef PUDDLE_TESTS_COMMAND_H
#define PUDDLE_TESTS_COMMAND_H

#include "test.h"

#include "cli/commands.h"
#include <cjson/cJSON.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wordexp.h>

static char folder[TEMPORARY_SIZE]; /* working directory of the program */
static char *out, *err;             /* standard output and standard error of the last run */

/* Returns the path of a file in the folder, until the next call. */
static inline const char *at(const char *name) {
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* Returns the text of a file in the folder, "" for a missing one. */
static inline char *read_text(const char *name) {
    FILE *file = fopen(at(name), "rb");
    char *text = calloc(1, 1);
    size_t size = 0;
    while (file) {
        int c = fgetc(file);
        if (c == EOF) break;
        bool full = (size & (size + 1)) == 0; /* true if size is 2^n - 1: doubles the capacity */
        if (full) text = realloc(text, 2 * (size + 1) + 1);
        text[size] = (char)c;
        size++;
    }
    text[size] = '\0';
    if (file) fclose(file);
    return text;
}

static inline void write_text(const char *name, const char *text) {
    FILE *file = fopen(at(name), "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static inline bool exists(const char *name) { return access(at(name), F_OK) == 0; }

/* Runs commands of a shell in the folder. */
static inline void shell(const char *script) {
    char command[1024];
    snprintf(command, sizeof command, "cd %s && { %s; }", folder, script);
    if (system(command) != 0) fail_msg("failed: %s", script);
}

/* Reads what a run has printed into the files "out" and "err". Returns the exit code of the process, 1000 + n after signal n. */
static inline int end_run(int status) {
    free(out), free(err);
    out = read_text("out");
    err = read_text("err");
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

/* Runs commands of a shell in the folder, as the program is run. Returns the exit code of the last. */
static inline int run_script(const char *script) {
    char command[2048];
    snprintf(command, sizeof command, "cd %s && >out && { %s; } >out 2>err </dev/null", folder, script);
    return end_run(system(command));
}

/* Starts the built program in the folder, by a shell that reads ARGUMENTS. Returns the exit code. */
static inline int run_built(const char *arguments) {
    char script[1024];
    snprintf(script, sizeof script, PROGRAM_IN_SHELL " %s", arguments);
    return run_script(script);
}

/* Turns a child process into the program, as exec does: a signal that is not ignored has its usual action. */
static inline void become_program(const char *arguments) {
    char command[2048];
    wordexp_t words;
    struct sigaction action;
    for (int number = 1; number < NSIG; number++)
        if (sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_IGN) signal(number, SIG_DFL);
    snprintf(command, sizeof command, "puddle %s", arguments);
    bool is_ready = chdir(folder) == 0 && freopen("/dev/null", "r", stdin) && freopen("out", "w", stdout) &&
                    freopen("err", "w", stderr) && wordexp(command, &words, WRDE_NOCMD) == 0;
    exit(is_ready ? run_program((int)words.we_wordc, words.we_wordv) : 127);
}

/* Runs "puddle ARGUMENTS" in the folder. Returns the exit code. The program is a copy of this process, which has loaded the libraries
 * already: loading takes longer than a short command. The built program runs where a shell redirects its output. */
static inline int run(const char *arguments) {
    int status;
    if (strpbrk(arguments, "|&;<>$")) return run_built(arguments);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) become_program(arguments);
    assert_int_equal(waitpid(child, &status, 0), child);
    return end_run(status);
}

/* Runs with a limit on the size of files, which has the effect of a full disk. */
static inline int run_limited(rlim_t bytes, const char *arguments) {
    struct rlimit before, tight;
    getrlimit(RLIMIT_FSIZE, &before);
    tight = before;
    tight.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &tight);
    int code = run(arguments);
    setrlimit(RLIMIT_FSIZE, &before);
    return code;
}

static inline int lines(const char *text) {
    int count = 0;
    for (; *text; text++) count += *text == '\n';
    return count;
}

/* Runs the program. Asserts the exit code, an empty output, and one line with `what` on standard error. */
static inline void assert_error(const char *arguments, int code, const char *what) {
    int got = run(arguments);
    if (got != code || lines(err) != 1 || !strstr(err, what) || *out)
        fail_msg("puddle %s: exit code %d, stderr: %s stdout: %.200s (expected %d and '%s')", arguments, got, err, out,
                 code, what);
}

static inline cJSON *parse_output(const char *arguments) {
    assert_int_equal(run(arguments), 0);
    cJSON *json = cJSON_Parse(out);
    if (!json) fail_msg("puddle %s: not JSON: %.200s", arguments, out);
    return json;
}

static inline void assert_same_file(const char *a, const char *b) {
    char *left = read_text(a), *right = read_text(b);
    assert_true(*left);
    assert_string_equal(left, right);
    free(left), free(right);
}

static inline int make_folder(void **state) {
    (void)state;
    return mkdtemp(temporary_template(folder)) ? 0 : -1;
}

/* Setup of tests in which no window can open. */
static inline int make_folder_without_display(void **state) {
    unsetenv("WAYLAND_DISPLAY"), unsetenv("XDG_RUNTIME_DIR"), setenv("DISPLAY", "", 1);
    return make_folder(state);
}

static inline int remove_folder(void **state) {
    (void)state;
    char command[160];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    free(out), free(err);
    out = err = NULL; /* for the next test of the group */
    return system(command);
}

#endif
