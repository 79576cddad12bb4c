/* Bounding boxes of a block of particles' paths. All loops run over a whole block, so that compilers vectorise them. */
#ifndef PUDDLE_SIM_WALLS_PATH_BOXES_H
#define PUDDLE_SIM_WALLS_PATH_BOXES_H

#include "sim/walls/boxtree.h"

#include <stdint.h>

enum { PD_MOST_PATHS = 16 }; /* number of paths in a block: four vectors of four floats */

typedef struct pd_path_boxes {
    float low_x[PD_MOST_PATHS], low_y[PD_MOST_PATHS], high_x[PD_MOST_PATHS], high_y[PD_MOST_PATHS]; /* by path, m */
} pd_path_boxes;

/* Copies the coordinates of a block's paths. Behind the last path the first one is repeated. */
static inline void pd_path_boxes_copy(int count, const float *from, float to[PD_MOST_PATHS]) {
    for (int k = 0; k < PD_MOST_PATHS; k++) to[k] = from[k < count ? k : 0];
}

/* Returns the boxes of the straight paths from (old_x, old_y) to (x, y). count: 1 to PD_MOST_PATHS. */
static inline pd_path_boxes pd_path_boxes_of(int count, const float *old_x, const float *old_y, const float *x,
                                             const float *y) {
    pd_path_boxes b;
    float copies[4][PD_MOST_PATHS];
    if (count < PD_MOST_PATHS) {
        pd_path_boxes_copy(count, old_x, copies[0]);
        pd_path_boxes_copy(count, old_y, copies[1]);
        pd_path_boxes_copy(count, x, copies[2]);
        pd_path_boxes_copy(count, y, copies[3]);
        old_x = copies[0], old_y = copies[1], x = copies[2], y = copies[3];
    }
    for (int k = 0; k < PD_MOST_PATHS; k++) {
        b.low_x[k] = old_x[k] < x[k] ? old_x[k] : x[k];
        b.high_x[k] = old_x[k] > x[k] ? old_x[k] : x[k];
    }
    for (int k = 0; k < PD_MOST_PATHS; k++) {
        b.low_y[k] = old_y[k] < y[k] ? old_y[k] : y[k];
        b.high_y[k] = old_y[k] > y[k] ? old_y[k] : y[k];
    }
    return b;
}

static inline float pd_path_boxes_least(const float values[PD_MOST_PATHS]) {
    float v[PD_MOST_PATHS / 2];
    for (int k = 0; k < 8; k++) v[k] = values[k] < values[k + 8] ? values[k] : values[k + 8];
    for (int k = 0; k < 4; k++) v[k] = v[k] < v[k + 4] ? v[k] : v[k + 4];
    float a = v[0] < v[1] ? v[0] : v[1], b = v[2] < v[3] ? v[2] : v[3];
    return a < b ? a : b;
}

static inline float pd_path_boxes_greatest(const float values[PD_MOST_PATHS]) {
    float v[PD_MOST_PATHS / 2];
    for (int k = 0; k < 8; k++) v[k] = values[k] > values[k + 8] ? values[k] : values[k + 8];
    for (int k = 0; k < 4; k++) v[k] = v[k] > v[k + 4] ? v[k] : v[k + 4];
    float a = v[0] > v[1] ? v[0] : v[1], b = v[2] > v[3] ? v[2] : v[3];
    return a > b ? a : b;
}

/* Returns the box around all boxes of the block. */
static inline pd_box pd_path_boxes_unite(const pd_path_boxes *b) {
    return (pd_box){pd_path_boxes_least(b->low_x), pd_path_boxes_least(b->low_y), pd_path_boxes_greatest(b->high_x),
                    pd_path_boxes_greatest(b->high_y)};
}

/* Returns a mask of the paths whose boxes overlap another box (pd_boxes_overlap): bit k for path k. */
static inline uint32_t pd_path_boxes_overlap(const pd_path_boxes *b, const pd_box *box) {
    static const int32_t bit[PD_MOST_PATHS] = {1 << 0, 1 << 1, 1 << 2,  1 << 3,  1 << 4,  1 << 5,  1 << 6,  1 << 7,
                                               1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15};
    int32_t apart = 0;
    for (int k = 0; k < PD_MOST_PATHS; k++) {
        int32_t x = (b->low_x[k] > box->high_x ? bit[k] : 0) | (b->high_x[k] < box->low_x ? bit[k] : 0);
        int32_t y = (b->low_y[k] > box->high_y ? bit[k] : 0) | (b->high_y[k] < box->low_y ? bit[k] : 0);
        apart |= x | y;
    }
    return ~(uint32_t)apart & 0xffff;
}

#endif
