/* Discs around points, for the files that are compiled once for each SIMD level. */
#ifndef PUDDLE_VORTEX_INDUCTION_DISCS_H
#define PUDDLE_VORTEX_INDUCTION_DISCS_H

#include "vortex/induction_levels.h"

#include <math.h>

static inline float lesser(float a, float b) { return a < b ? a : b; }
static inline float larger(float a, float b) { return a > b ? a : b; }

/* Of up to 16 values, the others being copies. */
static inline float smallest(const float *from) {
    float v[PD_VORTEX_LEAF];
    for (int i = 0; i < PD_VORTEX_LEAF; i++) v[i] = from[i];
    for (int half = PD_VORTEX_LEAF / 2; half > 0; half /= 2)
        for (int i = 0; i < half; i++) v[i] = v[i] < v[i + half] ? v[i] : v[i + half];
    return v[0];
}

static inline float greatest(const float *from) {
    float v[PD_VORTEX_LEAF];
    for (int i = 0; i < PD_VORTEX_LEAF; i++) v[i] = from[i];
    for (int half = PD_VORTEX_LEAF / 2; half > 0; half /= 2)
        for (int i = 0; i < half; i++) v[i] = v[i] > v[i + half] ? v[i] : v[i + half];
    return v[0];
}

/* The disc about the middle of the bounding box. */
static inline pd_vortex_node disc_of(const float *x, const float *y) {
    pd_vortex_node d = {0.5f * (smallest(x) + greatest(x)), 0.5f * (smallest(y) + greatest(y)), 0, 0};
    float r2[PD_VORTEX_LEAF];
    for (int i = 0; i < PD_VORTEX_LEAF; i++) r2[i] = (x[i] - d.x) * (x[i] - d.x) + (y[i] - d.y) * (y[i] - d.y);
    d.radius = sqrtf(greatest(r2));
    return d;
}

/* A disc around discs: about the middle of their bounding box. Those with a negative radius are empty. */
static inline pd_vortex_node disc_around(const pd_vortex_node *part, int count) {
    float left = INFINITY, right = -INFINITY, bottom = INFINITY, top = -INFINITY;
    pd_vortex_node d = {.radius = -1};
    for (int i = 0; i < count; i++) {
        if (part[i].radius < 0) continue;
        left = lesser(left, part[i].x - part[i].radius);
        right = larger(right, part[i].x + part[i].radius);
        bottom = lesser(bottom, part[i].y - part[i].radius);
        top = larger(top, part[i].y + part[i].radius);
        d.reach = larger(d.reach, part[i].reach);
    }
    d.x = 0.5f * (left + right);
    d.y = 0.5f * (bottom + top);
    for (int i = 0; i < count; i++) {
        if (part[i].radius < 0) continue;
        float dx = part[i].x - d.x, dy = part[i].y - d.y;
        d.radius = larger(d.radius, sqrtf(dx * dx + dy * dy) + part[i].radius);
    }
    return d;
}

#endif
