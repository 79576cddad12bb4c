/* Position based fluids in plain form: scalar, double precision, neighbours from linked lists by cell.
 *
 * Like reference_ddr it is the reference for the optimised method, shares no code with the library, and has no
 * obstacles, emitters and tools. It has no vorticity confinement and surface tension: these parameters count as 0. */
#ifndef PUDDLE_REFERENCE_PBF_H
#define PUDDLE_REFERENCE_PBF_H

#include "reference/cells.h"
#include "reference/walls.h"

enum { REFERENCE_PBF_ITERATIONS = 64 }; /* at most */

typedef struct reference_pbf {
    int count;
    double *x, *y, *vx, *vy, *old_x, *old_y, *mass;
    double *density;           /* 1/m^2, the particle itself included; after a step: at the final positions */
    double *lambda;            /* multiplier of the density constraint */
    double *delta_x, *delta_y; /* displacement in an iteration, m; then change of velocity, m/s */
    /* Mean of max(0, n/n0 - 1) before each iteration and at the end. */
    double density_error[REFERENCE_PBF_ITERATIONS + 1];
    /* The paper's quantities; may be changed between steps. relaxation in 1/h^2, scorr_strength in h^2. */
    double radius, rest_density, relaxation, scorr_strength, scorr_distance, xsph;
    int iterations, scorr_exponent;
    bool cohesion;
    bool poly6; /* density by the poly6 kernel, as in the paper; else by the spiky kernel, (1 - r/h)^3 */
    double gravity_x, gravity_y;
    reference_walls walls;    /* and the container */
    reference_hidden *hidden; /* by particle, where the iteration began */
    reference_cells cells;
    /* Found once a step, at the predicted positions; the distances are those of the last density computation. */
    reference_neighbours neighbours;
} reference_pbf;

/* Copies the particles of a world and its pbf parameters. Errors: OUT_OF_MEMORY, PARAMETER_UNKNOWN. */
pd_result reference_pbf_create(reference_pbf **created, const pd_world *world, pd_error *error);
void reference_pbf_destroy(reference_pbf *reference);
/* One substep of dt seconds. */
void reference_pbf_step(reference_pbf *reference, double dt);

#endif
