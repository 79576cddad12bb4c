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

/* Four floats of each particle that are read together, in the order of the last sort; one more record stands for nobody. */
typedef float sph_record[4];

typedef struct sph_state {
    pd_lists lists;
    sph_record *motion;   /* predicted x and y, m; velocity, m/s */
    sph_record *pressure; /* 1/n; p/n and pn/n with their kernels' factors; what the brake of viscosity takes of it */
    float *total;         /* mechanical pressure, for views */
    uint32_t *material;   /* where masses differ */
} sph_state;

/* The passes over neighbours (sph_wide.c): what all particles share. */
typedef struct sph_pass {
    const pd_world *world;
    const pd_particles *particles;
    const pd_neighbours *neighbours;
    sph_state *state;
    float h, inverse_h;
    float density_factor, near_factor;           /* of the kernels W2 and W3 */
    float pressure_factor, near_pressure_factor; /* of half their slopes */
    float viscosity_factor;                      /* of the kernel W6, times viscosity and dt */
    float rest_density, stiffness, near_stiffness;
    float viscosity; /* times dt */
    float dt, fastest;
    bool eased;              /* the method has just taken over: pd_world_eased */
    bool viscous, materials; /* there is viscosity; masses differ */
    float inverse_mass[PD_MAX_MATERIALS];
    float share[PD_MAX_MATERIALS][PD_MAX_MATERIALS]; /* 2 mj/(mi + mj): the one's part of what viscosity exchanges */
} sph_pass;

/* Particles [begin, end) of an sph_pass: lists, densities and pressures; then velocities. */
typedef struct sph_kernels {
    pd_body *weigh, *push;
} sph_kernels;

extern const sph_kernels sph_kernels_baseline, sph_kernels_avx2, sph_kernels_avx512;

#endif
