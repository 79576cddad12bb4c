/* Snapshot in memory of the state before a long step. Completing the step may take minutes. A program that must quit within the
 * step restores the snapshot instead. */
#ifndef PUDDLE_APP_SESSION_STEP_START_H
#define PUDDLE_APP_SESSION_STEP_START_H

#include <puddle/puddle.h>

/* Snapshot of the state before a step. All zero: no state is saved. */
typedef struct pd_step_start {
    void *bytes; /* the snapshot; NULL: none */
    size_t size; /* size of the snapshot, bytes */
} pd_step_start;

/* Saves the state before a step, unless the step is short (below 0.5 s) or memory runs out. step_seconds: expected wall time of
 * the step, s; 0: unknown. Cost: at most a tenth of the step. */
void pd_step_start_save(pd_step_start *start, const pd_world *world, double step_seconds);
/* Restores the state before the step. False: no state is saved. */
bool pd_step_start_restore(pd_step_start *start, pd_world *world);
void pd_step_start_free(pd_step_start *start);

#endif
