/* Fields of cells as pictures: their colours, their edges and their lines, each against what is known exactly. */
#include "cmocka_all.h"

#include "fake_view.h"
#include "render/field.h"
#include "render/offscreen.h"
#include "render/palette.h"
#include "render/renderer.h"
#include <epoxy/gl.h>
#include <stdio.h>

enum { WIDTH = 1280, HEIGHT = 960, MAX_CELLS = 4096 * 4096 };

typedef float value_at(float x, float y);

static pd_offscreen *offscreen;
static pd_renderer *renderer;
static pd_field_image image;
static fake_view *fake;
static pd_field field;
static pd_picture picture;
static pd_camera camera;
static float *values;
static uint8_t rgb[WIDTH * HEIGHT * 3], before[WIDTH * HEIGHT * 3];
static const pd_view_mode as_image = {"heat", PD_VIEW_IMAGE, "heat"};

static int open_graphics(void **state) {
    (void)state;
    pd_error error;
    values = malloc(MAX_CELLS * sizeof *values);
    if (!values || pd_offscreen_create(&offscreen, WIDTH, HEIGHT, &error) || pd_renderer_create(&renderer, &error) ||
        pd_field_image_create(&image, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return -1;
    }
    return 0;
}

static int close_graphics(void **state) {
    (void)state;
    pd_field_image_free(&image);
    pd_renderer_destroy(renderer);
    pd_offscreen_destroy(offscreen);
    free(values);
    return 0;
}

/* A box of 2 m x 2 m without particles. */
static int set_up(void **state) {
    (void)state;
    fake = fake_view_create(0);
    fake_view_box(fake, 2, 2);
    fake->view.fields = &field;
    fake->view.field_count = 1;
    picture = (pd_picture){.view = &fake->view, .mode = &as_image, .alpha = 1, .width = 640, .height = 480, .scale = 1};
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    free(fake);
    return 0;
}

static void read_picture(void) {
    pd_framebuffer_read(pd_offscreen_framebuffer(offscreen), picture.width, picture.height, rgb);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    pd_camera_fit(&camera, &fake->view, picture.width, picture.height);
}

static void draw(void) {
    pd_renderer_draw(renderer, pd_offscreen_framebuffer(offscreen), &picture);
    read_picture();
}

/* The field alone, on black: a component tells how much of a pixel is covered. */
static void draw_alone(void) {
    glBindFramebuffer(GL_FRAMEBUFFER, pd_offscreen_framebuffer(offscreen));
    glViewport(0, 0, picture.width, picture.height);
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    pd_camera_fit(&camera, &fake->view, picture.width, picture.height);
    pd_field_image_draw(&image, &picture, &camera);
    read_picture();
}

static void keep(void) { memcpy(before, rgb, (size_t)picture.width * (size_t)picture.height * 3); }

static void fill(int nx, int ny, pd_vec2 origin, float cell, value_at *value) {
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++)
            values[j * nx + i] = value(origin.x + ((float)i + 0.5f) * cell, origin.y + ((float)j + 0.5f) * cell);
    field = (pd_field){.info = {"heat", "temperature", "K", PD_FIELD_OF_CELLS},
                       .values = values,
                       .high = 1,
                       .nx = nx,
                       .ny = ny,
                       .origin = origin,
                       .cell = cell};
}

/* The whole box. */
static void fill_box(int cells, value_at *value) { fill(cells, cells, (pd_vec2){-1, -1}, 2 / (float)cells, value); }

static uint8_t *pixel_of(uint8_t *pixels, int x, int y) { return &pixels[(y * picture.width + x) * 3]; }

static const uint8_t *at(float x, float y) {
    pd_vec2 place = pd_camera_to_pixels(&camera, (pd_vec2){x, y});
    return pixel_of(rgb, (int)place.x, (int)place.y);
}

static pd_vec2 place_of(int x, int y) { return pd_camera_to_world(&camera, (float)x + 0.5f, (float)y + 0.5f); }

static int difference(const uint8_t *a, const uint8_t *b) {
    return abs(a[0] - b[0]) + abs(a[1] - b[1]) + abs(a[2] - b[2]);
}

