/* Vortices as pictures: colours of the legend, sizes of the cores, and smooth where they overlap. */
#include "fake_view.h"
#include "graphics.h"
#include "render/palette.h"
#include "render/picture.h"

enum { WIDTH = 640, HEIGHT = 480, MOST = 16384 };

static fake_view *fake;
static pd_picture picture;
static pd_camera camera;
static float x[MOST], y[MOST], previous_x[MOST], previous_y[MOST], circulation[MOST], core[MOST], area[MOST];
static int count;
static uint8_t rgb[WIDTH * HEIGHT * 3], ground[WIDTH * HEIGHT * 3];
static const pd_view_mode as_discs = {"vortons", PD_VIEW_VORTICES, NULL, PD_LINES_NONE};

static int open_graphics(void **state) {
    (void)state;
    return create_graphics(WIDTH, HEIGHT);
}

static void draw(void) {
    fake->view.vortices = (pd_view_vortices){.count = count,
                                             .x = x,
                                             .y = y,
                                             .previous_x = previous_x,
                                             .previous_y = previous_y,
                                             .circulation = circulation,
                                             .core = core,
                                             .area = area};
    pd_renderer_draw(renderer, canvas.framebuffer, &picture);
    read_pixels(WIDTH, HEIGHT, rgb);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    pd_camera_fit_view(&camera, &fake->view, WIDTH, HEIGHT);
}

/* A box of 2 m x 2 m, and its picture without vortices. */
static int set_up(void **state) {
    (void)state;
    fake = fake_view_create(0);
    fake_view_box(fake, 2, 2);
    fake->view.field_count = 0;
    fake->view.circulation_scale = 1;
    picture =
        (pd_picture){.view = &fake->view, .mode = &as_discs, .alpha = 1, .width = WIDTH, .height = HEIGHT, .scale = 1};
    count = 0;
    draw();
    memcpy(ground, rgb, sizeof ground);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    free(fake);
    return 0;
}

static void add(float at_x, float at_y, float strength, float radius, float of_area) {
    assert_true(count < MOST);
    x[count] = previous_x[count] = at_x, y[count] = previous_y[count] = at_y;
    circulation[count] = strength;
    core[count] = radius;
    area[count++] = of_area;
}

static const uint8_t *pixel_at(const uint8_t *pixels, float at_x, float at_y) {
    pd_vec2 place = pd_camera_world_to_pixels(&camera, (pd_vec2){at_x, at_y});
    return &pixels[((int)place.y * WIDTH + (int)place.x) * 3];
}

static int change_at(float at_x, float at_y) {
    const uint8_t *now = pixel_at(rgb, at_x, at_y), *before = pixel_at(ground, at_x, at_y);
    return abs(now[0] - before[0]) + abs(now[1] - before[1]) + abs(now[2] - before[2]);
}

/* The part of the way from the ground to the colour of the legend, in the component where they differ most. */
static float opacity_at(float at_x, float at_y, float strength) {
    float expected[3], most = 0, part = 0;
    pd_legend legend;
    assert_true(pd_picture_find_legend(&fake->view, &as_discs, &legend));
    float root = copysignf(sqrtf(fminf(fabsf(strength) / legend.high, 1)), strength);
    pd_palette_get_signed_map_colour(picture.palette, root, expected);
    for (int c = 0; c < 3; c++) {
        float from = (float)pixel_at(ground, at_x, at_y)[c], way = 255 * expected[c] - from;
        if (fabsf(way) <= most) continue;
        most = fabsf(way);
        part = ((float)pixel_at(rgb, at_x, at_y)[c] - from) / way;
    }
    return part;
}

static void the_legend_has_both_signs(void **state) {
    (void)state;
    pd_legend legend;
    assert_true(pd_picture_find_legend(&fake->view, &as_discs, &legend));
    assert_string_equal(legend.unit, "m²/s");
    assert_non_null(strstr(legend.title, "circulation"));
    assert_true(legend.high >= 1 && legend.low == -legend.high);
    fake->view.circulation_scale = 0; /* no vortex yet */
    assert_true(pd_picture_find_legend(&fake->view, &as_discs, &legend));
    assert_true(legend.high > 0 && legend.low == -legend.high);
}

