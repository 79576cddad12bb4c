/* Columns of particles: values that a method stores per particle stay with it through sorts, drains, growth of the
 * arrays and snapshots. */
#include "test.h"

#include "methods.h"
#include "sim/world.h"

static const char draining[] = "gravity: [0, -1.6]\ncontainer: {shape: box, width: 2, height: 1}\n"
                               "regions:\n  - {shape: box, center: [0, -0.2], size: [1.6, 0.5], count: 900}\n"
                               "drains:\n  - {shape: circle, center: [0.1, -0.45], radius: 0.12}\n";

/* The densities, indexed by id. */
static float *densities(const pd_world *world) {
    pd_view view;
    pd_world_view(world, &view);
    float *by_id = calloc(900, sizeof *by_id);
    for (int i = 0; i < view.count; i++) by_id[view.id[i]] = view.density[i];
    return by_id;
}

/* Drains act after the last substep of a step: up to the end of the step in which one first removes particles, a world
 * without the drain computes the same. */
static void test_quantities_stay_with_their_particles_in_a_drain(void **state) {
    pd_scene scene = scene_of_method(*state, draining);
    pd_world *drained = world_of(&scene, 1);
    scene.drain_count = 0;
    pd_world *whole = world_of(&scene, 1);
    while (pd_world_particles(drained) == 900 && pd_world_steps(drained) < 10)
        pd_world_step(drained), pd_world_step(whole);
    assert_true(pd_world_particles(drained) < 900);
    pd_view view;
    pd_world_view(drained, &view);
    float *expected = densities(whole), spread = 0;
    for (int i = 0; i < view.count; i++) {
        assert_float_equal(view.density[i], expected[view.id[i]], 0);
        spread = fmaxf(spread, fabsf(view.density[i] - view.density[0]));
    }
    assert_true(spread > 0);
    free(expected);
    scene.drain_count = 1;
    pd_scene_free(&scene);
    pd_world_destroy(drained), pd_world_destroy(whole);
}

static void test_quantities_come_back_with_a_snapshot(void **state) {
    pd_world *world = world_of_method(*state, draining, 1), *other = world_of_method(*state, draining, 1);
    for (int i = 0; i < 20; i++) pd_world_step(world);
    void *bytes;
    size_t size;
    assert_int_equal(pd_world_save_to_memory(world, &bytes, &size, NULL), PD_OK);
    assert_int_equal(pd_world_restore_from_memory(other, bytes, size, NULL), PD_OK);
    pd_view view;
    pd_world_view(other, &view);
    float *expected = densities(world), spread = 0;
    for (int i = 0; i < view.count; i++) {
        assert_float_equal(view.density[i], expected[view.id[i]], 0);
        spread = fmaxf(spread, fabsf(view.density[i] - view.density[0]));
    }
    assert_true(spread > 0);
    free(expected);
    free(bytes);
    pd_world_destroy(world), pd_world_destroy(other);
}

/* ---- Vortons under methods of particles ---- */

/* The fluid starts with the velocity that vortons induce, also after a reset. */
static void test_vortons_set_initial_velocities(void **state) {
    static const char scene[] = "gravity: [0, 0]\nregions: [{shape: circle, center: [0, 0], radius: 0.5, count: 300,"
                                " velocity: [0.25, 0]}]\n"
                                "vortons: [{position: [0.1, 0], circulation: 2, core: 0.05},"
                                " {position: [-0.3, 0.2], circulation: -1, core: 0.1}]\n";
    pd_world *world = world_of_method(*state, scene, 1);
    for (int turn = 0; turn < 2; turn++) {
        pd_view view;
        pd_world_view(world, &view);
        for (int i = 0; i < view.count; i++) {
            double u = 0.25, v = 0, x = (double)view.x[i], y = (double)view.y[i], pi = 3.141592653589793;
            double first = (x - 0.1) * (x - 0.1) + y * y + 0.0025,
                   second = (x + 0.3) * (x + 0.3) + (y - 0.2) * (y - 0.2) + 0.01;
            u += -2 / (2 * pi) * y / first + 1 / (2 * pi) * (y - 0.2) / second;
            v += 2 / (2 * pi) * (x - 0.1) / first - 1 / (2 * pi) * (x + 0.3) / second;
            assert_true(fabs((double)view.vx[i] - u) < 1e-5 && fabs((double)view.vy[i] - v) < 1e-5);
        }
        pd_world_step(world);
        pd_world_reset(world);
    }
    pd_world_destroy(world);
}

/* A scene read for a method that supports all of its keys is saved and restored under one that does not. */
static void test_scenes_of_other_methods_are_kept(void **state) {
    pd_world *world = world_of_method(*state, draining, 1);
    world->scene.container.slip = false; /* as after a change from a method with no-slip walls */
    void *bytes;
    size_t size;
    pd_error error;
    assert_int_equal(pd_world_save_to_memory(world, &bytes, &size, &error), PD_OK);
    if (pd_world_restore_from_memory(world, bytes, size, &error)) fail_msg("%s", error.message);
    assert_false(pd_world_scene(world)->container.slip);
    free(bytes);
    pd_world_destroy(world);
}

TEST_GROUP(columns) {
    const struct CMUnitTest tests[] = {
        {"vortons, ddr", test_vortons_set_initial_velocities, NULL, NULL, "ddr"},
        {"vortons, sph", test_vortons_set_initial_velocities, NULL, NULL, "sph"},
        {"kept keys", test_scenes_of_other_methods_are_kept, NULL, NULL, "pbf"},
        {"drain, ddr", test_quantities_stay_with_their_particles_in_a_drain, NULL, NULL, "ddr"},
        {"drain, sph", test_quantities_stay_with_their_particles_in_a_drain, NULL, NULL, "sph"},
        {"drain, pbf", test_quantities_stay_with_their_particles_in_a_drain, NULL, NULL, "pbf"},
        {"snapshot, ddr", test_quantities_come_back_with_a_snapshot, NULL, NULL, "ddr"},
        {"snapshot, sph", test_quantities_come_back_with_a_snapshot, NULL, NULL, "sph"},
        {"snapshot, pbf", test_quantities_come_back_with_a_snapshot, NULL, NULL, "pbf"},
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
