/* A test program: the groups of a folder of tests. A group is the cases of a file test_GROUP.c, and runs in a process of its own.
 *     tests_sim                prints the names of the groups
 *     tests_sim GROUP [CASE]   runs the cases of a group; CASE: a pattern of their names, with * and ?, as $PUDDLE_TEST_CASES */
#define _GNU_SOURCE /* cpu_set_t */
#include "test.h"

#ifdef PUDDLE_TESTS_OF_PROGRAM
#include "cli/commands.h"
#endif
#include <fnmatch.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GROUP(name) int test_group_##name(void);
#include "groups.h"
#undef GROUP

static const struct {
    const char *name;
    int (*run)(void);
} groups[] = {
#define GROUP(name) {#name, test_group_##name},
#include "groups.h"
#undef GROUP
};

enum { COUNT = sizeof groups / sizeof *groups };

/* Replaces the system's fsync, which takes milliseconds for each of thousands of files. */
int fsync(int file) {
    (void)file;
    return 0;
}

#ifdef PUDDLE_TESTS_OF_PROGRAM
/* Reports one processor, so that the program uses one thread unless it is told otherwise. The small worlds of tests are no faster with
 * several threads. */
int sched_getaffinity(pid_t process, size_t size, cpu_set_t *processors) {
    (void)process;
    CPU_ZERO_S(size, processors);
    CPU_SET_S(0, size, processors);
    return 0;
}
#endif

/* Starts this program again in isolated.sh. Returns if it runs there already. */
static void isolate(char **arguments) {
    static char path[4096];
    if (getenv("PUDDLE_TEST_FOLDER")) return;
    if (readlink("/proc/self/exe", path, sizeof path - 1) > 0)
        execl("/bin/sh", "sh", PUDDLE_TESTS_DIR "/support/isolated.sh", path, arguments[1], arguments[2], (char *)NULL);
    perror("isolated.sh");
    exit(127);
}

static const char *group, *pattern; /* of the command line; pattern NULL: all cases */

int run_cases(const struct CMUnitTest *cases, size_t count, CMFixtureFunction begin, CMFixtureFunction end) {
    size_t named = 0;
    for (size_t i = 0; i < count; i++) named += !pattern || fnmatch(pattern, cases[i].name, 0) == 0;
    if (named > 0) return _cmocka_run_group_tests(group, cases, count, begin, end);
    fprintf(stderr, "%s: no case is named '%s'\n", group, pattern);
    return 1;
}

int main(int count, char **arguments) {
#ifdef PUDDLE_TESTS_OF_PROGRAM
    /* A window exports by starting its own executable, here the test program. Under the name "puddle" the test program is puddle. */
    if (strcmp(arguments[0], "puddle") == 0) return run_program(count, arguments);
#endif
    if (count < 2) {
        for (int i = 0; i < COUNT; i++) puts(groups[i].name);
        return 0;
    }
    isolate(arguments);
    group = arguments[1];
    pattern = arguments[2] ? arguments[2] : getenv("PUDDLE_TEST_CASES");
    setenv("PUDDLE_TEST_GROUP", group, 1);
    if (pattern) cmocka_set_test_filter(pattern);
    for (int i = 0; i < COUNT; i++)
        if (strcmp(groups[i].name, group) == 0) return groups[i].run();
    fprintf(stderr, "%s: there is no group '%s' (the program without an argument lists the groups)\n", arguments[0],
            arguments[1]);
    return 2;
}
