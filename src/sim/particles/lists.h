/* Neighbour lists: the particles nearer than h to each particle, found once and iterated over several times.
 *
 * A group is PD_LIST_GROUP particles that are consecutive in the order of the cell sort, one in each lane of a SIMD vector.
 * The list of a group is a table with a column for each of its particles: the particle's neighbours, including itself.
 * Shorter columns are padded with the sentinel: a record behind those of the particles, so far away that every kernel is 0
 * there. So loops need no test for the end of a column.
 *
 * An element of a list is the neighbour's offset in arrays of records (core/simd.h), or a delta of 16 bits: the
 * neighbour's index minus that of the particle. Deltas need half of the memory. Loops convert deltas to offsets, which
 * costs the short loops of sph and pbf 4 to 13 % of their time, and the loops of ddr nothing (docs/notes/neighbour-lists.md).
 *
 * The loop bodies of a method build the lists and iterate over them by the functions of lists_wide.h. */
#ifndef PUDDLE_SIM_PARTICLES_LISTS_H
#define PUDDLE_SIM_PARTICLES_LISTS_H

#include "sim/particles/neighbours.h"

enum {
    PD_LIST_GROUP = 16, /* number of particles in a group: lanes of a vector, at every SIMD level */
    /* Number of particles in a chunk of parallel work; the lists of a chunk are contiguous in memory. */
    PD_LIST_GRAIN = 512,
    /* Number of spare rows behind the lists of a chunk, since offsets are written four rows at a time. */
    PD_LIST_SLACK = 8,
    PD_MOST_DELTA = INT16_MAX - 1, /* greatest delta (see above) of a neighbour */
    PD_SENTINEL_DELTA = INT16_MAX, /* delta that means the sentinel */
};

/* Coordinate of the sentinel, in units of h: beyond every particle at the smallest radius, with a finite square. */
#define PD_SENTINEL_POSITION 1e12f

/* Memory of the lists of PD_LIST_GRAIN consecutive particles. */
typedef struct pd_list_chunk {
    int16_t *list; /* lists of the chunk's groups, one behind the other, in rows of PD_LIST_GROUP elements */
    int rows;      /* number of allocated rows of 16-bit elements */
    int needed;    /* number of rows that the lists of the last search need, with PD_LIST_SLACK */
    bool outgrown; /* the memory was too small and has been enlarged: the search must run again */
} pd_list_chunk;

typedef struct pd_lists {
    pd_list_chunk *chunk; /* by chunk of PD_LIST_GRAIN particles: memory of its lists */
    uint32_t *first;      /* by group: row in the chunk's memory where the group's list begins */
    uint16_t *length;     /* by group: number of rows of the group's list */
    /* By group: true: the list has 32-bit offsets, and a row needs two 16-bit rows; false: 16-bit deltas. */
    bool *has_offsets;
    /* Candidates are the particles in the cells around a particle. If only PD_LONGEST_RANGE of them were compared, the
     * list is too short, and sums over it are multiplied by (number of all candidates) / (number of compared candidates). */
    float *weight; /* by particle: this factor; 1 if all candidates were compared */
    int capacity;  /* number of particles for which memory is allocated */
} pd_lists;

/* Allocates memory for `capacity` particles. On an error nothing changes. Errors: OUT_OF_MEMORY. */
pd_result pd_lists_reserve(pd_lists *lists, int capacity, pd_error *error);
void pd_lists_free(pd_lists *lists);

/* Returns the index of the sentinel's record for `count` particles: the first record behind the last group. The records
 * between the last particle and this one fill the last group. They are as far away as the sentinel, but loops read and
 * write them like particles. */
int pd_lists_sentinel_index(int count);

/* Returns the list of a group whose elements are deltas. */
static inline const int16_t *pd_lists_deltas(const pd_lists *lists, int group) {
    return lists->chunk[group * PD_LIST_GROUP / PD_LIST_GRAIN].list + (size_t)lists->first[group] * PD_LIST_GROUP;
}

/* Returns the list of a group whose elements are offsets. */
static inline const uint32_t *pd_lists_offsets(const pd_lists *lists, int group) {
    return (const uint32_t *)(const void *)pd_lists_deltas(lists, group);
}

/* Builds the lists of the first `count` particles: calls `find_neighbours` for each chunk, on any thread. A chunk whose
 * lists do not fit in its memory gets more memory, and `find_neighbours` is called for it again. Returns false if memory
 * runs out: the last groups of some chunks then lack neighbours. */
bool pd_lists_build(pd_lists *lists, int count, pd_pool *pool, pd_loop_body *find_neighbours, void *context);

#endif
