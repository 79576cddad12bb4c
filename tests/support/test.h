/* What every test includes: cmocka behind the headers that it requires, the function of a file of tests, and temporary files. */
#ifndef PUDDLE_TESTS_TEST_H
#define PUDDLE_TESTS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* Begins the function that runs the cases of a file, TEST_GROUP(walls) in test_walls.c: support/main.c calls it by this name. The
 * function returns the number of failed cases. */
#define TEST_GROUP(name)                                                                                               \
    int test_group_##name(void);                                                                                       \
    int test_group_##name(void)

/* Runs the cases, those alone that are named on the command line (support/main.c). Fails if none is named so. */
int run_cases(const struct CMUnitTest *cases, size_t count, CMFixtureFunction begin, CMFixtureFunction end);
#undef cmocka_run_group_tests
#define cmocka_run_group_tests(cases, begin, end) run_cases(cases, sizeof(cases) / sizeof *(cases), begin, end)

/* The program in a script of a shell: its path may have spaces. */
#define PROGRAM_IN_SHELL "'" PUDDLE_PROGRAM "'"

/* Path of a temporary file or folder, and its template for mkstemp and mkdtemp: in the folder of the test, which isolated.sh
 * removes at the end. */
enum { TEMPORARY_SIZE = 64 };
static inline char *temporary_template(char path[TEMPORARY_SIZE]) {
    snprintf(path, TEMPORARY_SIZE, "%s/XXXXXX", getenv("TMPDIR"));
    return path;
}

#endif
