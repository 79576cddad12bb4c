/* Wall weights: shares of the particles' kernels that walls hide.
 *
 * A particle near a wall lacks the neighbours that would be behind it. The hidden share of its kernel counts as fluid
 * of the particle's own density: a density summed over neighbours is divided by 1 - hidden share. The wall's force is
 * the gradient of this energy. A thin or convex wall hides less.
 *
 * Shares are integrals of the kernels (1 - r/h)^2 ("far") and (1 - r/h)^3 ("near") over the disc of radius h. */
#ifndef PUDDLE_SIM_WALLS_WALLS_H
#define PUDDLE_SIM_WALLS_WALLS_H

#include "sim/world.h"

enum { PD_MOST_WALLS = 4 }; /* greatest number of walls near one particle: the container, and obstacles */

/* Shares that one wall hides, or all walls together. slope: gradient (x, y) of the share, times h. */
typedef struct pd_hidden {
    float far, near;
    float far_slope[2], near_slope[2];
} pd_hidden;

/* Weight of the walls near one particle. */
typedef struct pd_wall_weight {
    pd_hidden hidden;          /* shares of all walls, each at most 0.75 */
    float far_gain, near_gain; /* 1/(1 - hidden.far), 1/(1 - hidden.near) */
    float near_bend[3];        /* second derivatives of hidden.near, times h^2: xx, xy, yy; 0 unless rule.bent */
    float far_push, near_push; /* set by the method: displacement or change of velocity per slope */
    int walls;
    int wall[PD_MOST_WALLS];          /* PD_CONTAINER_WALL, or the index of an obstacle */
    float far_part[PD_MOST_WALLS][2]; /* share of this wall in hidden.far_slope */
    float near_part[PD_MOST_WALLS][2];
} pd_wall_weight;

typedef struct pd_walls {
    uint32_t *index;        /* by sorted particle: index of its weight; 0: nothing is hidden; padded with 0 */
    pd_wall_weight *weight; /* weights; number 0 is that of open water */
    int capacity;           /* allocated weights */
    int *chunk;             /* by chunk of particles: index of the first weight */
} pd_walls;

/* Allocates for this many particles. Errors: OUT_OF_MEMORY (nothing has changed). */
pd_result pd_walls_reserve(pd_walls *walls, int capacity, pd_error *error);
void pd_walls_free(pd_walls *walls);

/* Parameters of the wall weights in a substep. */
typedef struct pd_walls_rule {
    float radius;  /* h, m */
    float outside; /* distance of the fluid's end behind the place where a wall stops particles, in units of h */
    float weight;  /* factor on all shares, [0, 1] */
    float ahead;   /* time from the end of the substep to the given positions, s, for moving walls */
    bool smooth;   /* uses the kernel (1 - r^2/h^2)^3 as "near" */
    bool bent;     /* computes near_bend, at five times the cost */
    /* Positions, m, by particle. NULL: those of the world's particles. */
    const float *x, *y;
} pd_walls_rule;

/* Computes the weights of the walls near each of the world's particles. Without memory, walls have no weight in this
 * substep. */
void pd_walls_compute(pd_walls *walls, pd_world *world, const pd_walls_rule *rule);

/* Adds the momentum of the walls' reaction to far_push and near_push of a particle with this mass to the impulses. */
void pd_walls_add_reaction(const pd_impulses *impulses, int begin, int grain, const pd_wall_weight *weight, float mass);

/* Computes the displacement (or change of velocity) of a particle by its walls. */
static inline void pd_walls_particle_displacement(const pd_wall_weight *w, float *x, float *y) {
    *x = w->far_push * w->hidden.far_slope[0] + w->near_push * w->hidden.near_slope[0];
    *y = w->far_push * w->hidden.far_slope[1] + w->near_push * w->hidden.near_slope[1];
}

#endif