static void assert_legend_colour(const uint8_t *shown, float value) {
    float expected[3];
    pd_palette_legend(picture.palette, field.low, field.high, value, expected);
    for (int c = 0; c < 3; c++) assert_true(fabsf((float)shown[c] - 255 * expected[c]) < 4);
}

static float waves(float x, float y) { return 0.5f + 0.75f * sinf(2 * x + 0.3f) * cosf(3 * y); }
static float flat(float x, float y) { return 0 * x * y + 0.5f; }
static float full(float x, float y) { return 0 * x * y + 1; }
static float nothing(float x, float y) { return 0 * x * y + NAN; }
static float radial(float x, float y) { return hypotf(x, y); }
static float ramp(float x, float y) { return 0.5f * (x + 1) + 0 * y; }
static float step(float x, float y) { return x > 0 * y ? 0.7f : 0.2f; }
static float pierced(float x, float y) { return hypotf(x - 0.2f, y) < 0.4f ? NAN : waves(x, y); }
static float lopsided(float x, float y) { return hypotf(x - 0.5f, y - 0.3f) < 0.3f ? NAN : waves(x + 0.2f, y); }

static void cells_have_the_colours_of_the_legend(void **state) {
    (void)state;
    fill_box(24, waves); /* runs over both ends of the range, where the colours hold */
    for (picture.palette = 0; picture.palette < pd_palette_count(); picture.palette++) {
        draw();
        for (int j = 1; j < 23; j++)
            for (int i = 1; i < 23; i++)
                assert_legend_colour(at(-1 + ((float)i + 0.5f) / 12, -1 + ((float)j + 0.5f) / 12), values[j * 24 + i]);
    }
}

/* Of both signs: dark at zero, wherever that lies in the legend, and equally light at the same distance from it. */
static void signed_fields_are_dark_at_zero(void **state) {
    (void)state;
    fill_box(24, waves);
    const float ranges[][2] = {{-1, 1}, {-0.4f, 1.2f}, {-2, 0.5f}};
    for (picture.palette = 0; picture.palette < pd_palette_count(); picture.palette++)
        for (int k = 0; k < 3; k++) {
            field.low = ranges[k][0], field.high = ranges[k][1];
            draw();
            for (int j = 1; j < 23; j++)
                for (int i = 1; i < 23; i++) {
                    float value = values[j * 24 + i], most = fmaxf(-field.low, field.high), expected[3];
                    const uint8_t *shown = at(-1 + ((float)i + 0.5f) / 12, -1 + ((float)j + 0.5f) / 12);
                    value = fminf(fmaxf(value, field.low), field.high);
                    pd_palette_signed_map(picture.palette, value / most, expected);
                    for (int c = 0; c < 3; c++) assert_true(fabsf((float)shown[c] - 255 * expected[c]) < 5);
                }
        }
}

/* Neighbouring pixels between the centres of the outer cells differ by no more than a straight rise of `steepness`
 * makes; both are rounded, with half a step of pattern before. */
static void assert_smooth(float cells, float steepness) {
    float most = 0, low[3], high[3];
    for (int i = 0; i < 1000; i++) {
        pd_palette_map(picture.palette, (float)i / 1000, low);
        pd_palette_map(picture.palette, (float)(i + 1) / 1000, high);
        most = fmaxf(most, 255 * 1000 * (high[0] - low[0]));
    }
    float per_pixel = steepness * most / camera.pixels_per_metre;
    int row = picture.height / 2, before_it = -1;
    for (int x = 0; x < picture.width; x++) {
        if (fabsf(place_of(x, row).x) > 1 - 1 / cells) continue;
        int now = pixel_of(rgb, x, row)[0];
        if (before_it >= 0) assert_true(now >= before_it - 1 && (float)(now - before_it) < per_pixel + 2);
        before_it = now;
    }
    assert_true(before_it >= 0);
}

static void colours_run_smoothly_from_cell_to_cell(void **state) {
    (void)state;
    picture.palette = pd_palette_find("mono"); /* its red rises all the way */
    picture.width = WIDTH, picture.height = HEIGHT;
    for (int cells = 4; cells <= 64; cells *= 4) {
        fill_box(cells, ramp);
        draw();
        assert_smooth((float)cells, 0.5f * 1.05f);
        fill_box(cells, step); /* within a cell, no steeper than half as much again as a straight line, and no wave */
        draw();
        assert_smooth((float)cells, 0.25f * (float)cells * 1.55f);
    }
}

