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
#include "sim/particles/ramp.h"

enum {
    /* Number of groups whose lists are made together. The particles of one cell in these groups have the same
     * candidates, which are loaded once. */
    GROUPS = 8,
    /* Length of a column in search.neighbour_offset, with padding for whole vectors. An odd number of cache lines, so
     * that columns compete less for the same cache sets. */
    COLUMN = DDR_MOST_NEIGHBOURS + 3 * PD_LANES,
};

/* State while the lists of one chunk are made. */
typedef struct search {
    pd_list_builder finder;
    int batch, first;                     /* current batch, and index of its first group */
    int begin[PD_LANES], count[PD_LANES]; /* by lane: first particle of its cell, number of particles in the cell */
    pd_ranges around[PD_LANES];           /* by lane: ranges of its candidates for neighbours */
    bool needs_offsets; /* some deltas of the batch need more than 16 bits: its lists contain offsets instead */
    int found[PD_LANES][GROUPS]; /* by lane and group: number of neighbours, limited to DDR_MOST_NEIGHBOURS + 1 */
    _Alignas(64) uint32_t neighbour_offset[PD_LANES][GROUPS][COLUMN];
} search;

/* Returns whether differences between the indices of the particles [begin, end) and of their candidates may need more
 * than 16 bits. */
static bool need_ranges_long_offsets(const pd_ranges *around, int begin, int end) {
    bool far = false;
    for (int r = 0; r < around->count; r++)
        far |= around->end[r] - begin > PD_MOST_DELTA || end - around->begin[r] > PD_MOST_DELTA;
    return far;
}

static void begin_batch(const ddr_sweep *sweep, search *search, int batch) {
    const pd_neighbours *n = sweep->neighbours;
    int colour = 0;
    while (sweep->lists->first_batch[colour + 1] <= batch) colour++;
    search->batch = batch;
    search->first = sweep->lists->first_group[batch];
    search->finder.sentinel = ddr_lists_sentinel_index(sweep->count, batch - sweep->lists->first_batch[colour]);
    search->needs_offsets = false;
    for (int lane = 0; lane < PD_LANES; lane++) {
        int cell = sweep->lists->cell[batch * PD_LANES + lane];
        search->count[lane] = 0;
        if (cell < 0) continue;
        search->begin[lane] = n->start[cell];
        search->count[lane] = n->start[cell + 1] - n->start[cell];
        pd_neighbours_list_ranges(n, cell % n->columns, cell / n->columns, &search->around[lane]);
        search->needs_offsets |= need_ranges_long_offsets(&search->around[lane], n->start[cell], n->start[cell + 1]);
    }
}

/* Appends the candidates nearer than h to the columns of the particles [i, i + particle_count) of a lane. The
 * candidates are PD_LANES successive particles; candidate_lanes: mask of the ones to compare. A particle is not in its
 * own list. */
PD_INLINE void append_near_candidates(const ddr_sweep *sweep, search *search, int lane, int first_candidate,
                                      unsigned candidate_lanes, int i, int particle_count) {
    pd_floatw other_x = pd_load_all(sweep->x + first_candidate), other_y = pd_load_all(sweep->y + first_candidate);
    pd_floatw h2 = pd_set(sweep->h * sweep->h);
    for (int k = 0; k < particle_count; k++) {
        pd_floatw dx = pd_sub(other_x, pd_set(sweep->x[i + k])), dy = pd_sub(other_y, pd_set(sweep->y[i + k]));
        unsigned bits = pd_movemask(pd_less(pd_add(pd_mul(dx, dx), pd_mul(dy, dy)), h2)) & candidate_lanes;
        unsigned self = (unsigned)(i + k - first_candidate);
        bits &= ~(self < PD_LANES ? 1U << self : 0);
        int found = search->found[lane][k];
        pd_compress_offsets(bits, search->neighbour_offset[lane][k] + found, (uint32_t)first_candidate);
        found += __builtin_popcount(bits);
        search->found[lane][k] = found <= DDR_MOST_NEIGHBOURS ? found : DDR_MOST_NEIGHBOURS + 1;
    }
}

/* Finds the neighbours of up to `group_count` particles of a lane's cell. position_in_cell: number of particles of the
 * cell before the first of these. */
