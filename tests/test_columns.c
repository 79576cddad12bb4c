/* Columns of particles: what a method keeps of each particle stays with it through sorts, drains, growth and snapshots. */
#include "cmocka_all.h"

#include "methods.h"

static const char draining[] = "gravity: [0, -1.6]\ncontainer: {shape: box, width: 2, height: 1}\n"
                               "regions:\n  - {shape: box, center: [0, -0.2], size: [1.6, 0.5], count: 900}\n"
                               "drains:\n  - {shape: circle, center: [0.1, -0.45], radius: 0.12}\n";

/* Pressure by particle. */
static float *pressures(const pd_world *world) {
    pd_view view;
    pd_world_view(world, &view);
    float *by_id = calloc(900, sizeof *by_id);
    for (int i = 0; i < view.count; i++) by_id[view.id[i]] = pressure_of(&view)[i];
    return by_id;
}

/* Drains act behind a step's last substep: until one has taken something, a scene without it is the same. */
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
    float *expected = pressures(whole), spread = 0;
    for (int i = 0; i < view.count; i++) {
        assert_float_equal(pressure_of(&view)[i], expected[view.id[i]], 0);
        spread = fmaxf(spread, fabsf(pressure_of(&view)[i] - pressure_of(&view)[0]));
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
    assert_int_equal(pd_world_save_memory(world, &bytes, &size, NULL), PD_OK);
    assert_int_equal(pd_world_restore_memory(other, bytes, size, NULL), PD_OK);
    pd_view view;
    pd_world_view(other, &view);
    float *expected = pressures(world), spread = 0;
    for (int i = 0; i < view.count; i++) {
        assert_float_equal(pressure_of(&view)[i], expected[view.id[i]], 0);
        spread = fmaxf(spread, fabsf(pressure_of(&view)[i] - pressure_of(&view)[0]));
    }
    assert_true(spread > 0);
    free(expected);
    free(bytes);
    pd_world_destroy(world), pd_world_destroy(other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        {"drain, ddr", test_quantities_stay_with_their_particles_in_a_drain, NULL, NULL, "ddr"},
        {"drain, sph", test_quantities_stay_with_their_particles_in_a_drain, NULL, NULL, "sph"},
        {"drain, pbf", test_quantities_stay_with_their_particles_in_a_drain, NULL, NULL, "pbf"},
        {"snapshot, ddr", test_quantities_come_back_with_a_snapshot, NULL, NULL, "ddr"},
        {"snapshot, sph", test_quantities_come_back_with_a_snapshot, NULL, NULL, "sph"},
        {"snapshot, pbf", test_quantities_come_back_with_a_snapshot, NULL, NULL, "pbf"},
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
