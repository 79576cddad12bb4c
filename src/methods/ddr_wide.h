/* The inner loops of double density relaxation, compiled once for each SIMD level. */
#ifndef PUDDLE_METHODS_DDR_WIDE_H
#define PUDDLE_METHODS_DDR_WIDE_H

#include "sim/neighbours.h"

/* One sweep over pairs: what all rows share. */
typedef struct ddr_sweep {
    const pd_neighbours *neighbours;
    float *x, *y, *vx, *vy, *density;
    const float *inverse_mass;
    const uint32_t *id;
    bool mixed;     /* masses differ */
    bool backwards; /* this substep's direction */
    int colour;
    float h, inverse_h;
    float dt;
    float stiffness, near_stiffness; /* times dt^2 */
    float rest_density;
    float farthest;          /* m: most that one pair moves */
    float linear, quadratic; /* viscosities times dt */
} ddr_sweep;

/* Rows [begin, end) of the sweep's colour: a pd_body with a ddr_sweep for context. */
typedef struct ddr_kernels {
    void (*relax_rows)(void *sweep, int begin, int end);
} ddr_kernels;

extern const ddr_kernels ddr_kernels_baseline, ddr_kernels_avx2, ddr_kernels_avx512;

#endif
