/* Sticky walls in each method that has them: slime hangs, walls get the opposite momentum and take slime along, and the greatest
 * values are stable. */
#include "levels.h"
#include "measure.h"

enum { MOST_METHODS = 16 };
static const char *methods[MOST_METHODS]; /* that have sticky walls */
static int method_count;

static int list_methods(void **state) {
    (void)state;
    for (int m = 0; m < pd_method_count() && method_count < MOST_METHODS; m++)
        if (pd_method_at(m)->features & PD_FEATURE_STICKINESS) methods[method_count++] = pd_method_at(m)->name;
    return method_count > 0 ? 0 : -1;
}

/* A scene with the materials `slime`, which is the ready one at this resolution, and water. stickiness: of the slime in place
 * of its own; NAN: its own. */
static pd_world *world_with(const char *method, int particles, float stickiness, const char *more, int threads) {
    char text[1200];
    snprintf(text, sizeof text,
             "puddle: 1\nmethod: %s\nparticles: %d\n"
             "materials: {slime: {color: '#6fe33a'}, water: {color: '#3a8fff'}}\n%s",
             method, particles, more);
    pd_scene scene = scene_of_text(text);
    pd_world *world = world_of(&scene, 1);
    scene.materials[0] = ready_material(world, "slime");
    assert_true(scene.materials[0].property[PD_STICKINESS] > 0);
    if (!isnan(stickiness)) scene.materials[0].property[PD_STICKINESS] = stickiness;
    pd_world_destroy(world);
    world = world_of(&scene, threads);
    pd_scene_free(&scene);
    return world;
}

static float reach_of(const pd_world *world) {
    char key[PD_MAX_KEY];
    float reach = 0;
    snprintf(key, sizeof key, "%s.stick_distance", pd_world_method(world)->name);
    assert_int_equal(pd_world_parameter(world, key, &reach, NULL), PD_OK);
    return reach;
}

/* ---- On a ceiling ---- */

static const char *const CEILING = "container: {shape: box, width: 1.6, height: 1.2}\n"
                                   "regions: [{shape: box, center: [-0.4, 0.5], size: [0.5, 0.2], material: slime},\n"
                                   "          {shape: box, center: [0.4, 0.5], size: [0.5, 0.2], material: water}]\n";

/* How many particles of a material are within the stick distance of the ceiling. */
static int near_ceiling(const pd_world *world, int material) {
    pd_view view;
    pd_world_view(world, &view);
    float reach = reach_of(world);
    int count = 0;
    for (int i = 0; i < view.count; i++) count += view.material[i] == material && view.y[i] > 0.6f - reach;
    return count;
}

static void test_slime_hangs_and_water_falls(void **state) {
    (void)state;
    skip_under_sanitizers();
    const int particles[] = {200, 1500};
    for (int m = 0; m < method_count; m++)
        for (int k = 0; k < (in_short_run() ? 1 : 2); k++) {
            pd_world *sticky = world_with(methods[m], particles[k], NAN, CEILING, 1);
            pd_world *dry = world_with(methods[m], particles[k], 0, CEILING, 1);
            int before = near_ceiling(sticky, 0), count = pd_world_particles(sticky);
            step_many(sticky, 300);
            step_many(dry, 300);
            int held = near_ceiling(sticky, 0), water = near_ceiling(sticky, 1), fell = near_ceiling(dry, 0);
            print_message("%s, %d particles: of %d near the ceiling %d are after 5 s, %d without stickiness, %d of the "
                          "water; mean heights %.2f, %.2f and %.2f m\n",
                          methods[m], particles[k], before, held, fell, water, mean_height(sticky, 0),
                          mean_height(dry, 0), mean_height(sticky, 1));
            assert_true(held > 0.7 * before);
            assert_true(fell < 0.1 * before && water < 0.1 * before);
            assert_int_equal(pd_world_particles(sticky), count);
            expect_sound(sticky);
            pd_world_destroy(sticky);
            pd_world_destroy(dry);
        }
}

/* Appends a region of count x count particles whose top is below y. */
static void append_block(char *text, size_t size, double x, double y, int count, double spacing) {
    size_t used = strlen(text);
    double side = count == 1 ? 0.1 * spacing : count * spacing;
    snprintf(text + used, size - used, "  - {shape: box, center: [%g, %g], size: [%g, %g], count: %d}\n", x,
             y - side / 2, side, side, count * count);
}