/* In every palette: nearly the legend's colour in the middle, half of it at the core, the ground far away. */
static void a_disc_is_as_wide_as_its_core(void **state) {
    (void)state;
    static const float strengths[] = {-3, -1, -0.3f, 0.3f, 1, 3};
    static const float cores[] = {0.05f, 0.2f};
    for (picture.palette = 0; picture.palette < pd_palette_count(); picture.palette++)
        for (int s = 0; s < 6; s++)
            for (int c = 0; c < 2; c++) {
                count = 0;
                add(0.1f, -0.2f, strengths[s], cores[c], 0);
                draw();
                float middle = opacity_at(0.1f, -0.2f, strengths[s]);
                float edge = opacity_at(0.1f + cores[c], -0.2f, strengths[s]);
                float beyond = opacity_at(0.1f, -0.2f + 2 * cores[c], strengths[s]);
                assert_true(middle > 0.9f && middle < 1.03f);
                assert_true(edge > 0.35f && edge < 0.75f);
                assert_true(beyond < 0.3f);
                assert_true(change_at(-0.93f, 0.93f) <= 3);
            }
}

/* Vortices that sample a uniform vorticity, half a core and a core apart, are one area of one colour. */
static void samples_are_smooth(void **state) {
    (void)state;
    static const float spacings[] = {0.02f, 0.0125f};
    for (int k = 0; k < 2; k++) {
        float spacing = spacings[k];
        int side = (int)(0.5f / spacing);
        count = 0;
        for (int j = -side; j <= side; j++)
            for (int i = -side; i <= side; i++)
                add((float)i * spacing, (float)j * spacing, 0.5f, 1.4f * spacing, spacing * spacing);
        draw();
        for (int j = -20; j <= 20; j++)
            for (int i = -20; i <= 20; i++) {
                float part = opacity_at(0.02f * (float)i, 0.02f * (float)j, 0.5f);
                assert_true(part > 0.9f && part < 1.03f);
            }
        assert_true(change_at(0.6f, 0) <= 3 && change_at(0, -0.6f) <= 3); /* they have no glow */
    }
}

/* A vortex of the scene is drawn over the fluid's own, wherever it is in the list. */
static void single_vortices_are_on_top(void **state) {
    (void)state;
    add(0.3f, 0, 1, 0.1f, 0);
    for (int j = -20; j <= 20; j++)
        for (int i = -20; i <= 20; i++) add(0.03f * (float)i, 0.03f * (float)j, 0, 0.042f, 9e-4f);
    add(-0.3f, 0, -1, 0.1f, 0);
    draw();
    float right = opacity_at(0.3f, 0, 1), left = opacity_at(-0.3f, 0, -1);
    assert_true(right > 0.9f && right < 1.03f);
    assert_true(left > 0.9f && left < 1.03f);
}

/* A point vortex is seen, and a picture of twice the scale shows it twice as large. */
static void points_are_visible(void **state) {
    (void)state;
    int covered[2];
    for (int k = 0; k < 2; k++) {
        count = 0;
        picture.scale = (float)(k + 1);
        add(0, 0, 1, 0, 0);
        draw();
        covered[k] = 0;
        for (int j = -50; j < 50; j++) /* away from the walls, whose outline is wider too */
            for (int i = -50; i < 50; i++) {
                int n = 3 * ((HEIGHT / 2 + j) * WIDTH + WIDTH / 2 + i);
                covered[k] += abs(rgb[n] - ground[n]) > 40;
            }
    }
    assert_true(covered[0] >= 9);
    assert_true(covered[1] > 3 * covered[0] && covered[1] < 6 * covered[0]);
}

/* Between two steps they are where the particles are: that part of the way. */
static void pictures_are_interpolated_between_steps(void **state) {
    (void)state;
    static const float areas[] = {0, 0.02f};
    for (int k = 0; k < 2; k++)
        for (int quarter = 0; quarter <= 4; quarter++) {
            count = 0;
            add(0.4f, -0.2f, 1, 0.05f, areas[k]);
            previous_x[0] = -0.4f;
            previous_y[0] = 0.2f;
            picture.alpha = 0.25f * (float)quarter;
            draw();
            for (int place = 0; place <= 4; place++) {
                float part = 0.25f * (float)place - 0.5f;
                assert_true(place == quarter ? change_at(0.8f * part, -0.4f * part) > 60
                                             : change_at(0.8f * part, -0.4f * part) < 30);
            }
        }
}

/* Nothing is drawn beyond the walls, nor from vortices outside the picture. */
static void walls_end_the_discs(void **state) {
    (void)state;
    add(0.98f, 0, 1, 0.1f, 0);
    add(40, 40, 1, 0.1f, 0);
    draw();
    assert_true(opacity_at(0.95f, 0, 1) > 0.8f);
    assert_true(change_at(1.05f, 0) <= 3);
}

TEST_GROUP(vortex_discs) {
#define TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(the_legend_has_both_signs),
        TEST(a_disc_is_as_wide_as_its_core),
        TEST(samples_are_smooth),
        TEST(single_vortices_are_on_top),
        TEST(points_are_visible),
        TEST(walls_end_the_discs),
        TEST(pictures_are_interpolated_between_steps),
    };
    return cmocka_run_group_tests(tests, open_graphics, close_graphics);
}
