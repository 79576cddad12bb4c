/* Outlines of pictures, and bodies made of them. The window draws bodies of SVG files in tests/cli/test_picture.c. */
#include "test.h"

#include "app/session/session.h"
#include "items.h"
#include "scene/content/outline.h"
#include "scene/polygon.h"

#include <string.h>

enum { COLUMNS = 40, ROWS = 20 };
/* Value of a pixel (x, y): red, green, blue, alpha. */
typedef void pixel_function(int x, int y, uint8_t rgba[4]);
static pixel_function *picture;

static pd_result read_picture(const char *path, pd_bitmap *bitmap, pd_error *error) {
    (void)path;
    (void)error;
    *bitmap = (pd_bitmap){2 * COLUMNS, 2 * ROWS, COLUMNS, ROWS, pd_memory_new((size_t)COLUMNS * ROWS * 4)};
    for (int i = 0; i < COLUMNS * ROWS; i++) picture(i % COLUMNS, i / COLUMNS, bitmap->rgba + 4 * i);
    return PD_OK;
}

static void set(uint8_t rgba[4], int red, int green, int blue, int alpha) {
    const int values[4] = {red, green, blue, alpha};
    for (int k = 0; k < 4; k++) rgba[k] = (uint8_t)values[k];
}

/* A frame of 10 x 8 pixels with a hole, and a single pixel beside it. */
static void frame(int x, int y, uint8_t rgba[4]) {
    bool inside = x >= 5 && x < 15 && y >= 4 && y < 12, hole = x >= 8 && x < 11 && y >= 6 && y < 9;
    bool dot = x == 30 && y == 2;
    set(rgba, 200, 100, 50, (inside && !hole) || dot ? 255 : 0);
}

/* A blue disc on white, without transparent pixels. */
static void disc(int x, int y, uint8_t rgba[4]) {
    bool inside = (x - 20) * (x - 20) + (y - 10) * (y - 10) < 64;
    set(rgba, inside ? 10 : 250, inside ? 20 : 250, 250, 255);
}

/* Two squares that touch at a corner. */
static void corners(int x, int y, uint8_t rgba[4]) {
    bool inside = (x >= 4 && x < 10 && y >= 4 && y < 10) || (x >= 10 && x < 15 && y >= 10 && y < 15);
    set(rgba, 0, 0, 0, inside ? 255 : 0);
}

/* A rectangle whose lower side covers 0.3 of a row of pixels. */
static void slope(int x, int y, uint8_t rgba[4]) {
    bool inside = x >= 5 && x < 15 && y >= 4 && y < 12, edge = x >= 5 && x < 15 && y == 12;
    set(rgba, 0, 0, 0, inside ? 255 : edge ? 76 : 0);
}

static void plain(int x, int y, uint8_t rgba[4]) {
    (void)x, (void)y;
    set(rgba, 7, 7, 7, 255);
}

static void nothing(int x, int y, uint8_t rgba[4]) { set(rgba, x, y, 0, 0); }

/* An outline in units of a pixel. */
static pd_area outline_of(pixel_function *function) {
    pd_area area = {.size = {COLUMNS, 0}};
    pd_error error = {0};
    picture = function;
    if (pd_picture_read_outline("frame.png", &area, &error) != PD_OK) fail_msg("%s", error.message);
    assert_true(area.shape == PD_SHAPE_POLYGON && area.size.y == ROWS);
    return area;
}

static double area_of(const pd_area *outline) { return fabs(pd_polygon_area(outline->points, outline->point_count)); }

static void outlines_follow_pixels(void **state) {
    (void)state;
    pd_area outline = outline_of(frame); /* a rectangle whose corners lack a triangle of half a pixel's sides */
    assert_int_equal(outline.point_count, 8);
    assert_true(fabs(area_of(&outline) - 79.5) < 1e-4);
    assert_true(outline.color.red == 200 && outline.color.green == 100 && outline.color.blue == 50);
    assert_string_equal(outline.left_out, "of the 2 separate shapes in 'frame.png' only the greatest is used, with its "
                                          "holes filled (make a file for each)");
    pd_memory_free(outline.points);
    outline = outline_of(disc);
    assert_true(fabs(area_of(&outline) - 3.14 * 64) < 12 && outline.color.blue == 250 && !*outline.left_out);
    pd_memory_free(outline.points);
    outline = outline_of(corners); /* the greater square alone */
    assert_true(fabs(area_of(&outline) - 35.5) < 1e-4 && outline.point_count == 8);
    pd_memory_free(outline.points);
    outline = outline_of(slope);
    assert_true(fabs(area_of(&outline) - 82) < 1);
    pd_memory_free(outline.points);
    outline = outline_of(plain); /* all of one colour: the whole picture */
    assert_true(fabs(area_of(&outline) - COLUMNS * ROWS) < 1);
    pd_memory_free(outline.points);
}

static void pictures_without_outline_are_refused(void **state) {
    (void)state;
    pd_area outline = {.size = {1, 0}};
    pd_error error;
    picture = nothing;
    assert_int_equal(pd_picture_read_outline("a.png", &outline, &error), PD_BAD_INPUT);
    assert_string_equal(error.message,
                        "'a.png' is more than half transparent everywhere (use a picture with an opaque shape)");
    assert_null(outline.points);
}

static void a_picture_becomes_a_body(void **state) {
    (void)state;
    open_pool("sph", "");
    picture = disc;
    assert_true(pd_session_add_body_of_picture(&session, "/pictures/moon.png", (pd_vec2){0.3f, 0.3f}));
    const pd_scene_body *moon = &pd_world_scene(session.world)->bodies[0];
    assert_string_equal(moon->name, "moon");
    assert_true(moon->area.shape == PD_SHAPE_POLYGON && moon->area.color.blue == 250 && moon->area.color.is_given);
    assert_in_range(moon->area.point_count, 6, 60);
    double side = 0.5 * 0.7 / COLUMNS; /* of a pixel, m */
    double area = fabs(pd_polygon_area(moon->area.points, moon->area.point_count));
    assert_true(fabs(area / (201 * side * side) - 1) < 0.1);
    step(20);
    assert_true(pd_session_add_body_of_picture(&session, "/pictures/moon.png", (pd_vec2){-0.3f, 0.3f}));
    assert_string_equal(pd_world_scene(session.world)->bodies[1].name, "polygon 1");
    act(PD_ACTION_UNDO);
    act(PD_ACTION_UNDO);
    assert_int_equal(pd_world_body_count(session.world), 0);
    close_session();
}

static int set_reader(void **state) {
    (void)state;
    pd_scene_set_picture_reader(read_picture);
    return 0;
}

TEST_GROUP(outline) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outlines_follow_pixels),
        cmocka_unit_test(pictures_without_outline_are_refused),
        cmocka_unit_test(a_picture_becomes_a_body),
    };
    return cmocka_run_group_tests(tests, set_reader, NULL);
}
