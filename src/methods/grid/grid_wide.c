/* Loops of the grid fluid over its cells, compiled once for each SIMD level (core/simd.h). Each element is computed on
 * its own, so that all levels give the same bits. */
#include "core/simd.h"
#include "methods/grid/grid.h"

#include <math.h>

/* Computes the curl at the cells' centres, 1/s, from the velocities at the centres of the neighbouring cells. */
void PD_LEVEL_NAME(pd_grid_compute_curl)(const pd_mac *mac, float *curl, int begin, int end) {
    const int nx = mac->layout.nx, stride = mac->layout.stride;
    const float factor = (float)(0.25 / mac->grid.cell);
    for (int j = begin; j < end; j++) {
        size_t row = pd_element_index(&mac->layout, 0, j);
        const float *restrict u = mac->u + row, *restrict v = mac->v + row, *restrict open = mac->open + row;
        float *restrict to = curl + row;
        for (int i = 0; i < nx; i++) {
            float right = v[i + 1] + v[i + 1 + stride], left = v[i - 1] + v[i - 1 + stride];
            float above = u[i + stride] + u[i + 1 + stride], below = u[i - stride] + u[i + 1 - stride];
            to[i] = open[i] > 0 ? factor * ((right - left) - (above - below)) : 0;
        }
    }
}

/* Computes the vorticity confinement, m/s^2 at the cells' centres: strength * cell * (N x curl), N: unit vector of grad
 * |curl|. */
