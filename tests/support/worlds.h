/* Worlds from bundled scenes and from text, and checks of every world. */
#ifndef PUDDLE_TESTS_WORLDS_H
#define PUDDLE_TESTS_WORLDS_H

#include "sanitizers.h"
#include "with_threads.h"

#include "sim/world.h"
#include <math.h>
#include <puddle/puddle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Asserts success of a call that cannot fail here. */
static inline void must(pd_result result, const pd_error *error) {
    if (result != PD_OK) fail_msg("%s", error->message);
}

static inline pd_world *world_of(const pd_scene *scene, int threads) {
    pd_error error = {0};
    pd_world *world;
    if (create_with_threads(&world, scene, threads, &error) != PD_OK) fail_msg("%s", error.message);
    return world;
}

static inline pd_scene bundled_scene(const char *name) {
    char path[5000];
    pd_error error = {0};
    pd_scene scene;
    snprintf(path, sizeof path, "%s/%s.yaml", PUDDLE_SCENES, name);
    if (pd_scene_read(path, &scene, &error) != PD_OK) fail_msg("%s", error.message);
    return scene;
}

static inline pd_scene scene_of_text(const char *text) {
    pd_error error = {0};
    pd_scene scene;
    if (pd_scene_read_text(text, strlen(text), "test", &scene, &error) != PD_OK) fail_msg("%s", error.message);
    return scene;
}

static inline pd_world *world_of_text(const char *text, int threads) {
    pd_scene scene = scene_of_text(text);
    pd_world *world = world_of(&scene, threads);
    pd_scene_free(&scene);
    return world;
}

static inline void set_parameter(pd_world *world, const char *key, float value) {
    pd_error error = {0};
    if (pd_world_set_parameter(world, key, value, &error) != PD_OK) fail_msg("%s", error.message);
}

/* Returns the values of the field "pressure", in the order of the view. */
static inline const float *pressure_of(const pd_view *view) { return pd_view_field(view, "pressure")->values; }

/* Returns the mass of a particle of a material of mass 1, kg/m. */
static inline double particle_mass_of(const pd_world *world) {
    pd_view view;
    pd_world_view(world, &view);
    return 1000 * (double)view.spacing * (double)view.spacing;
}

static inline void scale_parameter(pd_world *world, const char *key, double factor) {
    float value;
    pd_error error;
    if (pd_world_parameter(world, key, &value, &error) != PD_OK) fail_msg("%s", error.message);
    set_parameter(world, key, (float)factor * value);
}

/* Sets parameters with which ddr and sph are softer than by default: those of the article, scaled, in ddr; half the stiffness
 * and twice the near stiffness in sph. Particles then stay farther apart under tension. */
static inline void soften(pd_world *world) {
    scale_parameter(world, "ddr.stiffness", 1.567 / 40);
    scale_parameter(world, "ddr.near_stiffness", 4.478 / 11);
    scale_parameter(world, "ddr.rest_density", 5 / 3.31);
    scale_parameter(world, "sph.stiffness", 0.5);
    scale_parameter(world, "sph.near_stiffness", 2);
    scale_parameter(world, "sph.rest_density", 950 / 880.0);
}

static inline void step_many(pd_world *world, int steps) {
    for (int i = 0; i < steps; i++) pd_world_step(world);
}

/* Expects particles with finite numbers and unique ids, inside the container and outside the obstacles. Between a moving
 * obstacle and a wall particles may be inside the obstacle, as no free position exists. */
