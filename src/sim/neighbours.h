/* THE cell sort: neighbours are found once, for every method.
 *
 * Space is cut into square cells of size h. Cell (cx, cy) falls into bucket (cx mod W, cy mod H); a counting sort by
 * bucket, row after row, reorders the particle arrays, so that the particles of neighbouring cells of a row lie in one
 * contiguous range, and the nine cells around a particle are three ranges (six where a row is cut by the fold). W and H cover the
 * particles' bounding box where that is affordable; folding bounds the memory however far a particle flies: what shares
 * a bucket by accident is rejected by its distance. H is a multiple of 3, so that the rows y, y + 3, y + 6, ... ("one
 * colour") have disjoint neighbourhoods even across the fold, and may be relaxed on different threads.
 *
 * Cost: about 16 bytes a particle and one pass each for keys, histogram and every array that is carried along. */
#ifndef PUDDLE_SIM_NEIGHBOURS_H
#define PUDDLE_SIM_NEIGHBOURS_H

#include "core/parallel.h"
#include "sim/particles.h"

enum { PD_COLOURS = 3 };

typedef struct pd_neighbours {
    int columns, rows;      /* W and H */
    int origin_x, origin_y; /* cell that bucket (0, 0) stands for */
    float inverse_size;     /* 1/h */
    int *start;             /* columns * rows + 1: first particle of each bucket */
    uint32_t *key, *order;  /* per particle: bucket; old place of the particle now here */
    void *scratch;          /* four bytes a particle */
    int capacity;
} pd_neighbours;

/* The particles around a cell: up to six ranges [begin, end), in rows from below to above. */
typedef struct pd_ranges {
    int count;
    int begin[6], end[6];
} pd_ranges;

/* Errors: OUT_OF_MEMORY (and nothing has changed). */
pd_result pd_neighbours_reserve(pd_neighbours *neighbours, int capacity, pd_error *error);
void pd_neighbours_free(pd_neighbours *neighbours);

/* Sorts the particles into cells of size h; carries every particle array along but density. Same result on any number of threads. */
void pd_neighbours_sort(pd_neighbours *neighbours, pd_particles *particles, float h, pd_pool *pool);

/* The ranges around bucket (column, row). */
void pd_neighbours_around(const pd_neighbours *neighbours, int column, int row, pd_ranges *ranges);

#endif
