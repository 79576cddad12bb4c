/* One function per command; each returns the exit code. */
#ifndef PUDDLE_CLI_COMMANDS_H
#define PUDDLE_CLI_COMMANDS_H

#include "cli/options.h"
#include <stdbool.h>

int command_window(const options *options);
int command_run(const options *options);
int command_render(const options *options);
int command_replay(const options *options);
int command_bench(const options *options);
int command_check(const options *options);
int command_list(const options *options);

/* Parts of commands. log (may be NULL): plays a log. Draws the world's run into options->output. Errors: those of
 * pd_renderer_create, pd_sink_create, outputs_*. */
pd_result render_world(const options *options, pd_world *world, pd_log *log, pd_error *error);
/* *log: NULL, or a log to play; what the window goes on with is returned there. Errors: those of pd_app_run, outputs_*. */
pd_result show_world(const options *options, pd_world **world, pd_log **log, pd_error *error);

/* command: "run"; "" for the overview. */
void print_help(const char *command);
void print_version(void);

/* Prints "puddle: message" (scene errors: the message alone, which begins with its position). Returns the exit code. */
int report(const pd_error *error);
/* Prints what the scene asks for and the method does otherwise, each as a line "puddle: warning: ..." on standard error;
 * with --quiet nothing. */
void report_warnings(const options *options, const pd_world *world);
/* True once SIGINT, SIGTERM or SIGHUP has come: then the command completes its files and ends. */
bool interrupted(void);
void catch_signals(void);
/* Call first: makes sure that the file descriptors 0, 1 and 2 are open. */
void open_standard_files(void);
/* Call last: flushes standard output. Returns the exit code: 1 (reported) when writing to it failed, 128 + n when
 * nothing failed but signal n ended the work early. */
int close_output(int code);

#endif