static void find_neighbours_in_lane(const ddr_sweep *sweep, search *search, int lane, int position_in_cell,
                                    int group_count) {
    int i = search->begin[lane] + position_in_cell, count = search->count[lane] - position_in_cell;
    const pd_ranges *around = &search->around[lane];
    count = count < group_count ? count : group_count;
    for (int k = 0; k < GROUPS; k++) search->found[lane][k] = 0;
    if (count <= 0) return;
    for (int r = 0; r < around->count; r++)
        for (int at = around->begin[r], end = around->end[r]; at < end; at += PD_LANES)
            append_near_candidates(sweep, search, lane, at, (1U << (end - at < PD_LANES ? end - at : PD_LANES)) - 1, i,
                                   count);
}

/* Makes the lists of the groups [first_group, first_group + group_count) of the current batch. */
static void find_lists_of_groups(const ddr_sweep *sweep, search *search, int first_group, int group_count) {
    int position_in_cell = first_group - search->first;
    for (int lane = 0; lane < PD_LANES; lane++)
        find_neighbours_in_lane(sweep, search, lane, position_in_cell, group_count);
    for (int k = 0; k < group_count; k++) {
        uint32_t *particle_offset = sweep->lists->particle_offset + (size_t)(first_group + k) * PD_LANES;
        int longest = 0;
        for (int lane = 0; lane < PD_LANES; lane++) {
            bool live = position_in_cell + k < search->count[lane];
            particle_offset[lane] =
                4 * (live ? (uint32_t)(search->begin[lane] + position_in_cell + k) : search->finder.sentinel);
            longest = search->found[lane][k] > longest ? search->found[lane][k] : longest;
        }
        pd_list_builder_write_list(&search->finder, first_group + k, longest, &search->found[0][k],
                                   search->neighbour_offset[0][k], GROUPS, COLUMN,
                                   search->needs_offsets ? NULL : particle_offset);
    }
}

static void find_lists(void *context, int begin, int end) {
    const ddr_sweep *sweep = context;
    const int *first_group = sweep->lists->first_group;
    search f;
    pd_list_builder_begin_chunk(&f.finder, &sweep->lists->lists, sweep->neighbours, sweep->particles, sweep->h, begin);
    int low = 0, high = sweep->lists->first_batch[DDR_CELL_COLOURS]; /* binary search: the batch is in [low, high) */
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (first_group[middle] <= begin / PD_LANES)
            low = middle;
        else
            high = middle;
    }
    begin_batch(sweep, &f, low);
    for (int group = begin / PD_LANES, groups; group < end / PD_LANES; group += groups) {
        if (group >= first_group[f.batch + 1]) begin_batch(sweep, &f, f.batch + 1);
        int last = first_group[f.batch + 1] < end / PD_LANES ? first_group[f.batch + 1] : end / PD_LANES;
        groups = last - group < GROUPS ? last - group : GROUPS;
        find_lists_of_groups(sweep, &f, group, groups);
    }
}

/* Values that the first pass stores for a row of the list, one vector each. X, Y: positions of the neighbours. HQ: h q.
 * HQ_OVER_R: h q/r. VISCOUS: displacement by viscosity / (r dt). OWN: fraction of the pair's
 * displacement that the particle gets. OTHER: fraction that the neighbour gets. REPULSION: additional pressure of
 * the pair. OWN, OTHER and REPULSION exist only if pairs differ. */
enum { X, Y, HQ, HQ_OVER_R, VISCOUS, OWN, OTHER, REPULSION, FIELDS, FIELDS_OF_ONE_MATERIAL = OWN };

/* Data of one group. fields: values that the first pass stores. own, own_property: records of the lanes' particles.
 * density, near_density: sums of (h q)^2 and (h q)^3 over the neighbours. damping: sum over the neighbours of the
 * fraction of the approach velocity that viscosity removes. */
typedef struct group {
    const uint32_t *particle_offset;  /* offsets of the lanes' particles in ddr_lists.record, in floats */
    const uint32_t *neighbour_offset; /* offsets of their neighbours, PD_LANES in a row */
    float *fields;
    int rows; /* number of rows of neighbour_offset */
    pd_floatw own[4], own_property[4];
    pd_floatw density, near_density, damping;
} group;

PD_INLINE float *get_row_field(const group *group, int row, int field, loop_kind kind) {
    return group->fields +
           ((size_t)row * (kind.pairs_differ ? FIELDS : FIELDS_OF_ONE_MATERIAL) + (size_t)field) * PD_LANES;
}

/* Number of rows that the first pass computes together. The operations of one row form a chain of latencies, which
 * leaves units of the processor idle. */
