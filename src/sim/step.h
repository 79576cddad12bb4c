/* Number of substeps, errors within a step, and the profile of a step's stages. */
#ifndef PUDDLE_SIM_STEP_H
#define PUDDLE_SIM_STEP_H

#include <puddle/world.h>

enum { PD_MAX_SUBSTEPS = 1024 /* greatest number of substeps of a step */ };

/* Fails with the error USAGE, for functions that cannot be called within a step. Returns PD_BAD_INPUT. */
pd_result pd_fail_within_step(pd_error *error);
/* Completes the running step. Every function that changes a world calls pd_step_finish first. */
void pd_step_finish(pd_world *world);
/* Returns the number of substeps of the next step. */
int pd_step_count_substeps(const pd_world *world);
/* Adds the wall time since *since (pd_now, s) to a stage of the profile. Then sets *since to the present time. */
void pd_stage_end(pd_world *world, const char *name, double *since);

#endif
