/* Double density relaxation with neighbour lists, for many particles: the sweep of ddr.h in another order, and faster.
 *
 * Cells of side h get one of nine colours, so that two cells of a colour have no neighbour in common. A batch is sixteen
 * cells of one colour; a group is one particle of each of them, and the lanes of a vector. Each lane has a list of its
 * own neighbours (sim/particles/lists.h), and what it computes does not depend on the other lanes: results are the same for any
 * distribution of cells over batches and of batches over threads.
 *
 * The sweep is still sequential: a particle sees the displacements by those before it in its cell, and by the colours
 * before its own. Its neighbours are those when the lists were made, for several substeps (sim/particles/kept.h); pairs that come
 * within h in the meantime are missed, with little weight. */
#ifndef PUDDLE_METHODS_DDR_DDR_LISTS_H
#define PUDDLE_METHODS_DDR_DDR_LISTS_H

#include "sim/particles/kept.h"
#include "sim/particles/lists.h"

enum {
    DDR_CELL_COLOURS = PD_COLOURS * PD_COLUMN_COLOURS,
    /* Crowds beyond these, several times what a fluid at rest has, take too much memory, and leave most lanes empty. */
    DDR_MOST_IN_CELL = 128,
    DDR_MOST_NEIGHBOURS = 256,
};

typedef float ddr_record[4];

typedef struct ddr_lists {
    pd_lists lists;
    pd_kept kept;
    bool refused;                          /* in this step: there are crowds or no memory */
    int capacity, groups;                  /* particles and groups that the arrays have room for */
    int *cell;                             /* by batch and lane: a bucket, or -1 where the lane has no cell */
    int *first_group;                      /* by batch, and one more for the end */
    int first_batch[DDR_CELL_COLOURS + 1]; /* by colour, and one more for the end */
    uint32_t *home;                        /* by group and lane: offset of the particle's record, or of a sentinel */
    ddr_record *record;                    /* by particle: x and y, m; velocity, m/s. Sentinels behind the particles' */
    /* By particle, where materials may differ, otherwise NULL: mass; half of its viscosity, times dt/h; material, as the
     * bit pattern of an int. */
    ddr_record *property;
} ddr_lists;

typedef struct ddr_sweep ddr_sweep;

/* Whether lists that were made earlier in this step serve again. If not, the particles are to be sorted. */
bool ddr_lists_serve(ddr_lists *lists, const pd_world *world);
/* Makes the lists from the particles' positions, in the order of the last sort. False: there are crowds or no memory, and
 * no lists for this step. */
bool ddr_lists_make(ddr_lists *lists, pd_world *world, ddr_sweep *sweep);
/* The sweep. Writes positions and densities. */
void ddr_lists_relax(ddr_lists *lists, pd_world *world, ddr_sweep *sweep);
void ddr_lists_free(ddr_lists *lists);
/* Batches of a colour that a thread takes at once, of `batches`. */
int ddr_lists_grain(int batches, int threads);

/* The index of the sentinel's record of a batch, its colour's number `batch`. Each is in a cache line of its own, since the
 * batches of a colour, on any thread, write to theirs. */
static inline uint32_t ddr_lists_sentinel(int count, int batch) {
    return (uint32_t)pd_lists_sentinel(count) + 4 * (uint32_t)batch;
}

#endif
