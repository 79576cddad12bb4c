/* Replays one log in two worlds with different methods: `puddle replay --compare`. */
#ifndef PUDDLE_CLI_LOG_INPUT_H
#define PUDDLE_CLI_LOG_INPUT_H

#include <puddle/log.h>

/* A log and the two worlds to which its commands are applied. */
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

#endif
