/* Commands that are given during an unfinished step. They are checked at once against the scene that the commands before them will
 * make, wait in the world, and are applied in their order when the step is complete.
 *
 * A later value replaces an earlier one of the same tool, gravity, parameter or property. An edit that follows an edit joins it.
 * When they were given to a log, the log applies them (pd_log_stepped), else the world does. */
#ifndef PUDDLE_SIM_WAITING_H
#define PUDDLE_SIM_WAITING_H

#include <puddle/command.h>

typedef struct pd_waiting pd_waiting;

/* NULL: out of memory. */
pd_waiting *pd_waiting_create(void);
void pd_waiting_destroy(pd_waiting *waiting);

/* Whether a command given now waits: a step is incomplete, and the command does not end it. */
bool pd_world_waits(const pd_world *world, pd_command_kind kind);
/* Lets a copy of the command wait, to be applied by the world. On an error the commands that wait are unchanged. Errors: those of
 * the functions that kinds stand for, but for those that depend on the fluid; USAGE: too many wait. */
pd_result pd_waiting_add(pd_world *world, const pd_command *command, pd_error *error);
/* Call when a step is complete: frees the results of the commands that waited for the step before. */
void pd_waiting_forget(pd_world *world);
/* A step or what ends it is complete: applies the commands that wait, unless they were left to pd_world_apply_waiting. */
void pd_waiting_end(pd_world *world);
/* Another state or scene has begun: the commands that wait were given to the one before. */
void pd_waiting_drop(pd_world *world);

#endif
