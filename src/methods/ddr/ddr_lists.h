/* Double density relaxation with neighbour lists: the sweep of ddr.h in another order, faster for many particles.
 *
 * Cells of side h have nine colours: two cells of a colour have no neighbour in common. A batch is sixteen cells of one
 * colour. A group is one particle of each cell of a batch, one in each lane of a vector. Each lane has its own list of
 * neighbours (sim/particles/lists.h). The results of a lane do not depend on other lanes. They are therefore the same
 * for any distribution of cells over batches, and of batches over threads.
 *
 * The sweep is sequential: a particle sees the displacements by earlier particles in its cell, and by the cells of
 * earlier colours. Lists serve several substeps (sim/particles/kept.h). Pairs that come within h after the lists were
 * made are missed; their effect on the densities is small. */
#ifndef PUDDLE_METHODS_DDR_DDR_LISTS_H
#define PUDDLE_METHODS_DDR_DDR_LISTS_H

#include "sim/particles/kept.h"
#include "sim/particles/lists.h"

enum {
    DDR_CELL_COLOURS = PD_COLOURS * PD_COLUMN_COLOURS,
    /* Several times the values of fluid at rest. Beyond these limits lists need too much memory, and most lanes are
     * empty. */
    DDR_MOST_IN_CELL = 128,
    DDR_MOST_NEIGHBOURS = 256,
};

typedef float ddr_record[4];

typedef struct ddr_lists {
    pd_lists lists;
    pd_kept_lists kept;
    bool refused;                          /* no lists in this step: cells beyond the limits, or no memory */
    int capacity, groups;                  /* allocated particles and groups */
    int *cell;                             /* by batch and lane: bucket of the cell; -1: none */
    int *first_group;                      /* by batch: its first group; one more element: the number of groups */
    int first_batch[DDR_CELL_COLOURS + 1]; /* by colour: its first batch; one more element: the number of batches */
    uint32_t *home;     /* by group and lane: offset of the record of the particle, or of a sentinel */
    ddr_record *record; /* by particle: x, y, m; velocity, m/s; sentinels behind the last particle */
    /* By particle: mass; half of the viscosity times dt/h; material as the bit pattern of an int. NULL if all pairs are
     * alike. */
    ddr_record *property;
} ddr_lists;

typedef struct ddr_sweep ddr_sweep;

/* Returns true if lists of an earlier substep of this step can be used again. Otherwise the particles must be
 * sorted. */
bool ddr_lists_valid(ddr_lists *lists, const pd_world *world);
/* Makes the lists from the particles' positions, in the order of the last sort. Returns false, for the rest of the
 * step, if cells or lists are beyond the limits or memory is missing. */
bool ddr_lists_make(ddr_lists *lists, pd_world *world, ddr_sweep *sweep);
/* Runs the sweep with lists. Writes positions and densities. */
void ddr_lists_relax(ddr_lists *lists, pd_world *world, ddr_sweep *sweep);
void ddr_lists_free(ddr_lists *lists);
/* Returns the number of consecutive batches of a colour in a chunk of parallel work. */
int ddr_lists_grain(int batches, int threads);

/* Returns the index of a batch's sentinel record. batch: its number within its colour. Each sentinel has a cache line
 * of its own, because threads write to the sentinels of different batches of a colour at the same time. */
static inline uint32_t ddr_lists_sentinel(int count, int batch) {
    return (uint32_t)pd_lists_sentinel_index(count) + 4 * (uint32_t)batch;
}

#endif
