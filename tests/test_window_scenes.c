/* Scenes in the window: saving what it shows as a scene file, an empty container, and the browser. */
#include "test_window.h"

#include "worlds.h"

/* Positions, velocities and materials in two worlds, bit for bit; ids of b count anew in the order of those of a. */
static void expect_same_fluid(const pd_world *a, const pd_world *b) {
    pd_view one, two;
    pd_world_view(a, &one);
    pd_world_view(b, &two);
    assert_true(one.count > 0);
    assert_int_equal(one.count, two.count);
    for (int i = 0; i < one.count; i++) {
        int k = 0;
        uint32_t rank = 0;
        for (int n = 0; n < one.count; n++) rank += one.id[n] < one.id[i];
        while (two.id[k] != rank) k++;
        assert_true(one.x[i] == two.x[k] && one.y[i] == two.y[k] && one.vx[i] == two.vx[k] && one.vy[i] == two.vy[k]);
        assert_int_equal(one.material[i], two.material[k]);
    }
}

/* Ctrl+Shift+S next to Ctrl+S, of a scene whose obstacle the pointer has moved: both hold the same, and the scene opens again. */
static void test_what_is_shown_is_saved_as_a_scene(void **state) {
    (void)state;
    program program;
    const char *arguments[] = {"obstacles", SMALL, "--json", NULL};
    open_window(&program, arguments);
    hand("mousemove 512 384 mousedown 1 mousemove 560 420 mouseup 1 key Right key space");
    await_line(&program, "Paused");
    hand("key ctrl+s");
    await_line(&program, "Saved obstacles-0001.puddle");
    hand("key ctrl+shift+s");
    await_line(&program, "Scene saved obstacles-0001.yaml");
    hand("key ctrl+shift+s");
    await_line(&program, "Scene saved obstacles-0002.yaml");
    hand("key Escape");
    assert_int_equal(program_end(&program), 0);
    pd_error error = {0};
    pd_scene scene;
    pd_world *saved;
    if (pd_world_load(&saved, "obstacles-0001.puddle", 1, &error) != PD_OK) fail_msg("%s", error.message);
    if (pd_scene_read("obstacles-0001.yaml", &scene, &error) != PD_OK) fail_msg("%s", error.message);
    pd_world *read = world_of(&scene, 1);
    pd_scene_free(&scene);
    expect_same_fluid(saved, read);
    assert_true(pd_world_gravity(saved).y == pd_world_gravity(read).y);
    pd_world_destroy(saved);
    pd_world_destroy(read);
    const char *again[] = {"obstacles-0001.yaml", "--size", "480x480", "--view", "sprites", "--frames", "3", NULL};
    program_start(&program, again);
    assert_int_equal(program_end(&program), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_what_is_shown_is_saved_as_a_scene, set_up, end_programs),
    };
    return cmocka_run_group_tests(tests, set_up_all, tear_down_all);
}
