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

/* SENTINEL: coordinate x and y of sentinels, m; farther than any particle, with a finite square. FARTHEST: no lists are
 * made if a particle's coordinate exceeds this, m. */
static const float SENTINEL = 1e15f, FARTHEST = 1e12f;

/* Returns the greatest number of batches. The last batch of each colour may have empty lanes. */
static size_t compute_batch_limit(int particle_capacity) {
    return (size_t)particle_capacity / PD_LIST_GROUP + DDR_CELL_COLOURS;
}

/* Returns the greatest number of records: particles, sentinels of the batches and padding. */
static size_t compute_record_limit(int particle_capacity) {
    return ddr_lists_sentinel_index(particle_capacity, (int)compute_batch_limit(particle_capacity)) + PD_PADDING;
}

#define DDR_ARRAYS(l, batch_count, record_count)                                                                       \
    PD_ARRAYS(PD_ARRAY((l)->cell, 0, (batch_count)*PD_LIST_GROUP), PD_ARRAY((l)->first_group, 0, (batch_count) + 1),   \
              PD_ARRAY((l)->record, 0, record_count))

/* Frees the arrays that reserve_groups and reserve_properties allocate again. */
static void free_offsets_and_properties(ddr_lists *lists) {
    pd_arrays_free(PD_ARRAYS(PD_ARRAY(lists->particle_offset, 0, 0), PD_ARRAY(lists->property, 0, 0)));
    lists->groups = 0;
}

void pd_ddr_lists_free(ddr_lists *lists) {
    pd_arrays_free(DDR_ARRAYS(lists, 0, 0));
    free_offsets_and_properties(lists);
    pd_lists_free(&lists->lists);
    pd_list_validity_free(&lists->kept);
    *lists = (ddr_lists){0};
}

/* Allocates the arrays with an element for each particle or batch. Returns false if memory is refused. */
static bool reserve_particles(ddr_lists *lists, int particle_capacity) {
    if (particle_capacity <= lists->capacity) return true;
    if (!pd_list_validity_reserve(&lists->kept, particle_capacity) ||
        !pd_arrays_resize(
            DDR_ARRAYS(lists, compute_batch_limit(particle_capacity), compute_record_limit(particle_capacity))))
        return false;
    free_offsets_and_properties(lists);
    lists->capacity = particle_capacity;
    return true;
}

/* Allocates the arrays with an element for each group, 1/16 larger than needed. Returns false if memory is refused. */
static bool reserve_groups(ddr_lists *lists, int group_count) {
    if (group_count <= lists->groups) return true;
    int larger = group_count + group_count / 16;
    if (pd_lists_reserve(&lists->lists, larger * PD_LIST_GROUP, NULL) != PD_OK ||
        !pd_arrays_resize(PD_ARRAYS(PD_ARRAY(lists->particle_offset, 0, (size_t)larger * PD_LIST_GROUP))))
        return false;
    lists->groups = larger;
    return true;
}

/* Returns the number of chunks into which a colour's batches are divided: one for each thread, or two for each thread from
 * 16 batches for each thread on. With two chunks fast threads do more of the work. */
static int compute_chunk_count(int batches, int threads) { return batches >= 16 * threads ? 2 * threads : threads; }

int pd_ddr_lists_batches_per_chunk(int batches, int threads) {
    int pieces = compute_chunk_count(batches, threads);
    return (batches + pieces - 1) / pieces;
}

/* PARTICLES_OF_BATCH: approximate number of particles in a batch. LEAST_BATCHES_OF_BAND: least number of batches of a
 * colour in a band. */
enum { MOST_BANDS = 16, PARTICLES_OF_BATCH = 150, LEAST_BATCHES_OF_BAND = 3 };

/* Returns the number of bands. A band is a range of rows of cells, with about as many particles as the other bands. The
 * batches of a colour are made from one band after another. A thread then works in the same region of space for all
 * colours, and finds its particles in its cache. Cost: numbers of particles differ more among the cells of a batch. Two
 * bands at 10,000 particles give 4 % more groups. */