enum { ROWS = 3 };

/* Stores for each pair of a row which fraction of the displacement either particle gets, m_j/(m_i + m_j) for particle i,
 * and the additional pressure ddr_sweep.repulsion. */
PD_INLINE void store_fractions_and_repulsion(const ddr_sweep *sweep, const group *group, int row,
                                             const pd_floatw *other_property, loop_kind kind) {
    pd_floatw inverse = pd_div(pd_set(1), pd_add(group->own_property[0], other_property[0]));
    pd_store_all(get_row_field(group, row, OWN, kind), pd_mul(other_property[0], inverse));
    pd_store_all(get_row_field(group, row, OTHER, kind), pd_mul(group->own_property[0], inverse));
    if (sweep->strongest_repulsion > 0)
        pd_store_all(get_row_field(group, row, REPULSION, kind),
                     pd_gather(sweep->repulsion, pd_add_ints(group->own_property[2], other_property[2])));
}

/* Stores the displacements of a row's pairs by viscosity, as compute_viscous_displacements in ddr_wide.c does.
 * approach_velocity: m/s. linear_viscosity: sum of the linear viscosities of both particles, times dt/(2 h). */
PD_INLINE void store_viscous_displacements(const ddr_sweep *sweep, group *group, int row, pd_floatw approach_velocity,
                                           pd_floatw hq, pd_floatw inverse_r, pd_floatw linear_viscosity,
                                           loop_kind kind) {
    pd_floatw x = pd_mul(
        hq, pd_add(linear_viscosity, pd_mul(pd_set(sweep->quadratic_viscosity * sweep->inverse_h), approach_velocity)));
    x = pd_zero_unset_lanes(pd_less(pd_set(0), approach_velocity), x); /* approaching pairs only */
    pd_floatw part = pd_mul(x, pd_reciprocal(pd_add(pd_set(2), pd_add(x, x))));
    group->damping = pd_add(group->damping, part);
    pd_store_all(get_row_field(group, row, VISCOUS, kind), pd_mul(pd_mul(part, approach_velocity), inverse_r));
}

/* Adds the rows [first_row, first_row + row_count) of a group's list to the group's densities, and stores the values that
 * the second pass needs. */
PD_INLINE void sum_densities_of_rows(const ddr_sweep *sweep, group *group, int first_row, int row_count,
                                     loop_kind kind) {
    pd_floatw other[ROWS][4], dx[ROWS], dy[ROWS], r2[ROWS], inverse_r[ROWS], hq[ROWS], u[ROWS];
    pd_floatw property[4], linear = pd_set(sweep->viscosity[0][0] * sweep->inverse_h);
    for (int n = 0; n < row_count; n++)
        pd_gather4(sweep->lists->record, 4, group->neighbour_offset + (size_t)(first_row + n) * PD_LANES, other[n]);
    for (int n = 0; n < row_count; n++) {
        pd_store_all(get_row_field(group, first_row + n, X, kind), other[n][0]);
        pd_store_all(get_row_field(group, first_row + n, Y, kind), other[n][1]);
        dx[n] = pd_sub(other[n][0], group->own[0]);
        dy[n] = pd_sub(other[n][1], group->own[1]);
    }
    for (int n = 0; n < row_count && kind.viscous; n++) /* r times the approach velocity u */
        u[n] = pd_add(pd_mul(pd_sub(group->own[2], other[n][2]), dx[n]),
                      pd_mul(pd_sub(group->own[3], other[n][3]), dy[n]));
    for (int n = 0; n < row_count; n++) r2[n] = pd_add(pd_mul(dx[n], dx[n]), pd_mul(dy[n], dy[n]));
    for (int n = 0; n < row_count; n++) inverse_r[n] = pd_rsqrt(r2[n]);
    for (int n = 0; n < row_count; n++)
        hq[n] = pd_max(pd_sub(pd_set(sweep->h), pd_mul(r2[n], inverse_r[n])), pd_set(0));
    for (int n = 0; n < row_count; n++) {
        pd_floatw square = pd_mul(hq[n], hq[n]);
        group->density = pd_add(group->density, square);
        group->near_density = pd_add(group->near_density, pd_mul(square, hq[n]));
        pd_store_all(get_row_field(group, first_row + n, HQ, kind), hq[n]);
        pd_store_all(get_row_field(group, first_row + n, HQ_OVER_R, kind), pd_mul(hq[n], inverse_r[n]));
    }
    for (int n = 0; n < row_count; n++) {
        if (kind.pairs_differ) {
            pd_gather4(sweep->lists->property, 4, group->neighbour_offset + (size_t)(first_row + n) * PD_LANES,
                       property);
            store_fractions_and_repulsion(sweep, group, first_row + n, property, kind);
            linear = pd_add(group->own_property[1], property[1]);
        }
        if (kind.viscous)
            store_viscous_displacements(sweep, group, first_row + n, pd_mul(u[n], inverse_r[n]), hq[n], inverse_r[n],
                                        linear, kind);
    }
}