/* Single particles and drops in corners below the ceiling, along it, in a notch, below an obstacle and below a round ceiling fall:
 * nothing but stickiness and tension holds them. */
static void test_dry_particles_and_drops_fall(void **state) {
    (void)state;
    const double spacings[] = {0.03, 0.015, 0.008};
    for (int k = 0; k < (in_short_run() ? 2 : 3); k++)
        for (int m = 0; m < method_count; m++) {
            const double s = spacings[k], x[] = {-0.6, -0.3, 0, 0.3}, below[] = {0.36, 0.45, 0.54, 0.63};
            char text[3000];
            snprintf(text, sizeof text,
                     "puddle: 1\nmethod: %s\ngravity: [0, -1.6]\ncontainer: {shape: box, width: 2, height: 1.4}\n"
                     "obstacles:\n  - {shape: box, center: [0.5, 0.35], size: [0.5, 0.1]}\n"
                     "  - {shape: polygon, points: [[-0.5, 0.2], [-0.4, 0.3], [-0.3, 0.2], [-0.4, 0.35]]}\n"
                     "  - {shape: circle, center: [-0.1, 0.2], radius: 0.1}\n"
                     "regions:\n  - {shape: box, center: [0, -0.6], size: [2, 0.2], spacing: %g}\n",
                     methods[m], s);
            for (int n = 0; n < 4; n++) append_block(text, sizeof text, x[n], 0.7, n + 1, s);
            for (int n = 0; n < 3; n++) append_block(text, sizeof text, below[n], 0.3, n + 1, s);
            append_block(text, sizeof text, 0.05 * s - 1, 0.7, 1, s);
            append_block(text, sizeof text, 1 - s, 0.7, 2, s);
            append_block(text, sizeof text, -0.4, 0.298, 1, s);
            append_block(text, sizeof text, -0.1, 0.099, 1, s);
            pd_scene scene = scene_of_text(text);
            pd_world *world = world_of(&scene, 1);
            int hanging = 0;
            step_many(world, 90);
            for (int i = 0; i < world->particles.count; i++) {
                const float px = world->particles.x[i], py = world->particles.y[i];
                hanging += py > 0.7f - 4.5f * (float)s || (px > 0.3f && px < 0.7f && py > 0.25f && py <= 0.3f) ||
                           (fabsf(px + 0.4f) < 0.02f && py > 0.25f && py < 0.3f) ||
                           (fabsf(px + 0.1f) < 0.02f && py > 0.07f && py < 0.1f);
            }
            print_message("%s, spacing %g m: %d particles hang\n", methods[m], s, hanging);
            assert_int_equal(hanging, 0);
            pd_world_destroy(world);
            pd_scene_free(&scene);
        }
}

/* ---- Momentum ---- */

/* Without gravity, a lump that lies beside a disc at a distance at which it sticks. What the fluid and the disc get adds up to 0;
 * the scale is the sum over the steps of the momentum that the disc gets. */
static void test_walls_get_the_opposite_momentum(void **state) {
    (void)state;
    for (int m = 0; m < method_count; m++) {
        pd_world *world = world_with(methods[m], 150, NAN,
                                     "gravity: [0, 0]\ncontainer: {shape: none}\n"
                                     "obstacles: [{shape: circle, center: [0, 0], radius: 0.1}]\n"
                                     "regions: [{shape: circle, center: [0.29, 0.1], radius: 0.2, material: slime, "
                                     "velocity: [0, 0.3]}]\n",
                                     1);
        motion before = motion_of(world);
        double sum_x = 0, sum_y = 0, scale = 0, first = 0;
        for (int step = 0; step < 120; step++) {
            double x, y;
            pd_world_step(world);
            pd_world_impulse_on_obstacle(world, 0, &x, &y);
            x /= particle_mass_of(world);
            y /= particle_mass_of(world);
            sum_x += x;
            sum_y += y;
            scale += hypot(x, y);
            if (step == 4) first = sum_x;
        }
        motion after = motion_of(world);
        double error = hypot(after.x - before.x + sum_x, after.y - before.y + sum_y);
        print_message("%s: the disc gets %.3f, %.3f m/s, the fluid %.3f, %.3f; error over the sum %.1e\n", methods[m],
                      sum_x, sum_y, after.x - before.x, after.y - before.y, error / scale);
        assert_true(first > 0.01 * scale); /* the fluid, on its right, pulls it */
        assert_true(error < 1e-4 * scale);
        pd_world_destroy(world);
    }
}

