/* State and loops shared by the files of SPH with near pressure (`sph`). */
#ifndef PUDDLE_METHODS_SPH_SPH_H
#define PUDDLE_METHODS_SPH_SPH_H

#include "methods/particle_fluid/particle_fluid.h"

/* Indices in the parameter table. */
enum sph_parameter {
    SPH_RADIUS,
    SPH_REST_DENSITY,
    SPH_STIFFNESS,
    SPH_NEAR_STIFFNESS,
    SPH_VISCOSITY,
    SPH_DAMPING,
    SPH_PREDICTION,
    SPH_TOOL_STRENGTH,
    SPH_WALL_DENSITY,
    SPH_SURFACE_TENSION,
    SPH_CONTACT_ANGLE,
    SPH_SPRING_STIFFNESS,
    SPH_PLASTICITY,
    SPH_YIELD,
    SPH_STICKINESS,
    SPH_STICK_DISTANCE,
    SPH_PARAMETERS,
};

extern const pd_parameter sph_parameters[SPH_PARAMETERS];

/* Columns of particles. The ramp is first, as particle_number_density.ramp_column says. */
enum sph_column { SPH_RAMP, SPH_PRESSURE, SPH_SPRING_SLOT, SPH_COLUMNS };

/* Floats of a particle that are read together:
 *
 *     0, 1  predicted position, h
 *     2, 3  velocity, m/s
 *     4     1/n, n: density, particles per area
 *     5, 6  pressure and near pressure, times the factors of their kernels
 *     7     1/sqrt(1 + viscosity dt n); where viscosities differ, that times sqrt(viscosity dt)
 *
 * Arrays of records are in the order of the last sort, with sentinels behind the particles (sim/particles/lists.h). */
typedef float sph_record[8];

typedef struct sph_state {
    particle_fluid fluid;
    sph_record *record;
    float *inverse_mass; /* 1/kg */
} sph_state;

/* Data of the loops over neighbours (sph_wide.c). */
typedef struct sph_pass {
    const pd_world *world;
    const pd_particles *particles;
    const pd_neighbours *neighbours;
    sph_state *state;
    float *pressure; /* column SPH_PRESSURE, for views: mechanical pressure, Pa / pd_units_particle_mass */
    float h, inverse_h;
    float density_factor, near_factor;           /* factors of the kernels W2 and W3 */
    float pressure_factor, near_pressure_factor; /* factors of half the derivatives of W2 and W3 */
    float viscosity_factor; /* factor of the kernel W6; times viscosity and dt unless viscosities differ */
    float wall_factor;      /* dt/(2 h): factor of the changes of velocity by walls */
    float rest_density, stiffness, near_stiffness;
    float viscosity;                            /* viscosity of the method, times dt */
    float material_viscosity[PD_MAX_MATERIALS]; /* viscosity of each material, times dt */
    float dt, fastest;
    bool ramped; /* the rest-density ramp has not ended: pd_density_ramp_factor */
    bool viscous, viscosities_differ, masses_differ;
} sph_pass;

/* Loop bodies over a chunk of lists, the particles [begin, end). Their context is an sph_pass. */
typedef struct sph_kernels {
    pd_loop_body *find_and_compute_density; /* makes neighbour lists, computes densities and pressures */
    pd_loop_body *compute_density;          /* computes densities and pressures with kept lists */
    pd_loop_body *apply_pressure;           /* changes velocities by pressure, viscosity and walls */
} sph_kernels;

extern const sph_kernels sph_kernels_baseline, sph_kernels_avx2, sph_kernels_avx512;

#endif
