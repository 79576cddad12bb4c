/* Wall weights: the effect of walls on densities and forces of the particles near them.
 *
 * A particle near a wall lacks neighbours behind the wall's surface. The hidden share of its kernel is (integral of the
 * kernel over the part of its disc that is inside walls) / (integral over the whole disc), 0 to 1. This part counts as
 * fluid with the particle's own density: a density summed over neighbours is divided by 1 - hidden share. The wall's force
 * is the gradient of the resulting energy. A thin or convex wall hides a smaller share than a thick or flat one.
 *
 * There are two kernels of radius h: "far" is (1 - r/h)^2, "near" is (1 - r/h)^3. */
#ifndef PUDDLE_SIM_WALLS_WALLS_H
#define PUDDLE_SIM_WALLS_WALLS_H

#include "sim/world.h"

enum { PD_MOST_WALLS = 4 }; /* greatest number of walls that act on one particle: the container, and obstacles */

/* Shares of a particle's two kernels that lie inside one wall, or inside all walls together. */
typedef struct pd_hidden_shares {
    float far, near; /* hidden share of the far kernel, of the near kernel, [0, 1] */
    /* Gradients (x, y) of `far` and `near` by the particle's position, in units of 1/h. */
    float far_slope[2], near_slope[2];
} pd_hidden_shares;

/* Hidden shares of one particle's kernels, and factors from which its displacement by walls is computed. */
typedef struct pd_wall_weight {
    pd_hidden_shares hidden; /* shares hidden by all walls together, at most 0.75 */
    /* 1/(1 - hidden.far), 1/(1 - hidden.near): factors on densities summed over neighbours. */
    float far_gain, near_gain;
    float cohesion; /* factor on negative pressures: 1; beside bodies less, so that they do not hold films of fluid */
    float near_hessian[3]; /* second derivatives xx, xy, yy of hidden.near, 1/h^2; 0 unless rule.needs_near_hessian */
    float far_push, near_push; /* displacement (or change of velocity) per slope of the share, set by the method */
    float far_push_at_rest;    /* far_push of fluid whose pressure is 0, set by SPH */
    int walls;                 /* number of walls that hide a share of the particle's kernels */
    int wall[PD_MOST_WALLS];   /* each of these walls: PD_CONTAINER_WALL, or the index of an obstacle */
    float far_slope_of_wall[PD_MOST_WALLS][2];  /* by wall: contribution to hidden.far_slope; they add up to it */
    float near_slope_of_wall[PD_MOST_WALLS][2]; /* by wall: contribution to hidden.near_slope; they add up to it */
} pd_wall_weight;

typedef struct pd_walls {
    uint32_t *index; /* by particle: index in `weight`; 0: no wall is near. PD_PADDING zeros follow, for SIMD loads */
    pd_wall_weight *weight; /* weights of the particles near walls; weight[0]: weight of a particle away from walls */
    int capacity;           /* number of allocated elements of `weight` */
    int *chunk;             /* by chunk of PD_WALLS_GRAIN particles: index in `weight` of the chunk's first weight */
} pd_walls;

/* Allocates memory for `capacity` particles. Errors: OUT_OF_MEMORY (nothing has changed). */
pd_result pd_walls_reserve(pd_walls *walls, int capacity, pd_error *error);
void pd_walls_free(pd_walls *walls);

/* Parameters of the wall weights in a substep. */
typedef struct pd_walls_rule {
    float radius;  /* kernel radius h, m */
    float outside; /* container and obstacles are treated as smaller by this distance on all sides, in units of h */
    float body_outside; /* bodies are treated as smaller by this distance on all sides, in units of h */
    float weight;       /* factor by which all hidden shares are multiplied, [0, 1] */
    float ahead; /* (time of the positions x, y) - (end of the substep), s; walls are extrapolated by this time */
    bool smooth_near_kernel; /* the near kernel is (1 - r^2/h^2)^3 instead of (1 - r/h)^3 */
    bool needs_near_hessian; /* pd_wall_weight.near_hessian is computed, which makes the weights five times as costly */
    const float *x, *y;      /* by particle: position for which the weight is computed, m; NULL: the present position */
} pd_walls_rule;

/* Computes the wall weights of all particles of the world. If memory runs out, no particle has a weight: walls do not act
 * in this substep. */
void pd_walls_compute_weights(pd_walls *walls, pd_world *world, const pd_walls_rule *rule);

/* Adds to `impulses` the momentum that walls receive in reaction to the displacement of a particle by far_push and
 * near_push. mass: mass of the particle. place: position of the particle, m: what a wall hides is a function of this
 * position in the wall's frame, so the wall's torque is exactly the opposite of the particle's. first_particle, chunk_size:
 * arguments of pd_impulses_add. */
void pd_walls_add_reaction_impulses(const pd_impulses *impulses, int first_particle, int chunk_size,
                                    const pd_wall_weight *weight, float mass, pd_vec2 place);

/* Computes the displacement (or change of velocity) (*x, *y) that walls cause to a particle with the weight *w. */
static inline void pd_walls_compute_displacement(const pd_wall_weight *w, float *x, float *y) {
    *x = w->far_push * w->hidden.far_slope[0] + w->near_push * w->hidden.near_slope[0];
    *y = w->far_push * w->hidden.far_slope[1] + w->near_push * w->hidden.near_slope[1];
}

#endif
