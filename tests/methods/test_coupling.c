/* Rigid bodies in the pressure equation of flip and grid: drafts, added mass, joints and contacts in the fluid, very light
 * bodies, momentum. */
#include "bodies/bodies.h"
#include "body_pool.h"
#include "sim/world.h"
#include "sim/world_bodies.h"

static pd_world_body body_of(const pd_world *world, int index) {
    pd_world_body body;
    pd_world_get_body(world, index, &body);
    return body;
}

/* ---- Lift ---- */

static void boxes_float_as_deep_as_archimedes_says(void **state) {
    (void)state;
    static const double densities[] = {0.25, 0.5, 0.8, 0.1, 0.95};
    skip_under_sanitizers();
    for (size_t i = 0; i < (in_short_run() ? 2 : sizeof densities / sizeof *densities); i++)
        expect_draft("flip", densities[i]);
}

/* A light box with a heavy keel that a weld holds inside: the lift acts on the box, the weight on the keel. */
static void a_welded_keel_loads_a_box(void **state) {
    (void)state;
    skip_under_sanitizers();
    expect_draft_of(
        "flip", 0.5,
        ", density: 0.1}\n  , {shape: box, center: [0.013, -0.04], size: [0.1, 0.06], density: 4, name: keel}]\n"
        "joints: [{type: weld, bodies: [keel, box], at: [0.013, -0.04]");
}

/* A stone lies on a box: the lift reaches the stone through the contact. */
static void a_box_carries_a_stone(void **state) {
    (void)state;
    skip_under_sanitizers();
    expect_draft_of("flip", 0.5,
                    ", density: 0.2, fixed_angle: true}\n"
                    "  , {shape: box, center: [0.013, 0.15], size: [0.1, 0.1], density: 1.8, name: stone");
}

static pd_world *pool_with_box(const char *method, const char *box, double y) {
    pd_scene scene = pool(method, 1500, box, 0.013, y);
    pd_world *world = world_of(&scene, 1);
    pd_scene_free(&scene);
    return world;
}

/* Greatest speed of the first body in some steps, m/s. */
static double greatest_speed(pd_world *world, int steps) {
    double greatest = 0;
    for (int i = 0; i < steps; i++) {
        pd_world_step(world);
        pd_world_body body = body_of(world, 0);
        greatest = fmax(greatest, hypot(body.vx, body.vy));
    }
    return greatest;
}

/* Steps until the first body is higher than y, m, or for so many steps. */
static void step_until_above(pd_world *world, double y, int steps) {
    for (int step = 0; step < steps && body_of(world, 0).y <= y; step++) pd_world_step(world);
}

/* A third of a particle deep, the lightest box floats on single particles. */
static void very_light_boxes_are_not_thrown(void **state) {
    (void)state;
    static const char *const methods[] = {"flip", "grid"};
    static const double heights[] = {0.096, -0.34}; /* afloat; near the floor */
    for (int i = 0; i < 4; i++) {
        pd_world *world = pool_with_box(methods[i % 2], ", density: 0.02", heights[i / 2]);
        double speed = greatest_speed(world, fewer_frames(240, 60));
        print_message("%s: %g m/s\n", methods[i % 2], speed);
        assert_true(speed < 0.9);
        pd_world_destroy(world);
    }
}

static void heavy_boxes_rest_on_the_floor(void **state) {
    (void)state;
    static const char *const methods[] = {"flip", "grid"};
    skip_under_sanitizers();
    for (int i = 0; i < 2; i++) {
        pd_world *world = pool_with_box(methods[i], ", density: 3", -0.34);
        step_many(world, fewer_frames(240, 60));
        double speed = greatest_speed(world, 60);
        pd_world_body body = body_of(world, 0);
        print_message("%s: at %.5f m, %.1e m/s\n", methods[i], body.y, speed);
        assert_true(fabs(body.y + 0.4) < 1e-3 && speed < 1e-2);
        pd_world_destroy(world);
    }
}

/* 2.3 spacings above the floor. */
static void light_boxes_rise_from_the_floor(void **state) {
    (void)state;
    skip_under_sanitizers();
    static const char *const methods[] = {"flip", "grid"};
    for (int i = 0; i < 2; i++) {
        pd_world *world = pool_with_box(methods[i], ", density: 0.9", -0.34);
        step_until_above(world, -0.2, 480);
        pd_world_body body = body_of(world, 0);
        print_message("%s: at %.3f m after %d steps\n", methods[i], body.y, (int)pd_world_steps(world));
        assert_true(body.y > -0.2);
        pd_world_destroy(world);
    }
}

/* A box that lies flush on the floor has no fluid cell below. The film of fluid there lifts it if it is lighter. */
static void light_boxes_rise_from_flush_on_the_floor(void **state) {
    (void)state;
    skip_under_sanitizers();
    static const char *const methods[] = {"flip", "grid"};
    for (int i = 0; i < 4; i++) {
        bool light = i < 2;
        pd_world *world = pool_with_box(methods[i % 2], light ? ", density: 0.9" : ", density: 1.2", -0.4);
        if (i % 2) must(pd_world_set_parameter(world, "grid.ambient", 1, NULL), NULL);
        step_until_above(world, -0.35, light ? 480 : fewer_frames(480, 120));
        pd_world_body body = body_of(world, 0);
        print_message("%s, %s: at %.4f m, %.1e m/s\n", methods[i % 2], light ? "light" : "heavy", body.y, body.vy);
        assert_true(light ? body.y > -0.35 : fabs(body.y + 0.4) < 1e-3 && fabs(body.vy) < 1e-3);
        pd_world_destroy(world);
    }
}

