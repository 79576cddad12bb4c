/* Rigid bodies for tests: definitions, steps, sums. */
#ifndef PUDDLE_TESTS_BODIES_H
#define PUDDLE_TESTS_BODIES_H

#include "bodies/bodies.h"
#include "core/random.h"
#include "sanitizers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static const double pi = 3.141592653589793, earth = 9.81;
enum { RATE = 60 }; /* substeps per second, unless a test says otherwise */

static inline pd_bodies *bodies_in(pd_container_shape shape, double width, double height) {
    pd_container container = {
        .shape = shape, .radius = (float)(width / 2), .width = (float)width, .height = (float)height};
    return pd_bodies_create(&container);
}

/* Density 1, friction 0.5, no restitution. */
static inline pd_body_def body_of(pd_area area) { return (pd_body_def){.area = area, .density = 1, .friction = 0.5f}; }

static inline pd_area box_area(double x, double y, double width, double height) {
    return (pd_area){.shape = PD_SHAPE_BOX, .center = {(float)x, (float)y}, .size = {(float)width, (float)height}};
}

static inline pd_area disc_area(double x, double y, double radius) {
    return (pd_area){.shape = PD_SHAPE_CIRCLE, .center = {(float)x, (float)y}, .radius = (float)radius};
}

/* An area of points around (x, y). */
static inline pd_area points_area(pd_shape shape, double x, double y, pd_vec2 *points, int count, double thickness) {
    return (pd_area){.shape = shape,
                     .center = {(float)x, (float)y},
                     .points = points,
                     .point_count = count,
                     .thickness = (float)thickness};
}

static inline pd_body_def box(double x, double y, double width, double height) {
    return body_of(box_area(x, y, width, height));
}
static inline pd_body_def disc(double x, double y, double radius) { return body_of(disc_area(x, y, radius)); }

static inline int add(pd_bodies *bodies, pd_body_def def) {
    assert_int_equal(pd_bodies_add_body(bodies, &def, NULL), PD_OK);
    return bodies->body_count - 1;
}

static inline int add_wall(pd_bodies *bodies, pd_area area) {
    assert_int_equal(pd_bodies_add_wall(bodies, &area, NULL), PD_OK);
    return bodies->wall_count - 1;
}

/* A joint at one point that has no limits and never breaks. */
static inline pd_joint_def joint_at(pd_joint_type type, int first, int second, double x, double y) {
    pd_vec2 at = {(float)x, (float)y};
    return (pd_joint_def){
        .type = type, .bodies = {first, second}, .at = {at, at}, .length = NAN, .breaks_at = INFINITY};
}

static inline int add_joint(pd_bodies *bodies, pd_joint_def def) {
    assert_int_equal(pd_bodies_add_joint(bodies, &def, NULL), PD_OK);
    return bodies->joint_count - 1;
}

static inline pd_body_state *state_of(pd_bodies *bodies, int body) { return &bodies->bodies[body].state; }

/* Gravity acts from the first substep on, if this is called before it. */
static inline void push(pd_bodies *bodies, double dt, double gravity) {
    pd_bodies_end_substep(bodies, dt, (pd_vec2){0, -(float)gravity}, NULL, 0);
}

static inline void substep(pd_bodies *bodies, double dt, double gravity) {
    pd_bodies_begin_substep(bodies, dt);
    push(bodies, dt, gravity);
}

static inline void run(pd_bodies *bodies, double seconds, double gravity) {
    for (int k = 0; k < (int)(seconds * RATE + 0.5); k++) substep(bodies, 1.0 / RATE, gravity);
}

/* Sums over all bodies. */
typedef struct sums {
    double x, y, angular; /* momentum, and angular momentum about the origin */
    double kinetic, potential;
} sums;

static inline sums sums_of(const pd_bodies *bodies, double gravity) {
    sums s = {0};
    for (int i = 0; i < bodies->body_count; i++) {
        const pd_body *b = &bodies->bodies[i];
        pd_coordinates p = b->state.pose, v = b->state.velocity;
        s.x += b->mass * v.x;
        s.y += b->mass * v.y;
        s.angular += b->mass * (p.x * v.y - p.y * v.x) + b->inertia * v.angle;
        s.kinetic += 0.5 * b->mass * (v.x * v.x + v.y * v.y) + 0.5 * b->inertia * v.angle * v.angle;
        s.potential += b->mass * gravity * p.y;
    }
    return s;
}

static inline double rms_speed_of(const pd_bodies *bodies) {
    double sum = 0;
    for (int i = 0; i < bodies->body_count; i++) {
        pd_coordinates v = bodies->bodies[i].state.velocity;
        sum += v.x * v.x + v.y * v.y;
    }
    return sqrt(sum / bodies->body_count);
}

/* The point of a body in the world that its frame has at `local`. */
static inline pd_double2 point_of(const pd_bodies *bodies, int body, pd_double2 local) {
    pd_coordinates c = {0, 0, 0};
    if (body >= 0) c = bodies->bodies[body].state.pose;
    return (pd_double2){c.x + cos(c.angle) * local.x - sin(c.angle) * local.y,
                        c.y + sin(c.angle) * local.x + cos(c.angle) * local.y};
}

/* Distance between the two points of attachment of a joint, m. */
static inline double gap_of(const pd_bodies *bodies, int joint) {
    const pd_joint *j = &bodies->joints[joint];
    pd_double2 a = point_of(bodies, j->def.bodies[0], j->state.anchor[0]),
               b = point_of(bodies, j->def.bodies[1], j->state.anchor[1]);
    return hypot(a.x - b.x, a.y - b.y);
}

#define assert_near(value, expected, tolerance)                                                                        \
    do {                                                                                                               \
        double value_ = (value), expected_ = (expected);                                                               \
        if (!(fabs(value_ - expected_) <= (tolerance)))                                                                \
            fail_msg("%s = %.9g, expected %.9g +- %.3g", #value, value_, expected_, (double)(tolerance));              \
    } while (0)
#define assert_below(value, bound)                                                                                     \
    do {                                                                                                               \
        double value_ = (value);                                                                                       \
        if (!(value_ < (bound))) fail_msg("%s = %.9g, not below %.9g", #value, value_, (double)(bound));               \
    } while (0)

#endif
