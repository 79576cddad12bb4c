/* Wall weights: shares of the particles' kernels that are inside walls ("hidden").
 *
 * A particle near a wall lacks neighbours behind the wall's surface. The hidden share of its kernel counts as fluid
 * of the particle's own density: a density summed over neighbours is divided by 1 - hidden share. The wall's force is
 * the gradient of this energy. A thin or convex wall hides less than a thick or flat one.
 *
 * Shares are integrals of the kernels (1 - r/h)^2 ("far") and (1 - r/h)^3 ("near") over the disc of radius h. */
#ifndef PUDDLE_SIM_WALLS_WALLS_H
#define PUDDLE_SIM_WALLS_WALLS_H

#include "sim/world.h"

enum { PD_MOST_WALLS = 4 }; /* greatest number of walls near one particle: the container, and obstacles */

/* Shares of a particle's two kernels that one wall hides, or all walls together. */
typedef struct pd_hidden {
    float far, near;                   /* hidden share of each kernel, [0, 1] */
    float far_slope[2], near_slope[2]; /* gradients (x, y) of `far` and `near`, times h */
} pd_hidden;

/* Hidden shares of one particle, and factors of its displacement by walls. */
typedef struct pd_wall_weight {
    pd_hidden hidden;          /* shares that all walls hide, each at most 0.75 */
    float far_gain, near_gain; /* factors on summed densities: 1/(1 - hidden.far), 1/(1 - hidden.near) */
    float near_hessian
        [3]; /* second derivatives of hidden.near, times h^2: xx, xy, yy; 0 unless rule.needs_near_hessian */
    float far_push,
        near_push; /* displacement (or change of velocity) by walls / slope of the share; the method sets both */
    int walls;     /* number of walls that hide a share */
    int wall[PD_MOST_WALLS];           /* numbers of these walls: PD_CONTAINER_WALL, or the index of an obstacle */
    float far_part[PD_MOST_WALLS][2];  /* contribution of each wall to hidden.far_slope */
    float near_part[PD_MOST_WALLS][2]; /* contribution of each wall to hidden.near_slope */
} pd_wall_weight;

typedef struct pd_walls {
    uint32_t
        *index; /* by particle: index in `weight`; 0: walls hide nothing. PD_PADDING zeros follow, for SIMD loads */
    pd_wall_weight *weight; /* weights of particles near walls; weight[0]: weight without walls */
    int capacity;           /* allocated elements of `weight` */
    int *chunk;             /* by chunk of PD_WALLS_GRAIN particles: index of its first element in `weight` */
} pd_walls;

/* Allocates for this many particles. Errors: OUT_OF_MEMORY (nothing has changed). */
pd_result pd_walls_reserve(pd_walls *walls, int capacity, pd_error *error);
void pd_walls_free(pd_walls *walls);

/* Parameters of the wall weights in a substep. */
typedef struct pd_walls_rule {
    float radius;            /* kernel radius h, m */
    float outside;           /* walls count as smaller by this distance on all sides, in units of h */
    float weight;            /* factor on all shares, [0, 1] */
    float ahead;             /* time of the positions x, y minus end of the substep, s: moving walls are extrapolated */
    bool smooth_near_kernel; /* the near kernel is (1 - r^2/h^2)^3 instead of (1 - r/h)^3 */
    bool needs_near_hessian; /* near_hessian is computed, at five times the cost */
    const float *x, *y;      /* positions by particle, m; NULL: positions of the world's particles */
} pd_walls_rule;

/* Computes the wall weights of all particles of the world. If memory runs out, all weights of this substep are 0. */
void pd_walls_compute_weights(pd_walls *walls, pd_world *world, const pd_walls_rule *rule);

/* Adds the momentum that walls receive in reaction to far_push and near_push of a particle with this mass. first_particle,
 * chunk_size: see pd_impulses_add. */
void pd_walls_add_reaction_impulses(const pd_impulses *impulses, int first_particle, int chunk_size,
                                    const pd_wall_weight *weight, float mass);

/* Computes the displacement (or change of velocity) (*x, *y) by walls of a particle with weight *w. */
static inline void pd_walls_compute_displacement(const pd_wall_weight *w, float *x, float *y) {
    *x = w->far_push * w->hidden.far_slope[0] + w->near_push * w->hidden.near_slope[0];
    *y = w->far_push * w->hidden.far_slope[1] + w->near_push * w->hidden.near_slope[1];
}

#endif
