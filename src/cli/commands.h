/* Commands of the program, and the functions that several commands share. A command returns the exit code. */
#ifndef PUDDLE_CLI_COMMANDS_H
#define PUDDLE_CLI_COMMANDS_H

#include "cli/options.h"
#include <stdbool.h>

struct log_input;

int command_window(const options *options);
int command_run(const options *options);
int command_render(const options *options);
int command_replay(const options *options);
int command_bench(const options *options);
int command_check(const options *options);
int command_list(const options *options);

/* Steps a world and records its frames at options->output. log: a log to replay, or NULL. Errors: those of
 * pd_renderer_create, pd_sink_create, outputs_*. */
pd_result render_world(const options *options, pd_world *world, pd_log *log, pd_error *error);
/* Steps the two worlds of a log's input and records their frames side by side. Errors: as render_world, and those of
 * log_input_apply. */
pd_result render_log_input(const options *options, struct log_input *input, pd_error *error);
/* Shows a world in the window until it is closed. Replaces *world and *log (a log to replay, or NULL) by the window's
 * last ones. Errors: those of pd_app_run, outputs_*. */
pd_result show_world(const options *options, pd_world **world, pd_log **log, pd_error *error);

/* Prints the help of a command ("run"), or the overview for "". */
void print_help(const char *command);
void print_version(void);

/* Prints "puddle: message" on standard error. Errors of scenes have no "puddle: ", as they begin with their position. Returns the exit code. */
int report_error(const pd_error *error);
/* Prints each warning of the world as "puddle: warning: ..." on standard error, unless --quiet. */
void report_warnings(const options *options, const pd_world *world);
/* Returns whether SIGINT, SIGTERM or SIGHUP was received: the command must complete its files and end. */
bool is_interrupted(void);
void catch_signals(void);
/* Opens the file descriptors 0, 1 and 2 if they are closed. main() calls this function first. */
void open_standard_files(void);
/* Flushes standard output. main() calls this function last. Returns the exit code: 1 (with a message) after a failed
 * write, 128 + SIGPIPE (without a message) if the reader of a pipe has closed it, 128 + n if only signal n ended the
 * work, else `code`. */
int close_output(int code);

#endif
