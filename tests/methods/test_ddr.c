/* Double density relaxation: agreement with the reference, and tests with scenes of its own. Conservation, determinism
 * and other properties of all methods are tested in test_methods*.c. */
#include "worlds.h"

#include "reference/ddr.h"

/* Means over the last third of 30 seconds, of 10 in short form: the fluid has settled, but still sloshes. */
typedef struct settled {
    double density, height, rms_speed;
} settled;

static settled settle_fast(const pd_scene *scene, int frames) {
    pd_world *world = world_of(scene, 1);
    const int measured = frames / 3;
    settled mean = {0};
    for (int i = 0; i < frames; i++) {
        pd_world_step(world);
        if (i < frames - measured) continue;
        pd_statistics s;
        pd_world_statistics(world, &s);
        mean.density += s.mean_density / measured;
        mean.height += s.center_y / measured;
        mean.rms_speed += s.rms_speed / measured;
    }
    expect_sound(world);
    pd_world_destroy(world);
    return mean;
}

static settled settle_reference(const pd_scene *scene, int frames) {
    pd_world *world = world_of(scene, 1);
    pd_error error = {0};
    reference_ddr *reference;
    const int measured = frames / 3;
    settled mean = {0};
    assert_int_equal(reference_ddr_create(&reference, world, &error), PD_OK);
    for (int i = 0; i < frames; i++) {
        reference_ddr_step(reference, scene->dt);
        if (i < frames - measured) continue;
        double mass = 0, height = 0, density = 0, speed2 = 0;
        for (int k = 0; k < reference->count; k++) {
            mass += reference->mass[k];
            height += reference->mass[k] * reference->y[k];
            density += reference->density[k];
            speed2 += reference->vx[k] * reference->vx[k] + reference->vy[k] * reference->vy[k];
        }
        mean.height += height / mass / measured;
        mean.density += density / reference->count / measured;
        mean.rms_speed += sqrt(speed2 / reference->count) / measured;
    }
    reference_ddr_destroy(reference);
    pd_world_destroy(world);
    return mean;
}

static void test_article_against_the_reference(void **state) {
    (void)state;
    skip_under_sanitizers();
    pd_scene scene = bundled_scene("article");
    const int frames = fewer_frames(1800, 600);
    settled fast = settle_fast(&scene, frames), reference = settle_reference(&scene, frames);
    print_message("density %.3f (reference %.3f), height %.3f (%.3f), rms speed %.3f (%.3f)\n", fast.density,
                  reference.density, fast.height, reference.height, fast.rms_speed, reference.rms_speed);
    assert_true(fabs(fast.density / reference.density - 1) < 0.05);
    assert_true(fabs(fast.height / reference.height - 1) < 0.03);
    assert_true(fabs(fast.rms_speed / reference.rms_speed - 1) < 0.5);
    pd_scene_free(&scene);
}

/* An isolated pair: viscosity slows an approach without reversing it, and does not act on a pair that separates. */
static void test_viscosity_never_reverses(void **state) {
    (void)state;
    for (int approach = 0; approach < 2; approach++) {
        char text[700];
        snprintf(text, sizeof text,
                 "puddle: 1\ngravity: [0, 0]\nsubsteps: 1\ncontainer: {shape: none}\n"
                 "regions: [{shape: circle, center: [-0.2, 0], radius: 0.01, count: 1, velocity: [%g, 0]},\n"
                 "          {shape: circle, center: [0.2, 0], radius: 0.01, count: 1}]\n"
                 "parameters: {ddr: {radius: 1, stiffness: 0.01, near_stiffness: 0.01, rest_density: 0.5,\n"
                 "             linear_viscosity: 10000, quadratic_viscosity: 1000}}\n",
                 approach ? 1.0 : -1.0);
        pd_world *world = world_of_text(text, 1);
        pd_world_step(world);
        pd_view view;
        pd_world_view(world, &view);
        int left = view.id[0] == 0 ? 0 : 1;
        float closing = view.vx[left] - view.vx[1 - left];
        if (approach) {
            assert_true(closing > -1e-3f && closing < 0.02f);
            assert_float_equal(view.vx[left] + view.vx[1 - left], 1, 1e-3);
        } else {
            assert_float_equal(closing, -1, 1e-3);
        }
        pd_world_destroy(world);
    }
}

