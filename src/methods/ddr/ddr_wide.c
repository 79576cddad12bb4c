/* Inner loops of double density relaxation without lists, compiled once for each SIMD level (core/simd.h). All levels
 * give the same bits.
 *
 * The candidates around a particle are one contiguous range of the sorted arrays in each row of cells
 * (sim/particles/neighbours.h). A third of the candidates is nearer than h. The first pass runs over the aligned blocks
 * of PD_LANES particles that cover the ranges. It finds the neighbours and packs their data into arrays, which the
 * further passes use. The last pass expands the displacements and adds them to the blocks.
 *
 * Complete blocks are loaded and stored without masks: particles farther than h are written back unchanged. The next
 * particle loads the same blocks. The processor forwards its loads from these stores, which masked stores would
 * prevent. Only blocks that extend beyond their row are masked, because another thread may write to the particles of
 * the next row.
 *
 * Each particle depends on the displacements of the particle before. A row is therefore a long dependency chain, which
 * leaves most of the processor's units idle. Two rows of one colour are independent: their particles are processed
 * alternately (interleaved). */
#include "methods/ddr/ddr_wide.h"

#include "core/simd.h"

#include <math.h>

enum {
    MAX_CUT = 2 * PD_MAX_RANGES,
    MAX_BLOCKS = PD_MAX_RANGES * (PD_LONGEST_RANGE / PD_LANES + 2),
    ROWS_INTERLEAVED = 2,
    MAX_PACKED = (MAX_BLOCKS + 2) * PD_LANES,
};

/* Term added to r^2, in h^2, so that 1/r is finite at distance 0. */
static const float TINY = 1e-12f;

/* Blocks of PD_LANES sorted particles around a cell, by the index of the first particle. Whole blocks are inside one
 * row of cells. Cut blocks extend beyond the row: only their lanes [low, high) are inside. */
typedef struct block_list {
    int whole, cut; /* numbers of whole and of cut blocks */
    int first[MAX_BLOCKS], cut_first[MAX_CUT], low[MAX_CUT], high[MAX_CUT];
} block_list;

/* Lists the blocks around a cell. */
static void list_blocks(const ddr_sweep *s, int column, int row, uint32_t id, block_list *list) {
    const pd_neighbours *n = s->neighbours;
    pd_ranges ranges;
    pd_neighbours_list_ranges(n, column, row, &ranges);
    int whole = 0, cut = 0, next = 0;
    for (int r = 0; r < ranges.count; r++) {
        const int *start = n->start + (size_t)ranges.row[r] * (size_t)n->columns;
        int row_begin = start[0], row_end = start[n->columns];
        pd_limit_range(&ranges.begin[r], &ranges.end[r], id);
        int first = ranges.begin[r] & -PD_LANES;
        /* A row that wraps around has two ranges, and the second one may begin in a block that is already listed. */
        if (r > 0 && ranges.row[r] == ranges.row[r - 1] && first < next) first = next;
        for (; first < ranges.end[r]; first += PD_LANES) {
            if (first >= row_begin && first + PD_LANES <= row_end) {
                list->first[whole] = first;
                whole++;
                continue;
            }
            list->cut_first[cut] = first;
            list->low[cut] = first < row_begin ? row_begin - first : 0;
            list->high[cut] = first + PD_LANES > row_end ? row_end - first : PD_LANES;
            cut++;
        }
        next = first;
    }
    list->whole = whole;
    list->cut = cut;
}

/* State of the sweep of one row. */
typedef struct cursor {
    int row, column, i;
    int left; /* particles remaining in this cell */
    block_list blocks;
    unsigned short bits[MAX_BLOCKS], cut_bits[MAX_CUT]; /* by block: mask of the lanes nearer than h */
    int packed;                                         /* number of neighbours, including the particle itself */
    /* By packed neighbour. dx, dy: vector to the neighbour, later its displacement. approach: distance x approach
     * velocity. material: as ddr_sweep.material. q = 1 - r/h. inverse_r = 1/r. viscous: displacement by viscosity /
     * r. */
    _Alignas(64) float dx[MAX_PACKED], dy[MAX_PACKED], approach[MAX_PACKED], material[MAX_PACKED];
    float q[MAX_PACKED], inverse_r[MAX_PACKED], viscous[MAX_PACKED];
} cursor;

static void start_row(const ddr_sweep *s, int row, cursor *c) {
    c->row = row;
    c->left = 0;
    c->column = s->backwards ? s->neighbours->columns : -1;
}

