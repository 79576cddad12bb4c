/* Reference of double density relaxation: scalar, sequential, in double precision. It shares no code with the library's
 * ddr method.
 *
 * `puddle bench --reference` compares times, tests compare results. Unsupported: obstacles, emitters, tools, surface
 * tension. */
#ifndef PUDDLE_REFERENCE_DDR_H
#define PUDDLE_REFERENCE_DDR_H

#include "reference/cells.h"
#include "reference/walls.h"

typedef struct reference_ddr {
    int count; /* number of particles */
    /* By particle: position now and at the beginning of the substep, m; velocity, m/s; density; mass. */
    double *x, *y, *vx, *vy, *old_x, *old_y, *density, *mass;
    /* Parameters with the names and units of the method's parameters. May be changed between steps. */
    double radius, stiffness, near_stiffness, rest_density, linear_viscosity, quadratic_viscosity, anti_stick;
    double gravity_x, gravity_y; /* gravity, m/s^2 */
    bool equal_weight; /* true: all particles have the same weight, so that gravity accelerates them by gravity/mass */
    bool neighbours_first; /* neighbour lists of all particles are built before relax_densities, as in ddr_lists.h */
    reference_neighbours neighbours; /* these neighbour lists */
    reference_walls walls;           /* walls of the container */
    /* by particle: fractions of its kernels behind walls, at the positions before relax_densities */
    reference_wall_fractions *behind_walls;
    reference_cells cells;
    int *neighbour;   /* result of find_neighbours: indices of one particle's neighbours */
    double *distance; /* result of find_neighbours: distances of these neighbours from the particle, m */
} reference_ddr;

/* Creates a reference with the particles and parameters of a world of method ddr. Errors: OUT_OF_MEMORY,
 * PARAMETER_UNKNOWN. */
pd_result reference_ddr_create(reference_ddr **created, const pd_world *world, pd_error *error);
void reference_ddr_destroy(reference_ddr *ddr);
/* Computes a substep of dt seconds. */
void reference_ddr_step(reference_ddr *ddr, double dt);

#endif
