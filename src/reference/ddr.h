/* Double density relaxation as the article has it: plain, scalar, sequential, in double precision, over a linked-list grid.
 *
 * It is what the fast method is compared with: by `puddle bench --reference` in time, by the tests in behaviour. It
 * shares no code with the library and knows no obstacles, emitters or tools. */
#ifndef PUDDLE_REFERENCE_DDR_H
#define PUDDLE_REFERENCE_DDR_H

#include "reference/grid.h"

typedef struct reference_ddr {
    int count;
    double *x, *y, *vx, *vy, *old_x, *old_y, *density, *mass;
    /* The article's quantities; change them freely between steps. */
    double radius, stiffness, near_stiffness, rest_density, linear_viscosity, quadratic_viscosity, anti_stick;
    double gravity_x, gravity_y;
    bool equal_weight; /* gravity is divided by mass */
    pd_container container;
    reference_grid grid;
    int *neighbour; /* of the particle at hand */
    double *distance;
} reference_ddr;

/* Takes over the particles and parameters of a ddr world. Errors: OUT_OF_MEMORY, PARAMETER_UNKNOWN. */
pd_result reference_ddr_create(reference_ddr **created, const pd_world *world, pd_error *error);
void reference_ddr_destroy(reference_ddr *reference);
/* One substep of dt seconds. */
void reference_ddr_step(reference_ddr *reference, double dt);

#endif
