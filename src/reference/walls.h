/* Wall weights for the reference methods: the fraction of a particle's neighbourhood that the container hides, in
 * double precision, without obstacles. The fractions are those of sim/walls/walls.h; no code is shared. */
#ifndef PUDDLE_REFERENCE_WALLS_H
#define PUDDLE_REFERENCE_WALLS_H

#include <puddle/puddle.h>

typedef struct reference_walls {
    pd_container container;
    double weight;  /* wall_density; 0: walls hide nothing */
    double outside; /* distance of the fluid's end behind the place where particles stop, in radii */
    bool smooth;    /* near kernel (1 - r^2/h^2)^3; false: (1 - r/h)^3 */
} reference_walls;

/* Hidden fractions, at most 0.75, of the kernels (1 - r/h)^2 (far) and (1 - r/h)^3 (near), their gradients in 1/m, and
 * the gains 1/(1 - fraction). */
typedef struct reference_hidden {
    double far, near, far_x, far_y, near_x, near_y, far_gain, near_gain;
} reference_hidden;

/* Computes the hidden fractions for a particle at (x, y), m, with interaction radius h. Open containers hide
 * nothing. */
reference_hidden reference_walls_hide(const reference_walls *walls, double h, double x, double y);

#endif