/* Defaults scale with the resolution: the fluid has the same depth and density at every particle count. */
static void test_same_fluid_at_every_count(void **state) {
    (void)state;
    skip_under_sanitizers();
    skip_in_short();
    const int counts[] = {1000, 4000, 16000};
    double height[3], density[3];
    for (int k = 0; k < 3; k++) {
        pd_scene scene = scene_of_text("puddle: 1\ncontainer: {shape: circle, radius: 1}\n"
                                       "regions: [{shape: circle, center: [0, -0.3], radius: 0.66}]\n");
        assert_int_equal(pd_scene_set_particle_count(&scene, counts[k], NULL), PD_OK);
        pd_world *world = world_of(&scene, 1);
        step_many(world, 600);
        height[k] = density[k] = 0;
        for (int i = 0; i < 120; i++) {
            pd_statistics s;
            pd_world_step(world);
            pd_world_statistics(world, &s);
            height[k] += s.center_y / 120;
            density[k] += s.mean_density / 120;
        }
        print_message("%d particles: height %.4f, density %.3f\n", counts[k], height[k], density[k]);
        assert_int_equal(pd_world_particles(world), counts[k]);
        pd_world_destroy(world);
        pd_scene_free(&scene);
    }
    for (int k = 1; k < 3; k++) {
        assert_true(fabs(height[k] / height[0] - 1) < 0.08);
        assert_true(fabs(density[k] / density[0] - 1) < 0.08);
    }
}

static pd_world *small_mixed_world(void) {
    return world_of_text(
        "puddle: 1\nparticles: 120\ncontainer: {shape: circle, radius: 1}\n"
        "materials: {a: {color: '#ffffff', mass: 0.5, elasticity: 800, plasticity: 5, stickiness: 300},\n"
        "            b: {color: '#ffffff', viscosity: 20}, c: {color: '#ffffff', mass: 2}}\n"
        "attractions: [{between: [a, b], factor: 0.2}]\n"
        "regions: [{shape: circle, center: [0, 0.3], radius: 0.4, material: a},\n"
        "          {shape: box, center: [-0.3, -0.3], size: [0.6, 0.5], material: b},\n"
        "          {shape: box, center: [0.3, -0.3], size: [0.6, 0.5], material: c}]\n"
        "changes: [{shape: circle, center: [0, 0], radius: 0.3, from: b, to: a, rate: 5}]\n"
        "obstacles: [{shape: box, center: [0, 0], size: [0.4, 0.02], spin: 200}]\n",
        1);
}

/* Drags with a pointer at 10,000 m/s; the world is sound after every step, and no particle is lost. */
static void expect_sound_drags(pd_world *world, int frames) {
    int particles = pd_world_particles(world);
    for (int frame = 0; frame < frames; frame++) {
        float x = frame % 2 ? 80 : -80;
        pd_tool tool = {PD_TOOL_DRAG, {x, 0}, {x * 125, 100}, 0.5f};
        pd_world_set_tool(world, &tool);
        pd_world_step(world);
        expect_sound(world);
    }
    assert_int_equal(pd_world_particles(world), particles);
}

static void set_end(pd_world *world, const pd_parameter *p, bool maximum) {
    char key[PD_MAX_KEY];
    snprintf(key, sizeof key, "ddr.%s", p->key);
    set_parameter(world, key, maximum ? p->maximum : p->minimum);
}

/* Every two parameters at all four corners of their ranges, with materials that override some of them, and then without
 * overrides. In the short run and under AddressSanitizer every second pair, at one of the corners by turns. */
static void test_extremes_in_pairs(void **state) {
    (void)state;
    const pd_method_info *info = pd_method_find("ddr");
    for (int i = 0; i < info->parameter_count; i++)
        for (int j = 0; j < i; j++)
            for (int corner = 0; corner < 4; corner++) {
                if (is_shortened() && 2 * corner != (i + j) % 8) continue;
                pd_world *world = small_mixed_world();
                pd_error error = {0};
                set_end(world, pd_method_parameter_at(info, i), corner & 1);
                set_end(world, pd_method_parameter_at(info, j), corner & 2);
                expect_sound_drags(world, 2);
                for (int property = 0; property < PD_PROPERTIES; property++)
                    for (int m = 0; m < 2; m++)
                        assert_int_equal(pd_world_set_property(world, m, (pd_property)property, NAN, &error), PD_OK);
                expect_sound_drags(world, 3);
                pd_world_destroy(world);
            }
}

TEST_GROUP(ddr) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_article_against_the_reference),
        cmocka_unit_test(test_viscosity_never_reverses),
        cmocka_unit_test(test_same_fluid_at_every_count),
        cmocka_unit_test(test_extremes_in_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
