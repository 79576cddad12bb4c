/* Pictures of particles, drawn without a window. Include once in a test program. */
#ifndef PUDDLE_TESTS_PARTICLE_PICTURE_H
#define PUDDLE_TESTS_PARTICLE_PICTURE_H

#include "fake_view.h"
#include "graphics.h"
#include "render/picture.h"

enum { WIDTH = 640, HEIGHT = 480 };

static fake_view *fake;
static pd_picture picture;
static pd_camera camera;
static uint8_t rgb[WIDTH * HEIGHT * 3];

static inline int open_graphics(void **state) {
    (void)state;
    return create_graphics(WIDTH, HEIGHT);
}

static inline int set_up(void **state) {
    (void)state;
    fake = fake_view_create(0.03f);
    picture = (pd_picture){
        .view = &fake->view, .mode = &fake_modes[SURFACE], .alpha = 1, .width = WIDTH, .height = HEIGHT, .scale = 1};
    return 0;
}

static inline int tear_down(void **state) {
    (void)state;
    free(fake);
    return 0;
}

static inline void draw(void) {
    unsigned target = canvas.framebuffer;
    pd_renderer_draw(renderer, target, &picture);
    read_pixels(WIDTH, HEIGHT, rgb);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    pd_camera_fit_view(&camera, &fake->view, WIDTH, HEIGHT);
}

static inline const uint8_t *pixel(int x, int y) { return &rgb[(y * WIDTH + x) * 3]; }

static inline const uint8_t *at(float x, float y) {
    pd_vec2 place = pd_camera_world_to_pixels(&camera, (pd_vec2){x, y});
    return pixel((int)place.x, (int)place.y);
}

static inline int brightness(const uint8_t *p) { return p[0] + p[1] + p[2]; }

static inline bool is_ground(const uint8_t *p) { return brightness(p) < 130 && p[0] < 48 && p[1] < 56 && p[2] < 72; }

/* The brightest pixel within `reach` pixels of a point. */
static inline int brightest(float x, float y, int reach) {
    pd_vec2 place = pd_camera_world_to_pixels(&camera, (pd_vec2){x, y});
    int best = 0;
    for (int j = -reach; j <= reach; j++)
        for (int i = -reach; i <= reach; i++) {
            int now = brightness(pixel((int)place.x + i, (int)place.y + j));
            if (now > best) best = now;
        }
    return best;
}

static inline bool half(float x, float y) { return x * x + y * y < 0.999f && y < 0; }
static inline bool disc(float x, float y) { return x * x + y * y < 0.16f; }
static inline bool everywhere(float x, float y) { return x * x + y * y < 0.999f; }

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
