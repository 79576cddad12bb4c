/* Methods with fields of cells in the window: the values under a resting pointer, painting, changes of the method. */
#include "window.h"
#include "with_threads.h"

#include <cjson/cJSON.h>
#include <puddle/puddle.h>

static const char *const DYES =
    "puddle: 1\nname: Dyes\nmethod: grid\ngravity: [0, 0]\n"
    "container: {shape: box, width: 2, height: 2}\n"
    "materials:\n  red: {color: \"#ff4030\", mass: 1}\n  blue: {color: \"#3060ff\", mass: 1}\n"
    "regions:\n"
    "  - {shape: circle, center: [-0.4, 0.4], radius: 0.3, material: red, velocity: [0.4, 0]}\n"
    "obstacles:\n  - {shape: box, center: [0.5, -0.5], size: [0.4, 0.4]}\n"
    "parameters: {grid: {resolution: 32}}\n";
#define GRID "dyes.yaml", "--size", "480x480", "--particles", "100", "--json"

enum { MIDDLE_X = LEFT + SIDE / 2, MIDDLE_Y = TOP + SIDE / 2, SOLID_X = LEFT + 355, SOLID_Y = TOP + 355 };

static void write_scene(void) {
    FILE *scene = fopen("dyes.yaml", "w");
    assert_non_null(scene);
    fputs(DYES, scene);
    assert_int_equal(fclose(scene), 0);
}

/* Moves the pointer to a place, so that it comes from another one. */
static void go(int x, int y) {
    char script[96];
    snprintf(script, sizeof script, "mousemove %d %d mousemove %d %d", x - 5, y - 5, x, y);
    hand(script);
}

/* Reads lines until the values have appeared, or with `shown` false until they have gone. A slow window may have shown them
 * for a moment between the two motions of go(), so that other changes come first. Delete the object. */
static cJSON *await_probe(program *program, bool shown) {
    for (;;) {
        cJSON *event = cJSON_Parse(await_line(program, "\"probe\""));
        assert_non_null(event);
        if ((cJSON_GetArraySize(cJSON_GetObjectItem(event, "values")) > 0) == shown) return event;
        cJSON_Delete(event);
    }
}

