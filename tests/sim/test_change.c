/* Changes of material: area, rate, determinism; rescaling of material properties with the resolution. */
#include "sim/world.h"
#include "worlds.h"

#include <puddle/method.h>

enum { A, B, C };

/* A disc at rest of the first of three materials, which have the same properties. */
static pd_scene calm_scene(int particles, const char *changes) {
    char text[1024];
    snprintf(text, sizeof text,
             "puddle: 1\ngravity: [0, 0]\nsubsteps: 1\nparticles: %d\ncontainer: {shape: circle, radius: 1}\n"
             "materials: {a: {color: '#ff0000'}, b: {color: '#00ff00'}, c: {color: '#0000ff'}}\n"
             "regions: [{shape: circle, center: [0, 0], radius: 0.7, material: a}]\n"
             "changes: [%s]\n",
             particles, changes);
    return scene_of_text(text);
}

static pd_world *calm_world(int particles, const char *changes) {
    pd_scene scene = calm_scene(particles, changes);
    pd_world *world = world_of(&scene, 1);
    pd_scene_free(&scene);
    return world;
}

static int count_of(const pd_world *world, int material) {
    pd_view view;
    int count = 0;
    pd_world_view(world, &view);
    for (int i = 0; i < view.count; i++) count += view.material[i] == material;
    return count;
}

#define EVERYWHERE "shape: circle, center: [0, 0], radius: 2"

/* ---- Where ---- */

static void test_changes_only_inside(void **state) {
    (void)state;
    pd_world *world = calm_world(3000, "{shape: circle, center: [0.2, 0.1], radius: 0.25, from: a, to: b},"
                                       "{shape: box, center: [-0.4, -0.2], size: [0.3, 0.5], from: a, to: c}");
    int outside = 0;
    pd_world_step(world);
    pd_view view;
    pd_world_view(world, &view);
    for (int i = 0; i < view.count; i++) {
        bool round = hypotf(view.x[i] - 0.2f, view.y[i] - 0.1f) <= 0.25f;
        bool box = fabsf(view.x[i] + 0.4f) <= 0.15f && fabsf(view.y[i] + 0.2f) <= 0.25f;
        int expected = A;
        if (box) expected = C;
        if (round) expected = B;
        assert_int_equal(view.material[i], expected);
        outside += !round && !box;
    }
    assert_int_equal(view.count, 3000);
    assert_true(count_of(world, B) > 300 && count_of(world, C) > 200 && outside > 1000);
    pd_world_destroy(world);
}

/* Particles of other materials do not change. */
static void test_others_stay(void **state) {
    (void)state;
    pd_world *world = calm_world(500, "{" EVERYWHERE ", from: b, to: c}");
    step_many(world, 5);
    assert_int_equal(count_of(world, A), 500);
    pd_world_destroy(world);
}

/* ---- How fast ---- */

/* The number of particles that changed agrees with the probability `chance` of each, within three standard
 * deviations. */
static void expect_share(int changed, int particles, double chance) {
    double deviation = sqrt(chance * (1 - chance) / particles);
    double share = (double)changed / particles;
    print_message("%.4f changed, %.4f +- %.4f due\n", share, chance, deviation);
    assert_true(fabs(share - chance) < 3 * deviation);
}

static void test_rate(void **state) {
    (void)state;
    pd_world *world = calm_world(10000, "{" EVERYWHERE ", from: a, to: b, rate: 1}");
    step_many(world, 30);
    expect_share(count_of(world, B), 10000, 1 - exp(-0.5));
    step_many(world, 30);
    expect_share(count_of(world, B), 10000, 1 - exp(-1));
    pd_world_destroy(world);
}

/* A step of half the time constant: the probability is 1 - exp(-rate dt), not rate dt. */
static void test_fast_rate(void **state) {
    (void)state;
    pd_world *world = calm_world(10000, "{" EVERYWHERE ", from: a, to: b, rate: 30}");
    pd_world_step(world);
    expect_share(count_of(world, B), 10000, 1 - exp(-0.5));
    pd_world_destroy(world);
}

/* Two changes in the same area are independent: their rates add up. */
static void test_rates_add_up(void **state) {
    (void)state;
    const char *changes = "{" EVERYWHERE ", from: a, to: b, rate: 20}, {" EVERYWHERE ", from: a, to: c, rate: 20}";
    pd_world *world = calm_world(10000, changes);
    pd_world_step(world);
    expect_share(10000 - count_of(world, A), 10000, 1 - exp(-40.0 / 60));
    expect_share(count_of(world, B), 10000, 1 - exp(-20.0 / 60));
    pd_world_destroy(world);
}

