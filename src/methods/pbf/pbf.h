/* State and loops shared by the files of position based fluids (`pbf`). */
#ifndef PUDDLE_METHODS_PBF_PBF_H
#define PUDDLE_METHODS_PBF_PBF_H

#include "methods/particle_fluid/particle_fluid.h"

/* Indices in the method's table of parameters. */
enum pbf_parameter {
    PBF_RADIUS,
    PBF_REST_DENSITY,
    PBF_RELAXATION,
    PBF_ITERATIONS,
    PBF_SCORR_STRENGTH,
    PBF_SCORR_EXPONENT,
    PBF_SCORR_DISTANCE,
    PBF_COHESION,
    PBF_XSPH,
    PBF_VORTICITY,
    PBF_KERNEL,
    PBF_WALL_DENSITY,
    PBF_SURFACE_TENSION,
    PBF_SPRING_STIFFNESS,
    PBF_PLASTICITY,
    PBF_YIELD,
    PBF_STICKINESS,
    PBF_STICK_DISTANCE,
    PBF_PARAMETERS,
};

/* Indices in the method's table of columns. */
enum pbf_column { PBF_RAMP, PBF_SPRING_SLOT, PBF_COLUMNS };

enum { PBF_MOST_ITERATIONS = 20 };

/* Inverse mass, 1/kg, above which the displacements of particles are softened. Measured without softening: a pool of
 * particles of 1/5 kg is at rest, of 1/6 kg moves with 0.08 m/s, of 1/8 kg flies apart. */
#define PBF_LIGHT 4.0f

/* Values of a particle that are read together. Arrays of records are in the order of the last sort, with sentinels
 * after the last particle (sim/particles/lists.h). */
typedef float pbf_record[4];

typedef struct pbf_state {
    particle_fluid fluid;
    pbf_record *position;               /* x and y in units of h; inverse mass, 1/kg */
    pbf_record *lambda;                 /* x and y in units of h; lambda in h^2, later curl in 1/s; inverse mass */
    pbf_record *velocity;               /* velocity, m/s; root_xsph of the material */
    float *correction_x, *correction_y; /* displacement from the predicted position by solver and walls, m */
    float *corrected_x, *corrected_y;   /* predicted position plus this displacement, m */
    double *excess_sum; /* by chunk of PD_LIST_GRAIN particles: sum of max(0, C), C = density / rest density - 1 */
    float mean_excess[PBF_MOST_ITERATIONS + 1]; /* mean of max(0, C) before each iteration, and after the last one */
    int excess_count;                           /* number of elements of `mean_excess` */
} pbf_state;

/* Data of the loops over neighbours (pbf_wide.c). The unit of length in these loops is h. */
typedef struct pbf_pass {
    const pd_motion *motion; /* data of the substep */
    const pd_particles *particles;
    const pd_neighbours *neighbours;
    pbf_state *state;
    float h, inverse_h;     /* interaction radius, m; 1/h */
    float density_factor;   /* factor of the density kernel / rest density; the sum of the kernel is then C + 1 */
    float smoothing_factor; /* factor of the kernel W6 / rest density */
    float gradient_factor;  /* factor of the spiky kernel's derivative / rest density */
    float relaxation;       /* epsilon of eq. 11, in 1/h^2 */
    /* Artificial pressure (eq. 13): strength: factor k. inverse_reach: 1/(1 - dq^2), dq: distance at which the
     * artificial pressure equals k, in units of h. */
    float strength, inverse_reach;
    int exponent;                      /* exponent n of the artificial pressure */
    float xsph, vorticity;             /* XSPH viscosity and strength of vorticity confinement in this substep */
    float rest_density;                /* particles per area, 1/m^2 */
    bool is_ramped;                    /* whether the rest-density ramp has not ended (pd_density_ramp_factor) */
    bool uses_poly6;                   /* whether the density kernel is W6; false: the spiky kernel */
    bool attracts;                     /* whether the constraint also attracts where the density is too low */
    bool has_light_particles;          /* whether a material's inverse mass is above PBF_LIGHT */
    bool masses_differ;                /* whether materials differ in mass */
    bool has_bodies;                   /* whether the scene has bodies */
    bool viscosities_differ;           /* whether materials differ in viscosity */
    bool unyielding_only_repel;        /* whether `attracts` is true, but not for unyielding materials */
    bool unyielding[PD_MAX_MATERIALS]; /* by material: whether it is elastic without plasticity */
    float root_xsph[PD_MAX_MATERIALS]; /* by material: square root of its XSPH viscosity in this substep, at most 1 */
} pbf_pass;

/* Loop bodies over particles [begin, end), one chunk. Their context is a pbf_pass. */
typedef struct pd_pbf_kernels {
    pd_loop_body *find_lists;        /* makes neighbour lists */
    pd_loop_body *compute_lambda;    /* C and lambda (eq. 1, 11): reads state->position, writes state->lambda */
    pd_loop_body *displace;          /* displacements (eq. 14): reads state->lambda, writes state->position */
    pd_loop_body *smooth_velocities; /* densities, XSPH (eq. 17) and curls: reads state->position and state->velocity */
    pd_loop_body *confine_vorticity; /* adds vorticity confinement (eq. 16) to the velocities */
} pd_pbf_kernels;

extern const pd_pbf_kernels pd_pbf_kernels_baseline, pd_pbf_kernels_avx2, pd_pbf_kernels_avx512;

#endif
