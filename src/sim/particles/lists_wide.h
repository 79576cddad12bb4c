/* Functions that make neighbour lists and iterate over them, for loops compiled once for each SIMD level
 * (core/simd.h). */
#ifndef PUDDLE_SIM_PARTICLES_LISTS_WIDE_H
#define PUDDLE_SIM_PARTICLES_LISTS_WIDE_H

#include "core/memory.h"
#include "core/simd.h"
#include "sim/particles/deltas_wide.h"
#include "sim/particles/lists.h"

_Static_assert((int)PD_LIST_GROUP == (int)PD_LANES && (int)PD_PADDING > (int)PD_LANES &&
                   PD_LIST_GRAIN % PD_LIST_GROUP == 0,
               "groups fill vectors");

enum {
    PD_MOST_FOUND = PD_MAX_RANGES * PD_LONGEST_RANGE,
    PD_COLUMN = PD_MOST_FOUND + 2 * PD_LANES, /* offsets of a column, padded in whole vectors */
};

/* State while the lists of one chunk are made, group by group in the order of the sort. */
typedef struct pd_finder {
    pd_lists *lists;
    const pd_neighbours *neighbours;
    const pd_particles *particles;
    float h;
    uint32_t sentinel; /* index of the record that pads columns */
    pd_list_chunk *chunk;
    int used; /* rows of the chunk's memory used so far */
    /* Current bucket, its ranges of candidates, none longer than PD_LONGEST_RANGE, and the candidates' weight. */
    int bucket;
    pd_ranges around;
    float weight;
    /* By particle of the current group: number of neighbours, and their offsets, padded with the sentinel's. */
    int found[PD_LANES];
    _Alignas(64) uint32_t offset[PD_LANES][PD_COLUMN];
} pd_finder;

static inline void pd_finder_begin(pd_finder *f, pd_lists *lists, const pd_neighbours *neighbours,
                                   const pd_particles *particles, float h, int begin) {
    f->lists = lists;
    f->neighbours = neighbours;
    f->particles = particles;
    f->h = h;
    f->sentinel = (uint32_t)pd_lists_sentinel(particles->count);
    f->chunk = &lists->chunk[begin / PD_LIST_GRAIN];
    f->chunk->needed = PD_LIST_SLACK;
    f->used = 0;
    f->bucket = -1;
}

/* Changes the current bucket. Ranges longer than PD_LONGEST_RANGE are cut to windows chosen by the id of particle i. */
static inline void pd_finder_set_bucket(pd_finder *f, int i, int bucket) {
    const pd_neighbours *n = f->neighbours;
    pd_ranges *around = &f->around;
    if (bucket == f->bucket) return;
    f->bucket = bucket;
    f->weight = 1;
    pd_neighbours_around(n, bucket % n->columns, bucket / n->columns, around);
    int total = 0, kept = 0;
    for (int r = 0; r < around->count; r++) {
        total += around->end[r] - around->begin[r];
        pd_range_limit(&around->begin[r], &around->end[r], f->particles->id[i]);
        kept += around->end[r] - around->begin[r];
    }
    if (total > kept) f->weight = (float)total / (float)kept;
}

/* Appends the candidates nearer than h to the columns of `count` particles of one bucket. i: the first of these
 * particles, in lane `lane` of the group. candidates: index of the first of PD_LANES candidates. lanes: mask of those
 * to compare. */
static inline void pd_finder_compare(pd_finder *f, int candidates, unsigned lanes, int i, int lane, int count) {
    const float *x = f->particles->x, *y = f->particles->y;
    pd_floatw other_x = pd_load_all(x + candidates), other_y = pd_load_all(y + candidates), h2 = pd_set(f->h * f->h);
    for (int k = 0; k < count; k++) {
        pd_floatw dx = pd_sub(other_x, pd_set(x[i + k])), dy = pd_sub(other_y, pd_set(y[i + k]));
        pd_floatw r2 = pd_add(pd_mul(dx, dx), pd_mul(dy, dy));
        unsigned bits = pd_movemask(pd_less(r2, h2)) & lanes;
        int found = f->found[lane + k];
        pd_compress_offsets(bits, f->offset[lane + k] + found, (uint32_t)candidates);
        f->found[lane + k] = found + __builtin_popcount(bits);
    }
}

/* Fills the columns of a group with the neighbours of its `live` particles. Returns the length of the longest
 * column. */
