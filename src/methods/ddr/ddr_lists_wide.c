/* Inner loops of double density relaxation with neighbour lists (ddr_lists.h), compiled once for each SIMD level
 * (core/simd.h). All levels give the same bits.
 *
 * All arithmetic is lane by lane: a lane is a particle, and a row of its group's list has one neighbour of each
 * particle. The first pass over the rows sums densities and stores intermediate values of each row. The second pass
 * uses these values to displace the neighbours. Padding adds exact zeros: the sentinel is far away, so that q = 0. In a
 * lane without a particle the sentinel is paired with itself at distance 0. */
#include "methods/ddr/ddr_lists.h"
#include "methods/ddr/ddr_wide.h"

#include "sim/particles/lists_wide.h"

enum {
    /* Number of groups whose lists are made together: up to this many particles of each cell of the batch. They have
     * the same candidates, which are loaded once. */
    GROUPS = 8,
    /* Length of a column of offsets, padded in whole vectors. It is an odd number of cache lines, so that columns
     * compete less for the cache. */
    COLUMN = DDR_MOST_NEIGHBOURS + 3 * PD_LANES,
};

/* State while the lists of one chunk are made. */
typedef struct search {
    pd_list_builder finder;
    int batch, first;                     /* current batch, and its first group */
    int begin[PD_LANES], count[PD_LANES]; /* by lane: first particle of its cell, number of particles */
    pd_ranges around[PD_LANES];
    bool far;                    /* deltas of some candidates need more than 16 bits: lists of offsets are made */
    int found[PD_LANES][GROUPS]; /* by lane and group: number of neighbours, limited to DDR_MOST_NEIGHBOURS + 1 */
    _Alignas(64) uint32_t offset[PD_LANES][GROUPS][COLUMN];
} search;

/* Returns true if deltas between the particles [begin, end) and their candidates may need more than 16 bits. */
static bool is_far(const pd_ranges *around, int begin, int end) {
    bool far = false;
    for (int r = 0; r < around->count; r++)
        far |= around->end[r] - begin > PD_MOST_DELTA || end - around->begin[r] > PD_MOST_DELTA;
    return far;
}

static void set_batch(const ddr_sweep *s, search *f, int batch) {
    const pd_neighbours *n = s->neighbours;
    int colour = 0;
    while (s->lists->first_batch[colour + 1] <= batch) colour++;
    f->batch = batch;
    f->first = s->lists->first_group[batch];
    f->finder.sentinel = ddr_lists_sentinel(s->count, batch - s->lists->first_batch[colour]);
    f->far = false;
    for (int lane = 0; lane < PD_LANES; lane++) {
        int cell = s->lists->cell[batch * PD_LANES + lane];
        f->count[lane] = 0;
        if (cell < 0) continue;
        f->begin[lane] = n->start[cell];
        f->count[lane] = n->start[cell + 1] - n->start[cell];
        pd_neighbours_list_ranges(n, cell % n->columns, cell / n->columns, &f->around[lane]);
        f->far |= is_far(&f->around[lane], n->start[cell], n->start[cell + 1]);
    }
}

/* Appends the candidates nearer than h to the columns of `count` particles of a lane. i: the first of these particles.
 * candidates: index of the first of PD_LANES candidates. lanes: mask of those to compare. A particle is not in its own
 * list. */
PD_INLINE void append_near(const ddr_sweep *s, search *f, int lane, int candidates, unsigned lanes, int i, int count) {
    pd_floatw other_x = pd_load_all(s->x + candidates), other_y = pd_load_all(s->y + candidates);
    pd_floatw h2 = pd_set(s->h * s->h);
    for (int k = 0; k < count; k++) {
        pd_floatw dx = pd_sub(other_x, pd_set(s->x[i + k])), dy = pd_sub(other_y, pd_set(s->y[i + k]));
        unsigned bits = pd_movemask(pd_less(pd_add(pd_mul(dx, dx), pd_mul(dy, dy)), h2)) & lanes;
        unsigned self = (unsigned)(i + k - candidates);
        bits &= ~(self < PD_LANES ? 1U << self : 0);
        int found = f->found[lane][k];
        pd_compress_offsets(bits, f->offset[lane][k] + found, (uint32_t)candidates);
        found += __builtin_popcount(bits);
        f->found[lane][k] = found <= DDR_MOST_NEIGHBOURS ? found : DDR_MOST_NEIGHBOURS + 1;
    }
}

