/* Finding neighbours, for loops that are compiled once for each SIMD level (core/simd.h). */
#ifndef PUDDLE_SIM_LISTS_WIDE_H
#define PUDDLE_SIM_LISTS_WIDE_H

#include "core/random.h"
#include "core/simd.h"
#include "sim/lists.h"

#include <string.h>

enum { PD_MOST_FOUND = PD_MAX_RANGES * PD_LONGEST_RANGE, PD_MOST_BLOCKS = PD_MOST_FOUND / PD_LANES };

/* The lists of one stretch being made, particle by particle in the order of the sort. */
typedef struct pd_finder {
    pd_lists *lists;
    const pd_neighbours *neighbours;
    const pd_particles *particles;
    float h;
    size_t start, used, needed; /* vectors */
    /* What lies around the cell of the particle at hand. */
    int bucket, blocks; /* of up to PD_LANES candidates, which lie next to one another */
    float weight;
    int at[PD_MOST_BLOCKS];
    unsigned lanes[PD_MOST_BLOCKS];
    /* Of the particle at hand (of i in r2[i & 1]) and the one before: its neighbours' distances squared, in the order of its
     * list; farther than h behind them. */
    _Alignas(64) float r2[2][PD_MOST_FOUND + 2 * PD_LANES];
    uint32_t apart[PD_MOST_FOUND + 2 * PD_LANES]; /* its list, when the stretch is nearly full */
} pd_finder;

static inline void pd_finder_begin(pd_finder *f, pd_lists *lists, const pd_neighbours *neighbours,
                                   const pd_particles *particles, float h, int begin) {
    f->lists = lists;
    f->neighbours = neighbours;
    f->particles = particles;
    f->h = h;
    f->start = (size_t)(begin / PD_LIST_GRAIN) * lists->stretch;
    f->used = f->needed = 0;
    f->bucket = -1;
}

/* Lists the blocks around the cell of particle i. Absurdly long ranges are cut to windows, which differ from cell to cell. */
static inline void pd_finder_look_around(pd_finder *f, int i) {
    const pd_neighbours *n = f->neighbours;
    int bucket = (int)n->key[n->order[i]], all = 0, looked_at = 0;
    if (bucket == f->bucket) return;
    f->bucket = bucket;
    f->blocks = 0;
    pd_ranges ranges;
    pd_neighbours_around(n, bucket % n->columns, bucket / n->columns, &ranges);
    for (int r = 0; r < ranges.count; r++) {
        int length = ranges.end[r] - ranges.begin[r], begin = ranges.begin[r], end = ranges.end[r];
        if (length > PD_LONGEST_RANGE) {
            begin += (int)(pd_random_mix(f->particles->id[i]) % (uint64_t)(length - PD_LONGEST_RANGE));
            end = begin + PD_LONGEST_RANGE;
        }
        all += length;
        looked_at += end - begin;
        for (int at = begin; at < end; at += PD_LANES) {
            f->at[f->blocks] = at;
            f->lanes[f->blocks++] = end - at < PD_LANES ? (1U << (end - at)) - 1 : (1U << PD_LANES) - 1;
        }
    }
    f->weight = all > looked_at ? (float)all / (float)looked_at : 1;
}

/* Writes the places of what is nearer than h to particle i, and r2; returns how many there are. */
static inline int pd_finder_search(pd_finder *f, int i, uint32_t *place) {
    const pd_particles *p = f->particles;
    pd_floatw x = pd_set(p->x[i]), y = pd_set(p->y[i]), h2 = pd_set(f->h * f->h);
    float *distance2 = f->r2[i & 1];
    int found = 0;
    for (int b = 0; b < f->blocks; b++) {
        int at = f->at[b];
        pd_floatw dx = pd_sub(pd_load_all(p->x + at), x), dy = pd_sub(pd_load_all(p->y + at), y);
        pd_floatw r2 = pd_add(pd_mul(dx, dx), pd_mul(dy, dy));
        unsigned bits = pd_bits(pd_less(r2, h2)) & f->lanes[b];
        pd_pack_places(bits, place + found, (uint32_t)at);
        pd_pack(bits, distance2 + found, r2);
        found += __builtin_popcount(bits);
    }
    pd_fill_places(place + found, (uint32_t)p->count);
    pd_store_all(distance2 + found, pd_add(h2, h2));
    return found;
}

/* Makes the list of particle i, the one behind that of the call before; returns its length in vectors. */
static inline int pd_finder_list(pd_finder *f, int i) {
    pd_lists *lists = f->lists;
    pd_finder_look_around(f, i);
    bool room = f->used + (size_t)f->blocks + 2 <= lists->stretch;
    uint32_t *list = lists->place + (f->start + f->used) * PD_LANES;
    int found = pd_finder_search(f, i, room ? list : f->apart);
    size_t length = (size_t)(found + PD_LANES - 1) / PD_LANES;
    f->needed += length;
    if (!room) {
        if (length > lists->stretch - f->used) length = lists->stretch - f->used;
        memcpy(list, f->apart, length * PD_LANES * sizeof *list);
    }
    lists->first[i] = (uint32_t)(f->start + f->used);
    lists->length[i] = (uint16_t)length;
    lists->weight[i] = f->weight;
    f->used += length;
    return (int)length;
}

static inline void pd_finder_end(pd_finder *f, int begin) { f->lists->needed[begin / PD_LIST_GRAIN] = (int)f->needed; }

#endif
