/* Methods of particles left alone. */
#include "methods.h"

/* Left alone for 30 s a fluid hardly moves; measured over the last second. The particles of double density relaxation go on
 * trembling, the more the larger they are: 4.1 % with 800 of them. */
static void test_comes_to_rest(void **state) {
    skip_under_sanitizers();
    int particles = strcmp(*state, "ddr") == 0 ? 2000 : 800;
    const char *const scenes[] = {"blobs", "pool", "drop", "two-drops", "dam-break"};
    for (int k = 0; k < 5; k++) {
        pd_scene scene = bundled_scene_with(scenes[k], *state, particles);
        pd_world *world = world_of(&scene, 2);
        int count = pd_world_particles(world);
        step_many(world, 1740);
        double speed = 0;
        for (int i = 0; i < 60; i++) {
            pd_world_step(world);
            speed += statistics_of(world).rms_speed / speed_scale_of(world) / 60;
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

int main(void) {
    const method_test tests[] = {OF_PARTICLES(test_comes_to_rest)};
    return RUN_METHOD_TESTS(tests);
}