/* Fills the columns of a lane for up to `groups` particles of its cell. number: position of the first one in the
 * cell. */
static void find_in_lane(const ddr_sweep *s, search *f, int lane, int number, int groups) {
    int i = f->begin[lane] + number, count = f->count[lane] - number;
    const pd_ranges *around = &f->around[lane];
    count = count < groups ? count : groups;
    for (int k = 0; k < GROUPS; k++) f->found[lane][k] = 0;
    if (count <= 0) return;
    for (int r = 0; r < around->count; r++)
        for (int at = around->begin[r], end = around->end[r]; at < end; at += PD_LANES)
            append_near(s, f, lane, at, (1U << (end - at < PD_LANES ? end - at : PD_LANES)) - 1, i, count);
}

/* Makes the lists of up to GROUPS groups of the current batch. */
static void find_groups(const ddr_sweep *s, search *f, int group, int groups) {
    int number = group - f->first;
    for (int lane = 0; lane < PD_LANES; lane++) find_in_lane(s, f, lane, number, groups);
    for (int k = 0; k < groups; k++) {
        uint32_t *home = s->lists->home + (size_t)(group + k) * PD_LANES;
        int longest = 0;
        for (int lane = 0; lane < PD_LANES; lane++) {
            bool live = number + k < f->count[lane];
            home[lane] = 4 * (live ? (uint32_t)(f->begin[lane] + number + k) : f->finder.sentinel);
            longest = f->found[lane][k] > longest ? f->found[lane][k] : longest;
        }
        pd_list_builder_write_list(&f->finder, group + k, longest, &f->found[0][k], f->offset[0][k], GROUPS, COLUMN,
                                   f->far ? NULL : home);
    }
}

static void find_lists(void *sweep, int begin, int end) {
    const ddr_sweep *s = sweep;
    const int *first_group = s->lists->first_group;
    search f;
    pd_list_builder_begin_chunk(&f.finder, &s->lists->lists, s->neighbours, s->particles, s->h, begin);
    int low = 0, high = s->lists->first_batch[DDR_CELL_COLOURS]; /* binary search: the batch is in [low, high) */
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (first_group[middle] <= begin / PD_LANES)
            low = middle;
        else
            high = middle;
    }
    set_batch(s, &f, low);
    for (int group = begin / PD_LANES, groups; group < end / PD_LANES; group += groups) {
        if (group >= first_group[f.batch + 1]) set_batch(s, &f, f.batch + 1);
        int last = first_group[f.batch + 1] < end / PD_LANES ? first_group[f.batch + 1] : end / PD_LANES;
        groups = last - group < GROUPS ? last - group : GROUPS;
        find_groups(s, &f, group, groups);
    }
}

/* Compile-time constants of the loops, which are compiled once for each combination (ddr_wide.c). */
typedef struct kind {
    bool viscous, materials;
} kind;

/* Intermediate values of a row of the list, one vector each. X, Y: positions of the neighbours. HQ: h q. HQ_OVER_R: h
 * q/r. VISCOUS: displacement by viscosity / (r dt). Only if materials differ: shares of the displacement, and
 * REPULSION, the additional pressure of the pair. */
enum { X, Y, HQ, HQ_OVER_R, VISCOUS, OWN_SHARE, OTHER_SHARE, REPULSION, FIELDS, FIELDS_OF_ONE_MATERIAL = OWN_SHARE };

/* Data of one group. density, near_density: sums of (h q)^2 and (h q)^3 over the neighbours. damping: sum of the
 * fractions of the approach velocity that viscosity removes. */