/* ---- Added mass ---- */

/* A disc accelerates in fluid at rest: (d + 1) a = (1 - d) g, with the density d and the added mass 1 of a disc, which the
 * box of twenty radii raises by 1 %. */
static void discs_accelerate_with_their_added_mass(void **state) {
    (void)state;
    static const double densities[] = {0.1, 0.5, 2};
    for (int i = 0; i < 3; i++) {
        enum { STEPS = 12, FIRST = 2 };
        char text[400];
        double d = densities[i], speeds[STEPS];
        snprintf(text, sizeof text,
                 "puddle: 1\nmethod: grid\ngravity: [0, -1.6]\ncontainer: {shape: box, width: 2, height: 2}\n"
                 "bodies: [{shape: circle, center: [0.003, 0.004], radius: 0.1, density: %g}]\n"
                 "parameters: {grid: {ambient: 1, resolution: 128}}\n",
                 d);
        pd_world *world = world_of_text(text, 1);
        for (int k = 0; k < STEPS; k++) {
            pd_world_step(world);
            speeds[k] = body_of(world, 0).vy;
        }
        double seconds = (STEPS - 1 - FIRST) * (double)pd_world_scene(world)->dt;
        double added = (1 - d) * 1.6 / ((speeds[STEPS - 1] - speeds[FIRST]) / seconds) - d;
        print_message("density %g: added mass %.3f\n", d, added);
        assert_true(fabs(added - 1) < 0.1);
        pd_world_destroy(world);
    }
}

/* ---- Friction ---- */

/* The fluid stops the spin of a light box at its no-slip walls. */
static void viscous_fluid_stops_a_spin(void **state) {
    (void)state;
    static const char *const methods[] = {"flip", "grid"};
    for (int i = 0; i < 2; i++) {
        char text[500];
        double fastest = 0;
        snprintf(text, sizeof text,
                 "puddle: 1\nmethod: %s\nparticles: 1500\ncontainer: {shape: box, width: 2, height: 1, slip: false}\n"
                 "regions: [{shape: box, center: [0, -0.1], size: [2, 0.8]}]\n"
                 "bodies: [{shape: box, center: [0.1, -0.2], size: [0.3, 0.2], density: 0.05, spin: 50}]\n"
                 "parameters: {%s: {viscosity: 1}}\n",
                 methods[i], methods[i]);
        pd_world *world = world_of_text(text, 1);
        for (int k = 0; k < 120; k++) {
            pd_world_step(world);
            fastest = fmax(fastest, fabs(body_of(world, 0).spin));
        }
        print_message("%s: at most %g degrees/s\n", methods[i], fastest);
        assert_true(fastest <= 55 && fabs(body_of(world, 0).spin) < 5);
        pd_world_destroy(world);
    }
}

/* ---- Drag ---- */

/* A disc that a weld holds in a stream at Reynolds number 40, in a channel of no-slip walls ten diameters apart. The drag
 * coefficient without walls is 1.52 (Dennis and Chang 1970); the boundary layers of the walls raise it. */
static void discs_have_the_drag_of_reynolds_number_40(void **state) {
    (void)state;
    skip_under_sanitizers();
    const double diameter = 0.1, density = 1000, speed = 1;
    double drag = 0, lift = 0;
    pd_world *world = world_of_text("puddle: 1\nmethod: grid\ngravity: [0, 0]\ndt: 0.02\ncontainer: {shape: box, "
                                    "width: 2.4, height: 1, slip: false,\n"
                                    "  walls: {left: {inflow: 1}, right: {outflow: true}}}\n"
                                    "bodies: [{shape: circle, name: disc, center: [-0.4, 0.003], radius: 0.05}]\n"
                                    "joints: [{type: weld, bodies: [disc, world], at: [-0.4, 0.003]}]\n"
                                    "parameters: {grid: {resolution: 80, viscosity: 0.0025}}\n",
                                    1);
    enum { SAMPLES = 50 };
    step_many(world, 150);
    for (int k = 0; k < SAMPLES; k++) {
        pd_world_step(world);
        pd_world_body body = body_of(world, 0);
        drag += body.force_x / (0.5 * density * speed * speed * diameter) / SAMPLES;
        lift += body.force_y / (0.5 * density * speed * speed * diameter) / SAMPLES;
    }
    print_message("drag coefficient %.3f, lift coefficient %.3f\n", drag, lift);
    assert_true(drag > 1.5 && drag < 1.75 && fabs(lift) < 0.2);
    pd_world_destroy(world);
}

/* ---- Momentum ---- */