/* A particle changes at most once per step: two opposite changes do not cancel within one. */
static void test_once_a_step(void **state) {
    (void)state;
    const char *changes = "{" EVERYWHERE ", from: a, to: b}, {" EVERYWHERE ", from: b, to: a}";
    pd_world *world = calm_world(500, changes);
    for (int step = 0; step < 4; step++) {
        pd_world_step(world);
        assert_int_equal(count_of(world, step % 2 ? A : B), 500);
    }
    pd_world_destroy(world);
}

/* ---- Determinism ---- */

static const char *const MELTING =
    "puddle: 1\ncontainer: {shape: box, width: 2, height: 1}\nparticles: 1500\n"
    "materials: {ice: {color: '#ffffff', mass: 1.2, viscosity: 30}, water: {color: '#0000ff'}, gas: {color: "
    "'#ff0000'}}\n"
    "regions: [{shape: box, center: [0, -0.2], size: [2, 0.6], material: ice, fill: random}]\n"
    "emitters: [{position: [0, 0.4], direction: [0.2, -1], speed: 1, width: 0.1, rate: 300, material: ice}]\n"
    "attractions: [{between: [ice, water], factor: 0.5}]\n"
    "changes:\n"
    "  - {shape: box, center: [0.5, -0.3], size: [0.8, 0.4], from: ice, to: water, rate: 3}\n"
    "  - {shape: circle, center: [0, 0], radius: 0.2, from: ice, to: water}\n"
    "  - {shape: box, center: [0, -0.5], size: [2, 0.1], from: water, to: gas, rate: 0.5}\n"
    "  - {shape: box, center: [0, 0.5], size: [2, 0.3], from: gas, to: ice}\n";

/* One thread or two, with or without a snapshot in between: the same bits, and no particle is lost. */
static void test_the_same_on_any_threads(void **state) {
    (void)state;
    pd_error error = {0};
    void *bytes;
    size_t size;
    pd_world *one = world_of_text(MELTING, 1), *two = world_of_text(MELTING, 2);
    int most = pd_world_particles(one);
    for (int i = 0; i < 40; i++) {
        pd_world_step(one);
        pd_world_step(two);
        assert_true(pd_world_particles(one) >= most);
        most = pd_world_particles(one);
        if (i != 20) continue;
        assert_int_equal(pd_world_save_to_memory(one, &bytes, &size, &error), PD_OK);
    }
    expect_sound(one);
    uint64_t hash = pd_world_hash(one);
    assert_true(hash == pd_world_hash(two));
    assert_true(count_of(one, 1) > 50 && count_of(one, 2) > 5);
    assert_int_equal(count_of(one, 0) + count_of(one, 1) + count_of(one, 2), most);
    if (pd_world_restore_from_memory(one, bytes, size, &error) != PD_OK) fail_msg("%s", error.message);
    step_many(one, 19);
    assert_true(pd_world_hash(one) == hash);
    pd_world_reset(one);
    assert_int_equal(count_of(one, 0), 1500);
    step_many(one, 40);
    assert_true(pd_world_hash(one) == hash);
    free(bytes);
    pd_world_destroy(one);
    pd_world_destroy(two);
}

/* changed, by id: 1 for particles that changed. */
static void mark_changed(const pd_world *world, uint8_t *changed, int particles) {
    pd_view view;
    pd_world_view(world, &view);
    assert_int_equal(view.count, particles);
    for (int i = 0; i < view.count; i++) changed[view.id[i]] = view.material[i] != A;
}

/* Another seed changes other particles; appending a change to the list does not affect the changes before it. */
static void test_what_is_drawn(void **state) {
    (void)state;
    enum { PARTICLES = 1000 };
    const char *slow = "{" EVERYWHERE ", from: a, to: b, rate: 5}";
    const char *more = "{" EVERYWHERE ", from: a, to: b, rate: 5}, {" EVERYWHERE ", from: c, to: a}";
    uint8_t changed[3][PARTICLES];
    for (int i = 0; i < 3; i++) {
        pd_scene scene = calm_scene(PARTICLES, i == 1 ? more : slow);
        scene.seed = i == 2 ? 2 : 1;
        pd_world *world = world_of(&scene, 1);
        step_many(world, 6);
        mark_changed(world, changed[i], PARTICLES);
        pd_world_destroy(world);
        pd_scene_free(&scene);
    }
    assert_memory_equal(changed[0], changed[1], PARTICLES);
    int both = 0, of_first = 0;
    for (int i = 0; i < PARTICLES; i++) {
        both += changed[0][i] && changed[2][i];
        of_first += changed[0][i];
    }
    /* 39 % change with one seed; of these, 39 % also with the other. */
    assert_true(of_first > 300 && both > of_first / 4 && both < of_first * 0.6);
}

