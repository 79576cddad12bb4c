/* Methods of particles left alone. */
#include "methods.h"

/* The rms speed, less the turning of the whole about the centre of a round container, whose slippery wall lets a fluid swing
 * to and fro for minutes. */
static double restless(const pd_world *world) {
    pd_view view;
    pd_world_view(world, &view);
    double turning = 0, inertia = 0, squares = 0;
    bool round = pd_world_scene(world)->container.shape == PD_CONTAINER_CIRCLE;
    for (int i = 0; i < view.count && round; i++) {
        double x = (double)view.x[i], y = (double)view.y[i];
        turning += x * (double)view.vy[i] - y * (double)view.vx[i];
        inertia += x * x + y * y;
    }
    double rate = round ? turning / inertia : 0;
    for (int i = 0; i < view.count; i++) {
        double vx = (double)view.vx[i] + rate * (double)view.y[i], vy = (double)view.vy[i] - rate * (double)view.x[i];
        squares += vx * vx + vy * vy;
    }
    return sqrt(squares / view.count);
}

/* Left alone for 30 s a fluid hardly moves; in short form a pool, after 10 s. Measured over the last second. The particles of
 * double density relaxation go on trembling, the more the larger they are: 4.1 % with 800 of them. */
static void test_comes_to_rest(void **state) {
    skip_under_sanitizers();
    int particles = strcmp(*state, "ddr") == 0 ? 2000 : 800;
    const char *const scenes[] = {"pool", "blobs", "drop", "two-drops", "dam-break"};
    for (int k = 0; k < (in_short_run() ? 1 : 5); k++) {
        pd_scene scene = bundled_scene_with(scenes[k], *state, particles);
        pd_world *world = world_of(&scene, 1);
        int count = pd_world_particles(world);
        step_many(world, in_short_run() ? 540 : 1740);
        double speed = 0;
        for (int i = 0; i < 60; i++) {
            pd_world_step(world);
            speed += restless(world) / speed_scale_of(world) / 60;
        }
        print_message("%s, %s: rms speed %.4f of sqrt(gL)\n", (char *)*state, scenes[k], speed);
        assert_true(speed < 0.04);
        assert_true(statistics_of(world).max_speed > 0); /* it rests, it is not frozen */
        assert_int_equal(pd_world_particles(world), count);
        expect_sound(world);
        pd_world_destroy(world);
        pd_scene_free(&scene);
    }
}

TEST_GROUP(methods_rest) {
    const method_test tests[] = {OF_PARTICLES(test_comes_to_rest)};
    return RUN_METHOD_TESTS(tests);
}
