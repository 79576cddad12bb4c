/* Moving what stands in the way of new walls. */
#ifndef PUDDLE_SIM_DISPLACE_H
#define PUDDLE_SIM_DISPLACE_H

#include "sim/method.h"

/* Points that lie in new walls, and their new places. */
typedef struct pd_displaced {
    int count;
    int *index;
    pd_vec2 *place; /* m */
} pd_displaced;

/* Finds a place for each of `count` points that `walls` cover: on the nearest side of the wall that covers it, or where other
 * walls cover that too, the nearest place that can be reached without passing a wall of `before`. Both are in their poses of
 * now. Errors: OUT_OF_MEMORY; SCENE_VALUE, when there is no such place. */
pd_result pd_displace(const pd_world *world, const pd_boundary *before, const pd_boundary *walls, int count,
                      const float *x, const float *y, pd_displaced *displaced, pd_error *error);
void pd_displaced_move(const pd_displaced *displaced, float *x, float *y);
/* Spreads displaced particles of the world among those around them, within its walls. */
void pd_displaced_settle(pd_world *world, const pd_displaced *displaced);
void pd_displaced_free(pd_displaced *displaced);

#endif