/* Moves to the row's next particle in the direction of the sweep. Returns false at the row's end. */
static bool next_particle(const ddr_sweep *s, cursor *c) {
    const pd_neighbours *n = s->neighbours;
    const int *start = n->start + (size_t)c->row * (size_t)n->columns;
    int direction = s->backwards ? -1 : 1;
    if (c->left > 0) {
        c->left--;
        c->i += direction;
        return true;
    }
    do {
        c->column += direction;
        if (c->column < 0 || c->column >= n->columns) return false;
    } while (start[c->column] == start[c->column + 1]);
    c->i = s->backwards ? start[c->column + 1] - 1 : start[c->column];
    c->left = start[c->column + 1] - start[c->column] - 1;
    list_blocks(s, c->column, c->row, s->id[c->i], &c->blocks);
    return true;
}

/* Intermediate values of one particle between the passes. density, near_density, damping: sums by lane. damping:
 * fraction of the approach that viscosity removes. */
typedef struct relaxing {
    pd_floatw density, near_density, damping;
    pd_floatw scale, pressure, near_pressure, viscous_scale, move_x, move_y;
    float wall_x, wall_y; /* displacement by walls, m */
} relaxing;

/* Compile-time constants of the loops, which are compiled once for each combination. */
typedef struct kind {
    bool viscous;   /* there is viscosity */
    bool materials; /* pairs differ in mass, viscosity or attraction */
} kind;

/* Position and velocity of the particle whose neighbours are searched, in all lanes. h2: h^2. */
typedef struct query {
    pd_floatw x, y, vx, vy, h2;
} query;

/* Appends the neighbours in block b to the packed arrays. found: number of neighbours in these arrays so far. Returns
 * the new number. */
static inline int find_in_block(const ddr_sweep *s, cursor *c, const query *i, int b, int found, kind k, bool cut) {
    int first = cut ? c->blocks.cut_first[b] : c->blocks.first[b];
    pd_maskw lanes = cut ? pd_lane_range(c->blocks.low[b], c->blocks.high[b]) : pd_lane_range(0, PD_LANES);
    pd_floatw xj = cut ? pd_load(lanes, s->x + first) : pd_load_all(s->x + first);
    pd_floatw yj = cut ? pd_load(lanes, s->y + first) : pd_load_all(s->y + first);
    pd_floatw dx = pd_sub(xj, i->x), dy = pd_sub(yj, i->y);
    pd_maskw near = pd_less(pd_add(pd_mul(dx, dx), pd_mul(dy, dy)), i->h2);
    unsigned bits = pd_movemask(cut ? pd_and(near, lanes) : near);
    if (cut)
        c->cut_bits[b] = (unsigned short)bits;
    else
        c->bits[b] = (unsigned short)bits;
    pd_compress(bits, c->dx + found, dx);
    pd_compress(bits, c->dy + found, dy);
    if (k.viscous) {
        pd_floatw vx = cut ? pd_load(lanes, s->vx + first) : pd_load_all(s->vx + first);
        pd_floatw vy = cut ? pd_load(lanes, s->vy + first) : pd_load_all(s->vy + first);
        pd_floatw dvx = pd_sub(i->vx, vx), dvy = pd_sub(i->vy, vy);
        pd_compress(bits, c->approach + found, pd_add(pd_mul(dvx, dx), pd_mul(dvy, dy)));
    }
    if (k.materials)
        pd_compress(bits, c->material + found,
                    cut ? pd_load(lanes, s->material + first) : pd_load_all(s->material + first));
    return found + __builtin_popcount(bits);
}

static inline void find_neighbours(const ddr_sweep *s, cursor *c, kind k) {
    int found = 0, whole = c->blocks.whole, cut = c->blocks.cut;
    query i = {pd_set(s->x[c->i]), pd_set(s->y[c->i]), pd_set(s->vx[c->i]), pd_set(s->vy[c->i]), pd_set(s->h * s->h)};
    for (int b = 0; b < whole; b++) found = find_in_block(s, c, &i, b, found, k, false);
    for (int b = 0; b < cut; b++) found = find_in_block(s, c, &i, b, found, k, true);
    /* Pads the last vector with a neighbour farther than h, of a valid material. */
    pd_store_all(c->dx + found, pd_set(2 * s->h));
    pd_store_all(c->dy + found, pd_set(0));
    if (k.viscous) pd_store_all(c->approach + found, pd_set(0));
    if (k.materials) pd_store_all(c->material + found, pd_set(0));
    c->packed = found;
}

