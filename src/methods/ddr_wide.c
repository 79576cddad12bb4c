/* Where double density relaxation spends its time. Compiled once for each SIMD level (core/simd.h); every level gives
 * the same bits.
 *
 * A particle's neighbourhood is one contiguous range of the sorted arrays in each row of cells (sim/neighbours.h). The
 * loops run over the aligned blocks of PD_LANES particles that cover the ranges. Whole blocks are loaded, and stored,
 * without masks: what is farther than h has weight q = 0 and is written back unchanged, and since the next particle's
 * blocks are the same memory, its loads are forwarded from these stores instead of waiting for them. Only blocks that
 * reach beyond their row are masked, for beyond it another thread may be at work.
 *
 * A particle needs what the one before it has moved, so one row is a chain that leaves most of the processor idle. Two
 * rows of one colour touch nothing in common: they are swept side by side. */
#include "methods/ddr_wide.h"

#include "core/random.h"
#include "core/simd.h"

#include <math.h>

enum {
    LONGEST_RANGE = 512, /* particles looked at in one row; more only when a whole pool sits on one point */
    MAX_BLOCKS = PD_MAX_RANGES * (LONGEST_RANGE / PD_LANES + 2),
};

/* Squared part of h that keeps 1/r finite at distance 0. */
static const float TINY = 1e-12f;

/* Blocks of sorted particles: whole ones first, then those cut by the ends of their rows. */
typedef struct block_list {
    int whole, count;
    int at[MAX_BLOCKS];                              /* first particle of the block */
    unsigned char low[MAX_BLOCKS], high[MAX_BLOCKS]; /* its lanes [low, high) belong to the row */
} block_list;

static void add_block(block_list *list, int at, int low, int high) {
    list->at[list->count] = at;
    list->low[list->count] = (unsigned char)low;
    list->high[list->count++] = (unsigned char)high;
}

/* Adds those blocks of the range [begin, end) that are whole, or those that are cut, in a row that spans [row_begin,
 * row_end). Blocks before `from` are in the list already; returns where the next range of this row may begin. */
static int add_blocks(block_list *list, int begin, int end, int row_begin, int row_end, int from, bool whole) {
    begin &= -PD_LANES;
    for (int at = begin < from ? from : begin; at < end; at += PD_LANES) {
        int low = at < row_begin ? row_begin - at : 0, high = at + PD_LANES > row_end ? row_end - at : PD_LANES;
        if ((high - low == PD_LANES) == whole) add_block(list, at, low, high);
    }
    return (end + PD_LANES - 1) & -PD_LANES;
}

/* Keeps absurdly long ranges affordable: a window into them that differs from cell to cell. */
static void limit_range(uint32_t id, int *begin, int *end) {
    int extra = *end - *begin - LONGEST_RANGE;
    if (extra <= 0) return;
    *begin += (int)(pd_random_mix(id) % (uint64_t)extra);
    *end = *begin + LONGEST_RANGE;
}

/* The blocks around a cell. */
static void list_blocks(const ddr_sweep *s, int column, int row, uint32_t id, block_list *list) {
    const pd_neighbours *n = s->neighbours;
    pd_ranges ranges;
    pd_neighbours_around(n, column, row, &ranges);
    list->count = 0;
    for (int r = 0; r < ranges.count; r++) limit_range(id, &ranges.begin[r], &ranges.end[r]);
    for (int whole = 1; whole >= 0; whole--) {
        int from = 0;
        for (int r = 0; r < ranges.count; r++) {
            const int *start = n->start + (size_t)ranges.row[r] * (size_t)n->columns;
            bool same_row = r > 0 && ranges.row[r] == ranges.row[r - 1];
            from = add_blocks(list, ranges.begin[r], ranges.end[r], start[0], start[n->columns], same_row ? from : 0,
                              whole);
        }
        if (whole) list->whole = list->count;
    }
}

/* What is in a block, and how to write it back: all of it, or the lanes of the row. */
static inline pd_maskw lanes_of(const block_list *list, int b, bool cut) {
    return cut ? pd_span(list->low[b], list->high[b]) : pd_span(0, PD_LANES);
}

