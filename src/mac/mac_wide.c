/* Loops of outflow and pressure gradient, compiled once for each SIMD level (core/simd.h). Each element is computed on
 * its own, so that all levels give the same bits. */
#include "core/simd.h"
#include "mac/mac_levels.h"

pd_mac_outflow_rows PD_LEVEL_NAME(pd_mac_compute_outflow);
pd_mac_gradient_rows PD_LEVEL_NAME(pd_mac_subtract_gradient);

void PD_LEVEL_NAME(pd_mac_compute_outflow)(const pd_mac *mac, float *outflow, float scale, int begin, int end) {
    const int nx = mac->layout.nx, stride = mac->layout.stride;
    for (int j = begin; j < end; j++) {
        size_t row = pd_element_index(&mac->layout, 0, j);
        const float *restrict u = mac->u + row, *restrict v = mac->v + row, *restrict wall_x = mac->wall_x + row;
        const float *restrict wall_y = mac->wall_y + row, *restrict open_x = mac->open_x + row;
        const float *restrict open_y = mac->open_y + row;
        float *restrict to = outflow + row;
        for (int i = 0; i < nx; i++) {
            int above = i + stride;
            float left = open_x[i] * u[i] + (1 - open_x[i]) * wall_x[i];
            float right = open_x[i + 1] * u[i + 1] + (1 - open_x[i + 1]) * wall_x[i + 1];
            float below = open_y[i] * v[i] + (1 - open_y[i]) * wall_y[i];
            float top = open_y[above] * v[above] + (1 - open_y[above]) * wall_y[above];
            to[i] = ((right - left) + (top - below)) * scale;
        }
    }
}

void PD_LEVEL_NAME(pd_mac_subtract_gradient)(pd_mac *mac, const float *q, int begin, int end) {
    const int nx = mac->layout.nx, stride = mac->layout.stride;
    for (int j = begin; j < end; j++) {
        size_t row = pd_element_index(&mac->layout, 0, j);
        const float *restrict here = q + row, *restrict below = q + row - stride;
        const float *restrict open_x = mac->open_x + row, *restrict open_y = mac->open_y + row;
        float *restrict u = mac->u + row, *restrict v = mac->v + row;
        for (int i = 1; i < nx; i++) u[i] -= open_x[i] > 0 ? here[i] - here[i - 1] : 0;
        if (j == 0) continue;
        for (int i = 0; i < nx; i++) v[i] -= open_y[i] > 0 ? here[i] - below[i] : 0;
    }
}
