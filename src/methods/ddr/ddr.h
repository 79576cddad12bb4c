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

#endif
