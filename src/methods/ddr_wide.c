/* Where double density relaxation spends its time. Compiled once for each SIMD level (core/simd.h); every level gives the
 * same bits.
 *
 * A particle's neighbourhood is a few contiguous ranges of the sorted arrays (sim/neighbours.h). The wide loops run over
 * the whole ranges, masked at their ends; what is farther than h has weight q = 0 and is written back unchanged. The first pass
 * sums densities and keeps q and 1/r; the second moves the neighbours, straight in the arrays. */
#include "methods/ddr_wide.h"

#include "core/random.h"
#include "core/simd.h"

#include <math.h>

enum {
    LONGEST_RANGE = 512, /* particles looked at in one row; more only when a whole pool sits on one point */
    MAX_VECTORS = PD_MAX_RANGES * LONGEST_RANGE / PD_LANES,
};

/* Below this part of h two particles have no direction between them. */
static const float COINCIDENT = 1e-6f;

/* What the first pass keeps for the second. */
typedef struct pair_buffer {
    float q[MAX_VECTORS * PD_LANES], inverse_r[MAX_VECTORS * PD_LANES];
} pair_buffer;

/* Keeps absurdly long ranges affordable: a window into them that differs from particle to particle. */
static void limit_range(uint32_t id, int *begin, int *end) {
    int extra = *end - *begin - LONGEST_RANGE;
    if (extra <= 0) return;
    *begin += (int)(pd_random_mix(id) % (uint64_t)extra);
    *end = *begin + LONGEST_RANGE;
}

/* Particles at one point: each pair is parted in a direction that depends on the two ids alone. */
static void part_coincident(const ddr_sweep *s, int i, const pd_ranges *ranges) {
    float too_close = COINCIDENT * s->h * COINCIDENT * s->h;
    for (int r = 0; r < ranges->count; r++) {
        int begin = ranges->begin[r], end = ranges->end[r];
        limit_range(s->id[i], &begin, &end);
        for (int j = begin; j < end; j++) {
            float dx = s->x[j] - s->x[i], dy = s->y[j] - s->y[i];
            if (j == i || !(dx * dx + dy * dy < too_close)) continue;
            uint64_t a = s->id[i], b = s->id[j];
            float angle = (float)(pd_random_mix(a < b ? a << 32 | b : b << 32 | a) >> 40) * (0x1p-24f * 6.2831853f);
            float way = (a < b ? 0.1f : -0.1f) * s->h, wi = s->inverse_mass[i], wj = s->inverse_mass[j];
            float nx = way * cosf(angle), ny = way * sinf(angle);
            s->x[i] -= nx * (wi / (wi + wj)), s->y[i] -= ny * (wi / (wi + wj));
            s->x[j] += nx * (wj / (wi + wj)), s->y[j] += ny * (wj / (wi + wj));
        }
    }
}

