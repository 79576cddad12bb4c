/* Two panes side by side in the window: opened by keys, used by mouse in both, either of them kept. */
#include "window.h"
#include "with_threads.h"

#include <png.h>
#include <puddle/puddle.h>

/* A window in the middle of the screen, with a pane in each half. */
enum { WIDE = 900, TALL = 600, AT_X = (1024 - WIDE) / 2, AT_Y = (768 - TALL) / 2, LOW = AT_Y + 400 };
enum { LEFT_MIDDLE = AT_X + WIDE / 4, RIGHT_MIDDLE = AT_X + 3 * WIDE / 4 };

static void open_pool(program *program, const char *more, const char *more_value) {
    const char *const window[] = {"pool.yaml",   "--size", "900x600", "--view",   "sprites",
                                  "--particles", "300",    "--json",  "--stats",  "stats.csv",
                                  "--log",       "log",    more,      more_value, NULL};
    open_scene(program, WATER_POOL, window);
    await_steps(5);
}

static void stroke(program *program, int from_x, int to_x) {
    at("mousedown 1", from_x, LOW);
    await_input(program);
    at("", to_x, LOW - 30);
    await_input(program);
    hand("mouseup 1");
    await_input(program);
}

static uint64_t hash_of_snapshot(const char *path) {
    pd_world *world;
    pd_error error;
    if (load_with_threads(&world, path, 1, &error) != PD_OK) fail_msg("%s", error.message);
    uint64_t hash = pd_world_hash(world);
    pd_world_destroy(world);
    return hash;
}

static pd_log *read_log(const char *path, pd_world **world) {
    pd_log *log;
    pd_error error;
    char damage[PD_MAX_LOG_DAMAGE];
    if (read_log_with_threads(&log, world, path, 1, damage, &error) != PD_OK) fail_msg("%s", error.message);
    if (*damage) fail_msg("%s", damage);
    return log;
}

/* Every hash of the log is that of the world that plays it. */
static void expect_log_to_replay(const char *path) {
    pd_world *world;
    pd_log *log = read_log(path, &world);
    assert_true(pd_log_end_tick(log) > 20);
    while (pd_log_tick(log) < pd_log_end_tick(log)) {
        pd_log_replay_commands(log, world);
        pd_world_step(world);
        pd_log_end_step(log, world);
    }
    pd_log_replay_commands(log, world);
    assert_true(pd_log_first_divergence(log) == PD_LOG_NEVER);
    pd_log_destroy(log);
    pd_world_destroy(world);
}

/* Returns the tick of the state that the world got when the second pane was kept. */
static uint64_t tick_of_state(const pd_log *log) {
    uint64_t tick = 0;
    int index = 0;
    while (pd_log_command(log, index, &tick)->kind != PD_COMMAND_STATE) index++;
    return tick;
}

/* The world of another method with the log's input from its first reset on, until the second pane was kept: what that pane
 * showed. */
static uint64_t hash_of_input(const char *path, const char *method) {
    pd_world *first, *world;
    pd_log *log = read_log(path, &first);
    pd_scene scene;
    pd_error error;
    assert_int_equal(pd_scene_copy(&scene, pd_world_scene(first), &error), PD_OK);
    snprintf(scene.method, sizeof scene.method, "%s", method);
    if (create_with_threads(&world, &scene, 1, &error) != PD_OK) fail_msg("%s", error.message);
    pd_scene_free(&scene);
    int next = 0, count = pd_log_commands(log);
    uint64_t now = 0, tick;
    while (next < count && pd_log_command(log, next, &now)->kind != PD_COMMAND_RESET) next++;
    assert_true(next < count);
    for (; now < tick_of_state(log); now++) {
        for (; next < count && pd_log_command(log, next, &tick) && tick <= now; next++)
            assert_int_equal(pd_world_apply(world, pd_log_command(log, next, &tick), &error), PD_OK);
        pd_world_step(world);
    }
    uint64_t hash = pd_world_hash(world);
    pd_log_destroy(log);
    pd_world_destroy(first);
    pd_world_destroy(world);
    return hash;
}

