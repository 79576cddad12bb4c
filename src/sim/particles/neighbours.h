/* Cell sort, by which all particle methods find neighbours.
 *
 * Space is divided into rows of cells, one or more per interaction radius h. Cell (cx, cy) maps to bucket (cx mod W, cy
 * mod H). A counting sort by bucket, row after row, reorders the particle arrays. The candidates around a particle are
 * then one contiguous range in each row of cells, or two where the row wraps around.
 *
 * W and H cover the particles' bounding box where memory permits. Otherwise space is folded: several cells share a
 * bucket, which limits the memory however far a particle flies. Particles that share a bucket but not a cell are
 * rejected by their distance.
 *
 * Rows have the colour row % PD_COLOURS, columns the colour column % PD_COLUMN_COLOURS. Neighbourhoods of two rows, or
 * two cells, of one colour are disjoint, so that threads may relax them in parallel. W and H are multiples of the
 * numbers of colours, so this holds across the fold too.
 *
 * Cost: about 28 bytes a particle, and one pass each for keys, histogram and every reordered array. */
#ifndef PUDDLE_SIM_PARTICLES_NEIGHBOURS_H
#define PUDDLE_SIM_PARTICLES_NEIGHBOURS_H

#include "core/parallel.h"
#include "core/random.h"
#include "sim/particles/particles.h"

/* Rows and columns of cells per radius. Measured, ns per particle and substep of the relaxation at 10,000 particles,
 * one core, rows by columns per radius: 1x1 132, 1x2 133, 1x4 144, 2x4 172. Finer cells give fewer candidates beyond h,
 * but more ranges and more partly filled vectors. */
enum {
    PD_ROWS_PER_RADIUS = 1,
    PD_COLUMNS_PER_RADIUS = 1,
    PD_COLOURS = 2 * PD_ROWS_PER_RADIUS + 1,           /* rows of a neighbourhood */
    PD_COLUMN_COLOURS = 2 * PD_COLUMNS_PER_RADIUS + 1, /* columns of a neighbourhood */
    PD_MAX_RANGES = 2 * PD_COLOURS,
    /* Greatest number of candidates in one row of cells. Longer ranges, as with a radius of five times the default or
     * with all particles at one point, are sampled: a window represents the range. Interactions of a pair are then no
     * longer symmetric. */
    PD_LONGEST_RANGE = 512,
};

typedef struct pd_neighbours {
    int columns, rows;              /* W and H */
    int origin_x, origin_y;         /* cell of bucket (0, 0) */
    bool folded;                    /* several cells share a bucket */
    float per_metre_x, per_metre_y; /* cells per metre */
    float farthest;                 /* greatest absolute value of a coordinate, m */
    int *start;                     /* start[b]: first particle of bucket b; start[W H]: number of particles */
    uint64_t sorts;                 /* number of sorts so far */
    uint32_t *key, *order;          /* key[i]: bucket of old index i; order[j]: old index of the particle now at j */
    int capacity;
} pd_neighbours;

/* Candidates around a cell: ranges [begin, end) of particles, in rows from below to above. */
typedef struct pd_ranges {
    int count;
    int begin[PD_MAX_RANGES], end[PD_MAX_RANGES];
    int row[PD_MAX_RANGES]; /* row of buckets of each range */
} pd_ranges;

/* Allocates for this many particles. On an error nothing changes. Errors: OUT_OF_MEMORY. */
pd_result pd_neighbours_reserve(pd_neighbours *neighbours, int capacity, pd_error *error);
void pd_neighbours_free(pd_neighbours *neighbours);

/* Sorts the particles by cell for the interaction radius h (m) and reorders every column marked `sorted`. The result is
 * the same on any number of threads. */
void pd_neighbours_sort(pd_neighbours *neighbours, pd_particles *particles, float h, pd_pool *pool);
/* Computes the sort without reordering: key, order and start. */
void pd_neighbours_place(pd_neighbours *neighbours, const pd_particles *particles, float h, pd_pool *pool);

/* Sorts key[0 .. count - 1] by a stable counting sort. Keys are below `buckets`, at most 4 count + 4096 of the reserved
 * count. Writes start[b], the first place of bucket b, and order[j], the index of the key at place j. Valid until the
 * next sort. */
void pd_neighbours_order(pd_neighbours *neighbours, int count, int buckets);
/* Reorders every column marked `sorted` by `order`. old: reorders old_x and old_y too; false for a method that sets
 * both after the sort. */
void pd_neighbours_reorder(const pd_neighbours *neighbours, pd_particles *particles, bool old, pd_pool *pool);

/* Lists the nonempty ranges around bucket (column, row). */
void pd_neighbours_around(const pd_neighbours *neighbours, int column, int row, pd_ranges *ranges);

/* Cuts a range longer than PD_LONGEST_RANGE to a window of this length, to limit the cost. The window's position
 * depends on the seed (a particle's id). */
static inline void pd_range_limit(int *begin, int *end, uint32_t seed) {
    int spare = *end - *begin - PD_LONGEST_RANGE;
    if (spare <= 0) return;
    *begin += (int)(pd_random_mix_bits(seed) % ((uint64_t)spare + 1));
    *end = *begin + PD_LONGEST_RANGE;
}

#endif
