/* The tool bar in the window: chosen by mouse and by keys, used by mouse, undone. */
#include "window.h"
#include "with_threads.h"

#include <puddle/puddle.h>

static const char *const POOL =
    "puddle: 1\nname: Pool\nmethod: flip\ngravity: [0, -1.6]\ncontainer: {shape: box, width: 2, height: 2}\n"
    "materials:\n  water: {color: \"#3a8fff\"}\n  oil: {color: \"#e0a020\", mass: 0.8}\n"
    "regions: [{shape: box, center: [0, -0.7], size: [2, 0.6]}]\n";

/* With room for panel and bar. */
static const char *const WINDOW[] = {"pool.yaml", "--size",  "900x600",   "--view", "sprites", "--particles", "400",
                                     "--json",    "--stats", "stats.csv", "--log",  "log",     NULL};
static int center_x, center_y; /* of the picture, beside the bar and the panel if they are open */

static void open_pool(program *program) {
    open_scene(program, POOL, WINDOW);
    await_steps(5);
}

static void click(int x, int y) { at("click 1", x, y); }

static void find_center(program *program) {
    rectangle picture = place_of(program, "Picture");
    center_x = middle_x(picture);
    center_y = middle_y(picture);
}

static void choose(program *program, const char *tool, const char *announced) {
    at_place(program, "click 1", tool);
    await_line(program, announced);
}

/* Holds the left button from one place of the picture to another, while steps are made. */
static void stroke(int from_x, int from_y, int to_x, int to_y) {
    at("mousedown 1", from_x, from_y);
    await_steps(4);
    at("", to_x, to_y);
    await_steps(4);
    hand("mouseup 1");
    await_steps(4);
}

typedef struct counts {
    int all, oil;
} counts;

/* Saves a snapshot, whose file it counts. */
static counts saved(program *program) {
    static int number; /* the files of a test are numbered from 1 */
    char path[64];
    pd_world *world;
    pd_error error;
    pd_view view;
    counts counts = {0};
    for (number = 1; snprintf(path, sizeof path, "pool-%04d.puddle", number), access(path, F_OK) == 0;) number++;
    save_file(program, path);
    if (load_with_threads(&world, path, 1, &error) != PD_OK) fail_msg("%s", error.message);
    pd_world_view(world, &view);
    counts.all = view.count;
    for (int i = 0; i < view.count; i++) counts.oil += view.material[i] == 1;
    pd_world_destroy(world);
    return counts;
}

static void test_pour_and_erase(void **state) {
    (void)state;
    program program;
    write_settings("");
    open_pool(&program);
    await_steps(3);
    find_center(&program);
    choose(&program, "Pour", "\"Pour: water\"");
    at_place(&program, "click 1", "Swatch: oil");
    await_line(&program, "\"Pour: oil\"");
    counts before = saved(&program);
    assert_int_equal(before.all, 400);
    assert_int_equal(before.oil, 0);
    stroke(center_x - 60, center_y - 60, center_x + 60, center_y - 60);
    counts poured = saved(&program);
    assert_true(poured.oil > 20);
    assert_int_equal(poured.all, 400 + poured.oil);
    choose(&program, "Erase", "\"Erase: fluid\"");
    stroke(center_x - 100, center_y + 170, center_x + 100, center_y + 170);
    counts erased = saved(&program);
    print_message("400 particles, %d after pouring, %d after erasing\n", poured.all, erased.all);
    assert_true(erased.all < poured.all - 20);
    hand("key ctrl+z");
    await_line(&program, "Undone");
    assert_int_equal(saved(&program).all, poured.all);
    hand("key ctrl+z");
    await_line(&program, "Undone");
    assert_int_equal(saved(&program).all, 400);
    hand("key ctrl+shift+z");
    await_line(&program, "Redone");
    assert_int_equal(saved(&program).oil, poured.oil);
    hand("key ctrl+q");
    assert_exit(&program, 0);
    assert_true(logged(" tool pour ") > 0 && logged(" tool erase ") > 0);
    assert_int_equal(logged(" tool drag "), 0);
}

/* Keys choose the same tools; once the bars are put away, the picture is in their place. */
static void test_keys_without_bars(void **state) {
    (void)state;
    program program;
    write_settings("");
    open_pool(&program);
    rectangle erase = place_of(&program, "Erase");
    hand("key b");
    await_line(&program, "Bars hidden");
    find_center(&program);
    at_middle("click 1", erase); /* without a bar: a drag, of nothing */
    await_steps(3);
    hand("key F3");
    assert_non_null(strstr(await_line(&program, "\"Tool\""), "Push"));
    stroke(center_x, center_y + 170, center_x + 20, center_y + 170);
    hand("key F4");
    assert_non_null(strstr(await_line(&program, "\"Tool\""), "Pull"));
    hand("key F5");
    await_line(&program, "\"Pour: water\"");
    hand("key F5");
    await_line(&program, "\"Pour: oil\"");
    hand("key F5");
    await_line(&program, "\"Pour: water\"");
    hand("mousemove 512 300 mousedown 3");
    await_steps(3);
    hand("mouseup 3"); /* pushes with any tool */
    assert_int_equal(saved(&program).all, 400);
    hand("key F6");
    assert_non_null(strstr(await_line(&program, "\"Erase: fluid\""), "fluid"));
    hand("key F2");
    assert_non_null(strstr(await_line(&program, "\"Tool\""), "Hand"));
    stroke(center_x, center_y + 170, center_x + 20, center_y + 170);
    assert_int_equal(saved(&program).all, 400);
    hand("key F7 key h");
    click(place_of(&program, "Picture").x + 3, center_y); /* closes the help, and draws no wall beside it */
    click(center_x, center_y - 120);
    await_line(&program, "\"New\"");
    await_steps(4);
    hand("key ctrl+q");
    assert_exit(&program, 0);
    assert_true(logged(" tool push ") > 0 && logged(" tool drag ") > 0);
    assert_int_equal(logged(" edit {obstacles"), 1);
    assert_int_equal(logged(" tool erase "), 0);
}

/* Returns the last logged tool: "pour", "none". */
static const char *last_tool(void) {
    static char line[1 << 18], tool[16];
    FILE *log = fopen("log", "r");
    assert_non_null(log);
    *tool = '\0';
    while (fgets(line, sizeof line, log)) sscanf(line, "%*d tool %15s", tool);
    fclose(log);
    return tool;
}

/* A step takes many frames, in each of which several steps are owed. A click and a drag end nevertheless. */
static void test_release_while_steps_are_slow(void **state) {
    (void)state;
    program program;
    const char *const window[] = {"pool.yaml", "--method",    "ddr",   "--size",     "480x480", "--view",
                                  "sprites",   "--particles", "1000",  "--substeps", "400",     "--json",
                                  "--stats",   "stats.csv",   "--log", "log",        NULL};
    open_scene(&program, POOL, window);
    hand("key F5");
    await_line(&program, "\"Pour: water\"");
    at("click 1", 512, 300);
    at("", 560, 340);
    await_steps(4);
    at("mousedown 1", 500, 300);
    await_steps(2);
    at("mouseup 1", 520, 300);
    at("", 560, 340);
    await_steps(4);
    hand("key ctrl+q");
    assert_exit(&program, 0);
    assert_true(logged(" tool pour ") >= 2);
    assert_int_equal(logged(" tool none"), 2);
    assert_string_equal(last_tool(), "none");
}

TEST_GROUP(window_tools) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_pour_and_erase, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_keys_without_bars, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_release_while_steps_are_slow, set_up, end_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
