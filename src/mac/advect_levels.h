/* Loops of mac/advect.h, compiled for each SIMD level (advect_wide.c). */
#ifndef PUDDLE_MAC_ADVECT_LEVELS_H
#define PUDDLE_MAC_ADVECT_LEVELS_H

#include "mac/advect.h"

/* Loop over the rows [begin, end) of the transported arrays. dt: time step divided by the cell size, s/m. */
typedef void pd_advect_rows(const pd_transport *transport, float dt, int begin, int end);
typedef void pd_advect_particles_range(const pd_mac *mac, float dt, int count, float *x, float *y);
typedef void pd_mac_sample_range(const pd_mac *mac, const float *values, int count, const float *x, const float *y,
                                 float *to);
typedef void pd_mac_velocities_range(const pd_mac *mac, int count, const float *x, const float *y, float *vx,
                                     float *vy);

#define PD_ADVECT_DECLARE(level)                                                                                       \
    pd_advect_rows pd_advect_rows_##level;                                                                             \
    pd_advect_rows pd_correct_advection_of_rows_##level;                                                               \
    pd_advect_particles_range pd_advect_particles_##level;                                                             \
    pd_mac_velocities_range pd_mac_interpolate_velocities_##level;                                                     \
    pd_mac_sample_range pd_mac_interpolate_cell_values_##level;
PD_ADVECT_DECLARE(baseline)
PD_ADVECT_DECLARE(avx2)
PD_ADVECT_DECLARE(avx512)

#endif
