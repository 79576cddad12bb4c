/* Contour lines over fields of cells: where they lie, and where there are none. */
#include "test.h"

#include "field_picture.h"
#include "render/fields/field.h"

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
                pd_vec2 middle = pd_camera_world_to_pixels(
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

static void lines_stand_at_round_values(void **state) {
    (void)state;
    assert_true(fabs(pd_compute_contour_interval(0, 1) - 0.1) < 1e-12);
    assert_true(fabs(pd_compute_contour_interval(-40, 40) - 10) < 1e-9);
    assert_true(fabs(pd_compute_contour_interval(300, 350) - 5) < 1e-9);
    assert_true(fabs(pd_compute_contour_interval(-1e-6f, 1e-6f) - 2e-7) < 1e-12);
    for (float high = 1e-30f; high < 1e30f; high *= 1.07f) {
        double step_of = pd_compute_contour_interval(0, high), lines = (double)high / step_of;
        double first = step_of / pow(10, floor(log10(step_of) + 1e-9));
        assert_true(lines > 6.5 && lines < 17);
        assert_true(fabs(first - 1) < 1e-6 || fabs(first - 2) < 1e-6 || fabs(first - 5) < 1e-6);
    }
    const float none[][2] = {{1, 1}, {1, 0}, {NAN, 1}, {0, NAN}, {0, INFINITY}, {-INFINITY, 0}};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        assert_true(pd_compute_contour_interval(none[i][0], none[i][1]) == 0);
}

TEST_GROUP(field_lines) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(lines_lie_where_the_field_has_their_value),
        TEST(the_line_of_zero_is_stronger),
        TEST(plateaus_have_no_lines),
        TEST(no_line_of_zero_follows_an_outflow_side),
        TEST(small_drops_have_no_lines),
        TEST(lines_stand_at_round_values),
    };
    return cmocka_run_group_tests(tests, open_graphics, close_all);
}
