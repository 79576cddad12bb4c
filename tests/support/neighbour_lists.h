/* Neighbour lists, read one entry at a time. */
#ifndef PUDDLE_TESTS_NEIGHBOUR_LISTS_H
#define PUDDLE_TESTS_NEIGHBOUR_LISTS_H

#include "sim/particles/lists.h"

/* The neighbour of particle i, which is in this lane of the group, in a row of its list. -1: the sentinel. */
static inline int listed_neighbour(const pd_lists *lists, int group, int lane, int i, int row, int count) {
    int at = row * PD_LIST_GROUP + lane, delta = pd_lists_deltas(lists, group)[at];
    int j = lists->has_offsets[group] ? (int)(pd_lists_offsets(lists, group)[at] / 4) : i + delta;
    bool sentinel = j >= count || (!lists->has_offsets[group] && delta == PD_SENTINEL_DELTA);
    return sentinel ? -1 : j;
}

#endif
