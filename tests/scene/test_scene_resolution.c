/* Scenes at another resolution, that is, with another number of particles. */
#include "scene/content/counts.h"
#include "scenes.h"

static void assert_counts(const pd_scene *scene, const int *wanted) {
    int counts[8], total;
    assert_int_equal(pd_regions_compute_particle_counts(scene, counts, &total, NULL), PD_OK);
    for (int i = 0; i < scene->region_count; i++) assert_int_equal(counts[i], wanted[i]);
}

/* A region's count of 600 in 1,000 becomes 1,200 in 2,000, also where the other region has no count. */
static void test_particles_keep_their_ratio(void **state) {
    (void)state;
    pd_scene scene;
    read_good("puddle: 1\nparticles: 1000\nregions:\n"
              "  - {shape: box, center: [0, 0], size: [1, 1], count: 600}\n"
              "  - {shape: box, center: [0.5, 0], size: [1, 1]}\n",
              &scene);
    assert_counts(&scene, (int[]){600, 400});
    assert_int_equal(pd_scene_set_particle_count(&scene, 2000, NULL), PD_OK);
    assert_counts(&scene, (int[]){1200, 800});
    assert_int_equal(pd_scene_set_particle_count(&scene, 10, NULL), PD_OK);
    assert_counts(&scene, (int[]){6, 4});
    assert_int_equal(pd_scene_set_particle_count(&scene, 5000, NULL), PD_OK);
    assert_counts(&scene, (int[]){3000, 2000});
    assert_round_trip(&scene);
    pd_scene_free(&scene);

    read_good("puddle: 1\nparticles: 1000\nregions:\n"
              "  - {shape: box, center: [0, 0], size: [1, 1], spacing: 0.05}\n"
              "  - {shape: box, center: [0.5, 0], size: [1, 3]}\n",
              &scene);
    assert_counts(&scene, (int[]){400, 600});
    assert_int_equal(pd_scene_set_particle_count(&scene, 100, NULL), PD_OK);
    assert_counts(&scene, (int[]){40, 60});
    assert_round_trip(&scene);
    pd_scene_free(&scene);
}

static void test_rates_stay_in_range(void **state) {
    (void)state;
    pd_scene scene, before;
    pd_error error = {0};
    read_good("puddle: 1\nparticles: 10\nregions: [{shape: circle, center: [0, 0], radius: 0.5}]\n"
              "emitters:\n"
              "  - {position: [0, 0], direction: [0, 1], speed: 1, width: 0.1, rate: 10}\n"
              "  - {position: [0, 0], direction: [0, 1], speed: 1, width: 0.1, rate: 20}\n",
              &scene);
    assert_int_equal(pd_scene_copy(&before, &scene, NULL), PD_OK);
    assert_int_equal(pd_scene_set_particle_count(&scene, 6000000, &error), PD_BAD_INPUT);
    assert_int_equal(error.code, PD_ERROR_SCENE_TOO_LARGE);
    assert_non_null(strstr(error.message, "emitter 2"));
    assert_same_scene(&scene, &before);
    assert_int_equal(pd_scene_set_particle_count(&scene, 5000000, &error), PD_OK);
    assert_same_float(scene.emitters[1].rate, 1e7f);
    assert_round_trip(&scene);
    scene.emitters[0].rate = 0.002f;
    assert_int_equal(pd_scene_set_particle_count(&scene, 1, &error), PD_OK);
    assert_same_float(scene.emitters[0].rate, (float)PD_MIN_RATE);
    assert_round_trip(&scene);
    pd_scene_free(&scene);
    pd_scene_free(&before);
}

TEST_GROUP(scene_resolution) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_particles_keep_their_ratio),
        cmocka_unit_test(test_rates_stay_in_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