static inline pd_floatw load(const float *from, pd_maskw lanes, bool cut) {
    return cut ? pd_load(lanes, from) : pd_load_all(from);
}

static inline void store(float *to, pd_maskw lanes, bool cut, pd_floatw values) {
    if (cut)
        pd_store(lanes, to, values);
    else
        pd_store_all(to, values);
}

/* A row being swept, particle by particle. */
typedef struct cursor {
    int row, column, i;
    int left; /* particles to come in this cell */
    block_list blocks;
    /* Kept from the first pass for the second: closeness, 1/distance, what viscosity asks for. */
    float q[MAX_BLOCKS * PD_LANES], inverse_r[MAX_BLOCKS * PD_LANES], braking[MAX_BLOCKS * PD_LANES];
} cursor;

static void start_row(const ddr_sweep *s, int row, cursor *c) {
    c->row = row;
    c->left = 0;
    c->column = s->backwards ? s->neighbours->columns : -1;
}

/* Moves to the row's next particle in the direction of the sweep; false at its end. */
static bool next_particle(const ddr_sweep *s, cursor *c) {
    const pd_neighbours *n = s->neighbours;
    const int *start = n->start + (size_t)c->row * (size_t)n->columns;
    int way = s->backwards ? -1 : 1;
    if (c->left > 0) {
        c->left--;
        c->i += way;
        return true;
    }
    do {
        c->column += way;
        if (c->column < 0 || c->column >= n->columns) return false;
    } while (start[c->column] == start[c->column + 1]);
    c->i = s->backwards ? start[c->column + 1] - 1 : start[c->column];
    c->left = start[c->column + 1] - start[c->column] - 1;
    list_blocks(s, c->column, c->row, s->id[c->i], &c->blocks);
    return true;
}

/* One particle on its way through the two passes of relaxation. */
typedef struct relaxing {
    pd_floatw x, y, vx, vy, density, near_density, braked;
    pd_floatw pressure, near_pressure, braking, inverse_mass, move_x, move_y;
} relaxing;

static inline void begin_relaxing(const ddr_sweep *s, const cursor *c, relaxing *a) {
    a->x = pd_set(s->x[c->i]);
    a->y = pd_set(s->y[c->i]);
    a->vx = pd_set(s->vx[c->i]);
    a->vy = pd_set(s->vy[c->i]);
    a->density = a->near_density = a->braked = pd_set(0);
}

/* Viscosity of the pairs in one block (algorithm 5): the displacement, over r, that takes x/(1 + x) of their approach
 * u, x = dt q (sigma + beta u): Clavet's impulse for small x, and it never reverses the approach. Half of it now and
 * half when the neighbour's turn comes. */
static inline pd_floatw brake(const ddr_sweep *s, relaxing *a, pd_floatw dx, pd_floatw dy, pd_floatw dvx, pd_floatw dvy,
                              pd_floatw q, pd_floatw inverse_r) {
    pd_floatw u = pd_mul(pd_add(pd_mul(dvx, dx), pd_mul(dvy, dy)), inverse_r), zero = pd_set(0);
    pd_floatw x = pd_mul(q, pd_add(pd_set(s->linear), pd_mul(pd_set(s->quadratic), u)));
    x = pd_keep(pd_less(zero, u), x); /* not of pairs that part */
    pd_floatw part = pd_mul(x, pd_reciprocal(pd_add(pd_set(2), pd_add(x, x))));
    a->braked = pd_add(a->braked, part);
    return pd_mul(pd_mul(part, u), pd_mul(inverse_r, pd_set(s->dt)));
}

/* First pass over one block: densities. The particle itself is among them, with q = 1; in the second pass it is at no
 * distance from itself and does not move. */
