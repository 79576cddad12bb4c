/* Making and walking neighbour lists, for loops that are compiled once for each SIMD level (core/simd.h). */
#ifndef PUDDLE_SIM_LISTS_WIDE_H
#define PUDDLE_SIM_LISTS_WIDE_H

#include "core/memory.h"
#include "core/simd.h"
#include "sim/lists.h"

_Static_assert((int)PD_LIST_GROUP == (int)PD_LANES && (int)PD_PADDING > (int)PD_LANES &&
                   PD_LIST_GRAIN % PD_LIST_GROUP == 0,
               "groups fill vectors");

enum {
    PD_MOST_FOUND = PD_MAX_RANGES * PD_LONGEST_RANGE,
    PD_COLUMN = PD_MOST_FOUND + 2 * PD_LANES, /* filled up in whole vectors */
};

/* The lists of one stretch being made, group by group in the order of the sort. */
typedef struct pd_finder {
    pd_lists *lists;
    const pd_neighbours *neighbours;
    const pd_particles *particles;
    float h;
    size_t start, room, used, needed; /* rows */
    /* What lies around the cell of the particle at hand, none of it longer than PD_LONGEST_RANGE, and how many each stands for. */
    int bucket;
    pd_ranges around;
    float weight;
    /* Of the particles of the group at hand: how many neighbours, and their places; below them nobody's. */
    int found[PD_LANES];
    _Alignas(64) uint32_t place[PD_LANES][PD_COLUMN];
} pd_finder;

static inline void pd_finder_begin(pd_finder *f, pd_lists *lists, const pd_neighbours *neighbours,
                                   const pd_particles *particles, float h, int begin) {
    f->lists = lists;
    f->neighbours = neighbours;
    f->particles = particles;
    f->h = h;
    f->start = lists->begin[begin / PD_LIST_GRAIN];
    f->room = lists->begin[begin / PD_LIST_GRAIN + 1] - f->start;
    f->used = 0;
    f->needed = PD_LIST_SLACK;
    f->bucket = -1;
}

/* Absurdly long ranges are cut to windows, which differ from cell to cell. */
static inline void pd_finder_look_around(pd_finder *f, int i, int bucket) {
    const pd_neighbours *n = f->neighbours;
    pd_ranges *around = &f->around;
    if (bucket == f->bucket) return;
    f->bucket = bucket;
    f->weight = 1;
    pd_neighbours_around(n, bucket % n->columns, bucket / n->columns, around);
    int all = 0, looked_at = 0;
    for (int r = 0; r < around->count; r++) {
        all += around->end[r] - around->begin[r];
        pd_range_limit(&around->begin[r], &around->end[r], f->particles->id[i]);
        looked_at += around->end[r] - around->begin[r];
    }
    if (all > looked_at) f->weight = (float)all / (float)looked_at;
}

/* Finds, among the candidates of the lanes, which lie next to one another, what is nearer than h to `count` particles of one
 * cell, the first of which is i and has this lane of the group. */
static inline void pd_finder_compare(pd_finder *f, int candidates, unsigned lanes, int i, int lane, int count) {
    const float *x = f->particles->x, *y = f->particles->y;
    pd_floatw their_x = pd_load_all(x + candidates), their_y = pd_load_all(y + candidates), h2 = pd_set(f->h * f->h);
    for (int k = 0; k < count; k++) {
        pd_floatw dx = pd_sub(their_x, pd_set(x[i + k])), dy = pd_sub(their_y, pd_set(y[i + k]));
        pd_floatw r2 = pd_add(pd_mul(dx, dx), pd_mul(dy, dy));
        unsigned bits = pd_movemask(pd_less(r2, h2)) & lanes;
        int found = f->found[lane + k];
        pd_compress_offsets(bits, f->place[lane + k] + found, (uint32_t)candidates);
        f->found[lane + k] = found + __builtin_popcount(bits);
    }
}

/* Fills the columns of a group with what is nearer than h to each of its `live` particles; returns the length of the longest. */
static inline int pd_finder_search(pd_finder *f, int i, int live) {
    const uint32_t *key = f->neighbours->key, *order = f->neighbours->order;
    for (int lane = 0; lane < PD_LANES; lane++) f->found[lane] = 0;
    for (int lane = 0, next; lane < live; lane = next) {
        uint32_t bucket = key[order[i + lane]];
        for (next = lane + 1; next < live && key[order[i + next]] == bucket;) next++;
        pd_finder_look_around(f, i + lane, (int)bucket);
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

/* Fills up the columns with nobody to the length of the longest one and, as rows are read by fours, some more. */
static inline void pd_finder_fill(pd_finder *f, int longest) {
    uint32_t sentinel = (uint32_t)pd_lists_sentinel(f->particles->count);
    for (int lane = 0; lane < PD_LANES; lane++)
        for (int at = f->found[lane]; at < longest + 3; at += PD_LANES) pd_fill_offsets(f->place[lane] + at, sentinel);
}

/* Four rows of what stands in the columns. */
static inline void pd_finder_rows(const uint32_t *columns, int row, pd_floatw rows[4]) {
    enum { C = PD_COLUMN };
    static const uint32_t at[PD_LANES] = {0,     C,     2 * C,  3 * C,  4 * C,  5 * C,  6 * C,  7 * C,
                                          8 * C, 9 * C, 10 * C, 11 * C, 12 * C, 13 * C, 14 * C, 15 * C};
    pd_gather4(columns + row, 4, at, rows);
}

/* Makes the list of the group that begins with particle i, the one behind that of the call before. */
static inline void pd_finder_list(pd_finder *f, int i) {
    pd_lists *lists = f->lists;
    int live = f->particles->count - i < PD_LANES ? f->particles->count - i : PD_LANES;
    int longest = pd_finder_search(f, i, live);
    pd_finder_fill(f, longest);
    f->needed += (size_t)longest;
    size_t room = f->room - PD_LIST_SLACK - f->used, length = (size_t)longest < room ? (size_t)longest : room;
    uint32_t *list = lists->place + (f->start + f->used) * PD_LANES;
    lists->first[i / PD_LANES] = (uint32_t)(f->start + f->used);
    lists->length[i / PD_LANES] = (uint16_t)length;
    f->used += length;
    for (int row = 0; row < (int)length; row += 4) {
        pd_floatw rows[4];
        pd_finder_rows(*f->place, row, rows);
        for (int k = 0; k < 4; k++) pd_store_all((float *)(list + (row + k) * PD_LANES), rows[k]);
    }
}

static inline void pd_finder_end(pd_finder *f, int begin) { f->lists->needed[begin / PD_LIST_GRAIN] = (int)f->needed; }

/* The list of the group that begins with particle i, for the loops that walk it. */
typedef struct pd_list {
    const uint32_t *place; /* PD_LANES to a row */
    int length;
    pd_floatw weight;
    pd_maskw live; /* lanes that have a particle */
} pd_list;

static inline pd_list pd_list_of(const pd_lists *lists, int i, int end) {
    return (pd_list){
        .place = lists->place + (size_t)lists->first[i / PD_LANES] * PD_LANES,
        .length = lists->length[i / PD_LANES],
        .weight = pd_load_all(lists->weight + i),
        .live = pd_span(0, end - i < PD_LANES ? end - i : PD_LANES),
    };
}

/* The neighbours in one row: the way to them, its length's square and inverse, in units of h. */
typedef struct pd_pair {
    pd_floatw dx, dy, r2, inverse_r, q; /* q = 1 - r, 0 beyond */
} pd_pair;

/* Records that begin with x and y, in units of h. */
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
