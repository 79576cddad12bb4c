/* Runs the built program in a temporary folder. */
#ifndef PUDDLE_TESTS_COMMAND_H
#define PUDDLE_TESTS_COMMAND_H

#include "test.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[TEMPORARY_SIZE]; /* working directory of the program */
static char *out, *err;             /* standard output and standard error of the last run */

/* Returns the text of a file in the folder, "" for a missing one. */
static inline char *read_text(const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
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
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static inline bool exists(const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, F_OK) == 0;
}

/* Runs "puddle ARGUMENTS" in the folder by a shell. Returns the exit code. */
static inline int run(const char *arguments) {
    char command[2048];
    snprintf(command, sizeof command, "cd %s && >out && { %s %s; } >out 2>err </dev/null", folder, PROGRAM_IN_SHELL,
             arguments);
    int status = system(command);
    free(out), free(err);
    out = read_text("out");
    err = read_text("err");
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
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
