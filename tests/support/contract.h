/* Properties of every method in every bundled scene. */
#ifndef PUDDLE_TESTS_CONTRACT_H
#define PUDDLE_TESTS_CONTRACT_H

#include "sanitizers.h"
#include "scene/content/counts.h"
#include "worlds.h"

#include <dirent.h>

enum { MAX_SCENES = 64 };

/* Writes the names of the bundled scenes, sorted: samples of them are the same on any file system. Returns their number. */
static inline int bundled_names(char names[MAX_SCENES][64]) {
    DIR *folder = opendir(PUDDLE_SCENES);
    assert_non_null(folder);
    int count = 0;
    for (struct dirent *entry = readdir(folder); entry && count < MAX_SCENES; entry = readdir(folder)) {
        char *ending = strstr(entry->d_name, ".yaml");
        if (!ending || ending == entry->d_name) continue;
        snprintf(names[count], 64, "%.*s", (int)(ending - entry->d_name), entry->d_name);
        count++;
    }
    closedir(folder);
    assert_true(count >= 8);
    qsort(names, (size_t)count, sizeof *names, (int (*)(const void *, const void *))strcmp);
    return count;
}

/* Returns a length that is within the container in each direction, m. */
static inline float extent_of(const pd_scene *scene) {
    const pd_container *c = &scene->container;
    if (c->shape == PD_CONTAINER_CIRCLE) return 0.7f * c->radius;
    return c->shape == PD_CONTAINER_BOX ? 0.4f * fminf(c->width, c->height) : 0.5f;
}

/* Reads a bundled scene with few particles, coarse grids and wide vortices: what a state holds does not depend on their number. */
static inline pd_scene small_scene(const char *name) {
    pd_error error = {0};
    pd_scene scene = bundled_scene(name);
    pd_scene_set_particle_count(&scene, 400, NULL); /* refused by a scene without regions */
    must(pd_scene_set_parameter(&scene, "grid.resolution", 32, &error), &error);
    must(pd_scene_set_parameter(&scene, "flip.resolution", 32, &error), &error);
    must(pd_scene_set_parameter(&scene, "vortex.core", 0.15f * extent_of(&scene), &error), &error);
    must(pd_scene_set_parameter(&scene, "vortex.tracers", 400, &error), &error);
    return scene;
}

static inline double total_mass(const pd_world *world) {
    pd_view view;
    double mass = 0;
    pd_world_view(world, &view);
    for (int i = 0; i < view.count; i++) mass += view.materials[view.material[i]].mass;
    return mass;
}

/* Expects that a world restored from a snapshot continues with the same bits. */
static inline void expect_same_future(pd_world *world) {
    pd_error error = {0};
    void *bytes;
    size_t size;
    const int frames = fewer_frames(6, 2);
    assert_int_equal(pd_world_save_to_memory(world, &bytes, &size, &error), PD_OK);
    step_many(world, frames);
    uint64_t future = pd_world_hash(world);
    if (pd_world_restore_from_memory(world, bytes, size, &error) != PD_OK) fail_msg("%s", error.message);
    step_many(world, frames);
    assert_true(pd_world_hash(world) == future);
    free(bytes);
}

/* Expects conserved momentum without gravity, walls and tool, if particles carry the fluid: tracers get their velocity from the
 * field. */
static inline void expect_momentum_conserved(const char *method) {
    pd_error error = {0};
    pd_scene scene = bundled_scene("zero-gravity");
    snprintf(scene.method, sizeof scene.method, "%s", method);
    scene.container = (pd_container){.shape = PD_CONTAINER_NONE, .slip = true};
    must(pd_scene_set_particle_count(&scene, is_shortened() ? 1000 : 3000, &error), &error);
    pd_world *world = world_of(&scene, 1);
    pd_view view;
    pd_world_view(world, &view);
    if (view.density) {
        pd_statistics before, after;
        pd_world_statistics(world, &before);
        for (int substeps = 0; substeps < fewer_frames(1000, 50); substeps += pd_world_substeps(world))
            pd_world_step(world);
        pd_world_statistics(world, &after);
        pd_world_view(world, &view);
        double magnitude = 0; /* sum of m |v| */
        for (int i = 0; i < view.count; i++)
            magnitude +=
                view.materials[view.material[i]].mass * hypot(view.vx[i], view.vy[i]) * particle_mass_of(world);
        double drift = hypot(after.momentum_x - before.momentum_x, after.momentum_y - before.momentum_y);
        print_message("%s: momentum drift %.1e of sum m|v|\n", method, drift / magnitude);
        assert_true(drift < 1e-4 * magnitude);
    }
    pd_world_destroy(world);
    pd_scene_free(&scene);
}

