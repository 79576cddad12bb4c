/* Dyes: the colours of the materials where they are dense, the ground where they are thin, and their mixtures. */
#include "fake_view.h"
#include "graphics.h"
#include "render/fields/dyes.h"
#include "render/palette.h"

enum { WIDTH = 640, HEIGHT = 480, CELLS = 64, LAYERS = 8 };

typedef float amount_at(float x, float y, int dye);

static fake_view *fake;
static pd_field field;
static pd_picture picture;
static pd_camera camera;
static float values[LAYERS * CELLS * CELLS];
static uint8_t rgb[WIDTH * HEIGHT * 3], ground[WIDTH * HEIGHT * 3];
static const pd_view_mode as_dyes = {"smoke", PD_VIEW_DYES, "smoke"};

static int open_graphics(void **state) {
    (void)state;
    return create_graphics(WIDTH, HEIGHT);
}

static void draw(void) {
    pd_renderer_draw(renderer, canvas.framebuffer, &picture);
    read_pixels(WIDTH, HEIGHT, rgb);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    pd_camera_fit_view(&camera, &fake->view, WIDTH, HEIGHT);
}

/* A box of 2 m x 2 m, and its picture without dye. */
static int set_up(void **state) {
    (void)state;
    fake = fake_view_create(0);
    fake_view_box(fake, 2, 2);
    fake->list[0] = &field;
    fake->view.field_count = 0;
    picture =
        (pd_picture){.view = &fake->view, .mode = &as_dyes, .alpha = 1, .width = WIDTH, .height = HEIGHT, .scale = 1};
    draw();
    memcpy(ground, rgb, sizeof ground);
    fake->view.field_count = 1;
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    free(fake);
    return 0;
}

static void fill(int cells, int layers, amount_at *amount) {
    float cell = 2 / (float)cells;
    for (int m = 0; m < layers; m++)
        for (int j = 0; j < cells; j++)
            for (int i = 0; i < cells; i++)
                values[(m * cells + j) * cells + i] =
                    amount(((float)i + 0.5f) * cell - 1, ((float)j + 0.5f) * cell - 1, m);
    field = (pd_field){.info = {"smoke", "smoke", "", PD_FIELD_OF_CELLS},
                       .values = values,
                       .high = 1,
                       .layers = layers,
                       .nx = cells,
                       .ny = cells,
                       .origin = {-1, -1},
                       .cell = cell};
}

static const uint8_t *in(const uint8_t *pixels, float x, float y) {
    pd_vec2 place = pd_camera_world_to_pixels(&camera, (pd_vec2){x, y});
    return &pixels[((int)place.y * WIDTH + (int)place.x) * 3];
}

static int difference(const uint8_t *a, const uint8_t *b) {
    return abs(a[0] - b[0]) + abs(a[1] - b[1]) + abs(a[2] - b[2]);
}

static void material(int index, uint8_t colour[3]) {
    uint32_t packed = pd_palette_material_colour(picture.palette, &fake->view, index);
    for (int c = 0; c < 3; c++) colour[c] = (uint8_t)(packed >> (8 * c));
}

static float to_linear(uint8_t code) {
    float c = (float)code / 255;
    return c <= 0.04045f ? c / 12.92f : powf((c + 0.055f) / 1.055f, 2.4f);
}

static uint8_t to_code(float c) {
    return (uint8_t)lrintf(255 * (c <= 0.0031308f ? c * 12.92f : 1.055f * powf(c, 1 / 2.4f) - 0.055f));
}

static float thirds(float x, float y, int dye) { return (int)(1.5f * (x + 1) + 0 * y) == dye ? 1 : 0; }
static float half_of_each(float x, float y, int dye) { return dye < 2 ? 0.5f + 0 * x * y : 0; }
static float ramp_of_first(float x, float y, int dye) { return dye == 0 ? 0.5f * (x + 1) + 0 * y : 0; }
static float pierced(float x, float y, int dye) { return hypotf(x - 0.2f, y) < 0.4f ? NAN : dye == 1 ? 1 : 0; }
static float all_of_second(float x, float y, int dye) { return dye == 1 ? 1 + 0 * x * y : 0; }
static float swirls(float x, float y, int dye) { return 0.5f + 0.6f * sinf(4 * x + 3 * y * (float)(dye + 1)); }

static void a_dense_dye_has_the_colour_of_its_material(void **state) {
    (void)state;
    fill(CELLS, 3, thirds);
    for (picture.palette = 0; picture.palette < pd_palette_count(); picture.palette++) {
        draw();
        for (int m = 0; m < 3; m++) {
            uint8_t expected[3];
            material(m, expected);
            for (float y = -0.8f; y < 0.9f; y += 0.2f)
                assert_true(difference(in(rgb, ((float)m - 1) * 0.6667f, y), expected) <= 6);
        }
    }
}

static void dyes_mix_in_linear_light(void **state) {
    (void)state;
    fill(CELLS, 3, half_of_each);
    draw();
    uint8_t first[3], second[3], expected[3];
    material(0, first), material(1, second);
    for (int c = 0; c < 3; c++) expected[c] = to_code(0.5f * (to_linear(first[c]) + to_linear(second[c])));
    for (float x = -0.8f; x < 0.9f; x += 0.2f) assert_true(difference(in(rgb, x, 0.3f), expected) <= 6);
}

