/* Steps of a world: substeps and the profile of their stages. */
#ifndef PUDDLE_SIM_STEP_H
#define PUDDLE_SIM_STEP_H

#include <puddle/world.h>

enum { PD_MAX_SUBSTEPS = 1024 };

/* Sets the error USAGE: a step is incomplete. */
pd_result pd_fail_within_step(pd_error *error);
/* Adds the time since *since to the named stage of the profile, and sets *since to now. */
void pd_stage_end(pd_world *world, const char *name, double *since);

#endif
