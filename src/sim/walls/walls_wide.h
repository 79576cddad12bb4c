/* Wall weights of PD_LANES particles, for loops that are compiled once for each SIMD level (core/simd.h). */
#ifndef PUDDLE_SIM_WALLS_WALLS_WIDE_H
#define PUDDLE_SIM_WALLS_WALLS_WIDE_H

#include "core/simd.h"
#include "sim/walls/walls.h"

/* Returns whether walls act on any of the particles i to i + PD_LANES - 1. Indices beyond the last particle are allowed. */
static inline bool pd_walls_any_near(const pd_walls *walls, int i) {
    uint32_t any = 0;
    for (int k = 0; k < PD_LANES; k++) any |= walls->index[i + k];
    return any != 0;
}

/* Loads pd_wall_weight.far_gain and near_gain of the particles i to i + PD_LANES - 1. Away from walls both are 1. */
static inline void pd_walls_load_gains(const pd_walls *walls, int i, pd_floatw *far, pd_floatw *near) {
    float far_gain[PD_LANES], near_gain[PD_LANES];
    for (int k = 0; k < PD_LANES; k++) {
        const pd_wall_weight *w = &walls->weight[walls->index[i + k]];
        far_gain[k] = w->far_gain;
        near_gain[k] = w->near_gain;
    }
    *far = pd_load_all(far_gain);
    *near = pd_load_all(near_gain);
}

/* Returns the pressures of the particles i to i + PD_LANES - 1, negative ones multiplied by pd_wall_weight.cohesion. */
static inline pd_floatw pd_walls_weaken_cohesion(const pd_walls *walls, int i, pd_floatw pressure) {
    float cohesion[PD_LANES];
    for (int k = 0; k < PD_LANES; k++) cohesion[k] = walls->weight[walls->index[i + k]].cohesion;
    return pd_max(pressure, pd_mul(pressure, pd_load_all(cohesion)));
}

/* Adds to (*x, *y) the displacements (or changes of velocity) that walls cause to the particles i to i + PD_LANES - 1. */
static inline void pd_walls_add_displacements(const pd_walls *walls, int i, pd_floatw *x, pd_floatw *y) {
    float pushed_x[PD_LANES], pushed_y[PD_LANES];
    for (int k = 0; k < PD_LANES; k++)
        pd_walls_compute_displacement(&walls->weight[walls->index[i + k]], &pushed_x[k], &pushed_y[k]);
    *x = pd_add(*x, pd_load_all(pushed_x));
    *y = pd_add(*y, pd_load_all(pushed_y));
}

#endif
