/* SPH and position based fluids left alone. */
#include "methods.h"

/* Left alone for 30 s a fluid hardly moves; measured over the last second. */
static void test_comes_to_rest(void **state) {
    const char *const scenes[] = {"blobs", "pool", "drop", "two-drops", "dam-break"};
    for (int k = 0; k < 5; k++) {
        pd_scene scene = bundled_scene_with(scenes[k], *state, 800);
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
        assert_int_equal(pd_world_particles(world), count);
        expect_sound(world);
        pd_world_destroy(world);
        pd_scene_free(&scene);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {OF_BOTH(test_comes_to_rest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
