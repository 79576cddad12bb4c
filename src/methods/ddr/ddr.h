/* Double density relaxation: what its files share. */
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
    float *material;  /* by particle: index of its material, as the bit pattern of an int (for SIMD) */
    double *rounding; /* by chunk of PD_MOTION_GRAIN particles: the three sums of pd_motion_drift */
    ddr_lists lists;
} ddr_state;

/* Fewer particles are swept over rows: lists gain little there, and rows have the article's order. */
enum { DDR_LEAST_LISTED = 2000 };

/* Factor on both stiffnesses while the rest-density ramp is not 0 (sim/particles/ramp.h), 1 afterwards. */
float ddr_stiffness_factor(const pd_world *world);

/* Computes the field "pressure", Pa. */
void ddr_pressure(const pd_world *world, float *values);

/* The sweep over pairs: density, near density, viscosity and displacements (Clavet et al. 2005, algorithms 2 and 5),
 * for one particle after another, with the positions that the particles before it have changed (Gauss-Seidel). The rows
 * of cells are coloured: rows of one colour have disjoint neighbourhoods and run on any thread; within a row the
 * particles are processed in order, as in the paper. Every other substep the sweep runs backwards, so that its bias
 * cancels. Writes positions and densities.
 *
 * From DDR_LEAST_LISTED particles on the sweep runs over cells instead, with neighbour lists (ddr_lists.h). kept: those of
 * an earlier substep; otherwise the particles have been sorted in this one. */
void ddr_relax(pd_world *world, ddr_state *state, float dt, bool kept);

#endif
