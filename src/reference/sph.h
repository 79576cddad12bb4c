/* Reference of SPH with near pressure: scalar, in double precision. It shares no code with the library's sph method.
 * Unsupported: obstacles, emitters, tools, surface tension. */
#ifndef PUDDLE_REFERENCE_SPH_H
#define PUDDLE_REFERENCE_SPH_H

#include "reference/cells.h"
#include "reference/walls.h"

typedef struct reference_sph {
    int count;                         /* number of particles */
    double *x, *y, *vx, *vy, *mass;    /* by particle: position, m; velocity, m/s; mass */
    double *density, *near_density;    /* number densities by both kernels with the particle itself, 1/m^2 */
    double *predicted_x, *predicted_y; /* positions at which densities and forces are computed */
    double *velocity_change_x, *velocity_change_y; /* changes of velocity, m/s */
    double *viscosity_limit; /* 1/sqrt(1 + dt viscosity density): factor that keeps viscous changes stable */
    /* Parameters with the names and units of the method's parameters. May be changed between steps. prediction: s. */
    double radius, rest_density, stiffness, near_stiffness, viscosity, damping, prediction;
    double gravity_x, gravity_y; /* gravity, m/s^2 */
    reference_walls walls;       /* walls of the container */
    /* by particle: fractions of its kernels behind walls, at the predicted positions */
    reference_wall_fractions *behind_walls;
    reference_cells cells;
    reference_neighbours neighbours;
} reference_sph;

/* Creates a reference with the particles and parameters of a world of method sph. Errors: OUT_OF_MEMORY,
 * PARAMETER_UNKNOWN. */
pd_result reference_sph_create(reference_sph **created, const pd_world *world, pd_error *error);
void reference_sph_destroy(reference_sph *sph);
/* Computes a substep of dt seconds. */
void reference_sph_step(reference_sph *sph, double dt);

#endif