/* Returns the displacements of PD_LANES pairs by viscosity, divided by r (algorithm 5). They remove the fraction x/(1 +
 * x) of the approach velocity u, with x = dt q (sigma + beta u). For small x this is Clavet's impulse, and the approach
 * is never reversed. Half of the displacement is applied now, the other half when the neighbour is processed. */
static inline pd_floatw viscous_displacement(const ddr_sweep *s, const cursor *c, relaxing *a, int n, kind k,
                                             pd_floatw q, pd_floatw inverse_r) {
    pd_floatw u = pd_mul(pd_load_all(c->approach + n), inverse_r), zero = pd_set(0);
    pd_floatw linear = k.materials ? pd_lookup(s->viscosity[s->material_index[c->i]], pd_load_all(c->material + n))
                                   : pd_set(s->viscosity[0][0]);
    pd_floatw x = pd_mul(q, pd_add(linear, pd_mul(pd_set(s->quadratic), u)));
    x = pd_zero_unset_lanes(pd_less(zero, u), x); /* approaching pairs only */
    pd_floatw part = pd_mul(x, pd_reciprocal(pd_add(pd_set(2), pd_add(x, x))));
    a->damping = pd_add(a->damping, part);
    return pd_mul(pd_mul(part, u), pd_mul(inverse_r, pd_set(s->dt)));
}

/* Sums density and near density, which include the particle itself with q = 1; apply_pressure subtracts this. At
 * distance 0 the particle does not displace itself. It may be missing where ranges were cut to PD_LONGEST_RANGE. */
static inline void accumulate_density(const ddr_sweep *s, cursor *c, relaxing *a, kind k) {
    a->density = pd_set(0);
    a->near_density = pd_set(0);
    a->damping = pd_set(0);
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
        if (k.viscous) pd_store_all(c->viscous + n, viscous_displacement(s, c, a, n, k, q, inverse_r));
    }
}

/* Computes pressures from densities, limited so that no pair is displaced by more than s->farthest. Near walls the
 * hidden share of the kernel counts as fluid (sim/walls/walls.h). The pressures on the neighbours are then multiplied
 * by the same gain as the densities. */
static inline void apply_pressure(const ddr_sweep *s, const cursor *c, relaxing *a, kind k) {
    pd_wall_weight *w = &s->wall_weight[s->wall[c->i]];
    float density = pd_sum(a->density) - 1, near_density = pd_sum(a->near_density) - 1;
    density = density > 0 ? density : 0; /* rounding may give values below 0; fmaxf would be slower, a function call */
    near_density = near_density > 0 ? near_density : 0;
    density = (density + w->hidden.far) * w->far_gain;
    near_density = (near_density + w->hidden.near) * w->near_gain;
    float pressure = s->stiffness * (density - s->rest_density) * w->far_gain;
    float near_pressure = s->near_stiffness * near_density * w->near_gain;
    float most = fabsf(pressure) + near_pressure + s->strongest_repulsion, share = k.materials ? 1 : 0.5f;
    float limit = most > s->farthest ? s->farthest / most : 1;
    share *= limit;
    s->density[c->i] = density;
    a->wall_x = a->wall_y = 0;
    if (w->walls > 0)
        ddr_push_off_walls(s, w, pressure * limit, near_pressure * limit, density, near_density, &a->wall_x,
                           &a->wall_y);
    a->scale = pd_set(share);
    a->pressure = pd_set(pressure * share);
    a->near_pressure = pd_set(near_pressure * share);
    /* All neighbours together must not remove more than the particle's half of the approach velocity. */
    float damping = pd_sum(a->damping), damped = damping > 0.5f ? 0.5f / damping : 1;
    a->viscous_scale = pd_set((k.materials ? 1 : 0.5f) * damped);
}

/* Computes the displacements of the neighbours (packed in dx, dy) and of the particle. Particle i of a pair gets the
 * fraction mj/(mi + mj). If masses are equal, the pressures already contain the factor 1/2. */
