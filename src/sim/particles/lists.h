/* Neighbour lists: the particles nearer than h to each particle, found once and iterated over several times.
 *
 * A group is PD_LIST_GROUP particles that are consecutive in the order of the sort, one in each lane of a vector. A
 * group's list is a table with a column for each of its particles: the particle's neighbours, including itself. Shorter
 * columns are padded with the sentinel, a record behind those of the particles. Its position is so far away that every
 * kernel is 0 there, and loops need no test for the end of a column.
 *
 * An element of a list is the neighbour's offset in arrays of records (core/simd.h), or a delta of 16 bits: the
 * neighbour's index minus that of the particle. Deltas need half of the memory. Loops convert deltas to offsets, which
 * costs the short loops of sph and pbf 4 to 13 % of their time, and the loops of ddr nothing (docs/notes/neighbour-lists.md).
 *
 * A method's loop bodies make the lists and iterate over them with the functions of lists_wide.h. */
#ifndef PUDDLE_SIM_PARTICLES_LISTS_H
#define PUDDLE_SIM_PARTICLES_LISTS_H

#include "sim/particles/neighbours.h"

enum {
    PD_LIST_GROUP = 16,  /* particles of a group: the lanes of a vector, at every SIMD level */
    PD_LIST_GRAIN = 512, /* particles in a chunk of parallel work; a chunk's lists are contiguous */
    /* Spare rows behind the lists of a chunk: writing four rows of offsets at a time may exceed the last list. */
    PD_LIST_SLACK = 8,
    PD_MOST_DELTA = INT16_MAX - 1, /* greatest delta of a neighbour */
    PD_SENTINEL_DELTA = INT16_MAX, /* delta that stands for the sentinel in every list */
};

/* Coordinate of the sentinel, in units of h: beyond every particle at the smallest radius, with a finite square. */
#define PD_SENTINEL_POSITION 1e12f

/* Memory of the lists of PD_LIST_GRAIN consecutive particles. */
typedef struct pd_list_chunk {
    int16_t *list; /* lists of the chunk's groups, one behind another; a row has PD_LIST_GROUP elements */
    int rows;      /* allocated rows of 16-bit elements */
    int needed;    /* rows that the lists of the last search and PD_LIST_SLACK need */
    bool outgrown; /* the memory was too small and has been enlarged: the search must run again */
} pd_list_chunk;

typedef struct pd_lists {
    pd_list_chunk *chunk; /* by chunk of PD_LIST_GRAIN particles: memory of its lists */
    uint32_t *first;      /* by group: first row of the group's list in its chunk */
    uint16_t *length;     /* by group: number of rows of the list */
    bool *has_offsets;    /* by group: elements are 32-bit offsets (two 16-bit rows per row); false: 16-bit deltas */
    /* Candidates are particles in cells around a particle. Where their number was cut to PD_LONGEST_RANGE, sums over
     * the shortened list are multiplied by all candidates / compared candidates. */
    float *weight; /* by particle: factor on sums over its list; 1 unless candidates were cut */
    int capacity;  /* allocated particles */
} pd_lists;

/* Allocates for this many particles. On an error nothing changes. Errors: OUT_OF_MEMORY. */
pd_result pd_lists_reserve(pd_lists *lists, int capacity, pd_error *error);
void pd_lists_free(pd_lists *lists);

/* Returns the index of the sentinel's record, the first one behind the last group. The records between the last
 * particle and this record fill the last group's lanes. They are sentinels too, but loops read and write them like
 * particles. */
int pd_lists_sentinel_index(int count);

/* Returns the first row of a group's list of deltas. */
static inline const int16_t *pd_lists_deltas(const pd_lists *lists, int group) {
    return lists->chunk[group * PD_LIST_GROUP / PD_LIST_GRAIN].list + (size_t)lists->first[group] * PD_LIST_GROUP;
}

/* Returns the first row of a group's list of offsets. */
static inline const uint32_t *pd_lists_offsets(const pd_lists *lists, int group) {
    return (const uint32_t *)(const void *)pd_lists_deltas(lists, group);
}

/* Builds the lists of the first `count` particles: calls `find_neighbours` for each chunk, on any thread. A chunk whose
 * lists do not fit gets more memory, and `find_neighbours` is called for it again. Returns false if memory runs out: the
 * last groups of a chunk then lack neighbours. */
bool pd_lists_build(pd_lists *lists, int count, pd_pool *pool, pd_loop_body *find_neighbours, void *context);

#endif
