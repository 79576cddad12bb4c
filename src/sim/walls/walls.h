/* Walls with weight: what walls hide of the neighbourhood of each particle.
 *
 * A particle near a wall lacks the neighbours that would be behind it. The part of the kernel's disc that walls hide
 * counts as filled with fluid of the particle's own density, so a density that was summed over neighbours is divided by
 * the part that they do not hide. The force by the wall follows from the gradient of the hidden part, so that it is that of
 * an energy. Where the wall is thin or convex the hidden part is smaller, and fades away.
 *
 * Fractions are those of the kernels (1 - r/h)^2 ("far") and (1 - r/h)^3 ("near"), each integrated over the disc. */
#ifndef PUDDLE_SIM_WALLS_WALLS_H
#define PUDDLE_SIM_WALLS_WALLS_H

#include "sim/world.h"

enum { PD_MOST_WALLS = 4 }; /* walls that a particle feels at the same time: the container, and obstacles */

/* What one wall, or all, hide. slope: gradient of the fraction, times h; in the order of x, y. */
typedef struct pd_hidden {
    float far, near;
    float far_slope[2], near_slope[2];
} pd_hidden;

/* Of one particle near walls. */
typedef struct pd_wall_weight {
    pd_hidden hidden;          /* by all walls; at most 0.75 */
    float far_gain, near_gain; /* 1/(1 - hidden.far), 1/(1 - hidden.near) */
    float near_bend[3];        /* second derivatives of hidden.near, times h^2: xx, xy, yy; 0 unless the rule asks */
    float far_push, near_push; /* written by the method: velocity or displacement along the slopes by the walls */
    int walls;
    int wall[PD_MOST_WALLS];          /* PD_CONTAINER_WALL, or an obstacle */
    float far_part[PD_MOST_WALLS][2]; /* of the slopes, by wall */
    float near_part[PD_MOST_WALLS][2];
} pd_wall_weight;

typedef struct pd_walls {
    uint32_t
        *index; /* by particle, after the sort: of its weight; 0: no wall is near, or none has weight; padded with 0 */
    pd_wall_weight *weight; /* the first one is that of index 0: nothing is hidden */
    int capacity;           /* of weight */
    int *chunk;             /* by chunk of particles: index of its first weight */
} pd_walls;

/* Errors: OUT_OF_MEMORY (and nothing has changed). */
pd_result pd_walls_reserve(pd_walls *walls, int capacity, pd_error *error);
void pd_walls_free(pd_walls *walls);

/* How walls count in a substep. */
typedef struct pd_walls_rule {
    float radius;  /* h, m */
    float outside; /* the fluid ends this far behind the place where a particle's centre is stopped, in units of h */
    float weight;  /* 0: not at all; 1: in full */
    float ahead;   /* s: the positions are those this long after the end of the substep, for moving walls */
    bool smooth;   /* `near` is that of the kernel (1 - r^2/h^2)^3 */
    bool bent;     /* near_bend is computed, which takes five times as long */
    const float *x, *y; /* m, by particle: positions other than the particles' own; NULL: their own */
} pd_walls_rule;

/* Finds the walls near each of the world's particles, in the order of the sort. Without memory for more, walls
 * have no weight for this substep. */
void pd_walls_find(pd_walls *walls, pd_world *world, const pd_walls_rule *rule);

/* Adds to the impulses what the walls got from a particle by far_push and near_push, times `mass`. */
void pd_walls_react(const pd_impulses *impulses, int begin, int grain, const pd_wall_weight *weight, float mass);

/* The displacement (or change of velocity) of a particle by its walls. */
static inline void pd_walls_pushed(const pd_wall_weight *w, float *x, float *y) {
    *x = w->far_push * w->hidden.far_slope[0] + w->near_push * w->hidden.near_slope[0];
    *y = w->far_push * w->hidden.far_slope[1] + w->near_push * w->hidden.near_slope[1];
}

#endif
