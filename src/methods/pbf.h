/* Position based fluids: what its files share. */
#ifndef PUDDLE_METHODS_PBF_H
#define PUDDLE_METHODS_PBF_H

#include "methods/motion.h"
#include "sim/lists.h"

/* Places in the parameter table. */
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
    PBF_PARAMETERS,
};

extern const pd_parameter pbf_parameters[PBF_PARAMETERS];

/* Columns of particles. */
enum pbf_column { PBF_RAMP, PBF_COLUMNS };

enum { PBF_MOST_ITERATIONS = 20 };

/* Four floats of each particle that are read together, in the order of the last sort; nobody's behind them (sim/lists.h). */
typedef float pbf_record[4];

typedef struct pbf_state {
    pd_lists lists;
    pbf_record *place;        /* x and y, h; inverse mass */
    pbf_record *lambda;       /* x and y, h; lambda, h^2, or curl, 1/s; inverse mass */
    pbf_record *moving;       /* velocity, m/s */
    float *moved_x, *moved_y; /* m: the way gone by the solver and walls in this substep */
    float *now_x, *now_y;     /* m: where that leads */
    double *excess;           /* sum of max(0, C) by stretch of PD_LIST_GRAIN particles */
    /* The mean of max(0, C) before each iteration of the last substep, and after the last one. */
    float error[PBF_MOST_ITERATIONS + 1];
    int errors;
} pbf_state;

/* The passes over neighbours (pbf_wide.c): what all particles share. Inside, lengths are in units of h. */
typedef struct pbf_pass {
    const pd_motion *motion;
    const pd_particles *particles;
    const pd_neighbours *neighbours;
    pbf_state *state;
    float h, inverse_h;
    float density_factor;   /* of the kernel that weighs, over rest density: its sum is C + 1 */
    float smoothing_factor; /* of the kernel W6, over rest density */
    float gradient_factor;  /* of the slope of the spiky kernel, over rest density */
    float relaxation;
    float strength, inverse_reach; /* artificial pressure; 1/(1 - dq^2) */
    int exponent;
    float xsph, vorticity; /* of this substep */
    float rest_density;
    bool ramped;              /* the method has just taken over: pd_ramp_factor */
    bool poly;                /* W6 weighs, not the spiky kernel */
    bool cohesion, materials; /* masses differ */
} pbf_pass;

/* Particles [begin, end) of a pbf_pass, a stretch of lists each. */
typedef struct pbf_kernels {
    pd_loop_body *find;           /* lists */
    pd_loop_body *compute_lambda; /* C and lambda (eq. 1, 11): from place to pushed */
    pd_loop_body *displace;       /* displacements (eq. 14): from pushed to place */
    pd_loop_body *smooth;         /* densities, XSPH (eq. 17) and curls: from place and moving to velocities */
    pd_loop_body *confine;        /* vorticity confinement (eq. 16) */
} pbf_kernels;

extern const pbf_kernels pbf_kernels_baseline, pbf_kernels_avx2, pbf_kernels_avx512;

#endif
