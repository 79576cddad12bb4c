/* Transfers between FLIP's particles and the faces of the grid, compiled once for each SIMD level (core/simd.h). Loops
 * run over batches of particles. A vector of four floats holds the pairs of two neighbouring faces. All levels give the
 * same bits. */
#include "core/random.h"
#include "core/simd.h"
#include "core/simd_pairs.h"
#include "methods/flip/flip.h"
#include "methods/particle_fluid/motion_wide.h"
#include <math.h>
#include <string.h>

/* ---- Separation of particles ----
 *
 * Separation of particles in the liquid, compiled once for each SIMD level (core/simd.h). The lanes of a vector are
 * candidates: particles that may be within reach of one particle. All levels give the same bits.
 *
 * The grid does not resolve positions of particles within a cell. Where the flow stretches them into sheets, or rises
 * from a wall, slits and holes smaller than a cell would remain. Particles closer than the spacing at rest therefore
 * repel one another, which changes positions but no velocities.
 *
 * Source: Ando, Tsuruno, "A Particle-based Method for Preserving Fluid Sheets", 2011, section 3, with the weight 1 -
 * (r/reach)^2, which needs no square root. */

enum {
    ROWS = 3,              /* rows of cells around a particle */
    MOST_CANDIDATES = 128, /* greatest number of candidates in one of these rows; at rest there are twelve */
    MOST_VECTORS = ROWS * MOST_CANDIDATES / PD_LANES,
};

/* A vector of PD_LANES candidates: the consecutive particles from `first` on. weights: by lane, the candidate's weight
 * at the distance 0: 1, or 0 in lanes behind the last candidate. */
typedef struct candidates {
    int first;
    const float *weights;
} candidates;

static const float ONES_THEN_ZEROS[2 * PD_LANES] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

/* Candidates in the 3 x 3 buckets around a particle. The vectors row[k] to row[k + 1] - 1 are the candidates in row k:
 * the row below (k = 0), the particle's own row (1), the row above (2). */
typedef struct surroundings {
    candidates vectors[MOST_VECTORS]; /* vectors of all rows */
    int row[ROWS + 1];                /* by row: index of its first vector */
} surroundings;

/* Lists the candidates for all particles in a bucket: the particles in the 3 x 3 buckets around it. If one of the three
 * rows has more than MOST_CANDIDATES particles (coarse grid, heaped particles), only a random range of them is listed,
 * to limit the cost. */
static inline void list_candidates_around_bucket(const flip_loop_data *s, int column, int row, surroundings *around) {
    const int columns = s->state->columns, rows = s->state->mac->layout.ny;
    const int left = column > 0 ? column - 1 : 0, right = column + 1 < columns ? column + 1 : column;
    int count = 0;
    for (int k = 0; k < ROWS; k++) {
        int j = row + k - 1;
        around->row[k] = count;
        if (j < 0 || j >= rows) continue;
        int first = s->start[j * columns + left], left_over = s->start[j * columns + right + 1] - first;
        if (left_over > MOST_CANDIDATES) {
            uint64_t seed = pd_random_mix_bits((uint64_t)(j * columns + column));
            first += (int)(seed % ((uint64_t)(left_over - MOST_CANDIDATES) + 1));
            left_over = MOST_CANDIDATES;
        }
        for (; left_over > PD_LANES; left_over -= PD_LANES, first += PD_LANES)
            around->vectors[count++] = (candidates){first, ONES_THEN_ZEROS};
        if (left_over > 0) around->vectors[count++] = (candidates){first, ONES_THEN_ZEROS + PD_LANES - left_over};
    }
    around->row[ROWS] = count;
}

/* Writes two bits for each particle of row j to neighbours.key, which is unused after the sort: 1: the particle cannot
 * reach the row of cells below; 2: it cannot reach the row above. A separate loop does this, since in
 * compute_separation_shift the operations would form a chain of latencies. */
static inline void mark_rows_out_of_reach(const flip_loop_data *s, int j) {
    const int columns = s->state->columns, end = s->start[(j + 1) * columns];
    const float *restrict y = s->particles->y;
    const float scale = s->inverse_cell, low = s->origin_y, rounding = 0.01f;
    const float reach = sqrtf(1 / s->inverse_reach2) * scale + rounding;
    uint32_t *restrict out = s->world->neighbours.key;
    for (int i = s->start[j * columns]; i < end; i++) {
        float height = (y[i] - low) * scale - (float)j;
        out[i] = (height > reach ? 1u : 0u) | (1 - height > reach ? 2u : 0u);
    }
}

typedef float four __attribute__((vector_size(16)));

/* Returns the sums over the lanes of x (element 0) and of y (element 1), added in the order of pd_sum. */
static inline four sum_lanes_of_two_vectors(pd_floatw x, pd_floatw y) {
    four a = (four)pd_quarter_sums(x), b = (four)pd_quarter_sums(y);
    four halves = __builtin_shufflevector(a, b, 0, 4, 1, 5) + __builtin_shufflevector(a, b, 2, 6, 3, 7);
    return halves + __builtin_shufflevector(halves, halves, 2, 3, 2, 3);
}

