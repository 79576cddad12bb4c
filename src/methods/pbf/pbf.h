/* State and loops shared by the files of position based fluids (`pbf`). */
#ifndef PUDDLE_METHODS_PBF_PBF_H
#define PUDDLE_METHODS_PBF_PBF_H

#include "methods/particle_fluid/particle_fluid.h"

/* Indices in the parameter table. */
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

extern const pd_parameter pbf_parameters[PBF_PARAMETERS];

/* Columns of particles. The ramp is first, as particle_number_density.ramp_column says. */
enum pbf_column { PBF_RAMP, PBF_SPRING_SLOT, PBF_COLUMNS };

enum { PBF_MOST_ITERATIONS = 20 };

/* Inverse mass, 1/kg, above which the displacements of particles are softened. Measured without softening: a pool of
 * mass 1/5 is at rest, a pool of mass 1/6 moves with 0.08 m/s, a pool of mass 1/8 flies apart. */
#define PBF_LIGHT 4.0f

/* Floats of a particle that are read together. Arrays of records are in the order of the last sort, with sentinels
 * behind the particles (sim/particles/lists.h). */
typedef float pbf_record[4];

typedef struct pbf_state {
    particle_fluid fluid;
    pbf_record *position;               /* x and y in units of h; inverse mass, 1/kg */
    pbf_record *lambda;                 /* x and y in units of h; lambda in h^2, later curl in 1/s; inverse mass */
    pbf_record *velocity;               /* velocity, m/s; root_xsph of the material */
    float *correction_x, *correction_y; /* m: displacement from the predicted position, by solver and walls */
    float *corrected_x, *corrected_y;   /* m: predicted position plus displacement */
    double *excess; /* by chunk of PD_LIST_GRAIN particles: sum of max(0, C), C = density / rest density - 1 */
    /* Mean of max(0, C) before each iteration of the last substep, and after the last iteration. */
    float error[PBF_MOST_ITERATIONS + 1];
    int errors; /* number of elements of `error` */
} pbf_state;

/* Data of the loops over neighbours (pbf_wide.c), whose unit of length is h. */
typedef struct pbf_pass {
    const pd_motion *motion;
    const pd_particles *particles;
    const pd_neighbours *neighbours;
    pbf_state *state;
    float h, inverse_h;
    float density_factor;   /* factor of the density kernel, over the rest density: the sum is then C + 1 */
    float smoothing_factor; /* factor of the kernel W6, over the rest density */
    float gradient_factor;  /* factor of the derivative of the spiky kernel, over the rest density */
    float relaxation;
    /* Strength of the artificial pressure; 1/(1 - dq^2), dq: distance at which the pressure equals it. */
    float strength, inverse_reach;
    int exponent;
    float xsph, vorticity; /* XSPH viscosity and vorticity confinement of this substep */
    float rest_density;
    bool ramped;   /* the rest-density ramp has not ended: pd_density_ramp_factor */
    bool poly;     /* the density kernel is W6; false: spiky */
    bool cohesion; /* the constraint also attracts */
    bool light;    /* an inverse mass is above PBF_LIGHT */
    bool masses_differ, viscosities_differ;
    bool spares_unyielding;            /* `cohesion` applies to all materials except unyielding ones */
    bool unyielding[PD_MAX_MATERIALS]; /* the material has springs that do not yield */
    /* By material: square root of its XSPH viscosity in this substep, which is at most 1. */
    float root_xsph[PD_MAX_MATERIALS];
} pbf_pass;

/* Loop bodies over a chunk of lists, the particles [begin, end). Their context is a pbf_pass. */
typedef struct pbf_kernels {
    pd_loop_body *find;           /* makes neighbour lists */
    pd_loop_body *compute_lambda; /* C and lambda (eq. 1, 11): reads state->position, writes state->lambda */
    pd_loop_body *displace;       /* displacements (eq. 14): reads state->lambda, writes state->position */
    pd_loop_body *smooth;         /* densities, XSPH (eq. 17) and curls: reads state->position and state->velocity */
    pd_loop_body *confine;        /* vorticity confinement (eq. 16) */
} pbf_kernels;

extern const pbf_kernels pbf_kernels_baseline, pbf_kernels_avx2, pbf_kernels_avx512;

#endif
