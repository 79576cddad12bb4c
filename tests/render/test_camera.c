/* The camera: fits the view into pictures of any size; conversions are inverse to each other. */
#include "test.h"

#include "fake_view.h"
#include "render/picture.h"

static const int sizes[][2] = {{320, 240}, {1280, 720}, {1920, 1080}, {3840, 2160}, {601, 1333}, {2000, 100}, {1, 1}};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

static void camera_goes_there_and_back(void **state) {
    (void)state;
    fake_view *fake = fake_view_create(0.05f);
    for (int i = 0; i < SIZES; i++) {
        pd_camera camera;
        pd_camera_fit_view(&camera, &fake->view, sizes[i][0], sizes[i][1]);
        for (int k = 0; k < 20; k++) {
            pd_vec2 point = {0.1f * (float)k - 1, 0.7f - 0.06f * (float)k};
            pd_vec2 pixel = pd_camera_world_to_pixels(&camera, point);
            pd_vec2 back = pd_camera_pixels_to_world(&camera, pixel.x, pixel.y);
            assert_float_equal(back.x, point.x, 1e-4);
            assert_float_equal(back.y, point.y, 1e-4);
        }
    }
    free(fake);
}

static void camera_shows_all_with_a_margin(void **state) {
    (void)state;
    fake_view *fake = fake_view_create(0.05f);
    fake_view_box(fake, 4, 1);
    fake->view.low.x += 1, fake->view.high.x += 1; /* off the origin */
    for (int i = 0; i < SIZES - 1; i++) {
        pd_camera camera;
        pd_camera_fit_view(&camera, &fake->view, sizes[i][0], sizes[i][1]);
        pd_vec2 low = pd_camera_world_to_pixels(&camera, fake->view.low),
                high = pd_camera_world_to_pixels(&camera, fake->view.high);
        assert_true(low.x > 0 && high.x < (float)sizes[i][0]);
        assert_true(high.y > 0 && low.y < (float)sizes[i][1]); /* y points down */
        float used = fmaxf((high.x - low.x) / (float)sizes[i][0], (low.y - high.y) / (float)sizes[i][1]);
        assert_true(used > 0.9f);
        pd_vec2 middle = pd_camera_world_to_pixels(&camera, (pd_vec2){1, 0});
        assert_float_equal(middle.x, 0.5f * (float)sizes[i][0], 0.01);
        assert_float_equal(middle.y, 0.5f * (float)sizes[i][1], 0.01);
    }
    free(fake);
}

/* Beside a bar of the window: nothing is behind it, and the rest is used as a picture of that size would be. */
static void camera_fits_beside(void **state) {
    (void)state;
    fake_view *fake = fake_view_create(0.05f);
    pd_camera beside, narrow, whole;
    pd_camera_fit_view(&narrow, &fake->view, 640 - 52, 480);
    pd_camera_fit_framed_view(&beside, &fake->view, &(pd_framing){.left = 52}, 640, 480);
    pd_vec2 point = {0.3f, -0.8f}, there = pd_camera_world_to_pixels(&beside, point);
    assert_float_equal(there.x, pd_camera_world_to_pixels(&narrow, point).x + 52, 0.01);
    assert_float_equal(there.y, pd_camera_world_to_pixels(&narrow, point).y, 0.01);
    assert_int_equal(beside.width, 640);
    assert_true(pd_camera_world_to_pixels(&beside, fake->view.low).x > 52);
    pd_camera_fit_view(&whole, &fake->view, 640, 480);
    pd_camera_fit_framed_view(&beside, &fake->view, &(pd_framing){0}, 640, 480);
    assert_memory_equal(&whole, &beside, sizeof whole);
    free(fake);
}

/* A zoomed picture has the shifted point in the middle of its free area. */
static void camera_zooms_around_the_shifted_point(void **state) {
    (void)state;
    fake_view *fake = fake_view_create(0.05f);
    pd_camera all, zoomed;
    pd_framing framing = {.left = 52, .top = 38, .right = 10, .bottom = 26};
    pd_camera_fit_framed_view(&all, &fake->view, &framing, 640, 480);
    framing.zoom = 8;
    framing.shift = (pd_vec2){0.3f, -0.7f};
    pd_camera_fit_framed_view(&zoomed, &fake->view, &framing, 640, 480);
    assert_float_equal(zoomed.pixels_per_metre, 8 * all.pixels_per_metre, 0.01);
    assert_float_equal(zoomed.zoom, 8, 0);
    pd_vec2 middle = pd_camera_world_to_pixels(&zoomed, framing.shift);
    assert_float_equal(middle.x, 0.5 * (52 + 640 - 10), 0.05);
    assert_float_equal(middle.y, 0.5 * (38 + 480 - 26), 0.05);
    free(fake);
}

static void matrix_agrees_with_pixels(void **state) {
    (void)state;
    fake_view *fake = fake_view_create(0.05f);
    pd_camera camera;
    float matrix[4][4];
    pd_camera_fit_view(&camera, &fake->view, 1280, 720);
    pd_camera_compute_clip_matrix(&camera, matrix);
    pd_vec2 point = {0.3f, -0.8f}, pixel = pd_camera_world_to_pixels(&camera, point);
    float clip_x = matrix[0][0] * point.x + matrix[1][0] * point.y + matrix[3][0];
    float clip_y = matrix[0][1] * point.x + matrix[1][1] * point.y + matrix[3][1];
    assert_float_equal((clip_x + 1) * 640, pixel.x, 0.01);
    assert_float_equal((1 - clip_y) * 360, pixel.y, 0.01);
    free(fake);
}

static void camera_survives_an_empty_view(void **state) {
    (void)state;
    fake_view *fake = fake_view_create(0.05f);
    const pd_vec2 corners[][2] = {{{0, 0}, {0, 0}}, {{1, 1}, {-1, -1}}, {{NAN, 0}, {INFINITY, 1}}};
    for (size_t i = 0; i < sizeof corners / sizeof corners[0]; i++) {
        pd_camera camera;
        fake->view.low = corners[i][0], fake->view.high = corners[i][1];
        pd_camera_fit_view(&camera, &fake->view, 640, 480);
        assert_true(isfinite(camera.pixels_per_metre) && camera.pixels_per_metre > 0);
        assert_true(isfinite(camera.center.x) && isfinite(camera.center.y));
    }
    free(fake);
}

TEST_GROUP(camera) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(camera_goes_there_and_back), cmocka_unit_test(camera_shows_all_with_a_margin),
        cmocka_unit_test(camera_fits_beside),         cmocka_unit_test(camera_zooms_around_the_shifted_point),
        cmocka_unit_test(matrix_agrees_with_pixels),  cmocka_unit_test(camera_survives_an_empty_view),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
