/* Displacement of points (particles or vortons) that the walls of an edited scene cover. */
#ifndef PUDDLE_SIM_DISPLACE_H
#define PUDDLE_SIM_DISPLACE_H

#include "sim/method.h"

/* List of covered points and their new positions. */
typedef struct pd_displaced {
    int count;         /* number of covered points */
    int *index;        /* index of each covered point */
    pd_vec2 *position; /* new position of each covered point, m */
} pd_displaced;

/* Finds new positions for the points that `walls` cover: the nearest point on the surface of the covering wall. If this point
 * is covered or lies behind another wall, the nearest position on a path that crosses no wall of `before` replaces it.
 * count: number of all points. walls, before: walls after and before the edit, in their present poses. Errors:
 * OUT_OF_MEMORY, SCENE_VALUE (there is no such position). */
pd_result pd_displaced_find_positions(const pd_world *world, const pd_boundary *before, const pd_boundary *walls,
                                      int count, const float *x, const float *y, pd_displaced *displaced,
                                      pd_error *error);
/* Sets the coordinates of the covered points to their new positions. x, y: coordinates of all points, m. */
void pd_displaced_set_positions(const pd_displaced *displaced, float *x, float *y);
/* Moves displaced particles and their neighbours apart, within the walls, and begins a rest-density ramp for them. */
void pd_displaced_spread_particles(pd_world *world, const pd_displaced *displaced);
void pd_displaced_free(pd_displaced *displaced);

#endif
