/* One function per command; each returns the exit code. */
#ifndef PUDDLE_CLI_COMMANDS_H
#define PUDDLE_CLI_COMMANDS_H

#include "cli/options.h"
#include <stdbool.h>

int command_window(const options *options);
int command_run(const options *options);
int command_render(const options *options);
int command_bench(const options *options);
int command_check(const options *options);
int command_list(const options *options);

/* command: "run"; "" for the overview. */
void print_help(const char *command);
void print_version(void);

/* Prints "puddle: message" (scene errors: the message alone, it begins with its place) and returns the exit code. */
int report(const pd_error *error);
/* True once SIGINT, SIGTERM or SIGHUP has come: finish what is begun, close files, leave. */
bool interrupted(void);
void catch_signals(void);
/* Before anything else: makes sure that file numbers 0, 1 and 2 are taken. */
void open_standard_files(void);
/* At the very end: flushes standard output. Returns the exit code: 1 (reported) when what was printed did not arrive,
 * 128 + n when nothing failed but signal n ended the work early. */
int close_output(int code);

#endif
