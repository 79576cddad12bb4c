/* Loops of the transport on a staggered grid, compiled once for each SIMD level (core/simd.h). Each element is computed
 * on its own, so that all levels give the same bits.
 *
 * Positions are in cells from the ghost cell (-1, -1), so that the integer part of a position is an index: the centre
 * of cell (i, j) is at (i + 1.5, j + 1.5). */
#include "core/simd_pairs.h"
#include "mac/advect.h"

#include <string.h>

/* Number of elements computed at a time, a multiple of PD_LANES. Their positions fit the first-level cache, and rows
 * of 2^n + 1 elements leave no short last block. */
enum { BLOCK = 320 };

/* Conversion of positions (x, y), in cells, to indices of an array: index = position - shift, clamped to [low, high]. */
typedef struct interpolation {
    int stride; /* distance of two rows of the array, floats */
    float shift_x, shift_y, low_x, low_y, high_x, high_y;
} interpolation;

static interpolation make_interpolation(const pd_layout *l, pd_location location) {
    interpolation at = {l->stride, 0.5f, 0.5f, 0, 0, (float)l->nx + 1, (float)l->ny + 1};
    if (location == PD_AT_FACES_X) {
        at.shift_x = 0;
        at.low_x = 1;
    }
    if (location == PD_AT_FACES_Y) {
        at.shift_y = 0;
        at.low_y = 1;
    }
    return at;
}

/* Limits an index to [low, high]. NaN gives low. */
static inline float clamp_index(float x, float low, float high) {
    x = x > low ? x : low;
    return x < high ? x : high;
}

static inline int clamp_and_truncate_index(float x, float highest) {
    int k = (int)x, last = (int)highest - 1;
    return k < last ? k : last;
}

/* Lower left one of the four elements around a position. */
typedef struct corner {
    int index;    /* index of the element in the array */
    float tx, ty; /* offset of the position from the element `index`, in cells, [0, 1] */
} corner;

static inline corner find_lower_left_element(interpolation at, float x, float y) {
    x = clamp_index(x - at.shift_x, at.low_x, at.high_x);
    y = clamp_index(y - at.shift_y, at.low_y, at.high_y);
    int i = clamp_and_truncate_index(x, at.high_x), j = clamp_and_truncate_index(y, at.high_y);
    return (corner){j * at.stride + i, x - (float)i, y - (float)j};
}

/* Interpolation data of up to BLOCK positions: by position, index of the lower left of the four elements around it, and
 * offsets tx, ty from this element in cells, [0, 1]. */
typedef struct corners {
    int index[BLOCK];
    float tx[BLOCK], ty[BLOCK];
} corners;

static inline void store_first_lanes(float *to, int count, pd_floatw value) {
    if (count >= PD_LANES)
        pd_store_all(to, value);
    else
        pd_store(pd_lane_range(0, count), to, value);
}

static void interpolate_at_corners(const float *values, int stride, const corners *c, int count,
                                   float *restrict results) {
    for (int k = 0; k < count; k += PD_LANES) {
        pd_floatw left, right, left_above, right_above, part = pd_load_all(c->tx + k);
        pd_gather_pairs(values, c->index + k, &left, &right);
        pd_gather_pairs(values + stride, c->index + k, &left_above, &right_above);
        pd_floatw below = pd_lerp(left, right, part), above = pd_lerp(left_above, right_above, part);
        store_first_lanes(results + k, count - k, pd_lerp(below, above, pd_load_all(c->ty + k)));
    }
}

static inline float interpolate_bilinear(const float *values, int stride, corner c) {
    float below = values[c.index] + c.tx * (values[c.index + 1] - values[c.index]);
    int above = c.index + stride;
    float top = values[above] + c.tx * (values[above + 1] - values[above]);
    return below + c.ty * (top - below);
}

static inline float interpolate_at_position(const float *values, interpolation at, float x, float y) {
    return interpolate_bilinear(values, at.stride, find_lower_left_element(at, x, y));
}

static void find_lower_left_elements(interpolation at, const float *restrict x, const float *restrict y, int count,
                                     corners *restrict found) {
    for (int k = 0; k < count; k++) {
        corner c = find_lower_left_element(at, x[k], y[k]);
        found->index[k] = c.index;
        found->tx[k] = c.tx;
        found->ty[k] = c.ty;
    }
    for (int k = count; k % PD_LANES != 0; k++) { /* The unused lanes of the last vector get index 0. */
        found->index[k] = 0;
        found->tx[k] = found->ty[k] = 0;
    }
}

