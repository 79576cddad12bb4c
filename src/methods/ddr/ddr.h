/* State and functions shared by the files of double density relaxation (`ddr`). */
#ifndef PUDDLE_METHODS_DDR_DDR_H
#define PUDDLE_METHODS_DDR_DDR_H

#include "methods/ddr/ddr_lists.h"
#include "methods/particle_fluid/particle_fluid.h"

/* Indices in the method's table of parameters. */
enum ddr_parameter {
    DDR_RADIUS,
    DDR_STIFFNESS,
    DDR_NEAR_STIFFNESS,
    DDR_REST_DENSITY,
    DDR_LINEAR_VISCOSITY,
    DDR_QUADRATIC_VISCOSITY,
    DDR_SPRING_STIFFNESS,
    DDR_PLASTICITY,
    DDR_YIELD,
    DDR_STICKINESS,
    DDR_STICK_DISTANCE,
    DDR_ANTI_STICK,
    DDR_EQUAL_WEIGHT,
    DDR_WALL_DENSITY,
    DDR_SURFACE_TENSION,
    DDR_CONTACT_ANGLE,
    DDR_PARAMETERS,
};

extern const pd_parameter pd_ddr_parameters[DDR_PARAMETERS];

/* Indices in the method's table of columns. */
enum ddr_column { DDR_RAMP, DDR_SPRING_SLOT, DDR_COLUMNS };

typedef struct ddr_state {
    particle_fluid fluid;
    float *material;    /* by particle: index of its material, as the bit pattern of an int */
    double *drift_sums; /* working memory of pd_motion_compute_drift: three sums for each PD_MOTION_GRAIN particles */
    ddr_lists lists;
} ddr_state;

/* Least number of particles for neighbour lists. With fewer particles lists gain little, and the sweep runs over rows,
 * in the order of Kuepers' article. */
enum { DDR_LEAST_LISTED = 2000 };

/* Functions of pd_density_law. */
pd_fluid_at_rest pd_ddr_find_fluid_at_rest(const pd_world *world, float mass, float pressure);

/* Returns the factor c with which the pressure of fluid at rest is 0 where density + c near density is the rest density. */
float pd_ddr_compute_near_share(const pd_world *world);

void pd_ddr_compute_pressures(const pd_world *world, float *pressure);

/* Displaces pairs of particles by pressure, near pressure and viscosity (Clavet et al. 2005, algorithms 2 and 5),
 * particle after particle. Each particle starts from the positions that earlier particles have changed (Gauss-Seidel).
 * Writes positions and densities.
 *
 * Rows of cells have colours: rows of one colour have disjoint neighbourhoods and run on any thread. Within a row the
 * particles are processed in order, as in the paper. Every other substep the sweep runs backwards, so that its bias
 * cancels. From DDR_LEAST_LISTED particles on the sweep uses neighbour lists and runs over cells (ddr_lists.h).
 *
 * reuse_lists: use the lists of an earlier substep. false: the particles have been sorted in this substep. */
void pd_ddr_relax_pairs(pd_world *world, ddr_state *state, float dt, bool reuse_lists);

#endif
