/* State and functions shared by the files of double density relaxation (`ddr`). */
#ifndef PUDDLE_METHODS_DDR_DDR_H
#define PUDDLE_METHODS_DDR_DDR_H

#include "methods/ddr/ddr_lists.h"
#include "methods/particle_fluid/particle_fluid.h"

/* Indices in the parameter table. */
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

extern const pd_parameter ddr_parameters[DDR_PARAMETERS];

/* Columns of particles. */
enum ddr_column { DDR_SPRING_SLOT, DDR_COLUMNS };

typedef struct ddr_state {
    particle_fluid fluid;
    float *material;    /* by particle: index of its material, as the bit pattern of an int */
    double *drift_sums; /* by chunk of PD_MOTION_GRAIN particles: the three sums of pd_motion_drift */
    ddr_lists lists;
} ddr_state;

/* Least number of particles for neighbour lists. With fewer, lists gain little, and the sweep over rows has the order
 * of Kuepers' article. */
enum { DDR_LEAST_LISTED = 2000 };

/* Returns the factor on both stiffnesses, which is above 1 until the rest-density ramp has ended
 * (sim/particles/ramp.h). */
float ddr_ramp_stiffness_factor(const pd_world *world);

/* Computes the field "pressure", Pa. */
void ddr_compute_pressure(const pd_world *world, float *values);

/* Computes density, near density, viscosity and displacements of pairs (Clavet et al. 2005, algorithms 2 and 5),
 * particle after particle, from positions that earlier particles have changed (Gauss-Seidel). Writes positions and
 * densities.
 *
 * Rows of cells have colours: rows of one colour have disjoint neighbourhoods and run on any thread. Within a row the
 * particles are processed in order, as in the paper. Every other substep the sweep runs backwards, so that its bias
 * cancels. From DDR_LEAST_LISTED particles on the sweep uses neighbour lists and runs over cells (ddr_lists.h).
 *
 * kept: the lists of an earlier substep are used again; false: the particles have been sorted in this substep. */
void ddr_relax_pairs(pd_world *world, ddr_state *state, float dt, bool reuse_lists);

#endif