/* The thinner, the more of the ground is seen; and always in the hue of the dye. */
static void the_ground_shows_through_thin_dye(void **state) {
    (void)state;
    fill(CELLS, 3, ramp_of_first);
    draw();
    int last = -1;
    for (float x = -0.99f; x < 0.97f; x += 0.05f) {
        int now = difference(in(rgb, x, 0.1f), in(ground, x, 0.1f));
        assert_true(now > last);
        last = now;
        if (x > -0.6f) assert_true(in(rgb, x, 0.1f)[2] > in(rgb, x, 0.1f)[0] + 20); /* blue */
    }
    assert_true(difference(in(rgb, -0.98f, 0.1f), in(ground, -0.98f, 0.1f)) < 25);
}

static void there_is_no_dye_without_fluid(void **state) {
    (void)state;
    fill(CELLS, 3, pierced);
    draw();
    uint8_t rose[3];
    material(1, rose);
    for (float x = -0.95f; x < 0.95f; x += 0.02f)
        for (float y = -0.95f; y < 0.95f; y += 0.02f) {
            float from_edge = hypotf(x - 0.2f, y) - 0.4f;
            if (from_edge < -2.5f * field.cell) assert_true(difference(in(rgb, x, y), in(ground, x, y)) == 0);
            if (from_edge > 2.5f * field.cell) assert_true(difference(in(rgb, x, y), rose) < 12);
        }
}

/* Dye goes on under walls and obstacles, which are drawn over it, as if the fluid did. */
static float beside_solids(float x, float y, int dye) {
    return hypotf(x - 0.4f, y) < 0.25f || hypotf(x, y) > 1 ? NAN : all_of_second(x, y, dye);
}

static void dye_goes_on_to_the_wall(void **state) {
    (void)state;
    static uint8_t whole[sizeof rgb];
    const pd_area obstacle = {.shape = PD_SHAPE_CIRCLE, .center = {0.4f, 0}, .radius = 0.25f};
    fake->view.container = (pd_container){.shape = PD_CONTAINER_CIRCLE, .radius = 1};
    fake->view.obstacles = &obstacle, fake->view.obstacle_count = 1;
    for (int cells = 16; cells <= CELLS; cells *= 2)
        for (int spaced = 0; spaced < 2; spaced++) {
            fake->view.spacing = spaced ? 1.5f / (float)cells : 0; /* the wall is drawn half of it farther out */
            fill(cells, 3, all_of_second);
            draw();
            memcpy(whole, rgb, sizeof whole);
            fill(cells, 3, beside_solids);
            draw();
            for (size_t i = 0; i < sizeof rgb; i++) assert_true(abs(rgb[i] - whole[i]) <= 2);
        }
}

/* Between the centres of cells there are no steps, however large the cells are. */
static void dyes_are_smooth(void **state) {
    (void)state;
    for (int cells = 8; cells <= CELLS; cells *= 2) {
        fill(cells, 3, ramp_of_first);
        draw();
        const uint8_t *row = &rgb[(HEIGHT / 2) * WIDTH * 3];
        pd_vec2 left = pd_camera_world_to_pixels(&camera, (pd_vec2){-0.95f, 0}),
                right = pd_camera_world_to_pixels(&camera, (pd_vec2){0.95f, 0});
        for (int x = (int)left.x + 1; x < (int)right.x; x++) assert_true(abs(row[3 * x + 2] - row[3 * x - 1]) <= 4);
    }
}

static void odd_dyes_do_no_harm(void **state) {
    (void)state;
    const float cells[] = {2.f / CELLS, 1e-9f, 1e9f, 0, -1, NAN, 1e-4f, 0.5f};
    const int sizes[][3] = {{1, 1, 8},   {1, 64, 8},  {64, 1, 3},  {0, 5, 3},
                            {-1, -1, 3}, {64, 64, 8}, {64, 64, 0}, {64, 64, 1}};
    for (size_t k = 0; k < sizeof cells / sizeof cells[0]; k++)
        for (size_t l = 0; l < sizeof sizes / sizeof sizes[0]; l++) {
            fill(CELLS, LAYERS, swirls); /* runs over 0 and 1 */
            values[5] = INFINITY, values[9] = -INFINITY, values[CELLS * CELLS + 3] = NAN;
            field.cell = cells[k];
            field.nx = sizes[l][0], field.ny = sizes[l][1], field.layers = sizes[l][2];
            fake->view.spacing = k % 2 ? 0.05f : NAN;
            draw(); /* more layers than materials too */
        }
    field.values = NULL;
    draw();
    field.values = values;
    field.info.support = PD_FIELD_OF_PARTICLES;
    draw();
    assert_memory_equal(rgb, ground, 3 * WIDTH); /* nothing is drawn */
}

static void dyes_have_no_legend(void **state) {
    (void)state;
    pd_legend legend;
    fill(CELLS, 3, swirls);
    assert_false(pd_picture_find_legend(&fake->view, &as_dyes, &legend));
    assert_false(pd_lines_can_be_drawn(&fake->view, &as_dyes, PD_LINES_CONTOURS));
}

TEST_GROUP(dyes) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_dense_dye_has_the_colour_of_its_material),
        TEST(dyes_mix_in_linear_light),
        TEST(the_ground_shows_through_thin_dye),
        TEST(there_is_no_dye_without_fluid),
        TEST(dye_goes_on_to_the_wall),
        TEST(dyes_are_smooth),
        TEST(odd_dyes_do_no_harm),
        TEST(dyes_have_no_legend),
    };
    return cmocka_run_group_tests(tests, open_graphics, close_graphics);
}