typedef struct group {
    const uint32_t *home, *offset; /* offsets of the lanes' particles; of their neighbours, PD_LANES in a row */
    float *fields;
    int rows;
    pd_floatw own[4], own_property[4];
    pd_floatw density, near_density, damping;
} group;

PD_INLINE float *field_of(const group *g, int row, int field, kind k) {
    return g->fields + ((size_t)row * (k.materials ? FIELDS : FIELDS_OF_ONE_MATERIAL) + (size_t)field) * PD_LANES;
}

/* Number of rows that the first pass computes together. The operations of one row form a chain of latencies, which
 * leaves units of the processor idle. */
enum { ROWS = 3 };

/* Stores the shares of the pairs' displacements, m_j/(m_i + m_j) for particle i, and the additional pressures of pairs
 * of materials (ddr_sweep.repulsion). */
PD_INLINE void share_of_materials(const ddr_sweep *s, const group *g, int row, const pd_floatw *other, kind k) {
    pd_floatw inverse = pd_div(pd_set(1), pd_add(g->own_property[0], other[0]));
    pd_store_all(field_of(g, row, OWN_SHARE, k), pd_mul(other[0], inverse));
    pd_store_all(field_of(g, row, OTHER_SHARE, k), pd_mul(g->own_property[0], inverse));
    if (s->strongest_repulsion > 0)
        pd_store_all(field_of(g, row, REPULSION, k),
                     pd_gather(s->repulsion, pd_add_ints(g->own_property[2], other[2])));
}

/* Stores the displacements of a row's pairs by viscosity, as viscous_displacement in ddr_wide.c: they remove the
 * fraction x/(1 + x) of the approach velocity u (m/s), half of it now. */
PD_INLINE void apply_viscosity(const ddr_sweep *s, group *g, int row, pd_floatw u, pd_floatw hq, pd_floatw inverse_r,
                               pd_floatw linear, kind k) {
    pd_floatw x = pd_mul(hq, pd_add(linear, pd_mul(pd_set(s->quadratic * s->inverse_h), u)));
    x = pd_zero_unset_lanes(pd_less(pd_set(0), u), x); /* approaching pairs only */
    pd_floatw part = pd_mul(x, pd_reciprocal(pd_add(pd_set(2), pd_add(x, x))));
    g->damping = pd_add(g->damping, part);
    pd_store_all(field_of(g, row, VISCOUS, k), pd_mul(pd_mul(part, u), inverse_r));
}

/* Runs the first pass over the rows [row, row + count) of a group's list. */
PD_INLINE void sum_rows(const ddr_sweep *s, group *g, int row, int count, kind k) {
    pd_floatw other[ROWS][4], dx[ROWS], dy[ROWS], r2[ROWS], inverse_r[ROWS], hq[ROWS], u[ROWS];
    pd_floatw property[4], linear = pd_set(s->viscosity[0][0] * s->inverse_h);
    for (int n = 0; n < count; n++) pd_gather4(s->lists->record, 4, g->offset + (size_t)(row + n) * PD_LANES, other[n]);
    for (int n = 0; n < count; n++) {
        pd_store_all(field_of(g, row + n, X, k), other[n][0]);
        pd_store_all(field_of(g, row + n, Y, k), other[n][1]);
        dx[n] = pd_sub(other[n][0], g->own[0]);
        dy[n] = pd_sub(other[n][1], g->own[1]);
    }
    for (int n = 0; n < count && k.viscous; n++) /* r times the approach velocity u */
        u[n] = pd_add(pd_mul(pd_sub(g->own[2], other[n][2]), dx[n]), pd_mul(pd_sub(g->own[3], other[n][3]), dy[n]));
    for (int n = 0; n < count; n++) r2[n] = pd_add(pd_mul(dx[n], dx[n]), pd_mul(dy[n], dy[n]));
    for (int n = 0; n < count; n++) inverse_r[n] = pd_rsqrt(r2[n]);
    for (int n = 0; n < count; n++) hq[n] = pd_max(pd_sub(pd_set(s->h), pd_mul(r2[n], inverse_r[n])), pd_set(0));
    for (int n = 0; n < count; n++) {
        pd_floatw square = pd_mul(hq[n], hq[n]);
        g->density = pd_add(g->density, square);
        g->near_density = pd_add(g->near_density, pd_mul(square, hq[n]));
        pd_store_all(field_of(g, row + n, HQ, k), hq[n]);
        pd_store_all(field_of(g, row + n, HQ_OVER_R, k), pd_mul(hq[n], inverse_r[n]));
    }
    for (int n = 0; n < count; n++) {
        if (k.materials) {
            pd_gather4(s->lists->property, 4, g->offset + (size_t)(row + n) * PD_LANES, property);
            share_of_materials(s, g, row + n, property, k);
            linear = pd_add(g->own_property[1], property[1]);
        }
        if (k.viscous) apply_viscosity(s, g, row + n, pd_mul(u[n], inverse_r[n]), hq[n], inverse_r[n], linear, k);
    }
}