static inline void displace(const ddr_sweep *s, cursor *c, relaxing *a, kind k) {
    int material = s->material_index[c->i];
    a->move_x = pd_set(0);
    a->move_y = pd_set(0);
    for (int n = 0; n < c->packed; n += PD_LANES) {
        pd_floatw q = pd_load_all(c->q + n), pressure = a->pressure, other = pd_set(0), own = pd_set(1);
        if (k.materials) {
            pd_floatw other_material = pd_load_all(c->material + n);
            own = pd_lookup(s->share[material], other_material);
            other = pd_lookup(s->other_share[material], other_material);
            pressure = pd_add(pressure, pd_mul(a->scale, pd_lookup(s->repulsion[material], other_material)));
        }
        pd_floatw d = pd_mul(pd_add(pressure, pd_mul(a->near_pressure, q)), q);
        d = pd_mul(d, pd_load_all(c->inverse_r + n));
        if (k.viscous) d = pd_add(d, pd_mul(a->viscous_scale, pd_load_all(c->viscous + n)));
        pd_floatw dx = pd_mul(d, pd_load_all(c->dx + n)), dy = pd_mul(d, pd_load_all(c->dy + n));
        a->move_x = pd_add(a->move_x, k.materials ? pd_mul(own, dx) : dx);
        a->move_y = pd_add(a->move_y, k.materials ? pd_mul(own, dy) : dy);
        pd_store_all(c->dx + n, k.materials ? pd_mul(other, dx) : dx);
        pd_store_all(c->dy + n, k.materials ? pd_mul(other, dy) : dy);
    }
}

/* Adds packed displacements to the neighbours in block b. moved: index of the first of these displacements. Returns the
 * index behind the last. */
static inline int move_block(const ddr_sweep *s, const cursor *c, int b, int moved, bool cut) {
    int first = cut ? c->blocks.cut_first[b] : c->blocks.first[b];
    unsigned bits = cut ? c->cut_bits[b] : c->bits[b];
    pd_floatw dx = pd_expand(bits, c->dx + moved), dy = pd_expand(bits, c->dy + moved);
    if (cut) {
        pd_maskw lanes = pd_lane_range(c->blocks.low[b], c->blocks.high[b]);
        pd_store(lanes, s->x + first, pd_add(pd_load(lanes, s->x + first), dx));
        pd_store(lanes, s->y + first, pd_add(pd_load(lanes, s->y + first), dy));
    } else {
        pd_store_all(s->x + first, pd_add(pd_load_all(s->x + first), dx));
        pd_store_all(s->y + first, pd_add(pd_load_all(s->y + first), dy));
    }
    return moved + __builtin_popcount(bits);
}

static inline void apply_displacements(const ddr_sweep *s, cursor *c, const relaxing *a) {
    int moved = 0;
    for (int b = 0; b < c->blocks.whole; b++) moved = move_block(s, c, b, moved, false);
    for (int b = 0; b < c->blocks.cut; b++) moved = move_block(s, c, b, moved, true);
    s->x[c->i] -= pd_sum(a->move_x) - a->wall_x;
    s->y[c->i] -= pd_sum(a->move_y) - a->wall_y;
}

/* Sweeps several rows of the sweep's colour together. first: number of the first row within the colour. Every stage of
 * a particle runs for one particle of each row before the next stage begins. Rows of one colour have no neighbours in
 * common. */
static inline void relax_interleaved(const ddr_sweep *s, int first, int rows, cursor *c, kind k) {
    relaxing a[ROWS_INTERLEAVED];
    int active[ROWS_INTERLEAVED], count = 0;
    for (int r = 0; r < rows; r++) {
        start_row(s, (first + r) * PD_COLOURS + s->colour, &c[r]);
        if (next_particle(s, &c[r])) active[count++] = r;
    }
    while (count > 0) {
        for (int n = 0; n < count; n++) find_neighbours(s, &c[active[n]], k);
        for (int n = 0; n < count; n++) accumulate_density(s, &c[active[n]], &a[n], k);
        for (int n = 0; n < count; n++) apply_pressure(s, &c[active[n]], &a[n], k);
        for (int n = 0; n < count; n++) displace(s, &c[active[n]], &a[n], k);
        for (int n = 0; n < count; n++) apply_displacements(s, &c[active[n]], &a[n]);
        int kept = 0;
        for (int n = 0; n < count; n++)
            if (next_particle(s, &c[active[n]])) active[kept++] = active[n];
        count = kept;
    }
}

static void relax_rows(void *sweep, int begin, int end) {
    const ddr_sweep *s = sweep;
    cursor c[ROWS_INTERLEAVED];
    for (int r = begin; r < end; r += ROWS_INTERLEAVED) {
        int rows = end - r < ROWS_INTERLEAVED ? end - r : ROWS_INTERLEAVED;
        if (s->materials && s->viscous)
            relax_interleaved(s, r, rows, c, (kind){true, true});
        else if (s->materials)
            relax_interleaved(s, r, rows, c, (kind){false, true});
        else if (s->viscous)
            relax_interleaved(s, r, rows, c, (kind){true, false});
        else
            relax_interleaved(s, r, rows, c, (kind){false, false});
    }
}

const ddr_kernels PD_LEVEL_NAME(ddr_kernels) = {.relax_rows = relax_rows};
