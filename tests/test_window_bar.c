/* The bar at the top of the window: buttons and menus used with the mouse, the room beside them, and a narrow window. */
#include "test_window.h"

static const char *const POOL =
    "puddle: 1\nname: Pool\nmethod: ddr\ngravity: [0, -1.6]\ncontainer: {shape: box, width: 2, height: 2}\n"
    "materials:\n  water: {color: \"#3a8fff\"}\nregions: [{shape: box, center: [0, -0.5], size: [2, 1]}]\n";

static void open_pool(program *program, const char *size) {
    const char *const window[] = {"pool.yaml", "--size", size,      "--view",    "sprites", "--particles",
                                  "300",       "--json", "--stats", "stats.csv", NULL};
    write_settings("");
    open_scene(program, POOL, window);
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
    place_of(&program, "All defaults"); /* a row of the panel */
    at_place(&program, "click 1", "Scenes");
    place_of(&program, "Close"); /* the browser's button */
    hand("key Escape");
    close_pool(&program);
}

/* A press that closes the menu does nothing else, and Escape closes the menu before it quits. */
static void test_menu(void **state) {
    (void)state;
    program program;
    open_pool(&program, "900x600");
    at_place(&program, "click 1", "Menu");
    place_of(&program, "Menu: Picture");
    hand("key Escape");
    at_place(&program, "click 1", "Menu");
    at_middle("", place_of(&program, "Menu: Time"));
    at_place(&program, "click 1", "Menu: Fluid");
    place_of(&program, "Menu: Picture"); /* still open */
    hand("key Escape key Escape");
    assert_exit(&program, 0);
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
    await_line(&program, "Bars put away");
    rectangle whole = place_of(&program, "Picture");
    assert_int_equal(whole.width, 480);
    assert_int_equal(whole.height, 400);
    close_pool(&program);
    open_window(&program, (const char *const[]){"pool.yaml", "--size", "480x400", "--json", NULL}); /* remembered */
    assert_int_equal(place_of(&program, "Picture").height, 400);
    close_pool(&program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_buttons, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_menu, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_room_beside_the_bars, set_up, end_programs),
    };
    return cmocka_run_group_tests(tests, set_up_all, tear_down_all);
}
