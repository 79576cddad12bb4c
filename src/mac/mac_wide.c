/* Loops of outflow, pressure gradient and free surface, compiled once for each SIMD level (core/simd.h). Each element is
 * computed on its own, so that all levels give the same bits. */
#include "core/simd.h"
#include "mac/mac_levels.h"

pd_mac_outflow_rows PD_LEVEL_NAME(pd_mac_compute_outflow);
pd_mac_gradient_rows PD_LEVEL_NAME(pd_mac_subtract_gradient);

void PD_LEVEL_NAME(pd_mac_compute_outflow)(const pd_mac *mac, float *outflow, float scale, int begin, int end) {
    const int nx = mac->layout.nx, stride = mac->layout.stride;
    for (int j = begin; j < end; j++) {
        size_t row = pd_element_index(&mac->layout, 0, j);
        const float *restrict u = mac->u + row, *restrict v = mac->v + row, *restrict wall_u = mac->wall_u + row;
        const float *restrict wall_v = mac->wall_v + row, *restrict open_x = mac->open_x + row;
        const float *restrict open_y = mac->open_y + row;
        float *restrict to = outflow + row;
        for (int i = 0; i < nx; i++) {
            int above = i + stride;
            float left = open_x[i] * u[i] + (1 - open_x[i]) * wall_u[i];
            float right = open_x[i + 1] * u[i + 1] + (1 - open_x[i + 1]) * wall_u[i + 1];
            float below = open_y[i] * v[i] + (1 - open_y[i]) * wall_v[i];
            float top = open_y[above] * v[above] + (1 - open_y[above]) * wall_v[above];
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

/* ---- Free surface ---- */

/* Least distance from a cell's centre to the surface, in cells. Smaller distances make the equation ill-conditioned. */
static const float NEAREST = 0.01f;

/* Computes the gradient factors (mac_levels.h) of one row of faces. Each face lies between a cell `before` (at its left or
 * below) and a cell `at` (at its right or above).
 * - at, before: signed distances of these cells to the surface, m
 * - open_at, open_before: open fractions of these cells
 * - open: open fractions of the faces
 * - inverse: (reference density)/(density at the face), or NULL */
PD_INLINE void compute_gradient_factors_of_row(const float *restrict at, const float *restrict before,
                                               const float *restrict open_at, const float *restrict open_before,
                                               const float *restrict open, const float *restrict inverse,
                                               float *restrict factor, int count) {
    for (int i = 0; i < count; i++) {
        float a = before[i], b = at[i];
        bool wet_a = (a < 0) & (open_before[i] > 0), wet_b = (b < 0) & (open_at[i] > 0);
        float in = wet_a ? a : b, out = wet_a ? b : a, part = in / (in - out);
        part = part > NEAREST ? part : NEAREST;
        part = part < 1 ? part : 1;
        float surface = (wet_a | wet_b) ? 1 / part : 0;
        factor[i] = open[i] > 0 ? ((wet_a & wet_b) ? 1 : surface) : 0;
    }
    for (int i = 0; inverse && i < count; i++) factor[i] *= inverse[i];
}

static void compute_gradient_factors(void *context, int begin, int end) {
    const pd_liquid_loop_data *s = context;
    const pd_mac *m = s->mac;
    const pd_layout *l = &m->layout;
    const float *distance = s->liquid->distance, *inverse_x = s->liquid->inverse_x, *inverse_y = s->liquid->inverse_y;
    for (int j = begin; j < end; j++) {
        size_t row = pd_element_index(l, 0, j);
        compute_gradient_factors_of_row(distance + row, distance + row - 1, m->open + row, m->open + row - 1,
                                        m->open_x + row, inverse_x ? inverse_x + row : NULL, s->gradient_factor_x + row,
                                        l->nx + 1);
        for (int k = j; k <= (j == l->ny - 1 ? l->ny : j); k++) {
            size_t at = pd_element_index(l, 0, k), low = at - (size_t)l->stride;
            compute_gradient_factors_of_row(distance + at, distance + low, m->open + at, m->open + low, m->open_y + at,
                                            inverse_y ? inverse_y + at : NULL, s->gradient_factor_y + at, l->nx);
        }
    }
}

/* Computes the coefficients of the pressure equation in a row of cells. Names that end in _below or _above belong to
 * the neighbouring rows.
 * - d: signed distances of the cells to the surface, m
 * - open: open fractions of the cells
 * - x, y: gradient factor x open fraction of each cell's left face and lower face */
PD_INLINE void compute_coefficients_of_row(const float *restrict d, const float *restrict d_below,
                                           const float *restrict d_above, const float *restrict open,
                                           const float *restrict open_below, const float *restrict open_above,
                                           const float *restrict x, const float *restrict y,
                                           const float *restrict y_above, float *restrict face_x,
                                           float *restrict face_y, float *restrict to, int count) {
    for (int i = 0; i < count; i++) {
        bool wet = (d[i] < 0) & (open[i] > 0);
        bool left = (d[i - 1] < 0) & (open[i - 1] > 0), right = (d[i + 1] < 0) & (open[i + 1] > 0);
        bool below = (d_below[i] < 0) & (open_below[i] > 0), above = (d_above[i] < 0) & (open_above[i] > 0);
        float across = (left ? 0 : x[i]) + (right ? 0 : x[i + 1]), up = (below ? 0 : y[i]) + (above ? 0 : y_above[i]);
        face_x[i] = (wet & left) ? x[i] : 0;
        face_y[i] = (wet & below) ? y[i] : 0;
        to[i] = wet ? across + up : 0;
    }
}

PD_INLINE void multiply_rows(const float *restrict a, const float *restrict b, float *restrict to, int count) {
    for (int i = 0; i < count; i++) to[i] = a[i] * b[i];
}

enum { PIECE = 256 };

static void set_pressure_coefficients(void *context, int begin, int end) {
    const pd_liquid_loop_data *s = context;
    const pd_mac *m = s->mac;
    const pd_layout *l = &m->layout;
    const size_t up = (size_t)l->stride;
    float x[PIECE + 1], y[PIECE], y_above[PIECE];
    for (int j = begin; j < end; j++) {
        for (int i = 0; i < l->nx; i += PIECE) {
            size_t at = pd_element_index(l, i, j);
            int count = l->nx - i < PIECE ? l->nx - i : PIECE;
            const float *d = s->liquid->distance + at, *open = m->open + at;
            multiply_rows(s->gradient_factor_x + at, m->open_x + at, x, count + 1);
            multiply_rows(s->gradient_factor_y + at, m->open_y + at, y, count);
            multiply_rows(s->gradient_factor_y + at + up, m->open_y + at + up, y_above, count);
            compute_coefficients_of_row(d, d - up, d + up, open, open - up, open + up, x, y, y_above,
                                        m->poisson->face_x + at, m->poisson->face_y + at, m->poisson->open + at, count);
        }
    }
}

static void subtract_pressure_gradients(void *context, int begin, int end) {
    const pd_liquid_loop_data *s = context;
    const pd_layout *l = &s->mac->layout;
    const ptrdiff_t up = l->stride;
    for (int j = begin; j < end; j++) {
        size_t row = pd_element_index(l, 0, j);
        const float *restrict q = s->mac->poisson->q + row;
        const float *restrict gradient_factor_x = s->gradient_factor_x + row, *restrict gradient_factor_y =
                                                                                  s->gradient_factor_y + row;
        float *restrict u = s->mac->u + row, *restrict v = s->mac->v + row;
        for (int i = 0; i <= l->nx; i++) u[i] -= gradient_factor_x[i] * (q[i] - q[i - 1]);
        for (int i = 0; i < l->nx; i++) v[i] -= gradient_factor_y[i] * (q[i] - q[i - up]);
        if (j < l->ny - 1) continue;
        for (int i = 0; i < l->nx; i++) v[i + up] -= gradient_factor_y[i + up] * (q[i + up] - q[i]);
    }
}

PD_INLINE void mark_known_faces_in_row(const float *restrict at, const float *restrict before,
                                       const float *restrict open_at, const float *restrict open_before,
                                       const float *restrict open, const float *restrict known_in_air,
                                       uint8_t *restrict known, int count) {
    for (int i = 0; i < count; i++) {
        bool wet_a = (before[i] < 0) & (open_before[i] > 0), wet_b = (at[i] < 0) & (open_at[i] > 0);
        known[i] = (wet_a | wet_b) & (open[i] > 0);
    }
    for (int i = 0; known_in_air && i < count; i++) known[i] |= (known_in_air[i] > 0) & (open[i] > 0);
}

static void mark_known_faces(void *context, int begin, int end) {
    const pd_liquid_loop_data *s = context;
    const pd_mac *m = s->mac;
    const pd_layout *l = &m->layout;
    const float *known_in_air = s->vertical ? s->liquid->known_y : s->liquid->known_x;
    const float *open = s->vertical ? m->open_y : m->open_x, *distance = s->liquid->distance;
    const size_t back = s->vertical ? (size_t)l->stride : 1;
    for (int j = begin; j < end; j++) {
        for (int k = j; k <= (s->vertical && j == l->ny - 1 ? l->ny : j); k++) {
            size_t row = pd_element_index(l, 0, k);
            mark_known_faces_in_row(distance + row, distance + row - back, m->open + row, m->open + row - back,
                                    open + row, known_in_air ? known_in_air + row : NULL, s->known + row,
                                    l->nx + !s->vertical);
        }
    }
}

PD_INLINE void mark_faces_beside_known_in_row(const uint8_t *restrict here, const uint8_t *restrict below,
                                              const uint8_t *restrict above, uint8_t *restrict beside_known,
                                              int count) {
    for (int i = 1; i < count - 1; i++) {
        uint8_t sides = (uint8_t)(here[i - 1] | here[i + 1] | below[i] | above[i]);
        uint8_t corners = (uint8_t)(below[i - 1] | below[i + 1] | above[i - 1] | above[i + 1]);
        /* 1 if here[i] is 0, else 0: the values of `known` are below 128. */
        uint8_t unknown = (uint8_t)((uint8_t)(here[i] - 1) >> 7);
        beside_known[i] = (uint8_t)((sides | corners) & (uint8_t)-unknown);
    }
}

static void mark_faces_beside_known(void *context, int begin, int end) {
    const pd_liquid_loop_data *s = context;
    const size_t up = (size_t)s->mac->layout.stride;
    for (int j = begin; j < end; j++) {
        const uint8_t *here = s->known + (size_t)(j + 1) * up;
        mark_faces_beside_known_in_row(here, here - up, here + up, s->beside_known + (size_t)(j + 1) * up,
                                       s->mac->layout.stride);
    }
}

PD_INLINE void clear_unknown_velocities_in_row(const uint8_t *restrict known, float *restrict values, int count) {
    for (int i = 0; i < count; i++) values[i] = known[i] ? values[i] : 0;
}

static void clear_unknown_velocities(void *context, int begin, int end) {
    const pd_liquid_loop_data *s = context;
    const size_t up = (size_t)s->mac->layout.stride;
    float *values = s->vertical ? s->mac->v : s->mac->u;
    for (int j = begin; j < end; j++)
        clear_unknown_velocities_in_row(s->known + (size_t)j * up, values + (size_t)j * up, s->mac->layout.stride);
}

const pd_liquid_kernels PD_LEVEL_NAME(pd_liquid_kernels) = {.compute_gradient_factors = compute_gradient_factors,
                                                            .set_pressure_coefficients = set_pressure_coefficients,
                                                            .subtract_pressure_gradients = subtract_pressure_gradients,
                                                            .mark_known_faces = mark_known_faces,
                                                            .mark_faces_beside_known = mark_faces_beside_known,
                                                            .clear_unknown_velocities = clear_unknown_velocities};
