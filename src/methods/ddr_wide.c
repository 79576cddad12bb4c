/* Where double density relaxation spends its time. Compiled once for each SIMD level (core/simd.h); every level gives
 * the same bits.
 *
 * A particle's neighbourhood is one contiguous range of the sorted arrays in each row of cells (sim/neighbours.h). Of the
 * particles in there a third is nearer than h. One pass over the aligned blocks of PD_LANES that cover the ranges finds
 * these and packs what is needed of them together; all the arithmetic is done on the packed ones, and a last pass over
 * the blocks spreads their displacements again.
 *
 * Whole blocks are loaded, and stored, without masks: what is farther than h is written back unchanged, and since the
 * next particle's blocks are the same memory, its loads are forwarded from these stores instead of waiting for them.
 * Only blocks that reach beyond their row are masked, for beyond it another thread may be at work.
 *
 * A particle needs what the one before it has moved, so one row is a chain that leaves most of the processor idle. Two
 * rows of one colour touch nothing in common: they are swept side by side. */
#include "methods/ddr_wide.h"

#include "core/simd.h"

#include <math.h>

enum {
    MAX_CUT = 2 * PD_MAX_RANGES,
    MAX_BLOCKS = PD_MAX_RANGES * (PD_LONGEST_RANGE / PD_LANES + 2),
    ROWS_BESIDE = 2,
    MAX_PACKED = (MAX_BLOCKS + 2) * PD_LANES,
};

/* Squared part of h that keeps 1/r finite at distance 0. */
static const float TINY = 1e-12f;

/* Blocks of sorted particles, by their first one; of those cut by the ends of their rows, the lanes [low, high) count. */
typedef struct block_list {
    int whole, cut;
    int at[MAX_BLOCKS], cut_at[MAX_CUT], low[MAX_CUT], high[MAX_CUT];
} block_list;

/* The blocks around a cell. */
static void list_blocks(const ddr_sweep *s, int column, int row, uint32_t id, block_list *list) {
    const pd_neighbours *n = s->neighbours;
    pd_ranges ranges;
    pd_neighbours_around(n, column, row, &ranges);
    int whole = 0, cut = 0, next = 0;
    for (int r = 0; r < ranges.count; r++) {
        const int *start = n->start + (size_t)ranges.row[r] * (size_t)n->columns;
        int row_begin = start[0], row_end = start[n->columns];
        pd_range_limit(&ranges.begin[r], &ranges.end[r], id);
        int at = ranges.begin[r] & -PD_LANES;
        if (r > 0 && ranges.row[r] == ranges.row[r - 1] && at < next) at = next; /* across the fold: listed already */
        for (; at < ranges.end[r]; at += PD_LANES) {
            if (at >= row_begin && at + PD_LANES <= row_end) {
                list->at[whole++] = at;
                continue;
            }
            list->cut_at[cut] = at;
            list->low[cut] = at < row_begin ? row_begin - at : 0;
            list->high[cut++] = at + PD_LANES > row_end ? row_end - at : PD_LANES;
        }
        next = at;
    }
    list->whole = whole;
    list->cut = cut;
}

