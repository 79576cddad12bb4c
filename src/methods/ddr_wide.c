/* Where double density relaxation spends its time. Compiled once for each SIMD level (core/simd.h); every level gives the
 * same bits.
 *
 * A particle's neighbourhood is one contiguous range of the sorted arrays in each row of cells (sim/neighbours.h). The loops
 * run over the aligned blocks of PD_LANES particles that cover the ranges. Whole blocks are loaded, and stored, without
 * masks: what is farther than h has weight q = 0 and is written back unchanged, and since the next particle's blocks are the same
 * memory, its loads are forwarded from these stores instead of waiting for them. Only blocks that reach beyond their row are masked, for
 * beyond it another thread may be at work.
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

/* The blocks around a cell, in the rows row + first and above. */
static void list_blocks(const ddr_sweep *s, int column, int row, int first, uint32_t id, block_list *list) {
    const pd_neighbours *n = s->neighbours;
    pd_ranges ranges;
    pd_neighbours_around(n, column, row, first, &ranges);
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
    float q[MAX_BLOCKS * PD_LANES], inverse_r[MAX_BLOCKS * PD_LANES]; /* kept from the first pass for the second */
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
    list_blocks(s, c->column, c->row, -PD_ROWS_PER_RADIUS, s->id[c->i], &c->blocks);
    return true;
}

/* One particle on its way through the two passes of relaxation. */
typedef struct relaxing {
    pd_floatw x, y, density, near_density;
    pd_floatw pressure, near_pressure, inverse_mass, move_x, move_y;
} relaxing;

static inline void begin_relaxing(const ddr_sweep *s, const cursor *c, relaxing *a) {
    a->x = pd_set(s->x[c->i]);
    a->y = pd_set(s->y[c->i]);
    a->density = a->near_density = pd_set(0);
}

/* First pass over one block: densities. The particle itself is among them, with q = 1; in the second pass it is at no
 * distance from itself and does not move. */
static inline void weigh(const ddr_sweep *s, cursor *c, relaxing *a, int b, bool cut) {
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
    a->inverse_mass = pd_set(s->inverse_mass[c->i]);
    a->move_x = a->move_y = pd_set(0);
}

/* Second pass over one block: displacements. Of a pair i moves by mj/(mi + mj) = wi/(wi + wj); where masses do not
 * differ the half is in the pressures. */