/* Computes the shift of particle i: the sum of w (dx, dy) over the candidates in the vectors [begin, end), w = 1 - r^2 /
 * reach^2 (at least 0), (dx, dy): vector from the candidate to the particle, r: its length. Writes the shift to old_x[i]
 * and old_y[i], which are working memory here. */
static inline void compute_separation_shift(const flip_loop_data *s, int i, const candidates *vectors, int begin,
                                            int end) {
    const pd_particles *p = s->particles;
    const pd_floatw x = pd_set(p->x[i]), y = pd_set(p->y[i]), scale = pd_set(s->inverse_reach2), zero = pd_set(0);
    pd_floatw sum_x = zero, sum_y = zero;
    for (int k = begin; k < end; k++) {
        pd_floatw dx = pd_sub(x, pd_load_all(p->x + vectors[k].first));
        pd_floatw dy = pd_sub(y, pd_load_all(p->y + vectors[k].first));
        pd_floatw r2 = pd_add(pd_mul(dx, dx), pd_mul(dy, dy));
        pd_floatw weight = pd_max(pd_sub(pd_load_all(vectors[k].weights), pd_mul(r2, scale)), zero);
        sum_x = pd_add(sum_x, pd_mul(weight, dx));
        sum_y = pd_add(sum_y, pd_mul(weight, dy));
    }
    four sums = sum_lanes_of_two_vectors(sum_x, sum_y);
    p->old_x[i] = sums[0];
    p->old_y[i] = sums[1];
}

static inline void scale_and_clamp_shifts(float *restrict shift, int count, float factor, float limit) {
    for (int i = 0; i < count; i++) {
        float scaled = factor * shift[i];
        scaled = scaled > -limit ? scaled : -limit;
        shift[i] = scaled < limit ? scaled : limit;
    }
}

static void separate_particles(void *context, int begin, int end) {
    const flip_loop_data *s = context;
    const int columns = s->state->columns, *start = s->start;
    const uint32_t *out = s->world->neighbours.key;
    surroundings around;
    for (int j = begin; j < end; j++) {
        mark_rows_out_of_reach(s, j);
        for (int c = 0; c < columns; c++) {
            int first = start[j * columns + c], last = start[j * columns + c + 1];
            if (first == last) continue;
            list_candidates_around_bucket(s, c, j, &around);
            for (int i = first; i < last; i++)
                compute_separation_shift(s, i, around.vectors, around.row[out[i] & 1],
                                         around.row[ROWS - (out[i] >> 1)]);
        }
    }
    int first = start[begin * columns], count = start[end * columns] - first;
    scale_and_clamp_shifts(s->particles->old_x + first, count, s->separation, s->most_shift);
    scale_and_clamp_shifts(s->particles->old_y + first, count, s->separation, s->most_shift);
}

/* ---- Transfers ---- */

/* Particles computed at a time: few enough that their values fit the first-level cache, and enough that a loop does not
 * wait for the stores of the loop before. */
enum { BATCH = 64 };

typedef float four __attribute__((vector_size(16)));

static inline four load_four(const float *p) {
    four v;
    memcpy(&v, p, sizeof v);
    return v;
}
static inline void store_four(float *p, four v) { memcpy(p, &v, sizeof v); }
static inline four make_four_equal(float a) { return (four){a, a, a, a}; }

/* Positions of a batch of particles on the grid.
 * - u: index of the lower left one of the four vertical faces around the particle; ux, uy: offset from it in cells, [0,
 *   1]
 * - v: index of the lower left one of the four horizontal faces around it; vx, vy: offset from it in cells, [0, 1]
 * - cell: index of the particle's cell */
typedef struct places {
    int lanes; /* number of particles rounded up to a multiple of PD_LANES */
    int u[BATCH], v[BATCH], cell[BATCH];
    float ux[BATCH], uy[BATCH], vx[BATCH], vy[BATCH];
} places;

static inline int round_up_to_lanes(int count) { return (count + PD_LANES - 1) / PD_LANES * PD_LANES; }

PD_INLINE void locate_particles_on_grid(const flip_loop_data *s, const float *restrict x, const float *restrict y,
                                        int count, places *at) {
    const pd_layout *l = &s->state->mac->layout;
    const float nx = (float)l->nx, ny = (float)l->ny, scale = s->inverse_cell, left = s->origin_x, low = s->origin_y;
    const int stride = l->stride, last_x = l->nx - 1, last_y = l->ny - 1;
    at->lanes = round_up_to_lanes(count);
    for (int k = 0; k < at->lanes; k++) {
        float gx = (x[k] - left) * scale, gy = (y[k] - low) * scale;
        gx = gx > 0 ? gx : 0;
        gy = gy > 0 ? gy : 0;
        gx = gx < nx ? gx : nx;
        gy = gy < ny ? gy : ny;
        int i = (int)gx, j = (int)gy;
        i = i < last_x ? i : last_x;
        j = j < last_y ? j : last_y;
        int half_i = (int)(gx + 0.5f) - 1, half_j = (int)(gy + 0.5f) - 1;
        at->u[k] = (half_j + 1) * stride + i + 1;
        at->ux[k] = gx - (float)i;
        at->uy[k] = gy - 0.5f - (float)half_j;
        at->v[k] = (j + 1) * stride + half_i + 1;
        at->vx[k] = gx - 0.5f - (float)half_i;
        at->vy[k] = gy - (float)j;
        at->cell[k] = (j + 1) * stride + i + 1;
    }
}

