/* SPH with near pressure: what its files share. */
#ifndef PUDDLE_METHODS_SPH_H
#define PUDDLE_METHODS_SPH_H

#include "methods/motion.h"
#include "sim/lists.h"

/* Places in the parameter table. */
enum sph_parameter {
    SPH_RADIUS,
    SPH_REST_DENSITY,
    SPH_STIFFNESS,
    SPH_NEAR_STIFFNESS,
    SPH_VISCOSITY,
    SPH_DAMPING,
    SPH_PREDICTION,
    SPH_TOOL_STRENGTH,
    SPH_PARAMETERS,
};

extern const pd_parameter sph_parameters[SPH_PARAMETERS];

/* Columns of particles. */
enum sph_column { SPH_RAMP, SPH_PRESSURE, SPH_COLUMNS };

/* What is read together of each particle, in the order of the last sort; nobody's behind them (sim/lists.h). */
typedef float sph_record[8];

typedef struct sph_state {
    pd_lists lists;
    /* Predicted x and y, h; velocity, m/s. 1/n; p and pn with their kernels' factors; the brake of viscosity. */
    sph_record *record;
    float *inverse_mass; /* 1/kg */
} sph_state;

/* The passes over neighbours (sph_wide.c): what all particles share. */
typedef struct sph_pass {
    const pd_world *world;
    const pd_particles *particles;
    const pd_neighbours *neighbours;
    sph_state *state;
    float *pressure; /* mechanical pressure of each particle, for views: the column SPH_PRESSURE */
    float h, inverse_h;
    float density_factor, near_factor;           /* of the kernels W2 and W3 */
    float pressure_factor, near_pressure_factor; /* of half their slopes */
    float viscosity_factor;                      /* of the kernel W6, times viscosity and dt */
    float rest_density, stiffness, near_stiffness;
    float viscosity; /* times dt */
    float dt, fastest;
    bool ramped;             /* the method has just taken over: pd_ramp_factor */
    bool viscous, materials; /* there is viscosity; masses differ */
} sph_pass;

/* Particles [begin, end) of an sph_pass: lists, densities and pressures; then velocities. */
typedef struct sph_kernels {
    pd_loop_body *compute_density, *apply_pressure;
} sph_kernels;

extern const sph_kernels sph_kernels_baseline, sph_kernels_avx2, sph_kernels_avx512;

#endif