/* Writes the velocities at the elements [first, first + count) of row j of an array, m/s. */
static void compute_velocities_in_row(const pd_mac *mac, pd_location location, int first, int j, int count,
                                      float *restrict vx, float *restrict vy) {
    size_t at = pd_element_index(&mac->layout, first, j);
    const int stride = mac->layout.stride;
    const float *restrict u = mac->u + at, *restrict v = mac->v + at;
    if (location == PD_AT_CELLS)
        for (int k = 0; k < count; k++) {
            vx[k] = 0.5f * (u[k] + u[k + 1]);
            vy[k] = 0.5f * (v[k] + v[k + stride]);
        }
    else if (location == PD_AT_FACES_X)
        for (int k = 0; k < count; k++) {
            vx[k] = u[k];
            vy[k] = 0.25f * ((v[k - 1] + v[k]) + (v[k - 1 + stride] + v[k + stride]));
        }
    else
        for (int k = 0; k < count; k++) {
            vx[k] = 0.25f * ((u[k] + u[k + 1]) + (u[k - stride] + u[k + 1 - stride]));
            vy[k] = v[k];
        }
}

/* Writes the origins (x, y), in cells, of the elements [first, first + count) of row j: where their fluid was a time
 * step ago. dt: time step divided by the cell size, s/m. */
static void trace_origins_in_row(const pd_mac *mac, pd_location location, float dt, int first, int j, int count,
                                 float *restrict x, float *restrict y) {
    float vx[BLOCK], vy[BLOCK];
    interpolation at_u = make_interpolation(&mac->layout, PD_AT_FACES_X);
    interpolation at_v = make_interpolation(&mac->layout, PD_AT_FACES_Y);
    const float *restrict u = mac->u, *restrict v = mac->v;
    float x0 = (float)(first + 1) + (location == PD_AT_FACES_X ? 0 : 0.5f);
    float y0 = (float)(j + 1) + (location == PD_AT_FACES_Y ? 0 : 0.5f);
    compute_velocities_in_row(mac, location, first, j, count, vx, vy);
    corners c;
    for (int k = 0; k < count; k++) { /* midpoint */
        x[k] = x0 + (float)k - 0.5f * dt * vx[k];
        y[k] = y0 - 0.5f * dt * vy[k];
    }
    find_lower_left_elements(at_u, x, y, count, &c);
    interpolate_at_corners(u, at_u.stride, &c, count, vx);
    find_lower_left_elements(at_v, x, y, count, &c);
    interpolate_at_corners(v, at_v.stride, &c, count, vy);
    for (int k = 0; k < count; k++) {
        x[k] = x0 + (float)k - dt * vx[k];
        y[k] = y0 - dt * vy[k];
    }
}

/* Returns the number of columns of the transported array: nx + 1 for vertical faces, else nx. */
static int transported_column_count(const pd_transport *t) {
    return t->mac->layout.nx + (t->location == PD_AT_FACES_X);
}

void PD_LEVEL_NAME(pd_advect_rows)(const pd_transport *t, float dt, int begin, int end) {
    float x[BLOCK], y[BLOCK];
    interpolation at = make_interpolation(&t->mac->layout, t->location);
    corners c;
    for (int j = begin; j < end; j++) {
        for (int first = 0; first < transported_column_count(t); first += BLOCK) {
            int count = transported_column_count(t) - first < BLOCK ? transported_column_count(t) - first : BLOCK;
            size_t here = pd_element_index(&t->mac->layout, first, j);
            trace_origins_in_row(t->mac, t->location, dt, first, j, count, x, y);
            find_lower_left_elements(at, x, y, count, &c);
            for (int f = 0; f < t->count; f++)
                interpolate_at_corners(t->from[f], at.stride, &c, count, t->to[f] + here);
            if (t->result[0]) memcpy(t->result[0] + here, c.index, (size_t)count * sizeof *c.index);
        }
    }
}

/* Writes the values of a row with the MacCormack correction to `result`.
 * - values, stride: array of the values before the time step; from: its row
 * - forth: semi-Lagrangian values; back: `forth` transported back by -dt
 * - origin: by element, index in `values` of the lower left of the four values around its origin */
static void correct_row_maccormack(const float *values, int stride, const int *origin, const float *from,
                                   const float *forth, const float *back, int count, float *restrict result) {
    float low[BLOCK], high[BLOCK];
    for (int k = 0; k < count; k += PD_LANES) {
        pd_floatw a, b, c, d;
        pd_gather_pairs(values, origin + k, &a, &b);
        pd_gather_pairs(values + stride, origin + k, &c, &d);
        pd_store_all(low + k, pd_min(pd_min(a, b), pd_min(c, d)));
        pd_store_all(high + k, pd_max(pd_max(a, b), pd_max(c, d)));
    }
    for (int k = 0; k < count; k++) {
        float value = forth[k] + 0.5f * (from[k] - back[k]);
        result[k] = value < low[k] || value > high[k] ? forth[k] : value;
    }
}

