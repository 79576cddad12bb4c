/* The surface view: its colours where fluids mix, and its holes. */
#include "particle_picture.h"

static bool wide_disc(float x, float y) { return x * x + y * y < 0.36f; }

/* Draws blue and gold particles. is_gold: whether a particle is gold. */
static void draw_two_colours(bool is_gold(int i)) {
    fake_view_fill(fake, wide_disc, 0);
    for (int i = 0; i < fake->view.count; i++) fake->material[i] = is_gold(i) ? 2 : 0;
    draw();
}

static bool is_gold_at_random(int i) {
    (void)i;
    return pd_random_below_one(&fake->random) < 0.5f;
}

static bool is_gold_on_the_right(int i) { return fake->x[i] > 0; }

static bool is_gold_in_a_drop(int i) { return hypotf(fake->x[i], fake->y[i]) < 3.5f * fake->view.spacing; }

static void mixed_colours_read_as_their_mean(void **state) {
    (void)state;
    draw_two_colours(is_gold_at_random);
    float mean[3] = {0};
    int count = 0;
    for (float y = -0.4f; y < 0.4f; y += 0.01f)
        for (float x = -0.4f; x < 0.4f; x += 0.01f, count++)
            for (int c = 0; c < 3; c++) mean[c] += (float)at(x, y)[c];
    int speckled = 0;
    for (float y = -0.4f; y < 0.4f; y += 0.01f)
        for (float x = -0.4f; x < 0.4f; x += 0.01f)
            for (int c = 0; c < 3; c++) speckled += fabsf((float)at(x, y)[c] - mean[c] / (float)count) > 0.15f * 255;
    assert_true(speckled < count / 100);
}

static void assert_same_colour(const uint8_t *p, const uint8_t *q) {
    for (int c = 0; c < 3; c++) assert_true(abs(p[c] - q[c]) <= 6);
}

static void edges_between_colours_stay_sharp(void **state) {
    (void)state;
    const float off = 3 * fake->view.spacing;
    draw_two_colours(is_gold_on_the_right);
    for (float y = -0.3f; y < 0.3f; y += 0.01f) {
        assert_same_colour(at(-off, y), at(-0.2f, y));
        assert_same_colour(at(off, y), at(0.2f, y));
    }
}

static void drops_of_another_colour_are_seen(void **state) {
    (void)state;
    draw_two_colours(is_gold_in_a_drop);
    const uint8_t *drop = at(0, 0), *around = at(0.3f, 0);
    assert_true(drop[0] > 180 && drop[2] < 110);
    assert_true(around[0] < 110 && around[2] > 180);
}

/* Removes the particles whose positions are in a hole. */
static void remove_particles(fake_inside *in_hole) {
    int kept = 0;
    for (int i = 0; i < fake->view.count; i++) {
        if (in_hole(fake->x[i], fake->y[i])) continue;
        fake->x[kept] = fake->x[i];
        fake->y[kept] = fake->y[i];
        kept++;
    }
    fake->view.count = kept;
}

/* Holes of 2.4 spacings in a square lattice. */
static bool in_one_of_the_holes(float x, float y) {
    float side = 9 * fake->view.spacing;
    x -= side * floorf(x / side + 0.5f);
    y -= side * floorf(y / side + 0.5f);
    return hypotf(x, y) < 2.4f * fake->view.spacing;
}

static void thin_dye_has_no_holes(void **state) {
    (void)state;
    fake_view_fill(fake, everywhere, 2);
    remove_particles(in_one_of_the_holes);
    fake->view.particles_are_tracers = true;
    draw();
    for (float y = -0.5f; y < 0.5f; y += 0.005f)
        for (float x = -0.5f; x < 0.5f; x += 0.005f) assert_true(brightness(at(x, y)) > 250);
    assert_true(is_ground(pixel(3, 3)));
}

static bool beside_the_plant(float x, float y) {
    return hypotf(x, fmaxf(fabsf(y) - 0.3f, 0)) < 0.02f + 1.9f * fake->view.spacing;
}

/* Moving obstacles push particles off by more than half a spacing. */
static void fluid_reaches_obstacles_inside_it(void **state) {
    (void)state;
    pd_vec2 points[] = {{0, -0.3f}, {0, 0.3f}},
            corners[] = {{-0.02f, -0.3f}, {0.02f, -0.3f}, {0.02f, 0.3f}, {-0.02f, 0.3f}};
    static const int triangles[][3] = {{0, 1, 2}, {0, 2, 3}};
    const pd_area shapes[] = {{.shape = PD_SHAPE_POLYLINE, .points = points, .point_count = 2, .thickness = 0.04f},
                              {.shape = PD_SHAPE_POLYGON, .points = corners, .point_count = 4, .triangles = triangles},
                              {.shape = PD_SHAPE_BOX, .size = {0.04f, 0.6f}}};
    fake_view_fill(fake, everywhere, 2);
    remove_particles(beside_the_plant);
    fake->view.obstacle_count = 1;
    for (int k = 0; k < 3; k++) {
        fake->view.obstacles = &shapes[k];
        draw();
        for (float y = -0.25f; y < 0.25f; y += 0.005f)
            for (float x = 0.06f; x < 0.3f; x += 0.005f)
                assert_true(brightness(at(x, y)) > 250 && brightness(at(-x, y)) > 250);
    }
}

/* The surface of a liquid is not raised at an obstacle. */
static void a_dry_obstacle_stays_dry(void **state) {
    (void)state;
    const pd_area box = {.shape = PD_SHAPE_BOX, .size = {0.1f, 0.8f}};
    fake_view_fill(fake, half, 2);
    fake->view.obstacles = &box, fake->view.obstacle_count = 1;
    draw();
    for (float x = 0.07f; x < 0.5f; x += 0.01f) assert_true(is_ground(at(x, 2.5f * fake->view.spacing)));
}

TEST_GROUP(surface_view) {
    const struct CMUnitTest tests[] = {
        TEST(mixed_colours_read_as_their_mean),  TEST(edges_between_colours_stay_sharp),
        TEST(drops_of_another_colour_are_seen),  TEST(thin_dye_has_no_holes),
        TEST(fluid_reaches_obstacles_inside_it), TEST(a_dry_obstacle_stays_dry),
    };
    return cmocka_run_group_tests(tests, open_graphics, close_graphics);
}