/* Water, box and container exchange momentum. The coupling acts one substep late: at most times the balance lacks the added mass
 * x the velocity change in a substep, 0.2 N s/m here. The difference does not grow with what is exchanged. */
static void momentum_is_balanced(void **state) {
    (void)state;
    pd_world *world = pool_with_box("flip", ", density: 0.5", 0.15);
    pd_statistics before, after;
    pd_world_body body = body_of(world, 0);
    const int steps = 600;
    double dt = (double)pd_world_scene(world)->dt, on_container = 0, given = 0;
    double mass = body.mass + particle_mass_of(world) * pd_world_particles(world);
    pd_world_statistics(world, &before);
    for (int k = 1; k <= steps; k++) {
        double x, y;
        pd_world_step(world);
        pd_world_impulse_on_obstacle(world, -1, &x, &y);
        on_container += y;
        body = body_of(world, 0);
        given += fabs(body.force_y) * dt;
        if (k != 240 && k != steps) continue;
        pd_world_statistics(world, &after);
        const pd_coordinates *change = &pd_world_solver(world)->bodies[0].state.change; /* acts in the next substep */
        double now = after.momentum_y + body.mass * (body.vy + change->y);
        double off = now - before.momentum_y + 1.6 * mass * k * dt + on_container;
        print_message("%d steps: exchanged %g N s/m, off by %g\n", k, given, off / given);
        assert_true(fabs(off) < 1e-3 * given);
    }
    pd_world_destroy(world);
}

/* A turning box hits a disc of fluid in space: fluid, box and the impulse that is still withheld keep their momentum. */
static void impacts_in_space_conserve_momentum(void **state) {
    (void)state;
    static const double densities[] = {2, 1, 0.5};
    for (int i = 0; i < (is_shortened() ? 1 : 3); i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "puddle: 1\nmethod: flip\ngravity: [0, 0]\ncontainer: {shape: none}\nparticles: 1500\n"
                 "regions: [{shape: circle, center: [0, 0], radius: 0.3}]\n"
                 "bodies: [{shape: box, center: [-0.55, 0.1], size: [0.2, 0.3], density: %g, velocity: [1, 0], spin: "
                 "90}]\n",
                 densities[i]);
        pd_scene scene = scene_of_text(text);
        pd_world *world = world_of(&scene, 1);
        pd_statistics fluid;
        double begun = body_of(world, 0).mass;
        for (int k = 1; k <= 60; k++) {
            pd_world_step(world);
            pd_world_body body = body_of(world, 0);
            const pd_body_state *s = &pd_world_solver(world)->bodies[0].state;
            double unit = pd_units_particle_mass(world);
            pd_world_statistics(world, &fluid);
            double x = fluid.momentum_x + body.mass * (body.vx + s->change.x) - begun;
            double y = fluid.momentum_y + body.mass * (body.vy + s->change.y);
            x += unit * (s->withheld[0].impulse.x + s->withheld[1].impulse.x);
            y += unit * (s->withheld[0].impulse.y + s->withheld[1].impulse.y);
            if (!(hypot(x, y) < 1e-6 * begun))
                fail_msg("density %g: off by %g, %g", densities[i], x / begun, y / begun);
        }
        assert_true(fluid.momentum_x > 0.3 * begun);
        pd_world_destroy(world);
        pd_scene_free(&scene);
    }
}

/* A splinter of a hundredth of the water's density, thinner than a cell, does not churn the water: it did so with 20 J/m. */
static void splinters_are_calm(void **state) {
    (void)state;
    skip_under_sanitizers();
    pd_scene scene =
        scene_of_text("puddle: 1\nmethod: flip\ngravity: [0, -9.81]\nparticles: 3000\ncontainer: {shape: box, width: "
                      "2, height: 1.2}\n"
                      "regions: [{shape: box, center: [0, -0.35], size: [2, 0.5]}]\n"
                      "bodies: [{shape: box, center: [0, 0], size: [0.2, 0.02], density: 0.01, angle: 5}]\n");
    pd_world *world = world_of(&scene, 1);
    for (int k = 0; k < 240; k++) {
        pd_statistics fluid;
        pd_world_step(world);
        pd_world_statistics(world, &fluid);
        assert_true(fluid.kinetic_energy < 2);
    }
    pd_world_destroy(world);
    pd_scene_free(&scene);
}

TEST_GROUP(coupling) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_float_as_deep_as_archimedes_says),
        cmocka_unit_test(a_welded_keel_loads_a_box),
        cmocka_unit_test(a_box_carries_a_stone),
        cmocka_unit_test(very_light_boxes_are_not_thrown),
        cmocka_unit_test(heavy_boxes_rest_on_the_floor),
        cmocka_unit_test(light_boxes_rise_from_the_floor),
        cmocka_unit_test(light_boxes_rise_from_flush_on_the_floor),
        cmocka_unit_test(discs_accelerate_with_their_added_mass),
        cmocka_unit_test(viscous_fluid_stops_a_spin),
        cmocka_unit_test(discs_have_the_drag_of_reynolds_number_40),
        cmocka_unit_test(momentum_is_balanced),
        cmocka_unit_test(impacts_in_space_conserve_momentum),
        cmocka_unit_test(splinters_are_calm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