/* Factors of the lanes' particles, by which the second pass multiplies values that the first pass has stored. */
typedef struct factors {
    pd_floatw pressure;      /* P/h, P: pressure */
    pd_floatw near_pressure; /* Pn/h^2, Pn: near pressure */
    pd_floatw repulsion;     /* factor on the additional pressures of pairs */
    pd_floatw viscous;       /* factor on the displacements by viscosity */
} factors;

/* Wall weights of the lanes' particles. x, y: displacements of these particles by walls, m. any: some particle is near
 * a wall. */
typedef struct near_walls {
    bool any;
    pd_wall_weight *weight[PD_LANES];
    pd_floatw x, y;
} near_walls;

/* Sets *walls to the wall weights of a group. The result is no return value: 176 bytes would be cleared and copied for
 * each group. */
PD_INLINE void find_near_walls(const ddr_sweep *sweep, const group *group, near_walls *walls) {
    walls->any = false;
    walls->x = walls->y = pd_set(0);
    for (int lane = 0; lane < PD_LANES; lane++) {
        uint32_t i = group->particle_offset[lane] / 4, index = i < (uint32_t)sweep->count ? sweep->wall[i] : 0;
        walls->weight[lane] = &sweep->wall_weight[index];
        walls->any |= index > 0;
    }
}

/* Adds the shares of the kernels that walls hide to the densities, and multiplies the densities by *gain and *near_gain:
 * pd_wall_weight.far_gain and near_gain, by which the caller also multiplies the pressures. */
