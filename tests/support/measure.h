/* Measurements of the fluid in a world. */
#ifndef PUDDLE_TESTS_MEASURE_H
#define PUDDLE_TESTS_MEASURE_H

#include "worlds.h"

/* Returns the largest minus the smallest x, m. */
static inline double width_of(const pd_world *world) {
    pd_view view;
    pd_world_view(world, &view);
    float low = INFINITY, high = -INFINITY;
    for (int i = 0; i < view.count; i++) {
        low = fminf(low, view.x[i]);
        high = fmaxf(high, view.x[i]);
    }
    return (double)high - (double)low;
}

/* Returns the mean height of a material's particles above the floor of a box about the origin, m. */
static inline double mean_height(const pd_world *world, int material) {
    pd_view view;
    pd_world_view(world, &view);
    double sum = 0;
    int count = 0;
    for (int i = 0; i < view.count; i++) {
        if (view.material[i] != material) continue;
        sum += (double)view.y[i] + (double)pd_world_scene(world)->container.height / 2;
        count++;
    }
    return sum / count;
}

static inline double center_height(const pd_world *world) {
    pd_statistics s;
    pd_world_statistics(world, &s);
    return s.center_y;
}

/* Returns the square root of the ratio of the principal moments: 1 for a disc, length / breadth for an ellipse. */
static inline double aspect_of(const pd_world *world) {
    pd_view view;
    pd_world_view(world, &view);
    double x = 0, y = 0, xx = 0, yy = 0, xy = 0;
    for (int i = 0; i < view.count; i++) {
        x += (double)view.x[i] / view.count;
        y += (double)view.y[i] / view.count;
    }
    for (int i = 0; i < view.count; i++) {
        double dx = (double)view.x[i] - x, dy = (double)view.y[i] - y;
        xx += dx * dx;
        yy += dy * dy;
        xy += dx * dy;
    }
    double mean = (xx + yy) / 2, off = sqrt((xx - yy) * (xx - yy) / 4 + xy * xy);
    return sqrt((mean + off) / (mean - off));
}

/* Momentum, angular momentum about the centre of mass, and scales for their changes. */
typedef struct motion {
    double x, y, angular;
    double momentum_scale, angular_scale; /* sum of m |v|, sum of m r |v| */
} motion;

static inline motion motion_of(const pd_world *world) {
    pd_view view;
    pd_statistics s;
    motion sum = {0};
    pd_world_view(world, &view);
    pd_world_statistics(world, &s);
    for (int i = 0; i < view.count; i++) {
        double mass = (double)view.materials[view.material[i]].mass;
        double dx = (double)view.x[i] - s.center_x, dy = (double)view.y[i] - s.center_y;
        double vx = (double)view.vx[i], vy = (double)view.vy[i];
        sum.x += mass * vx;
        sum.y += mass * vy;
        sum.angular += mass * (dx * vy - dy * vx);
        sum.momentum_scale += mass * hypot(vx, vy);
        sum.angular_scale += mass * hypot(dx, dy) * hypot(vx, vy);
    }
    return sum;
}

#endif