static void values_go_on_to_the_wall(void **state) {
    (void)state;
    for (int cells = 4; cells <= 64; cells *= 4) {
        float outer = 1 + 1 / (float)cells;
        fake->view.low = (pd_vec2){-outer, -outer}, fake->view.high = (pd_vec2){outer, outer};
        fake->view.spacing = 2 / (float)cells; /* the wall is drawn half of it farther out, and glows */
        fill_box(cells, ramp);
        field.low = -0.5f, field.high = 1.5f;
        draw();
        float wall = outer - 10 / camera.pixels_per_metre;
        for (float x = -wall; x < wall; x += 0.01f)
            for (float y = -wall; y < wall; y += 0.1f) assert_legend_colour(at(x, y), 0.5f * (ramp(x, y) + 0.5f));
    }
}

static void the_ground_is_seen_where_there_is_no_value(void **state) {
    (void)state;
    fill_box(48, nothing);
    for (float x = -0.8f; x < 0.8f; x += 0.1f) fake_view_add(fake, x, 0.2f, 0); /* nor are particles drawn */
    draw();
    keep();
    field.info.name = "other";
    draw();
    assert_memory_equal(rgb, before, (size_t)picture.width * (size_t)picture.height * 3);
    for (int lines = 0; lines < 2; lines++) {
        picture.lines = lines ? PD_LINES_CONTOURS : PD_LINES_NONE;
        fill_box(48, pierced);
        draw();
        for (int y = 0; y < picture.height; y++)
            for (int x = 0; x < picture.width; x++) {
                pd_vec2 place = place_of(x, y);
                float from_edge = hypotf(place.x - 0.2f, place.y) - 0.4f;
                bool same = !memcmp(pixel_of(rgb, x, y), pixel_of(before, x, y), 3);
                if (from_edge < -1.5f * field.cell) assert_true(same);
                if (from_edge > 1.5f * field.cell && fabsf(place.x) < 0.98f && fabsf(place.y) < 0.98f)
                    assert_false(same);
            }
    }
}

/* Cells of solids have no value, and no staircase of them is left beside what is drawn of the solids. */
static float beside_solids(float x, float y) {
    float u = 0.8f * (x + 0.5f) + 0.6f * (y - 0.2f), v = -0.6f * (x + 0.5f) + 0.8f * (y - 0.2f);
    bool in_box = fabsf(u) < 0.25f && fabsf(v) < 0.15f, in_line = fabsf(y + 0.6f) < 0.05f && fabsf(x) < 0.4f;
    return hypotf(x - 0.4f, y) < 0.25f || in_box || in_line || hypotf(x, y) > 1 ? NAN : 0.5f;
}

static void solids_have_no_stairs(void **state) {
    (void)state;
    const pd_vec2 points[] = {{-0.4f, 0}, {0.4f, 0}};
    const pd_view_obstacle obstacles[] = {
        {.shape = PD_SHAPE_CIRCLE, .center = {0.4f, 0}, .radius = 0.25f},
        {.shape = PD_SHAPE_BOX, .center = {-0.5f, 0.2f}, .size = {0.5f, 0.3f}, .angle = 36.8699f},
        {.shape = PD_SHAPE_POLYLINE, .center = {0, -0.6f}, .points = points, .point_count = 2, .thickness = 0.1f}};
    fake->view.container = (pd_container){.shape = PD_CONTAINER_CIRCLE, .radius = 1};
    fake->view.obstacles = obstacles, fake->view.obstacle_count = 3;
    for (int cells = 30; cells <= 120; cells *= 2)
        for (int spaced = 0; spaced < 2; spaced++) {
            fake->view.spacing = spaced ? 1.5f / (float)cells : 0; /* the wall is drawn half of it farther out */
            fill_box(cells, flat);
            draw();
            keep();
            fill_box(cells, beside_solids);
            draw();
            assert_memory_equal(rgb, before, (size_t)picture.width * (size_t)picture.height * 3);
        }
}