void PD_LEVEL_NAME(pd_grid_compute_confinement)(const pd_mac *mac, const float *curl, float strength, float *force_x,
                                                float *force_y, int begin, int end) {
    const int nx = mac->layout.nx, stride = mac->layout.stride;
    const float scale = strength * (float)mac->grid.cell;
    for (int j = begin; j < end; j++) {
        size_t row = pd_element_index(&mac->layout, 0, j);
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

/* Adds factor x force to the velocities at the faces between two cells, from a force that is given at the cells'
 * centres. */
void PD_LEVEL_NAME(pd_grid_add_force)(pd_mac *mac, const float *force_x, const float *force_y, float factor_x,
                                      float factor_y, int begin, int end) {
    const int nx = mac->layout.nx, stride = mac->layout.stride;
    for (int j = begin; j < end; j++) {
        size_t row = pd_element_index(&mac->layout, 0, j);
        const float *restrict fx = force_x + row, *restrict fy = force_y + row;
        float *restrict u = mac->u + row, *restrict v = mac->v + row;
        for (int i = 1; i < nx; i++) u[i] += 0.5f * factor_x * (fx[i - 1] + fx[i]);
        if (j == 0) continue;
        for (int i = 0; i < nx; i++) v[i] += 0.5f * factor_y * (fy[i - stride] + fy[i]);
    }
}

/* weight += factor * dye, by cell. */
void PD_LEVEL_NAME(pd_grid_add_dye_weight)(const pd_layout *layout, const float *dye, float factor, float *weight,
                                           int begin, int end) {
    for (int j = begin; j < end; j++) {
        size_t row = pd_element_index(layout, 0, j);
        const float *restrict from = dye + row;
        float *restrict to = weight + row;
        for (int i = 0; i < layout->nx; i++) to[i] += factor * from[i];
    }
}

/* dye += gain * dye * (1 - dye) by cell, limited to [0, 1]. */
void PD_LEVEL_NAME(pd_grid_correct_dye)(const pd_layout *layout, float *dye, float gain, int begin, int end) {
    for (int j = begin; j < end; j++) {
        float *restrict to = dye + pd_element_index(layout, 0, j);
        for (int i = 0; i < layout->nx; i++) {
            float value = to[i] + gain * to[i] * (1 - to[i]);
            value = value < 1 ? value : 1;
            to[i] = value > 0 ? value : 0;
        }
    }
}

/* Returns the greatest absolute value, ignoring NaN. */
float PD_LEVEL_NAME(pd_grid_greatest_magnitude)(const float *values, int count) {
    float lane[PD_LANES], fastest = 0;
    pd_floatw greatest = pd_set(0);
    for (int i = 0; i < count; i += PD_LANES) {
        int rest = count - i;
        pd_floatw a = rest < PD_LANES ? pd_load(pd_lane_range(0, rest), values + i) : pd_load_all(values + i);
        greatest = pd_max(pd_max(a, pd_sub(pd_set(0), a)), greatest);
    }
    pd_store_all(lane, greatest);
    for (int k = 0; k < PD_LANES; k++) fastest = lane[k] > fastest ? lane[k] : fastest;
    return fastest;
}

/* Limits velocities to [-fastest, fastest]. NaN becomes `fastest`. */
void PD_LEVEL_NAME(pd_grid_limit_velocities)(pd_mac *mac, float fastest, int begin, int end) {
    for (int j = begin; j < end; j++) {
        size_t row = pd_element_index(&mac->layout, 0, j);
        float *restrict u = mac->u + row, *restrict v = mac->v + row;
        for (int i = 0; i <= mac->layout.nx; i++) {
            float x = u[i] < fastest ? u[i] : fastest, y = v[i] < fastest ? v[i] : fastest;
            u[i] = x > -fastest ? x : -fastest;
            v[i] = y > -fastest ? y : -fastest;
        }
    }
}

/* Computes closed_neighbours, and the equation's coefficients without walls. add_walls_to_equations_of_row
 * (grid_forces.c) adds the terms of the walls. */
void PD_LEVEL_NAME(pd_grid_set_diffusion_matrix)(const grid_diffusion *d, int begin, int end) {
    const pd_layout *own = &d->equation->layout;
    const int nx = own->nx, stride = d->layout->stride;
    for (int j = begin; j < end; j++) {
        size_t row = pd_element_index(own, 0, j);
        const float *restrict open = d->open + pd_element_index(d->layout, 0, j);
        float *restrict face_x = d->equation->face_x + row, *restrict face_y = d->equation->face_y + row;
        float *restrict to = d->equation->open + row;
        uint8_t *restrict beside = d->closed_neighbours + row;
        const int lowest = j == 0, highest = j == own->ny - 1;
        const float *restrict above = highest ? open : open + stride; /* the grid may have no row above */
        for (int i = 0; i < nx; i++) {
            int here = open[i] > 0, left = (i > 0) & (open[i - 1] > 0), right = (i < nx - 1) & (open[i + 1] > 0);
            int lower = !lowest & (open[i - stride] > 0), upper = !highest & (above[i] > 0);
            face_x[i] = here & left ? 1 : 0;
            face_y[i] = here & lower ? 1 : 0;
            to[i] = here ? d->inverse : 0;
            beside[i] = (uint8_t)(here ? 15 ^ (left | right << 1 | lower << 2 | upper << 3) : 0);
        }
    }
}

/* Computes the equation's right-hand side without walls, the initial guess, and the greatest speed of each row.
 * add_walls_to_equations_of_row (grid_forces.c) adds the terms of the walls. */
void PD_LEVEL_NAME(pd_grid_set_diffusion_rhs)(const grid_diffusion *d, int begin, int end) {
    enum { LANES = 16 };
    const pd_layout *own = &d->equation->layout;
    const int nx = own->nx;
    for (int j = begin; j < end; j++) {
        size_t row = pd_element_index(own, 0, j), from = pd_element_index(d->layout, 0, j);
        const float *restrict open = d->open + from, *restrict velocity = d->velocity + from;
        float *restrict rhs = d->equation->rhs + row, *restrict q = d->equation->q + row;
        float lane[LANES] = {0};
        for (int i = 0; i < nx; i++) {
            rhs[i] = open[i] > 0 ? d->inverse * velocity[i] : 0;
            q[i] = velocity[i];
        }
        for (int i = 0; i < nx; i += LANES)
            for (int k = 0; k < LANES; k++) {
                float speed = i + k < nx ? fabsf(velocity[i + k]) : 0;
                lane[k] = speed > lane[k] ? speed : lane[k];
            }
        for (int k = 1; k < LANES; k++) lane[0] = lane[k] > lane[0] ? lane[k] : lane[0];
        d->fastest[j] = lane[0];
    }
}

void PD_LEVEL_NAME(pd_grid_store_diffused_velocities)(const grid_diffusion *d, int begin, int end) {
    for (int j = begin; j < end; j++) {
        size_t from = pd_element_index(&d->equation->layout, 0, j), row = pd_element_index(d->layout, 0, j);
        const float *restrict q = d->equation->q + from, *restrict open = d->open + row;
        float *restrict velocity = d->velocity + row;
        for (int i = 0; i < d->equation->layout.nx; i++) velocity[i] = open[i] > 0 ? q[i] : velocity[i];
    }
}
