/* Pools of fluid for edits of running worlds. */
#ifndef PUDDLE_TESTS_POOLS_H
#define PUDDLE_TESTS_POOLS_H

#include "methods.h"
#include "sim/world.h"

#include <math.h>
#include <string.h>

static const char POOL[] = "puddle: 1\n"
                           "container: {shape: box, width: 2, height: 1}\n"
                           "particles: 500\n"
                           "materials: {water: {color: \"#3a8fff\"}, oil: {color: \"#ffc040\", mass: 0.8}}\n"
                           "parameters: {vortex: {core: 0.1}, grid: {resolution: 32}}\n"
                           "regions:\n"
                           "  - {shape: box, center: [0, -0.2], size: [2, 0.6], material: water}\n";

static inline pd_scene pool_of(const char *method) {
    pd_scene scene = scene_of_text(POOL);
    snprintf(scene.method, sizeof scene.method, "%s", method);
    return scene;
}

static inline pd_world *world_in_pool(const char *method, int threads, int steps) {
    pd_scene scene = pool_of(method);
    pd_world *world = world_of(&scene, threads);
    pd_scene_free(&scene);
    step_many(world, steps);
    return world;
}

static inline pd_scene copy_of(const pd_world *world) {
    pd_scene scene;
    pd_error error;
    assert_int_equal(pd_scene_copy(&scene, pd_world_scene(world), &error), PD_OK);
    return scene;
}

/* Applies the edit from the world's scene to another one, which is freed. */
static inline pd_result edit_to(pd_world *world, pd_scene *to, pd_error *error) {
    pd_command command;
    assert_int_equal(pd_command_edit(&command, pd_world_scene(world), to, error), PD_OK);
    pd_result result = pd_world_apply(world, &command, error);
    pd_command_free(&command);
    pd_scene_free(to);
    return result;
}

/* Expects that a world loaded from this one's snapshot continues in the same way. */
static inline void expect_restorable(const pd_world *world, int threads) {
    pd_error error;
    void *bytes;
    size_t size;
    pd_world *other = world_in_pool("ddr", threads, 0);
    must(pd_world_save_to_memory(world, &bytes, &size, &error), &error);
    must(pd_world_restore_from_memory(other, bytes, size, &error), &error);
    assert_true(pd_world_hash(other) == pd_world_hash(world));
    free(bytes);
    pd_world_destroy(other);
}

static inline pd_result log_edit(pd_log *log, pd_world *world, pd_scene *to, pd_error *error) {
    pd_command command;
    assert_int_equal(pd_command_edit(&command, pd_world_scene(world), to, error), PD_OK);
    pd_result result = pd_log_do(log, world, &command, error);
    pd_command_free(&command);
    pd_scene_free(to);
    return result;
}

static inline void step_log(pd_log *log, pd_world *world, int steps) {
    for (int i = 0; i < steps; i++) {
        pd_world_step(world);
        pd_log_end_step(log, world);
    }
}

#endif
