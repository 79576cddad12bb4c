/* Waiting commands: commands that are given within a step, and take effect in their order when the step is complete. Each
 * command is checked when it is given, against the scene after all earlier waiting commands.
 *
 * A later value of the tool, gravity, a parameter or a property replaces an earlier value. Consecutive edits are joined. A
 * log applies the commands that it has recorded (pd_log_end_step). The world applies all others. */
#ifndef PUDDLE_SIM_WAITING_H
#define PUDDLE_SIM_WAITING_H

#include <puddle/command.h>

typedef struct pd_waiting_list pd_waiting_list;

/* Creates an empty list of waiting commands. Returns NULL if memory runs out. */
pd_waiting_list *pd_waiting_list_create(void);
void pd_waiting_list_destroy(pd_waiting_list *waiting);

/* Returns whether a command of this kind has to wait now: a step is incomplete, and commands of this kind do not end it
 * (as a reset does). */
bool pd_command_must_wait(const pd_world *world, pd_command_kind kind);
/* Adds a copy of the command to the world's list of waiting commands. On an error the list is unchanged. Errors: USAGE
 * (the list is full), and those errors of applying the command that do not depend on the fluid. */
pd_result pd_waiting_list_add(pd_world *world, const pd_command *command, pd_error *error);
/* Frees the results of applied commands, which pd_world_next_command_result returns. Call when a step is complete. */
void pd_waiting_list_free_results(pd_world *world);
/* Applies the waiting commands, unless a log applies them (pd_world_apply_waiting_commands). Call when a step is complete or
 * abandoned. */
void pd_waiting_list_apply(pd_world *world);
/* Removes all waiting commands, and the results of applied ones. Call when the world gets another state or scene. */
void pd_waiting_list_clear(pd_world *world);

#endif
