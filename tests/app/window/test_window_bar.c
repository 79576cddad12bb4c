/* The bar at the top of the window: buttons and menus used with the mouse, the room beside them, and a narrow window. */
#include "window.h"

static void open_pool(program *program, const char *size) {
    const char *const window[] = {"pool.yaml", "--size", size,      "--view",    "sprites", "--particles",
                                  "300",       "--json", "--stats", "stats.csv", NULL};
    write_settings("");
    open_scene(program, WATER_POOL, window);
    await_steps(3);
}

static void close_pool(program *program) {
    hand("key ctrl+q");
    assert_exit(program, 0);
}

static void test_buttons(void **state) {
    (void)state;
    program program;
    open_pool(&program, "900x600");
    at_place(&program, "click 1", "Pause");
    await_line(&program, "Paused");
    at_place(&program, "click 1", "Pause");
    await_line(&program, "Running");
    at_place(&program, "click 1", "Method");
    at_place(&program, "click 1", "Menu: Grid fluid");
    await_line(&program, "\"Method\"");
    at_place(&program, "click 1", "Undo");
    await_line(&program, "Undone");
    at_place(&program, "click 1", "Redo");
    await_line(&program, "Redone");
    at_place(&program, "click 1", "Speed");
    at_place(&program, "click 1", "Menu: 1/4×");
    await_line(&program, "\"Speed of time\",\"value\":0.25");
    at_place(&program, "click 1", "Panel");
    place_of(&program, "Palette"); /* a row of the panel */
    at_place(&program, "click 1", "Scenes");
    place_of(&program, "Close"); /* the browser's button */
    hand("key Escape");
    close_pool(&program);
}

/* A method to compare with is chosen by clicks, in a small window too. */
static void test_menu_of_methods(void **state) {
    (void)state;
    program program;
    open_pool(&program, "480x400");
    at_place(&program, "click 1", "Menu");
    at_place(&program, "click 1", "Menu: Methods");
    assert_int_equal(find_place(&program, "Menu: Compare: Double density relaxation").width, 0); /* runs already */
    rectangle methods = place_of(&program, "Menu: Methods"), list = place_of(&program, "Menu: FLIP");
    assert_true(list.x > methods.x + methods.width / 2); /* beside the menu, so that no item comes under the pointer */
    at_place(&program, "click 1", "Menu: Compare: FLIP");
    await_line(&program, "Side by side");
    at_place(&program, "click 1", "Menu");
    at_place(&program, "click 1", "Menu: Methods");
    at_place(&program, "click 1", "Menu: Keep only the right pane");
    await_line(&program, "First pane closed: FLIP");
    close_pool(&program);
}

/* A press that closes the menu does nothing else, and Escape closes the menu before it quits. */
static void test_menu(void **state) {
    (void)state;
    program program;
    open_pool(&program, "900x600");
    at_place(&program, "click 1", "Menu");
    place_of(&program, "Menu: View");
    hand("key Escape");
    at_place(&program, "click 1", "Menu");
    at_middle("", place_of(&program, "Menu: Time"));
    at_place(&program, "click 1", "Menu: Fluid");
    place_of(&program, "Menu: View"); /* still open */
    hand("key Escape key Escape");
    assert_exit(&program, 0);
}

/* A press beside an open list only closes it. The next press counts, also on the bar. */
static void test_press_beside_a_list(void **state) {
    (void)state;
    program program;
    open_pool(&program, "900x600");
    rectangle scenes = place_of(&program, "Scenes");
    at_place(&program, "click 1", "Method");
    place_of(&program, "Menu: FLIP");
    at_middle("click 1", scenes);
    assert_int_equal(find_place(&program, "Menu: FLIP").width, 0);
    assert_int_equal(find_place(&program, "Search").width, 0);
    at_middle("click 1", scenes);
    place_of(&program, "Search"); /* of the browser */
    hand("key b");                /* types */
    hand("key Escape key Escape");
    assert_false(was_heard(&program, "Bars hidden"));
    close_pool(&program);
}

