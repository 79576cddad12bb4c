/* Bounding discs of the nodes of two trees: of vortices, and of positions. Compiled once for each SIMD level. */
#ifndef PUDDLE_VORTEX_INDUCTION_DISCS_H
#define PUDDLE_VORTEX_INDUCTION_DISCS_H

#include "core/simd.h"
#include "vortex/induction_levels.h"

#include <math.h>
#include <string.h>

static inline float lesser_of(float a, float b) { return a < b ? a : b; }
static inline float greater_of(float a, float b) { return a > b ? a : b; }

/* Transposes the values of up to 16 leaves, each with PD_VORTEX_LEAF values: lane i of to[k] becomes value k of leaf i.
 * Lanes i >= leaves repeat leaf 0. `from` is aligned to 16 bytes. */
static inline void transpose_leaves(const float *from, int leaves, pd_floatw to[PD_VORTEX_LEAF]) {
    uint32_t offsets[PD_LANES]; /* by lane: index of the first of four values */
    for (int k = 0; k < PD_VORTEX_LEAF; k += 4) {
        for (int i = 0; i < PD_LANES; i++) offsets[i] = (uint32_t)((i < leaves ? i : 0) * PD_VORTEX_LEAF + k);
        pd_gather4(from, 4, offsets, to + k);
    }
}

static inline pd_floatw smallest_by_lane(const pd_floatw v[PD_VORTEX_LEAF]) {
    pd_floatw low = v[0];
    for (int k = 1; k < PD_VORTEX_LEAF; k++) low = pd_min(low, v[k]);
    return low;
}

static inline pd_floatw greatest_by_lane(const pd_floatw v[PD_VORTEX_LEAF]) {
    pd_floatw high = v[0];
    for (int k = 1; k < PD_VORTEX_LEAF; k++) high = pd_max(high, v[k]);
    return high;
}

/* Computes the discs of up to 16 leaves. The centre of a disc is the centre of the bounding box of the leaf's points.
 * reach: for each lane, the leaf's reach (pd_vortex_node). */
static inline void compute_leaf_discs(const float *px, const float *py, int leaves, pd_floatw reach,
                                      pd_vortex_node *to) {
    pd_floatw x[PD_VORTEX_LEAF], y[PD_VORTEX_LEAF], half = pd_set(0.5f);
    transpose_leaves(px, leaves, x);
    transpose_leaves(py, leaves, y);
    pd_floatw middle_x = pd_mul(half, pd_add(smallest_by_lane(x), greatest_by_lane(x)));
    pd_floatw middle_y = pd_mul(half, pd_add(smallest_by_lane(y), greatest_by_lane(y)));
    for (int k = 0; k < PD_VORTEX_LEAF; k++) {
        pd_floatw dx = pd_sub(x[k], middle_x), dy = pd_sub(y[k], middle_y);
        x[k] = pd_add(pd_mul(dx, dx), pd_mul(dy, dy));
    }
    _Alignas(64) float discs[4 * PD_LANES];
    pd_store4(discs, 4, (pd_floatw[]){middle_x, middle_y, pd_sqrt(greatest_by_lane(x)), reach});
    memcpy(to, discs, (size_t)leaves * sizeof *to);
}

/* Returns a disc that contains `count` discs. Its centre is the centre of their bounding box. Discs with a negative
 * radius are empty. */
static inline pd_vortex_node compute_disc_around_discs(const pd_vortex_node *inner_discs, int count) {
    float left = INFINITY, right = -INFINITY, bottom = INFINITY, top = -INFINITY;
    pd_vortex_node d = {.radius = -1};
    for (int i = 0; i < count; i++) {
        if (inner_discs[i].radius < 0) continue;
        left = lesser_of(left, inner_discs[i].x - inner_discs[i].radius);
        right = greater_of(right, inner_discs[i].x + inner_discs[i].radius);
        bottom = lesser_of(bottom, inner_discs[i].y - inner_discs[i].radius);
        top = greater_of(top, inner_discs[i].y + inner_discs[i].radius);
        d.reach = greater_of(d.reach, inner_discs[i].reach);
    }
    d.x = 0.5f * (left + right);
    d.y = 0.5f * (bottom + top);
    for (int i = 0; i < count; i++) {
        if (inner_discs[i].radius < 0) continue;
        float dx = inner_discs[i].x - d.x, dy = inner_discs[i].y - d.y;
        d.radius = greater_of(d.radius, sqrtf(dx * dx + dy * dy) + inner_discs[i].radius);
    }
    return d;
}

#endif