static inline void displace(const ddr_sweep *s, const cursor *c, relaxing *a, int b, bool mixed, bool cut) {
    int at = c->blocks.at[b];
    pd_maskw lanes = lanes_of(&c->blocks, b, cut);
    pd_floatw xj = load(s->x + at, lanes, cut), yj = load(s->y + at, lanes, cut), q = pd_load_all(c->q + b * PD_LANES);
    pd_floatw d = pd_mul(pd_add(a->pressure, pd_mul(a->near_pressure, q)), q), wj = pd_set(1);
    d = pd_mul(d, pd_load_all(c->inverse_r + b * PD_LANES));
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

static inline void relax_one(const ddr_sweep *s, cursor *c, bool mixed) {
    relaxing a;
    begin_relaxing(s, c, &a);
    for (int b = 0; b < c->blocks.whole; b++) weigh(s, c, &a, b, false);
    for (int b = c->blocks.whole; b < c->blocks.count; b++) weigh(s, c, &a, b, true);
    press(s, c, &a, mixed);
    for (int b = 0; b < c->blocks.whole; b++) displace(s, c, &a, b, mixed, false);
    for (int b = c->blocks.whole; b < c->blocks.count; b++) displace(s, c, &a, b, mixed, true);
    end_relaxing(s, c, &a, mixed);
}

/* The same for two particles that have no neighbour in common, block by block in turn. */
static inline void relax_two(const ddr_sweep *s, cursor *c, cursor *d, bool mixed) {
    relaxing a, e;
    int both = c->blocks.whole < d->blocks.whole ? c->blocks.whole : d->blocks.whole;
    begin_relaxing(s, c, &a);
    begin_relaxing(s, d, &e);
    for (int b = 0; b < both; b++) {
        weigh(s, c, &a, b, false);
        weigh(s, d, &e, b, false);
    }
    for (int b = both; b < c->blocks.whole; b++) weigh(s, c, &a, b, false);
    for (int b = both; b < d->blocks.whole; b++) weigh(s, d, &e, b, false);
    for (int b = c->blocks.whole; b < c->blocks.count; b++) weigh(s, c, &a, b, true);
    for (int b = d->blocks.whole; b < d->blocks.count; b++) weigh(s, d, &e, b, true);
    press(s, c, &a, mixed);
    press(s, d, &e, mixed);
    for (int b = 0; b < both; b++) {
        displace(s, c, &a, b, mixed, false);
        displace(s, d, &e, b, mixed, false);
    }
    for (int b = both; b < c->blocks.whole; b++) displace(s, c, &a, b, mixed, false);
    for (int b = both; b < d->blocks.whole; b++) displace(s, d, &e, b, mixed, false);
    for (int b = c->blocks.whole; b < c->blocks.count; b++) displace(s, c, &a, b, mixed, true);
    for (int b = d->blocks.whole; b < d->blocks.count; b++) displace(s, d, &e, b, mixed, true);
    end_relaxing(s, c, &a, mixed);
    end_relaxing(s, d, &e, mixed);
}

static void relax_rows(void *sweep, int begin, int end) {
    const ddr_sweep *s = sweep;
    cursor c, d;
    for (int k = begin; k < end; k += 2) {
        start_row(s, k * PD_COLOURS + s->colour, &c);
        start_row(s, (k + 1) * PD_COLOURS + s->colour, &d);
        bool more = next_particle(s, &c), more_too = k + 1 < end && next_particle(s, &d);
        while (more && more_too) {
            if (s->mixed)
                relax_two(s, &c, &d, true);
            else
                relax_two(s, &c, &d, false);
            more = next_particle(s, &c);
            more_too = next_particle(s, &d);
        }
        for (; more; more = next_particle(s, &c)) relax_one(s, &c, s->mixed);
        for (; more_too; more_too = next_particle(s, &d)) relax_one(s, &d, s->mixed);
    }
}

/* The half of a neighbourhood that comes after a particle in the order of the sort: the rows above, the rest of its own row. */
typedef struct half {
    block_list above, own;
    float impulse[2 * MAX_BLOCKS * PD_LANES];
} half;

static void rest_of_row(const ddr_sweep *s, int column, int row, int i, block_list *own) {
    const pd_neighbours *n = s->neighbours;
    const int *start = n->start + (size_t)row * (size_t)n->columns;
    int row_end = start[n->columns], right = column + PD_COLUMNS_PER_RADIUS, beyond = right - n->columns;
    int end = start[(beyond < 0 ? right : n->columns - 1) + 1];
    int next = (i + PD_LANES) & -PD_LANES; /* the first block that holds neither i nor anything before it */
    if (end > i + LONGEST_RANGE) end = i + LONGEST_RANGE;
    own->count = 0;
    add_blocks(own, next, end, start[0], row_end, 0, true);
    own->whole = own->count;
    if (i + 1 < end && i + 1 < next) { /* what follows i in its own block */
        int high = next > row_end ? row_end : next;
        add_block(own, next - PD_LANES, i + 1 - (next - PD_LANES), high - (next - PD_LANES));
    }
    add_blocks(own, next, end, start[0], row_end, 0, false);
    if (beyond < 0) return;
    /* The row goes on across the fold, with what stands at its beginning. */
    int across = start[beyond + 1] < i ? start[beyond + 1] : i;
    if (across > start[0] + LONGEST_RANGE) across = start[0] + LONGEST_RANGE;
    for (int at = start[0] & -PD_LANES; at < across; at += PD_LANES)
        add_block(own, at, at < start[0] ? start[0] - at : 0, at + PD_LANES > across ? across - at : PD_LANES);
}

/* One particle's viscosity with the half of its neighbours. */
typedef struct braking {
    pd_floatw x, y, vx, vy, whole, scale, inverse_mass, change_x, change_y;
} braking;

/* First pass over one block: impulses. That of a pair is x/(1 + x) of its approach, x = dt q (sigma + beta u): Clavet's for
 * small x, and it never reverses the approach. */
static inline void approach(const ddr_sweep *s, const block_list *list, int b, braking *a, float *impulse, bool cut) {
    int at = list->at[b];
    pd_maskw lanes = lanes_of(list, b, cut);
    const pd_floatw one = pd_set(1), zero = pd_set(0);
    pd_floatw dx = pd_sub(load(s->x + at, lanes, cut), a->x), dy = pd_sub(load(s->y + at, lanes, cut), a->y);
    pd_floatw dvx = pd_sub(a->vx, load(s->vx + at, lanes, cut)), dvy = pd_sub(a->vy, load(s->vy + at, lanes, cut));
    pd_floatw r2 = pd_add(pd_mul(dx, dx), pd_add(pd_mul(dy, dy), pd_set(TINY * s->h * s->h)));
    pd_floatw inverse_r = pd_rsqrt(r2);
    pd_floatw u = pd_max(pd_mul(pd_add(pd_mul(dvx, dx), pd_mul(dvy, dy)), inverse_r), zero);
    pd_floatw q = pd_max(pd_sub(one, pd_mul(pd_mul(r2, inverse_r), pd_set(s->inverse_h))), zero);
    pd_floatw strength = pd_mul(q, pd_add(pd_set(s->linear), pd_mul(pd_set(s->quadratic), u)));
    strength = pd_keep(pd_less(zero, u), strength); /* parting pairs do not count */
    if (cut) strength = pd_keep(lanes, strength);
    pd_floatw part = pd_mul(strength, pd_reciprocal(pd_add(one, strength)));
    a->whole = pd_add(a->whole, part);
    pd_store_all(impulse, pd_mul(pd_mul(part, u), inverse_r));
}

static inline void brake(const ddr_sweep *s, const block_list *list, int b, braking *a, const float *impulse,
                         bool cut) {
    int at = list->at[b];
    pd_maskw lanes = lanes_of(list, b, cut);
    pd_floatw wj = load(s->inverse_mass + at, lanes, cut);
    pd_floatw share = pd_mul(a->scale, pd_reciprocal(pd_add(a->inverse_mass, wj)));
    pd_floatw strength = pd_mul(pd_load_all(impulse), share);
    pd_floatw dvx = pd_mul(strength, pd_sub(load(s->x + at, lanes, cut), a->x));
    pd_floatw dvy = pd_mul(strength, pd_sub(load(s->y + at, lanes, cut), a->y));
    a->change_x = pd_add(a->change_x, dvx);
    a->change_y = pd_add(a->change_y, dvy);
    store(s->vx + at, lanes, cut, pd_add(load(s->vx + at, lanes, cut), pd_mul(wj, dvx)));
    store(s->vy + at, lanes, cut, pd_add(load(s->vy + at, lanes, cut), pd_mul(wj, dvy)));
}

/* The impulses of one particle are computed together; where they would add up to more than its whole approach they are
 * scaled down. */
static inline void brake_particle(const ddr_sweep *s, int i, half *around) {
    const block_list *lists[2] = {&around->above, &around->own};
    braking a = {.x = pd_set(s->x[i]), .y = pd_set(s->y[i]), .vx = pd_set(s->vx[i]), .vy = pd_set(s->vy[i])};
    a.whole = a.change_x = a.change_y = pd_set(0);
    a.inverse_mass = pd_set(s->inverse_mass[i]);
    float *impulse = around->impulse;
    for (int l = 0; l < 2; l++) {
        for (int b = 0; b < lists[l]->whole; b++, impulse += PD_LANES) approach(s, lists[l], b, &a, impulse, false);
        for (int b = lists[l]->whole; b < lists[l]->count; b++, impulse += PD_LANES)
            approach(s, lists[l], b, &a, impulse, true);
    }
    float sum = pd_sum(a.whole);
    if (sum == 0) return;
    a.scale = pd_set(sum > 1 ? 1 / sum : 1);
    impulse = around->impulse;
    for (int l = 0; l < 2; l++) {
        for (int b = 0; b < lists[l]->whole; b++, impulse += PD_LANES) brake(s, lists[l], b, &a, impulse, false);
        for (int b = lists[l]->whole; b < lists[l]->count; b++, impulse += PD_LANES)
            brake(s, lists[l], b, &a, impulse, true);
    }
    s->vx[i] -= pd_sum(a.change_x) * s->inverse_mass[i];
    s->vy[i] -= pd_sum(a.change_y) * s->inverse_mass[i];
}

static void viscosity_rows(void *sweep, int begin, int end) {
    const ddr_sweep *s = sweep;
    const pd_neighbours *n = s->neighbours;
    half around;
    for (int k = begin; k < end; k++) {
        int row = k * PD_COLOURS + s->colour;
        const int *start = n->start + (size_t)row * (size_t)n->columns;
        for (int c = 0; c < n->columns; c++) {
            int column = s->backwards ? n->columns - 1 - c : c, count = start[column + 1] - start[column];
            if (count > 0) list_blocks(s, column, row, 1, s->id[start[column]], &around.above);
            for (int m = 0; m < count; m++) {
                int i = s->backwards ? start[column + 1] - 1 - m : start[column] + m;
                rest_of_row(s, column, row, i, &around.own);
                brake_particle(s, i, &around);
            }
        }
    }
}

const ddr_kernels PD_LEVEL_NAME(ddr_kernels) = {.relax_rows = relax_rows, .viscosity_rows = viscosity_rows};
