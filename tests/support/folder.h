/* A new folder for a test program, removed with its contents at the end. */
#ifndef PUDDLE_TESTS_FOLDER_H
#define PUDDLE_TESTS_FOLDER_H

#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[TEMPORARY_SIZE];

static inline int enter_folder(void **state) {
    (void)state;
    return mkdtemp(temporary_template(folder)) && chdir(folder) == 0 ? 0 : -1;
}

static inline int leave_folder(void **state) {
    (void)state;
    char command[160];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

#endif