/* Factors of the lanes' particles, by which the second pass multiplies the intermediate values: pressure (P/h), near
 * pressure (Pn/h^2), additional pressures of pairs, viscosity. */
typedef struct factors {
    pd_floatw pressure, near_pressure, repulsion, viscous;
} factors;

/* Weights of the walls near the lanes' particles, and their displacements by walls, m. */
typedef struct near_walls {
    bool any;
    pd_wall_weight *weight[PD_LANES];
    pd_floatw x, y;
} near_walls;

/* Sets the walls near a group. The struct is an argument, because a return value of 176 bytes would be cleared and
 * copied for each group. */
PD_INLINE void find_walls(const ddr_sweep *s, const group *g, near_walls *walls) {
    walls->any = false;
    walls->x = walls->y = pd_set(0);
    for (int lane = 0; lane < PD_LANES; lane++) {
        uint32_t i = g->home[lane] / 4, index = i < (uint32_t)s->count ? s->wall[i] : 0;
        walls->weight[lane] = &s->wall_weight[index];
        walls->any |= index > 0;
    }
}

/* Adds the hidden shares of walls to the densities, and returns the gains of the pressures, as apply_pressure in
 * ddr_wide.c. */
PD_INLINE void complete_densities(const near_walls *walls, pd_floatw *density, pd_floatw *near_density, pd_floatw *gain,
                                  pd_floatw *near_gain) {
    float far[PD_LANES], near[PD_LANES], far_gain[PD_LANES], next_gain[PD_LANES];
    for (int lane = 0; lane < PD_LANES; lane++) {
        const pd_wall_weight *w = walls->weight[lane];
        far[lane] = w->hidden.far;
        near[lane] = w->hidden.near;
        far_gain[lane] = w->far_gain;
        next_gain[lane] = w->near_gain;
    }
    *gain = pd_load_all(far_gain);
    *near_gain = pd_load_all(next_gain);
    *density = pd_mul(pd_add(*density, pd_load_all(far)), *gain);
    *near_density = pd_mul(pd_add(*near_density, pd_load_all(near)), *near_gain);
}

/* Computes the displacements by walls from the lanes' limited pressures. */
PD_INLINE void push_off_walls(const ddr_sweep *s, near_walls *walls, pd_floatw pressure, pd_floatw near_pressure,
                              pd_floatw density, pd_floatw near_density) {
    float far[PD_LANES], near[PD_LANES], densities[PD_LANES], near_densities[PD_LANES];
    float x[PD_LANES] = {0}, y[PD_LANES] = {0};
    pd_store_all(far, pressure);
    pd_store_all(near, near_pressure);
    pd_store_all(densities, density);
    pd_store_all(near_densities, near_density);
    for (int lane = 0; lane < PD_LANES; lane++)
        if (walls->weight[lane]->walls > 0)
            ddr_push_off_walls(s, walls->weight[lane], far[lane], near[lane], densities[lane], near_densities[lane],
                               &x[lane], &y[lane]);
    walls->x = pd_load_all(x);
    walls->y = pd_load_all(y);
}

