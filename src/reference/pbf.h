/* Position based fluids: plain, scalar, in double precision, over a linked-list grid.
 *
 * Like reference_ddr it is what the fast method is compared with, shares no code with the library and knows no
 * obstacles, emitters or tools. Vorticity confinement is left out: pbf.vorticity is taken for 0. */
#ifndef PUDDLE_REFERENCE_PBF_H
#define PUDDLE_REFERENCE_PBF_H

#include "reference/grid.h"

enum { REFERENCE_PBF_ITERATIONS = 64 }; /* at most */

typedef struct reference_pbf {
    int count;
    double *x, *y, *vx, *vy, *old_x, *old_y, *mass;
    double *density; /* per area, with the particle itself; at the end of a step: where the particles are then */
    double *lambda;  /* of the constraint */
    double *move_x, *move_y; /* of one iteration, then of the velocities */
    /* Mean of max(0, n/n0 - 1) before each iteration and at the end. */
    double density_error[REFERENCE_PBF_ITERATIONS + 1];
    /* The method's quantities; change them freely between steps. relaxation in 1/h^2, scorr_strength in h^2. */
    double radius, rest_density, relaxation, scorr_strength, scorr_distance, xsph;
    int iterations, scorr_exponent;
    bool cohesion;
    bool poly6; /* weighs density, as in the paper; else the spiky kernel does, (1 - r/h)^3 */
    double gravity_x, gravity_y;
    pd_container container;
    reference_grid grid;
    /* Found once a step, where velocity takes the particles; the distances are those of the last density. */
    reference_neighbours neighbours;
} reference_pbf;

/* Takes over the particles of a world and its pbf parameters. Errors: OUT_OF_MEMORY, PARAMETER_UNKNOWN. */
pd_result reference_pbf_create(reference_pbf **created, const pd_world *world, pd_error *error);
void reference_pbf_destroy(reference_pbf *reference);
/* One substep of dt seconds. */
void reference_pbf_step(reference_pbf *reference, double dt);

#endif
