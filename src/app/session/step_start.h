/* A snapshot of the state before a long step. The rest of such a step may take minutes: a program that must quit in the
 * middle of it restores that state, which is the end of the previous step. */
#ifndef PUDDLE_APP_SESSION_STEP_START_H
#define PUDDLE_APP_SESSION_STEP_START_H

#include <puddle/puddle.h>

/* All zero: no state is kept. */
typedef struct pd_step_start {
    void *bytes; /* a snapshot */
    size_t size;
} pd_step_start;

/* Call before each step. step_seconds: expected wall time of the step, 0: unknown. Nothing is kept before a short step,
 * which can be completed instead, or when out of memory. Costs at most about a tenth of a step. */
void pd_step_start_save(pd_step_start *start, const pd_world *world, double step_seconds);
/* Puts the world in the middle of a step back to the state before it. False: no state is kept. */
bool pd_step_start_restore(pd_step_start *start, pd_world *world);
void pd_step_start_free(pd_step_start *start);

#endif
