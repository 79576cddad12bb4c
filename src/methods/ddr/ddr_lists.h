/* Double density relaxation with neighbour lists: the sweep of ddr.h in another order, faster for many particles.
 *
 * Cells of side h have nine colours: two cells of a colour have no neighbour in common. A batch is sixteen cells of one
 * colour. A group is one particle of each cell of a batch, one in each lane of a vector. Each lane has its own list of
 * neighbours (sim/particles/lists.h). The results of a lane do not depend on other lanes. The results of the sweep are
 * therefore the same for any distribution of cells over batches, and of batches over threads.
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
    /* Greatest numbers of particles in a cell and of neighbours of a particle for which lists are used: several times the
     * numbers in fluid at rest. All lists of a group of lanes take the memory of its longest list. */
    DDR_MOST_IN_CELL = 128,
    DDR_MOST_NEIGHBOURS = 256,
};

typedef float ddr_record[4];

typedef struct ddr_lists {
    pd_lists lists;                        /* neighbour lists of the groups */
    pd_list_validity kept;                 /* positions at which the lists were made */
    bool refused;                          /* no lists are possible in this step: limits exceeded, or memory refused */
    int capacity, groups;                  /* number of particles and of groups for which memory is allocated */
    int *cell;                             /* by batch and lane: index of the cell (bucket); -1: the lane is empty */
    int *first_group;                      /* by batch: index of its first group; last element: number of groups */
    int first_batch[DDR_CELL_COLOURS + 1]; /* by colour: index of its first batch; last element: number of batches */
    uint32_t *particle_offset; /* by group and lane: index in the floats of `record` of a particle, or of a sentinel */
    ddr_record *record;        /* by particle: x and y, m; velocity, m/s; sentinels follow */
    /* By particle: mass; viscosity dt/(2 h); index of its material, as the bit pattern of an int. Used only if pairs
     * differ (ddr_sweep.pairs_differ); else it may be NULL. */
    ddr_record *property;
} ddr_lists;

typedef struct ddr_sweep ddr_sweep;

/* Returns whether the lists of an earlier substep of this step can be used again. If not, the particles must be
 * sorted. */
bool pd_ddr_lists_are_valid(ddr_lists *lists, const pd_world *world);
/* Makes the lists from the particles' positions, in the order of the last sort. Returns false if cells or lists exceed
 * the limits, or memory is refused. After a failure all later calls in this step fail too. */
bool pd_ddr_lists_make(ddr_lists *lists, pd_world *world, ddr_sweep *sweep);
/* Displaces pairs of particles as relax_pairs (ddr.c) does, with the lists. Writes positions and densities. */
void pd_ddr_lists_relax_pairs(ddr_lists *lists, pd_world *world, ddr_sweep *sweep);
void pd_ddr_lists_free(ddr_lists *lists);
/* Returns the number of batches in a chunk of parallel work. batches: number of batches of the colour. */
int pd_ddr_lists_batches_per_chunk(int batches, int threads);

/* Returns the index in ddr_lists.record of a batch's sentinel. batch: number of the batch within its colour. Each
 * sentinel has a cache line of its own, because threads write to the sentinels of several batches at the same time. */
static inline uint32_t ddr_lists_sentinel_index(int particle_count, int batch) {
    return (uint32_t)pd_lists_sentinel_index(particle_count) + 4 * (uint32_t)batch;
}

#endif
