/* Reference of position based fluids: scalar, in double precision. It shares no code with the library's pbf method.
 * Unsupported: obstacles, emitters, tools, vorticity confinement, surface tension. */
#ifndef PUDDLE_REFERENCE_PBF_H
#define PUDDLE_REFERENCE_PBF_H

#include "reference/cells.h"
#include "reference/walls.h"

enum { REFERENCE_PBF_ITERATIONS = 64 }; /* most solver iterations of a substep */

typedef struct reference_pbf {
    int count; /* number of particles */
    /* By particle: position now and at the beginning of the substep, m; velocity, m/s; mass. */
    double *x, *y, *vx, *vy, *old_x, *old_y, *mass;
    double *density; /* number densities with the particle itself, 1/m^2 */
    double *lambda;  /* multiplier of each particle's density constraint */
    /* Displacements in an iteration, m; after the iterations: velocity changes by XSPH, m/s. */
    double *delta_x, *delta_y;
    /* Density error before each iteration of the last substep, and after its last iteration. n: density, n0:
     * rest_density. */
    double density_error[REFERENCE_PBF_ITERATIONS + 1]; /* mean of max(0, n/n0 - 1) over the particles */
    /* Parameters with the names and units of the method's parameters. May be changed between steps. */
    double radius, rest_density, relaxation, scorr_strength, scorr_distance, xsph;
    int iterations, scorr_exponent;
    bool cohesion; /* particles also attract each other where the density is below the rest density */
    bool poly6;    /* density kernel: true: poly6, as in Macklin, Mueller 2013; false: spiky, (1 - r/h)^3 */
    double gravity_x, gravity_y; /* gravity, m/s^2 */
    reference_walls walls;       /* walls of the container */
    /* by particle: fractions of its kernels behind walls, at the beginning of an iteration */
    reference_wall_fractions *behind_walls;
    reference_cells cells;
    reference_neighbours neighbours; /* found at the predicted positions, with distances of the present iteration */
} reference_pbf;

/* Creates a reference with the particles and parameters of a world of method pbf. Errors: OUT_OF_MEMORY,
 * PARAMETER_UNKNOWN. */
pd_result reference_pbf_create(reference_pbf **created, const pd_world *world, pd_error *error);
void reference_pbf_destroy(reference_pbf *pbf);
/* Computes a substep of dt seconds. */
void reference_pbf_step(reference_pbf *pbf, double dt);

#endif
