/* Viscosity of the grid fluid: the same bits on any number of threads and any SIMD level, and its coefficients, which are
 * kept from one substep to the next, follow the walls and the parameter. */
#include "methods.h"

/* Walls that move and stand still by turns, a lid, an inflow, and sides without slip. */
static pd_world *viscous_world(int threads) {
    return world_of_method("grid",
                           "gravity: [0, 0]\nsubsteps: 1\ncontainer: {shape: box, width: 2.1, height: 1, slip: false,\n"
                           "  walls: {left: {inflow: 1}, right: {outflow: true}, top: {velocity: 2}}}\n"
                           "obstacles:\n  - {shape: circle, center: [-0.2, -0.1], radius: 0.15, spin: 300}\n"
                           "  - {shape: box, center: [0.4, 0.1], size: [0.1, 0.4], velocity: [0, -0.5], turn: 0.1}\n"
                           "regions: [{shape: circle, center: [-0.6, 0], radius: 0.2, count: 300}]\n"
                           "parameters: {grid: {resolution: 70, viscosity: 0.01}}\n",
                           threads);
}

static void same_bits_everywhere(void **state) {
    (void)state;
    static const char *const levels[] = {"baseline", "avx2", "avx512", "neon"};
    uint64_t expected = 0;
    for (int l = 0; l < 4; l++) {
        if (!pd_simd_select(levels[l])) continue;
        for (int threads = UNDER_ADDRESS_SANITIZER ? 3 : 1; threads <= (UNDER_ADDRESS_SANITIZER ? 3 : 5);
             threads += 2) {
            pd_world *world = viscous_world(threads);
            step_many(world, fewer_frames(20, 4));
            uint64_t hash = pd_world_hash(world);
            if (!expected) expected = hash;
            if (hash != expected) fail_msg("%s, %d threads: other bits", levels[l], threads);
            pd_world_destroy(world);
        }
    }
    pd_simd_select("auto");
}

/* A world that goes on from a snapshot has no coefficients yet, and finds the same as one that has kept its own. */
static void coefficients_follow_walls_and_viscosity(void **state) {
    (void)state;
    pd_world *world = viscous_world(2);
    static const float viscosities[] = {0.01f, 0.05f, 0, 0.05f, 0.001f, 1e-9f, 0.001f};
    for (size_t n = 0; n < sizeof viscosities / sizeof *viscosities; n++) {
        set_parameter(world, "grid.viscosity", viscosities[n]);
        step_many(world, 3);
        pd_world *fresh = world_of(pd_world_scene(world), 1);
        void *bytes;
        size_t size;
        assert_int_equal(pd_world_save_to_memory(world, &bytes, &size, NULL), PD_OK);
        assert_int_equal(pd_world_restore_from_memory(fresh, bytes, size, NULL), PD_OK);
        free(bytes);
        pd_world_step(world);
        pd_world_step(fresh);
        assert_true(pd_world_hash(world) == pd_world_hash(fresh));
        pd_world_destroy(fresh);
    }
    pd_world_destroy(world);
}

TEST_GROUP(grid_viscosity) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(same_bits_everywhere, use_best_level),
        cmocka_unit_test_setup(coefficients_follow_walls_and_viscosity, use_best_level),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
