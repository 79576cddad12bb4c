/* SPH with near pressure in plain form: scalar, double precision, neighbours from linked lists by cell.
 *
 * Like reference_ddr it is the reference for the optimised method, shares no code with the library, and has no
 * obstacles, emitters, tools and surface tension. */
#ifndef PUDDLE_REFERENCE_SPH_H
#define PUDDLE_REFERENCE_SPH_H

#include "reference/cells.h"
#include "reference/walls.h"

typedef struct reference_sph {
    int count;
    double *x, *y, *vx, *vy, *mass;
    double *density, *near_density;    /* 1/m^2, the particle itself included */
    double *predicted_x, *predicted_y; /* positions at which densities and forces are evaluated */
    double *change_x, *change_y;       /* of the velocity, m/s */
    double *viscosity_limit;           /* 1/sqrt(1 + dt nu n): keeps any viscosity stable */
    /* In the units of the sph parameters; may be changed between steps. prediction in s. */
    double radius, rest_density, stiffness, near_stiffness, viscosity, damping, prediction;
    double gravity_x, gravity_y;
    reference_walls walls;    /* and the container */
    reference_hidden *hidden; /* by particle, at the predicted positions */
    reference_cells cells;
    reference_neighbours neighbours;
} reference_sph;

/* Copies the particles of a world and its sph parameters. Errors: OUT_OF_MEMORY, PARAMETER_UNKNOWN. */
pd_result reference_sph_create(reference_sph **created, const pd_world *world, pd_error *error);
void reference_sph_destroy(reference_sph *reference);
/* One substep of dt seconds. */
void reference_sph_step(reference_sph *reference, double dt);

#endif