/* The view has the room between the bars: beside the tools, below the bar, above the strip, at any size. */
static void test_room_beside_the_bars(void **state) {
    (void)state;
    program program;
    open_pool(&program, "480x400");
    rectangle picture = place_of(&program, "Picture"), menu = place_of(&program, "Menu"),
              hand_tool = place_of(&program, "Hand");
    rectangle line = place_of(&program, "Time line"), panel_button = place_of(&program, "Panel");
    assert_true(picture.y >= menu.y + menu.height);
    assert_true(picture.x >= hand_tool.x + hand_tool.width);
    assert_true(picture.y + picture.height <= line.y);
    assert_true(panel_button.x + panel_button.width <= picture.x + picture.width);
    hand("key b");
    await_line(&program, "Bars hidden");
    rectangle whole = place_of(&program, "Picture");
    assert_int_equal(whole.width, 480);
    assert_int_equal(whole.height, 400);
    close_pool(&program);
    open_window(&program, (const char *const[]){"pool.yaml", "--size", "480x400", "--json", NULL}); /* remembered */
    assert_int_equal(place_of(&program, "Picture").height, 400);
    close_pool(&program);
}

/* The help lists keys that have the typed words, and a press beside the help only closes the help. */
static void test_help(void **state) {
    (void)state;
    program program;
    open_pool(&program, "900x600");
    rectangle pause = place_of(&program, "Pause");
    at_place(&program, "click 1", "Help");
    place_of(&program, "Help: Restart, keep my settings");
    assert_int_equal(find_place(&program, "Help: Redo").width, 0);
    at_place(&program, "click 1", "Tab: All keys");
    hand("key u n d o");
    place_of(&program, "Help: Undo");
    assert_int_equal(find_place(&program, "Help: Next view").width, 0);
    hand("key F1");
    assert_int_equal(find_place(&program, "Search").width, 0);
    hand("key h key Tab");
    place_of(&program, "Search");
    at_middle("click 1", pause);
    assert_int_equal(find_place(&program, "Search").width, 0);
    hand("key c");
    await_line(&program, "Palette");
    assert_false(was_heard(&program, "Paused"));
    at_place(&program, "click 1", "Reset");
    await_line(&program, "Restarted");
    close_pool(&program);
}

/* The manual opens in the desktop's program for its kind of file. */
static void test_manual(void **state) {
    (void)state;
    program program;
    char *path = strdup(getenv("PATH")), with_fake[4096];
    shell("mkdir bin && printf '#!/bin/sh\\necho \"$1\" > opened.part; mv opened.part opened\\n' > bin/xdg-open%s", "");
    shell("chmod +x bin/xdg-open%s", "");
    snprintf(with_fake, sizeof with_fake, "%s/bin:%s", folder, path);
    setenv("PATH", with_fake, 1);
    open_pool(&program, "900x600");
    hand("key h");
    at_place(&program, "click 1", "Tab: About");
    at_place(&program, "click 1", "Open the manual");
    await_line(&program, "The browser opens the manual '");
    await_file("opened");
    shell("grep -q '^file:///' opened%s", "");
    close_pool(&program);
    setenv("PATH", path, 1);
    free(path);
}

/* Numbers of the method are under "Advanced", which stays open in later runs. */
static void test_advanced(void **state) {
    (void)state;
    program program;
    open_pool(&program, "900x768");
    hand("key Tab");
    rectangle gravity = place_of(&program, "Strength"), view = place_of(&program, "View");
    rectangle speed = place_of(&program, "Speed of time"), advanced = place_of(&program, "Advanced");
    assert_true(gravity.y < view.y && view.y < speed.y && speed.y < advanced.y);
    assert_int_equal(gravity.x, view.x);
    assert_int_equal(gravity.width, speed.width);
    assert_int_equal(find_place(&program, "Stiffness").width, 0);
    at_middle("click 1", advanced);
    scroll_to_advanced(&program);
    place_of(&program, "Help on Stiffness");
    close_pool(&program);
    const char *const again[] = {"pool.yaml", "--size", "900x768", "--json", "--stats", "stats.csv", NULL};
    open_scene(&program, WATER_POOL, again); /* the panel is open, as it was */
    scroll_to_advanced(&program);
    place_of(&program, "Stiffness");
    close_pool(&program);
}

TEST_GROUP(window_bar) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_buttons, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_menu, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_menu_of_methods, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_press_beside_a_list, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_room_beside_the_bars, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_help, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_manual, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_advanced, set_up, end_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
