/* Deep water: columns that are much higher than wide keep their depth and come to rest, and defaults follow the depth. */
#include "methods.h"
#include "sim/world.h"

#include "core/memory.h"

#include <math.h>

/* Water in a box that is 10 % higher than the water. */
static pd_world *tank_of_water(const char *method, double width, double depth, int particles, double gravity,
                               const char *more) {
    char text[600];
    snprintf(text, sizeof text,
             "gravity: [0, -%g]\nparticles: %d\ncontainer: {shape: box, width: %g, height: %g}\n"
             "regions: [{shape: box, center: [0, %g], size: [%g, %g]}]\n%s",
             gravity, particles, width, 1.1 * depth, -0.05 * depth, width, depth, more);
    return world_of_method(method, text, 1);
}

static int compare_heights(const void *a, const void *b) {
    float p = *(const float *)a, q = *(const float *)b;
    return (p < q) - (p > q);
}

/* Height of the surface above the floor, m: mean of the highest two rows of particles, and a spacing. */
static double surface_of(const pd_world *world) {
    const pd_container *box = &pd_world_scene(world)->container;
    const pd_particles *p = &world->particles;
    const double spacing = (double)world->resolution.spacing;
    const int rows = (int)(2 * (double)box->width / spacing);
    float heights[20000];
    assert_in_range(p->count, rows, 20000);
    memcpy(heights, p->y, (size_t)p->count * sizeof *heights);
    qsort(heights, (size_t)p->count, sizeof *heights, compare_heights);
    double sum = 0;
    for (int i = 0; i < rows; i++) sum += (double)heights[i];
    return sum / rows + spacing + (double)box->height / 2;
}

static void expect_depth_and_rest(const char *method, double width, double depth, int particles, double gravity,
                                  int frames, double least) {
    pd_world *world = tank_of_water(method, width, depth, particles, gravity, "");
    step_many(world, frames);
    pd_statistics s = statistics_of(world);
    const double kept = surface_of(world) / depth;
    print_message("%s, %g m x %g m, %d particles, g %g: keeps %.1f %% of the depth, rms speed %.4f m/s, %d substeps\n",
                  method, width, depth, particles, gravity, 100 * kept, s.rms_speed, s.substeps);
    expect_sound(world);
    assert_true(kept > least && kept < 1.03);
    assert_true(s.rms_speed < 0.05);
    pd_world_destroy(world);
}

static void test_tall_tanks_keep_their_depth(void **state) {
    skip_under_sanitizers();
    expect_depth_and_rest(*state, 0.4, 4, 1000, 9.81, fewer_frames(600, 240), 0.9);
    if (in_short_run()) return;
    const int sizes[] = {1000, 4000};
    for (int k = 0; k < 2; k++) {
        expect_depth_and_rest(*state, 0.5, 2, sizes[k], 9.81, 600, 0.9);
        expect_depth_and_rest(*state, 0.5, 2, sizes[k], 1.6, 600, 0.9);
        expect_depth_and_rest(*state, 0.4, 4, sizes[k], 1.6, 600, 0.9);
    }
    expect_depth_and_rest(*state, 0.4, 4, 4000, 9.81, 600, 0.9);
}

/* A box that is filled to the brim does not boil. */
static void test_full_boxes_come_to_rest(void **state) {
    skip_under_sanitizers();
    const int frames = fewer_frames(600, 240);
    expect_depth_and_rest(*state, 1, 1, 1000, 9.81, frames, 0.89);
    if (in_short_run()) return;
    expect_depth_and_rest(*state, 1, 1, 4000, 9.81, frames, 0.89);
    expect_depth_and_rest(*state, 4, 0.5, 4000, 9.81, frames, 0.89);
}

/* ---- Defaults ---- */

/* Fluid up to twice as high as half the smaller side of its container has the defaults of shallow water. */
static void test_other_fluid_keeps_its_defaults(void **state) {
    const double shapes[][2] = {{4, 0.5}, {1, 1}, {2, 1}};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        pd_world *world = tank_of_water(*state, shapes[k][0], shapes[k][1], 500, 9.81, "");
        pd_resolution shallow = world->resolution;
        shallow.relative_depth = 0;
        assert_true(pd_resolution_compute_load(&world->resolution) == 1);
        for (int i = 0; i < world->method->info.parameter_count; i++)
            assert_true(world->parameter[i] ==
                        pd_settings_compute_default(&world->scene, &shallow, &world->method->info, i));
        pd_world_destroy(world);
    }
}