/* Strokes that begin within 0.1 m of the middle of the container. */
static int strokes_in_the_middle(const char *path) {
    pd_world *world;
    pd_log *log = read_log(path, &world);
    int count = 0;
    bool held = false;
    for (int i = 0; i < pd_log_commands(log); i++) {
        uint64_t tick;
        const pd_command *command = pd_log_command(log, i, &tick);
        if (command->kind != PD_COMMAND_TOOL) continue;
        bool begins = command->is.tool.kind == PD_TOOL_DRAG && !held;
        held = command->is.tool.kind == PD_TOOL_DRAG;
        count += begins && fabsf(command->is.tool.position.x) < 0.1f;
    }
    pd_log_destroy(log);
    pd_world_destroy(world);
    return count;
}

/* A drag means the same place in both panes, and the second pane, once it is kept, is the run of its method with that input. */
static void test_drag_in_both_and_keep_the_second(void **state) {
    (void)state;
    program program;
    open_pool(&program, NULL, NULL);
    hand("key ctrl+6");
    assert_non_null(strstr(await_line(&program, "Side by side"), "FLIP"));
    await_steps(5);
    stroke(&program, LEFT_MIDDLE, LEFT_MIDDLE + 60);
    stroke(&program, RIGHT_MIDDLE, RIGHT_MIDDLE + 60);
    press(&program, "g", "Gravity");
    await_steps(5);
    press(&program, "g", "Gravity");
    await_steps(5);
    press(&program, "n", "density error");
    rectangle graph = place_of(&program, "Graph"), axis = place_of(&program, "Time axis");
    assert_true(axis.y > middle_y(graph) && axis.y + axis.height <= graph.y + graph.height);
    at_middle("click 1", graph);
    await_line(&program, "time per step");
    press(&program, "space", "Paused");
    hand("key ctrl+k");
    await_line(&program, "First pane closed: FLIP");
    save_file(&program, "pool-0001.puddle");
    press(&program, "space", "Running");
    await_steps(5);
    hand("key ctrl+q");
    assert_exit(&program, 0);
    assert_string_equal(errors_text(), "");
    assert_int_equal(strokes_in_the_middle("log"), 2);
    expect_log_to_replay("log");
    assert_true(hash_of_snapshot("pool-0001.puddle") == hash_of_input("log", "flip"));
}

/* The key again and Escape keep the first world, whose log goes on; Escape quits only then. The button keeps the second. */
static void test_keep_the_first(void **state) {
    (void)state;
    program program;
    open_pool(&program, "--record", "frames");
    hand("key ctrl+4");
    assert_non_null(strstr(await_line(&program, "Side by side"), "Grid"));
    await_steps(5);
    hand("key ctrl+4");
    await_line(&program, "Second pane closed: Double density relaxation continues");
    await_steps(5);
    hand("key ctrl+3");
    await_line(&program, "Side by side");
    hand("key ctrl+6");
    assert_non_null(strstr(await_line(&program, "Side by side"), "FLIP"));
    await_steps(5);
    hand("key ctrl+z");
    await_line(&program, "Second pane closed: undo changes one pane only");
    hand("key ctrl+6");
    await_line(&program, "Side by side");
    stroke(&program, RIGHT_MIDDLE, RIGHT_MIDDLE + 60);
    hand("key Escape");
    await_line(&program, "Second pane closed: Double density relaxation continues");
    await_steps(20);
    hand("key ctrl+q");
    assert_exit(&program, 0);
    assert_string_equal(errors_text(), "");
    expect_log_to_replay("log");
    shell("grep -q '\"%s\"' frames/recording.json", "ddr,flip"); /* a recording is of both */
    shell("grep -q '\"%s\"' frames/recording.json", "ddr");
}

/* A drag ends with the pane in which it is: under the pointer is another place then. */
static void test_a_drag_ends_with_its_pane(void **state) {
    (void)state;
    program program;
    open_pool(&program, NULL, NULL);
    hand("key ctrl+6");
    await_line(&program, "Side by side");
    at("mousedown 1", RIGHT_MIDDLE, LOW);
    await_input(&program);
    hand("key ctrl+6");
    await_line(&program, "Second pane closed");
    await_steps(4);
    hand("mouseup 1");
    hand("key ctrl+q");
    assert_exit(&program, 0);
    pd_world *world;
    pd_log *log = read_log("log", &world);
    int drags = 0;
    for (int i = 0; i < pd_log_commands(log); i++) {
        uint64_t tick;
        const pd_tool *tool = &pd_log_command(log, i, &tick)->is.tool;
        if (pd_log_command(log, i, &tick)->kind != PD_COMMAND_TOOL || tool->kind == PD_TOOL_NONE) continue;
        assert_true(fabsf(tool->position.x) < 0.1f);
        drags++;
    }
    assert_true(drags > 0);
    pd_log_destroy(log);
    pd_world_destroy(world);
}