static inline void expect_sound_particles(const pd_world *world) {
    const pd_boundary *boundary = world->boundary; /* at the present positions, also after moves by a tool */
    pd_view view;
    pd_world_view(world, &view);
    float size = view.container.shape == PD_CONTAINER_BOX ? view.container.width : view.container.radius;
    bool moving = pd_boundary_max_obstacle_speed(boundary) > 0;
    int squeezed = 0;
    uint32_t last = 0;
    for (int i = 0; i < view.count; i++) last = view.id[i] > last ? view.id[i] : last;
    uint8_t *seen = test_calloc(last + 1, 1);
    for (int i = 0; i < view.count; i++) {
        assert_true(isfinite(view.x[i]) && isfinite(view.y[i]) && isfinite(view.vx[i]) && isfinite(view.vy[i]));
        assert_true(!view.density || isfinite(view.density[i]));
        assert_int_equal(seen[view.id[i]], 0);
        seen[view.id[i]] = 1;
        squeezed += !pd_boundary_allows_position(boundary, (pd_vec2){view.x[i], view.y[i]}, 1e-4f * size);
        if (view.container.shape == PD_CONTAINER_CIRCLE)
            assert_true(hypotf(view.x[i], view.y[i]) <= view.container.radius + 1e-4f * size);
        if (view.container.shape == PD_CONTAINER_BOX) {
            assert_true(fabsf(view.x[i]) <= view.container.width / 2 + 1e-4f * size);
            assert_true(fabsf(view.y[i]) <= view.container.height / 2 + 1e-4f * size);
        }
    }
    if (squeezed > (moving ? view.count / 100 : 0)) fail_msg("%d of %d inside walls", squeezed, view.count);
    test_free(seen);
}

/* Expects sound particles, and values of all fields, which take longer to compute than a step of vortices. */
static inline void expect_sound(const pd_world *world) {
    pd_view view;
    expect_sound_particles(world);
    pd_world_view(world, &view);
    for (int k = 0; k < view.field_count; k++) {
        const pd_field *field = pd_view_field(&view, view.fields[k]->info.name);
        if (view.count == 0 && field->info.support == PD_FIELD_OF_PARTICLES) continue;
        assert_non_null(field->values);
        if (field->info.support != PD_FIELD_OF_PARTICLES) continue; /* cells without fluid are NAN */
        for (int i = 0; i < view.count; i++) assert_true(isfinite(field->values[i]));
    }
}

/* Returns an FNV-1a hash of the view: positions, velocities, densities, ids and materials, and all fields if these are
 * the fluid and particles are tracers. For worlds with different scenes, as pd_world_hash contains the scene. */
static inline uint64_t view_hash(const pd_world *world) {
    pd_view view;
    pd_world_view(world, &view);
    uint64_t hash = 0xcbf29ce484222325u;
    const float *arrays[] = {view.x, view.y, view.vx, view.vy, view.density, view.previous_x, view.previous_y};
    for (size_t a = 0; a < sizeof arrays / sizeof *arrays; a++)
        for (int i = 0; arrays[a] && i < view.count; i++) {
            uint32_t bits;
            memcpy(&bits, &arrays[a][i], sizeof bits);
            hash = (hash ^ bits) * 0x100000001b3u;
        }
    for (int i = 0; i < view.count; i++) hash = (hash ^ (view.id[i] * 33u + view.material[i])) * 0x100000001b3u;
    for (int f = 0; f < view.field_count && !view.density; f++) {
        const pd_field *field = pd_view_field(&view, view.fields[f]->info.name);
        size_t count = (size_t)field->nx * (size_t)field->ny * (size_t)(field->layers > 1 ? field->layers : 1);
        for (size_t i = 0; field->values && i < count; i++) {
            uint32_t bits;
            memcpy(&bits, &field->values[i], sizeof bits);
            hash = (hash ^ bits) * 0x100000001b3u;
        }
    }
    return hash ^ (uint64_t)view.count;
}

/* Returns the ready material of a name at the resolution of a world. */
static inline pd_material ready_material(const pd_world *world, const char *name) {
    for (int i = 0; i < pd_ready_material_count(); i++)
        if (strcmp(pd_ready_material_at(i)->material.name, name) == 0) return pd_world_ready_material(world, i);
    fail_msg("no ready material %s", name);
    return (pd_material){0};
}

#endif
