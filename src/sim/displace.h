/* Displacement of points (particles, vortons) that edited walls cover. */
#ifndef PUDDLE_SIM_DISPLACE_H
#define PUDDLE_SIM_DISPLACE_H

#include "sim/method.h"

/* List of covered points and their new places. */
typedef struct pd_displaced {
    int count;
    int *index;        /* index of each covered point */
    pd_vec2 *position; /* its new position, m */
} pd_displaced;

/* Finds new places for those of `count` points that `walls` cover: the nearest point on the surface of the covering wall.
 * If another wall covers that point or lies between, the nearest position on a path that crosses no wall of `before` is
 * used. Both boundaries have their present poses. Errors: OUT_OF_MEMORY; SCENE_VALUE: there is no such position. */
pd_result pd_displaced_find_positions(const pd_world *world, const pd_boundary *before, const pd_boundary *walls,
                                      int count, const float *x, const float *y, pd_displaced *displaced,
                                      pd_error *error);
/* Writes the new places to the coordinates of all points. */
void pd_displaced_set_positions(const pd_displaced *displaced, float *x, float *y);
/* Spreads displaced particles of the world among their neighbours, within the walls. */
void pd_displaced_spread_particles(pd_world *world, const pd_displaced *displaced);
void pd_displaced_free(pd_displaced *displaced);

#endif
