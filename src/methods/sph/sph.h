/* State and loops shared by the files of SPH with near pressure (`sph`). */
#ifndef PUDDLE_METHODS_SPH_SPH_H
#define PUDDLE_METHODS_SPH_SPH_H

#include "methods/particle_fluid/particle_fluid.h"

/* Indices in the method's table of parameters. */
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

/* Indices in the method's table of columns. */
enum sph_column { SPH_RAMP, SPH_SPRING_SLOT, SPH_COLUMNS };

/* Values of a particle that are read together:
 *
 *     0, 1  predicted position, in units of h
 *     2, 3  velocity, m/s
 *     4     1/n, n: density, particles per area
 *     5, 6  pressure and near pressure, times the factors of their kernels
 *     7     1/sqrt(1 + viscosity dt n); if viscosities differ: sqrt(viscosity dt)/sqrt(1 + viscosity dt n)
 *
 * Arrays of records are in the order of the last sort, with sentinels after the last particle
 * (sim/particles/lists.h). */
typedef float sph_record[8];

typedef struct sph_state {
    particle_fluid fluid;
    sph_record *record;  /* by particle: values that are read together */
    float *inverse_mass; /* by particle: 1/mass, 1/kg */
} sph_state;

/* Data of the loops over neighbours (sph_wide.c). */
typedef struct sph_pass {
    const pd_world *world; /* world of the method */
    const pd_particles *particles;
    const pd_neighbours *neighbours;
    sph_state *state;
    float h, inverse_h; /* smoothing radius, m; 1/h */
    /* Constant factors of the kernels and of half their derivatives, q = 1 - r/h: W2 = density_factor q^2, W3 =
     * near_factor q^3, -W2'/2 = pressure_factor q, -W3'/2 = near_pressure_factor q^2. Half: a pair's force uses the
     * mean of both pressures. */
    float density_factor, near_factor, pressure_factor, near_pressure_factor;
    float viscosity_factor; /* factor of the kernel W6; multiplied by viscosity x dt unless viscosities differ */
    float wall_factor;      /* dt/(2 h), factor of the changes of velocity by walls */
    float rest_density, stiffness, near_stiffness; /* parameters of the same names */
    float viscosity;                               /* parameter `viscosity`, times dt */
    float material_viscosity[PD_MAX_MATERIALS];    /* by material: viscosity times dt */
    float dt, speed_limit;                         /* duration of the substep, s; greatest speed of a particle, m/s */
    bool is_ramped;                         /* whether the rest-density ramp has not ended (pd_density_ramp_factor) */
    bool viscous;                           /* whether some viscosity is above 0 */
    bool viscosities_differ, masses_differ; /* whether materials differ in viscosity, in mass */
} sph_pass;

/* Loop bodies over particles [begin, end), one chunk. Their context is an sph_pass. */
typedef struct pd_sph_kernels {
    pd_loop_body *find_lists_and_compute_density; /* makes neighbour lists, computes densities and pressures */
    pd_loop_body *compute_density;                /* computes densities and pressures with existing lists */
    pd_loop_body *apply_pressure;                 /* changes velocities by pressure, viscosity and walls */
} pd_sph_kernels;

extern const pd_sph_kernels pd_sph_kernels_baseline, pd_sph_kernels_avx2, pd_sph_kernels_avx512;

#endif
