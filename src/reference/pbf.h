/* Reference of position based fluids: scalar, double precision, without code of the library. Neighbours come from
 * linked lists by cell. Unsupported: obstacles, emitters, tools, vorticity confinement, surface tension. */
#ifndef PUDDLE_REFERENCE_PBF_H
#define PUDDLE_REFERENCE_PBF_H

#include "reference/cells.h"
#include "reference/walls.h"

enum { REFERENCE_PBF_ITERATIONS = 64 }; /* most iterations */

typedef struct reference_pbf {
    int count;
    double *x, *y, *vx, *vy, *old_x, *old_y, *mass;
    double *density; /* number density, 1/m^2, including the particle itself; after a step at the final positions */
    double *lambda;  /* multiplier of the density constraint */
    double *delta_x, *delta_y; /* displacement in an iteration, m; then change of velocity, m/s */
    /* Mean of max(0, n/n0 - 1) before each iteration and at the end. */
    double density_error[REFERENCE_PBF_ITERATIONS + 1];
    /* Quantities of the paper. May be changed between steps. relaxation in 1/h^2, scorr_strength in h^2. */
    double radius, rest_density, relaxation, scorr_strength, scorr_distance, xsph;
    int iterations, scorr_exponent;
    bool cohesion;
    bool poly6; /* density by the poly6 kernel, as in the paper; false: by the spiky kernel, (1 - r/h)^3 */
    double gravity_x, gravity_y;
    reference_walls walls;    /* parameters of walls, with the container */
    reference_hidden *hidden; /* hidden fractions by particle, at the beginning of the iteration */
    reference_cells cells;
    /* Neighbours at the predicted positions of the step. Distances are of the last density computation. */
    reference_neighbours neighbours;
} reference_pbf;

/* Copies the particles of a world and its pbf parameters. Errors: OUT_OF_MEMORY, PARAMETER_UNKNOWN. */
pd_result reference_pbf_create(reference_pbf **created, const pd_world *world, pd_error *error);
void reference_pbf_destroy(reference_pbf *reference);
/* Computes a substep of dt seconds. */
void reference_pbf_step(reference_pbf *reference, double dt);

#endif
