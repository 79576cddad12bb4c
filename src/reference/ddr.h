/* Double density relaxation in plain form: scalar, sequential, double precision, neighbours from linked lists by cell.
 *
 * The reference for the optimised method: `puddle bench --reference` compares times, the tests compare results. It
 * shares no code with the library, and has no obstacles, emitters, tools and surface tension. */
#ifndef PUDDLE_REFERENCE_DDR_H
#define PUDDLE_REFERENCE_DDR_H

#include "reference/cells.h"
#include "reference/walls.h"

typedef struct reference_ddr {
    int count;
    double *x, *y, *vx, *vy, *old_x, *old_y, *density, *mass;
    /* The paper's quantities, in the units of the ddr parameters; may be changed between steps. */
    double radius, stiffness, near_stiffness, rest_density, linear_viscosity, quadratic_viscosity, anti_stick;
    double gravity_x, gravity_y;
    bool equal_weight; /* gravity is divided by mass */
    /* The neighbours of all particles are found before the sweep, as the method does for many particles, instead of those
     * of each particle when its turn comes, as in the paper. */
    bool neighbours_first;
    reference_neighbours neighbours;
    reference_walls walls;    /* and the container */
    reference_hidden *hidden; /* by particle, where the sweep began */
    reference_cells cells;
    int *neighbour; /* of one particle at a time */
    double *distance;
} reference_ddr;

/* Copies the particles and parameters of a ddr world. Errors: OUT_OF_MEMORY, PARAMETER_UNKNOWN. */
pd_result reference_ddr_create(reference_ddr **created, const pd_world *world, pd_error *error);
void reference_ddr_destroy(reference_ddr *reference);
/* One substep of dt seconds. */
void reference_ddr_step(reference_ddr *reference, double dt);

#endif
