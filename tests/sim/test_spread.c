/* Tracers that become a liquid: they are spread where they lie too close together, and nothing bursts. */
#include "methods.h"
#include "sim/particles/spread.h"

static void change_method(pd_world *world, const char *method) {
    pd_error error;
    if (pd_world_set_method(world, method, &error) != PD_OK) fail_msg("%s", error.message);
}

/* A liquid becomes tracers of another fluid, and is a liquid again: for a tenth of a second it is not much faster than
 * before, and nothing is lost. */
static void expect_calm_return(const char *name, const char *liquid, const char *between) {
    pd_error error = {0};
    pd_scene scene = bundled_scene_with(name, liquid, 1500);
    must(pd_scene_set_parameter(&scene, "vortex.core", 0.06f, &error), &error);
    pd_world *world = world_of(&scene, 1);
    pd_scene_free(&scene);
    step_many(world, fewer_frames(60, 20));
    int count = pd_world_particles(world);
    change_method(world, between);
    step_many(world, fewer_frames(45, 30));
    double before = statistics_of(world).max_speed, after = 0;
    change_method(world, liquid);
    for (int frame = 0; frame < 6; frame++) {
        pd_world_step(world);
        after = fmax(after, statistics_of(world).max_speed);
    }
    double limit = 2 * before + sqrt(0.1 * (double)world->resolution.gravity * (double)world->resolution.length);
    print_message("%s, %s to %s and back: %.2f m/s before, %.2f m/s after, limit %.2f m/s\n", name, liquid, between,
                  before, after, limit);
    assert_true(after < limit);
    assert_int_equal(pd_world_particles(world), count);
    expect_sound(world);
    pd_world_destroy(world);
}

static void tracers_become_a_liquid_calmly(void **state) {
    (void)state;
    static const char *const liquids[] = {"ddr", "sph", "pbf", "flip"}, *const between[] = {"vortex", "grid"},
                             *const scenes[] = {"dam-break", "drop"};
    skip_under_sanitizers();
    for (int k = 0; k < 16; k++) {
        int liquid = k % 4, of = k / 4 % 2, scene = k / 8;
        if (in_short_run() && (liquid + of + scene) % 2) continue; /* each pair of methods in one of the scenes */
        expect_calm_return(scenes[scene], liquids[liquid], between[of]);
    }
}

static const char BESIDE_A_WALL[] = "gravity: [0, 0]\nparticles: 800\ncontainer: {shape: box, width: 2, height: 1}\n"
                                    "regions: [{shape: box, center: [0, 0], size: [0.8, 0.6], fill: hex}]\n"
                                    "obstacles: [{shape: polyline, points: [[0, -0.5], [0, 0.5]], thickness: 0.002}]\n";

/* Particles left of a thin wall and on it, many of them on one line of the floor; mirrored: on its right side. */
static pd_world *crowded_world(bool mirrored) {
    pd_world *world = world_of_method("ddr", BESIDE_A_WALL, 1);
    pd_particles *p = &world->particles;
    for (int i = 0; i < p->count; i++) {
        float x = -0.9f * (float)i / (float)p->count, y = i % 4 == 0 ? -0.5f : -0.45f + 0.05f * (float)(i % 16);
        p->x[i] = (mirrored ? -1.0f : 1.0f) * (x - 2e-3f);
        p->y[i] = y;
    }
    pd_world_spread_particles(world);
    return world;
}

static void spread_particles_pass_no_wall(void **state) {
    (void)state;
    pd_world *world = crowded_world(false);
    const pd_particles *p = &world->particles;
    double nearest = 0;
    for (int i = 0; i < p->count; i++) {
        double least = INFINITY;
        assert_true(p->x[i] <= 0);
        for (int k = 0; k < p->count; k++)
            if (k != i) least = fmin(least, hypot((double)(p->x[i] - p->x[k]), (double)(p->y[i] - p->y[k])));
        nearest += least / (double)world->resolution.spacing / p->count;
    }
    print_message("the nearest neighbour is at %.2f spacings in the mean\n", nearest);
    assert_true(nearest > 0.7);
    expect_sound(world);
    pd_world_destroy(world);
}

static void mirrored_particles_spread_mirrored(void **state) {
    (void)state;
    pd_world *left = crowded_world(false), *right = crowded_world(true);
    double differ = 0;
    for (int i = 0; i < left->particles.count; i++) {
        differ += fabs((double)(left->particles.x[i] + right->particles.x[i]));
        differ += fabs((double)(left->particles.y[i] - right->particles.y[i]));
    }
    differ /= left->particles.count * (double)left->resolution.spacing;
    print_message("they differ by %.2e spacings in the mean\n", differ);
    assert_true(differ < 0.01);
    pd_world_destroy(left);
    pd_world_destroy(right);
}

/* A liquid at its rest density stays as it is. */
static void particles_with_room_stay(void **state) {
    (void)state;
    pd_world *world = world_of_method("ddr",
                                      "particles: 800\ncontainer: {shape: box, width: 2, height: 1}\n"
                                      "regions: [{shape: box, center: [0, 0], size: [1.2, 0.8], fill: hex}]\n",
                                      1);
    const pd_particles *p = &world->particles;
    size_t bytes = (size_t)p->count * sizeof(float);
    float *x = test_malloc(bytes), *y = test_malloc(bytes);
    memcpy(x, p->x, bytes);
    memcpy(y, p->y, bytes);
    pd_world_spread_particles(world);
    assert_memory_equal(p->x, x, bytes);
    assert_memory_equal(p->y, y, bytes);
    test_free(x);
    test_free(y);
    pd_world_destroy(world);
}

/* Many tracers in less than one cell of the search: comparing each with each takes a minute on two cores. They
 * spread out, if not as far as a fluid of so many would. */
static void a_crowd_spreads(void **state) {
    (void)state;
    char text[400];
    snprintf(text, sizeof text,
             "gravity: [0, 0]\nparameters: {grid: {resolution: 32}}\ncontainer: {shape: circle, radius: 1}\n"
             "regions: [{shape: circle, center: [0, 0], radius: 0.004, count: %d},\n"
             "          {shape: circle, center: [0, 0], radius: 0.9, count: 2000}]\n",
             is_shortened() ? 4000 : 30000);
    pd_world *world = world_of_method("grid", text, 1);
    const pd_particles *p = &world->particles;
    int count = p->count, inside = 0;
    pd_world_step(world);
    change_method(world, "ddr");
    assert_int_equal(p->count, count);
    for (int i = 0; i < count; i++) inside += hypotf(p->x[i], p->y[i]) < 0.01f;
    print_message("%d of %d are still within 0.01 m\n", inside, count);
    assert_true(inside < count / 2);
    expect_sound(world);
    pd_world_destroy(world);
}

TEST_GROUP(spread) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(tracers_become_a_liquid_calmly),
        cmocka_unit_test(spread_particles_pass_no_wall),
        cmocka_unit_test(mirrored_particles_spread_mirrored),
        cmocka_unit_test(particles_with_room_stay),
        cmocka_unit_test(a_crowd_spreads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
