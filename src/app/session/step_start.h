/* Snapshot of the state before a long step, whose rest may take minutes. A program that must quit within the step restores the
 * snapshot instead. */
#ifndef PUDDLE_APP_SESSION_STEP_START_H
#define PUDDLE_APP_SESSION_STEP_START_H

#include <puddle/puddle.h>

/* All zero: no state is saved. */
typedef struct pd_step_start {
    void *bytes; /* snapshot; NULL: none */
    size_t size;
} pd_step_start;

/* Saves the state before a step, unless the step is short or memory runs out. step_seconds: expected wall time of the step; 0:
 * unknown. Cost: at most a tenth of a step. */
void pd_step_start_save(pd_step_start *start, const pd_world *world, double step_seconds);
/* Restores the state before the step. False: no state is saved. */
bool pd_step_start_restore(pd_step_start *start, pd_world *world);
void pd_step_start_free(pd_step_start *start);

#endif