static inline void relax_particle(const ddr_sweep *s, int i, const pd_ranges *ranges, pair_buffer *pairs, bool mixed) {
    const pd_floatw xi = pd_set(s->x[i]), yi = pd_set(s->y[i]);
    const pd_floatw one = pd_set(1), inverse_h = pd_set(s->inverse_h), h2 = pd_set(s->h * s->h);
    const pd_floatw too_close = pd_set(COINCIDENT * s->h * COINCIDENT * s->h);
    pd_floatw density = pd_set(0), near_density = pd_set(0), coincident = pd_set(0);
    float *q_out = pairs->q, *inverse_r_out = pairs->inverse_r;
    int begins[PD_MAX_RANGES], ends[PD_MAX_RANGES];
    for (int r = 0; r < ranges->count; r++) {
        begins[r] = ranges->begin[r], ends[r] = ranges->end[r];
        limit_range(s->id[i], &begins[r], &ends[r]);
        for (int j = begins[r]; j < ends[r]; j += PD_LANES) {
            pd_maskw valid = pd_first(ends[r] - j);
            pd_floatw dx = pd_sub(pd_load(valid, s->x + j), xi), dy = pd_sub(pd_load(valid, s->y + j), yi);
            pd_floatw r2 = pd_add(pd_mul(dx, dx), pd_mul(dy, dy));
            pd_maskw close = pd_and(valid, pd_less(r2, too_close));
            pd_maskw pair = pd_and(pd_and(valid, pd_less(r2, h2)), pd_less(too_close, r2));
            pd_floatw inverse_r = pd_rsqrt(pd_max(r2, too_close));
            pd_floatw q = pd_keep(pair, pd_sub(one, pd_mul(pd_mul(r2, inverse_r), inverse_h)));
            pd_floatw q2 = pd_mul(q, q);
            density = pd_add(density, q2);
            near_density = pd_add(near_density, pd_mul(q2, q));
            coincident = pd_add(coincident, pd_keep(close, one));
            pd_store_all(q_out, q);
            pd_store_all(inverse_r_out, inverse_r);
            q_out += PD_LANES, inverse_r_out += PD_LANES;
        }
    }
    float others = pd_sum(coincident) - 1; /* one is the particle itself */
    float rho = pd_sum(density) + others, near_rho = pd_sum(near_density) + others;
    s->density[i] = rho;
    const pd_floatw pressure = pd_set(s->stiffness * (rho - s->rest_density));
    const pd_floatw near_pressure = pd_set(s->near_stiffness * near_rho);
    const pd_floatw farthest = pd_set(s->farthest), nearest = pd_set(-s->farthest);
    const pd_floatw wi = pd_set(s->inverse_mass[i]), half = pd_set(0.5f);
    pd_floatw move_x = pd_set(0), move_y = pd_set(0);
    const float *q_in = pairs->q, *inverse_r_in = pairs->inverse_r;
    for (int r = 0; r < ranges->count; r++)
        for (int j = begins[r]; j < ends[r]; j += PD_LANES) {
            pd_maskw valid = pd_first(ends[r] - j);
            pd_floatw xj = pd_load(valid, s->x + j), yj = pd_load(valid, s->y + j);
            pd_floatw q = pd_load_all(q_in);
            pd_floatw d = pd_mul(pd_add(pressure, pd_mul(near_pressure, q)), q);
            d = pd_mul(pd_max(pd_min(d, farthest), nearest), pd_load_all(inverse_r_in));
            q_in += PD_LANES, inverse_r_in += PD_LANES;
            pd_floatw to_i, to_j; /* i moves by mj/(mi + mj) = wi/(wi + wj) */
            if (mixed) {
                pd_floatw wj = pd_load(valid, s->inverse_mass + j);
                d = pd_mul(d, pd_reciprocal(pd_add(wi, wj)));
                to_i = pd_mul(d, wi), to_j = pd_mul(d, wj);
            } else {
                to_i = to_j = pd_mul(d, half);
            }
            pd_floatw dx = pd_sub(xj, xi), dy = pd_sub(yj, yi);
            move_x = pd_add(move_x, pd_mul(to_i, dx));
            move_y = pd_add(move_y, pd_mul(to_i, dy));
            pd_store(valid, s->x + j, pd_add(xj, pd_mul(to_j, dx)));
            pd_store(valid, s->y + j, pd_add(yj, pd_mul(to_j, dy)));
        }
    s->x[i] -= pd_sum(move_x);
    s->y[i] -= pd_sum(move_y);
    if (others > 0) part_coincident(s, i, ranges);
}

/* Viscosity of i with the particles behind it in the sweep's order, so that each pair comes once. The impulse of a pair
 * is x/(1 + x) of its approach, x = dt q (sigma + beta u): Clavet's for small x, and it never reverses the approach. Those of
 * one particle are computed together; where they would add up to more than its whole approach they are scaled down. */
static inline void viscosity_particle(const ddr_sweep *s, int i, const pd_ranges *ranges, pair_buffer *pairs) {
    const pd_floatw xi = pd_set(s->x[i]), yi = pd_set(s->y[i]), vxi = pd_set(s->vx[i]), vyi = pd_set(s->vy[i]);
    const pd_floatw zero = pd_set(0), one = pd_set(1), inverse_h = pd_set(s->inverse_h), h2 = pd_set(s->h * s->h);
    const pd_floatw too_close = pd_set(COINCIDENT * s->h * COINCIDENT * s->h);
    const pd_floatw linear = pd_set(s->linear), quadratic = pd_set(s->quadratic), wi = pd_set(s->inverse_mass[i]);
    pd_floatw whole = pd_set(0);
    float *out = pairs->q;
    for (int r = 0; r < ranges->count; r++)
        for (int j = ranges->begin[r]; j < ranges->end[r]; j += PD_LANES) {
            pd_maskw valid = pd_first(ranges->end[r] - j);
            pd_floatw dx = pd_sub(pd_load(valid, s->x + j), xi), dy = pd_sub(pd_load(valid, s->y + j), yi);
            pd_floatw dvx = pd_sub(vxi, pd_load(valid, s->vx + j)), dvy = pd_sub(vyi, pd_load(valid, s->vy + j));
            pd_floatw r2 = pd_add(pd_mul(dx, dx), pd_mul(dy, dy));
            pd_floatw inverse_r = pd_rsqrt(pd_max(r2, too_close));
            pd_floatw u = pd_mul(pd_add(pd_mul(dvx, dx), pd_mul(dvy, dy)), inverse_r);
            pd_maskw pair = pd_and(pd_and(valid, pd_less(r2, h2)), pd_and(pd_less(too_close, r2), pd_less(zero, u)));
            pd_floatw q = pd_sub(one, pd_mul(pd_mul(r2, inverse_r), inverse_h));
            pd_floatw x = pd_keep(pair, pd_mul(q, pd_add(linear, pd_mul(quadratic, u))));
            pd_floatw part = pd_mul(x, pd_reciprocal(pd_add(one, x)));
            whole = pd_add(whole, part);
            pd_store_all(out, pd_keep(pair, pd_mul(pd_mul(part, u), inverse_r)));
            out += PD_LANES;
        }
    float sum = pd_sum(whole);
    if (sum == 0) return;
    const pd_floatw scale = pd_set(sum > 1 ? 1 / sum : 1);
    pd_floatw change_x = pd_set(0), change_y = pd_set(0);
    const float *in = pairs->q;
    for (int r = 0; r < ranges->count; r++)
        for (int j = ranges->begin[r]; j < ranges->end[r]; j += PD_LANES) {
            pd_maskw valid = pd_first(ranges->end[r] - j);
            pd_floatw dx = pd_sub(pd_load(valid, s->x + j), xi), dy = pd_sub(pd_load(valid, s->y + j), yi);
            pd_floatw wj = pd_load(valid, s->inverse_mass + j);
            pd_floatw impulse = pd_mul(pd_mul(pd_load_all(in), scale), pd_reciprocal(pd_add(wi, wj)));
            in += PD_LANES;
            pd_floatw to_i = pd_mul(impulse, wi), to_j = pd_mul(impulse, wj);
            change_x = pd_add(change_x, pd_mul(to_i, dx));
            change_y = pd_add(change_y, pd_mul(to_i, dy));
            pd_store(valid, s->vx + j, pd_add(pd_load(valid, s->vx + j), pd_mul(to_j, dx)));
            pd_store(valid, s->vy + j, pd_add(pd_load(valid, s->vy + j), pd_mul(to_j, dy)));
        }
    s->vx[i] -= pd_sum(change_x);
    s->vy[i] -= pd_sum(change_y);
}

