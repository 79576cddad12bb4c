/* The shown part of the picture in the window: zoomed, moved and reset by mouse and keys; switches of the picture in screenshots. */
#include "window.h"

#include <png.h>

/* Fluid fills the lower half of a container as wide as the window, and the middle of the picture is that of the container. */
static const char *const POOL =
    "puddle: 1\nname: Pool\nmethod: flip\ngravity: [0, -1.6]\ncontainer: {shape: box, width: 2, height: 2}\n"
    "materials:\n  water: {color: \"#3a8fff\"}\n  ink: {color: \"#101010\"}\n"
    "regions: [{shape: box, center: [0, -0.5], size: [2, 1]}]\n"
    "obstacles: [{shape: box, center: [0, 0], size: [0.5, 0.5], color: \"#ff8000\"}]\n";
static const char *const WINDOW[] = {"pool.yaml", SMALL, "--json", "--stats", "stats.csv", "--log", "log", NULL};
enum { CENTER_X = LEFT + SIDE / 2, CENTER_Y = TOP + SIDE / 2 };
static const double METRE = (1 - 2 * 0.035) * SIDE / 2; /* pixels, while all is shown */
static const double NOTCH = 1.2;                        /* magnification per notch of the wheel */

static void zoom(int notches, int x, int y) {
    char script[64];
    snprintf(script, sizeof script, "keydown ctrl click --repeat %d --delay 5 %d keyup ctrl", abs(notches),
             notches > 0 ? 4 : 5);
    at(script, x, y);
}

/* Drags the picture by Space and the left button. */
static void move_picture(int from_x, int from_y, int to_x, int to_y) {
    hand("keydown space");
    at("mousedown 1", from_x, from_y);
    at("mouseup 1", to_x, to_y);
    hand("keyup space");
}

static void pour_at(int x, int y) {
    at("mousedown 1", x, y);
    await_steps(3);
    hand("mouseup 1");
    await_steps(3);
}

typedef struct place {
    double x, y;
} place;

/* Reads the places of the pours in the file "log". Returns their number. */
static int read_pours(place *pours, int capacity) {
    static char line[1 << 16];
    int count = 0;
    FILE *log = fopen("log", "r");
    assert_non_null(log);
    while (fgets(line, sizeof line, log)) {
        place now;
        const char *pour = strstr(line, "tool pour ");
        if (!pour || sscanf(pour, "tool pour %lf %lf", &now.x, &now.y) != 2) continue;
        if (count > 0 && now.x == pours[count - 1].x && now.y == pours[count - 1].y) continue;
        assert_true(count < capacity);
        pours[count++] = now;
    }
    fclose(log);
    return count;
}

static void expect_place(place found, double x, double y) {
    if (fabs(found.x - x) > 0.01 || fabs(found.y - y) > 0.01)
        fail_msg("poured at (%g, %g), not at (%g, %g)", found.x, found.y, x, y);
}

static void test_tools_act_where_the_zoomed_picture_shows(void **state) {
    (void)state;
    program program;
    place pours[8];
    open_scene(&program, POOL, WINDOW);
    press(&program, "F5", "Pour");
    zoom(6, CENTER_X + 100, CENTER_Y - 150);
    place_of(&program, "All (Home)");
    pour_at(CENTER_X + 100, CENTER_Y - 150); /* the wheel zooms around the pointer */
    pour_at(CENTER_X + 160, CENTER_Y - 150);
    move_picture(CENTER_X, CENTER_Y, CENTER_X - 60, CENTER_Y + 30);
    pour_at(CENTER_X + 130, CENTER_Y - 120);
    press(&program, "space", "Paused"); /* the drag with Space did not pause */
    press(&program, "space", "Running");
    at_place(&program, "click 1", "All (Home)");
    pour_at(CENTER_X - 100, CENTER_Y - 100);
    zoom(3, CENTER_X, CENTER_Y - 100);
    hand("key Home");
    pour_at(CENTER_X, CENTER_Y - 150);
    hand("key ctrl+q");
    assert_exit(&program, 0);
    assert_int_equal(read_pours(pours, 8), 5);
    double step = 60 / METRE / pow(NOTCH, 6);
    expect_place(pours[0], 100 / METRE, 150 / METRE);
    expect_place(pours[1], 100 / METRE + step, 150 / METRE);
    expect_place(pours[2], 100 / METRE + 1.5 * step, 150 / METRE);
    expect_place(pours[3], -100 / METRE, 100 / METRE);
    expect_place(pours[4], 0, 150 / METRE);
}

/* Zoomed out as far as possible the whole container is shown in its place, and a drag leaves it there. */
static void test_limits_of_the_zoom(void **state) {
    (void)state;
    program program;
    place pours[8];
    open_scene(&program, POOL, WINDOW);
    press(&program, "F5", "Pour");
    zoom(5, CENTER_X + 200, CENTER_Y - 200);
    zoom(-9, CENTER_X - 200, CENTER_Y + 200);
    move_picture(CENTER_X, CENTER_Y, CENTER_X + 200, CENTER_Y);
    pour_at(CENTER_X, CENTER_Y - 150);
    zoom(40, CENTER_X, CENTER_Y - 150);
    for (int i = 0; i < 3; i++) move_picture(LEFT + 10, TOP + SIDE - 10, LEFT + SIDE - 10, TOP + 10);
    pour_at(CENTER_X + 200, CENTER_Y);
    hand("key ctrl+q");
    assert_exit(&program, 0);
    int count = read_pours(pours, 8);
    expect_place(pours[0], 0, 150 / METRE);
    /* magnified 40 times, and moved by three sides of the window */
    expect_place(pours[count - 1], (200 - 3 * 460) / METRE / 40, 150 / METRE - (150 + 3 * 460) / METRE / 40);
}

