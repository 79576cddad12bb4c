/* Reference of double density relaxation: scalar, sequential, double precision, without code of the library. Neighbours
 * come from linked lists by cell.
 *
 * `puddle bench --reference` compares times, tests compare results. Unsupported: obstacles, emitters, tools, surface
 * tension. */
#ifndef PUDDLE_REFERENCE_DDR_H
#define PUDDLE_REFERENCE_DDR_H

#include "reference/cells.h"
#include "reference/walls.h"

typedef struct reference_ddr {
    int count;
    double *x, *y, *vx, *vy, *old_x, *old_y, *density, *mass;
    /* Quantities of the paper, in the units of the ddr parameters. They may be changed between steps. */
    double radius, stiffness, near_stiffness, rest_density, linear_viscosity, quadratic_viscosity, anti_stick;
    double gravity_x, gravity_y;
    bool equal_weight; /* whether gravity is divided by mass */
    /* Whether the neighbours of all particles are found before the sweep, as the optimised method does for many
     * particles. The paper finds those of each particle during the sweep. */
    bool neighbours_first;
    reference_neighbours neighbours;
    reference_walls walls; /* container and parameters of its walls */
    /* fractions of the kernels that walls hide, by particle, at the positions before the sweep */
    reference_hidden *hidden;
    reference_cells cells;
    int *neighbour; /* indices of the neighbours of one particle */
    double *distance;
} reference_ddr;

/* Copies the particles and parameters of a ddr world. Errors: OUT_OF_MEMORY, PARAMETER_UNKNOWN. */
pd_result reference_ddr_create(reference_ddr **created, const pd_world *world, pd_error *error);
void reference_ddr_destroy(reference_ddr *ddr);
/* Computes a substep of dt seconds. */
void reference_ddr_step(reference_ddr *ddr, double dt);

#endif