static void a_round_wall_clips_exactly(void **state) {
    (void)state;
    float colour[3];
    pd_palette_map(0, 1, colour);
    fake->view.container = (pd_container){.shape = PD_CONTAINER_CIRCLE, .radius = 1};
    for (int size = 1; size <= 2; size++) {
        picture.width = 640 * size, picture.height = 480 * size;
        fill(40, 40, (pd_vec2){-1.5f, -1.5f}, 0.075f, full);
        draw_alone();
        double area = 0, radius = (double)camera.pixels_per_metre;
        for (int y = 0; y < picture.height; y++)
            for (int x = 0; x < picture.width; x++) {
                pd_vec2 place = place_of(x, y);
                float inside = (1 - hypotf(place.x, place.y)) * camera.pixels_per_metre + 0.5f;
                float cover = (float)pixel_of(rgb, x, y)[1] / (255 * colour[1]);
                assert_true(fabsf(cover - fminf(fmaxf(inside, 0), 1)) < 0.02f);
                area += (double)cover;
            }
        assert_true(fabs(area / (3.14159265 * radius * radius) - 1) < 0.005);
    }
}

static void a_grid_ends_where_it_ends(void **state) {
    (void)state;
    float colour[3];
    pd_palette_map(0, 1, colour);
    fake->view.container.shape = PD_CONTAINER_NONE;
    fill(30, 20, (pd_vec2){-0.6f, -0.4f}, 0.04f, full);
    draw_alone();
    double area = 0;
    for (int i = 0; i < picture.width * picture.height; i++) area += (double)rgb[3 * i + 1] / (double)(255 * colour[1]);
    double metre = (double)camera.pixels_per_metre;
    assert_true(fabs(area / (1.2 * 0.8 * metre * metre) - 1) < 0.005); /* its corners are round, by a cell */
    for (float y = -0.2f; y < 0.25f; y += 0.05f)
        for (int side = -1; side <= 1; side += 2) {
            assert_legend_colour(at((float)side * (0.6f - 1.5f / camera.pixels_per_metre), y), 1);
            assert_int_equal(at((float)side * (0.6f + 1.5f / camera.pixels_per_metre), y)[1], 0);
        }
    fill(1, 1, (pd_vec2){-0.05f, -0.05f}, 0.1f, full); /* single cells and rows of them stay */
    draw_alone();
    assert_legend_colour(at(0, 0), 1);
    fill(1, 12, (pd_vec2){-0.05f, -0.6f}, 0.1f, full);
    draw_alone();
    for (float y = -0.5f; y < 0.55f; y += 0.05f) assert_legend_colour(at(0, y), 1);
    assert_int_equal(at(0.15f, 0)[1], 0);
}

/* Which pixels the lines change, from the difference to the same picture without lines. */
/* A fluid that goes on in open space fades out where its field ends; the middle is not changed. */
static void an_open_fluid_has_no_edge(void **state) {
    (void)state;
    float colour[3];
    pd_palette_map(0, 1, colour);
    fake->view.container.shape = PD_CONTAINER_NONE;
    fake->view.tracers = true;
    fill(60, 40, (pd_vec2){-0.6f, -0.4f}, 0.02f, full);
    draw_alone();
    for (float t = -0.9f; t < 0.9f; t += 2 / camera.pixels_per_metre)
        for (int along = 0; along < 2; along++) {
            const uint8_t *a = along ? at(t, 0) : at(0, t), *b = along ? a + 3 : at(0, t + 1 / camera.pixels_per_metre);
            assert_true(abs(b[1] - a[1]) < 40);
        }
    for (float y = -0.25f; y < 0.3f; y += 0.05f)
        for (float x = -0.45f; x < 0.5f; x += 0.05f) assert_legend_colour(at(x, y), 1);
    assert_true(at(0.59f, 0)[1] < 30 && at(0, -0.39f)[1] < 30);
}

static void draw_lines(void) {
    picture.lines = PD_LINES_NONE;
    draw();
    keep();
    picture.lines = PD_LINES_CONTOURS;
    draw();
}

