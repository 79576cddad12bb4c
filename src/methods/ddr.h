/* Double density relaxation: what its files share. */
#ifndef PUDDLE_METHODS_DDR_H
#define PUDDLE_METHODS_DDR_H

#include "methods/motion.h"
#include "methods/springs.h"

/* Places in the parameter table. */
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
    DDR_PARAMETERS,
};

extern const pd_parameter ddr_parameters[DDR_PARAMETERS];

/* Columns of particles. */
enum ddr_column { DDR_SPRING_SLOT = SPRINGS_SLOT, DDR_COLUMNS };

typedef struct ddr_state {
    float *material;  /* by particle, in the order of the last sort: its index as the bits of an int */
    double *rounding; /* momentum that rounding added, x and y, and mass, by block of PD_MOTION_GRAIN particles */
    springs springs;
} ddr_state;

/* Factor on both stiffnesses: more than 1 just after another method, which the fluid leaves less dense than this one wants it. */
float ddr_firmness(const pd_world *world);

/* The sweep over pairs: density, near density, viscosity and displacements (Clavet et al. 2005, algorithms 2 and 5), each
 * particle seeing what those before it have moved. It visits the rows of cells in colours; rows of one colour touch
 * disjoint particles and run on any thread; within a row particles follow one another as in the paper. Every other substep
 * it runs backwards, so that its bias cancels. Writes positions and densities. */
void ddr_relax(pd_world *world, ddr_state *state, float dt);

#endif