PD_INLINE void add_walls_to_densities(const near_walls *walls, pd_floatw *density, pd_floatw *near_density,
                                      pd_floatw *gain, pd_floatw *near_gain) {
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

/* Computes the displacements of the lanes' particles by walls. pressure, near_pressure: already limited, times dt^2. */
PD_INLINE void compute_wall_displacements(const ddr_sweep *sweep, const group *group, near_walls *walls,
                                          pd_floatw pressure, pd_floatw near_pressure, pd_floatw density,
                                          pd_floatw near_density) {
    float far[PD_LANES], near[PD_LANES], densities[PD_LANES], near_densities[PD_LANES];
    float x[PD_LANES] = {0}, y[PD_LANES] = {0};
    pd_store_all(far, pressure);
    pd_store_all(near, near_pressure);
    pd_store_all(densities, density);
    pd_store_all(near_densities, near_density);
    for (int lane = 0; lane < PD_LANES; lane++)
        if (walls->weight[lane]->walls > 0)
            ddr_compute_wall_displacement(sweep, group->particle_offset[lane] / 4, walls->weight[lane], far[lane],
                                          near[lane], densities[lane], near_densities[lane], &x[lane], &y[lane]);
    walls->x = pd_load_all(x);
    walls->y = pd_load_all(y);
}

/* Returns the rest densities of the lanes' particles during the rest-density ramp. */
static pd_floatw compute_ramped_rest_densities(const ddr_sweep *sweep, const group *group, pd_floatw density,
                                               pd_floatw near_density) {
    float effective[PD_LANES], rest[PD_LANES];
    pd_store_all(effective, pd_add(density, pd_mul(pd_set(sweep->near_share), near_density)));
    pd_store_all(rest, pd_set(sweep->rest_density));
    for (int lane = 0; lane < PD_LANES; lane++) {
        uint32_t i = group->particle_offset[lane] / 4;
        if (i < (uint32_t)sweep->count)
            rest[lane] *= pd_density_ramp_factor(sweep->world, (int)i, effective[lane] / sweep->rest_density);
    }
    return pd_load_all(rest);
}

/* Computes pressures from densities, as compute_pressures in ddr_wide.c does: limited so that no pair is displaced by
 * more than sweep->displacement_limit. Writes the densities. */
PD_INLINE factors compute_pressure_factors(const ddr_sweep *sweep, const group *group, near_walls *walls,
                                           loop_kind kind) {
    const pd_floatw half = pd_set(0.5f), h = pd_set(sweep->inverse_h), part = pd_set(kind.pairs_differ ? 1 : 0.5f);
    float densities[PD_LANES];
    pd_floatw density = pd_mul(group->density, pd_set(sweep->inverse_h * sweep->inverse_h));
    pd_floatw near_density =
        pd_mul(group->near_density, pd_set(sweep->inverse_h * sweep->inverse_h * sweep->inverse_h));
    pd_floatw gain = pd_set(1), near_gain = pd_set(1);
    if (walls->any) add_walls_to_densities(walls, &density, &near_density, &gain, &near_gain);
    pd_floatw rest = pd_set(sweep->rest_density);
    if (sweep->is_ramped) rest = compute_ramped_rest_densities(sweep, group, density, near_density);
    pd_floatw pressure = pd_mul(pd_mul(pd_set(sweep->stiffness), pd_sub(density, rest)), gain);
    pd_floatw near_pressure = pd_mul(pd_mul(pd_set(sweep->near_stiffness), near_density), near_gain);
    pd_floatw most = pd_add(pd_max(pressure, pd_sub(pd_set(0), pressure)), near_pressure);
    most = pd_max(pd_add(most, pd_set(sweep->strongest_repulsion)), pd_set(sweep->displacement_limit));
    pd_floatw limited = pd_div(pd_set(sweep->displacement_limit), most), factor = pd_mul(part, pd_mul(limited, h));
    if (walls->any)
        compute_wall_displacements(sweep, group, walls, pd_mul(pressure, limited), pd_mul(near_pressure, limited),
                                   density, near_density);
    /* With all neighbours together, viscosity now removes at most half of the approach velocity. */
    pd_floatw limit = pd_div(half, pd_max(group->damping, half));
    pd_store_all(densities, density);
    for (int lane = 0; lane < PD_LANES; lane++) {
        uint32_t i = group->particle_offset[lane] / 4;
        if (i < (uint32_t)sweep->count) sweep->density[i] = densities[lane];
    }
    return (factors){
        .pressure = pd_mul(pressure, factor),
        .near_pressure = pd_mul(pd_mul(near_pressure, factor), h),
        .repulsion = factor,
        .viscous = pd_mul(pd_mul(part, limit), pd_set(sweep->dt)),
    };
}

/* Second pass over the rows of a group's list: displaces the neighbours and the lanes' particles. */
PD_INLINE void displace_group(const ddr_sweep *sweep, const group *group, factors factors, const near_walls *walls,
                              loop_kind kind) {
    pd_floatw move_x = pd_set(0), move_y = pd_set(0);
    bool repels = kind.pairs_differ && sweep->strongest_repulsion > 0;
    for (int row = 0; row < group->rows; row++) {
        pd_floatw x = pd_load_all(get_row_field(group, row, X, kind)),
                  y = pd_load_all(get_row_field(group, row, Y, kind));
        pd_floatw dx = pd_sub(x, group->own[0]), dy = pd_sub(y, group->own[1]), pressure = factors.pressure;
        if (repels)
            pressure =
                pd_add(pressure, pd_mul(factors.repulsion, pd_load_all(get_row_field(group, row, REPULSION, kind))));
        pd_floatw d = pd_add(pressure, pd_mul(factors.near_pressure, pd_load_all(get_row_field(group, row, HQ, kind))));
        d = pd_mul(d, pd_load_all(get_row_field(group, row, HQ_OVER_R, kind)));
        if (kind.viscous) d = pd_add(d, pd_mul(factors.viscous, pd_load_all(get_row_field(group, row, VISCOUS, kind))));
        dx = pd_mul(d, dx);
        dy = pd_mul(d, dy);
        pd_floatw own = pd_set(1), other = pd_set(1);
        if (kind.pairs_differ) {
            own = pd_load_all(get_row_field(group, row, OWN, kind));
            other = pd_load_all(get_row_field(group, row, OTHER, kind));
        }
        move_x = pd_add(move_x, kind.pairs_differ ? pd_mul(own, dx) : dx);
        move_y = pd_add(move_y, kind.pairs_differ ? pd_mul(own, dy) : dy);
        x = pd_add(x, kind.pairs_differ ? pd_mul(other, dx) : dx);
        y = pd_add(y, kind.pairs_differ ? pd_mul(other, dy) : dy);
        pd_scatter2(sweep->lists->record, group->neighbour_offset + (size_t)row * PD_LANES, x, y);
    }
    pd_scatter2(sweep->lists->record, group->particle_offset, pd_sub(group->own[0], pd_sub(move_x, walls->x)),
                pd_sub(group->own[1], pd_sub(move_y, walls->y)));
}

/* Working memory for a group: values of the first pass, and offsets of its neighbours. */
typedef struct scratch {
    _Alignas(64) float fields[DDR_MOST_NEIGHBOURS * FIELDS * PD_LANES];
    uint32_t neighbour_offset[DDR_MOST_NEIGHBOURS * PD_LANES];
    uint32_t sentinel; /* offset of the sentinel's record in ddr_lists.record, in floats */
} scratch;

PD_INLINE const uint32_t *get_neighbour_offsets(const pd_lists *lists, int group_index, const uint32_t *particle_offset,
                                                scratch *scratch) {
    const int16_t *deltas = pd_lists_deltas(lists, group_index);
    if (lists->has_offsets[group_index]) return pd_lists_offsets(lists, group_index);
    for (int at = 0; at < lists->length[group_index] * PD_LANES; at += PD_LANES)
        pd_convert_deltas_to_offsets(scratch->neighbour_offset + at, deltas + at, particle_offset, scratch->sentinel);
    return scratch->neighbour_offset;
}

PD_INLINE void relax_group(const ddr_sweep *sweep, int group_index, scratch *scratch, loop_kind kind) {
    const pd_lists *lists = &sweep->lists->lists;
    const uint32_t *particle_offset = sweep->lists->particle_offset + (size_t)group_index * PD_LANES;
    group g = {
        .particle_offset = particle_offset,
        .neighbour_offset = get_neighbour_offsets(lists, group_index, particle_offset, scratch),
        .fields = scratch->fields,
        .rows = lists->length[group_index],
        .density = pd_set(0),
        .near_density = pd_set(0),
        .damping = pd_set(0),
    };
    int row = 0;
    pd_gather4(sweep->lists->record, 4, g.particle_offset, g.own);
    if (kind.pairs_differ) {
        pd_gather4(sweep->lists->property, 4, g.particle_offset, g.own_property);
        /* Converts the material's index in own_property[2] to the start of its row in sweep->repulsion: multiplies by
         * 32 (PD_MAX_MATERIALS) with five doublings. */
        for (int n = 0; n < 5; n++) g.own_property[2] = pd_add_ints(g.own_property[2], g.own_property[2]);
    }
    for (; row + ROWS <= g.rows; row += ROWS) sum_densities_of_rows(sweep, &g, row, ROWS, kind);
    for (; row < g.rows; row++) sum_densities_of_rows(sweep, &g, row, 1, kind);
    near_walls walls;
    find_near_walls(sweep, &g, &walls);
    displace_group(sweep, &g, compute_pressure_factors(sweep, &g, &walls, kind), &walls, kind);
}

_Static_assert(PD_MAX_MATERIALS == 32, "relax_group multiplies a material's index by 32");

PD_INLINE void relax_batch(const ddr_sweep *sweep, int batch, loop_kind kind) {
    scratch scratch;
    int begin = sweep->lists->first_group[batch], end = sweep->lists->first_group[batch + 1];
    scratch.sentinel = 4 * ddr_lists_sentinel_index(sweep->count, batch - sweep->lists->first_batch[sweep->colour]);
    for (int n = begin; n < end; n++) relax_group(sweep, sweep->backwards ? begin + end - 1 - n : n, &scratch, kind);
}

static void relax_batches(void *context, int begin, int end) {
    const ddr_sweep *sweep = context;
    int first = sweep->lists->first_batch[sweep->colour];
    for (int b = first + begin; b < first + end; b++) {
        if (sweep->pairs_differ && sweep->viscous)
            relax_batch(sweep, b, (loop_kind){true, true});
        else if (sweep->pairs_differ)
            relax_batch(sweep, b, (loop_kind){false, true});
        else if (sweep->viscous)
            relax_batch(sweep, b, (loop_kind){true, false});
        else
            relax_batch(sweep, b, (loop_kind){false, false});
    }
}

const pd_ddr_list_kernels PD_LEVEL_NAME(pd_ddr_list_kernels) = {.find = find_lists, .relax = relax_batches};
