/* The inner loops of double density relaxation, compiled once for each SIMD level. */
#ifndef PUDDLE_METHODS_DDR_WIDE_H
#define PUDDLE_METHODS_DDR_WIDE_H

#include "sim/neighbours.h"

/* One sweep over pairs: what all rows share. */
typedef struct ddr_sweep {
    const pd_neighbours *neighbours;
    float *x, *y, *vx, *vy, *density;
    const float *material; /* its index as the bits of an int */
    const uint8_t *material_index;
    const uint32_t *id;
    bool backwards; /* this substep's direction */
    int colour;
    float h, inverse_h;
    float dt;
    float stiffness, near_stiffness; /* times dt^2 */
    float rest_density;
    float farthest;  /* m: most that one pair moves */
    float quadratic; /* viscosity times dt */
    bool viscous;    /* any viscosity is above 0 */
    bool materials;  /* pairs differ: the tables by material of one and the other hold, else [0][0] */
    float share[PD_MAX_MATERIALS][PD_MAX_MATERIALS];       /* of a displacement that goes to the one */
    float other_share[PD_MAX_MATERIALS][PD_MAX_MATERIALS]; /* and to the other */
    float viscosity[PD_MAX_MATERIALS][PD_MAX_MATERIALS];   /* linear, times dt */
    float repulsion[PD_MAX_MATERIALS][PD_MAX_MATERIALS]; /* pressure times dt^2 that a pair has beside its density's */
    float strongest_repulsion;                           /* the greatest of them, without sign */
} ddr_sweep;

/* Rows [begin, end) of the sweep's colour: a pd_loop_body with a ddr_sweep for context. */
typedef struct ddr_kernels {
    void (*relax_rows)(void *sweep, int begin, int end);
} ddr_kernels;

extern const ddr_kernels ddr_kernels_baseline, ddr_kernels_avx2, ddr_kernels_avx512;

#endif
