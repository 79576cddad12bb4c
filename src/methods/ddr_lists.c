/* Batches of cells and their lists: see ddr_lists.h. */
#include "methods/ddr_lists.h"

#include "core/memory.h"
#include "core/simd.h"
#include "methods/ddr.h"
#include "methods/ddr_wide.h"

#include <math.h>
#include <string.h>

/* Where the sentinels are, m: beyond every particle, with a finite square. Positions are limited for that. */
static const float SENTINEL = 1e15f, FARTHEST = 1e12f;

/* Numbers that suffice for `capacity` particles. The last batch of each colour may have empty lanes. */
static size_t most_batches(int capacity) { return (size_t)capacity / PD_LIST_GROUP + DDR_CELL_COLOURS; }

/* The cells of a colour are in the order of their particle numbers, so the groups of a batch beyond the first one that are
 * not full are as many as the batch before it has more: in all no more than the fullest cell has. */
static int most_groups(int capacity) { return capacity / PD_LIST_GROUP + DDR_CELL_COLOURS * DDR_MOST_IN_CELL; }

static size_t most_records(int capacity) {
    return ddr_lists_sentinel(capacity, (int)most_batches(capacity)) + PD_PADDING;
}

static void free_arrays(ddr_lists *l) {
    pd_free(l->cell);
    pd_free(l->first_group);
    pd_free(l->home);
    pd_free(l->record);
    pd_free(l->property);
}

void ddr_lists_free(ddr_lists *l) {
    free_arrays(l);
    pd_lists_free(&l->lists);
    pd_kept_free(&l->kept);
    *l = (ddr_lists){0};
}

/* False: no memory, and nothing has changed. */
static bool reserve(ddr_lists *l, int capacity) {
    if (capacity <= l->capacity) return true;
    ddr_lists larger = *l;
    larger.capacity = capacity;
    larger.cell = pd_allocate(most_batches(capacity) * PD_LIST_GROUP, sizeof *larger.cell);
    larger.first_group = pd_allocate(most_batches(capacity) + 1, sizeof *larger.first_group);
    larger.home = pd_allocate((size_t)most_groups(capacity) * PD_LIST_GROUP, sizeof *larger.home);
    larger.record = pd_allocate(most_records(capacity), sizeof *larger.record);
    larger.property = pd_allocate(most_records(capacity), sizeof *larger.property);
    if (!larger.cell || !larger.first_group || !larger.home || !larger.record || !larger.property ||
        !pd_kept_reserve(&l->kept, capacity) ||
        pd_lists_reserve(&l->lists, most_groups(capacity) * PD_LIST_GROUP, NULL) != PD_OK) {
        free_arrays(&larger);
        return false;
    }
    larger.lists = l->lists;
    larger.kept = l->kept;
    free_arrays(l);
    *l = larger;
    return true;
}

/* ---- Batches ---- */

/* The colour of each bucket of a row is that of its first one plus the column modulo PD_COLUMN_COLOURS. */
static int first_colour(int row) { return row % PD_COLOURS * PD_COLUMN_COLOURS; }

/* Counts the cells by colour and number of particles; false: a cell has too many. */
static bool count_cells(const pd_neighbours *n, int cells[DDR_CELL_COLOURS][DDR_MOST_IN_CELL + 1]) {
    memset(cells, 0, sizeof(int) * DDR_CELL_COLOURS * (DDR_MOST_IN_CELL + 1));
    for (int row = 0; row < n->rows; row++) {
        const int *start = n->start + (size_t)row * (size_t)n->columns;
        if (start[0] == start[n->columns]) continue;
        for (int column = 0, colour = 0; column < n->columns; column++) {
            int count = start[column + 1] - start[column];
            if (count > DDR_MOST_IN_CELL) return false;
            cells[first_colour(row) + colour][count]++;
            colour = colour + 1 < PD_COLUMN_COLOURS ? colour + 1 : 0;
        }
    }
    return true;
}

/* Sets where the cells of each colour and number of particles begin, the fullest first, and the batches and groups. */
static void lay_out(ddr_lists *l, int cells[DDR_CELL_COLOURS][DDR_MOST_IN_CELL + 1]) {
    int batch = 0, group = 0;
    for (int colour = 0; colour < DDR_CELL_COLOURS; colour++) {
        int place = batch * PD_LIST_GROUP;
        l->first_batch[colour] = batch;
        for (int count = DDR_MOST_IN_CELL; count > 0; count--) {
            int next = place + cells[colour][count];
            cells[colour][count] = place;
            for (; batch * PD_LIST_GROUP < next; batch++) { /* batches whose fullest cell is one of these */
                l->first_group[batch] = group;
                group += count;
            }
            place = next;
        }
        for (; place < batch * PD_LIST_GROUP; place++) l->cell[place] = -1;
    }
    l->first_batch[DDR_CELL_COLOURS] = batch;
    l->first_group[batch] = group;
}

