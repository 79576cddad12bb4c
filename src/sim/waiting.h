/* Waiting commands: commands given within a step, which take effect in their order when the step is complete. A command
 * is checked when it is given, against the scene that the waiting commands before it will produce.
 *
 * A later value replaces an earlier one of the same tool, gravity, parameter or property. Consecutive edits become
 * one edit. A log applies commands that it has recorded (pd_log_end_step), the world applies all others. */
#ifndef PUDDLE_SIM_WAITING_H
#define PUDDLE_SIM_WAITING_H

#include <puddle/command.h>

typedef struct pd_waiting_list pd_waiting_list;

/* Creates an empty list. NULL: out of memory. */
pd_waiting_list *pd_waiting_list_create(void);
void pd_waiting_list_destroy(pd_waiting_list *waiting);

/* Returns whether a command given now would wait: a step is incomplete, and the command does not end the step. */
bool pd_command_must_wait(const pd_world *world, pd_command_kind kind);
/* Adds a copy of the command to the list. On an error the list is unchanged. Errors: USAGE (the list is full), and those
 * of the function that the command stands for, unless they depend on the fluid. */
pd_result pd_waiting_list_add(pd_world *world, const pd_command *command, pd_error *error);
/* Frees the results of the last applied commands. Call when a step is complete. */
void pd_waiting_list_free_results(pd_world *world);
/* Applies the commands, unless the caller of the world has to call pd_world_apply_waiting_commands. Call when a step is complete or
 * has ended early. */
void pd_waiting_list_apply(pd_world *world);
/* Removes all commands and results. Call when another state or scene begins. */
void pd_waiting_list_clear(pd_world *world);

#endif
