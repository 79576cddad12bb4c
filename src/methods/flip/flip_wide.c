/* The transfers between particles and faces. Compiled once for each SIMD level (core/simd.h); every level gives the same
 * bits: plain loops over groups of particles, and vectors of four floats for the faces around one of them. */
#include "methods/flip/flip.h"
#include "methods/particle_fluid/motion_wide.h"

#include "core/simd.h"

#include <math.h>
#include <string.h>

typedef float four __attribute__((vector_size(16)));

static inline four load4(const float *p) {
    four v;
    memcpy(&v, p, sizeof v);
    return v;
}
static inline void store4(float *p, four v) { memcpy(p, &v, sizeof v); }
static inline four all4(float a) { return (four){a, a, a, a}; }

/* Where particles are among the faces: the element of the lower left one of the four vertical faces (u) around and of the
 * four horizontal ones (v), and the position between them, 0 to 1; the cell. */
typedef struct places {
    int u[FLIP_LANES], v[FLIP_LANES], cell[FLIP_LANES];
    float ux[FLIP_LANES], uy[FLIP_LANES], vx[FLIP_LANES], vy[FLIP_LANES];
} places;

PD_INLINE void locate(const flip_pass *s, const float *x, const float *y, places *at) {
    const pd_layout *l = &s->state->mac->layout;
    const float nx = (float)l->nx, ny = (float)l->ny, scale = s->inverse_cell, left = s->origin_x, low = s->origin_y;
    const int stride = l->stride, last_x = l->nx - 1, last_y = l->ny - 1;
    for (int k = 0; k < FLIP_LANES; k++) {
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

/* ---- Particles to faces ---- */

/* What a particle adds to the faces around, before the weights: its mass, momentum at the lower left face, and the
 * increase of that to the right and upwards. */
typedef struct loads {
    float mass[FLIP_LANES];
    float u[FLIP_LANES], u_right[FLIP_LANES], u_up[FLIP_LANES];
    float v[FLIP_LANES], v_right[FLIP_LANES], v_up[FLIP_LANES];
} loads;

PD_INLINE void load_particles(const flip_pass *s, int i, const places *at, loads *of, bool affine) {
    const pd_particles *p = s->particles;
    for (int k = 0; k < FLIP_LANES; k++) of->mass[k] = s->mass[p->material[i + k]];
    if (s->counting) {
        memcpy(of->u, of->mass, sizeof of->u);
        memcpy(of->v, of->mass, sizeof of->v);
        for (int k = 0; k < FLIP_LANES; k++) of->mass[k] = s->factor ? 1 / (1 + (s->factor[i + k] - 1) * s->ramp) : 1;
        return;
    }
    for (int k = 0; k < FLIP_LANES; k++) {
        of->u[k] = of->mass[k] * p->vx[i + k];
        of->v[k] = of->mass[k] * p->vy[i + k];
    }
    if (!affine) return;
    const float h = s->cell;
    const float *ux = s->gradient[0] + i, *uy = s->gradient[1] + i, *vx = s->gradient[2] + i, *vy = s->gradient[3] + i;
    for (int k = 0; k < FLIP_LANES; k++) {
        float m = of->mass[k] * h;
        of->u_right[k] = m * ux[k];
        of->u_up[k] = m * uy[k];
        of->v_right[k] = m * vx[k];
        of->v_up[k] = m * vy[k];
        of->u[k] -= of->u_right[k] * at->ux[k] + of->u_up[k] * at->uy[k];
        of->v[k] -= of->v_right[k] * at->vx[k] + of->v_up[k] * at->vy[k];
    }
}

PD_INLINE void add_to_faces(float *pairs, int stride, float x, float y, float mass, float load, float right, float up,
                            bool affine) {
    const four across = {1 - x, 1 - x, x, x};
    four low = {load, mass, load, mass};
    if (affine) low += (four){0, 0, right, 0};
    four high = low;
    if (affine) high += (four){up, 0, up, 0};
    float *above = pairs + 2 * (size_t)stride;
    store4(pairs, load4(pairs) + low * across * all4(1 - y));
    store4(above, load4(above) + high * across * all4(y));
}

PD_INLINE void scatter(const flip_pass *s, int begin, int end, bool affine) {
    const flip_state *state = s->state;
    const int stride = state->mac->layout.stride;
    places at;
    loads of = {0};
    for (int i = begin; i < end; i += FLIP_LANES) {
        int count = end - i < FLIP_LANES ? end - i : FLIP_LANES;
        locate(s, s->particles->x + i, s->particles->y + i, &at);
        load_particles(s, i, &at, &of, affine);
        for (int k = 0; k < count; k++) {
            add_to_faces(state->pair_x + 2 * (size_t)at.u[k], stride, at.ux[k], at.uy[k], of.mass[k], of.u[k],
                         of.u_right[k], of.u_up[k], affine);
            add_to_faces(state->pair_y + 2 * (size_t)at.v[k], stride, at.vx[k], at.vy[k], of.mass[k], of.v[k],
                         of.v_right[k], of.v_up[k], affine);
        }
    }
}

/* Particles of a block of rows touch one more row of faces on both sides: blocks of one colour touch different ones. */
static void to_faces(void *context, int begin, int end) {
    const flip_pass *s = context;
    const flip_state *state = s->state;
    for (int b = begin; b < end; b++) {
        int first = (2 * b + s->colour) * FLIP_BLOCK, last = first + FLIP_BLOCK;
        if (last > state->mac->layout.ny) last = state->mac->layout.ny;
        int from = s->start[first * state->columns], to = s->start[last * state->columns];
        if (s->transfer == FLIP_APIC && !s->counting)
            scatter(s, from, to, true);
        else
            scatter(s, from, to, false);
    }
}

/* ---- Faces to particles ---- */

/* Velocities interpolated at particles: new and old, and the gradient times the size of a cell. */
typedef struct samples {
    float u[FLIP_LANES], old_u[FLIP_LANES], v[FLIP_LANES], old_v[FLIP_LANES];
    float gradient[4][FLIP_LANES];
} samples;

PD_INLINE void sample_pairs(const flip_pass *s, const places *at, samples *out, bool affine) {
    const size_t row = 2 * (size_t)s->state->mac->layout.stride;
    for (int k = 0; k < FLIP_LANES; k++) {
        const float *u = s->state->pair_x + 2 * (size_t)at->u[k], *v = s->state->pair_y + 2 * (size_t)at->v[k];
        four low_u = load4(u), rise_u = load4(u + row) - low_u, low_v = load4(v), rise_v = load4(v + row) - low_v;
        four a = low_u + rise_u * all4(at->uy[k]), b = low_v + rise_v * all4(at->vy[k]);
        out->u[k] = a[0] + (a[2] - a[0]) * at->ux[k];
        out->old_u[k] = a[1] + (a[3] - a[1]) * at->ux[k];
        out->v[k] = b[0] + (b[2] - b[0]) * at->vx[k];
        out->old_v[k] = b[1] + (b[3] - b[1]) * at->vx[k];
        if (!affine) continue;
        out->gradient[0][k] = a[2] - a[0];
        out->gradient[1][k] = rise_u[0] + (rise_u[2] - rise_u[0]) * at->ux[k];
        out->gradient[2][k] = b[2] - b[0];
        out->gradient[3][k] = rise_v[0] + (rise_v[2] - rise_v[0]) * at->vx[k];
    }
}

/* The velocity that carries particles. */
PD_INLINE void sample_moves(const flip_pass *s, const places *at, float *u, float *v) {
    const size_t row = (size_t)s->state->mac->layout.stride;
    for (int k = 0; k < FLIP_LANES; k++) {
        const float *a = s->state->move_u + at->u[k], *b = s->state->move_v + at->v[k];
        float left = a[0] + (a[row] - a[0]) * at->uy[k], right = a[1] + (a[row + 1] - a[1]) * at->uy[k];
        u[k] = left + (right - left) * at->ux[k];
        float low = b[0] + (b[row] - b[0]) * at->vy[k], high = b[1] + (b[row + 1] - b[1]) * at->vy[k];
        v[k] = low + (high - low) * at->vx[k];
    }
}

/* Values of cells, interpolated between their centres. */
PD_INLINE void sample_cells(const flip_pass *s, const places *at, const float *values, float *to) {
    const int stride = s->state->mac->layout.stride;
    for (int k = 0; k < FLIP_LANES; k++) {
        const float *a = values + at->u[k] + (at->v[k] - at->cell[k]), *b = a + stride;
        float left = a[0] + (b[0] - a[0]) * at->uy[k], right = a[1] + (b[1] - a[1]) * at->uy[k];
        to[k] = left + (right - left) * at->vx[k];
    }
}

PD_INLINE void set_velocities(const flip_pass *s, int i, int count, const samples *from, bool affine) {
    const pd_particles *p = s->particles;
    float *vx = p->vx + i, *vy = p->vy + i;
    const float share = s->transfer == FLIP_FLIP ? s->blend : 0;
    for (int k = 0; k < count; k++) {
        vx[k] = from->u[k] + share * (vx[k] - from->old_u[k]);
        vy[k] = from->v[k] + share * (vy[k] - from->old_v[k]);
    }
    for (int g = 0; affine && g < 4; g++)
        for (int k = 0; k < count; k++) s->gradient[g][i + k] = from->gradient[g][k] * s->inverse_cell;
    const float fastest2 = s->fastest * s->fastest;
    for (int k = 0; k < count; k++)
        if (!(vx[k] * vx[k] + vy[k] * vy[k] <= fastest2)) motion_clamp_speed(vx + k, vy + k, s->fastest);
}

/* By particle, m: what the separation adds to the displacement. */
typedef struct shifts {
    float x[FLIP_LANES], y[FLIP_LANES];
} shifts;

/* The part of its shift that a particle with this fill around makes. At the surface it makes none: there nothing is in the
 * way of particles pushed outwards, and the water would rise, which brings energy. */
PD_INLINE float part_of_shift(float fill) {
    const float part = 10 * (fill - 0.9f), some = part > 0 ? part : 0;
    return some < 1 ? some : 1;
}

/* Moves particles with the velocity of the grid at half of their way (Runge-Kutta, second order), and by their shifts;
 * those in air, apart from the liquid, with their own velocity alone. */
PD_INLINE void move(const flip_pass *s, int i, int count, const samples *from, const shifts *shift, const places *at) {
    const pd_particles *p = s->particles;
    float x[FLIP_LANES], y[FLIP_LANES], u[FLIP_LANES], v[FLIP_LANES], fill[FLIP_LANES];
    places middle;
    for (int k = 0; k < FLIP_LANES; k++) {
        x[k] = p->x[i + k] + 0.5f * s->dt * from->u[k];
        y[k] = p->y[i + k] + 0.5f * s->dt * from->v[k];
    }
    locate(s, x, y, &middle);
    sample_moves(s, &middle, u, v);
    sample_cells(s, at, s->state->fill, fill);
    for (int k = 0; k < count; k++) {
        bool flies = s->state->distance[at->cell[k]] > 0;
        float rest = s->factor ? 1 + (s->factor[i + k] - 1) * s->ramp : 1;
        p->density[i + k] = fill[k] * s->rest_density * rest;
        float part = part_of_shift(fill[k]);
        p->x[i + k] += flies ? s->dt * p->vx[i + k] : s->dt * u[k] + part * shift->x[k];
        p->y[i + k] += flies ? s->dt * p->vy[i + k] : s->dt * v[k] + part * shift->y[k];
    }
}

static void contain(const flip_pass *s, int i) {
    const pd_particles *p = s->particles;
    pd_vec2 now = {p->x[i], p->y[i]};
    pd_contact wall;
    bool touched = pd_boundary_contain(s->world->boundary, (pd_vec2){p->old_x[i], p->old_y[i]}, &now, &wall);
    p->x[i] = now.x;
    p->y[i] = now.y;
    if (!touched) return;
    float towards = (p->vx[i] - wall.velocity.x) * wall.normal.x + (p->vy[i] - wall.velocity.y) * wall.normal.y;
    if (!(towards < 0)) return;
    p->vx[i] -= towards * wall.normal.x;
    p->vy[i] -= towards * wall.normal.y;
}

/* Particles outside the grid fly. */
static void fly(const flip_pass *s, int begin, int end) {
    const pd_particles *p = s->particles;
    const pd_vec2 gravity = s->world->scene.gravity;
    for (int i = begin; i < end; i++) {
        p->vx[i] += gravity.x * s->dt;
        p->vy[i] += gravity.y * s->dt;
        if (!(p->vx[i] * p->vx[i] + p->vy[i] * p->vy[i] <= s->fastest * s->fastest))
            motion_clamp_speed(p->vx + i, p->vy + i, s->fastest);
        p->x[i] += p->vx[i] * s->dt;
        p->y[i] += p->vy[i] * s->dt;
        p->density[i] = 0;
    }
}

PD_INLINE void to_particles_group(const flip_pass *s, int i, int count, bool affine) {
    const pd_particles *p = s->particles;
    const size_t bytes = (size_t)count * sizeof(float);
    places at;
    samples from;
    shifts shift = {0};
    if (s->separation > 0) {
        memcpy(shift.x, p->old_x + i, bytes);
        memcpy(shift.y, p->old_y + i, bytes);
    }
    memcpy(p->old_x + i, p->x + i, bytes);
    memcpy(p->old_y + i, p->y + i, bytes);
    locate(s, p->x + i, p->y + i, &at);
    sample_pairs(s, &at, &from, affine);
    set_velocities(s, i, count, &from, affine);
    move(s, i, count, &from, &shift, &at);
}

static void to_particles(void *context, int begin, int end) {
    const flip_pass *s = context;
    const pd_particles *p = s->particles;
    const flip_state *state = s->state;
    int inside = s->start[state->mac->layout.ny * state->columns];
    for (int i = begin; i < end; i += FLIP_LANES) {
        int stop = i + FLIP_LANES < end ? i + FLIP_LANES : end, last = stop < inside ? stop : inside;
        if (i < last && s->transfer == FLIP_APIC)
            to_particles_group(s, i, last - i, true);
        else if (i < last)
            to_particles_group(s, i, last - i, false);
        int out = i > inside ? i : inside;
        if (out < stop) {
            memcpy(p->old_x + out, p->x + out, (size_t)(stop - out) * sizeof(float));
            memcpy(p->old_y + out, p->y + out, (size_t)(stop - out) * sizeof(float));
            fly(s, out, stop);
        }
    }
    pd_near_paths near = pd_near_paths_of(s->world->boundary, begin, end, p->old_x, p->old_y, p->x, p->y);
    for (int i; (i = pd_near_paths_next(&near)) >= 0;) contain(s, i);
}

/* ---- Faces and cells ---- */

PD_INLINE void numbers_row(const float *restrict pairs, float *restrict number, float *restrict inverse, int stride) {
    for (int i = 0; i < stride; i++) {
        float mass = pairs[2 * i];
        number[i] = pairs[2 * i + 1];
        inverse[i] = mass > 0 ? pairs[2 * i + 1] / mass : 1;
    }
}

static void numbers(void *context, int begin, int end) {
    const flip_pass *s = context;
    const flip_state *f = s->state;
    int stride = f->mac->layout.stride;
    for (int j = begin; j < end; j++) {
        size_t row = (size_t)j * (size_t)stride;
        numbers_row(f->pair_x + 2 * row, f->number_x + row, f->inverse_u + row, stride);
        numbers_row(f->pair_y + 2 * row, f->number_y + row, f->inverse_v + row, stride);
    }
}

PD_INLINE void velocities_row(const float *restrict pairs, float *restrict velocity, float *restrict old, int stride) {
    for (int i = 0; i < stride; i++) {
        float mass = pairs[2 * i + 1], divisor = mass > 0 ? mass : 1;
        velocity[i] = old[i] = pairs[2 * i] / divisor;
    }
}

PD_INLINE void equal_numbers_row(const float *restrict pairs, float per_mass, float *restrict number, int stride) {
    for (int i = 0; i < stride; i++) number[i] = pairs[2 * i + 1] * per_mass;
}

static void velocities(void *context, int begin, int end) {
    const flip_pass *s = context;
    const flip_state *f = s->state;
    int stride = f->mac->layout.stride;
    for (int j = begin; j < end; j++) {
        size_t row = (size_t)j * (size_t)stride;
        velocities_row(f->pair_x + 2 * row, f->mac->u + row, f->old_u + row, stride);
        velocities_row(f->pair_y + 2 * row, f->mac->v + row, f->old_v + row, stride);
        if (s->mixed || s->factor) continue;
        equal_numbers_row(f->pair_x + 2 * row, 1 / s->mass[0], f->number_x + row, stride);
        equal_numbers_row(f->pair_y + 2 * row, 1 / s->mass[0], f->number_y + row, stride);
    }
}

PD_INLINE void mark_row(const float *restrict x, const float *restrict y, const float *restrict y_above,
                        const float *restrict open_x, const float *restrict open_y, const float *restrict open_above,
                        uint8_t *restrict marks, int count) {
    for (int i = 0; i < count; i++) {
        float number = (x[i] + x[i + 1]) + (y[i] + y_above[i]);
        float open = (open_x[i] + open_x[i + 1]) + (open_y[i] + open_above[i]);
        uint8_t wall = open < 4 ? FLIP_TOUCHED | FLIP_AT_WALL : FLIP_TOUCHED;
        marks[i] = number > 0 ? wall : 0;
    }
}

static void mark_cells(void *context, int begin, int end) {
    const flip_pass *s = context;
    const flip_state *f = s->state;
    const pd_mac *m = f->mac;
    const pd_layout *l = &m->layout;
    for (int j = begin; j < end; j++) {
        size_t row = pd_at(l, 0, j), above = row + (size_t)l->stride;
        mark_row(f->number_x + row, f->number_y + row, f->number_y + above, m->open_x + row, m->open_y + row,
                 m->open_y + above, f->marks + row, l->nx);
    }
}

/* The distance (cells) at which a flat surface of evenly spread particles gives this fill: the sum of the weights on one
 * side is 1/2 at the surface, where it falls by 3/4 per cell, and almost 0 one cell beyond. */
PD_INLINE float distance_of(float fill) {
    float part = fill < 1 ? 0.5f - fill : -0.5f, square = part * part;
    return part * (4.0f / 3.0f + 13.5f * square * square);
}

enum { LEAST_ROOM = 16 }; /* 1/16 of a cell */

PD_INLINE void fill_row(const float *restrict x, const float *restrict y, const float *restrict above,
                        const float *restrict room, float scale, float cell, float *restrict fill,
                        float *restrict distance, int count) {
    const float least = 1.0f / LEAST_ROOM;
    for (int i = 0; i < count; i++) {
        float around = (x[i] + x[i + 1]) + (y[i] + above[i]), space = room[i] > least ? room[i] : least;
        float value = around * scale / space;
        fill[i] = value;
        distance[i] = cell * distance_of(value);
    }
}

static void fill_cells(void *context, int begin, int end) {
    const flip_pass *s = context;
    const flip_state *f = s->state;
    const pd_layout *l = &f->mac->layout;
    for (int j = begin; j < end; j++) {
        size_t row = pd_at(l, 0, j);
        fill_row(f->number_x + row, f->number_y + row, f->number_y + row + l->stride, f->room + row,
                 0.25f * s->particle_area, s->cell, f->fill + row, f->distance + row, l->nx);
    }
}

/* Clears `inside` where a cell of the row or one beside it is air. */
PD_INLINE void inside_row(const float *restrict d, const float *restrict open, float *restrict inside, int count) {
    for (int i = 0; i < count; i++) {
        bool air = ((d[i] >= 0) & (open[i] > 0)) | ((d[i - 1] >= 0) & (open[i - 1] > 0)) |
                   ((d[i + 1] >= 0) & (open[i + 1] > 0));
        inside[i] = air ? 0 : inside[i];
    }
}

PD_INLINE void rates_row(const float *restrict fill, const float *restrict inside, float scale, float *restrict rate,
                         int count) {
    const float most = 0.5f; /* of the density, in a substep */
    for (int i = 0; i < count; i++) {
        float excess = fill[i] - 1;
        excess = excess < most ? excess : most;
        excess = excess > -most ? excess : -most;
        rate[i] = excess > 0 ? excess * scale : excess * scale * inside[i];
    }
}

/* Near the surface fill is below 1 by nature: there only too much counts. */
static void spreading_rates(void *context, int begin, int end) {
    enum { PIECE = 256 };
    const flip_pass *s = context;
    const flip_state *f = s->state;
    const pd_layout *l = &f->mac->layout;
    float inside[PIECE];
    for (int j = begin; j < end; j++) {
        for (int i = 0; i < l->nx; i += PIECE) {
            size_t at = pd_at(l, i, j);
            int count = l->nx - i < PIECE ? l->nx - i : PIECE;
            for (int k = 0; k < count; k++) inside[k] = 1;
            inside_row(f->distance + at, f->mac->open + at, inside, count);
            inside_row(f->distance + at - l->stride, f->mac->open + at - l->stride, inside, count);
            inside_row(f->distance + at + l->stride, f->mac->open + at + l->stride, inside, count);
            rates_row(f->fill + at, inside, s->spreading, f->rate + at, count);
        }
    }
}

PD_INLINE bool gap_in_row(const float *restrict number, const float *restrict open, const float *restrict d,
                          const float *restrict d_before, int count) {
    int any = 0;
    for (int i = 0; i < count; i++) any |= (number[i] <= 0) & (open[i] > 0) & ((d[i] < 0) | (d_before[i] < 0));
    return any;
}

static void fill_gap(float *velocity, const float *number, ptrdiff_t up) {
    const ptrdiff_t around[4] = {-1, 1, -up, up};
    float sum = 0, count = 0;
    for (int k = 0; k < 4; k++) {
        if (!(number[around[k]] > 0)) continue;
        sum += velocity[around[k]];
        count++;
    }
    *velocity = count > 0 ? sum / count : 0;
}

static void fill_gaps_in_row(const flip_pass *s, size_t row, ptrdiff_t back, float *velocity, const float *number,
                             const float *open, int count) {
    const float *d = s->state->distance + row;
    if (!gap_in_row(number + row, open + row, d, d - back, count)) return;
    for (int i = 0; i < count; i++) {
        size_t at = row + (size_t)i;
        bool beside = (d[i] < 0) | (d[i - back] < 0);
        if (!(number[at] > 0) && open[at] > 0 && beside)
            fill_gap(velocity + at, number + at, s->state->mac->layout.stride);
    }
}

/* Faces beside liquid without particles around: the mean of those with particles next to them. */
static void fill_gaps(void *context, int begin, int end) {
    const flip_pass *s = context;
    const flip_state *f = s->state;
    const pd_mac *m = f->mac;
    const pd_layout *l = &m->layout;
    for (int j = begin; j < end; j++) {
        size_t row = pd_at(l, 0, j);
        fill_gaps_in_row(s, row, 1, m->u, f->number_x, m->open_x, l->nx + 1);
        fill_gaps_in_row(s, row, l->stride, m->v, f->number_y, m->open_y, l->nx);
    }
}

PD_INLINE void pairs_row(const float *restrict velocity, const float *restrict old, float *restrict pairs, int stride) {
    for (int i = 0; i < stride; i++) {
        pairs[2 * i] = velocity[i];
        pairs[2 * i + 1] = old[i];
    }
}

static void make_pairs(void *context, int begin, int end) {
    const flip_pass *s = context;
    const flip_state *f = s->state;
    int stride = f->mac->layout.stride;
    for (int j = begin; j < end; j++) {
        size_t row = (size_t)j * (size_t)stride;
        pairs_row(f->mac->u + row, f->old_u + row, f->pair_x + 2 * row, stride);
        pairs_row(f->mac->v + row, f->old_v + row, f->pair_y + 2 * row, stride);
    }
}

const flip_kernels PD_LEVEL_NAME(flip_kernels) = {.to_faces = to_faces,
                                                  .numbers = numbers,
                                                  .velocities = velocities,
                                                  .mark_cells = mark_cells,
                                                  .fill_cells = fill_cells,
                                                  .spreading_rates = spreading_rates,
                                                  .fill_gaps = fill_gaps,
                                                  .make_pairs = make_pairs,
                                                  .separate = PD_LEVEL_NAME(flip_separate),
                                                  .to_particles = to_particles};