static int compute_band_count(int particles, int threads) {
    int batches = particles / (DDR_CELL_COLOURS * PARTICLES_OF_BATCH), most = batches / LEAST_BATCHES_OF_BAND;
    int bands = threads > 1 ? compute_chunk_count(batches, threads) : 1;
    most = most < MOST_BANDS ? most : MOST_BANDS;
    bands = bands < most ? bands : most;
    return bands > 1 ? bands : 1;
}

/* A bin is the set of all cells of one colour and band with the same number of particles. The value of a bin is the number
 * of its cells. After assign_cells_to_batches the value is the index in ddr_lists.cell for the bin's next cell. */
typedef int cell_bins[DDR_CELL_COLOURS][MOST_BANDS][DDR_MOST_IN_CELL + 1];

/* If `cell` is NULL, counts the cells of each bin. Otherwise writes each cell's index to `cell`, at the value of its bin,
 * and increments this value. Returns false if a cell has more than DDR_MOST_IN_CELL particles. */
static bool count_cells_in_bins_or_sort_cells(const pd_neighbours *neighbours, int bands, cell_bins bins, int *cell) {
    int64_t particles = neighbours->start[neighbours->columns * neighbours->rows];
    for (int row = 0; row < neighbours->rows; row++) {
        const int *start = neighbours->start + (size_t)row * (size_t)neighbours->columns;
        if (start[0] == start[neighbours->columns]) continue;
        int band = (int)(start[0] * bands / particles), first_colour = row % PD_COLOURS * PD_COLUMN_COLOURS;
        for (int column = 0, colour = 0; column < neighbours->columns; column++) {
            int count = start[column + 1] - start[column];
            if (count > DDR_MOST_IN_CELL) return false;
            int *bin = &bins[first_colour + colour][band][count];
            if (cell && count > 0) cell[*bin] = row * neighbours->columns + column;
            ++*bin;
            colour = colour + 1 < PD_COLUMN_COLOURS ? colour + 1 : 0;
        }
    }
    return true;
}

/* Replaces the numbers of cells in `bins` by indices in lists->cell, and sets lists->first_batch. Cells of a batch
 * should have about equal numbers of particles, because cells with fewer particles leave lanes empty. Within a band the
 * cells are sorted by this number, alternately ascending and descending, so that a batch across two bands has similar
 * cells too. The last band descends: the empty lanes of the last batch are then beside cells with few particles. */
static void assign_cells_to_batches(ddr_lists *lists, int bands, cell_bins bins) {
    int batch = 0;
    for (int colour = 0; colour < DDR_CELL_COLOURS; colour++) {
        int place = batch * PD_LIST_GROUP;
        lists->first_batch[colour] = batch;
        for (int band = 0; band < bands; band++)
            for (int k = 1; k <= DDR_MOST_IN_CELL; k++) {
                int *bin = &bins[colour][band][(bands - band) % 2 ? DDR_MOST_IN_CELL + 1 - k : k], cells = *bin;
                *bin = place;
                place += cells;
            }
        batch = (place + PD_LIST_GROUP - 1) / PD_LIST_GROUP;
        for (; place < batch * PD_LIST_GROUP; place++) lists->cell[place] = -1;
    }
    lists->first_batch[DDR_CELL_COLOURS] = batch;
}

/* Sets lists->first_group, and returns the number of groups. A batch has as many groups as its fullest cell has
 * particles. */
static int count_groups_of_batches(ddr_lists *lists, const int *start) {
    int group = 0, batches = lists->first_batch[DDR_CELL_COLOURS];
    for (int batch = 0; batch < batches; batch++) {
        int most = 0;
        lists->first_group[batch] = group;
        for (int lane = 0; lane < PD_LIST_GROUP; lane++) {
            int cell = lists->cell[batch * PD_LIST_GROUP + lane], count = cell < 0 ? 0 : start[cell + 1] - start[cell];
            most = count > most ? count : most;
        }
        group += most;
    }
    lists->first_group[batches] = group;
    return group;
}

/* Allocates lists->property if the scene has several materials or attractions. Returns false if memory is refused. */
static bool reserve_properties(ddr_lists *lists, const pd_scene *scene) {
    if (scene->material_count < 2 && scene->attraction_count == 0) return true;
    if (!lists->property) lists->property = pd_allocate(compute_record_limit(lists->capacity), sizeof *lists->property);
    return lists->property != NULL;
}

