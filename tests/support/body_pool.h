/* A pool of water with a box in it, and the box's draft. */
#ifndef PUDDLE_TESTS_BODY_POOL_H
#define PUDDLE_TESTS_BODY_POOL_H

#include "worlds.h"

/* Half sides of the boxes, m. */
static const double HALF_X = 0.15, HALF_Y = 0.1;

/* A body in the pool. */
typedef struct pool_body {
    const char *keys;      /* further keys of the body, each after a comma */
    double x, y, angle;    /* pose, m and degrees */
    double half_x, half_y; /* half sides of a box, or the radius of a disc and 0, m */
    double submerged;      /* area below the surface, m^2 */
} pool_body;

/* Returns whether a body covers a point or is nearer to it than `margin` along a side. */
static inline bool covers(const pool_body *body, double x, double y, double margin) {
    double turn = body->angle * 3.141592653589793 / 180, dx = x - body->x, dy = y - body->y;
    double along = dx * cos(turn) + dy * sin(turn), across = dy * cos(turn) - dx * sin(turn);
    if (body->half_y <= 0) return hypot(dx, dy) <= body->half_x + margin;
    return fabs(along) <= body->half_x + margin && fabs(across) <= body->half_y + margin;
}

/* A pool of 2 m x 1 m with water 0.5 m deep and a body in it. A number of particles means that of the pool without the body. */
static inline pd_scene pool_with(const char *method, int particles, const pool_body *body) {
    char text[2000], shape[120];
    pd_error error = {0};
    if (body->half_y > 0)
        snprintf(shape, sizeof shape, "shape: box, size: [%.9g, %.9g], angle: %.9g", 2 * body->half_x, 2 * body->half_y,
                 body->angle);
    else
        snprintf(shape, sizeof shape, "shape: circle, radius: %.9g", body->half_x);
    snprintf(text, sizeof text,
             "puddle: 1\nmethod: %s\ncontainer: {shape: box, width: 2, height: 1}\n"
             "bodies: [{%s, center: [%.9g, %.9g], name: box%s}]\n",
             method, shape, body->x, body->y, body->keys);
    pd_scene scene = scene_of_text(text);
    pd_scene_particle *list = calloc((size_t)particles * 2, sizeof *list);
    double spacing = sqrt(2 * 0.5 / particles), row = spacing * sqrt(sqrt(3) / 2), pitch = spacing * spacing / row;
    int count = 0;
    for (int j = 0; j < 10000 && (j + 0.5) * row < 0.5 + body->submerged / 2; j++)
        for (int i = 0; i < (int)(2 / pitch); i++) {
            pd_vec2 p = {(float)(-1 + (i + 0.25 + 0.5 * (j & 1)) * pitch), (float)(-0.5 + (j + 0.5) * row)};
            bool free = !covers(body, (double)p.x, (double)p.y, 0.3 * spacing);
            if (free && count < 2 * particles) list[count++] = (pd_scene_particle){p, {0, 0}, 0};
        }
    must(pd_scene_add_particles(&scene, list, count, (float)spacing, &error), &error);
    free(list);
    return scene;
}

/* The pool with a box at (x, y). */
static inline pd_scene pool(const char *method, int particles, const char *box, double x, double y) {
    double below = fmin(fmax(y + HALF_Y, 0), 2 * HALF_Y);
    return pool_with(method, particles, &(pool_body){box, x, y, 0, HALF_X, HALF_Y, 2 * HALF_X * below});
}

static inline double spacing_of(const pd_world *world) {
    pd_view view;
    pd_world_view(world, &view);
    return (double)view.spacing;
}

/* Returns the height of the fluid's surface far from the middle and the walls, m: the mean over columns of three spacings of
 * the height of the topmost particle, and half a spacing. */
static inline double surface_level(const pd_world *world) {
    enum { MOST = 200 };
    double top[MOST], sum = 0;
    int counted = 0;
    pd_view view;
    pd_world_view(world, &view);
    double s = (double)view.spacing, width = 3 * s;
    for (int k = 0; k < MOST; k++) top[k] = -INFINITY;
    for (int i = 0; i < view.count; i++) {
        int k = (int)(((double)view.x[i] + 1) / width);
        top[k] = fmax(top[k], (double)view.y[i]);
    }
    for (int k = 0; k < MOST; k++) {
        double x = (k + 0.5) * width - 1;
        if (!isfinite(top[k]) || fabs(x) < 0.45 || fabs(x) > 0.85) continue;
        sum += top[k];
        counted++;
    }
    return sum / counted + s / 2;
}

/* Number of particles in the pools of expect_draft: 1,500, or the value of PUDDLE_DRAFT_PARTICLES for a finer pool. */
static inline int draft_particles(void) {
    const char *text = getenv("PUDDLE_DRAFT_PARTICLES");
    return text ? atoi(text) : 1500;
}

/* Expects that a box of the pool floats to half a spacing, or 5 %, as deep as Archimedes' law says. box: its further keys.
 * density: weight that the water carries, per area of the box. */
static inline void expect_draft_of(const char *method, double density, const char *box) {
    enum { SAMPLES = 180 };
    double draft = 0, asked = 2 * HALF_Y * density;
    pd_scene scene = pool(method, draft_particles(), box, 0.013, HALF_Y - asked);
    pd_world *world = world_of(&scene, 1);
    step_many(world, 420);
    for (int i = 0; i < SAMPLES; i++) {
        pd_world_body body;
        pd_world_step(world);
        pd_world_get_body(world, 0, &body);
        draft += (surface_level(world) - (body.y - HALF_Y)) / SAMPLES;
        assert_true(fabs(body.angle) < 10);
    }
    double off = draft - asked, allowed = fmax(0.5 * spacing_of(world), 0.05 * asked);
    print_message("%s, density %g: draft %+.2f spacings, %+.1f %%\n", method, density, off / spacing_of(world),
                  100 * off / asked);
    if (!(fabs(off) <= allowed)) fail_msg("%s, density %g: draft %g m, not %g m", method, density, draft, asked);
    pd_world_destroy(world);
    pd_scene_free(&scene);
}

static inline void expect_draft(const char *method, double density) {
    char box[60];
    snprintf(box, sizeof box, ", density: %g", density);
    expect_draft_of(method, density, box);
}

#endif