static void lines_lie_where_the_field_has_their_value(void **state) {
    (void)state;
    for (int size = 1; size <= 2; size++) {
        picture.width = 640 * size, picture.height = 480 * size, picture.scale = (float)size;
        fill_box(64, radial);
        draw_lines();
        int drawn[10] = {0};
        for (int y = 0; y < picture.height; y++)
            for (int x = 0; x < picture.width; x++) {
                if (difference(pixel_of(rgb, x, y), pixel_of(before, x, y)) < 12) continue;
                pd_vec2 place = place_of(x, y);
                float radius = hypotf(place.x, place.y), level = roundf(10 * radius);
                float off = fabsf(radius - 0.1f * level) * camera.pixels_per_metre;
                assert_true(level >= 1 && level <= 9 && off < 0.55f * picture.scale + 0.5f + 0.6f);
                drawn[(int)level]++;
            }
        for (int level = 1; level <= 9; level++) {
            float round = 6.2831853f * 0.1f * (float)level * camera.pixels_per_metre;
            assert_true((float)drawn[level] > (1.1f * picture.scale + 0.5f) * round &&
                        (float)drawn[level] < (1.1f * picture.scale + 1.4f) * round);
            for (float angle = 0; angle < 6.28f; angle += 0.02f) {
                pd_vec2 middle = pd_camera_to_pixels(
                    &camera, (pd_vec2){0.1f * (float)level * cosf(angle), 0.1f * (float)level * sinf(angle)});
                bool found = false;
                for (int j = -1; j <= 1; j++)
                    for (int i = -1; i <= 1; i++) {
                        int x = (int)middle.x + i, y = (int)middle.y + j;
                        found = found || difference(pixel_of(rgb, x, y), pixel_of(before, x, y)) >= 12;
                    }
                assert_true(found);
            }
        }
    }
}

static float signed_ramp(float x, float y) { return x + 0 * y; }

static void the_line_of_zero_is_stronger(void **state) {
    (void)state;
    picture.scale = 2;
    picture.width = WIDTH, picture.height = HEIGHT;
    fill_box(32, signed_ramp);
    field.low = -1;
    draw_lines();
    int changed[11] = {0}; /* in a row, beside each multiple of 0.2 */
    for (int x = 0; x < picture.width; x++) {
        float value = place_of(x, picture.height / 2).x;
        if (fabsf(value) < 0.95f)
            changed[(int)roundf(5 * value) + 5] += difference(pixel_of(rgb, x, 300), pixel_of(before, x, 300));
    }
    for (int level = 1; level <= 9; level++) assert_true(changed[level] > 100);
    for (int level = 1; level <= 9; level++)
        if (level != 5) assert_true(2 * changed[5] > 3 * changed[level]);
}

static float nearly_flat(float x, float y) { return 0.5f + 1e-5f * sinf(40 * x) * cosf(30 * y); }

static void plateaus_have_no_lines(void **state) {
    (void)state;
    value_at *calm[] = {flat, nearly_flat, full, nothing, step};
    for (size_t i = 0; i < sizeof calm / sizeof calm[0]; i++) {
        fill_box(64, calm[i]);
        draw_lines();
        for (int y = 0; y < picture.height; y++)
            for (int x = 0; x < picture.width; x++)
                if (calm[i] != step || fabsf(place_of(x, y).x) > field.cell)
                    assert_memory_equal(pixel_of(rgb, x, y), pixel_of(before, x, y), 3);
    }
}

/* Zero at the right side, from values of both signs that are small in the last cell. */
static float leaving(float x, float y) { return (1 - x) * sinf(20 * y) + 2 * fmaxf(0.5f - x, 0); }

static void no_line_of_zero_follows_an_outflow_side(void **state) {
    (void)state;
    fake->view.container.walls[PD_WALL_RIGHT].outflow = true;
    fill_box(64, leaving);
    for (int j = 0; j < 64; j++) values[j * 64 + 63] = j % 2 ? 0.004f : -0.004f;
    field.low = -1;
    draw_lines();
    int elsewhere = 0;
    for (int y = 0; y < picture.height; y++)
        for (int x = 0; x < picture.width; x++) {
            int changed = difference(pixel_of(rgb, x, y), pixel_of(before, x, y));
            if (place_of(x, y).x > 1 - 2 * field.cell)
                assert_int_equal(changed, 0);
            else
                elsewhere += changed > 12;
        }
    assert_true(elsewhere > 1000);
}

static float drops(float x, float y) {
    int i = (int)roundf(16 * (x + 1) - 0.5f), j = (int)roundf(16 * (y + 1) - 0.5f);
    if (hypotf(x + 0.4f, y) < 0.4f) return x + 1;
    return x > 0.2f && i % 4 < 2 && j % 8 == 4 ? 0.33f + 0.4f * (float)(i % 2) : NAN;
}

