/* THE cell sort: neighbours are found once, for every method.
 *
 * Space is cut into cells, several to an interaction radius h, in rows. Cell (cx, cy) falls into bucket (cx mod W, cy
 * mod H); a counting sort by bucket, row after row, reorders the particle arrays, so that what lies around a particle
 * is one contiguous range in each row of cells (two where the fold cuts a row). W and H cover the particles' bounding
 * box where that is affordable; folding bounds the memory however far a particle flies: what shares a bucket by
 * accident is rejected by its distance. H is a multiple of the number of rows that a neighbourhood spans, so that rows
 * that far apart ("one colour") have disjoint neighbourhoods even across the fold, and may be relaxed on different
 * threads.
 *
 * Cost: about 28 bytes a particle, and one pass each for keys, histogram and every array that is carried along. */
#ifndef PUDDLE_SIM_NEIGHBOURS_H
#define PUDDLE_SIM_NEIGHBOURS_H

#include "core/parallel.h"
#include "core/random.h"
#include "sim/particles.h"

/* Measured, ns per particle and substep of the relaxation at 10,000 particles, one core, rows by columns per radius:
 * 1x1 132, 1x2 133, 1x4 144, 2x4 172. Finer cells waste fewer candidates and lose more on listing and half-filled
 * vectors. */
enum {
    PD_ROWS_PER_RADIUS = 1,
    PD_COLUMNS_PER_RADIUS = 1,
    PD_COLOURS = 2 * PD_ROWS_PER_RADIUS + 1, /* rows of a neighbourhood */
    PD_MAX_RANGES = 2 * PD_COLOURS,
    /* Particles looked at in one row of cells. Of more, as when a radius is five times the default or a pool sits on one
     * point, a window stands for all, and pairs no longer act on both alike. */
    PD_LONGEST_RANGE = 512,
};

typedef struct pd_neighbours {
    int columns, rows;              /* W and H */
    int origin_x, origin_y;         /* cell that bucket (0, 0) stands for */
    bool folded;                    /* several cells share a bucket */
    float per_metre_x, per_metre_y; /* cells */
    int *start;                     /* columns * rows + 1: first particle of each bucket */
    uint32_t *key, *order;          /* per particle: bucket; old place of the particle now here */
    int capacity;
} pd_neighbours;

/* The particles around a cell: ranges [begin, end), in rows from below to above. */
typedef struct pd_ranges {
    int count;
    int begin[PD_MAX_RANGES], end[PD_MAX_RANGES];
    int row[PD_MAX_RANGES]; /* of buckets, where the range lies */
} pd_ranges;

/* Errors: OUT_OF_MEMORY (and nothing has changed). */
pd_result pd_neighbours_reserve(pd_neighbours *neighbours, int capacity, pd_error *error);
void pd_neighbours_free(pd_neighbours *neighbours);

/* Sorts the particles for the interaction radius h; carries along every column that is sorted. Same result on any
 * number of threads. */
void pd_neighbours_sort(pd_neighbours *neighbours, pd_particles *particles, float h, pd_pool *pool);

/* A stable counting sort of key[0 .. count - 1], each below `buckets` (at most 4 count + 4096 of the reserved number): start says
 * where each bucket begins, order which key lies there. Until the next sort. */
void pd_neighbours_order(pd_neighbours *neighbours, int count, int buckets);

/* The ranges around bucket (column, row). Empty ranges are left out. */
void pd_neighbours_around(const pd_neighbours *neighbours, int column, int row, pd_ranges *ranges);

/* Keeps absurdly long ranges affordable: cuts [begin, end) to a window of PD_LONGEST_RANGE, at a place that differs with the
 * seed (a particle's id). */
static inline void pd_range_limit(int *begin, int *end, uint32_t seed) {
    int spare = *end - *begin - PD_LONGEST_RANGE;
    if (spare <= 0) return;
    *begin += (int)(pd_random_mix(seed) % ((uint64_t)spare + 1));
    *end = *begin + PD_LONGEST_RANGE;
}

#endif
