/* The loops of the grid fluid over its cells. Compiled once for each SIMD level (core/simd.h); plain loops, which the
 * compiler vectorises: every element is computed on its own, so all levels give the same bits. */
#include "core/simd.h"
#include "methods/grid_levels.h"

#include <math.h>

/* The curl at the centre of each cell, 1/s: from the velocities at the centres of the neighbouring cells. */
void PD_LEVEL_NAME(grid_curl)(const pd_mac *mac, float *curl, int begin, int end) {
    const int nx = mac->layout.nx, stride = mac->layout.stride;
    const float factor = (float)(0.25 / mac->grid.cell);
    for (int j = begin; j < end; j++) {
        size_t row = pd_at(&mac->layout, 0, j);
        const float *restrict u = mac->u + row, *restrict v = mac->v + row, *restrict open = mac->open + row;
        float *restrict to = curl + row;
        for (int i = 0; i < nx; i++) {
            float right = v[i + 1] + v[i + 1 + stride], left = v[i - 1] + v[i - 1 + stride];
            float above = u[i + stride] + u[i + 1 + stride], below = u[i - stride] + u[i + 1 - stride];
            to[i] = open[i] > 0 ? factor * ((right - left) - (above - below)) : 0;
        }
    }
}

/* Vorticity confinement: the force strength * cell * (N x curl), N: the direction in which |curl| grows. force_x and
 * force_y: m/s^2 at the cells' centres. */
void PD_LEVEL_NAME(grid_confinement)(const pd_mac *mac, const float *curl, float strength, float *force_x,
                                     float *force_y, int begin, int end) {
    const int nx = mac->layout.nx, stride = mac->layout.stride;
    const float scale = strength * (float)mac->grid.cell;
    for (int j = begin; j < end; j++) {
        size_t row = pd_at(&mac->layout, 0, j);
        const float *restrict c = curl + row;
        float *restrict fx = force_x + row, *restrict fy = force_y + row;
        for (int i = 0; i < nx; i++) {
            float gx = fabsf(c[i + 1]) - fabsf(c[i - 1]), gy = fabsf(c[i + stride]) - fabsf(c[i - stride]);
            float length = sqrtf(gx * gx + gy * gy), inverse = scale / (length + 1e-9f);
            fx[i] = gy * inverse * c[i];
            fy[i] = -gx * inverse * c[i];
        }
    }
}

/* Adds a force given at the cells' centres, times a factor, to the velocities at the faces between two cells. */
void PD_LEVEL_NAME(grid_add_force)(pd_mac *mac, const float *force_x, const float *force_y, float factor_x,
                                   float factor_y, int begin, int end) {
    const int nx = mac->layout.nx, stride = mac->layout.stride;
    for (int j = begin; j < end; j++) {
        size_t row = pd_at(&mac->layout, 0, j);
        const float *restrict fx = force_x + row, *restrict fy = force_y + row;
        float *restrict u = mac->u + row, *restrict v = mac->v + row;
        for (int i = 1; i < nx; i++) u[i] += 0.5f * factor_x * (fx[i - 1] + fx[i]);
        if (j == 0) continue;
        for (int i = 0; i < nx; i++) v[i] += 0.5f * factor_y * (fy[i - stride] + fy[i]);
    }
}

/* weight += factor * dye */
void PD_LEVEL_NAME(grid_add_weight)(const pd_layout *layout, const float *dye, float factor, float *weight, int begin,
                                    int end) {
    for (int j = begin; j < end; j++) {
        size_t row = pd_at(layout, 0, j);
        const float *restrict from = dye + row;
        float *restrict to = weight + row;
        for (int i = 0; i < layout->nx; i++) to[i] += factor * from[i];
    }
}

/* Limits velocities; those that are not numbers become 0. */
void PD_LEVEL_NAME(grid_limit)(pd_mac *mac, float fastest, int begin, int end) {
    for (int j = begin; j < end; j++) {
        size_t row = pd_at(&mac->layout, 0, j);
        float *restrict u = mac->u + row, *restrict v = mac->v + row;
        for (int i = 0; i <= mac->layout.nx; i++) {
            float x = u[i] < fastest ? u[i] : fastest, y = v[i] < fastest ? v[i] : fastest;
            u[i] = x > -fastest ? x : -fastest;
            v[i] = y > -fastest ? y : -fastest;
        }
    }
}