static void find_sort_buckets(void *context, int begin, int end) {
    const flip_loop_data *s = context;
    const flip_state *state = s->state;
    const pd_layout *l = &state->mac->layout;
    const float *restrict x = s->particles->x, *restrict y = s->particles->y;
    const float nx = (float)l->nx, ny = (float)l->ny, scale = s->inverse_cell, left = s->origin_x, low = s->origin_y;
    /* Particles up to one cell beyond the grid's border count as inside, since rounding errors may move them there.
     * Without a container the outermost cells count as outside, so that no particle contributes to faces on the
     * border. */
    const float slack = s->world->scene.container.shape == PD_CONTAINER_NONE ? -1 : 1;
    const int last_x = l->nx - 1, last_y = l->ny - 1, columns = state->columns, shift = state->shift;
    const int outside = l->ny * columns;
    uint32_t *restrict key = s->world->neighbours.key;
    for (int k = begin; k < end; k++) {
        float gx = (x[k] - left) * scale, gy = (y[k] - low) * scale;
        bool inside = (gx >= -slack) & (gx <= nx + slack) & (gy >= -slack) & (gy <= ny + slack);
        gx = gx > 0 ? gx : 0;
        gy = gy > 0 ? gy : 0;
        int i = gx < nx ? (int)gx : last_x, j = gy < ny ? (int)gy : last_y;
        i = i < last_x ? i : last_x;
        j = j < last_y ? j : last_y;
        key[k] = (uint32_t)(inside ? j * columns + (i >> shift) : outside);
    }
}

/* What PD_LANES particles contribute to the faces around, before multiplication by the faces' weights. mass: mass of
 * the particle. u, v: its momentum in x and y, as seen at the lower left face. u_right, v_right, u_up, v_up: increase
 * of this momentum from a face to the next one at the right or above (APIC). */
typedef struct contributions {
    float mass[PD_LANES];
    float u[PD_LANES], u_right[PD_LANES], u_up[PD_LANES];
    float v[PD_LANES], v_right[PD_LANES], v_up[PD_LANES];
} contributions;

PD_INLINE void compute_contributions_to_faces(const flip_loop_data *s, int i, const places *at, contributions *of,
                                              bool affine) {
    const pd_particles *p = s->particles;
    for (int k = 0; k < at->lanes; k++) of->mass[k] = s->mass[p->material[i + k]];
    if (s->pairs_are_counts) {
        memcpy(of->u, of->mass, (size_t)at->lanes * sizeof *of->u);
        memcpy(of->v, of->mass, (size_t)at->lanes * sizeof *of->v);
        for (int k = 0; k < at->lanes; k++) of->mass[k] = s->factor ? 1 / (1 + (s->factor[i + k] - 1) * s->ramp) : 1;
        return;
    }
    for (int k = 0; k < at->lanes; k++) {
        of->u[k] = of->mass[k] * p->vx[i + k];
        of->v[k] = of->mass[k] * p->vy[i + k];
    }
    if (!affine) return;
    const float h = s->cell;
    const float *ux = s->gradient[0] + i, *uy = s->gradient[1] + i, *vx = s->gradient[2] + i, *vy = s->gradient[3] + i;
    for (int k = 0; k < at->lanes; k++) {
        float m = of->mass[k] * h;
        of->u_right[k] = m * ux[k];
        of->u_up[k] = m * uy[k];
        of->v_right[k] = m * vx[k];
        of->v_up[k] = m * vy[k];
        of->u[k] -= of->u_right[k] * at->ux[k] + of->u_up[k] * at->uy[k];
        of->v[k] -= of->v_right[k] * at->vx[k] + of->v_up[k] * at->vy[k];
    }
}

PD_INLINE void add_contribution_to_faces(float *pairs, int stride, float x, float y, float mass, float momentum,
                                         float increase_right, float increase_up, bool affine) {
    const four across = {1 - x, 1 - x, x, x};
    four low = {momentum, mass, momentum, mass};
    if (affine) low += (four){0, 0, increase_right, 0};
    four high = low;
    if (affine) high += (four){increase_up, 0, increase_up, 0};
    float *above = pairs + 2 * (size_t)stride;
    store_four(pairs, load_four(pairs) + low * across * make_four_equal(1 - y));
    store_four(above, load_four(above) + high * across * make_four_equal(y));
}

