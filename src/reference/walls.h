/* Walls with weight in plain form, for the reference methods: the part of a particle's neighbourhood that the container hides,
 * in double precision, without obstacles. The fractions are those of sim/walls/walls.h; no code is shared. */
#ifndef PUDDLE_REFERENCE_WALLS_H
#define PUDDLE_REFERENCE_WALLS_H

#include <puddle/puddle.h>

typedef struct reference_walls {
    pd_container container;
    double weight;  /* wall_density: 0: walls hide nothing */
    double outside; /* the fluid ends this far behind the place where particles are stopped, in radii */
    bool smooth;    /* the near kernel is (1 - r^2/h^2)^3; otherwise (1 - r/h)^3 */
} reference_walls;

/* Fractions of the kernels (1 - r/h)^2 (far) and (1 - r/h)^3 (near) that are hidden, at most 0.75, their gradients in 1/m,
 * and the gains 1/(1 - fraction). */
typedef struct reference_hidden {
    double far, near, far_x, far_y, near_x, near_y, far_gain, near_gain;
} reference_hidden;

/* For a particle at (x, y), m, with interaction radius h. Open containers hide nothing. */
reference_hidden reference_walls_hide(const reference_walls *walls, double h, double x, double y);

#endif