/* The same ids change, independent of the order of particles in memory. */
static void test_order_does_not_matter(void **state) {
    (void)state;
    enum { PARTICLES = 1000 };
    const char *slow = "{" EVERYWHERE ", from: a, to: b, rate: 30}";
    uint8_t changed[2][PARTICLES];
    for (int i = 0; i < 2; i++) {
        pd_world *world = calm_world(PARTICLES, slow);
        pd_particles *p = &world->particles;
        for (int k = 0; i == 1 && k < PARTICLES; k++) p->id[k] = (uint32_t)(PARTICLES - 1 - k);
        pd_world_change_materials_in_zones(world);
        mark_changed(world, changed[i], PARTICLES);
        pd_world_destroy(world);
    }
    assert_memory_equal(changed[0], changed[1], PARTICLES);
    assert_non_null(memchr(changed[0], 0, PARTICLES));
    assert_non_null(memchr(changed[0], 1, PARTICLES));
}

/* ---- Properties of materials ---- */

static void test_properties_follow_the_resolution(void **state) {
    (void)state;
    pd_error error = {0};
    float parameter;
    pd_world *world = world_of_text(
        "puddle: 1\nparticles: 1500\nregions: [{shape: circle, center: [0, 0], radius: 0.5}]\n"
        "materials:\n"
        "  jelly: {color: '#000000', viscosity: 2, elasticity: 300, plasticity: 5, yield: 0.2, stickiness: 9e5}\n"
        "  water: {color: '#000000'}\n",
        1);
    assert_int_equal(pd_world_set_particle_count(world, 6000, &error), PD_OK);
    assert_float_equal(pd_world_property(world, 0, PD_VISCOSITY), 8, 1e-4); /* with the square of the resolution */
    assert_float_equal(pd_world_property(world, 0, PD_ELASTICITY), 1200, 1e-2);
    assert_float_equal(pd_world_property(world, 0, PD_PLASTICITY), 5, 0);
    assert_float_equal(pd_world_property(world, 0, PD_YIELD), 0.2f, 0);
    assert_float_equal(pd_world_property(world, 0, PD_STICKINESS), 1e6f, 0); /* clamped to its range */
    for (int i = 0; i < PD_PROPERTIES; i++) {
        assert_true(isnan(pd_world_scene(world)->materials[1].property[i]));
        char key[PD_MAX_KEY];
        const pd_method_info *method = pd_world_method(world);
        pd_method_parameter_key(method, pd_method_parameter_of_property(method, i), key, sizeof key);
        assert_int_equal(pd_world_parameter(world, key, &parameter, &error), PD_OK);
        assert_float_equal(pd_world_property(world, 1, (pd_property)i), parameter, 0);
    }
    assert_int_equal(pd_world_set_particle_count(world, 1500, &error), PD_OK);
    assert_float_equal(pd_world_property(world, 0, PD_VISCOSITY), 2, 1e-4);
    assert_int_equal(pd_world_set_property(world, 0, PD_VISCOSITY, NAN, &error), PD_OK);
    assert_int_equal(pd_world_parameter(world, "ddr.linear_viscosity", &parameter, &error), PD_OK);
    assert_float_equal(pd_world_property(world, 0, PD_VISCOSITY), parameter, 0);
    pd_world_destroy(world);
}

TEST_GROUP(change) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_changes_only_inside),
        cmocka_unit_test(test_others_stay),
        cmocka_unit_test(test_rate),
        cmocka_unit_test(test_fast_rate),
        cmocka_unit_test(test_rates_add_up),
        cmocka_unit_test(test_once_a_step),
        cmocka_unit_test(test_the_same_on_any_threads),
        cmocka_unit_test(test_what_is_drawn),
        cmocka_unit_test(test_order_does_not_matter),
        cmocka_unit_test(test_properties_follow_the_resolution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