PD_INLINE void scatter_particles_to_faces(const flip_loop_data *s, int begin, int end, bool affine) {
    const flip_state *state = s->state;
    const int stride = state->mac->layout.stride;
    places at;
    contributions of = {0};
    for (int i = begin; i < end; i += PD_LANES) {
        int count = end - i < PD_LANES ? end - i : PD_LANES;
        locate_particles_on_grid(s, s->particles->x + i, s->particles->y + i, count, &at);
        compute_contributions_to_faces(s, i, &at, &of, affine);
        for (int k = 0; k < count; k++) {
            add_contribution_to_faces(state->pair_x + 2 * (size_t)at.u[k], stride, at.ux[k], at.uy[k], of.mass[k],
                                      of.u[k], of.u_right[k], of.u_up[k], affine);
            add_contribution_to_faces(state->pair_y + 2 * (size_t)at.v[k], stride, at.vx[k], at.vy[k], of.mass[k],
                                      of.v[k], of.v_right[k], of.v_up[k], affine);
        }
    }
}

/* Adds mass and momentum of the particles to the faces around. A block of rows writes to its own faces and to one row
 * of faces below and above. Blocks of one colour therefore write to distinct faces, and run in parallel. */
static void transfer_to_faces(void *context, int begin, int end) {
    const flip_loop_data *s = context;
    const flip_state *state = s->state;
    for (int b = begin; b < end; b++) {
        int first = (2 * b + s->colour) * FLIP_BLOCK, last = first + FLIP_BLOCK;
        if (last > state->mac->layout.ny) last = state->mac->layout.ny;
        int from = s->start[first * state->columns], to = s->start[last * state->columns];
        if (s->transfer == FLIP_APIC && !s->pairs_are_counts)
            scatter_particles_to_faces(s, from, to, true);
        else
            scatter_particles_to_faces(s, from, to, false);
    }
}

/* Velocities interpolated at particles, m/s: u, v: now; old_u, old_v: before forces and pressure; the other arrays:
 * gradient of the velocity times the size of a cell. */
typedef struct samples {
    float u[BATCH], old_u[BATCH], v[BATCH], old_v[BATCH];
    float gradient[4][BATCH];
} samples;

/* Interpolates one component of the velocity at particles, m/s. now: present value; old: value before forces and
 * pressure; along_x, along_y: gradient times the size of a cell, or NULL. */
PD_INLINE void interpolate_velocity_component(const float *pairs, int stride, const int *index, const float *x,
                                              const float *y, int lanes, float *restrict now, float *restrict old,
                                              float *restrict along_x, float *restrict along_y) {
    for (int k = 0; k < lanes; k += PD_LANES) {
        pd_floatw low[4], high[4], rise[4], at[4], part_x = pd_load_all(x + k), part_y = pd_load_all(y + k);
        pd_gather_fours(pairs, 2, index + k, low);
        pd_gather_fours(pairs + 2 * (size_t)stride, 2, index + k, high);
        for (int n = 0; n < 4; n++) {
            rise[n] = pd_sub(high[n], low[n]);
            at[n] = pd_add(low[n], pd_mul(rise[n], part_y));
        }
        pd_store_all(now + k, pd_lerp(at[0], at[2], part_x));
        pd_store_all(old + k, pd_lerp(at[1], at[3], part_x));
        if (!along_x) continue;
        pd_store_all(along_x + k, pd_sub(at[2], at[0]));
        pd_store_all(along_y + k, pd_lerp(rise[0], rise[2], part_x));
    }
}

PD_INLINE void interpolate_velocities_at_particles(const flip_loop_data *s, const places *at, samples *out,
                                                   bool affine) {
    const int stride = s->state->mac->layout.stride;
    interpolate_velocity_component(s->state->pair_x, stride, at->u, at->ux, at->uy, at->lanes, out->u, out->old_u,
                                   affine ? out->gradient[0] : NULL, out->gradient[1]);
    interpolate_velocity_component(s->state->pair_y, stride, at->v, at->vx, at->vy, at->lanes, out->v, out->old_v,
                                   affine ? out->gradient[2] : NULL, out->gradient[3]);
}

/* Interpolates bilinearly between element index[k], its right neighbour, and the two elements above them. x, y: offset
 * from element index[k] in cells. */
PD_INLINE void interpolate_array_at_particles(const float *values, int stride, const int *index, const float *x,
                                              const float *y, int lanes, float *restrict to) {
    for (int k = 0; k < lanes; k += PD_LANES) {
        pd_floatw left, right, left_above, right_above, part_y = pd_load_all(y + k);
        pd_gather_pairs(values, index + k, &left, &right);
        pd_gather_pairs(values + stride, index + k, &left_above, &right_above);
        left = pd_lerp(left, left_above, part_y);
        right = pd_lerp(right, right_above, part_y);
        pd_store_all(to + k, pd_lerp(left, right, pd_load_all(x + k)));
    }
}