/* Drops of one cell by two; a body of many cells has its lines. */
static void small_drops_have_no_lines(void **state) {
    (void)state;
    fill_box(32, drops);
    draw_lines();
    int in_body = 0;
    for (int y = 0; y < picture.height; y++)
        for (int x = 0; x < picture.width; x++) {
            int changed = difference(pixel_of(rgb, x, y), pixel_of(before, x, y));
            if (place_of(x, y).x > 0.1f)
                assert_true(changed < 12); /* rounding */
            else
                in_body += changed > 12;
        }
    assert_true(in_body > 300);
}

static void mirrored_fields_make_mirrored_pictures(void **state) {
    (void)state;
    fake->view.container = (pd_container){.shape = PD_CONTAINER_CIRCLE, .radius = 1};
    for (int lines = 0; lines < 2; lines++)
        for (int axis = 0; axis < 2; axis++) {
            picture.lines = lines ? PD_LINES_CONTOURS : PD_LINES_NONE;
            fill_box(30, lopsided);
            draw_alone();
            keep();
            for (int j = 0; j < 30; j++)
                for (int i = 0; i < 30; i++) {
                    int other = axis ? (29 - j) * 30 + i : j * 30 + 29 - i, here = j * 30 + i;
                    if (other < here) continue;
                    float value = values[here];
                    values[here] = values[other], values[other] = value;
                }
            draw_alone();
            for (int y = 0; y < picture.height; y++)
                for (int x = 0; x < picture.width; x++) {
                    const uint8_t *mirror =
                        axis ? pixel_of(before, x, picture.height - 1 - y) : pixel_of(before, picture.width - 1 - x, y);
                    assert_true(difference(pixel_of(rgb, x, y), mirror) <= 6); /* the pattern against bands */
                }
        }
}

static void infinite_values_are_the_ends_of_the_legend(void **state) {
    (void)state;
    fill_box(5, flat);
    values[6] = INFINITY, values[18] = -INFINITY;
    draw();
    assert_legend_colour(at(-0.4f, -0.4f), 1);
    assert_legend_colour(at(0.4f, 0.4f), 0);
    assert_legend_colour(at(0.4f, -0.4f), 0.5f);
    field.low = field.high; /* without a range all is at its low end */
    draw();
    assert_legend_colour(at(0.4f, -0.4f), 0);
    assert_legend_colour(at(-0.4f, -0.4f), 0);
}

static void odd_fields_do_no_harm(void **state) {
    (void)state;
    static const struct {
        int nx, ny;
        pd_vec2 origin;
        float cell, low, high;
    } odd[] = {{1, 1, {-1, -1}, 2, 0, 1},
               {1, 300, {-0.1f, -1}, 0.01f, 0, 1},
               {300, 1, {-1, 0}, 0.01f, 0, 1},
               {2, 3, {0.3f, 0.3f}, 1, 0, 1},
               {4096, 4096, {-1, -1}, 2.f / 4096, 0, 1},
               {64, 64, {5, 5}, 0.1f, 0, 1},
               {64, 64, {-1, -1}, 1e-9f, 0, 1},
               {64, 64, {-1, -1}, 1e9f, 0, 1},
               {64, 64, {-1e30f, 0}, 1e29f, 0, 1},
               {64, 64, {NAN, 0}, 0.1f, 0, 1},
               {64, 64, {0, INFINITY}, 0.1f, 0, 1},
               {64, 64, {-1, -1}, NAN, 0, 1},
               {64, 64, {-1, -1}, 0, 0, 1},
               {64, 64, {-1, -1}, -0.1f, 0, 1},
               {0, 64, {-1, -1}, 0.1f, 0, 1},
               {-1, -1, {-1, -1}, 0.1f, 0, 1},
               {64, 64, {-1, -1}, 0.03f, 2, 2},
               {64, 64, {-1, -1}, 0.03f, 1, -1},
               {64, 64, {-1, -1}, 0.03f, NAN, 1},
               {64, 64, {-1, -1}, 0.03f, -INFINITY, INFINITY},
               {64, 64, {-1, -1}, 0.03f, -3e38f, 3e38f},
               {64, 64, {-1, -1}, 0.03f, 1e7f, 1e7f + 1}};
    const float spacings[] = {0, 0.05f, 1e-9f, 1e9f, NAN};
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++)
        for (int shape = 0; shape < 3; shape++) {
            fake->view.spacing = spacings[(i + (size_t)shape) % 5];
            fake->view.container =
                (pd_container){.shape = (pd_container_shape)shape, .radius = 1, .width = 2, .height = 2};
            fill(odd[i].nx, odd[i].ny, odd[i].origin, odd[i].cell, i % 2 ? pierced : waves);
            field.low = odd[i].low, field.high = odd[i].high;
            picture.lines = shape == 1 ? PD_LINES_NONE : PD_LINES_CONTOURS;
            draw();
        }
    field.values = NULL; /* there was no memory for them */
    draw();
    field.values = values;
    field.info.support = PD_FIELD_OF_PARTICLES;
    draw();
}

