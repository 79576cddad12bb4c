/* Commands of the program, and the functions that several commands share. A command returns the exit code. */
#ifndef PUDDLE_CLI_COMMANDS_H
#define PUDDLE_CLI_COMMANDS_H

#include "cli/options.h"
#include <puddle/log.h>
#include <stdbool.h>

/* A log, and two worlds with different methods to which its commands are applied: `puddle replay --compare`. */
typedef struct log_input {
    const pd_log *log;                /* log whose commands are applied */
    pd_world *worlds[2];              /* worlds to which the commands are applied */
    const pd_method_info *methods[2]; /* method of each world; commands of the log do not change it */
    void *starts[2];                  /* snapshot of each world at tick 0, which the command restart restores */
    size_t sizes[2];                  /* size of each snapshot, bytes */
    uint64_t tick;                    /* number of steps of each world so far */
    int next;                         /* index of the log's first command that was not applied yet */
} log_input;

/* Reads the log at `path` and creates two worlds at tick 0 of the log, with the given methods. Free with log_input_free.
 * Errors: those of pd_log_read and pd_world_set_method. */
pd_result log_input_open(log_input *input, pd_log **log, const char *path, const pd_method_info *const methods[2],
                         int threads, char damage[PD_MAX_LOG_DAMAGE], pd_error *error);
/* Applies the log's commands of the present tick to both worlds. Commands that change the method, limit the particles or
 * restore a state are skipped. Errors: those of pd_world_apply. */
pd_result log_input_apply_commands(log_input *input, pd_error *error);
/* Increments input->tick. Call after each step of both worlds. */
void log_input_count_step(log_input *input);
/* Destroys the worlds and frees the snapshots, but not the log. *input may be all zero. */
void log_input_free(log_input *input);

/* Runs the program with the arguments of main(). Returns the exit code. */
int run_program(int argc, char **argv);

int command_window(const options *options);
int command_run(const options *options);
int command_render(const options *options);
int command_replay(const options *options);
int command_bench(const options *options);
int command_check(const options *options);
int command_list(const options *options);

/* Steps a world and records its frames to the path options->output. log: a log whose commands are replayed, or NULL. Errors:
 * those of pd_renderer_create, pd_sink_create, outputs_*. */
pd_result render_world(const options *options, pd_world *world, pd_log *log, pd_error *error);
/* Steps the two worlds of `puddle replay --compare` and records their frames side by side. Errors: those of render_world and
 * log_input_apply_commands. */
pd_result render_log_input(const options *options, log_input *input, pd_error *error);
/* Reads the log of `puddle replay` and its world at tick 0, and prints a warning about damage. Errors: those of pd_log_read. */
pd_result replay_read_log(const options *options, pd_log **log, pd_world **world, pd_error *error);
/* Prints the number of replayed steps, or JSON with --json, and a warning if the replay differed. Returns the exit code. */
int replay_print_summary(const options *options, const pd_world *world, const pd_log *log);

/* Prints the help of a command ("run"), or the overview for "". */
void print_help(const char *command);
void print_version(void);

/* Prints "puddle: MESSAGE" on standard error, and nothing for STANDARD_OUTPUT_CLOSED. The error of a scene file is printed without "puddle: ", since its message
 * begins with file, line and column. Returns the exit code. */
int report_error(const pd_error *error);
/* Prints each warning of the world as "puddle: warning: ..." on standard error, unless --quiet. */
void report_warnings(const options *options, const pd_world *world);
enum { MOST_WARNINGS = 16 };
typedef struct warning_list {
    char text[MOST_WARNINGS][256];
    int count; /* number of texts; further warnings of the world are left out */
} warning_list;
/* Lists the world's warnings. */
void list_warnings(const pd_world *world, warning_list *list);
/* Prints, as report_warnings does, the warnings that the world has now and that are not in the list. */
void report_warnings_since(const options *options, const pd_world *world, const warning_list *before);
/* Returns whether a signal to end was received since pd_os_catch_signals, or standard output cannot be written. The command
 * must then complete its files and end. */
bool is_interrupted(void);
/* Returns a result, but PD_OK for the error STANDARD_OUTPUT_CLOSED. is_interrupted then returns true: a reader of standard output
 * that closes it has all that it needs, as `head` does, and the command ends as after a signal. */
pd_result end_if_output_closed(pd_result result, const pd_error *error);
/* Prints a text on standard output, and flushes, so that the reader gets what is printed so far. A failure makes is_interrupted
 * return true. */
void print_whole(const char *text);

#endif