static bool try_make_lists(ddr_lists *lists, pd_world *world, ddr_sweep *sweep) {
    const pd_neighbours *neighbours = &world->neighbours;
    if (!(neighbours->farthest < FARTHEST) || !reserve_particles(lists, world->particles.capacity)) return false;
    if (!reserve_properties(lists, &world->scene)) return false;
    cell_bins bins = {0};
    int bands = compute_band_count(world->particles.count, pd_pool_thread_count(world->pool));
    if (!count_cells_in_bins_or_sort_cells(neighbours, bands, bins, NULL)) return false;
    assign_cells_to_batches(lists, bands, bins);
    count_cells_in_bins_or_sort_cells(neighbours, bands, bins, lists->cell);
    int groups = count_groups_of_batches(lists, neighbours->start);
    sweep->lists = lists;
    if (!reserve_groups(lists, groups)) return false;
    if (!pd_lists_build(&lists->lists, groups * PD_LIST_GROUP, world->pool, PD_SIMD_PICK(pd_ddr_list_kernels)->find,
                        sweep))
        return false;
    for (int group = 0; group < groups; group++)
        if (lists->lists.length[group] > DDR_MOST_NEIGHBOURS) return false;
    return true;
}

bool pd_ddr_lists_are_valid(ddr_lists *lists, const pd_world *world) {
    return pd_list_validity_check(&lists->kept, world, world->parameter[DDR_RADIUS]);
}

bool pd_ddr_lists_make(ddr_lists *lists, pd_world *world, ddr_sweep *sweep) {
    if (world->substeps_done == 0) lists->refused = false;
    if (!lists->refused) lists->refused = !try_make_lists(lists, world, sweep);
    lists->kept.count = 0;
    if (!lists->refused) pd_list_validity_record_world(&lists->kept, world, sweep->h);
    return !lists->refused;
}

static void write_particle_records(void *context, int begin, int end) {
    const ddr_sweep *sweep = context;
    for (int i = begin; i < end; i++) {
        float *record = sweep->lists->record[i];
        record[0] = sweep->x[i];
        record[1] = sweep->y[i];
        record[2] = sweep->vx[i];
        record[3] = sweep->vy[i];
    }
    if (!sweep->pairs_differ) return;
    for (int i = begin; i < end; i++)
        memcpy(sweep->lists->property[i], sweep->property[sweep->material_index[i]], sizeof(ddr_record));
}

static void read_positions_from_records(void *context, int begin, int end) {
    const ddr_sweep *sweep = context;
    for (int i = begin; i < end; i++) {
        sweep->x[i] = sweep->lists->record[i][0];
        sweep->y[i] = sweep->lists->record[i][1];
    }
}

void pd_ddr_lists_relax_pairs(ddr_lists *lists, pd_world *world, ddr_sweep *sweep) {
    pd_loop_body *relax = PD_SIMD_PICK(pd_ddr_list_kernels)->relax;
    sweep->lists = lists;
    PD_ASSERT(lists->property || !sweep->pairs_differ);
    pd_parallel_for(world->pool, sweep->count, PD_MOTION_GRAIN, write_particle_records, sweep);
    int most = 0;
    for (int c = 0; c < DDR_CELL_COLOURS; c++) {
        int batches = lists->first_batch[c + 1] - lists->first_batch[c];
        most = batches > most ? batches : most;
    }
    for (int batch = 0; batch < most; batch++) {
        uint32_t at = ddr_lists_sentinel_index(sweep->count, batch);
        memcpy(lists->record[at], (ddr_record){SENTINEL, SENTINEL}, sizeof(ddr_record));
        if (sweep->pairs_differ) memcpy(lists->property[at], sweep->property[0], sizeof(ddr_record));
    }
    for (int c = 0; c < DDR_CELL_COLOURS; c++) {
        sweep->colour = sweep->backwards ? DDR_CELL_COLOURS - 1 - c : c;
        int batches = lists->first_batch[sweep->colour + 1] - lists->first_batch[sweep->colour];
        pd_parallel_for(world->pool, batches,
                        pd_ddr_lists_batches_per_chunk(batches, pd_pool_thread_count(world->pool)), relax, sweep);
    }
    pd_parallel_for(world->pool, sweep->count, PD_MOTION_GRAIN, read_positions_from_records, sweep);
}
