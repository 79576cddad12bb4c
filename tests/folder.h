/* A new folder for a test program, removed with its contents at the end. */
#ifndef PUDDLE_TESTS_FOLDER_H
#define PUDDLE_TESTS_FOLDER_H

#include "cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[] = "/tmp/puddle-test-XXXXXX";

static inline int enter_folder(void **state) {
    (void)state;
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static inline int leave_folder(void **state) {
    (void)state;
    char command[64];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

#endif