static inline void weigh(const ddr_sweep *s, cursor *c, relaxing *a, int b, bool viscous, bool cut) {
    int at = c->blocks.at[b];
    pd_maskw lanes = lanes_of(&c->blocks, b, cut);
    pd_floatw dx = pd_sub(load(s->x + at, lanes, cut), a->x), dy = pd_sub(load(s->y + at, lanes, cut), a->y);
    pd_floatw r2 = pd_add(pd_mul(dx, dx), pd_add(pd_mul(dy, dy), pd_set(TINY * s->h * s->h)));
    pd_floatw inverse_r = pd_rsqrt(r2);
    pd_floatw q = pd_max(pd_sub(pd_set(1), pd_mul(pd_mul(r2, inverse_r), pd_set(s->inverse_h))), pd_set(0));
    if (cut) q = pd_keep(lanes, q);
    pd_floatw q2 = pd_mul(q, q);
    a->density = pd_add(a->density, q2);
    a->near_density = pd_add(a->near_density, pd_mul(q2, q));
    pd_store_all(c->q + b * PD_LANES, q);
    pd_store_all(c->inverse_r + b * PD_LANES, inverse_r);
    if (!viscous) return;
    pd_floatw dvx = pd_sub(a->vx, load(s->vx + at, lanes, cut)), dvy = pd_sub(a->vy, load(s->vy + at, lanes, cut));
    pd_store_all(c->braking + b * PD_LANES, brake(s, a, dx, dy, dvx, dvy, q, inverse_r));
}

/* Between the passes: pressures from densities, together at most what moves a pair by s->farthest. */
static inline void press(const ddr_sweep *s, const cursor *c, relaxing *a, bool mixed) {
    float density = fmaxf(pd_sum(a->density) - 1, 0), near_density = fmaxf(pd_sum(a->near_density) - 1, 0);
    float pressure = s->stiffness * (density - s->rest_density), near_pressure = s->near_stiffness * near_density;
    float most = fabsf(pressure) + near_pressure, share = mixed ? 1 : 0.5f;
    if (most > s->farthest) share *= s->farthest / most;
    s->density[c->i] = density;
    a->pressure = pd_set(pressure * share);
    a->near_pressure = pd_set(near_pressure * share);
    float braked = pd_sum(a->braked); /* of the particle's own approach: not more than its half */
    a->braking = pd_set((mixed ? 1 : 0.5f) * (braked > 0.5f ? 0.5f / braked : 1));
    a->inverse_mass = pd_set(s->inverse_mass[c->i]);
    a->move_x = a->move_y = pd_set(0);
}

/* Second pass over one block: displacements. Of a pair i moves by mj/(mi + mj) = wi/(wi + wj); where masses do not
 * differ the half is in the pressures. */
static inline void displace(const ddr_sweep *s, const cursor *c, relaxing *a, int b, bool mixed, bool viscous,
                            bool cut) {
    int at = c->blocks.at[b];
    pd_maskw lanes = lanes_of(&c->blocks, b, cut);
    pd_floatw xj = load(s->x + at, lanes, cut), yj = load(s->y + at, lanes, cut), q = pd_load_all(c->q + b * PD_LANES);
    pd_floatw d = pd_mul(pd_add(a->pressure, pd_mul(a->near_pressure, q)), q), wj = pd_set(1);
    d = pd_mul(d, pd_load_all(c->inverse_r + b * PD_LANES));
    if (viscous) d = pd_add(d, pd_mul(a->braking, pd_load_all(c->braking + b * PD_LANES)));
    if (mixed) {
        wj = load(s->inverse_mass + at, lanes, cut);
        d = pd_mul(d, pd_reciprocal(pd_add(a->inverse_mass, wj)));
    }
    pd_floatw dx = pd_mul(d, pd_sub(xj, a->x)), dy = pd_mul(d, pd_sub(yj, a->y));
    a->move_x = pd_add(a->move_x, dx);
    a->move_y = pd_add(a->move_y, dy);
    store(s->x + at, lanes, cut, pd_add(xj, mixed ? pd_mul(wj, dx) : dx));
    store(s->y + at, lanes, cut, pd_add(yj, mixed ? pd_mul(wj, dy) : dy));
}

static inline void end_relaxing(const ddr_sweep *s, const cursor *c, const relaxing *a, bool mixed) {
    float share = mixed ? s->inverse_mass[c->i] : 1;
    s->x[c->i] -= pd_sum(a->move_x) * share;
    s->y[c->i] -= pd_sum(a->move_y) * share;
}