/* A stable counting sort of the cells; false: a crowd. */
static bool make_batches(ddr_lists *l, const pd_neighbours *n) {
    int cells[DDR_CELL_COLOURS][DDR_MOST_IN_CELL + 1];
    if (!count_cells(n, cells)) return false;
    lay_out(l, cells);
    for (int row = 0; row < n->rows; row++) {
        int first = row * n->columns;
        const int *start = n->start + first;
        if (start[0] == start[n->columns]) continue;
        for (int column = 0, colour = 0; column < n->columns; column++) {
            int count = start[column + 1] - start[column];
            if (count > 0) l->cell[cells[first_colour(row) + colour][count]++] = first + column;
            colour = colour + 1 < PD_COLUMN_COLOURS ? colour + 1 : 0;
        }
    }
    return true;
}

static bool make(ddr_lists *l, pd_world *world, ddr_sweep *sweep) {
    const pd_neighbours *n = &world->neighbours;
    if (!(n->farthest < FARTHEST) || !reserve(l, world->particles.capacity)) return false;
    if (!make_batches(l, n)) return false;
    int groups = l->first_group[l->first_batch[DDR_CELL_COLOURS]];
    sweep->lists = l;
    if (!pd_lists_make(&l->lists, groups * PD_LIST_GROUP, world->pool, PD_SIMD_PICK(ddr_list_kernels)->find, sweep))
        return false;
    for (int group = 0; group < groups; group++)
        if (l->lists.length[group] > DDR_MOST_NEIGHBOURS) return false;
    return true;
}

bool ddr_lists_serve(const ddr_lists *l, const pd_world *world) {
    return pd_kept_serve(&l->kept, world, world->parameter[DDR_RADIUS]);
}

bool ddr_lists_make(ddr_lists *l, pd_world *world, ddr_sweep *sweep) {
    if (world->substeps_done == 0) l->refused = false;
    if (!l->refused) l->refused = !make(l, world, sweep);
    l->kept.count = 0;
    if (!l->refused) pd_kept_begin(&l->kept, world, sweep->h);
    return !l->refused;
}

/* ---- The sweep ---- */

static void write_records(void *context, int begin, int end) {
    const ddr_sweep *s = context;
    for (int i = begin; i < end; i++) {
        float *record = s->lists->record[i];
        record[0] = s->x[i];
        record[1] = s->y[i];
        record[2] = s->vx[i];
        record[3] = s->vy[i];
    }
    if (!s->materials) return;
    for (int i = begin; i < end; i++)
        memcpy(s->lists->property[i], s->property[s->material_index[i]], sizeof(ddr_record));
}

static void write_sentinels(const ddr_lists *l, const ddr_sweep *s) {
    int most = 0;
    for (int c = 0; c < DDR_CELL_COLOURS; c++) {
        int batches = l->first_batch[c + 1] - l->first_batch[c];
        most = batches > most ? batches : most;
    }
    for (int batch = 0; batch < most; batch++) {
        uint32_t at = ddr_lists_sentinel(s->count, batch);
        memcpy(l->record[at], (ddr_record){SENTINEL, SENTINEL}, sizeof(ddr_record));
        if (s->materials) memcpy(l->property[at], s->property[0], sizeof(ddr_record));
    }
}

static void read_records(void *context, int begin, int end) {
    const ddr_sweep *s = context;
    for (int i = begin; i < end; i++) {
        s->x[i] = s->lists->record[i][0];
        s->y[i] = s->lists->record[i][1];
    }
}

void ddr_lists_relax(ddr_lists *l, pd_world *world, ddr_sweep *s) {
    pd_loop_body *relax = PD_SIMD_PICK(ddr_list_kernels)->relax;
    s->lists = l;
    pd_parallel_for(world->pool, s->count, PD_MOTION_GRAIN, write_records, s);
    write_sentinels(l, s);
    for (int c = 0; c < DDR_CELL_COLOURS; c++) {
        s->colour = s->backwards ? DDR_CELL_COLOURS - 1 - c : c;
        pd_parallel_for(world->pool, l->first_batch[s->colour + 1] - l->first_batch[s->colour], 1, relax, s);
    }
    pd_parallel_for(world->pool, s->count, PD_MOTION_GRAIN, read_records, s);
}
