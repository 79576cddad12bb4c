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
 * numbers of colours, so neighbourhoods of one colour are disjoint in folded space too.
 *
 * Cost: about 28 bytes a particle, and one pass each for keys, histogram and every reordered array. */
#ifndef PUDDLE_SIM_PARTICLES_NEIGHBOURS_H
#define PUDDLE_SIM_PARTICLES_NEIGHBOURS_H

#include "core/parallel.h"
#include "core/random.h"
#include "sim/particles/particles.h"

/* Number of rows and columns of cells per interaction radius. Measured time of the relaxation of `ddr` at 10,000
 * particles, one core, ns per particle and substep, for rows x columns per radius: 1x1 132, 1x2 133, 1x4 144, 2x4 172.
 * Finer cells give fewer candidates beyond h, but more ranges and more partly filled vectors. */
enum {
    PD_ROWS_PER_RADIUS = 1,
    PD_COLUMNS_PER_RADIUS = 1,
    PD_COLOURS = 2 * PD_ROWS_PER_RADIUS + 1,           /* colours of rows: as many as a neighbourhood has rows */
    PD_COLUMN_COLOURS = 2 * PD_COLUMNS_PER_RADIUS + 1, /* colours of columns */
    PD_MAX_RANGES = 2 * PD_COLOURS,                    /* greatest number of ranges of candidates around a cell */
    /* Greatest number of particles in a range of candidates. A longer range (at five times the default radius, or with all
     * particles at one point) is cut to a part of this length that represents it. The interactions of a pair are then not
     * symmetric. */
    PD_LONGEST_RANGE = 512,
};

typedef struct pd_neighbours {
    int columns, rows;              /* numbers of columns W and rows H of buckets */
    int origin_x, origin_y;         /* coordinates of the cell with bucket (0, 0) */
    bool folded;                    /* space is folded: several cells share a bucket */
    float per_metre_x, per_metre_y; /* cells per metre */
    float farthest;                 /* greatest |x| or |y| of all particles, m */
    int *start;            /* start[b]: index of the first particle in bucket b; start[W * H]: number of particles */
    uint64_t sorts;        /* number of cell sorts since the memory last grew */
    uint32_t *key, *order; /* key[i]: bucket of old index i; order[j]: old index of the particle now at j */
    int capacity;          /* number of particles for which memory is allocated */
} pd_neighbours;

/* Candidates around a cell, as ranges [begin, end) of particle indices. Ranges of lower rows come first. */
typedef struct pd_ranges {
    int count;                                    /* number of ranges */
    int begin[PD_MAX_RANGES], end[PD_MAX_RANGES]; /* bounds of the ranges */
    int row[PD_MAX_RANGES];                       /* by range: row of buckets that contains it */
} pd_ranges;

/* Allocates memory for `capacity` particles. On an error nothing changes. Errors: OUT_OF_MEMORY. */
pd_result pd_neighbours_reserve(pd_neighbours *neighbours, int capacity, pd_error *error);
void pd_neighbours_free(pd_neighbours *neighbours);

/* Sorts the particles by cell for the interaction radius h (m): reorders every column with pd_column.sorted. The result
 * does not depend on the number of threads. */
void pd_neighbours_sort(pd_neighbours *neighbours, pd_particles *particles, float h, pd_pool *pool);
/* Computes the order of the cell sort (members key, order and start) without reordering particles. */
void pd_neighbours_compute_order(pd_neighbours *neighbours, const pd_particles *particles, float h, pd_pool *pool);

/* Sorts the indices of key[0 .. key_count - 1] by a stable counting sort. Keys are less than bucket_count, which is at most
 * 4 x capacity + 4096. Writes order[j], the index of the key at sorted position j, and start[b], the first position with
 * key b. The result is valid until the next sort. */
void pd_neighbours_sort_keys(pd_neighbours *neighbours, int key_count, int bucket_count);
/* Reorders every column with pd_column.sorted, by neighbours->order. reorders_old_positions: reorders old_x and old_y too;
 * false if the method sets them after the sort. */
void pd_neighbours_reorder_particles(const pd_neighbours *neighbours, pd_particles *particles,
                                     bool reorders_old_positions, pd_pool *pool);

/* Lists the nonempty ranges of candidates around the bucket in this column and row. */
void pd_neighbours_list_ranges(const pd_neighbours *neighbours, int column, int row, pd_ranges *ranges);

/* Cuts a range of candidates that is longer than PD_LONGEST_RANGE to a part of this length, to limit the cost. seed (a
 * particle's id) determines which part. */
static inline void pd_limit_candidate_range(int *begin, int *end, uint32_t seed) {
    int spare = *end - *begin - PD_LONGEST_RANGE;
    if (spare <= 0) return;
    *begin += (int)(pd_random_mix_bits(seed) % ((uint64_t)spare + 1));
    *end = *begin + PD_LONGEST_RANGE;
}

#endif
