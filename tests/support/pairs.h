/* Isolated pairs of particles at different distances. The result of one substep gives a method's kernels as functions
 * of r. */
#ifndef PUDDLE_TESTS_PAIRS_H
#define PUDDLE_TESTS_PAIRS_H

#include "methods.h"

#include "sim/world.h"

enum { PAIRS = 500 };
static const double PAIRS_STEP = 1.25 / PAIRS; /* distance of pair k = (k + 1/2) PAIRS_STEP, in units of h = 1 m */
static const double PAIRS_DT = (double)0.001f;

typedef double pairs_values[PAIRS];

/* Creates a world whose particles 2k and 2k + 1 are pair k. 2k + 1 has the velocity `speed`, m/s, perpendicular to the
 * pair's axis. */
static inline pd_world *world_of_pairs(const char *method, const char *parameters, double speed) {
    char text[900];
    snprintf(text, sizeof text,
             "gravity: [0, 0]\nsubsteps: 1\ndt: 0.001\ncontainer: {shape: none}\n"
             "regions: [{shape: box, center: [0, 0], size: [10, 10], count: %d}]\n"
             "parameters: {%s: %s}\n",
             2 * PAIRS, method, parameters);
    pd_world *world = world_of_method(method, text, 1);
    pd_particles *p = &world->particles;
    assert_int_equal(p->count, 2 * PAIRS);
    for (int i = 0; i < p->count; i++) {
        int k = (int)p->id[i] / 2;
        bool second = p->id[i] % 2;
        double angle = k, r = second ? (k + 0.5) * PAIRS_STEP : 0;
        p->x[i] = (float)(4 * (k % 25) + r * cos(angle));
        p->y[i] = (float)(4 * (k / 25) + r * sin(angle));
        p->vx[i] = second ? (float)(-speed * sin(angle)) : 0;
        p->vy[i] = second ? (float)(speed * cos(angle)) : 0;
    }
    return world;
}

/* Returns the second particle of pair k minus the first: position or velocity. */
static inline pd_vec2 pairs_difference(const pd_world *world, int k, bool velocities) {
    const pd_particles *p = &world->particles;
    const float *x = velocities ? p->vx : p->x, *y = velocities ? p->vy : p->y;
    pd_vec2 difference = {0, 0};
    for (int i = 0; i < p->count; i++) {
        if ((int)p->id[i] / 2 != k) continue;
        float sign = p->id[i] % 2 ? 1 : -1;
        difference.x += sign * x[i];
        difference.y += sign * y[i];
    }
    return difference;
}

static inline void pairs_distances(const pd_world *world, pairs_values r) {
    for (int k = 0; k < PAIRS; k++) {
        pd_vec2 d = pairs_difference(world, k, false);
        r[k] = hypot((double)d.x, (double)d.y);
    }
}

/* Writes the relative velocities along the pairs' axes (positive: they separate) and perpendicular to them, m/s. */
static inline void pairs_velocities(const pd_world *world, pairs_values radial, pairs_values tangential) {
    for (int k = 0; k < PAIRS; k++) {
        pd_vec2 v = pairs_difference(world, k, true);
        double c = cos(k), s = sin(k);
        radial[k] = (double)v.x * c + (double)v.y * s;
        tangential[k] = (double)v.y * c - (double)v.x * s;
    }
}

/* Writes the values of each pair's first particle in an array of the view. */
static inline void pairs_quantity(const pd_view *view, const float *array, pairs_values values) {
    for (int i = 0; i < view->count; i++)
        if (view->id[i] % 2 == 0) values[view->id[i] / 2] = (double)array[i];
}

/* Subtracts a particle's own contribution: the value of a pair beyond the radius. */
static inline void pairs_without_self(pairs_values values) {
    double self = values[PAIRS - 1];
    for (int k = 0; k < PAIRS; k++) values[k] -= self;
}

/* Returns the integral over the plane of a function w of the distance r. */
static inline double pairs_integral(const pairs_values r, const pairs_values w) {
    double sum = 0;
    for (int k = 0; k < PAIRS; k++) sum += 2 * M_PI * r[k] * w[k] * PAIRS_STEP;
    return sum;
}

/* Returns the largest difference between `slope` = -dw/dr and finite differences of w, relative to the largest slope.
 * Distances near h, where some slopes are discontinuous, are skipped. */
static inline double pairs_slope_error(const pairs_values r, const pairs_values w, const pairs_values slope) {
    double worst = 0, steepest = 0;
    for (int k = 1; k < PAIRS - 1; k++) {
        if (fabs(r[k] - 1) < 1.5 * PAIRS_STEP) continue;
        worst = fmax(worst, fabs((w[k - 1] - w[k + 1]) / (r[k + 1] - r[k - 1]) - slope[k]));
        steepest = fmax(steepest, fabs(slope[k]));
    }
    return worst / steepest;
}

#endif
