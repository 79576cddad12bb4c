/* Tests that run with every method to which they apply, including methods that are added later. */
#ifndef PUDDLE_TESTS_METHODS_H
#define PUDDLE_TESTS_METHODS_H

#include "levels.h"
#include "measure.h"
#include "sim/method.h"

/* ---- Selection of methods ---- */

static inline bool any_method(const pd_method *method) {
    (void)method;
    return true;
}

static inline int method_index(const char *name) {
    int index = 0;
    while (strcmp(pd_method_table_at(index)->info.name, name) != 0) index++;
    return index;
}

static inline const pd_method *method_of(const char *name) { return pd_method_table_at(method_index(name)); }

/* Whether the particles are the fluid: they have mass and interact. False if they are tracers of a flow on a grid or
 * from vortices. */
static inline bool is_of_particles(const pd_method *method) { return method->law != NULL; }

static inline bool has_feature(const char *method, pd_scene_feature feature) {
    return (method_of(method)->info.features & feature) != 0;
}

static inline bool has_springs(const pd_method *method) { return (method->info.features & PD_FEATURE_SPRINGS) != 0; }

/* Whether results are independent of the order of particles. Those of double density relaxation (Gauss-Seidel) are
 * not. */
static inline bool is_free_of_order(const pd_method *method) { return strcmp(method->info.name, "ddr") != 0; }

static inline bool has_parameter(const pd_method *method, const char *key) {
    for (int i = 0; i < method->info.parameter_count; i++)
        if (strcmp(pd_method_parameter_at(&method->info, i)->key, key) == 0) return true;
    return false;
}
static inline bool has_radius(const pd_method *method) { return has_parameter(method, "radius"); }
static inline bool has_rest_density(const pd_method *method) { return has_parameter(method, "rest_density"); }

typedef struct method_test {
    const char *name;
    CMUnitTestFunction run;                   /* cmocka's state is the method's name */
    bool (*applies)(const pd_method *method); /* NULL: run once, without a state */
} method_test;

#define OF_ALL(test)                                                                                                   \
    { #test, test, any_method }
#define OF_PARTICLES(test)                                                                                             \
    { #test, test, is_of_particles }
#define ONCE(test)                                                                                                     \
    { #test, test, NULL }

static inline int run_method_tests(const method_test *tests, size_t count, CMFixtureFunction begin,
                                   CMFixtureFunction end) {
    enum { MOST = 128 };
    static char names[MOST][96];
    static struct CMUnitTest all[MOST]; /* cmocka skips tests without a name */
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
        for (int m = 0; m < (tests[i].applies ? pd_method_count() : 1); m++) {
            const pd_method *method = pd_method_table_at(m);
            if (tests[i].applies && !tests[i].applies(method)) continue;
            if (used == MOST) abort();
            const char *of = tests[i].applies ? method->info.name : "";
            snprintf(names[used], sizeof *names, "%s%s%s", tests[i].name, *of ? ", " : "", of);
            all[used] = (struct CMUnitTest){names[used], tests[i].run, NULL, use_best_level, (void *)(uintptr_t)of};
            used++;
        }
    return run_cases(all, used, begin, end);
}
#define RUN_METHOD_TESTS(tests) RUN_METHOD_TESTS_WITHIN(tests, NULL, NULL)
/* begin, end: called before and after all tests. */
#define RUN_METHOD_TESTS_WITHIN(tests, begin, end) run_method_tests(tests, sizeof(tests) / sizeof *(tests), begin, end)

/* Writes the names of the methods for which applies() is true. Returns their number. */
enum { MOST_METHODS = 16 };
static inline int methods_that(bool (*applies)(const pd_method *), const char *names[MOST_METHODS]) {
    int count = 0;
    for (int m = 0; m < pd_method_count() && count < MOST_METHODS; m++)
        if (applies(pd_method_table_at(m))) names[count++] = pd_method_at(m)->name;
    return count;
}

/* ---- Worlds ---- */

/* Reads a scene. text: its file without the first two lines (version and method). */
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
    if (pd_scene_set_particle_count(&scene, particles, &error) != PD_OK) fail_msg("%s", error.message);
    return scene;
}

/* Sets a parameter of the running method. key: without the method's name ("radius"). */
static inline void set_own_parameter(pd_world *world, const char *key, float value) {
    char whole[PD_MAX_KEY];
    snprintf(whole, sizeof whole, "%s.%s", pd_world_method(world)->name, key);
    set_parameter(world, whole, value);
}

/* Sets a parameter to an end of its range. The maximum of a length is limited by the container. The maximum of a grid's
 * resolution and the minimum of a vortex core are limited by a test's time; test_grid.c has the finest grid. */
static inline void set_end(pd_world *world, const pd_parameter *p, bool maximum) {
    const pd_container *c = &pd_world_scene(world)->container;
    float largest = strcmp(p->key, "resolution") == 0 ? 200 : p->maximum;
    float smallest = strcmp(p->key, "core") == 0 ? (is_shortened() ? 0.08f : 0.03f) : p->minimum;
    if (p->in_container && c->shape == PD_CONTAINER_CIRCLE) largest = fminf(largest, c->radius);
    if (p->in_container && c->shape == PD_CONTAINER_BOX) largest = fminf(largest, fminf(c->width, c->height) / 2);
    set_own_parameter(world, p->key, maximum ? largest : smallest);
}

/* Drags, pushes and pulls on a circle, 20 frames each. */
static inline void stir(pd_world *world, int frame) {
    static const pd_tool_kind kinds[] = {PD_TOOL_DRAG, PD_TOOL_PUSH, PD_TOOL_PULL};
    float angle = (float)frame * 0.1f;
    pd_tool tool = {.kind = kinds[frame % 60 / 20],
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

/* Returns sqrt(g L), m/s. */
static inline double speed_scale_of(const pd_world *world) {
    pd_view view;
    pd_world_view(world, &view);
    return (double)view.speed_scale;
}

#endif
