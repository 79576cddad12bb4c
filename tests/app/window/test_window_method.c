/* Changes of the method in the window: by keys, by the panel, during a drag, and by rewinding. */
#include "window.h"
#include "with_threads.h"

#include <puddle/puddle.h>

enum { COLUMN_STEP = 0, COLUMN_PARTICLES = 2, COLUMN_RMS_SPEED = 9, STATE_X = 2, STATE_Y = 3, MOST_COLUMNS = 32 };

/* Moves the pointer to and fro until the program has made so many further steps. */
static void drag_on(int rows) {
    int goal = count_rows("stats.csv") + rows;
    for (int turn = 0; count_rows("stats.csv") < goal; turn++) {
        char move[64];
        int swing = turn % 80 < 40 ? turn % 40 : 40 - turn % 40;
        snprintf(move, sizeof move, "mousemove %d 470", LEFT + 180 + 3 * swing);
        hand(move);
    }
}

/* Reads the numbers of the next row, NAN for empty cells. Returns the number of cells, 0 at the end. */
static int read_row(FILE *file, double cells[MOST_COLUMNS]) {
    char line[4096];
    if (!fgets(line, sizeof line, file)) return 0;
    int count = 0;
    for (char *cell = line; cell && count < MOST_COLUMNS; count++) {
        char *end;
        cells[count] = strtod(cell, &end);
        if (end == cell) cells[count] = NAN;
        cell = strchr(cell, ',');
        if (cell) cell++;
    }
    return count;
}

/* Saves a snapshot, and checks the method in it. */
static void expect_method(program *program, const char *name) {
    char command[256];
    save_file(program, "method.puddle");
    snprintf(command, sizeof command, "grep -aq '^method: %s' method.puddle", name);
    if (system(command) != 0) fail_msg("not the method %s", name);
}

/* The rows are consecutive steps of 400 particles with moderate speeds. */
static void expect_calm(const char *path, int first_step) {
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    double cells[MOST_COLUMNS];
    read_row(file, cells); /* the heading */
    for (int step = first_step; read_row(file, cells); step++) {
        assert_int_equal((int)cells[COLUMN_STEP], step);
        assert_int_equal((int)cells[COLUMN_PARTICLES], 400);
        if (!(cells[COLUMN_RMS_SPEED] < sqrt(2 * 1.6))) /* of a fall by the circle's radius */
            fail_msg("step %d: rms speed %g", step, cells[COLUMN_RMS_SPEED]);
    }
    fclose(file);
}

static void expect_inside(const char *path) {
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    double cells[MOST_COLUMNS];
    int rows = 0;
    for (read_row(file, cells); read_row(file, cells); rows++)
        if (!(hypot(cells[STATE_X], cells[STATE_Y]) < 1.0001))
            fail_msg("a particle at %g, %g", cells[STATE_X], cells[STATE_Y]);
    assert_int_equal(rows, 400);
    fclose(file);
}

static void test_keys_while_dragging(void **state) {
    (void)state;
    program program;
    const char *arguments[] = {"blobs", SMALL, "--json", "--stats", "stats.csv", "--state", "state.csv", NULL};
    open_window(&program, arguments);
    hand("mousemove 452 470 mousedown 1");
    drag_on(60);
    static const char *const keys[][3] = {{"key 2", "SPH with near pressure", "sph"},
                                          {"key 3", "Position based fluids", "pbf"},
                                          {"key 4", "Grid fluid", "grid"},
                                          {"key 6", "FLIP", "flip"},
                                          {"key 5", "Vortex particles with buoyancy", "vortex"},
                                          {"key 2", "SPH with near pressure", "sph"},
                                          {"key 4", "Grid fluid", "grid"},
                                          {"key 3", "Position based fluids", "pbf"},
                                          {"key 1", "Double density relaxation", "ddr"}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        hand(keys[i][0]);
        assert_non_null(strstr(await_line(&program, "\"Method\""), keys[i][1]));
        drag_on(40);
        expect_method(&program, keys[i][2]);
        if (i == 1) shell("cp %s second.puddle", "method.puddle");
    }
    int before = count_rows("stats.csv");
    hand("mouseup 1");
    await_steps(10);
    hand("key ctrl+q");
    assert_exit(&program, 0);
    assert_true(count_rows("stats.csv") > before);
    expect_calm("stats.csv", 1);
    expect_inside("state.csv");
    /* A snapshot saved during the run continues with its own method. */
    shell("%s run --load second.puddle --steps 30 --stats more.csv --state more-state.csv --quiet", PROGRAM_IN_SHELL);
    FILE *more = fopen("more.csv", "r");
    assert_non_null(more);
    double cells[MOST_COLUMNS];
    read_row(more, cells);
    assert_true(read_row(more, cells) > 0);
    fclose(more);
    expect_calm("more.csv", (int)cells[COLUMN_STEP]);
    assert_true(cells[COLUMN_STEP] > 100);
    expect_inside("more-state.csv");
}

