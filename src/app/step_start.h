/* Where a long step began: a program that must leave in the middle of it can leave the world at the end of a step all the
 * same, while the rest of the step may take minutes. */
#ifndef PUDDLE_APP_STEP_START_H
#define PUDDLE_APP_STEP_START_H

#include <puddle/puddle.h>

/* All zero: nothing is kept. */
typedef struct pd_step_start {
    void *bytes; /* a snapshot */
    size_t size;
} pd_step_start;

/* Before each step. step_seconds: wall time that a step takes as far as is known, 0: not at all. A short step is not kept,
 * since it can be finished, and neither is one that there is no memory for. Costs at most a tenth of a step or so. */
void pd_step_start_keep(pd_step_start *start, const pd_world *world, double step_seconds);
/* In the middle of the step: puts the world back to where it began. False: that is not kept. */
bool pd_step_start_restore(pd_step_start *start, pd_world *world);
void pd_step_start_free(pd_step_start *start);

#endif