/* Creates a world of at most so many particles. The largest scene has 255,696. */
static inline pd_world *coarse_world(const pd_scene *scene, int most, int threads) {
    pd_error error = {0};
    pd_scene coarse;
    int total, *counts = calloc((size_t)scene->region_count + 1, sizeof *counts);
    must(pd_scene_copy(&coarse, scene, &error), &error);
    must(pd_regions_compute_particle_counts(&coarse, counts, &total, &error), &error);
    if (total > most) {
        must(pd_scene_set_particle_count(&coarse, most, &error), &error);
        pd_scene_scale_settings(&coarse, sqrt((double)total / most));
    }
    pd_world *world = world_of(&coarse, threads);
    pd_scene_free(&coarse);
    free(counts);
    return world;
}

/* Cells across the container: the finest grids become as fast as the others. They are still several chunks of parallel
 * work. */
enum { CELLS_ACROSS = 100 };

/* Expects of a method in a scene: equal bits on one and two threads if they are compared, a constant number of particles, all
 * inside the walls, exact snapshots and reset. */
static inline void expect_contract(pd_scene *scene, const char *method, bool compares_threads) {
    snprintf(scene->method, sizeof scene->method, "%s", method);
    /* Vortons in wide containers exceed a test's time. */
    const pd_container *c = &scene->container;
    float half = c->shape == PD_CONTAINER_CIRCLE ? c->radius
                 : c->shape == PD_CONTAINER_BOX  ? fminf(c->width, c->height) / 2
                                                 : 1;
    char core[PD_MAX_KEY];
    int of, index;
    snprintf(core, sizeof core, "%s.core", method);
    if (pd_parameter_find(core, &of, &index, NULL) == PD_OK)
        assert_int_equal(pd_scene_set_parameter(scene, core, (is_shortened() ? 0.2f : 0.12f) * half, NULL), PD_OK);
    if (strcmp(method, "grid") == 0)
        assert_int_equal(pd_scene_set_parameter(scene, "grid.resolution", CELLS_ACROSS, NULL), PD_OK);
    const int most = compares_threads ? 2100 : 1000; /* 2,100 are several chunks of parallel work */
    pd_world *world = coarse_world(scene, most, 1), *other = compares_threads ? coarse_world(scene, most, 2) : NULL;
    int particles = pd_world_particles(world);
    double mass = total_mass(world);
    bool closed = scene->emitter_count == 0 && scene->drain_count == 0;
    for (int frame = 0, frames = is_shortened() ? 4 : 24; frame < frames; frame++) {
        pd_tool tool = {frame % 2 ? PD_TOOL_DRAG : PD_TOOL_NONE, {0.01f * (float)frame, 0}, {3, 1}, 0.3f};
        pd_world_set_tool(world, &tool);
        pd_world_step(world);
        if (frame % 10 == 0 && !UNDER_ADDRESS_SANITIZER) expect_sound(world);
        if (!other) continue;
        pd_world_set_tool(other, &tool);
        pd_world_step(other);
    }
    expect_sound(world);
    if (other) assert_true(pd_world_hash(world) == pd_world_hash(other));
    if (closed) {
        assert_int_equal(pd_world_particles(world), particles);
        if (pd_world_scene(world)->change_count == 0) assert_float_equal(total_mass(world), mass, 1e-9 * mass);
    }
    expect_same_future(world);
    pd_world_reset(world);
    assert_int_equal(pd_world_particles(world), particles);
    assert_int_equal(pd_world_steps(world), 0);
    pd_world_destroy(world);
    if (other) pd_world_destroy(other);
}

/* Runs a method in every bundled scene, with the index of the method. Shortened: in its own scenes, of which each has its
 * threads compared, and in every sixth of the others, so that each scene has another method too. */
static inline void expect_contract_of_all_scenes(const char *method, int index) {
    enum { STEP = 6 };
    char names[MAX_SCENES][64];
    int count = bundled_names(names);
    expect_momentum_conserved(method);
    for (int i = 0; i < count; i++) {
        pd_scene scene = bundled_scene(names[i]);
        bool own = strcmp(scene.method, method) == 0;
        bool compares_threads = !is_shortened() || (own && !UNDER_ADDRESS_SANITIZER);
        if (own || !is_shortened() || i % STEP == index % STEP) {
            print_message("%s, %s\n", names[i], method);
            expect_contract(&scene, method, compares_threads);
        }
        pd_scene_free(&scene);
    }
}

#endif