static void read_pixel_of_file(const char *name, int x, int y, uint8_t rgb[3]) {
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_file(&image, name)) fail_msg("%s: %s", name, image.message);
    image.format = PNG_FORMAT_RGB;
    uint8_t *pixels = malloc(PNG_IMAGE_SIZE(image));
    assert_non_null(pixels);
    if (!png_image_finish_read(&image, NULL, pixels, 0, NULL)) fail_msg("%s: %s", name, image.message);
    memcpy(rgb, &pixels[3 * (y * (int)image.width + x)], 3);
    free(pixels);
}

/* Takes a screenshot and reads a pixel of it. */
static void read_pixel(program *program, const char *name, int x, int y, uint8_t rgb[3]) {
    hand("key F12");
    await_line(program, name);
    read_pixel_of_file(name, x, y, rgb);
}

static bool is_near(const uint8_t rgb[3], int red, int green, int blue) {
    return abs(rgb[0] - red) < 4 && abs(rgb[1] - green) < 4 && abs(rgb[2] - blue) < 4;
}

/* Screenshots have the zoom and the switches of the panel. */
static void test_screenshots_show_what_is_seen(void **state) {
    (void)state;
    /* height of the window; outline: half the spacing of the particles, 0.035 m, above the margin of 0.035 */
    enum { HIGH = 700, TOP_EDGE = 13 };
    program program;
    uint8_t rgb[3];
    const char *arguments[] = {"pool.yaml", "--size", "700x700", "--view",  "sprites",   "--particles", "400",
                               "--json",    "--log",  "log",     "--stats", "stats.csv", NULL};
    open_scene(&program, POOL, arguments);
    press(&program, "space", "Paused");
    read_pixel(&program, "puddle-0001.png", HIGH / 2, HIGH / 2, rgb);
    assert_true(is_near(rgb, 255, 128, 0)); /* the obstacle */
    read_pixel(&program, "puddle-0002.png", 60, 60, rgb);
    assert_false(is_near(rgb, 255, 128, 0));
    zoom(12, CENTER_X, CENTER_Y);
    read_pixel(&program, "puddle-0003.png", 60, 60, rgb);
    assert_true(is_near(rgb, 255, 128, 0));
    hand("key Home key Tab");
    at("click --repeat 3 --delay 5 5", CENTER_X + 300, CENTER_Y);
    at_place(&program, "click 1", "Plain background");
    place_of(&program, "Background");
    read_pixel(&program, "puddle-0004.png", 2, 2, rgb);
    assert_true(is_near(rgb, 255, 255, 255));
    read_pixel(&program, "puddle-0005.png", HIGH / 2, TOP_EDGE, rgb);
    assert_false(is_near(rgb, 255, 255, 255)); /* the outline */
    at_place(&program, "click 1", "Outline");
    read_pixel(&program, "puddle-0006.png", HIGH / 2, TOP_EDGE, rgb);
    assert_true(is_near(rgb, 255, 255, 255));
    hand("key ctrl+q");
    assert_exit(&program, 0);
}

/* Exports the steps so far to a folder of PNG pictures. camera: chosen item. */
static void export_frames(program *program, const char *name, const char *camera) {
    char script[256];
    snprintf(script, sizeof script, "key ctrl+e type --args 1 '%s/%s'", folder, name);
    hand(script);
    at_place(program, "click 1", "Format");
    at_place(program, "click 1", "Folder of PNG pictures");
    at_place(program, "click 1", "Camera");
    at_place(program, "click 1", camera);
    at_place(program, "click 1", "Export");
    await_line(program, "Exported");
}

/* An export shows the part that the window shows, or all. */
static void test_camera_of_an_export(void **state) {
    (void)state;
    program program;
    uint8_t rgb[3];
    open_scene(&program, POOL, WINDOW);
    await_steps(4);
    press(&program, "space", "Paused");
    zoom(12, CENTER_X, CENTER_Y);
    export_frames(&program, "part", "As in the window");
    read_pixel_of_file("part/frame_000000.png", 60, 60, rgb);
    assert_true(is_near(rgb, 255, 128, 0));
    export_frames(&program, "all", "Whole container");
    read_pixel_of_file("all/frame_000000.png", 60, 60, rgb);
    assert_false(is_near(rgb, 255, 128, 0));
    hand("key ctrl+q");
    assert_exit(&program, 0);
}

/* The switches of the picture are those of the window before. */
static void test_switches_are_saved(void **state) {
    (void)state;
    program program;
    uint8_t rgb[3];
    open_scene(&program, POOL, WINDOW);
    hand("key Tab");
    for (int turn = 0; turn < 20 && !find_place(&program, "Plain background").width; turn++)
        at("click 5", LEFT + SIDE - 60, CENTER_Y);
    at_place(&program, "click 1", "Plain background");
    place_of(&program, "Background");
    hand("key ctrl+q");
    assert_exit(&program, 0);
    open_scene(&program, POOL, WINDOW);
    read_pixel(&program, "puddle-0001.png", 2, 2, rgb);
    assert_true(is_near(rgb, 255, 255, 255));
    hand("key ctrl+q");
    assert_exit(&program, 0);
}

TEST_GROUP(window_zoom) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_tools_act_where_the_zoomed_picture_shows, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_limits_of_the_zoom, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_screenshots_show_what_is_seen, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_camera_of_an_export, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_switches_are_saved, set_up, end_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