static inline void relax_one(const ddr_sweep *s, cursor *c, bool mixed, bool viscous) {
    relaxing a;
    begin_relaxing(s, c, &a);
    for (int b = 0; b < c->blocks.whole; b++) weigh(s, c, &a, b, viscous, false);
    for (int b = c->blocks.whole; b < c->blocks.count; b++) weigh(s, c, &a, b, viscous, true);
    press(s, c, &a, mixed);
    for (int b = 0; b < c->blocks.whole; b++) displace(s, c, &a, b, mixed, viscous, false);
    for (int b = c->blocks.whole; b < c->blocks.count; b++) displace(s, c, &a, b, mixed, viscous, true);
    end_relaxing(s, c, &a, mixed);
}

/* The same for two particles that have no neighbour in common, block by block in turn. */
static inline void relax_two(const ddr_sweep *s, cursor *c, cursor *d, bool mixed, bool viscous) {
    relaxing a, e;
    int both = c->blocks.whole < d->blocks.whole ? c->blocks.whole : d->blocks.whole;
    begin_relaxing(s, c, &a);
    begin_relaxing(s, d, &e);
    for (int b = 0; b < both; b++) {
        weigh(s, c, &a, b, viscous, false);
        weigh(s, d, &e, b, viscous, false);
    }
    for (int b = both; b < c->blocks.whole; b++) weigh(s, c, &a, b, viscous, false);
    for (int b = both; b < d->blocks.whole; b++) weigh(s, d, &e, b, viscous, false);
    for (int b = c->blocks.whole; b < c->blocks.count; b++) weigh(s, c, &a, b, viscous, true);
    for (int b = d->blocks.whole; b < d->blocks.count; b++) weigh(s, d, &e, b, viscous, true);
    press(s, c, &a, mixed);
    press(s, d, &e, mixed);
    for (int b = 0; b < both; b++) {
        displace(s, c, &a, b, mixed, viscous, false);
        displace(s, d, &e, b, mixed, viscous, false);
    }
    for (int b = both; b < c->blocks.whole; b++) displace(s, c, &a, b, mixed, viscous, false);
    for (int b = both; b < d->blocks.whole; b++) displace(s, d, &e, b, mixed, viscous, false);
    for (int b = c->blocks.whole; b < c->blocks.count; b++) displace(s, c, &a, b, mixed, viscous, true);
    for (int b = d->blocks.whole; b < d->blocks.count; b++) displace(s, d, &e, b, mixed, viscous, true);
    end_relaxing(s, c, &a, mixed);
    end_relaxing(s, d, &e, mixed);
}

/* Rows k and k + 1 of the colour, side by side; the constants make a loop of each kind. */
static inline void relax_row_pair(const ddr_sweep *s, int k, bool alone, cursor *c, cursor *d, bool mixed,
                                  bool viscous) {
    start_row(s, k * PD_COLOURS + s->colour, c);
    bool more = next_particle(s, c), more_too = false;
    if (!alone) {
        start_row(s, (k + 1) * PD_COLOURS + s->colour, d);
        more_too = next_particle(s, d);
    }
    while (more && more_too) {
        relax_two(s, c, d, mixed, viscous);
        more = next_particle(s, c);
        more_too = next_particle(s, d);
    }
    for (; more; more = next_particle(s, c)) relax_one(s, c, mixed, viscous);
    for (; more_too; more_too = next_particle(s, d)) relax_one(s, d, mixed, viscous);
}

static void relax_rows(void *sweep, int begin, int end) {
    const ddr_sweep *s = sweep;
    bool viscous = s->linear > 0 || s->quadratic > 0;
    cursor c, d;
    for (int k = begin; k < end; k += 2) {
        bool alone = k + 1 >= end;
        if (s->mixed && viscous)
            relax_row_pair(s, k, alone, &c, &d, true, true);
        else if (s->mixed)
            relax_row_pair(s, k, alone, &c, &d, true, false);
        else if (viscous)
            relax_row_pair(s, k, alone, &c, &d, false, true);
        else
            relax_row_pair(s, k, alone, &c, &d, false, false);
    }
}

const ddr_kernels PD_LEVEL_NAME(ddr_kernels) = {.relax_rows = relax_rows};
