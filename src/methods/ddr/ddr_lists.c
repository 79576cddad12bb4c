/* Batches of cells, their neighbour lists, and the sweep over them: see ddr_lists.h. */
#include "methods/ddr/ddr_lists.h"

#include "core/array.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/simd.h"
#include "methods/ddr/ddr.h"
#include "methods/ddr/ddr_wide.h"

#include <math.h>
#include <string.h>

/* SENTINEL: coordinate of the sentinels, m, beyond every particle and with a finite square. FARTHEST: greatest
 * coordinate of particles for which lists are made, m. */
static const float SENTINEL = 1e15f, FARTHEST = 1e12f;

/* Returns the greatest number of batches for `capacity` particles. The last batch of each colour may have empty
 * lanes. */
static size_t most_batches(int capacity) { return (size_t)capacity / PD_LIST_GROUP + DDR_CELL_COLOURS; }

static size_t most_records(int capacity) {
    return ddr_lists_sentinel(capacity, (int)most_batches(capacity)) + PD_PADDING;
}

#define DDR_ARRAYS(l, batch_count, record_count)                                                                       \
    PD_ARRAYS(PD_ARRAY((l)->cell, 0, (batch_count)*PD_LIST_GROUP), PD_ARRAY((l)->first_group, 0, (batch_count) + 1),   \
              PD_ARRAY((l)->record, 0, record_count))

/* Frees the arrays that a later step allocates again when it needs them. */
static void free_step_arrays(ddr_lists *l) {
    pd_arrays_free(PD_ARRAYS(PD_ARRAY(l->home, 0, 0), PD_ARRAY(l->property, 0, 0)));
    l->groups = 0;
}

void ddr_lists_free(ddr_lists *l) {
    pd_arrays_free(DDR_ARRAYS(l, 0, 0));
    free_step_arrays(l);
    pd_lists_free(&l->lists);
    pd_kept_lists_free(&l->kept);
    *l = (ddr_lists){0};
}

/* Allocates for this many particles. Returns false without memory; then nothing changes. */
static bool reserve_particles(ddr_lists *l, int capacity) {
    if (capacity <= l->capacity) return true;
    if (!pd_kept_lists_reserve(&l->kept, capacity) ||
        !pd_arrays_resize(DDR_ARRAYS(l, most_batches(capacity), most_records(capacity))))
        return false;
    free_step_arrays(l);
    l->capacity = capacity;
    return true;
}

/* Allocates for this many groups. Returns false without memory; then nothing changes. */
static bool reserve_groups(ddr_lists *l, int groups) {
    if (groups <= l->groups) return true;
    int larger = groups + groups / 16;
    if (pd_lists_reserve(&l->lists, larger * PD_LIST_GROUP, NULL) != PD_OK ||
        !pd_arrays_resize(PD_ARRAYS(PD_ARRAY(l->home, 0, (size_t)larger * PD_LIST_GROUP))))
        return false;
    l->groups = larger;
    return true;
}

/* Returns the number of chunks into which the batches of a colour are divided: one for each thread. With many batches
 * there are two for each thread, so that fast threads take over work of slow ones. */
static int pieces_of(int batches, int threads) { return batches >= 16 * threads ? 2 * threads : threads; }

int ddr_lists_grain(int batches, int threads) {
    int pieces = pieces_of(batches, threads);
    return (batches + pieces - 1) / pieces;
}

enum { MOST_BANDS = 16, PARTICLES_OF_BATCH = 150 /* approximate */, LEAST_BATCHES_OF_BAND = 3 };

/* Returns the number of bands. A band is a range of rows of cells; all bands have about equally many particles. The
 * batches of a colour are made from one band after another. The work of a thread is then in the same region of space
 * for all colours, and the particles remain in its cache. Cost: the cells of a batch differ more. Two bands at 10,000
 * particles give 4 % more groups. */
static int bands_of(int particles, int threads) {
    int batches = particles / (DDR_CELL_COLOURS * PARTICLES_OF_BATCH), most = batches / LEAST_BATCHES_OF_BAND;
    int bands = threads > 1 ? pieces_of(batches, threads) : 1;
    most = most < MOST_BANDS ? most : MOST_BANDS;
    bands = bands < most ? bands : most;
    return bands > 1 ? bands : 1;
}

/* By colour, band and number of particles in the cell: number of such cells, and later the place of the next one in
 * ddr_lists.cell. */
typedef int cell_bins[DDR_CELL_COLOURS][MOST_BANDS][DDR_MOST_IN_CELL + 1];

/* Counts the cells of each bin, if `cell` is NULL. Otherwise writes each cell to the place of its bin and advances the
 * place. Returns false if a cell has more than DDR_MOST_IN_CELL particles. */
