/* Walls of the reference methods: fractions of a particle's kernels that lie behind the container's walls. The model is
 * that of sim/walls/walls.h without obstacles. It is computed in double precision, and shares no code with
 * sim/walls. */
#ifndef PUDDLE_REFERENCE_WALLS_H
#define PUDDLE_REFERENCE_WALLS_H

#include <puddle/puddle.h>

typedef struct reference_walls {
    pd_container container; /* shape and size of the walls */
    double weight;          /* factor on all fractions (parameter wall_density) */
    /* Distance from the surface that stops particles to the place behind the surface where the hidden part of a kernel
     * begins, in interaction radii. */
    double outside;
    bool smooth_near_kernel; /* near kernel: true: (1 - r^2/h^2)^3; false: (1 - r/h)^3 */
} reference_walls;

/* Fractions of a particle's kernels behind walls, times `weight`, at most 0.75. h: interaction radius.
 * - far, near: fractions of the kernel (1 - r/h)^2 and of the near kernel, usually (1 - r/h)^3
 * - far_x, far_y, near_x, near_y: gradients of far and near, 1/m
 * - far_gain, near_gain: 1/(1 - far), 1/(1 - near), by which kernel sums are multiplied */
typedef struct reference_wall_fractions {
    double far, near, far_x, far_y, near_x, near_y, far_gain, near_gain;
} reference_wall_fractions;

/* Computes which fractions of a particle's kernels are behind walls. (x, y): position of the particle, m; h: interaction
 * radius, m. Without a container all fractions are 0. */
reference_wall_fractions reference_compute_wall_fractions(const reference_walls *walls, double h, double x, double y);

/* Returns the push (displacement or force per slope) of a particle by walls, and reduces its slope (*x, *y) against gravity:
 * pd_particle_limit_attraction without obstacles. within: 0 for single particles, 1 for particles within fluid. */
double reference_limit_attraction(double push, double at_rest, double within, double gravity_x, double gravity_y,
                                  double *x, double *y);
/* Returns `within` from the sum of (1 - r/h)^2 over a particle and its neighbours. */
double reference_compute_part_within_fluid(double sum);

#endif