/* Backspace restores the method of the state that it goes back to; R keeps the current method; Shift+R restores that of
 * the scene. A recording goes on after Backspace and R. */
static void test_rewind_and_reset(void **state) {
    (void)state;
    program program;
    const char *arguments[] = {"pool", SMALL, "--json", "--stats", "stats.csv", "--record", "film", NULL};
    open_window(&program, arguments);
    await_steps(70); /* more than a second */
    hand("key 2");
    await_line(&program, "SPH with near pressure");
    await_steps(10);
    hand("key space BackSpace");
    await_line(&program, "Paused");
    await_line(&program, "Double density relaxation");
    await_line(&program, "Rewound to");
    expect_method(&program, "ddr");
    hand("key 3");
    await_line(&program, "Position based fluids");
    hand("key space");
    await_line(&program, "Running");
    await_steps(5);
    hand("key r");
    await_line(&program, "Restarted");
    await_steps(5);
    expect_method(&program, "pbf");
    assert_false(was_heard(&program, "Recorded")); /* it goes on until the world is replaced */
    hand("key shift+r");
    await_line(&program, "Original scene restored");
    expect_method(&program, "ddr");
    hand("key ctrl+q");
    assert_exit(&program, 0);
}

/* A method is chosen in the panel. A slider that is held during a change of method does not change the parameter at its
 * place in the new method's table. */
static void test_panel(void **state) {
    (void)state;
    program program;
    const char *arguments[] = {"pool", SMALL, "--json", NULL};
    open_window(&program, arguments);
    hand("key Tab");
    at_place(&program, "click 1 key v", "Method"); /* its line shows that the menu is open */
    await_line(&program, "View");
    at_place(&program, "click 1 key v", "Position based fluids");
    await_line(&program, "\"Method\",\"value\":\"Position based fluids\"");
    await_line(&program, "View");
    hand("key 1");
    await_line(&program, "\"Method\"");
    scroll_to_advanced(&program);
    rectangle slider = place_of(&program, "Stiffness");
    at_middle("mousedown 1", slider);
    at("key v", middle_x(slider) + 5, middle_y(slider));
    await_line(&program, "\"Stiffness\"");
    await_line(&program, "View");
    hand("key 2");
    await_line(&program, "\"Method\"");
    size_t heard = program.read;
    at("key v", middle_x(slider) + 20, middle_y(slider) + slider.height); /* over the next row */
    await_line(&program, "View");
    at("key v", middle_x(slider) + 50, middle_y(slider) + slider.height);
    await_line(&program, "View");
    assert_null(strstr(program.heard + heard, "\"unit\"")); /* no parameter was changed */
    hand("mouseup 1 key v");
    await_line(&program, "View");
    hand("key Up");
    await_line(&program, "\"Stiffness\",\"value\":");
    hand("key y");
    await_line(&program, "\"Yield\",\"value\":"); /* of its springs */
    hand("key 6 key y");
    await_line(&program, "FLIP has no yield");
    expect_method(&program, "flip");
    hand("key ctrl+q");
    assert_exit(&program, 0);
}

/* A press on an obstacle takes hold of it: it goes where the pointer goes, and stays there. */
static void test_obstacle_is_dragged(void **state) {
    (void)state;
    program program;
    const char *arguments[] = {"smoke-plume", "--size",  "480x480",   "--set", "grid.resolution=32",
                               "--json",      "--stats", "stats.csv", NULL};
    open_window(&program, arguments);
    await_steps(2);
    /* The container, 1.2 m x 1.6 m, fills the height but for a margin; the disc is at (0.02, 0.15). */
    char script[128];
    snprintf(script, sizeof script, "mousemove %d %d mousedown 1", LEFT + 246, TOP + 198);
    hand(script);
    for (int k = 1; k <= 10; k++) {
        snprintf(script, sizeof script, "mousemove %d %d", LEFT + 246 + 8 * k, TOP + 198);
        hand(script);
    }
    await_steps(5);
    hand("mouseup 1");
    await_steps(2);
    expect_method(&program, "grid");
    hand("key ctrl+q");
    assert_exit(&program, 0);
    pd_world *world;
    pd_error error;
    pd_view view;
    if (load_with_threads(&world, "method.puddle", 1, &error) != PD_OK) fail_msg("%s", error.message);
    pd_world_view(world, &view);
    print_message("the disc was dragged to %.3f, %.3f\n", (double)view.obstacles[0].center.x,
                  (double)view.obstacles[0].center.y);
    assert_float_equal(view.obstacles[0].center.x, 0.02 + 80 / 290.0, 0.04);
    assert_float_equal(view.obstacles[0].center.y, 0.15, 0.02);
    pd_world_destroy(world);
}

TEST_GROUP(window_method) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_keys_while_dragging, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_obstacle_is_dragged, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_rewind_and_reset, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_panel, set_up, end_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
