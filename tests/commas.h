/* A locale with decimal commas, made here: no package has to be installed for it. */
#ifndef PUDDLE_TESTS_COMMAS_H
#define PUDDLE_TESTS_COMMAS_H

#include "cmocka_all.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* From here on numbers have commas, until leave_commas. localedef belongs to glibc, which finds locales in LOCPATH; skipped
 * with another C library, fails where glibc has it and the locale does not come to be. */
static inline void enter_commas(void) {
    char folder[] = "/tmp/puddle_locale_XXXXXX", command[512];
    assert_non_null(mkdtemp(folder));
    /* It warns, and says so by its exit code, that the file has no other category. */
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

/* After a test, however it ended. */
static inline int leave_commas(void **state) {
    (void)state;
    return setlocale(LC_ALL, "C") ? 0 : -1;
}

#endif
