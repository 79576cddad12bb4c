/* A locale with decimal commas, built by the test, since machines differ in their locales. */
#ifndef PUDDLE_TESTS_COMMAS_H
#define PUDDLE_TESTS_COMMAS_H

#include "test.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Sets the locale until leave_commas. localedef builds it from the character maps of the package locales, and glibc
 * finds it by LOCPATH. Skips the test with other C libraries. */
static inline void enter_commas(void) {
    char folder[TEMPORARY_SIZE], command[640];
    assert_non_null(mkdtemp(temporary_template(folder)));
    /* localedef exits with a warning about missing categories: its exit code is ignored. */
    snprintf(command, sizeof command,
             "cd %s && printf 'LC_NUMERIC\\ndecimal_point \",\"\\nthousands_sep \".\"\\ngrouping 3;3\\nEND "
             "LC_NUMERIC\\n' >source && "
             "localedef -c -i source ./commas 2>errors; test -e commas/LC_NUMERIC",
             folder);
    int made = system(command);
    setenv("LOCPATH", folder, 1);
    const char *entered = made == 0 ? setlocale(LC_ALL, "commas") : NULL;
    unsetenv("LOCPATH");
    snprintf(command, sizeof command, "rm -rf %s", folder);
    assert_int_equal(system(command), 0);
#ifdef __GLIBC__
    assert_non_null(entered);
#else
    if (!entered) skip();
#endif
    char text[8];
    snprintf(text, sizeof text, "%.1f", 0.5);
    assert_string_equal(text, "0,5");
}

/* Teardown of tests that call enter_commas. */
static inline int leave_commas(void **state) {
    (void)state;
    return setlocale(LC_ALL, "C") ? 0 : -1;
}

#endif
