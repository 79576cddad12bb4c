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
#include "sim/particles/ramp.h"

#include <math.h>

enum {
    MAX_CUT = 2 * PD_MAX_RANGES,
    MAX_BLOCKS = PD_MAX_RANGES * (PD_LONGEST_RANGE / PD_LANES + 2),
    ROWS_INTERLEAVED = 2,
    MAX_PACKED = (MAX_BLOCKS + 2) * PD_LANES,
};

/* Term added to r^2, in units of h^2, so that 1/r is finite at distance 0. */
static const float TINY = 1e-12f;

/* Blocks of PD_LANES successive particles that cover the candidates around a cell. whole_first, cut_first: index of a
 * block's first particle. Whole blocks are inside one row of cells. Cut blocks extend beyond the row: only their lanes [low,
 * high) are inside. */
typedef struct block_list {
    int whole, cut; /* numbers of whole and of cut blocks */
    int whole_first[MAX_BLOCKS], cut_first[MAX_CUT], low[MAX_CUT], high[MAX_CUT];
} block_list;

/* Lists the blocks around a cell. first_particle_id: id of the first particle of the cell in the order of the sweep,
 * see pd_limit_candidate_range. */
static void list_blocks_around_cell(const ddr_sweep *sweep, int column, int row, uint32_t first_particle_id,
                                    block_list *list) {
    const pd_neighbours *n = sweep->neighbours;
    pd_ranges ranges;
    pd_neighbours_list_ranges(n, column, row, &ranges);
    int whole = 0, cut = 0, next = 0;
    for (int r = 0; r < ranges.count; r++) {
        const int *start = n->start + (size_t)ranges.row[r] * (size_t)n->columns;
        int row_begin = start[0], row_end = start[n->columns];
        pd_limit_candidate_range(&ranges.begin[r], &ranges.end[r], first_particle_id);
        int first = ranges.begin[r] & -PD_LANES;
        /* A row that wraps around has two ranges, and the second one may begin in a block that is already listed. */
        if (r > 0 && ranges.row[r] == ranges.row[r - 1] && first < next) first = next;
        for (; first < ranges.end[r]; first += PD_LANES) {
            if (first >= row_begin && first + PD_LANES <= row_end) {
                list->whole_first[whole] = first;
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

/* Particle i at which the sweep of a row is, the row and column of its cell, and its neighbours. */
typedef struct cursor {
    int row, column, i;
    int remaining;     /* number of particles of this cell that the sweep has not reached yet */
    block_list blocks; /* candidates around the cell */
    unsigned short bits[MAX_BLOCKS], cut_bits[MAX_CUT]; /* by block: mask of the lanes nearer than h */
    int packed;                                         /* number of neighbours, including the particle itself */
    /* Arrays by packed neighbour. dx, dy: vector to the neighbour, later the neighbour's displacement. approach: r
     * times the approach velocity. material: as ddr_sweep.material. q = 1 - r/h. inverse_r = 1/r. viscous: displacement
     * of the pair by viscosity, over r. */
    _Alignas(64) float dx[MAX_PACKED], dy[MAX_PACKED], approach[MAX_PACKED], material[MAX_PACKED];
    float q[MAX_PACKED], inverse_r[MAX_PACKED], viscous[MAX_PACKED];
} cursor;

static void begin_row(const ddr_sweep *sweep, int row, cursor *cursor) {
    cursor->row = row;
    cursor->remaining = 0;
    cursor->column = sweep->backwards ? sweep->neighbours->columns : -1;
}

/* Moves to the row's next particle in the direction of the sweep. Returns false at the row's end. */
static bool move_to_next_particle(const ddr_sweep *sweep, cursor *cursor) {
    const pd_neighbours *n = sweep->neighbours;
    const int *start = n->start + (size_t)cursor->row * (size_t)n->columns;
    int direction = sweep->backwards ? -1 : 1;
    if (cursor->remaining > 0) {
        cursor->remaining--;
        cursor->i += direction;
        return true;
    }
    do {
        cursor->column += direction;
        if (cursor->column < 0 || cursor->column >= n->columns) return false;
    } while (start[cursor->column] == start[cursor->column + 1]);
    cursor->i = sweep->backwards ? start[cursor->column + 1] - 1 : start[cursor->column];
    cursor->remaining = start[cursor->column + 1] - start[cursor->column] - 1;
    list_blocks_around_cell(sweep, cursor->column, cursor->row, sweep->id[cursor->i], &cursor->blocks);
    return true;
}

/* Values of one particle that later passes use. density, near_density and damping are sums over the neighbours, by lane.
 * The term of a neighbour in `damping` is the fraction of the approach velocity that viscosity removes. */
typedef struct particle_sums {
    pd_floatw density, near_density, damping;
    pd_floatw scale;                   /* factor by which pressures are limited; times 1/2 if pairs do not differ */
    pd_floatw pressure, near_pressure; /* pressures times dt^2 and times `scale` */
    pd_floatw viscous_scale;           /* factor on the displacements by viscosity */
    pd_floatw move_x, move_y;          /* by lane: displacement of the particle by its neighbours, m */
    float wall_x, wall_y;              /* displacement by walls, m */
} particle_sums;

/* Position and velocity of the particle whose neighbours are searched, in all lanes. h2: h^2. */
typedef struct query {
    pd_floatw x, y, vx, vy, h2;
} query;

/* Appends the neighbours in a block to the packed arrays. found: number of neighbours in these arrays before the call.
 * Returns the number after the call. */
static inline int find_neighbours_in_block(const ddr_sweep *sweep, cursor *cursor, const query *particle, int block,
                                           int found, loop_kind kind, bool is_cut) {
    int first = is_cut ? cursor->blocks.cut_first[block] : cursor->blocks.whole_first[block];
    pd_maskw lanes =
        is_cut ? pd_lane_range(cursor->blocks.low[block], cursor->blocks.high[block]) : pd_lane_range(0, PD_LANES);
    pd_floatw xj = is_cut ? pd_load(lanes, sweep->x + first) : pd_load_all(sweep->x + first);
    pd_floatw yj = is_cut ? pd_load(lanes, sweep->y + first) : pd_load_all(sweep->y + first);
    pd_floatw dx = pd_sub(xj, particle->x), dy = pd_sub(yj, particle->y);
    pd_maskw near = pd_less(pd_add(pd_mul(dx, dx), pd_mul(dy, dy)), particle->h2);
    unsigned bits = pd_movemask(is_cut ? pd_and(near, lanes) : near);
    if (is_cut)
        cursor->cut_bits[block] = (unsigned short)bits;
    else
        cursor->bits[block] = (unsigned short)bits;
    pd_compress(bits, cursor->dx + found, dx);
    pd_compress(bits, cursor->dy + found, dy);
    if (kind.viscous) {
        pd_floatw vx = is_cut ? pd_load(lanes, sweep->vx + first) : pd_load_all(sweep->vx + first);
        pd_floatw vy = is_cut ? pd_load(lanes, sweep->vy + first) : pd_load_all(sweep->vy + first);
        pd_floatw dvx = pd_sub(particle->vx, vx), dvy = pd_sub(particle->vy, vy);
        pd_compress(bits, cursor->approach + found, pd_add(pd_mul(dvx, dx), pd_mul(dvy, dy)));
    }
    if (kind.pairs_differ)
        pd_compress(bits, cursor->material + found,
                    is_cut ? pd_load(lanes, sweep->material + first) : pd_load_all(sweep->material + first));
    return found + __builtin_popcount(bits);
}

static inline void find_neighbours(const ddr_sweep *sweep, cursor *cursor, loop_kind kind) {
    int found = 0, whole = cursor->blocks.whole, cut = cursor->blocks.cut;
    query particle = {pd_set(sweep->x[cursor->i]), pd_set(sweep->y[cursor->i]), pd_set(sweep->vx[cursor->i]),
                      pd_set(sweep->vy[cursor->i]), pd_set(sweep->h * sweep->h)};
    for (int b = 0; b < whole; b++) found = find_neighbours_in_block(sweep, cursor, &particle, b, found, kind, false);
    for (int b = 0; b < cut; b++) found = find_neighbours_in_block(sweep, cursor, &particle, b, found, kind, true);
    /* Pads the last vector with a neighbour farther than h, of a valid material. */
    pd_store_all(cursor->dx + found, pd_set(2 * sweep->h));
    pd_store_all(cursor->dy + found, pd_set(0));
    if (kind.viscous) pd_store_all(cursor->approach + found, pd_set(0));
    if (kind.pairs_differ) pd_store_all(cursor->material + found, pd_set(0));
    cursor->packed = found;
}

/* Returns the displacements of PD_LANES pairs by viscosity, divided by r (algorithm 5). Viscosity removes the fraction
 * x/(1 + x) of the approach velocity u, with x = dt q (sigma + beta u). For small x this is Clavet's impulse. For any x
 * the approach is not reversed. Half of the displacement is applied now, the other half when the neighbour is
 * processed. */
static inline pd_floatw compute_viscous_displacements(const ddr_sweep *sweep, const cursor *cursor, particle_sums *sums,
                                                      int n, loop_kind kind, pd_floatw q, pd_floatw inverse_r) {
    pd_floatw u = pd_mul(pd_load_all(cursor->approach + n), inverse_r), zero = pd_set(0);
    pd_floatw linear = kind.pairs_differ ? pd_lookup(sweep->viscosity[sweep->material_index[cursor->i]],
                                                     pd_load_all(cursor->material + n))
                                         : pd_set(sweep->viscosity[0][0]);
    pd_floatw x = pd_mul(q, pd_add(linear, pd_mul(pd_set(sweep->quadratic_viscosity), u)));
    x = pd_zero_unset_lanes(pd_less(zero, u), x); /* approaching pairs only */
    pd_floatw part = pd_mul(x, pd_reciprocal(pd_add(pd_set(2), pd_add(x, x))));
    sums->damping = pd_add(sums->damping, part);
    return pd_mul(pd_mul(part, u), pd_mul(inverse_r, pd_set(sweep->dt)));
}

/* Sums density and near density over the packed neighbours, which include the particle itself with q = 1.
 * compute_pressures subtracts this 1. The particle does not displace itself, because its dx and dy are 0. */
static inline void accumulate_densities(const ddr_sweep *sweep, cursor *cursor, particle_sums *sums, loop_kind kind) {
    sums->density = pd_set(0);
    sums->near_density = pd_set(0);
    sums->damping = pd_set(0);
    for (int n = 0; n < cursor->packed; n += PD_LANES) {
        pd_floatw dx = pd_load_all(cursor->dx + n), dy = pd_load_all(cursor->dy + n);
        pd_floatw r2 = pd_add(pd_mul(dx, dx), pd_add(pd_mul(dy, dy), pd_set(TINY * sweep->h * sweep->h)));
        pd_floatw inverse_r = pd_rsqrt(r2);
        pd_floatw q = pd_max(pd_sub(pd_set(1), pd_mul(pd_mul(r2, inverse_r), pd_set(sweep->inverse_h))), pd_set(0));
        pd_floatw q2 = pd_mul(q, q);
        sums->density = pd_add(sums->density, q2);
        sums->near_density = pd_add(sums->near_density, pd_mul(q2, q));
        pd_store_all(cursor->q + n, q);
        pd_store_all(cursor->inverse_r + n, inverse_r);
        if (kind.viscous)
            pd_store_all(cursor->viscous + n,
                         compute_viscous_displacements(sweep, cursor, sums, n, kind, q, inverse_r));
    }
}

/* Computes pressures from densities, limited so that no pair is displaced by more than sweep->displacement_limit. The
 * share of the kernel that walls hide counts as fluid (sim/walls/walls.h): the gain of the walls multiplies densities
 * and pressures. */
static inline void compute_pressures(const ddr_sweep *sweep, const cursor *cursor, particle_sums *sums,
                                     loop_kind kind) {
    pd_wall_weight *w = &sweep->wall_weight[sweep->wall[cursor->i]];
    float density = pd_sum(sums->density) - 1, near_density = pd_sum(sums->near_density) - 1;
    /* The sums may be below 1 by rounding, or if PD_LONGEST_RANGE cut off the particle itself. fmaxf would be
     * slower. */
    density = density > 0 ? density : 0;
    near_density = near_density > 0 ? near_density : 0;
    density = (density + w->hidden.far) * w->far_gain;
    near_density = (near_density + w->hidden.near) * w->near_gain;
    float rest = sweep->rest_density;
    if (sweep->is_ramped)
        rest *= pd_density_ramp_factor(sweep->world, cursor->i, (density + sweep->near_share * near_density) / rest);
    float pressure = sweep->stiffness * (density - rest) * w->far_gain;
    float near_pressure = sweep->near_stiffness * near_density * w->near_gain;
    float most = fabsf(pressure) + near_pressure + sweep->strongest_repulsion, factor = kind.pairs_differ ? 1 : 0.5f;
    float limit = most > sweep->displacement_limit ? sweep->displacement_limit / most : 1;
    factor *= limit;
    sweep->density[cursor->i] = density;
    sums->wall_x = sums->wall_y = 0;
    if (w->walls > 0)
        ddr_compute_wall_displacement(sweep, (uint32_t)cursor->i, w, pressure * limit, near_pressure * limit, density,
                                      near_density, &sums->wall_x, &sums->wall_y);
    sums->scale = pd_set(factor);
    sums->pressure = pd_set(pressure * factor);
    sums->near_pressure = pd_set(near_pressure * factor);
    /* With all neighbours together, viscosity now removes at most half of the approach velocity. */
    float damping = pd_sum(sums->damping), damped = damping > 0.5f ? 0.5f / damping : 1;
    sums->viscous_scale = pd_set((kind.pairs_differ ? 1 : 0.5f) * damped);
}

/* Computes the displacements of the neighbours (in dx and dy) and of the particle. Particle i of a pair gets the
 * fraction mj/(mi + mj) of the pair's displacement. If pairs do not differ, the pressures already contain this factor
 * 1/2. */
static inline void compute_displacements(const ddr_sweep *sweep, cursor *cursor, particle_sums *sums, loop_kind kind) {
    int material = sweep->material_index[cursor->i];
    sums->move_x = pd_set(0);
    sums->move_y = pd_set(0);
    for (int n = 0; n < cursor->packed; n += PD_LANES) {
        pd_floatw q = pd_load_all(cursor->q + n), pressure = sums->pressure, other = pd_set(0), own = pd_set(1);
        if (kind.pairs_differ) {
            pd_floatw other_material = pd_load_all(cursor->material + n);
            own = pd_lookup(sweep->own_fraction[material], other_material);
            other = pd_lookup(sweep->other_fraction[material], other_material);
            pressure = pd_add(pressure, pd_mul(sums->scale, pd_lookup(sweep->repulsion[material], other_material)));
        }
        pd_floatw d = pd_mul(pd_add(pressure, pd_mul(sums->near_pressure, q)), q);
        d = pd_mul(d, pd_load_all(cursor->inverse_r + n));
        if (kind.viscous) d = pd_add(d, pd_mul(sums->viscous_scale, pd_load_all(cursor->viscous + n)));
        pd_floatw dx = pd_mul(d, pd_load_all(cursor->dx + n)), dy = pd_mul(d, pd_load_all(cursor->dy + n));
        sums->move_x = pd_add(sums->move_x, kind.pairs_differ ? pd_mul(own, dx) : dx);
        sums->move_y = pd_add(sums->move_y, kind.pairs_differ ? pd_mul(own, dy) : dy);
        pd_store_all(cursor->dx + n, kind.pairs_differ ? pd_mul(other, dx) : dx);
        pd_store_all(cursor->dy + n, kind.pairs_differ ? pd_mul(other, dy) : dy);
    }
}

/* Displaces the neighbours in a block. first_displacement: index of the block's first neighbour in the packed arrays.
 * Returns the index after the block's last neighbour. */
static inline int displace_block(const ddr_sweep *sweep, const cursor *cursor, int block, int first_displacement,
                                 bool is_cut) {
    int first = is_cut ? cursor->blocks.cut_first[block] : cursor->blocks.whole_first[block];
    unsigned bits = is_cut ? cursor->cut_bits[block] : cursor->bits[block];
    pd_floatw dx = pd_expand(bits, cursor->dx + first_displacement),
              dy = pd_expand(bits, cursor->dy + first_displacement);
    if (is_cut) {
        pd_maskw lanes = pd_lane_range(cursor->blocks.low[block], cursor->blocks.high[block]);
        pd_store(lanes, sweep->x + first, pd_add(pd_load(lanes, sweep->x + first), dx));
        pd_store(lanes, sweep->y + first, pd_add(pd_load(lanes, sweep->y + first), dy));
    } else {
        pd_store_all(sweep->x + first, pd_add(pd_load_all(sweep->x + first), dx));
        pd_store_all(sweep->y + first, pd_add(pd_load_all(sweep->y + first), dy));
    }
    return first_displacement + __builtin_popcount(bits);
}

static inline void apply_displacements(const ddr_sweep *sweep, cursor *cursor, const particle_sums *sums) {
    int moved = 0;
    for (int b = 0; b < cursor->blocks.whole; b++) moved = displace_block(sweep, cursor, b, moved, false);
    for (int b = 0; b < cursor->blocks.cut; b++) moved = displace_block(sweep, cursor, b, moved, true);
    sweep->x[cursor->i] -= pd_sum(sums->move_x) - sums->wall_x;
    sweep->y[cursor->i] -= pd_sum(sums->move_y) - sums->wall_y;
}

/* Relaxes several rows of the sweep's colour alternately: each pass runs for one particle of every row before the next
 * pass begins. first_row: number of the first row within the colour. Rows of one colour have no neighbours in
 * common. */
static inline void relax_rows_interleaved(const ddr_sweep *sweep, int first_row, int row_count, cursor *cursor,
                                          loop_kind kind) {
    particle_sums sums[ROWS_INTERLEAVED];
    int active[ROWS_INTERLEAVED], count = 0;
    for (int r = 0; r < row_count; r++) {
        begin_row(sweep, (first_row + r) * PD_COLOURS + sweep->colour, &cursor[r]);
        if (move_to_next_particle(sweep, &cursor[r])) active[count++] = r;
    }
    while (count > 0) {
        for (int n = 0; n < count; n++) find_neighbours(sweep, &cursor[active[n]], kind);
        for (int n = 0; n < count; n++) accumulate_densities(sweep, &cursor[active[n]], &sums[n], kind);
        for (int n = 0; n < count; n++) compute_pressures(sweep, &cursor[active[n]], &sums[n], kind);
        for (int n = 0; n < count; n++) compute_displacements(sweep, &cursor[active[n]], &sums[n], kind);
        for (int n = 0; n < count; n++) apply_displacements(sweep, &cursor[active[n]], &sums[n]);
        int kept = 0;
        for (int n = 0; n < count; n++)
            if (move_to_next_particle(sweep, &cursor[active[n]])) active[kept++] = active[n];
        count = kept;
    }
}

static void relax_rows(void *context, int begin, int end) {
    const ddr_sweep *sweep = context;
    cursor c[ROWS_INTERLEAVED];
    for (int r = begin; r < end; r += ROWS_INTERLEAVED) {
        int rows = end - r < ROWS_INTERLEAVED ? end - r : ROWS_INTERLEAVED;
        if (sweep->pairs_differ && sweep->viscous)
            relax_rows_interleaved(sweep, r, rows, c, (loop_kind){true, true});
        else if (sweep->pairs_differ)
            relax_rows_interleaved(sweep, r, rows, c, (loop_kind){false, true});
        else if (sweep->viscous)
            relax_rows_interleaved(sweep, r, rows, c, (loop_kind){true, false});
        else
            relax_rows_interleaved(sweep, r, rows, c, (loop_kind){false, false});
    }
}

const pd_ddr_kernels PD_LEVEL_NAME(pd_ddr_kernels) = {.relax_rows = relax_rows};
