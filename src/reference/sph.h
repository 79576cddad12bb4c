/* Reference of SPH with near pressure: scalar, double precision, without code of the library. Neighbours come from
 * linked lists by cell. Unsupported: obstacles, emitters, tools, surface tension. */
#ifndef PUDDLE_REFERENCE_SPH_H
#define PUDDLE_REFERENCE_SPH_H

#include "reference/cells.h"
#include "reference/walls.h"

typedef struct reference_sph {
    int count;
    double *x, *y, *vx, *vy, *mass;
    double *density, *near_density;    /* number densities of both kernels, 1/m^2, with the particle itself */
    double *predicted_x, *predicted_y; /* positions at which densities and forces are computed */
    double *change_x, *change_y;       /* changes of velocity, m/s */
    double *viscosity_limit;           /* factors 1/sqrt(1 + dt nu n), by which any viscosity is stable */
    /* Parameters in the units of sph. They may be changed between steps. prediction: s. */
    double radius, rest_density, stiffness, near_stiffness, viscosity, damping, prediction;
    double gravity_x, gravity_y;
    reference_walls walls;    /* container and parameters of its walls */
    reference_hidden *hidden; /* fractions of the kernels that walls hide, by particle, at the predicted positions */
    reference_cells cells;
    reference_neighbours neighbours;
} reference_sph;

/* Copies the particles of a world and its sph parameters. Errors: OUT_OF_MEMORY, PARAMETER_UNKNOWN. */
pd_result reference_sph_create(reference_sph **created, const pd_world *world, pd_error *error);
void reference_sph_destroy(reference_sph *sph);
/* Computes a substep of dt seconds. */
void reference_sph_step(reference_sph *sph, double dt);

#endif