/* In a narrow window the panel closes for two panes, and a press where it was is for the fluid. */
static void test_a_narrow_window(void **state) {
    (void)state;
    program program;
    const char *const window[] = {"pool.yaml", "--size",  "480x400",   "--view", "sprites", "--particles", "300",
                                  "--json",    "--stats", "stats.csv", "--log",  "log",     NULL};
    open_scene(&program, WATER_POOL, window);
    await_steps(5);
    hand("key Tab");
    await_steps(3);
    hand("key ctrl+6");
    await_line(&program, "Panel closed for two panes (Tab opens the panel)");
    await_input(&program);     /* the next frame has no panel */
    hand("mousemove 632 414"); /* the middle of the right pane */
    await_input(&program);
    hand("mousedown 1");
    await_input(&program);
    hand("mouseup 1");
    await_input(&program);
    hand("key ctrl+q");
    assert_exit(&program, 0);
    assert_int_equal(strokes_in_the_middle("log"), 1);
}

/* The properties of a material can be changed while two methods are compared: both panes get the value. */
static void test_material_in_both(void **state) {
    (void)state;
    program program;
    open_pool(&program, NULL, NULL);
    hand("key ctrl+2");
    await_line(&program, "Side by side");
    hand("key Tab");
    rectangle slider = place_of(&program, "Yield (water)"); /* grey until it has an own value */
    at("click 1", slider.x + 3 * slider.width / 4, middle_y(slider));
    await_steps(5);
    hand("key ctrl+k");
    await_line(&program, "First pane closed: ");
    save_file(&program, "kept.yaml");
    hand("key ctrl+q");
    assert_exit(&program, 0);
    shell("grep -q 'yield: ' %s", "kept.yaml");
}

static void test_button_keeps_the_second(void **state) {
    (void)state;
    program program;
    open_pool(&program, NULL, NULL);
    hand("key ctrl+2");
    await_line(&program, "Side by side");
    await_steps(5);
    at_place(&program, "click 1", "Keep this");
    assert_non_null(strstr(await_line(&program, "First pane closed: "), "SPH"));
    await_steps(5);
    press(&program, "ctrl+z", "Undone (back to");
    hand("key ctrl+q");
    assert_exit(&program, 0);
}

/* Reads a pixel of a screenshot of two panes. */
static void read_pixel(program *program, const char *name, int x, int y, uint8_t rgb[3]) {
    static uint8_t pixels[WIDE * TALL * 3];
    png_image image = {.version = PNG_IMAGE_VERSION};
    press(program, "F12", name);
    if (!png_image_begin_read_from_file(&image, name)) fail_msg("%s: %s", name, image.message);
    assert_true(image.width == WIDE && image.height == TALL);
    image.format = PNG_FORMAT_RGB;
    assert_true(png_image_finish_read(&image, NULL, pixels, 0, NULL));
    memcpy(rgb, &pixels[3 * (y * WIDE + x)], 3);
}

/* Recordings and screenshots have the captions, with a stripe in the colour of each pane, unless the legend is switched off. */
static void test_captions_in_screenshots(void **state) {
    (void)state;
    program program;
    uint8_t rgb[3];
    open_pool(&program, NULL, NULL);
    press(&program, "ctrl+6", "Side by side");
    await_steps(3);
    press(&program, "space", "Paused");
    read_pixel(&program, "puddle-0001.png", 5, 1, rgb);
    assert_true(rgb[2] > 150 && rgb[2] > rgb[0]); /* blue */
    read_pixel(&program, "puddle-0002.png", WIDE - 5, 1, rgb);
    assert_true(rgb[0] > 150 && rgb[0] > rgb[2]); /* orange */
    hand("key Tab");
    for (int turn = 0; turn < 20 && !find_place(&program, "Legend").width; turn++) at("click 5", AT_X + WIDE - 60, LOW);
    at_place(&program, "click 1", "Legend");
    read_pixel(&program, "puddle-0003.png", WIDE - 5, 1, rgb);
    assert_true(rgb[0] < 100);
    hand("key ctrl+q");
    assert_exit(&program, 0);
}

TEST_GROUP(window_panes) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_drag_in_both_and_keep_the_second, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_keep_the_first, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_a_drag_ends_with_its_pane, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_material_in_both, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_button_keeps_the_second, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_a_narrow_window, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_captions_in_screenshots, set_up, end_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