static bool sort_cells(const pd_neighbours *n, int bands, cell_bins bins, int *cell) {
    int64_t particles = n->start[n->columns * n->rows];
    for (int row = 0; row < n->rows; row++) {
        const int *start = n->start + (size_t)row * (size_t)n->columns;
        if (start[0] == start[n->columns]) continue;
        int band = (int)(start[0] * bands / particles), first_colour = row % PD_COLOURS * PD_COLUMN_COLOURS;
        for (int column = 0, colour = 0; column < n->columns; column++) {
            int count = start[column + 1] - start[column];
            if (count > DDR_MOST_IN_CELL) return false;
            int *bin = &bins[first_colour + colour][band][count];
            if (cell && count > 0) cell[*bin] = row * n->columns + column;
            ++*bin;
            colour = colour + 1 < PD_COLUMN_COLOURS ? colour + 1 : 0;
        }
    }
    return true;
}

/* Replaces the numbers of cells in `bins` by places in l->cell, and lays out the batches. Cells of a batch should have
 * about equal numbers of particles, because shorter cells leave lanes empty. Bands are alternately in ascending and
 * descending order of this number, so that a batch across two bands has similar cells too. The last band descends: the
 * empty lanes of the last batch are then beside small cells. */
static void lay_out_batches(ddr_lists *l, int bands, cell_bins bins) {
    int batch = 0;
    for (int colour = 0; colour < DDR_CELL_COLOURS; colour++) {
        int place = batch * PD_LIST_GROUP;
        l->first_batch[colour] = batch;
        for (int band = 0; band < bands; band++)
            for (int k = 1; k <= DDR_MOST_IN_CELL; k++) {
                int *bin = &bins[colour][band][(bands - band) % 2 ? DDR_MOST_IN_CELL + 1 - k : k], cells = *bin;
                *bin = place;
                place += cells;
            }
        batch = (place + PD_LIST_GROUP - 1) / PD_LIST_GROUP;
        for (; place < batch * PD_LIST_GROUP; place++) l->cell[place] = -1;
    }
    l->first_batch[DDR_CELL_COLOURS] = batch;
}

/* Counts the groups of each batch: as many as its fullest cell has particles. Returns the sum. */
static int count_groups(ddr_lists *l, const int *start) {
    int group = 0, batches = l->first_batch[DDR_CELL_COLOURS];
    for (int batch = 0; batch < batches; batch++) {
        int most = 0;
        l->first_group[batch] = group;
        for (int lane = 0; lane < PD_LIST_GROUP; lane++) {
            int cell = l->cell[batch * PD_LIST_GROUP + lane], count = cell < 0 ? 0 : start[cell + 1] - start[cell];
            most = count > most ? count : most;
        }
        group += most;
    }
    l->first_group[batches] = group;
    return group;
}

/* Allocates `property` if pairs of particles may differ in this step. Returns false without memory. */
static bool reserve_properties(ddr_lists *l, const pd_scene *scene) {
    if (scene->material_count < 2 && scene->attraction_count == 0) return true;
    if (!l->property) l->property = pd_allocate(most_records(l->capacity), sizeof *l->property);
    return l->property != NULL;
}

static bool make_lists(ddr_lists *l, pd_world *world, ddr_sweep *sweep) {
    const pd_neighbours *n = &world->neighbours;
    if (!(n->farthest < FARTHEST) || !reserve_particles(l, world->particles.capacity)) return false;
    if (!reserve_properties(l, &world->scene)) return false;
    cell_bins bins = {0};
    int bands = bands_of(world->particles.count, pd_pool_thread_count(world->pool));
    if (!sort_cells(n, bands, bins, NULL)) return false;
    lay_out_batches(l, bands, bins);
    sort_cells(n, bands, bins, l->cell);
    int groups = count_groups(l, n->start);
    sweep->lists = l;
    if (!reserve_groups(l, groups)) return false;
    if (!pd_lists_build(&l->lists, groups * PD_LIST_GROUP, world->pool, PD_SIMD_PICK(ddr_list_kernels)->find, sweep))
        return false;
    for (int group = 0; group < groups; group++)
        if (l->lists.length[group] > DDR_MOST_NEIGHBOURS) return false;
    return true;
}

bool ddr_lists_valid(ddr_lists *l, const pd_world *world) {
    return pd_kept_lists_are_valid(&l->kept, world, world->parameter[DDR_RADIUS]);
}

bool ddr_lists_make(ddr_lists *l, pd_world *world, ddr_sweep *sweep) {
    if (world->substeps_done == 0) l->refused = false;
    if (!l->refused) l->refused = !make_lists(l, world, sweep);
    l->kept.count = 0;
    if (!l->refused) pd_kept_lists_record_world(&l->kept, world, sweep->h);
    return !l->refused;
}

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
    PD_ASSERT(l->property || !s->materials);
    pd_parallel_for(world->pool, s->count, PD_MOTION_GRAIN, write_records, s);
    write_sentinels(l, s);
    for (int c = 0; c < DDR_CELL_COLOURS; c++) {
        s->colour = s->backwards ? DDR_CELL_COLOURS - 1 - c : c;
        int batches = l->first_batch[s->colour + 1] - l->first_batch[s->colour];
        pd_parallel_for(world->pool, batches, ddr_lists_grain(batches, pd_pool_thread_count(world->pool)), relax, s);
    }
    pd_parallel_for(world->pool, s->count, PD_MOTION_GRAIN, read_records, s);
}
