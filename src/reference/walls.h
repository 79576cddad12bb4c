/* Wall weights for the reference methods: fractions of a particle's kernels that the container hides, without
 * obstacles. Defined as in sim/walls/walls.h, but without its code and in double precision. */
#ifndef PUDDLE_REFERENCE_WALLS_H
#define PUDDLE_REFERENCE_WALLS_H

#include <puddle/puddle.h>

typedef struct reference_walls {
    pd_container container;
    double weight; /* parameter wall_density; 0: walls hide nothing */
    /* distance by which the fluid reaches beyond the line where particle centres stop, in interaction radii */
    double outside;
    bool smooth; /* near kernel: (1 - r^2/h^2)^3; false: (1 - r/h)^3 */
} reference_walls;

/* Fractions (at most 0.75) that walls hide of the kernels (1 - r/h)^2 (far) and (1 - r/h)^3 (near), their gradients,
 * 1/m, and the gains 1/(1 - fraction). */
typedef struct reference_hidden {
    double far, near, far_x, far_y, near_x, near_y, far_gain, near_gain;
} reference_hidden;

/* Computes the hidden fractions of a particle at (x, y), m, with interaction radius h, m. All are 0 without a
 * container. */
reference_hidden reference_compute_hidden(const reference_walls *walls, double h, double x, double y);

#endif