/* Interpolates the velocity that moves the particles. */
PD_INLINE void interpolate_carrier_velocity_at_particles(const flip_loop_data *s, const places *at, float *u,
                                                         float *v) {
    const int stride = s->state->mac->layout.stride;
    interpolate_array_at_particles(s->state->carrier_u, stride, at->u, at->ux, at->uy, at->lanes, u);
    interpolate_array_at_particles(s->state->carrier_v, stride, at->v, at->vx, at->vy, at->lanes, v);
}

/* Interpolates values of cells between their centres. */
PD_INLINE void interpolate_cell_values_at_particles(const flip_loop_data *s, const places *at, const float *values,
                                                    float *to) {
    int index[BATCH];
    for (int k = 0; k < at->lanes; k++) index[k] = at->u[k] + (at->v[k] - at->cell[k]);
    interpolate_array_at_particles(values, s->state->mac->layout.stride, index, at->vx, at->uy, at->lanes, to);
}

PD_INLINE void update_particle_velocities(const flip_loop_data *s, int i, int count, const samples *from, bool affine) {
    const pd_particles *p = s->particles;
    float *restrict vx = p->vx + i, *restrict vy = p->vy + i;
    const float share = s->transfer == FLIP_FLIP ? s->blend : 0, fastest2 = s->fastest * s->fastest;
    int fast = 0;
    for (int k = 0; k < count; k++) {
        vx[k] = from->u[k] + share * (vx[k] - from->old_u[k]);
        vy[k] = from->v[k] + share * (vy[k] - from->old_v[k]);
        fast |= !(vx[k] * vx[k] + vy[k] * vy[k] <= fastest2);
    }
    for (int g = 0; affine && g < 4; g++) {
        float *restrict gradient = s->gradient[g] + i;
        for (int k = 0; k < count; k++) gradient[k] = from->gradient[g][k] * s->inverse_cell;
    }
    for (int k = 0; k < count && fast; k++)
        if (!(vx[k] * vx[k] + vy[k] * vy[k] <= fastest2)) pd_motion_clamp_speed(vx + k, vy + k, s->fastest);
}

/* Separation shifts of particles, m. */
typedef struct shifts {
    float x[BATCH], y[BATCH];
} shifts;

/* Returns the factor on the separation shift of a particle at which `fill` is interpolated. It is 0 at the surface:
 * shifts outwards would raise the water, and so add energy. */
PD_INLINE float separation_factor_at_fill(float fill) {
    const float part = 10 * (fill - 0.9f), some = part > 0 ? part : 0;
    return some < 1 ? some : 1;
}

/* Moves particles by a substep with the grid's velocity at the midpoint (second-order Runge-Kutta), and by their
 * separation shifts, at most by what their speed and s->most_drift allow: around drops in air the spreading would throw
 * particles by several cells. Particles in air, away from the liquid, move with the velocity that they store. */
PD_INLINE void move_particles(const flip_loop_data *s, int i, int count, const samples *from, const shifts *shift,
                              const places *at) {
    const pd_particles *p = s->particles;
    float x[BATCH], y[BATCH], u[BATCH], v[BATCH];
    float fill[BATCH], distance[BATCH];
    places middle;
    float *restrict to_x = p->x + i, *restrict to_y = p->y + i, *restrict density = p->density + i;
    const float *restrict vx = p->vx + i, *restrict vy = p->vy + i;
    const float dt = s->dt, rest_density = s->rest_density, most_drift = s->most_drift;
    for (int k = 0; k < at->lanes; k++) {
        x[k] = to_x[k] + 0.5f * dt * from->u[k];
        y[k] = to_y[k] + 0.5f * dt * from->v[k];
    }
    locate_particles_on_grid(s, x, y, count, &middle);
    interpolate_carrier_velocity_at_particles(s, &middle, u, v);
    interpolate_cell_values_at_particles(s, at, s->state->fill, fill);
    for (int k = 0; k < count; k++) distance[k] = s->state->distance[at->cell[k]];
    for (int k = 0; k < count; k++) {
        float part = separation_factor_at_fill(fill[k]), dx = dt * u[k] + part * shift->x[k],
              dy = dt * v[k] + part * shift->y[k];
        float most = dt * sqrtf(vx[k] * vx[k] + vy[k] * vy[k]) + most_drift, way = sqrtf(dx * dx + dy * dy);
        float kept = most / (way > most ? way : most);
        dx *= kept;
        dy *= kept;
        float flight_x = dt * vx[k], flight_y = dt * vy[k];
        density[k] = fill[k] * rest_density;
        to_x[k] += distance[k] > 0 ? flight_x : dx;
        to_y[k] += distance[k] > 0 ? flight_y : dy;
    }
    for (int k = 0; s->factor && k < count; k++) density[k] *= 1 + (s->factor[i + k] - 1) * s->ramp;
}