void PD_LEVEL_NAME(pd_correct_advection_of_rows)(const pd_transport *t, float dt, int begin, int end) {
    float x[BLOCK], y[BLOCK], back[BLOCK];
    interpolation at = make_interpolation(&t->mac->layout, t->location);
    corners c;
    int origin[BLOCK] = {0};
    for (int j = begin; j < end; j++) {
        for (int first = 0; first < transported_column_count(t); first += BLOCK) {
            int count = transported_column_count(t) - first < BLOCK ? transported_column_count(t) - first : BLOCK;
            size_t here = pd_element_index(&t->mac->layout, first, j);
            trace_origins_in_row(t->mac, t->location, -dt, first, j, count, x, y);
            find_lower_left_elements(at, x, y, count, &c);
            memcpy(origin, t->result[0] + here, (size_t)count * sizeof *origin);
            for (int f = 0; f < t->count; f++) {
                interpolate_at_corners(t->to[f], at.stride, &c, count, back);
                correct_row_maccormack(t->from[f], at.stride, origin, t->from[f] + here, t->to[f] + here, back, count,
                                       t->result[f] + here);
            }
        }
    }
}

/* Conversion of a position (x, y), m, to cells from the ghost cell (-1, -1): x per_metre + shift_x, y per_metre +
 * shift_y. */
typedef struct world_to_grid {
    float per_metre, shift_x, shift_y;
} world_to_grid;

static world_to_grid make_world_to_grid(const pd_mac *mac) {
    float per_metre = (float)(1 / mac->grid.cell);
    return (world_to_grid){per_metre, 1 - (float)mac->grid.origin.x * per_metre,
                           1 - (float)mac->grid.origin.y * per_metre};
}

void PD_LEVEL_NAME(pd_advect_particles)(const pd_mac *mac, float dt, int count, float *restrict x, float *restrict y) {
    interpolation at_u = make_interpolation(&mac->layout, PD_AT_FACES_X);
    interpolation at_v = make_interpolation(&mac->layout, PD_AT_FACES_Y);
    world_to_grid g = make_world_to_grid(mac);
    const float *restrict u = mac->u, *restrict v = mac->v;
    float step = dt * g.per_metre;
    for (int k = 0; k < count; k++) {
        float gx = x[k] * g.per_metre + g.shift_x, gy = y[k] * g.per_metre + g.shift_y;
        float u1 = interpolate_at_position(u, at_u, gx, gy), v1 = interpolate_at_position(v, at_v, gx, gy);
        float x2 = gx + 0.5f * step * u1, y2 = gy + 0.5f * step * v1;
        float u2 = interpolate_at_position(u, at_u, x2, y2), v2 = interpolate_at_position(v, at_v, x2, y2);
        float x3 = gx + 0.75f * step * u2, y3 = gy + 0.75f * step * v2;
        float u3 = interpolate_at_position(u, at_u, x3, y3), v3 = interpolate_at_position(v, at_v, x3, y3);
        x[k] += dt * ((2 * u1 + 3 * u2 + 4 * u3) * (1.0f / 9));
        y[k] += dt * ((2 * v1 + 3 * v2 + 4 * v3) * (1.0f / 9));
    }
}

void PD_LEVEL_NAME(pd_mac_interpolate_velocities)(const pd_mac *mac, int count, const float *restrict x,
                                                  const float *restrict y, float *restrict vx, float *restrict vy) {
    interpolation at_u = make_interpolation(&mac->layout, PD_AT_FACES_X);
    interpolation at_v = make_interpolation(&mac->layout, PD_AT_FACES_Y);
    world_to_grid g = make_world_to_grid(mac);
    const float *restrict u = mac->u, *restrict v = mac->v;
    for (int k = 0; k < count; k++) {
        float gx = x[k] * g.per_metre + g.shift_x, gy = y[k] * g.per_metre + g.shift_y;
        vx[k] = interpolate_at_position(u, at_u, gx, gy);
        vy[k] = interpolate_at_position(v, at_v, gx, gy);
    }
}

void PD_LEVEL_NAME(pd_mac_interpolate_cell_values)(const pd_mac *mac, const float *restrict values, int count,
                                                   const float *restrict x, const float *restrict y,
                                                   float *restrict to) {
    interpolation at = make_interpolation(&mac->layout, PD_AT_CELLS);
    world_to_grid g = make_world_to_grid(mac);
    for (int k = 0; k < count; k++)
        to[k] = interpolate_at_position(values, at, x[k] * g.per_metre + g.shift_x, y[k] * g.per_metre + g.shift_y);
}