/* Computes pressures from densities, as in ddr_wide.c, limited so that no pair is displaced by more than s->farthest.
 * Writes the densities. */
PD_INLINE factors apply_pressure(const ddr_sweep *s, const group *g, near_walls *walls, kind k) {
    const pd_floatw half = pd_set(0.5f), h = pd_set(s->inverse_h), part = pd_set(k.materials ? 1 : 0.5f);
    float densities[PD_LANES];
    pd_floatw density = pd_mul(g->density, pd_set(s->inverse_h * s->inverse_h));
    pd_floatw near_density = pd_mul(g->near_density, pd_set(s->inverse_h * s->inverse_h * s->inverse_h));
    pd_floatw gain = pd_set(1), near_gain = pd_set(1);
    if (walls->any) complete_densities(walls, &density, &near_density, &gain, &near_gain);
    pd_floatw pressure = pd_mul(pd_mul(pd_set(s->stiffness), pd_sub(density, pd_set(s->rest_density))), gain);
    pd_floatw near_pressure = pd_mul(pd_mul(pd_set(s->near_stiffness), near_density), near_gain);
    pd_floatw most = pd_add(pd_max(pressure, pd_sub(pd_set(0), pressure)), near_pressure);
    most = pd_max(pd_add(most, pd_set(s->strongest_repulsion)), pd_set(s->farthest));
    pd_floatw limited = pd_div(pd_set(s->farthest), most), share = pd_mul(part, pd_mul(limited, h));
    if (walls->any)
        push_off_walls(s, walls, pd_mul(pressure, limited), pd_mul(near_pressure, limited), density, near_density);
    /* All neighbours together must not remove more than the particle's half of the approach velocity. */
    pd_floatw limit = pd_div(half, pd_max(g->damping, half));
    pd_store_all(densities, density);
    for (int lane = 0; lane < PD_LANES; lane++) {
        uint32_t i = g->home[lane] / 4;
        if (i < (uint32_t)s->count) s->density[i] = densities[lane];
    }
    return (factors){
        .pressure = pd_mul(pressure, share),
        .near_pressure = pd_mul(pd_mul(near_pressure, share), h),
        .repulsion = share,
        .viscous = pd_mul(pd_mul(part, limit), pd_set(s->dt)),
    };
}

/* Runs the second pass: displaces the neighbours and the lanes' particles. */
PD_INLINE void displace(const ddr_sweep *s, const group *g, factors f, const near_walls *walls, kind k) {
    pd_floatw move_x = pd_set(0), move_y = pd_set(0);
    bool repels = k.materials && s->strongest_repulsion > 0;
    for (int row = 0; row < g->rows; row++) {
        pd_floatw x = pd_load_all(field_of(g, row, X, k)), y = pd_load_all(field_of(g, row, Y, k));
        pd_floatw dx = pd_sub(x, g->own[0]), dy = pd_sub(y, g->own[1]), pressure = f.pressure;
        if (repels) pressure = pd_add(pressure, pd_mul(f.repulsion, pd_load_all(field_of(g, row, REPULSION, k))));
        pd_floatw d = pd_add(pressure, pd_mul(f.near_pressure, pd_load_all(field_of(g, row, HQ, k))));
        d = pd_mul(d, pd_load_all(field_of(g, row, HQ_OVER_R, k)));
        if (k.viscous) d = pd_add(d, pd_mul(f.viscous, pd_load_all(field_of(g, row, VISCOUS, k))));
        dx = pd_mul(d, dx);
        dy = pd_mul(d, dy);
        pd_floatw own = pd_set(1), other = pd_set(1);
        if (k.materials) {
            own = pd_load_all(field_of(g, row, OWN_SHARE, k));
            other = pd_load_all(field_of(g, row, OTHER_SHARE, k));
        }
        move_x = pd_add(move_x, k.materials ? pd_mul(own, dx) : dx);
        move_y = pd_add(move_y, k.materials ? pd_mul(own, dy) : dy);
        x = pd_add(x, k.materials ? pd_mul(other, dx) : dx);
        y = pd_add(y, k.materials ? pd_mul(other, dy) : dy);
        pd_scatter2(s->lists->record, g->offset + (size_t)row * PD_LANES, x, y);
    }
    pd_scatter2(s->lists->record, g->home, pd_sub(g->own[0], pd_sub(move_x, walls->x)),
                pd_sub(g->own[1], pd_sub(move_y, walls->y)));
}

