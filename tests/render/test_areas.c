/* Pictures larger than the driver's framebuffers are drawn in areas, which show the same pixels as a picture in one. */
#include "graphics.h"
#include "with_threads.h"

#include "app/ui/ui.h"
#include "render/canvas.h"
#include <puddle/puddle.h>
#include <stdlib.h>
#include <string.h>

static ui *gui;
static const float scale = 1.5f;

static int open_graphics(void **state) {
    (void)state;
    pd_error error;
    if (create_graphics(1, 1)) return -1;
    if (ui_create(&gui, NULL, scale, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return -1;
    }
    return 0;
}

static int close_all(void **state) {
    ui_destroy(gui);
    return close_graphics(state);
}

static pd_world *world_after(const char *name, const char *method, int particles, int steps) {
    char path[512];
    pd_error error;
    pd_scene scene;
    pd_world *world;
    snprintf(path, sizeof path, "%s/%s.yaml", PUDDLE_SCENES, name);
    if (pd_scene_read(path, &scene, &error)) fail_msg("%s", error.message);
    if (method) snprintf(scene.method, sizeof scene.method, "%s", method);
    if (particles) scene.particles = particles;
    if (create_with_threads(&world, &scene, 1, &error)) fail_msg("%s", error.message);
    pd_scene_free(&scene);
    for (int i = 0; i < steps; i++) pd_world_step(world);
    return world;
}

static pd_legend legend; /* of the picture drawn last */

static ui_legend_place legend_place(void) {
    return (ui_legend_place){ui_width(gui), ui_height(gui), ui_width(gui), ui_height(gui)};
}

/* Draws into areas with sides of at most limit pixels; the number of areas. */
static int draw(pd_canvas *canvas, const pd_pixels *pixels, int limit, pd_picture picture) {
    pd_error error;
    int areas = 0;
    if (pd_canvas_create_with_format(canvas, pixels, limit, &error)) fail_msg("%s", error.message);
    bool has_legend = pd_picture_find_legend(picture.view, picture.mode, &legend);
    if (has_legend) {
        ui_begin_frame(gui, pixels->width, pixels->height, 0.01f);
        ui_legend_place place = legend_place();
        ui_draw_legend(gui, &legend, picture.palette, &place);
        ui_end_frame_undrawn(gui);
    }
    pd_pixel_area whole = {0, 0, pixels->width, pixels->height}, area = {0};
    ui_draw_picture(has_legend ? gui : NULL, 0, renderer, canvas, &whole, &picture);
    while (pd_canvas_get_next_area(canvas, &whole, &area)) areas++;
    assert_int_equal(glGetError(), GL_NO_ERROR);
    return areas;
}

/* Where the legend is: the hardware interpolates its letters' coordinates, with roundings that depend on where an area
 * begins. */
static bool in_legend(const pd_pixels *pixels, size_t byte) {
    float x, y, width, height, border = 2;
    size_t row = pd_pixels_row_bytes(pixels);
    float at_x = (float)(byte % row * (size_t)pixels->width / row) / scale, at_y = (float)(byte / row) / scale;
    ui_legend_place place = legend_place();
    ui_measure_legend(gui, &legend, &place, &x, &y, &width, &height);
    return at_x > x - border && at_x < x + width + border && at_y > y - border && at_y < y + height + border;
}

static int value_at(const pd_canvas *canvas, size_t i) {
    uint16_t deep;
    if (!canvas->pixels.deep) return canvas->rgb[i] * 257;
    memcpy(&deep, &canvas->rgb[i & ~(size_t)1], sizeof deep);
    return deep;
}

static void assert_same_in_areas(const pd_picture *picture, const pd_pixels *pixels, int limit, int expected,
                                 const char *what) {
    pd_canvas whole, parts;
    pd_legend legend;
    assert_int_equal(draw(&whole, pixels, 0, *picture), 1);
    assert_int_equal(draw(&parts, pixels, limit, *picture), expected);
    bool has_legend = pd_picture_find_legend(picture->view, picture->mode, &legend), plain = true;
    for (size_t i = 0; i < pd_pixels_bytes(pixels); i++) {
        int apart = abs(value_at(&whole, i) - value_at(&parts, i));
        int allowed = apart > 0 && has_legend && in_legend(pixels, i) ? 257 : 0; /* of 65535 */
        if (apart > allowed) fail_msg("%s: byte %zu differs by %g levels", what, i, apart / 257.0);
        plain = plain && whole.rgb[i] == whole.rgb[i % 3];
    }
    assert_false(plain);
    pd_canvas_destroy(&whole);
    pd_canvas_destroy(&parts);
}

/* Every view of the world's method with every kind of lines that it can have. */
static void try_views(const pd_world *world, const pd_pixels *pixels, int limit, int expected) {
    const pd_method_info *method = pd_world_method(world);
    pd_view view;
    pd_world_view(world, &view);
    for (int i = 0; i < method->view_count; i++)
        for (int lines = 0; lines < PD_LINES_COUNT; lines++) {
            char what[160];
            pd_picture picture = {.view = &view,
                                  .mode = pd_method_view_at(method, i),
                                  .lines = (pd_view_lines)lines,
                                  .alpha = 0.4f,
                                  .width = pixels->width,
                                  .height = pixels->height,
                                  .scale = scale,
                                  .transparent = pixels->alpha,
                                  .deep = pixels->deep,
                                  .show_tool = true,
                                  .tool = {0.1f, 0.2f},
                                  .tool_radius = 0.3f};
            if (!pd_lines_can_be_drawn(&view, picture.mode, picture.lines)) continue;
            snprintf(what, sizeof what, "%s, %s, lines %s", method->name, picture.mode->name, pd_lines_name(lines));
            assert_same_in_areas(&picture, pixels, limit, expected, what);
        }
}

/* Obstacles, drains, a round container, an open one: what lines are drawn around. */
static const struct {
    const char *scene, *method;
    int particles, steps;
} worlds[] = {{"blobs", NULL, 1500, 12},       {"fountain", "sph", 1200, 30},  {"two-drops", "pbf", 900, 9},
              {"wind-tunnel", NULL, 2000, 25}, {"flip-dam", NULL, 2000, 10},   {"dye-drop", NULL, 2000, 12},
              {"leapfrogging", NULL, 1000, 5}, {"oil-and-water", NULL, 900, 5}};

static void areas_show_the_pixels_of_the_whole(void **state) {
    (void)state;
    const pd_pixels pixels = {.width = 181, .height = 133};
    for (size_t i = 0; i < sizeof worlds / sizeof *worlds; i++) {
        pd_world *world = world_after(worlds[i].scene, worlds[i].method, worlds[i].particles, worlds[i].steps);
        try_views(world, &pixels, 75, 3 * 2); /* 75: an odd limit is rounded down */
        pd_world_destroy(world);
    }
}

static void areas_have_alpha_and_16_bits(void **state) {
    (void)state;
    pd_world *world = world_after("blobs", NULL, 800, 10);
    try_views(world, &(pd_pixels){.width = 200, .height = 130, .alpha = true}, 64, 4 * 3);
    try_views(world, &(pd_pixels){.width = 131, .height = 97, .deep = true}, 128, 2 * 1);
    try_views(world, &(pd_pixels){.width = 97, .height = 131, .deep = true, .alpha = true}, 128, 1 * 2);
    pd_world_destroy(world);
}

TEST_GROUP(areas) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(areas_show_the_pixels_of_the_whole),
        cmocka_unit_test(areas_have_alpha_and_16_bits),
    };
    return cmocka_run_group_tests(tests, open_graphics, close_all);
}