/* A row being swept, particle by particle. */
typedef struct cursor {
    int row, column, i;
    int left; /* particles to come in this cell */
    block_list blocks;
    unsigned short bits[MAX_BLOCKS], cut_bits[MAX_CUT]; /* the lanes of a block that are nearer than h */
    int packed;                                         /* the neighbours found, the particle itself among them */
    /* Of each neighbour: the way there (later its displacement), the approach times the distance, its material; then the
     * closeness q, 1/distance, what viscosity asks for. */
    _Alignas(64) float dx[MAX_PACKED], dy[MAX_PACKED], approach[MAX_PACKED], material[MAX_PACKED];
    float q[MAX_PACKED], inverse_r[MAX_PACKED], braking[MAX_PACKED];
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

/* One particle on its way through the passes of relaxation. */
typedef struct relaxing {
    pd_floatw density, near_density, braked;
    pd_floatw limit, pressure, near_pressure, braking, move_x, move_y;
} relaxing;

/* What of the sweep is known when the program is compiled: a loop of each kind. */
typedef struct kind {
    bool viscous;   /* there is viscosity */
    bool materials; /* pairs differ in mass, viscosity or attraction */
} kind;

/* Where a particle is, and h^2: what its neighbours are found with. */
typedef struct place {
    pd_floatw x, y, vx, vy, h2;
} place;

/* Packs the neighbours in one block behind those found before; returns how many there are now. */
static inline int find_in_block(const ddr_sweep *s, cursor *c, const place *i, int b, int found, kind k, bool cut) {
    int at = cut ? c->blocks.cut_at[b] : c->blocks.at[b];
    pd_maskw lanes = cut ? pd_span(c->blocks.low[b], c->blocks.high[b]) : pd_span(0, PD_LANES);
    pd_floatw xj = cut ? pd_load(lanes, s->x + at) : pd_load_all(s->x + at);
    pd_floatw yj = cut ? pd_load(lanes, s->y + at) : pd_load_all(s->y + at);
    pd_floatw dx = pd_sub(xj, i->x), dy = pd_sub(yj, i->y);
    pd_maskw near = pd_less(pd_add(pd_mul(dx, dx), pd_mul(dy, dy)), i->h2);
    unsigned bits = pd_movemask(cut ? pd_and(near, lanes) : near);
    (cut ? c->cut_bits : c->bits)[b] = (unsigned short)bits;
    pd_compress(bits, c->dx + found, dx);
    pd_compress(bits, c->dy + found, dy);
    if (k.viscous) {
        pd_floatw vx = cut ? pd_load(lanes, s->vx + at) : pd_load_all(s->vx + at);
        pd_floatw vy = cut ? pd_load(lanes, s->vy + at) : pd_load_all(s->vy + at);
        pd_floatw dvx = pd_sub(i->vx, vx), dvy = pd_sub(i->vy, vy);
        pd_compress(bits, c->approach + found, pd_add(pd_mul(dvx, dx), pd_mul(dvy, dy)));
    }
    if (k.materials)
        pd_compress(bits, c->material + found, cut ? pd_load(lanes, s->material + at) : pd_load_all(s->material + at));
    return found + __builtin_popcount(bits);
}

static inline void find_neighbours(const ddr_sweep *s, cursor *c, kind k) {
    int found = 0, whole = c->blocks.whole, cut = c->blocks.cut;
    place i = {pd_set(s->x[c->i]), pd_set(s->y[c->i]), pd_set(s->vx[c->i]), pd_set(s->vy[c->i]), pd_set(s->h * s->h)};
    for (int b = 0; b < whole; b++) found = find_in_block(s, c, &i, b, found, k, false);
    for (int b = 0; b < cut; b++) found = find_in_block(s, c, &i, b, found, k, true);
    /* The rest of the last block: too far away to count, and of a material that there is. */
    pd_store_all(c->dx + found, pd_set(2 * s->h));
    pd_store_all(c->dy + found, pd_set(0));
    if (k.viscous) pd_store_all(c->approach + found, pd_set(0));
    if (k.materials) pd_store_all(c->material + found, pd_set(0));
    c->packed = found;
}

/* Viscosity of a block of pairs (algorithm 5): the displacement, over r, that takes x/(1 + x) of their approach
 * u, x = dt q (sigma + beta u): Clavet's impulse for small x, and it never reverses the approach. Half of it now and
 * half when the neighbour's turn comes. */
static inline pd_floatw brake(const ddr_sweep *s, const cursor *c, relaxing *a, int n, kind k, pd_floatw q,
                              pd_floatw inverse_r) {
    pd_floatw u = pd_mul(pd_load_all(c->approach + n), inverse_r), zero = pd_set(0);
    pd_floatw linear = k.materials ? pd_lookup(s->viscosity[s->material_index[c->i]], pd_load_all(c->material + n))
                                   : pd_set(s->viscosity[0][0]);
    pd_floatw x = pd_mul(q, pd_add(linear, pd_mul(pd_set(s->quadratic), u)));
    x = pd_mask(pd_less(zero, u), x); /* not of pairs that part */
    pd_floatw part = pd_mul(x, pd_reciprocal(pd_add(pd_set(2), pd_add(x, x))));
    a->braked = pd_add(a->braked, part);
    return pd_mul(pd_mul(part, u), pd_mul(inverse_r, pd_set(s->dt)));
}

/* Densities. The particle itself is among its neighbours, with q = 1, and subtracted in the end (but for a crowd's windows,
 * which may miss it); it is at no distance from itself and does not move. */
static inline void accumulate_density(const ddr_sweep *s, cursor *c, relaxing *a, kind k) {
    a->density = a->near_density = a->braked = pd_set(0);
    for (int n = 0; n < c->packed; n += PD_LANES) {
        pd_floatw dx = pd_load_all(c->dx + n), dy = pd_load_all(c->dy + n);
        pd_floatw r2 = pd_add(pd_mul(dx, dx), pd_add(pd_mul(dy, dy), pd_set(TINY * s->h * s->h)));
        pd_floatw inverse_r = pd_rsqrt(r2);
        pd_floatw q = pd_max(pd_sub(pd_set(1), pd_mul(pd_mul(r2, inverse_r), pd_set(s->inverse_h))), pd_set(0));
        pd_floatw q2 = pd_mul(q, q);
        a->density = pd_add(a->density, q2);
        a->near_density = pd_add(a->near_density, pd_mul(q2, q));
        pd_store_all(c->q + n, q);
        pd_store_all(c->inverse_r + n, inverse_r);
        if (k.viscous) pd_store_all(c->braking + n, brake(s, c, a, n, k, q, inverse_r));
    }
}

/* Pressures from densities, together at most what moves a pair by s->farthest. */
static inline void apply_pressure(const ddr_sweep *s, const cursor *c, relaxing *a, kind k) {
    float density = pd_sum(a->density) - 1, near_density = pd_sum(a->near_density) - 1;
    density = density > 0 ? density : 0; /* rounding; and fmaxf would be a call */
    near_density = near_density > 0 ? near_density : 0;
    float pressure = s->stiffness * (density - s->rest_density), near_pressure = s->near_stiffness * near_density;
    float most = fabsf(pressure) + near_pressure + s->strongest_repulsion, share = k.materials ? 1 : 0.5f;
    if (most > s->farthest) share *= s->farthest / most;
    s->density[c->i] = density;
    a->limit = pd_set(share);
    a->pressure = pd_set(pressure * share);
    a->near_pressure = pd_set(near_pressure * share);
    float braked = pd_sum(a->braked); /* of the particle's own approach: not more than its half */
    a->braking = pd_set((k.materials ? 1 : 0.5f) * (braked > 0.5f ? 0.5f / braked : 1));
}

/* Displacements. Of a pair i moves by mj/(mi + mj); where masses do not differ the half is in the pressures. */
static inline void displace(const ddr_sweep *s, cursor *c, relaxing *a, kind k) {
    int material = s->material_index[c->i];
    a->move_x = a->move_y = pd_set(0);
    for (int n = 0; n < c->packed; n += PD_LANES) {
        pd_floatw q = pd_load_all(c->q + n), pressure = a->pressure, other = pd_set(0), own = pd_set(1);
        if (k.materials) {
            pd_floatw other_material = pd_load_all(c->material + n);
            own = pd_lookup(s->share[material], other_material);
            other = pd_lookup(s->other_share[material], other_material);
            pressure = pd_add(pressure, pd_mul(a->limit, pd_lookup(s->repulsion[material], other_material)));
        }
        pd_floatw d = pd_mul(pd_add(pressure, pd_mul(a->near_pressure, q)), q);
        d = pd_mul(d, pd_load_all(c->inverse_r + n));
        if (k.viscous) d = pd_add(d, pd_mul(a->braking, pd_load_all(c->braking + n)));
        pd_floatw dx = pd_mul(d, pd_load_all(c->dx + n)), dy = pd_mul(d, pd_load_all(c->dy + n));
        a->move_x = pd_add(a->move_x, k.materials ? pd_mul(own, dx) : dx);
        a->move_y = pd_add(a->move_y, k.materials ? pd_mul(own, dy) : dy);
        pd_store_all(c->dx + n, k.materials ? pd_mul(other, dx) : dx);
        pd_store_all(c->dy + n, k.materials ? pd_mul(other, dy) : dy);
    }
}

static inline int move_block(const ddr_sweep *s, const cursor *c, int b, int moved, bool cut) {
    int at = cut ? c->blocks.cut_at[b] : c->blocks.at[b];
    unsigned bits = cut ? c->cut_bits[b] : c->bits[b];
    pd_floatw dx = pd_expand(bits, c->dx + moved), dy = pd_expand(bits, c->dy + moved);
    if (cut) {
        pd_maskw lanes = pd_span(c->blocks.low[b], c->blocks.high[b]);
        pd_store(lanes, s->x + at, pd_add(pd_load(lanes, s->x + at), dx));
        pd_store(lanes, s->y + at, pd_add(pd_load(lanes, s->y + at), dy));
    } else {
        pd_store_all(s->x + at, pd_add(pd_load_all(s->x + at), dx));
        pd_store_all(s->y + at, pd_add(pd_load_all(s->y + at), dy));
    }
    return moved + __builtin_popcount(bits);
}

static inline void move(const ddr_sweep *s, cursor *c, const relaxing *a) {
    int moved = 0;
    for (int b = 0; b < c->blocks.whole; b++) moved = move_block(s, c, b, moved, false);
    for (int b = 0; b < c->blocks.cut; b++) moved = move_block(s, c, b, moved, true);
    s->x[c->i] -= pd_sum(a->move_x);
    s->y[c->i] -= pd_sum(a->move_y);
}

/* Rows first, first + 1 ... of the colour, side by side: pass by pass for one particle of each, which have no neighbour in
 * common. */
static inline void relax_beside(const ddr_sweep *s, int first, int rows, cursor *c, kind k) {
    relaxing a[ROWS_BESIDE];
    int active[ROWS_BESIDE], count = 0;
    for (int r = 0; r < rows; r++) {
        start_row(s, (first + r) * PD_COLOURS + s->colour, &c[r]);
        if (next_particle(s, &c[r])) active[count++] = r;
    }
    while (count > 0) {
        for (int n = 0; n < count; n++) find_neighbours(s, &c[active[n]], k);
        for (int n = 0; n < count; n++) accumulate_density(s, &c[active[n]], &a[n], k);
        for (int n = 0; n < count; n++) apply_pressure(s, &c[active[n]], &a[n], k);
        for (int n = 0; n < count; n++) displace(s, &c[active[n]], &a[n], k);
        for (int n = 0; n < count; n++) move(s, &c[active[n]], &a[n]);
        int kept = 0;
        for (int n = 0; n < count; n++)
            if (next_particle(s, &c[active[n]])) active[kept++] = active[n];
        count = kept;
    }
}

static void relax_rows(void *sweep, int begin, int end) {
    const ddr_sweep *s = sweep;
    cursor c[ROWS_BESIDE];
    for (int r = begin; r < end; r += ROWS_BESIDE) {
        int rows = end - r < ROWS_BESIDE ? end - r : ROWS_BESIDE;
        if (s->materials && s->viscous)
            relax_beside(s, r, rows, c, (kind){true, true});
        else if (s->materials)
            relax_beside(s, r, rows, c, (kind){false, true});
        else if (s->viscous)
            relax_beside(s, r, rows, c, (kind){true, false});
        else
            relax_beside(s, r, rows, c, (kind){false, false});
    }
}

const ddr_kernels PD_LEVEL_NAME(ddr_kernels) = {.relax_rows = relax_rows};
