/* Position based fluids at rest: density error, convergence of the solver, clumping of particles. */
#include "methods.h"
#include "settled.h"

#include "sim/world.h"

/* The bundled scene `pool` after so many frames. density_error: its mean over the last second. */
static pd_world *settled_pool(int particles, int frames, double *density_error) {
    pd_scene scene = bundled_scene_with("pool", "pbf", particles);
    pd_world *world = world_of(&scene, 1);
    settle(world, frames - 60);
    *density_error = 0;
    for (int i = 0; i < 60; i++) {
        pd_world_step(world);
        *density_error += statistics_of(world).density_error / 60;
    }
    expect_sound(world);
    pd_scene_free(&scene);
    return world;
}

static void test_density_holds(void **state) {
    (void)state;
    skip_under_sanitizers();
    const int particles[] = {5000, 10000};
    for (int k = 0; k < (in_short_run() ? 1 : 2); k++) {
        double density_error;
        pd_world *world = settled_pool(particles[k], 210, &density_error);
        pd_statistics s = statistics_of(world);
        print_message("%d particles: density error %.2f %%, rms speed %.3f of sqrt(gL), %d substeps of 4 iterations\n",
                      particles[k], 100 * density_error, s.rms_speed / speed_scale_of(world), s.substeps);
        assert_int_equal(pd_world_particles(world), particles[k]);
        assert_true(density_error > 0 && density_error < 0.02);
        pd_world_destroy(world);
    }
}

/* ---- Iterations ---- */

static void print_errors(const float *errors, int count) {
    for (int k = 0; k < count; k++) print_message(" %.5f", (double)errors[k]);
    print_message("\n");
}

/* The first error is that before the first iteration, when particles have fallen partly through the floor without being
 * denser there. Only from the first iteration on must errors decrease. */
static void test_iterations_lower_the_error(void **state) {
    (void)state;
    skip_under_sanitizers();
    double density_error;
    pd_world *world = settled_pool(2000, 300, &density_error);
    const float *errors;
    int count = pd_world_density_errors(world, &errors);
    print_message("at rest:");
    print_errors(errors, count);
    assert_int_equal(count, 5);
    for (int k = 2; k < count; k++) assert_true(errors[k] < errors[k - 1]);
    assert_float_equal(errors[count - 1], statistics_of(world).density_error, 1e-5);
    pd_world_destroy(world);
}

/* The errors of a compressed fluid decrease. ratio: of the last error to the first. */
static void expect_compressed_recovers(int iterations, double *ratio) {
    char text[600];
    snprintf(text, sizeof text,
             "gravity: [0, 0]\ncontainer: {shape: none}\nsubsteps: 1\nparticles: 1000\n"
             "regions: [{shape: box, center: [0, 0], size: [1, 1]}]\n"
             "parameters: {pbf: {rest_density: 800, radius: 0.0936, iterations: %d}}\n",
             iterations);
    pd_world *world = world_of_method("pbf", text, 1);
    const float *errors;
    pd_world_step(world);
    int count = pd_world_density_errors(world, &errors);
    print_message("compressed by a quarter, %d iterations:", iterations);
    print_errors(errors, count);
    assert_int_equal(count, iterations + 1);
    for (int k = 1; k < count; k++) assert_true(errors[k] < errors[k - 1]);
    *ratio = (double)(errors[count - 1] / errors[0]);
    pd_world_destroy(world);
}

static void test_more_iterations_lower_the_error_more(void **state) {
    (void)state;
    double few, many;
    expect_compressed_recovers(2, &few);
    expect_compressed_recovers(20, &many);
    assert_true(many < few);
}

/* There are no errors of a method that does not iterate, nor before the first step. */
static void test_no_errors_without_iterations(void **state) {
    (void)state;
    const char *const text = "particles: 100\nregions: [{shape: circle, center: [0, 0], radius: 0.5}]\n";
    const float *errors;
    pd_world *sph = world_of_method("sph", text, 1), *pbf = world_of_method("pbf", text, 1);
    assert_int_equal(pd_world_density_errors(pbf, &errors), 0);
    step_many(sph, 2), step_many(pbf, 2);
    assert_int_equal(pd_world_density_errors(sph, &errors), 0);
    assert_null(errors);
    assert_int_equal(pd_world_density_errors(pbf, &errors), 5);
    pd_world_destroy(sph);
    pd_world_destroy(pbf);
}

/* ---- Clumping ---- */

/* Distances to nearest neighbours: the least divided by the mean. */
static double evenness(const pd_world *world) {
    pd_view view;
    double least = INFINITY, mean = 0;
    pd_world_view(world, &view);
    for (int i = 0; i < view.count; i++) {
        float nearest2 = INFINITY;
        for (int j = 0; j < view.count; j++) {
            float dx = view.x[i] - view.x[j], dy = view.y[i] - view.y[j], r2 = dx * dx + dy * dy;
            if (j != i && r2 < nearest2) nearest2 = r2;
        }
        double nearest = sqrt((double)nearest2);
        least = fmin(least, nearest);
        mean += nearest / view.count;
    }
    return least / mean;
}

static void test_artificial_pressure_keeps_apart(void **state) {
    (void)state;
    skip_under_sanitizers();
    double density_error, with = INFINITY, without = 0;
    pd_world *world = settled_pool(2000, 300, &density_error);
    set_own_parameter(world, "wall_density", 0); /* as in the paper: clumps begin at walls without weight */
    step_many(world, 180);
    for (int i = 0; i < 60; i++) {
        pd_world_step(world);
        if (i % 20 == 0) with = fmin(with, evenness(world));
    }
    set_own_parameter(world, "scorr_strength", 0);
    step_many(world, fewer_frames(240, 120));
    for (int i = 0; i < 60; i++) {
        pd_world_step(world);
        if (i % 20 == 0) without = fmax(without, evenness(world));
    }
    print_message(
        "least over mean distance to the nearest neighbour: at least %.3f; without artificial pressure at most %.3f\n",
        with, without);
    assert_true(with > 0.4);
    assert_true(without < 0.5 * with);
    pd_world_destroy(world);
}

TEST_GROUP(pbf_pool) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_density_holds),
        cmocka_unit_test(test_iterations_lower_the_error),
        cmocka_unit_test(test_more_iterations_lower_the_error_more),
        cmocka_unit_test(test_no_errors_without_iterations),
        cmocka_unit_test(test_artificial_pressure_keeps_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
