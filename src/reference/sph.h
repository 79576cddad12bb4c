/* SPH with near pressure: plain, scalar, in double precision, over a linked-list grid.
 *
 * Like reference_ddr it is what the fast method is compared with, shares no code with the library and knows no
 * obstacles, emitters or tools. Each pass sees what the one before it left, for all particles at once. */
#ifndef PUDDLE_REFERENCE_SPH_H
#define PUDDLE_REFERENCE_SPH_H

#include "reference/grid.h"

typedef struct reference_sph {
    int count;
    double *x, *y, *vx, *vy, *mass;
    double *density, *near_density; /* per area, with the particle itself */
    double *ahead_x, *ahead_y;      /* where they are about to be: what density and forces are taken from */
    double *change_x, *change_y;    /* of the velocity */
    double *sharing;                /* 1/sqrt(1 + dt nu n): keeps any viscosity stable */
    /* The method's quantities; change them freely between steps. prediction in s. */
    double radius, rest_density, stiffness, near_stiffness, viscosity, damping, prediction;
    double gravity_x, gravity_y;
    pd_container container;
    reference_grid grid;
    reference_neighbours neighbours;
} reference_sph;

/* Takes over the particles of a world and its sph parameters. Errors: OUT_OF_MEMORY, PARAMETER_UNKNOWN. */
pd_result reference_sph_create(reference_sph **created, const pd_world *world, pd_error *error);
void reference_sph_destroy(reference_sph *reference);
/* One substep of dt seconds. */
void reference_sph_step(reference_sph *reference, double dt);

#endif