static double number(const cJSON *object, const char *name) {
    const cJSON *item = cJSON_GetObjectItem(object, name);
    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

/* The values are those of the fields, in a world that is loaded from a snapshot of the paused window. */
static void expect_fields(const cJSON *event, const char *snapshot) {
    static const char *const names[] = {"velocity_x", "velocity_y", "pressure", "vorticity"};
    pd_world *world;
    pd_error error;
    pd_view view;
    if (load_with_threads(&world, snapshot, 1, &error) != PD_OK) fail_msg("%s", error.message);
    pd_world_view(world, &view);
    const cJSON *values = cJSON_GetObjectItem(event, "values");
    assert_int_equal(cJSON_GetArraySize(values), 5);
    double u = number(values, "velocity_x"), v = number(values, "velocity_y");
    assert_float_equal(number(values, "speed"), sqrt(u * u + v * v), 1e-5);
    pd_vec2 position = {(float)number(event, "x"), (float)number(event, "y")};
    for (int i = 0; i < 4; i++) {
        const pd_field *field = pd_view_field(&view, names[i]);
        assert_float_equal(number(values, names[i]), pd_field_at(field, position), 0);
    }
    pd_world_destroy(world);
}

static void test_values_under_the_pointer(void **state) {
    (void)state;
    program program;
    const char *arguments[] = {GRID, NULL};
    write_scene();
    open_window(&program, arguments);
    press(&program, "i", "Values at the pointer");
    go(MIDDLE_X, MIDDLE_Y); /* while the fluid moves */
    cJSON_Delete(await_probe(&program, true));
    hand("key space");
    await_line(&program, "Paused");
    go(MIDDLE_X - 60, MIDDLE_Y - 40);
    cJSON_Delete(await_probe(&program, false)); /* motion hides them */
    cJSON *event = await_probe(&program, true);
    save_file(&program, "dyes-0001.puddle"); /* the dialog covers the values, and they come back */
    cJSON_Delete(await_probe(&program, true));
    expect_fields(event, "dyes-0001.puddle");
    assert_true(number(cJSON_GetObjectItem(event, "values"), "velocity_x") != 0);
    cJSON_Delete(event);
    hand("key h"); /* the help covers them, and they come back */
    cJSON_Delete(await_probe(&program, false));
    hand("key h");
    cJSON_Delete(await_probe(&program, true));
    hand("key Tab mousemove 700 400"); /* over the panel there are none */
    cJSON_Delete(await_probe(&program, false));
    hand("key Tab");
    go(MIDDLE_X, MIDDLE_Y + 100);
    cJSON_Delete(await_probe(&program, true));
    hand("mousemove 20 20"); /* out of the window */
    cJSON_Delete(await_probe(&program, false));
    hand("mousemove 200 200 key Escape");
    assert_exit(&program, 0);
}

/* The values outlast the world that they were read from. */
static void test_values_after_an_undo(void **state) {
    (void)state;
    program program;
    const char *arguments[] = {GRID, NULL};
    write_scene();
    open_window(&program, arguments);
    press(&program, "i", "Values at the pointer");
    go(MIDDLE_X, MIDDLE_Y);
    cJSON_Delete(await_probe(&program, true));
    for (int i = 0; i < 3; i++) {
        press(&program, "Up", "\"Buoyancy\"");
        press(&program, "ctrl+z", "Undone");
    }
    hand("key ctrl+q");
    assert_exit(&program, 0);
}

/* No values before they are switched on, in an obstacle and while the pointer drags; after a drag it has to rest again. A
 * method of particles has none beside its fluid. */
static void test_no_values(void **state) {
    (void)state;
    program program;
    const char *arguments[] = {GRID, "--stats", "stats.csv", NULL};
    write_scene();
    go(MIDDLE_X, MIDDLE_Y);
    open_window(&program, arguments);
    go(MIDDLE_X + 5, MIDDLE_Y);
    await_steps(60); /* a second, longer than the pointer has to rest */
    assert_false(was_heard(&program, "\"probe\""));
    press(&program, "i", "Values at the pointer");
    go(MIDDLE_X, MIDDLE_Y);
    cJSON_Delete(await_probe(&program, true));
    go(SOLID_X, SOLID_Y);
    cJSON_Delete(await_probe(&program, false));
    go(MIDDLE_X, MIDDLE_Y);
    cJSON_Delete(await_probe(&program, true));
    hand("mousedown 1");
    cJSON_Delete(await_probe(&program, false));
    hand("mousemove_relative 20 20 mouseup 1");
    cJSON_Delete(await_probe(&program, true));
    hand("key 1");
    await_line(&program, "\"Method\"");
    cJSON_Delete(await_probe(&program, false));
    hand("key 4");
    await_line(&program, "\"Method\"");
    cJSON_Delete(await_probe(&program, true));
    hand("key ctrl+q");
    assert_exit(&program, 0);
}

/* A method of particles has the values of the nearest particle. */
static void test_values_of_particles(void **state) {
    (void)state;
    program program;
    const char *arguments[] = {GRID, "--method", "ddr", NULL};
    write_scene();
    open_window(&program, arguments);
    press(&program, "i", "Values at the pointer");
    hand("key space");
    await_line(&program, "Paused");
    press(&program, "r", "Restarted");
    go(MIDDLE_X - SIDE / 5, MIDDLE_Y - SIDE / 5); /* in the middle of the disc of fluid */
    cJSON *event = await_probe(&program, true);
    const cJSON *values = cJSON_GetObjectItem(event, "values");
    assert_float_equal(number(values, "speed"), 0.4, 0.01);
    number(values, "density"); /* assert that they are there */
    number(values, "pressure");
    cJSON_Delete(event);
    hand("key ctrl+q");
    assert_exit(&program, 0);
}

/* Down the left side of the container. */
static void drag(void) {
    char script[96];
    snprintf(script, sizeof script, "mousemove %d %d mousedown 1", LEFT + 120, MIDDLE_Y);
    hand(script);
    for (int i = 0; i < 12; i++) {
        snprintf(script, sizeof script, "mousemove %d %d", LEFT + 120, MIDDLE_Y + 8 * i);
        hand(script);
        await_steps(1);
    }
    hand("mouseup 1");
}

/* The amounts of the two dyes in a snapshot, in cells. */
static void read_dyes(program *program, double amount[2]) {
    pd_world *world;
    pd_error error;
    pd_view view;
    save_file(program, "smoke.puddle");
    if (load_with_threads(&world, "smoke.puddle", 1, &error) != PD_OK) fail_msg("%s", error.message);
    pd_world_view(world, &view);
    const pd_field *smoke = pd_view_field(&view, "smoke");
    assert_int_equal(smoke->layers, 2);
    amount[0] = amount[1] = 0;
    for (int k = 0; k < 2 * smoke->nx * smoke->ny; k++)
        if (!isnan(smoke->values[k])) amount[k / (smoke->nx * smoke->ny)] += (double)smoke->values[k];
    pd_world_destroy(world);
}

static double smoke_in(const char *path) {
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char line[512];
    double sum = 0;
    int rows = 0;
    assert_non_null(fgets(line, sizeof line, file));
    assert_int_equal(strncmp(line, "i,j,x,y,u,v,pressure,smoke,", 27), 0);
    for (; fgets(line, sizeof line, file); rows++) {
        const char *cell = line;
        for (int c = 0; c < 7; c++) cell = strchr(cell, ',') + 1;
        sum += strtod(cell, NULL); /* 0 for an empty one */
    }
    assert_int_equal(rows, 32 * 32);
    fclose(file);
    return sum;
}

static void expect_dye(program *program, const char *name) {
    char expected[64];
    snprintf(expected, sizeof expected, "\"name\":\"Dye\",\"value\":\"%s\"", name);
    assert_non_null(strstr(await_line(program, "\"Dye\""), expected));
}

/* Without a dye a drag stirs only; with one it leaves that dye. The panel and a key choose it. */
static void test_painting(void **state) {
    (void)state;
    program program;
    double before[2], stirred[2], painted[2];
    const char *arguments[] = {GRID, "--stats", "stats.csv", "--state", "state.csv", NULL};
    write_scene();
    open_window(&program, arguments);
    read_dyes(&program, before);
    assert_true(before[0] > 60 && before[1] == 0); /* a circle of 0.3 m in cells of 1/16 m has 72 */
    drag();
    read_dyes(&program, stirred);
    assert_float_equal(stirred[0], before[0], 0.02 * before[0]);
    assert_float_equal(stirred[1], 0, 0);
    hand("key d");
    expect_dye(&program, "red");
    hand("key d");
    expect_dye(&program, "blue");
    drag();
    read_dyes(&program, painted);
    assert_float_equal(painted[0], before[0], 0.2 * before[0]); /* paint mixes with what is there */
    assert_true(painted[1] > 20);
    hand("key d");
    expect_dye(&program, "none");
    hand("key Tab");
    at_place(&program, "click 1", "Drag with dye: red");
    expect_dye(&program, "red");
    at_place(&program, "click 1", "Drag with dye: none");
    expect_dye(&program, "none");
    hand("key Tab key 1 key d"); /* the choice is kept, but a method without dyes has none */
    await_line(&program, "Double density relaxation has no dyes");
    hand("key 4 key space");
    await_line(&program, "Paused");
    read_dyes(&program, painted);
    hand("key ctrl+q");
    assert_exit(&program, 0);
    assert_float_equal(smoke_in("state.csv"), painted[0] + painted[1], 1e-3);
}

/* Consecutive steps of a calm fluid whose particles, `particles` at the start, become more and never fewer. */
static void expect_more_particles(const char *path, int particles) {
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char line[4096];
    assert_non_null(fgets(line, sizeof line, file));
    int least = particles;
    for (int row = 1; fgets(line, sizeof line, file); row++) {
        int step, count, substeps;
        double energy, other[6];
        assert_int_equal(sscanf(line, "%d,%*[^,],%d,%d,%lf,%lf,%lf,%lf,%lf,%lf,%lf,", &step, &count, &substeps, &energy,
                                &other[0], &other[1], &other[2], &other[3], &other[4], &other[5]),
                         10);
        assert_int_equal(step, row);
        assert_true(count >= least);
        least = count;
        if (!isfinite(energy) || !(other[4] < 20)) fail_msg("step %d: energy %g, rms speed %g", step, energy, other[4]);
    }
    assert_true(least > particles);
    fclose(file);
}

/* Between methods with and without dyes, during one drag with a dye: it paints where that is possible, with tracers. No
 * particle is lost, and the fluid stays calm. */
static void test_methods_while_painting(void **state) {
    (void)state;
    program program;
    double dyes[2];
    static const char *const keys[] = {"1", "4", "6", "2", "4", "3", "4"};
    const char *arguments[] = {GRID, "--stats", "stats.csv", NULL};
    write_scene();
    open_window(&program, arguments);
    hand("key d key d");
    expect_dye(&program, "red");
    expect_dye(&program, "blue");
    char script[96];
    snprintf(script, sizeof script, "mousemove %d %d mousedown 1", LEFT + 120, MIDDLE_Y);
    hand(script);
    for (int k = 0; k < 7; k++) {
        snprintf(script, sizeof script, "key %s", keys[k]);
        hand(script);
        await_line(&program, "\"Method\"");
        for (int i = 0; i < 10; i++) {
            snprintf(script, sizeof script, "mousemove %d %d", LEFT + 120 + 4 * (i % 5), MIDDLE_Y + 8 * i);
            hand(script);
            await_steps(1);
        }
    }
    read_dyes(&program, dyes); /* still pressed */
    assert_true(dyes[1] > 10);
    hand("mouseup 1 key Escape");
    assert_exit(&program, 0);
    expect_more_particles("stats.csv", 100);
}

/* The slider of a parameter that rebuilds the method: while it is dragged it shows values, of which the last is set when
 * it is released. Ctrl+click sets a typed one at once. */
static void test_slider_of_the_resolution(void **state) {
    (void)state;
    program program;
    const char *arguments[] = {GRID, "--stats", "stats.csv", "--state", "state.csv", NULL};
    write_scene();
    open_window(&program, arguments);
    open_advanced(&program);
    rectangle slider = place_of(&program, "Resolution");
    at("mousedown 1", slider.x + 2, middle_y(slider));
    for (int i = 0; i < 20; i++) {
        at("", slider.x + 2 + i * (slider.width - 4) / 20, middle_y(slider));
        await_steps(1);
    }
    hand("key c"); /* its line shows that the events before it were handled */
    await_line(&program, "Palette");
    assert_false(was_heard(&program, "\"Resolution\",\"value\""));
    hand("mouseup 1");
    double value = 0;
    sscanf(strstr(await_line(&program, "\"Resolution\""), "value\":"), "value\":%lf", &value);
    assert_true(value > 100);
    hand("keydown ctrl click 1 keyup ctrl key 2 4 Return key c");
    await_line(&program, "\"Resolution\",\"value\":24,");
    await_line(&program, "Palette");
    hand("key ctrl+q");
    assert_exit(&program, 0);
    assert_int_equal(count_rows("state.csv"), 24 * 24);
}

/* All in one frame, in which the pointer goes on after the release: the obstacle is held where it was pressed, and goes as
 * far as the release. */
static void test_release_of_an_obstacle(void **state) {
    (void)state;
    program program;
    pd_world *world;
    pd_error error;
    pd_view view;
    char script[200];
    const char *arguments[] = {GRID, "--stats", "stats.csv", NULL};
    write_scene();
    open_window(&program, arguments);
    await_steps(2);
    snprintf(script, sizeof script, "mousemove %d %d", SOLID_X, SOLID_Y);
    hand(script);
    await_steps(2);
    hand("mousedown 1 mousemove_relative -- -8 0 mouseup 1 mousemove_relative 0 -80");
    await_steps(10);
    save_file(&program, "dyes-0001.puddle");
    hand("key ctrl+q");
    assert_exit(&program, 0);
    if (load_with_threads(&world, "dyes-0001.puddle", 1, &error) != PD_OK) fail_msg("%s", error.message);
    pd_world_view(world, &view);
    print_message("from (0.5, -0.5) to (%g, %g)\n", (double)view.obstacles[0].center.x,
                  (double)view.obstacles[0].center.y);
    assert_float_equal(view.obstacles[0].center.x, 0.5 - 8 * 2.0 / SIDE, 0.01); /* some of the window is a margin */
    assert_float_equal(view.obstacles[0].center.y, -0.5, 0.001);
    pd_world_destroy(world);
}

TEST_GROUP(window_grid) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_values_under_the_pointer, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_values_after_an_undo, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_values_of_particles, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_no_values, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_release_of_an_obstacle, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_painting, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_methods_while_painting, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_slider_of_the_resolution, set_up, end_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
