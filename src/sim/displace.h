/* Moves points (particles or vortices) out of walls that cover them after an edit of the scene. */
#ifndef PUDDLE_SIM_DISPLACE_H
#define PUDDLE_SIM_DISPLACE_H

#include "sim/method.h"

/* Points inside walls after an edit, and their new positions outside. */
typedef struct pd_displaced {
    int count;         /* number of covered points */
    int *index;        /* index of each covered point among all points */
    pd_vec2 *position; /* new position of each covered point, m */
} pd_displaced;

/* Finds a new position for each of `count` points (x, y) that the walls cover. It is the nearest point on the surface of
 * the covering wall. If another wall covers this point or lies before it, it is the nearest position on a path that
 * crosses no wall of `before`. walls, before: walls after and before the edit, in their present poses. Errors:
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
