/* Walls of the reference methods: fractions of a particle's kernels that the container's walls hide, because they lie
 * behind the walls. The model is that of sim/walls/walls.h without obstacles, in double precision, and without shared
 * code. */
#ifndef PUDDLE_REFERENCE_WALLS_H
#define PUDDLE_REFERENCE_WALLS_H

#include <puddle/puddle.h>

typedef struct reference_walls {
    pd_container container; /* container whose walls hide kernels */
    double weight;          /* factor on all fractions that walls hide (parameter wall_density) */
    double
        outside; /* distance from the surface that stops particles to the wall that hides kernels, in interaction radii */
    bool smooth_near_kernel; /* near kernel: true: (1 - r^2/h^2)^3; false: (1 - r/h)^3 */
} reference_walls;

/* Fractions (at most 0.75) that walls hide of the kernels (1 - r/h)^2 ("far") and (1 - r/h)^3 ("near"), their
 * gradients, 1/m, and the gains 1/(1 - fraction), by which kernel sums are multiplied. */
typedef struct reference_hidden {
    double far, near, far_x, far_y, near_x, near_y, far_gain, near_gain;
} reference_hidden;

/* Computes the fractions that walls hide of the kernels of a particle at (x, y), m, with interaction radius h, m.
 * Without a container all fractions are 0. */
reference_hidden reference_compute_hidden_kernel_fractions(const reference_walls *walls, double h, double x, double y);

#endif