/* ---- Extremes ---- */

/* With as many substeps as the stickiness asks for nothing is lost and nothing explodes: falling takes up to 1.7 m/s. */
static void test_the_stickiest(void **state) {
    (void)state;
    const float reaches[] = {0, 1e-4f, 0.3f};
    for (int m = 0; m < method_count; m++)
        for (int k = 0; k < 3; k++) {
            pd_world *world = world_with(methods[m], 200, 1e6f, CEILING, 1);
            char key[PD_MAX_KEY];
            snprintf(key, sizeof key, "%s.stick_distance", methods[m]);
            if (reaches[k] > 0) set_parameter(world, key, reaches[k]);
            int count = pd_world_particles(world);
            pd_statistics s;
            step_many(world, fewer_frames(60, 6));
            pd_world_statistics(world, &s);
            print_message("%s, reach %.4f m: %d substeps, rms speed %.2f m/s, fastest %.2f m/s\n", methods[m],
                          (double)reach_of(world), pd_world_substeps(world), s.rms_speed, s.max_speed);
            assert_int_equal(pd_world_particles(world), count);
            assert_true(pd_world_substeps(world) >= 50);
            assert_true(s.max_speed < 6);
            expect_sound(world);
            pd_world_destroy(world);
        }
}

/* ---- Moving walls ---- */

static const char *const PLATE =
    "container: {shape: box, width: 3, height: 1.2}\n"
    "obstacles: [{shape: box, center: [-0.8, 0.4], size: [0.5, 0.1], velocity: [0.3, 0]}]\n"
    "regions: [{shape: box, center: [-0.8, 0.25], size: [0.4, 0.18], material: slime}]\n";

/* A plate moves at 0.3 m/s for 4 s, with slime under it. */
static void test_a_moving_plate_takes_slime_along(void **state) {
    (void)state;
    skip_under_sanitizers();
    for (int m = 0; m < method_count; m++) {
        double along[2], height[2];
        for (int k = 0; k < 2; k++) {
            pd_world *world = world_with(methods[m], 100, k ? NAN : 0, PLATE, 1);
            pd_statistics before, after;
            pd_world_statistics(world, &before);
            step_many(world, 240);
            pd_world_statistics(world, &after);
            along[k] = after.center_x - before.center_x;
            height[k] = after.center_y;
            expect_sound(world);
            pd_world_destroy(world);
        }
        print_message(
            "%s: a sticky plate takes slime along by %.2f m, at a height of %.2f m; another one by %.2f m, at %.2f m\n",
            methods[m], along[1], height[1], along[0], height[0]);
        assert_true(along[1] > 1 && height[1] > 0);
        assert_true(along[0] < 0.5 && height[0] < -0.4);
    }
}

static uint64_t plate_hash(const char *method, int threads, const char *level) {
    assert_true(pd_simd_select(level));
    pd_world *world = world_with(method, 2100, NAN, PLATE, threads); /* more than one chunk of parallel work */
    step_many(world, is_shortened() ? 4 : 40);
    uint64_t hash = view_hash(world);
    double x, y;
    pd_world_impulse_on_obstacle(world, 0, &x, &y);
    uint64_t bits[2];
    memcpy(&bits[0], &x, sizeof x);
    memcpy(&bits[1], &y, sizeof y);
    pd_world_destroy(world);
    pd_simd_select("auto");
    return hash ^ bits[0] ^ bits[1] * 3;
}

static void test_same_bits(void **state) {
    static uint64_t one[MOST_METHODS]; /* shared by the tests of all levels */
    use_level(*state);
    for (int m = 0; m < method_count; m++) {
        if (!one[m]) one[m] = plate_hash(methods[m], 1, "baseline");
        for (int i = 0; i < thread_counts(); i++)
            assert_true(plate_hash(methods[m], SEVERAL_THREADS[i], *state) == one[m]);
    }
}

TEST_GROUP(stick) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slime_hangs_and_water_falls),
        cmocka_unit_test(test_dry_particles_and_drops_fall),
        cmocka_unit_test(test_walls_get_the_opposite_momentum),
        cmocka_unit_test(test_the_stickiest),
        cmocka_unit_test(test_a_moving_plate_takes_slime_along),
        AT_LEVEL(test_same_bits, "baseline"),
        AT_WIDE_LEVELS(test_same_bits),
    };
    return cmocka_run_group_tests(tests, list_methods, NULL);
}