static void stop_particle_at_walls(const flip_loop_data *s, int i) {
    const pd_particles *p = s->particles;
    pd_vec2 now = {p->x[i], p->y[i]};
    pd_contact wall;
    bool touched = pd_boundary_stop_at_walls(s->world->boundary, (pd_vec2){p->old_x[i], p->old_y[i]}, &now, &wall);
    p->x[i] = now.x;
    p->y[i] = now.y;
    if (!touched) return;
    float towards = (p->vx[i] - wall.velocity.x) * wall.normal.x + (p->vy[i] - wall.velocity.y) * wall.normal.y;
    if (!(towards < 0)) return;
    p->vx[i] -= towards * wall.normal.x;
    p->vy[i] -= towards * wall.normal.y;
}

/* Moves particles outside of the grid with the velocity that they store, which only gravity changes. */
static void move_particles_outside_grid(const flip_loop_data *s, int begin, int end) {
    const pd_particles *p = s->particles;
    const pd_vec2 gravity = s->world->scene.gravity;
    for (int i = begin; i < end; i++) {
        p->vx[i] += gravity.x * s->dt;
        p->vy[i] += gravity.y * s->dt;
        if (!(p->vx[i] * p->vx[i] + p->vy[i] * p->vy[i] <= s->fastest * s->fastest))
            pd_motion_clamp_speed(p->vx + i, p->vy + i, s->fastest);
        p->x[i] += p->vx[i] * s->dt;
        p->y[i] += p->vy[i] * s->dt;
        p->density[i] = 0;
    }
}

PD_INLINE void update_particle_batch(const flip_loop_data *s, int i, int count, bool affine) {
    const pd_particles *p = s->particles;
    const size_t bytes = (size_t)count * sizeof(float);
    places at;
    samples from;
    shifts shift;
    if (s->separation > 0) {
        memcpy(shift.x, p->old_x + i, bytes);
        memcpy(shift.y, p->old_y + i, bytes);
    } else {
        memset(&shift, 0, sizeof shift);
    }
    memcpy(p->old_x + i, p->x + i, bytes);
    memcpy(p->old_y + i, p->y + i, bytes);
    locate_particles_on_grid(s, p->x + i, p->y + i, count, &at);
    interpolate_velocities_at_particles(s, &at, &from, affine);
    update_particle_velocities(s, i, count, &from, affine);
    move_particles(s, i, count, &from, &shift, &at);
}

static void transfer_to_particles(void *context, int begin, int end) {
    const flip_loop_data *s = context;
    const pd_particles *p = s->particles;
    const flip_state *state = s->state;
    int inside = s->start[state->mac->layout.ny * state->columns];
    for (int i = begin; i < end; i += BATCH) {
        int stop = i + BATCH < end ? i + BATCH : end, last = stop < inside ? stop : inside;
        if (i < last && s->transfer == FLIP_APIC)
            update_particle_batch(s, i, last - i, true);
        else if (i < last)
            update_particle_batch(s, i, last - i, false);
        int out = i > inside ? i : inside;
        if (out < stop) {
            memcpy(p->old_x + out, p->x + out, (size_t)(stop - out) * sizeof(float));
            memcpy(p->old_y + out, p->y + out, (size_t)(stop - out) * sizeof(float));
            move_particles_outside_grid(s, out, stop);
        }
    }
    pd_near_paths near = pd_near_paths_begin(s->world->boundary, begin, end, p->old_x, p->old_y, p->x, p->y);
    for (int i; (i = pd_near_paths_next(&near)) >= 0;) stop_particle_at_walls(s, i);
}

PD_INLINE void compute_particle_numbers_of_row(const float *restrict pairs, float *restrict number,
                                               float *restrict inverse, int stride) {
    for (int i = 0; i < stride; i++) {
        float mass = pairs[2 * i];
        number[i] = pairs[2 * i + 1];
        inverse[i] = mass > 0 ? pairs[2 * i + 1] / mass : 1;
    }
}

static void compute_particle_numbers(void *context, int begin, int end) {
    const flip_loop_data *s = context;
    const flip_state *f = s->state;
    int stride = f->mac->layout.stride;
    for (int j = begin; j < end; j++) {
        size_t row = (size_t)j * (size_t)stride;
        compute_particle_numbers_of_row(f->pair_x + 2 * row, f->number_x + row, f->inverse_u + row, stride);
        compute_particle_numbers_of_row(f->pair_y + 2 * row, f->number_y + row, f->inverse_v + row, stride);
    }
}

PD_INLINE void compute_velocities_of_row(const float *restrict pairs, float *restrict velocity, float *restrict old,
                                         int stride) {
    for (int i = 0; i < stride; i++) {
        float mass = pairs[2 * i + 1], divisor = mass > 0 ? mass : 1;
        velocity[i] = old[i] = pairs[2 * i] / divisor;
    }
}

PD_INLINE void compute_particle_numbers_from_mass(const float *restrict pairs, float per_mass, float *restrict number,
                                                  int stride) {
    for (int i = 0; i < stride; i++) number[i] = pairs[2 * i + 1] * per_mass;
}

