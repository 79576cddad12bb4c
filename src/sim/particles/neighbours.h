/* The cell sort that all particle methods use to find neighbours.
 *
 * Space is divided into rows of cells, one or more to an interaction radius h. Cell (cx, cy) maps to bucket (cx mod W,
 * cy mod H); a counting sort by bucket, row after row, reorders the particle arrays, so that the candidates around a
 * particle are one contiguous range in each row of cells (two where the fold cuts a row). W and H cover the particles'
 * bounding box where memory permits; otherwise space is folded, which bounds the memory however far a particle flies:
 * particles that share a bucket but not a cell are rejected by their distance. W and H are multiples of the number of columns
 * and rows that a neighbourhood spans, so that cells and rows this far apart (of one colour) have disjoint neighbourhoods
 * also across the fold, and may be relaxed side by side.
 *
 * Cost: about 28 bytes a particle, and one pass each for keys, histogram and every array that is reordered. */
#ifndef PUDDLE_SIM_PARTICLES_NEIGHBOURS_H
#define PUDDLE_SIM_PARTICLES_NEIGHBOURS_H

#include "core/parallel.h"
#include "core/random.h"
#include "sim/particles/particles.h"

/* Measured, ns per particle and substep of the relaxation at 10,000 particles, one core, rows by columns per radius:
 * 1x1 132, 1x2 133, 1x4 144, 2x4 172. Finer cells yield fewer candidates beyond h, but more ranges and more partly
 * filled vectors. */
enum {
    PD_ROWS_PER_RADIUS = 1,
    PD_COLUMNS_PER_RADIUS = 1,
    PD_COLOURS = 2 * PD_ROWS_PER_RADIUS + 1,           /* rows of a neighbourhood */
    PD_COLUMN_COLOURS = 2 * PD_COLUMNS_PER_RADIUS + 1, /* columns of a neighbourhood */
    PD_MAX_RANGES = 2 * PD_COLOURS,
    /* Most candidates in one row of cells. Longer ranges, as with a radius of five times the default or with all
     * particles at one point, are sampled: a window represents the range. Interactions of a pair are then no longer
     * symmetric. */
    PD_LONGEST_RANGE = 512,
};

typedef struct pd_neighbours {
    int columns, rows;              /* W and H */
    int origin_x, origin_y;         /* the cell of bucket (0, 0) */
    bool folded;                    /* several cells share a bucket */
    float per_metre_x, per_metre_y; /* cells per metre */
    float farthest;                 /* m: the greatest absolute value of a coordinate */
    int *start;                     /* columns * rows + 1: first particle of each bucket */
    uint64_t sorts;                 /* number of sorts so far */
    uint32_t *key, *order;          /* key: bucket by index before the sort; order: that index by index after it */
    int capacity;
} pd_neighbours;

/* The candidates around a cell: ranges [begin, end) of particles, in rows from below to above. */
typedef struct pd_ranges {
    int count;
    int begin[PD_MAX_RANGES], end[PD_MAX_RANGES];
    int row[PD_MAX_RANGES]; /* of buckets, where the range lies */
} pd_ranges;

/* Errors: OUT_OF_MEMORY (and nothing has changed). */
pd_result pd_neighbours_reserve(pd_neighbours *neighbours, int capacity, pd_error *error);
void pd_neighbours_free(pd_neighbours *neighbours);

/* Sorts the particles by cell for the interaction radius h (m) and reorders every column that is marked `sorted`. Same
 * result on any number of threads. */
void pd_neighbours_sort(pd_neighbours *neighbours, pd_particles *particles, float h, pd_pool *pool);
/* The same without reordering: `order` tells which particle belongs where. */
void pd_neighbours_place(pd_neighbours *neighbours, const pd_particles *particles, float h, pd_pool *pool);

/* A stable counting sort of key[0 .. count - 1], each below `buckets` (at most 4 count + 4096 of the reserved number): start says
 * where each bucket begins, order which key lies there. Until the next sort. */
void pd_neighbours_order(pd_neighbours *neighbours, int count, int buckets);
/* Brings the particles, in every column that is marked `sorted`, into that order. old: including old_x and old_y, which a
 * method that sets both after the sort leaves out. */
void pd_neighbours_reorder(const pd_neighbours *neighbours, pd_particles *particles, bool old, pd_pool *pool);

/* The ranges around bucket (column, row). Empty ranges are left out. */
void pd_neighbours_around(const pd_neighbours *neighbours, int column, int row, pd_ranges *ranges);

/* Bounds the cost of very long ranges: cuts [begin, end) to a window of PD_LONGEST_RANGE at a position that depends on
 * the seed (a particle's id). */
static inline void pd_range_limit(int *begin, int *end, uint32_t seed) {
    int spare = *end - *begin - PD_LONGEST_RANGE;
    if (spare <= 0) return;
    *begin += (int)(pd_random_mix(seed) % ((uint64_t)spare + 1));
    *end = *begin + PD_LONGEST_RANGE;
}

#endif
