/* Tests that every method of particles passes: written once, run with the name of each. */
#ifndef PUDDLE_TESTS_METHODS_H
#define PUDDLE_TESTS_METHODS_H

#include "measure.h"

/* A test of cmocka's for each; its state is the method's name. */
#define OF_BOTH(test)                                                                                                  \
    {#test ", sph", test, NULL, NULL, "sph"}, { #test ", pbf", test, NULL, NULL, "pbf" }

/* A scene without its first two lines, which say the version and the method. */
static inline pd_scene scene_of_method(const char *method, const char *text) {
    char whole[2400];
    int length = snprintf(whole, sizeof whole, "puddle: 1\nmethod: %s\n%s", method, text);
    assert_true(length < (int)sizeof whole);
    return scene_of_text(whole);
}

static inline pd_world *world_of_method(const char *method, const char *text, int threads) {
    pd_scene scene = scene_of_method(method, text);
    pd_world *world = world_of(&scene, threads);
    pd_scene_free(&scene);
    return world;
}

static inline pd_scene bundled_scene_with(const char *name, const char *method, int particles) {
    pd_scene scene = bundled_scene(name);
    pd_error error = {0};
    snprintf(scene.method, sizeof scene.method, "%s", method);
    if (pd_scene_set_particles(&scene, particles, &error) != PD_OK) fail_msg("%s", error.message);
    return scene;
}

/* "radius" of whatever method runs. */
static inline void set_own_parameter(pd_world *world, const char *key, float value) {
    char whole[PD_MAX_KEY];
    snprintf(whole, sizeof whole, "%s.%s", pd_world_method(world)->name, key);
    set_parameter(world, whole, value);
}

/* Where a length has to fit into the container that is its largest value. */
static inline void set_end(pd_world *world, const pd_parameter *p, bool maximum) {
    const pd_container *c = &pd_world_scene(world)->container;
    float largest = p->maximum;
    if (p->in_container && c->shape == PD_CONTAINER_CIRCLE) largest = fminf(largest, c->radius);
    if (p->in_container && c->shape == PD_CONTAINER_BOX) largest = fminf(largest, fminf(c->width, c->height) / 2);
    set_own_parameter(world, p->key, maximum ? largest : p->minimum);
}

/* Drag, push and pull in turn, going round. */
static inline void stir(pd_world *world, int frame) {
    float angle = (float)frame * 0.1f;
    pd_tool tool = {.kind = frame % 60 < 20   ? PD_TOOL_DRAG
                            : frame % 60 < 40 ? PD_TOOL_PUSH
                                              : PD_TOOL_PULL,
                    .position = {0.6f * cosf(angle), 0.6f * sinf(angle)},
                    .velocity = {-3.6f * sinf(angle), 3.6f * cosf(angle)},
                    .radius = 0.25f};
    pd_world_set_tool(world, &tool);
}

static inline pd_statistics statistics_of(const pd_world *world) {
    pd_statistics s;
    pd_world_statistics(world, &s);
    return s;
}

/* sqrt(g L): what counts as fast. */
static inline double speed_scale_of(const pd_world *world) {
    pd_view view;
    pd_world_view(world, &view);
    return (double)view.speed_scale;
}

#endif
