/* Neighbour lists: the particles nearer than h to each particle, found once and iterated over several times.
 *
 * A group is PD_LIST_GROUP particles that are consecutive in the order of the sort; they are processed together, one in
 * each lane of a vector. A group's list is a table with a column for each of its particles, which holds the particle's
 * neighbours, itself among them. Shorter columns are padded with the sentinel, a record behind those of the particles,
 * whose position is so far away that every kernel is 0 there. So loops over neighbours need no test for the end of a
 * column.
 *
 * A list holds the neighbours' offsets in arrays of records (core/simd.h), or deltas of 16 bits: the neighbour's index minus that
 * of the particle. Deltas take half of the memory. Loops compute offsets from deltas first, which costs the short loops of sph and
 * pbf 4 to 13 %, and those of ddr nothing (docs/notes/neighbour-lists.md).
 *
 * A method's loop bodies make the lists and iterate over them with the functions of lists_wide.h. */
#ifndef PUDDLE_SIM_PARTICLES_LISTS_H
#define PUDDLE_SIM_PARTICLES_LISTS_H

#include "sim/particles/neighbours.h"

enum {
    PD_LIST_GROUP = 16,  /* particles: the lanes of a vector, at every SIMD level */
    PD_LIST_GRAIN = 512, /* particles in a chunk of parallel work, whose lists are contiguous in memory */
    PD_LIST_SLACK = 8,   /* rows behind those of a chunk: four rows of offsets, which are written at a time */
    PD_MOST_DELTA = INT16_MAX - 1,
    PD_SENTINEL_DELTA = INT16_MAX, /* the sentinel, however far away */
};

/* Coordinate of the sentinel, in units of h: beyond every particle at the smallest radius, with a finite square. */
#define PD_SENTINEL_POSITION 1e12f

/* The lists of PD_LIST_GRAIN particles. */
typedef struct pd_list_chunk {
    int16_t *list; /* row after row */
    int rows;      /* of 16 bits a neighbour: allocated */
    int needed;    /* such rows that the lists and the slack take */
    bool outgrown; /* the memory is new: the search runs again */
} pd_list_chunk;

typedef struct pd_lists {
    pd_list_chunk *chunk;
    uint32_t *first;  /* by group: its first row in the memory of its chunk */
    uint16_t *length; /* by group: number of rows */
    bool *wide;       /* by group: the list holds offsets of 32 bits, and takes the place of twice as many rows */
    float *weight;    /* by particle: how many neighbours each one in its list represents; 1 unless ranges were cut to
                       * PD_LONGEST_RANGE */
    int capacity;
} pd_lists;

/* Allocates for this many particles. Errors: OUT_OF_MEMORY (and nothing has changed). */
pd_result pd_lists_reserve(pd_lists *lists, int capacity, pd_error *error);
void pd_lists_free(pd_lists *lists);

/* The index of the sentinel's record, the first one behind the last group. The records between the last particle's and
 * it fill the last group's lanes: they hold sentinels too, and are read and written like those of particles. */
int pd_lists_sentinel(int count);

/* The first row of a group's list, of deltas. */
static inline const int16_t *pd_lists_deltas(const pd_lists *lists, int group) {
    return lists->chunk[group * PD_LIST_GROUP / PD_LIST_GRAIN].list + (size_t)lists->first[group] * PD_LIST_GROUP;
}

/* The first row of a group's list, of offsets. */
static inline const uint32_t *pd_lists_offsets(const pd_lists *lists, int group) {
    return (const uint32_t *)(const void *)pd_lists_deltas(lists, group);
}

/* Makes the lists of the first `count` particles: calls find for each chunk, on any thread. A chunk whose lists do not fit gets
 * more memory, and find is called for this chunk again. False: there is no memory for more, and neighbours are missing from the
 * last groups of a chunk. */
bool pd_lists_make(pd_lists *lists, int count, pd_pool *pool, pd_loop_body *find, void *context);

#endif