/* The height of the fluid does not depend on the direction of gravity, nor on the place of the fluid. */
static void test_depth_of_every_direction(void **state) {
    (void)state;
    const double angles[] = {0, 90, 180, 270};
    for (int k = 0; k < 4; k++) {
        const double angle = angles[k] * 3.14159265358979 / 180, x = sin(angle), y = -cos(angle);
        const bool level = k % 2 == 1; /* gravity along x: the tank lies */
        char text[400];
        snprintf(text, sizeof text,
                 "gravity: [%.9g, %.9g]\nparticles: 900\ncontainer: {shape: box, width: %g, height: %g}\n"
                 "regions: [{shape: box, center: [%g, %g], size: [%g, %g]}]\n",
                 9.81 * x, 9.81 * y, level ? 2.4 : 0.5, level ? 0.5 : 2.4, 0.2 * x, 0.2 * y, level ? 2 : 0.5,
                 level ? 0.5 : 2.0);
        pd_world *world = world_of_method("sph", text, 1);
        print_message("gravity at %g degrees: relative depth %.3f\n", angles[k],
                      (double)world->resolution.relative_depth);
        assert_float_equal(world->resolution.relative_depth, 8, 0.1);
        pd_world_destroy(world);
    }
}

static float find_stiffest(const pd_world *world) {
    float value = 0;
    const char *keys[] = {"ddr.stiffness", "sph.stiffness", "pbf.xsph"};
    for (int k = 0; k < 3; k++)
        if (strncmp(keys[k], world->method->info.name, 3) == 0) pd_world_parameter(world, keys[k], &value, NULL);
    return value;
}

/* Defaults follow a change of gravity, and water that is poured, by at most 20 % in a step. */
static void test_defaults_follow_without_a_jump(void **state) {
    skip_under_sanitizers();
    pd_world *world = tank_of_water(*state, 0.5, 2, 600, 1.6, "");
    const float before = find_stiffest(world);
    float last = before;
    pd_world_set_gravity(world, (pd_vec2){0, -9.81f});
    for (int frame = 0; frame < 240; frame++) {
        pd_world_step(world);
        float now = find_stiffest(world);
        assert_true(now < 1.2f * last && now > last / 1.2f);
        last = now;
    }
    print_message("%s: the default grows from %g to %g; the depth is %.1f %%\n", (char *)*state, (double)before,
                  (double)last, 50 * surface_of(world));
    assert_true(last > 5 * before);
    assert_true(surface_of(world) > 0.9 * 2);
    pd_world_destroy(world);
}

static void test_emitted_water_makes_a_tank_deep(void **state) {
    (void)state;
    skip_under_sanitizers();
    pd_world *world =
        world_of_method("sph",
                        "gravity: [0, -9.81]\ncontainer: {shape: box, width: 0.4, height: 2}\n"
                        "emitters: [{position: [0, 0.9], direction: [0, -1], width: 0.2, speed: 1, rate: 250}]\n",
                        1);
    assert_true(pd_resolution_compute_load(&world->resolution) == 1);
    step_many(world, 300);
    print_message("after 5 s: relative depth %.2f\n", (double)world->resolution.relative_depth);
    assert_true(pd_resolution_compute_load(&world->resolution) > 2);
    expect_sound(world);
    pd_world_destroy(world);
}

/* Only defaults follow the depth. */
static void test_settings_of_the_scene_stay(void **state) {
    (void)state;
    pd_world *world = tank_of_water("ddr", 0.5, 2, 600, 9.81, "parameters: {ddr: {stiffness: 44}}\n");
    float value;
    must(pd_world_parameter(world, "ddr.stiffness", &value, NULL), NULL);
    assert_true(value == 44);
    pd_world_destroy(world);
}

/* A snapshot while the defaults change continues bit for bit. */
static void test_snapshot_while_defaults_change(void **state) {
    pd_error error;
    void *bytes;
    size_t size;
    pd_world *world = tank_of_water(*state, 0.5, 2, 300, 1.6, "");
    pd_world *other = tank_of_water(*state, 0.5, 2, 300, 1.6, "");
    pd_world_set_gravity(world, (pd_vec2){0, -9.81f});
    step_many(world, 5);
    must(pd_world_save_to_memory(world, &bytes, &size, &error), &error);
    must(pd_world_restore_from_memory(other, bytes, size, &error), &error);
    pd_memory_free(bytes);
    step_many(world, 5);
    step_many(other, 5);
    assert_true(pd_world_hash(world) == pd_world_hash(other));
    pd_world_destroy(world);
    pd_world_destroy(other);
}

TEST_GROUP(deep) {
    const method_test tests[] = {
        OF_PARTICLES(test_tall_tanks_keep_their_depth),
        OF_PARTICLES(test_full_boxes_come_to_rest),
        OF_PARTICLES(test_other_fluid_keeps_its_defaults),
        ONCE(test_depth_of_every_direction),
        {"test_defaults_follow_without_a_jump", test_defaults_follow_without_a_jump, has_radius},
        ONCE(test_emitted_water_makes_a_tank_deep),
        ONCE(test_settings_of_the_scene_stay),
        OF_PARTICLES(test_snapshot_while_defaults_change),
    };
    return RUN_METHOD_TESTS(tests);
}
