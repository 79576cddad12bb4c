/* Fields of cells as pictures: their colours and their edges, each against what is known exactly. */
#include "test.h"

#include "field_picture.h"
#include "render/fields/field.h"

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
                    pd_palette_get_signed_map_colour(picture.palette, value / most, expected);
                    for (int c = 0; c < 3; c++) assert_true(fabsf((float)shown[c] - 255 * expected[c]) < 5);
                }
        }
}

/* Neighbouring pixels between the centres of the outer cells differ by no more than a straight rise of `steepness`
 * makes; both are rounded, with half a step of pattern before. */
static void assert_smooth(float cells, float steepness) {
    float most = 0, low[3], high[3];
    for (int i = 0; i < 1000; i++) {
        pd_palette_get_map_colour(picture.palette, (float)i / 1000, low);
        pd_palette_get_map_colour(picture.palette, (float)(i + 1) / 1000, high);
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
    float across = fabsf(x + 0.1f); /* a polygon like an arrow, upwards */
    bool in_arrow = y < 0.9f - 1.5f * across && y > 0.6f - 0.5f * across && across < 0.3f;
    return hypotf(x - 0.4f, y) < 0.25f || in_box || in_line || in_arrow || hypotf(x, y) > 1 ? NAN : 0.5f;
}

static void solids_have_no_stairs(void **state) {
    (void)state;
    static const int triangles[][3] = {{0, 1, 3}, {1, 2, 3}};
    pd_vec2 points[] = {{-0.4f, 0}, {0.4f, 0}}, arrow[] = {{-0.3f, -0.15f}, {0, 0}, {0.3f, -0.15f}, {0, 0.3f}};
    const pd_area obstacles[] = {
        {.shape = PD_SHAPE_CIRCLE, .center = {0.4f, 0}, .radius = 0.25f},
        {.shape = PD_SHAPE_BOX, .center = {-0.5f, 0.2f}, .size = {0.5f, 0.3f}, .angle = 36.8699f},
        {.shape = PD_SHAPE_POLYLINE, .center = {0, -0.6f}, .points = points, .point_count = 2, .thickness = 0.1f},
        {.shape = PD_SHAPE_POLYGON,
         .center = {-0.1f, 0.6f},
         .points = arrow,
         .point_count = 4,
         .triangles = triangles}};
    fake->view.container = (pd_container){.shape = PD_CONTAINER_CIRCLE, .radius = 1};
    fake->view.obstacles = obstacles, fake->view.obstacle_count = 4;
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
    pd_palette_get_map_colour(0, 1, colour);
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
    pd_palette_get_map_colour(0, 1, colour);
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
    pd_palette_get_map_colour(0, 1, colour);
    fake->view.container.shape = PD_CONTAINER_NONE;
    fake->view.particles_are_tracers = true;
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

static void fields_of_cells_have_a_legend(void **state) {
    (void)state;
    pd_legend legend;
    fill_box(8, waves);
    field.low = -3, field.high = 5;
    assert_true(pd_picture_find_legend(&fake->view, &as_image, &legend));
    assert_string_equal(legend.title, "temperature");
    assert_string_equal(legend.unit, "K");
    assert_true(legend.low == -3 && legend.high == 5);
}

TEST_GROUP(field_view) {
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
        TEST(mirrored_fields_make_mirrored_pictures),
        TEST(infinite_values_are_the_ends_of_the_legend),
        TEST(odd_fields_do_no_harm),
        TEST(the_same_picture_twice_is_the_same),
        TEST(fields_of_cells_have_a_legend),
    };
    return cmocka_run_group_tests(tests, open_graphics, close_all);
}