static void relax_cell(const ddr_sweep *s, int column, int row, int begin, int end, pair_buffer *pairs) {
    pd_ranges ranges;
    pd_neighbours_around(s->neighbours, column, row, -PD_ROWS_PER_RADIUS, &ranges);
    for (int k = begin; k < end; k++) {
        int i = s->backwards ? end - 1 - (k - begin) : k;
        if (s->mixed)
            relax_particle(s, i, &ranges, pairs, true);
        else
            relax_particle(s, i, &ranges, pairs, false);
    }
}

/* The half of the neighbourhood that comes after: the rest of the row's range, and the rows above. */
static void viscosity_cell(const ddr_sweep *s, int column, int row, int begin, int end, pair_buffer *pairs) {
    const pd_neighbours *n = s->neighbours;
    pd_ranges ranges;
    pd_neighbours_around(n, column, row, 1, &ranges);
    for (int r = 0; r < ranges.count; r++) limit_range(s->id[begin], &ranges.begin[r], &ranges.end[r]);
    const int *start = n->start + (size_t)row * (size_t)n->columns;
    int right = column + PD_COLUMNS_PER_RADIUS, beyond = right - n->columns;
    int own = ranges.count++;
    ranges.end[own] = start[(beyond < 0 ? right : n->columns - 1) + 1];
    if (beyond >= 0) { /* the row goes on across the fold */
        ranges.begin[ranges.count] = start[0];
        ranges.end[ranges.count++] = start[beyond + 1];
    }
    int last = ranges.end[own];
    for (int k = begin; k < end; k++) {
        int i = s->backwards ? end - 1 - (k - begin) : k;
        ranges.begin[own] = i + 1;
        ranges.end[own] = last < i + 1 + LONGEST_RANGE ? last : i + 1 + LONGEST_RANGE;
        viscosity_particle(s, i, &ranges, pairs);
    }
}

typedef void cell_body(const ddr_sweep *s, int column, int row, int begin, int end, pair_buffer *pairs);

static void sweep_rows(const ddr_sweep *s, int begin, int end, cell_body *cell) {
    const pd_neighbours *n = s->neighbours;
    pair_buffer pairs;
    for (int k = begin; k < end; k++) {
        int row = k * PD_COLOURS + s->colour;
        const int *start = n->start + (size_t)row * (size_t)n->columns;
        if (start[0] == start[n->columns]) continue;
        for (int c = 0; c < n->columns; c++) {
            int column = s->backwards ? n->columns - 1 - c : c;
            if (start[column] < start[column + 1]) cell(s, column, row, start[column], start[column + 1], &pairs);
        }
    }
}

static void relax_rows(void *sweep, int begin, int end) { sweep_rows(sweep, begin, end, relax_cell); }
static void viscosity_rows(void *sweep, int begin, int end) { sweep_rows(sweep, begin, end, viscosity_cell); }

const ddr_kernels PD_LEVEL_NAME(ddr_kernels) = {.relax_rows = relax_rows, .viscosity_rows = viscosity_rows};
