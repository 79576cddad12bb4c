/* The palette of materials in the window: by key and by mouse, poured, saved, undone. */
#include "window.h"
#include "with_threads.h"

#include <puddle/puddle.h>

static const char *const POOL =
    "puddle: 1\nname: Pool\nmethod: sph\ngravity: [0, -1.6]\ncontainer: {shape: box, width: 2, height: 2}\n"
    "materials:\n  water: {color: \"#3a8fff\"}\n"
    "regions: [{shape: box, center: [0, -0.7], size: [2, 0.6]}]\n";

/* The window is in the middle of the screen. */
enum { MIDDLE_X = 512, MIDDLE_Y = 384 };

static void open_pool(program *program) {
    static const char *const window[] = {"pool.yaml", "--size",  "600x600",   "--view", "sprites", "--particles", "300",
                                         "--json",    "--stats", "stats.csv", "--log",  "log",     NULL};
    open_scene(program, POOL, window);
    await_steps(5);
}

/* Chooses a ready material by mouse. */
static void choose(program *program, const char *material, const char *announced) {
    hand("key p");
    at_place(program, "click 1", material);
    await_line(program, announced);
}

static void pour(void) {
    at("mousedown 1", MIDDLE_X - 40, MIDDLE_Y - 80);
    await_steps(6);
    at("", MIDDLE_X + 40, MIDDLE_Y - 80);
    await_steps(6);
    hand("mouseup 1");
    await_steps(4);
}

/* Saves a scene, or a snapshot where it ends in .puddle, and tells how much of a material there is; -1: no such material. */
static int saved(program *program, const char *path, const char *material) {
    pd_world *world;
    pd_error error;
    pd_scene scene;
    pd_view view;
    int count = 0, index = -1;
    save_file(program, path);
    if (strstr(path, ".yaml")) {
        if (pd_scene_read(path, &scene, &error) != PD_OK) fail_msg("%s", error.message);
        if (create_with_threads(&world, &scene, 1, &error) != PD_OK) fail_msg("%s", error.message);
        pd_scene_free(&scene);
    } else if (load_with_threads(&world, path, 1, &error) != PD_OK) {
        fail_msg("%s", error.message);
    }
    const pd_scene *now = pd_world_scene(world);
    for (int m = 0; m < now->material_count; m++)
        if (strcmp(now->materials[m].name, material) == 0) index = m;
    pd_world_view(world, &view);
    for (int i = 0; i < view.count; i++) count += view.material[i] == index;
    pd_world_destroy(world);
    return index < 0 ? -1 : count;
}

static void test_honey_by_mouse(void **state) {
    (void)state;
    program program;
    open_pool(&program);
    choose(&program, "Palette: honey", "\"Pour: honey\"");
    pour();
    int honey = saved(&program, "pool-0001.yaml", "honey");
    print_message("%d particles of honey\n", honey);
    assert_true(honey > 10);
    hand("key ctrl+z");
    await_line(&program, "Undone"); /* the stroke */
    assert_int_equal(saved(&program, "pool-0001.puddle", "honey"), 0);
    hand("key ctrl+z");
    await_line(&program, "Undone"); /* the material */
    assert_int_equal(saved(&program, "pool-0002.puddle", "honey"), -1);
    assert_int_equal(saved(&program, "pool-0003.puddle", "water"), 300);
    pour(); /* of what there is */
    assert_true(saved(&program, "pool-0004.puddle", "water") > 310);
    choose(&program, "Palette: water", "\"Pour: water\""); /* which the scene has */
    hand("key ctrl+q");
    assert_exit(&program, 0);
    assert_int_equal(logged(" edit {materials: {\"honey\""), 1);
    assert_int_equal(logged(" edit "), 1); /* water is there already */
    assert_int_equal(logged(" back "), 2);
}

/* Escape closes the palette and only then the window. A press beside the palette closes the palette and does nothing else. */
static void test_closing(void **state) {
    (void)state;
    program program;
    open_pool(&program);
    hand("mousemove 5 5 key p key Escape key c"); /* the next palette: it still runs */
    await_line(&program, "\"Palette\"");
    choose(&program, "Palette: mercury", "mercury\"");
    choose(&program, "Palette: light turquoise", "light turquoise\"");
    await_steps(3);
    assert_int_equal(saved(&program, "pool-0001.puddle", "light turquoise"), 0);
    hand("key Tab"); /* it was opened for the new material */
    hand("key F2");
    await_line(&program, "\"Hand\"");
    hand("key p");
    at("mousedown 1", MIDDLE_X + 200, MIDDLE_Y + 200);
    await_steps(4);
    hand("mouseup 1 key Escape"); /* the press has closed the palette */
    assert_exit(&program, 0);
    assert_int_equal(logged(" tool drag "), 0);
    assert_int_equal(logged("edit {materials: {\"mercury\""), 1);
    assert_int_equal(logged("edit {materials: {\"light turquoise\""), 1);
}

/* Arrow keys and Enter choose in the palette. Other keys are those of the window, unless a text field has the keyboard focus. */
static void test_keys(void **state) {
    (void)state;
    program program;
    open_pool(&program);
    hand("key p key Down key Down key Right key Return"); /* the first arrow highlights water */
    await_line(&program, "\"Pour: ");
    assert_null(strstr(program.heard, "Stiffness"));
    assert_null(strstr(program.heard, "Gravity"));
    hand("key p key Return key Up key Up key Left key Right"); /* nothing was highlighted; stays within the palette */
    press(&program, "F6", "\"Erase");
    hand("key Down key Down key Down key Down key Down key Return");
    await_line(&program, "\"Pour: ");
    at_place(&program, "keydown ctrl click 1 keyup ctrl", "Strength"); /* the panel was opened for the new material */
    hand("key p key 5 key BackSpace key 4 key Return");
    assert_int_equal(find_place(&program, "Palette: water").width, 0);
    assert_null(strstr(program.heard, "\"Method\""));
    press(&program, "Left", "\"Gravity\""); /* is for the window again */
    hand("key ctrl+q");
    assert_exit(&program, 0);
    assert_int_equal(logged(" edit "), 2);
}

/* A button of the tool bar, as large as a tool, opens it, also beside tools that need no material. */
static void test_button(void **state) {
    (void)state;
    program program;
    static const char *const window[] = {"pool.yaml", "--size",  "900x600",   "--view", "sprites", "--particles", "300",
                                         "--json",    "--stats", "stats.csv", "--log",  "log",     NULL};
    write_settings("");
    open_scene(&program, POOL, window);
    await_steps(5);
    rectangle tool = place_of(&program, "Pour"), button = place_of(&program, "More materials");
    assert_int_equal(button.width, tool.width);
    assert_int_equal(button.height, tool.height);
    assert_true(button.y > tool.y);
    at_middle("click 1", button);
    at_place(&program, "click 1", "Palette: jelly");
    await_line(&program, "jelly\"");
    hand("key ctrl+q");
    assert_exit(&program, 0);
    assert_int_equal(write_settings("bars: off\n"), 0);
    assert_int_equal(logged("edit {materials: {\"jelly\""), 1);
}

TEST_GROUP(window_materials) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_honey_by_mouse, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_closing, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_keys, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_button, set_up, end_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