static void compute_velocities(void *context, int begin, int end) {
    const flip_loop_data *s = context;
    const flip_state *f = s->state;
    int stride = f->mac->layout.stride;
    for (int j = begin; j < end; j++) {
        size_t row = (size_t)j * (size_t)stride;
        compute_velocities_of_row(f->pair_x + 2 * row, f->mac->u + row, f->old_u + row, stride);
        compute_velocities_of_row(f->pair_y + 2 * row, f->mac->v + row, f->old_v + row, stride);
        if (s->has_mixed_masses || s->factor) continue;
        compute_particle_numbers_from_mass(f->pair_x + 2 * row, 1 / s->mass[0], f->number_x + row, stride);
        compute_particle_numbers_from_mass(f->pair_y + 2 * row, 1 / s->mass[0], f->number_y + row, stride);
    }
}

PD_INLINE void mark_touched_and_wall_cells_of_row(const float *restrict x, const float *restrict y,
                                                  const float *restrict y_above, const float *restrict open_x,
                                                  const float *restrict open_y, const float *restrict open_above,
                                                  uint8_t *restrict marks, int count) {
    for (int i = 0; i < count; i++) {
        float number = (x[i] + x[i + 1]) + (y[i] + y_above[i]);
        float open = (open_x[i] + open_x[i + 1]) + (open_y[i] + open_above[i]);
        uint8_t wall = open < 4 ? FLIP_TOUCHED | FLIP_AT_WALL : FLIP_TOUCHED;
        marks[i] = number > 0 ? wall : 0;
    }
}

static void mark_touched_and_wall_cells(void *context, int begin, int end) {
    const flip_loop_data *s = context;
    const flip_state *f = s->state;
    const pd_mac *m = f->mac;
    const pd_layout *l = &m->layout;
    for (int j = begin; j < end; j++) {
        size_t row = pd_element_index(l, 0, j), above = row + (size_t)l->stride;
        mark_touched_and_wall_cells_of_row(f->number_x + row, f->number_y + row, f->number_y + above, m->open_x + row,
                                           m->open_y + row, m->open_y + above, f->marks + row, l->nx);
    }
}

/* Returns the signed distance to the surface in cells, negative in the liquid, of a cell with this fill. At a flat
 * surface of evenly spread particles the fill is 1/2, and it falls by 3/4 per cell there. One cell beyond the surface
 * it is almost 0. */
PD_INLINE float surface_distance_from_fill(float fill) {
    float part = fill < 1 ? 0.5f - fill : -0.5f, square = part * part;
    return part * (4.0f / 3.0f + 13.5f * square * square);
}

enum { LEAST_ROOM = 16 }; /* smaller values of open_around count as 1/LEAST_ROOM, since the fill is divided by them */

PD_INLINE void compute_fill_of_row(const float *restrict x, const float *restrict y, const float *restrict above,
                                   const float *restrict open_around, float scale, float cell, float *restrict fill,
                                   float *restrict distance, int count) {
    const float least = 1.0f / LEAST_ROOM;
    for (int i = 0; i < count; i++) {
        float around = (x[i] + x[i + 1]) + (y[i] + above[i]), space = open_around[i] > least ? open_around[i] : least;
        float value = around * scale / space;
        fill[i] = value;
        distance[i] = cell * surface_distance_from_fill(value);
    }
}

static void compute_fill_and_distance(void *context, int begin, int end) {
    const flip_loop_data *s = context;
    const flip_state *f = s->state;
    const pd_layout *l = &f->mac->layout;
    for (int j = begin; j < end; j++) {
        size_t row = pd_element_index(l, 0, j);
        compute_fill_of_row(f->number_x + row, f->number_y + row, f->number_y + row + l->stride, f->open_around + row,
                            0.25f * s->particle_area, s->cell, f->fill + row, f->distance + row, l->nx);
    }
}

/* Sets inside[i] to 0 if cell i of a row, its left or its right neighbour is air; leaves it unchanged otherwise. */
PD_INLINE void clear_marks_of_cells_beside_air(const float *restrict d, const float *restrict open,
                                               float *restrict inside, int count) {
    for (int i = 0; i < count; i++) {
        bool air = ((d[i] >= 0) & (open[i] > 0)) | ((d[i - 1] >= 0) & (open[i - 1] > 0)) |
                   ((d[i + 1] >= 0) & (open[i + 1] > 0));
        inside[i] = air ? 0 : inside[i];
    }
}

PD_INLINE void compute_spreading_rates_of_row(const float *restrict fill, const float *restrict inside, float scale,
                                              float *restrict rate, int count) {
    const float most = 0.5f; /* fill - 1 is limited to [-most, most] */
    for (int i = 0; i < count; i++) {
        float excess = fill[i] - 1;
        excess = excess < most ? excess : most;
        excess = excess > -most ? excess : -most;
        rate[i] = excess > 0 ? excess * scale : excess * scale * inside[i];
    }
}

