/* Input of a log for two worlds under methods of their own: `puddle replay --compare`. */
#ifndef PUDDLE_CLI_LOG_INPUT_H
#define PUDDLE_CLI_LOG_INPUT_H

#include <puddle/log.h>

/* Commands of a log, applied to two worlds. */
typedef struct log_input {
    const pd_log *log;
    pd_world *worlds[2];
    const pd_method_info *methods[2]; /* method of each world, which commands of the log do not change */
    void *starts[2];                  /* snapshots of the worlds at tick 0, for the command restart */
    size_t sizes[2];                  /* bytes of the snapshots */
    uint64_t tick;                    /* number of steps so far */
    int next;                         /* index of the next command */
} log_input;

/* Reads the log at `path` and creates its worlds at tick 0, each under its method. Without an earlier step the fluid
 * begins as under this method. Free with log_input_free. Errors: those of pd_log_read and pd_world_set_method. */
pd_result log_input_open(log_input *input, pd_log **log, const char *path, const pd_method_info *const methods[2],
                         int threads, char damage[PD_MAX_LOG_DAMAGE], pd_error *error);
/* Applies the commands of the present tick to both worlds, except those that change the method or restore a state.
 * Errors: those of pd_world_apply. */
pd_result log_input_apply(log_input *input, pd_error *error);
/* Counts a tick, after a step of both worlds. */
void log_input_step(log_input *input);
/* Destroys the worlds, but not the log. A zeroed input is allowed. */
void log_input_free(log_input *input);

#endif
