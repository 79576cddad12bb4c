/* Reference of position based fluids: scalar, double precision, without code of the library. Neighbours come from
 * linked lists by cell. Unsupported: obstacles, emitters, tools, vorticity confinement, surface tension. */
#ifndef PUDDLE_REFERENCE_PBF_H
#define PUDDLE_REFERENCE_PBF_H

#include "reference/cells.h"
#include "reference/walls.h"

enum { REFERENCE_PBF_ITERATIONS = 64 }; /* most iterations of a substep */

typedef struct reference_pbf {
    int count;
    double *x, *y, *vx, *vy, *old_x, *old_y, *mass;
    double *density; /* number densities, 1/m^2, with the particle itself; after a step at the final positions */
    double *lambda;  /* multipliers of the density constraints */
    double *delta_x, *delta_y; /* displacements in an iteration, m; then changes of velocity, m/s */
    /* Mean of max(0, n/n0 - 1) before each iteration and after the last. n: number density, n0: at rest. */
    double density_error[REFERENCE_PBF_ITERATIONS + 1];
    /* Quantities of the paper. They may be changed between steps. relaxation: 1/h^2, scorr_strength: h^2. */
    double radius, rest_density, relaxation, scorr_strength, scorr_distance, xsph;
    int iterations, scorr_exponent;
    bool cohesion;
    bool poly6; /* density kernel: poly6, as in the paper; false: spiky, (1 - r/h)^3 */
    double gravity_x, gravity_y;
    reference_walls walls; /* container and parameters of its walls */
    /* fractions of the kernels that walls hide, by particle, at the beginning of an iteration */
    reference_hidden *hidden;
    reference_cells cells;
    /* Neighbours at the predicted positions of the step, with the distances of the last density computation. */
    reference_neighbours neighbours;
} reference_pbf;

/* Copies the particles of a world and its pbf parameters. Errors: OUT_OF_MEMORY, PARAMETER_UNKNOWN. */
pd_result reference_pbf_create(reference_pbf **created, const pd_world *world, pd_error *error);
void reference_pbf_destroy(reference_pbf *pbf);
/* Computes a substep of dt seconds. */
void reference_pbf_step(reference_pbf *pbf, double dt);

#endif