/* Computes the rates of expansion from the fill. In cells beside air a fill below 1 gives the rate 0, because the fill
 * is below 1 there even at rest. */
static void compute_spreading_rates(void *context, int begin, int end) {
    enum { PIECE = 256 };
    const flip_loop_data *s = context;
    const flip_state *f = s->state;
    const pd_layout *l = &f->mac->layout;
    float inside[PIECE];
    for (int j = begin; j < end; j++) {
        for (int i = 0; i < l->nx; i += PIECE) {
            size_t at = pd_element_index(l, i, j);
            int count = l->nx - i < PIECE ? l->nx - i : PIECE;
            for (int k = 0; k < count; k++) inside[k] = 1;
            clear_marks_of_cells_beside_air(f->distance + at, f->mac->open + at, inside, count);
            clear_marks_of_cells_beside_air(f->distance + at - l->stride, f->mac->open + at - l->stride, inside, count);
            clear_marks_of_cells_beside_air(f->distance + at + l->stride, f->mac->open + at + l->stride, inside, count);
            compute_spreading_rates_of_row(f->fill + at, inside, s->spreading, f->rate + at, count);
        }
    }
}

PD_INLINE bool has_velocity_gap_in_row(const float *restrict number, const float *restrict open,
                                       const float *restrict d, const float *restrict d_before, int count) {
    int any = 0;
    for (int i = 0; i < count; i++) any |= (number[i] <= 0) & (open[i] > 0) & ((d[i] < 0) | (d_before[i] < 0));
    return any;
}

static void fill_velocity_gap(float *velocity, const float *number, ptrdiff_t up) {
    const ptrdiff_t around[4] = {-1, 1, -up, up};
    float sum = 0, count = 0;
    for (int k = 0; k < 4; k++) {
        if (!(number[around[k]] > 0)) continue;
        sum += velocity[around[k]];
        count++;
    }
    *velocity = count > 0 ? sum / count : 0;
}

static void fill_velocity_gaps_in_row(const flip_loop_data *s, size_t row, ptrdiff_t back, float *velocity,
                                      const float *number, const float *open, int count) {
    const float *d = s->state->distance + row;
    if (!has_velocity_gap_in_row(number + row, open + row, d, d - back, count)) return;
    for (int i = 0; i < count; i++) {
        size_t at = row + (size_t)i;
        bool beside = (d[i] < 0) | (d[i - back] < 0);
        if (!(number[at] > 0) && open[at] > 0 && beside)
            fill_velocity_gap(velocity + at, number + at, s->state->mac->layout.stride);
    }
}

/* Sets the velocity of each face that is beside liquid but has no particles around: to the mean over the adjacent faces
 * with particles. */
static void fill_velocity_gaps(void *context, int begin, int end) {
    const flip_loop_data *s = context;
    const flip_state *f = s->state;
    const pd_mac *m = f->mac;
    const pd_layout *l = &m->layout;
    for (int j = begin; j < end; j++) {
        size_t row = pd_element_index(l, 0, j);
        fill_velocity_gaps_in_row(s, row, 1, m->u, f->number_x, m->open_x, l->nx + 1);
        fill_velocity_gaps_in_row(s, row, l->stride, m->v, f->number_y, m->open_y, l->nx);
    }
}

PD_INLINE void make_velocity_pairs_of_row(const float *restrict velocity, const float *restrict old,
                                          float *restrict pairs, int stride) {
    for (int i = 0; i < stride; i++) {
        pairs[2 * i] = velocity[i];
        pairs[2 * i + 1] = old[i];
    }
}

static void make_velocity_pairs(void *context, int begin, int end) {
    const flip_loop_data *s = context;
    const flip_state *f = s->state;
    int stride = f->mac->layout.stride;
    for (int j = begin; j < end; j++) {
        size_t row = (size_t)j * (size_t)stride;
        make_velocity_pairs_of_row(f->mac->u + row, f->old_u + row, f->pair_x + 2 * row, stride);
        make_velocity_pairs_of_row(f->mac->v + row, f->old_v + row, f->pair_y + 2 * row, stride);
    }
}

const pd_flip_kernels PD_LEVEL_NAME(pd_flip_kernels) = {.find_sort_buckets = find_sort_buckets,
                                                        .transfer_to_faces = transfer_to_faces,
                                                        .compute_particle_numbers = compute_particle_numbers,
                                                        .compute_velocities = compute_velocities,
                                                        .mark_touched_and_wall_cells = mark_touched_and_wall_cells,
                                                        .compute_fill_and_distance = compute_fill_and_distance,
                                                        .compute_spreading_rates = compute_spreading_rates,
                                                        .fill_velocity_gaps = fill_velocity_gaps,
                                                        .make_velocity_pairs = make_velocity_pairs,
                                                        .separate_particles = separate_particles,
                                                        .transfer_to_particles = transfer_to_particles};
