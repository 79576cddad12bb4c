/* Pictures of a field of cells in a box without particles, for tests of fields and lines. */
#ifndef PUDDLE_TESTS_FIELD_PICTURE_H
#define PUDDLE_TESTS_FIELD_PICTURE_H

#include "fake_view.h"
#include "graphics.h"
#include "render/fields/field.h"
#include "render/palette.h"

enum { WIDTH = 1280, HEIGHT = 960, MAX_CELLS = 4096 * 4096 };

typedef float value_at(float x, float y);

static pd_field_image image;
static fake_view *fake;
static pd_field field;
static pd_picture picture;
static pd_camera camera;
static float *values;
static uint8_t rgb[WIDTH * HEIGHT * 3], before[WIDTH * HEIGHT * 3];
static const pd_view_mode as_image = {"heat", PD_VIEW_IMAGE, "heat"};

static inline int open_graphics(void **state) {
    (void)state;
    pd_error error;
    values = malloc(MAX_CELLS * sizeof *values);
    if (!values || create_graphics(WIDTH, HEIGHT)) return -1;
    if (pd_field_image_create(&image, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return -1;
    }
    return 0;
}

static inline int close_all(void **state) {
    pd_field_image_free(&image);
    free(values);
    return close_graphics(state);
}

/* A box of 2 m x 2 m without particles. */
static inline int set_up(void **state) {
    (void)state;
    fake = fake_view_create(0);
    fake_view_box(fake, 2, 2);
    fake->list[0] = &field;
    fake->view.field_count = 1;
    picture = (pd_picture){.view = &fake->view, .mode = &as_image, .alpha = 1, .width = 640, .height = 480, .scale = 1};
    return 0;
}

static inline int tear_down(void **state) {
    (void)state;
    free(fake);
    return 0;
}

static inline void read_picture(void) {
    read_pixels(picture.width, picture.height, rgb);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    pd_camera_fit_view(&camera, &fake->view, picture.width, picture.height);
}

static inline void draw(void) {
    pd_renderer_draw(renderer, canvas.framebuffer, &picture);
    read_picture();
}

/* Draws the field alone, on black: components are proportional to coverage. */
static inline void draw_alone(void) {
    glBindFramebuffer(GL_FRAMEBUFFER, canvas.framebuffer);
    glViewport(0, 0, picture.width, picture.height);
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    pd_camera_fit_view(&camera, &fake->view, picture.width, picture.height);
    pd_picture alone = picture;
    alone.area = (pd_pixel_area){0, 0, picture.width, picture.height};
    pd_field_image_draw(&image, &alone, &camera);
    read_picture();
}

static inline void keep(void) { memcpy(before, rgb, (size_t)picture.width * (size_t)picture.height * 3); }

static inline void fill(int nx, int ny, pd_vec2 origin, float cell, value_at *value) {
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

/* Fills all of the box. */
static inline void fill_box(int cells, value_at *value) {
    fill(cells, cells, (pd_vec2){-1, -1}, 2 / (float)cells, value);
}

static inline uint8_t *pixel_of(uint8_t *pixels, int x, int y) { return &pixels[(y * picture.width + x) * 3]; }

static inline const uint8_t *at(float x, float y) {
    pd_vec2 place = pd_camera_world_to_pixels(&camera, (pd_vec2){x, y});
    return pixel_of(rgb, (int)place.x, (int)place.y);
}

static inline pd_vec2 place_of(int x, int y) {
    return pd_camera_pixels_to_world(&camera, (float)x + 0.5f, (float)y + 0.5f);
}

static inline int difference(const uint8_t *a, const uint8_t *b) {
    return abs(a[0] - b[0]) + abs(a[1] - b[1]) + abs(a[2] - b[2]);
}

static inline void assert_legend_colour(const uint8_t *shown, float value) {
    float expected[3];
    pd_palette_get_legend_colour(picture.palette, field.low, field.high, value, expected);
    for (int c = 0; c < 3; c++) assert_true(fabsf((float)shown[c] - 255 * expected[c]) < 4);
}

static inline float waves(float x, float y) { return 0.5f + 0.75f * sinf(2 * x + 0.3f) * cosf(3 * y); }
static inline float flat(float x, float y) { return 0 * x * y + 0.5f; }
static inline float full(float x, float y) { return 0 * x * y + 1; }
static inline float nothing(float x, float y) { return 0 * x * y + NAN; }
static inline float radial(float x, float y) { return hypotf(x, y); }
static inline float ramp(float x, float y) { return 0.5f * (x + 1) + 0 * y; }
static inline float step(float x, float y) { return x > 0 * y ? 0.7f : 0.2f; }
static inline float pierced(float x, float y) { return hypotf(x - 0.2f, y) < 0.4f ? NAN : waves(x, y); }
static inline float lopsided(float x, float y) { return hypotf(x - 0.5f, y - 0.3f) < 0.3f ? NAN : waves(x + 0.2f, y); }

#endif