/* Working memory for a group: the fields of its rows, and the offsets of its neighbours. */
typedef struct scratch {
    _Alignas(64) float fields[DDR_MOST_NEIGHBOURS * FIELDS * PD_LANES];
    uint32_t offset[DDR_MOST_NEIGHBOURS * PD_LANES];
    uint32_t sentinel; /* offset of the sentinel's record */
} scratch;

PD_INLINE const uint32_t *offsets_of(const pd_lists *lists, int number, const uint32_t *home, scratch *scratch) {
    const int16_t *deltas = pd_lists_deltas(lists, number);
    if (lists->has_offsets[number]) return pd_lists_offsets(lists, number);
    for (int at = 0; at < lists->length[number] * PD_LANES; at += PD_LANES)
        pd_expand_deltas(scratch->offset + at, deltas + at, home, scratch->sentinel);
    return scratch->offset;
}

PD_INLINE void relax_group(const ddr_sweep *s, int number, scratch *scratch, kind k) {
    const pd_lists *lists = &s->lists->lists;
    const uint32_t *home = s->lists->home + (size_t)number * PD_LANES;
    group g = {
        .home = home,
        .offset = offsets_of(lists, number, home, scratch),
        .fields = scratch->fields,
        .rows = lists->length[number],
        .density = pd_set(0),
        .near_density = pd_set(0),
        .damping = pd_set(0),
    };
    int row = 0;
    pd_gather4(s->lists->record, 4, g.home, g.own);
    if (k.materials) {
        pd_gather4(s->lists->property, 4, g.home, g.own_property);
        /* Converts the material's index in own_property[2] to the start of its row in s->repulsion: multiplies by 32
         * (PD_MAX_MATERIALS) with five doublings. */
        for (int n = 0; n < 5; n++) g.own_property[2] = pd_add_ints(g.own_property[2], g.own_property[2]);
    }
    for (; row + ROWS <= g.rows; row += ROWS) sum_rows(s, &g, row, ROWS, k);
    for (; row < g.rows; row++) sum_rows(s, &g, row, 1, k);
    near_walls walls;
    find_walls(s, &g, &walls);
    displace(s, &g, apply_pressure(s, &g, &walls, k), &walls, k);
}

_Static_assert(PD_MAX_MATERIALS == 32, "relax_group multiplies a material's index by 32");

PD_INLINE void relax_batch(const ddr_sweep *s, int batch, kind k) {
    scratch scratch;
    int begin = s->lists->first_group[batch], end = s->lists->first_group[batch + 1];
    scratch.sentinel = 4 * ddr_lists_sentinel(s->count, batch - s->lists->first_batch[s->colour]);
    for (int n = begin; n < end; n++) relax_group(s, s->backwards ? begin + end - 1 - n : n, &scratch, k);
}

static void relax(void *sweep, int begin, int end) {
    const ddr_sweep *s = sweep;
    int first = s->lists->first_batch[s->colour];
    for (int b = first + begin; b < first + end; b++) {
        if (s->materials && s->viscous)
            relax_batch(s, b, (kind){true, true});
        else if (s->materials)
            relax_batch(s, b, (kind){false, true});
        else if (s->viscous)
            relax_batch(s, b, (kind){true, false});
        else
            relax_batch(s, b, (kind){false, false});
    }
}

const ddr_list_kernels PD_LEVEL_NAME(ddr_list_kernels) = {.find = find_lists, .relax = relax};