static void the_same_picture_twice_is_the_same(void **state) {
    (void)state;
    picture.lines = PD_LINES_CONTOURS;
    fill_box(40, pierced);
    draw();
    keep();
    fill_box(9, waves);
    picture.palette = 2;
    draw();
    picture.mode = &fake_modes[SURFACE];
    fake_view_add(fake, 0.2f, 0.2f, 0);
    draw();
    fill_box(40, pierced);
    picture.palette = 0;
    picture.mode = &as_image;
    draw();
    assert_memory_equal(rgb, before, (size_t)picture.width * (size_t)picture.height * 3);
}

static void lines_stand_at_round_values(void **state) {
    (void)state;
    assert_true(fabs(pd_contour_step(0, 1) - 0.1) < 1e-12);
    assert_true(fabs(pd_contour_step(-40, 40) - 10) < 1e-9);
    assert_true(fabs(pd_contour_step(300, 350) - 5) < 1e-9);
    assert_true(fabs(pd_contour_step(-1e-6f, 1e-6f) - 2e-7) < 1e-12);
    for (float high = 1e-30f; high < 1e30f; high *= 1.07f) {
        double step_of = pd_contour_step(0, high), lines = (double)high / step_of;
        double first = step_of / pow(10, floor(log10(step_of) + 1e-9));
        assert_true(lines > 6.5 && lines < 17);
        assert_true(fabs(first - 1) < 1e-6 || fabs(first - 2) < 1e-6 || fabs(first - 5) < 1e-6);
    }
    const float none[][2] = {{1, 1}, {1, 0}, {NAN, 1}, {0, NAN}, {0, INFINITY}, {-INFINITY, 0}};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) assert_true(pd_contour_step(none[i][0], none[i][1]) == 0);
}

static void fields_of_cells_have_a_legend(void **state) {
    (void)state;
    pd_legend legend;
    fill_box(8, waves);
    field.low = -3, field.high = 5;
    assert_true(pd_picture_legend(&fake->view, &as_image, &legend));
    assert_string_equal(legend.title, "temperature");
    assert_string_equal(legend.unit, "K");
    assert_true(legend.low == -3 && legend.high == 5);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(cells_have_the_colours_of_the_legend),
        TEST(signed_fields_are_dark_at_zero),
        TEST(colours_run_smoothly_from_cell_to_cell),
        TEST(values_go_on_to_the_wall),
        TEST(the_ground_is_seen_where_there_is_no_value),
        TEST(solids_have_no_stairs),
        TEST(a_round_wall_clips_exactly),
        TEST(a_grid_ends_where_it_ends),
        TEST(an_open_fluid_has_no_edge),
        TEST(lines_lie_where_the_field_has_their_value),
        TEST(the_line_of_zero_is_stronger),
        TEST(plateaus_have_no_lines),
        TEST(no_line_of_zero_follows_an_outflow_side),
        TEST(small_drops_have_no_lines),
        TEST(mirrored_fields_make_mirrored_pictures),
        TEST(infinite_values_are_the_ends_of_the_legend),
        TEST(odd_fields_do_no_harm),
        TEST(the_same_picture_twice_is_the_same),
        TEST(lines_stand_at_round_values),
        TEST(fields_of_cells_have_a_legend),
    };
    return cmocka_run_group_tests(tests, open_graphics, close_graphics);
}
