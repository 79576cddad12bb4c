/* A pool of water with a box in it, and the box's draft. */
#ifndef PUDDLE_TESTS_BODY_POOL_H
#define PUDDLE_TESTS_BODY_POOL_H

#include "worlds.h"

/* Half sides of the boxes, m. */
static const double HALF_X = 0.15, HALF_Y = 0.1;

/* A pool of 2 m x 1 m with water 0.5 m deep and perhaps a box at (x, y) in it. A number of particles means that of the pool
 * without the box. */
static inline pd_scene pool(const char *method, int particles, const char *box, double x, double y) {
    char text[2000];
    pd_error error = {0};
    snprintf(text, sizeof text,
             "puddle: 1\nmethod: %s\ncontainer: {shape: box, width: 2, height: 1}\n"
             "bodies: [{shape: box, center: [%.9g, %.9g], size: [0.3, 0.2], name: box%s}]\n",
             method, x, y, box);
    pd_scene scene = scene_of_text(text);
    pd_scene_particle *list = calloc((size_t)particles * 2, sizeof *list);
    double spacing = sqrt(2 * 0.5 / particles), row = spacing * sqrt(sqrt(3) / 2), pitch = spacing * spacing / row;
    double inside =
        2 * HALF_X * fmin(fmax(y + HALF_Y, 0), 2 * HALF_Y) / 2; /* height by which the box raises the level */
    int count = 0;
    for (int j = 0; j < 10000 && (j + 0.5) * row < 0.5 + inside; j++)
        for (int i = 0; i < (int)(2 / pitch); i++) {
            pd_vec2 p = {(float)(-1 + (i + 0.25 + 0.5 * (j & 1)) * pitch), (float)(-0.5 + (j + 0.5) * row)};
            bool free =
                fabs((double)p.x - x) > HALF_X + 0.3 * spacing || fabs((double)p.y - y) > HALF_Y + 0.3 * spacing;
            if (free && count < 2 * particles) list[count++] = (pd_scene_particle){p, {0, 0}, 0};
        }
    must(pd_scene_add_particles(&scene, list, count, (float)spacing, &error), &error);
    free(list);
    return scene;
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

/* Expects that a box of the pool floats to half a spacing, or 5 %, as deep as Archimedes' law says. box: its further keys.
 * density: weight that the water carries, per area of the box. */
static inline void expect_draft_of(const char *method, double density, const char *box) {
    enum { SAMPLES = 180 };
    double draft = 0, asked = 2 * HALF_Y * density;
    pd_scene scene = pool(method, 1500, box, 0.013, HALF_Y - asked);
    pd_world *world = world_of(&scene, 2);
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