static inline int pd_finder_search(pd_finder *f, int i, int live) {
    const uint32_t *key = f->neighbours->key, *order = f->neighbours->order;
    for (int lane = 0; lane < PD_LANES; lane++) f->found[lane] = 0;
    for (int lane = 0, next; lane < live; lane = next) {
        uint32_t bucket = key[order[i + lane]];
        next = lane + 1;
        while (next < live && key[order[i + next]] == bucket) next++;
        pd_finder_set_bucket(f, i + lane, (int)bucket);
        for (int r = 0; r < f->around.count; r++)
            for (int at = f->around.begin[r], end = f->around.end[r]; at < end; at += PD_LANES) {
                unsigned lanes = (1U << (end - at < PD_LANES ? end - at : PD_LANES)) - 1;
                pd_finder_compare(f, at, lanes, i + lane, lane, next - lane);
            }
        for (int k = lane; k < next; k++) f->lists->weight[i + k] = f->weight;
    }
    int longest = 0;
    for (int lane = 0; lane < PD_LANES; lane++) longest = f->found[lane] > longest ? f->found[lane] : longest;
    return longest;
}

/* Writes a group's list from its columns. Groups are passed in order.
 * - longest: length of the longest column, to which all are padded with the sentinel. Three more rows are padded too,
 *   because rows are read four at a time.
 * - found: number of offsets of each lane at found[lane * stride]
 * - columns: offsets of each lane from lane * stride * width on, with memory for PD_LANES + 3 more than the longest
 * - own: offsets of the lanes' particles, for a list of deltas; NULL for a list of offsets */
PD_INLINE void pd_finder_write(pd_finder *f, int group, int longest, const int *found, uint32_t *columns,
                               uint32_t stride, uint32_t width, const uint32_t *own) {
    pd_lists *lists = f->lists;
    uint32_t start[PD_LANES];
    for (uint32_t lane = 0; lane < PD_LANES; lane++) {
        start[lane] = lane * stride * width;
        for (int at = found[lane * stride]; at < longest + 3; at += PD_LANES)
            pd_store_repeated_offset(columns + start[lane] + at, f->sentinel);
    }
    pd_list_chunk *chunk = f->chunk;
    const int place = own ? 1 : 2, room = (chunk->rows - PD_LIST_SLACK - f->used) / place;
    int length = longest < room ? longest : room;
    int16_t *list = chunk->list + (size_t)f->used * PD_LANES;
    lists->first[group] = (uint32_t)f->used;
    lists->length[group] = (uint16_t)length;
    lists->has_offsets[group] = !own;
    chunk->needed += longest * place;
    f->used += length * place;
    for (int row = 0; row < length; row += 4) {
        pd_floatw rows[4];
        pd_gather4(columns + row, 4, start, rows);
        for (int k = 0; k < 4; k++) {
            int16_t *to = list + (row + k) * place * PD_LANES;
            if (own)
                pd_store_deltas(to, rows[k], own);
            else
                pd_store_all((float *)(void *)to, rows[k]);
        }
    }
}

/* Makes the list of the group that begins with particle i. Groups are passed in order. */
static inline void pd_finder_list(pd_finder *f, int i) {
    int live = f->particles->count - i < PD_LANES ? f->particles->count - i : PD_LANES;
    pd_finder_write(f, i / PD_LANES, pd_finder_search(f, i, live), f->found, *f->offset, 1, PD_COLUMN, NULL);
}

/* Returns true if the lists of the chunk so far fit its memory. */
static inline bool pd_finder_fits(const pd_finder *f) { return f->chunk->needed <= f->chunk->rows; }

/* A group's list of offsets, for loops over neighbours. */
typedef struct pd_list {
    const uint32_t *offset; /* PD_LANES in a row */
    int length;             /* number of rows */
    pd_floatw weight;
    pd_maskw live; /* lanes with a particle */
} pd_list;

/* Returns the list of the group that begins with particle i. end: end of the chunk's particles. */
static inline pd_list pd_list_of(const pd_lists *lists, int i, int end) {
    return (pd_list){
        .offset = pd_lists_offsets(lists, i / PD_LANES),
        .length = lists->length[i / PD_LANES],
        .weight = pd_load_all(lists->weight + i),
        .live = pd_lane_range(0, end - i < PD_LANES ? end - i : PD_LANES),
    };
}

/* Pairs of a group's particles with their neighbours in one row: vector to the neighbour, squared and inverse distance,
 * in units of h. */
typedef struct pd_pair {
    pd_floatw dx, dy, r2, inverse_r, q; /* q = max(1 - r, 0) */
} pd_pair;

/* Computes the pairs. own, other: records that begin with x and y, in units of h. */
PD_INLINE pd_pair pd_pair_of(const pd_floatw *own, const pd_floatw *other) {
    pd_pair p;
    p.dx = pd_sub(other[0], own[0]);
    p.dy = pd_sub(other[1], own[1]);
    p.r2 = pd_add(pd_mul(p.dx, p.dx), pd_mul(p.dy, p.dy));
    p.inverse_r = pd_rsqrt(p.r2);
    p.q = pd_max(pd_sub(pd_set(1), pd_mul(p.r2, p.inverse_r)), pd_set(0));
    return p;
}

#endif
