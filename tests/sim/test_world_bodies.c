/* Rigid bodies in the fluid: Archimedes' law, balances of momentum, saved states, threads, changes of the method. */
#include "bodies/bodies.h"
#include "body_pool.h"
#include "levels.h"
#include "methods.h"
#include "methods/particle_fluid/particle_fluid.h"
#include "sim/world_bodies.h"

static void boxes_float_as_deep_as_archimedes_says(void **state) {
    (void)state;
    static const double densities[] = {0.25, 0.5, 0.8, 0.1, 0.95};
    skip_under_sanitizers();
    for (size_t i = 0; i < (in_short_run() ? 1 : sizeof densities / sizeof *densities); i++) {
        expect_draft("ddr", densities[i]);
        expect_draft("sph", densities[i]);
        expect_draft("pbf", densities[i]);
    }
}

/* ---- Sinking and rising ---- */

static double height_after(const char *method, const char *box, double y, int steps) {
    pd_scene scene = pool(method, 1500, box, 0.013, y);
    pd_world *world = world_of(&scene, 1);
    pd_world_body body;
    step_many(world, steps);
    pd_world_get_body(world, 0, &body);
    assert_true(hypot(body.vx, body.vy) < 0.05);
    pd_world_destroy(world);
    pd_scene_free(&scene);
    return body.y;
}

/* To a fifth of a spacing of 0.0258 m: single particles may stay below. */
static void heavy_boxes_rest_on_the_floor(void **state) {
    (void)state;
    static const char *const methods[] = {"ddr", "sph", "pbf"};
    skip_under_sanitizers();
    for (size_t i = 0; i < 3; i++) {
        double y = height_after(methods[i], ", density: 3", -0.15, fewer_frames(600, 300));
        if (!(fabs(y + 0.4) < 0.2 * 0.0258)) fail_msg("%s: the box is at %g m, not on the floor", methods[i], y);
    }
}

/* Particles under a box that lies on the floor carry up to a spacing of head, so (1 - density) x height must be above 1.5
 * spacings. */
static void light_boxes_rise_from_the_floor(void **state) {
    (void)state;
    static const char *const methods[] = {"ddr", "sph", "pbf"}, *const boxes[] = {", density: 0.7", ", density: 0.7",
                                                                                  ", density: 0.5"};
    skip_under_sanitizers();
    skip_in_short();
    for (size_t i = 0; i < 3; i++) {
        double y = height_after(methods[i], boxes[i], -0.34, 600);
        print_message("%s%s: %g m\n", methods[i], boxes[i], y);
        if (!(y > -0.15)) fail_msg("%s: the box is at %g m", methods[i], y);
    }
}

/* Returns the height of a body after `steps` steps, m. It is released at the height y in water whose surface is at about
 * 0.27, under 9.81 m/s^2. body: its shape, size and density. */
static double height_of_released(const char *method, int particles, const char *body, double y, int steps) {
    char text[500];
    snprintf(
        text, sizeof text,
        "gravity: [0, -9.81]\nparticles: %d\n"
        "container: {shape: box, width: 2, height: 1.4}\nregions: [{shape: box, center: [0, -0.2], size: [2, 1]}]\n"
        "bodies: [{%s, center: [0, %g]}]\n",
        particles, body, y);
    pd_world *world = world_of_method(method, text, 1);
    pd_world_body state;
    step_many(world, steps);
    pd_world_get_body(world, 0, &state);
    print_message("%s, %d particles, %s from %g m: %.3f m\n", method, particles, body, y, state.y);
    pd_world_destroy(world);
    return state.y;
}

static double height_of_ball(const char *method, int particles, double density, int steps) {
    char ball[80];
    snprintf(ball, sizeof ball, "shape: circle, radius: 0.12, density: %g", density);
    return height_of_released(method, particles, ball, -0.2, steps);
}

/* Particles at rest carry shear stress as grains do, and walls have a place of their own in densities. Neither may hold a
 * ball whose density differs from the water's by a tenth, or with 4,000 particles by a twentieth. */
static void light_balls_rise_and_heavy_balls_sink(void **state) {
    (void)state;
    const char *methods[MOST_METHODS];
    const int count = methods_that(is_of_particles, methods);
    skip_under_sanitizers();
    for (int m = 0; m < count; m++) {
        assert_true(height_of_ball(methods[m], 1000, 0.9, fewer_frames(600, 120)) > (in_short_run() ? -0.15 : -0.05));
        if (in_short_run()) continue;
        assert_true(height_of_ball(methods[m], 1000, 1.1, 600) < -0.3);
        assert_true(height_of_ball(methods[m], 4000, 0.95, 600) > -0.05);
        assert_true(height_of_ball(methods[m], 4000, 1.05, 600) < -0.3);
    }
}

/* Pressure on a disc has no torque. With forces in the pose of another time than that of the densities a disc under `sph`
 * spins faster and faster: 1,700 degrees a second after 300 steps. */
static void still_water_does_not_spin_a_ball(void **state) {
    (void)state;
    pd_world *world = world_of_method(
        "sph",
        "gravity: [0, -9.81]\nparticles: 1000\n"
        "container: {shape: box, width: 2, height: 1.6}\nregions: [{shape: box, center: [0, -0.3], size: [2, 1]}]\n"
        "bodies: [{shape: circle, center: [0.013, -0.5], radius: 0.12, density: 1.2}]\n",
        1);
    pd_world_body body;
    step_many(world, 300);
    pd_world_get_body(world, 0, &body);
    print_message("spin: %g degrees a second\n", body.spin);
    assert_true(fabs(body.spin) < 60);
    pd_world_destroy(world);
}

/* Whether bodies hold no film of fluid: the yield beside them is removed (particle_fluid/deviator.h). */
static bool holds_no_films(const pd_method *method) {
    const particle_traits *traits = method->particle_traits;
    return traits && traits->uses_lists;
}

/* A body that rises has no film of fluid on top: a row of particles would be 7 % of the displaced weight. */
static void bodies_that_rise_float_like_bodies_laid_on_water(void **state) {
    (void)state;
    static const char *const bodies[] = {"shape: box, size: [0.3, 0.2], density: 0.8",
                                         "shape: circle, radius: 0.12, density: 0.9"};
    const double spacing = sqrt(2.0 / 1000);
    const char *methods[MOST_METHODS];
    const int count = methods_that(holds_no_films, methods);
    skip_under_sanitizers();
    for (int m = 0; m < (in_short_run() ? 1 : count); m++)
        for (int b = 0; b < (in_short_run() ? 1 : 2); b++) {
            double risen = height_of_released(methods[m], 1000, bodies[b], -0.1, 720);
            double laid = height_of_released(methods[m], 1000, bodies[b], 0.2, 720);
            if (!(fabs(risen - laid) < 0.5 * spacing))
                fail_msg("%s: risen to %g m, laid at %g m", methods[m], risen, laid);
        }
}

/* ---- Heave and roll ---- */

static const char *const FLOATING[] = {"flip", "sph", "ddr", "pbf"};

/* Half a period of a disc of radius 0.12 m, half under water, from its lowest place after a push downwards to its highest:
 * pi sqrt(m_a / k) with k = 2 r rho g and m_a = 1.6 times the disc's mass, as the added mass is 0.6 of it (Ursell 1949). */
static void half_submerged_discs_heave_with_their_added_mass(void **state) {
    (void)state;
    const double radius = 0.12, gravity = 1.6, pi = 3.141592653589793;
    const double asked = pi * sqrt(1.6 * pi * radius * radius / 2 / (2 * radius * gravity));
    skip_under_sanitizers();
    for (int m = 0; m < (in_short_run() ? 1 : 4); m++) {
        pool_body disc = {", density: 0.5", 0.013, 0, 0, radius, 0, pi * radius * radius / 2};
        pd_scene scene = pool_with(FLOATING[m], 5000, &disc);
        pd_world *world = world_of(&scene, 1);
        double lowest = INFINITY, highest = -INFINITY, begin = 0, end = 0, dt = (double)scene.dt;
        pd_world_body body;
        step_many(world, 360);
        pd_world_get_body(world, 0, &body);
        double rest = body.y;
        pd_world_solver(world)->bodies[0].state.velocity.y -= 0.2;
        for (int k = 1; k * dt < 1.8; k++) {
            pd_world_step(world);
            pd_world_get_body(world, 0, &body);
            if (body.y < lowest && k * dt < 0.9) lowest = highest = body.y, begin = end = k * dt;
            if (body.y > highest) highest = body.y, end = k * dt;
        }
        print_message("%s: from %.4f m at %.3f s to %.4f m at %.3f s\n", FLOATING[m], lowest - rest, begin,
                      highest - rest, end);
        if (!(fabs(end - begin - asked) < 0.15 * asked && highest > rest))
            fail_msg("%s: half period %g s, not %g s", FLOATING[m], end - begin, asked);
        pd_world_destroy(world);
        pd_scene_free(&scene);
    }
}

/* Returns the angle of a floating box of density 0.5 after some seconds, degrees. Half of the box is under water, at any angle. */
static double angle_after(const char *method, double half_x, double half_y, double angle, double seconds) {
    pool_body box = {", density: 0.5", 0.013, 0, angle, half_x, half_y, 2 * half_x * half_y};
    pd_scene scene = pool_with(method, 1500, &box);
    pd_world *world = world_of(&scene, 1);
    pd_world_body body;
    step_many(world, (int)(seconds / (double)scene.dt));
    pd_world_get_body(world, 0, &body);
    pd_world_destroy(world);
    pd_scene_free(&scene);
    return body.angle;
}

/* At density 0.5 a box floats upright if its height is at most 0.82 of its width. */
static void wide_boxes_right_themselves_and_tall_ones_fall_over(void **state) {
    (void)state;
    skip_under_sanitizers();
    for (int m = 0; m < (in_short_run() ? 2 : 4); m++) {
        double wide = angle_after(FLOATING[m], 0.25, 0.08, 25, 8), tall = angle_after(FLOATING[m], 0.08, 0.2, 8, 8);
        print_message("%s: wide box from 25 to %.1f degrees, tall box from 8 to %.1f\n", FLOATING[m], wide, tall);
        if (!(fabs(wide) < 5)) fail_msg("%s: the wide box is at %g degrees", FLOATING[m], wide);
        if (!(fabs(fabs(tall) - 90) < 15)) fail_msg("%s: the tall box is at %g degrees", FLOATING[m], tall);
    }
}

/* ---- Balances ---- */

typedef struct momenta {
    double x, y, angular; /* kg m/s per m; about the origin */
} momenta;

static void add_momentum(momenta *sum, double mass, double x, double y, double vx, double vy) {
    sum->x += mass * vx;
    sum->y += mass * vy;
    sum->angular += mass * (x * vy - y * vx);
}

static momenta total_momenta(const pd_world *world) {
    pd_view view;
    momenta sum = {0};
    double mass = particle_mass_of(world);
    pd_world_view(world, &view);
    for (int i = 0; i < view.count; i++)
        add_momentum(&sum, mass * (double)view.materials[view.material[i]].mass, (double)view.x[i], (double)view.y[i],
                     (double)view.vx[i], (double)view.vy[i]);
    for (int i = 0; i < pd_world_body_count(world); i++) {
        pd_world_body body;
        pd_world_get_body(world, i, &body);
        const pd_coordinates *change = &pd_world_solver(world)->bodies[i].state.change; /* of the last substep */
        add_momentum(&sum, body.mass, body.x, body.y, body.vx + change->x, body.vy + change->y);
        sum.angular += body.inertia * (body.spin * 3.141592653589793 / 180 + change->angle);
    }
    return sum;
}

/* A disc of fluid in open space is hit by a spinning box. What all exchange is the change of the fluid's momentum. */
static void fluid_and_bodies_conserve_momentum(void **state) {
    (void)state;
    static const char *const methods[] = {"ddr", "sph", "pbf"};
    for (size_t i = 0; i < 3; i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "puddle: 1\nmethod: %s\ngravity: [0, 0]\ncontainer: {shape: none}\nparticles: 1000\n"
                 "regions: [{shape: circle, center: [0, 0], radius: 0.3}]\n"
                 "bodies: [{shape: box, center: [-0.55, 0.1], size: [0.2, 0.3], density: 0.5, velocity: [1, 0], spin: "
                 "90}]\n",
                 methods[i]);
        pd_world *world = world_of_text(text, 1);
        momenta before = total_momenta(world);
        pd_world_body body;
        step_many(world, 90);
        momenta after = total_momenta(world);
        pd_world_get_body(world, 0, &body);
        double exchanged = body.mass * (1 - body.vx), arm = 0.3;
        print_message("%s: exchanged %g, off by %g, %g; angular %g of %g\n", methods[i], exchanged,
                      (after.x - before.x) / exchanged, (after.y - before.y) / exchanged,
                      (after.angular - before.angular) / (exchanged * arm), exchanged * arm);
        assert_true(exchanged > 0.2 * body.mass);
        assert_true(fabs(after.x - before.x) < 1e-3 * exchanged && fabs(after.y - before.y) < 1e-3 * exchanged);
        assert_true(fabs(after.angular - before.angular) < 1e-2 * exchanged * arm);
        pd_world_destroy(world);
    }
}

/* In the pool gravity and the container take part: change of momentum = gravity x mass x time - impulse on the container. */
static void the_container_and_gravity_balance_the_rest(void **state) {
    (void)state;
    static const char *const methods[] = {"ddr", "sph", "pbf"};
    for (size_t i = 0; i < 3; i++) {
        pd_scene scene = pool(methods[i], 1500, ", density: 0.5", 0.013, 0.15);
        pd_world *world = world_of(&scene, 1);
        pd_world_body body;
        pd_world_get_body(world, 0, &body);
        momenta before = total_momenta(world);
        double mass = body.mass + particle_mass_of(world) * pd_world_particles(world), y = 0, given = 0, gravity = 1.6f;
        int steps = 120;
        for (int k = 0; k < steps; k++) {
            double unused, on_container;
            pd_world_step(world);
            pd_world_impulse_on_obstacle(world, -1, &unused, &on_container);
            pd_world_get_body(world, 0, &body);
            y += on_container;
            given += fabs(body.force_y) * (double)scene.dt;
        }
        momenta after = total_momenta(world);
        double off = after.y - before.y + gravity * mass * steps * (double)scene.dt + y;
        print_message("%s: exchanged %g, off by %g\n", methods[i], given, off / given);
        assert_true(fabs(off) < 1e-3 * given);
        pd_world_destroy(world);
        pd_scene_free(&scene);
    }
}

/* ---- State ---- */

/* A heap of bodies with joints falls into a pool beside a moving obstacle. */
static const char HEAP[] =
    "puddle: 1\ncontainer: {shape: box, width: 2, height: 1.4}\nparticles: 900\n"
    "regions: [{shape: box, center: [0, -0.5], size: [2, 0.4]}]\n"
    "obstacles: [{shape: box, center: [0.6, -0.4], size: [0.3, 0.05], spin: 60}]\n"
    "bodies:\n"
    "  - {shape: box, center: [0, 0.1], size: [0.2, 0.2], density: 0.3, angle: 20, name: a}\n"
    "  - {shape: circle, center: [0.05, 0.35], radius: 0.08, density: 2, name: b}\n"
    "  - {shape: polygon, center: [-0.4, 0.2], points: [[-0.1, 0], [0.1, 0], [0.1, 0.2], [0.05, 0.05]], name: c}\n"
    "  - {shape: polyline, points: [[0.3, 0.2], [0.5, 0.25], [0.6, 0.4]], thickness: 0.03, spin: 100}\n"
    "  - {shape: box, center: [-0.7, -0.1], size: [0.3, 0.05], restitution: 0.5, name: d}\n"
    "joints:\n"
    "  - {type: motor, bodies: [d, world], at: [-0.7, -0.1], speed: 90, greatest_torque: 20}\n"
    "  - {type: rope, bodies: [a, c], at: [-0.1, 0.1], to: [-0.4, 0.2]}\n"
    "  - {type: spring, bodies: [b, world], at: [0.05, 0.35], to: [0.05, 0.69], stiffness: 60, damping: 1}\n"
    "parameters: {grid: {resolution: 48}, vortex: {core: 0.1}}\n";

static pd_world *heap(const char *method, int threads) {
    pd_scene scene = scene_of_text(HEAP);
    snprintf(scene.method, sizeof scene.method, "%s", method);
    pd_world *world = world_of(&scene, threads);
    pd_scene_free(&scene);
    return world;
}

static void restored_heaps_go_on_with_the_same_bits(void **state) {
    (void)state;
    for (int m = 0; m < pd_method_count(); m++) {
        pd_error error = {0};
        void *bytes;
        size_t size;
        const int frames = fewer_frames(100, 20);
        pd_world *world = heap(pd_method_at(m)->name, 1), *other = heap("sph", 1);
        step_many(world, fewer_frames(60, 30));
        must(pd_world_save_to_memory(world, &bytes, &size, &error), &error);
        must(pd_world_restore_from_memory(other, bytes, size, &error), &error);
        assert_true(pd_world_hash(other) == pd_world_hash(world));
        step_many(world, frames);
        step_many(other, frames);
        assert_true(pd_world_hash(other) == pd_world_hash(world));
        assert_true(size < 2 * pd_world_snapshot_size(world));
        pd_memory_free(bytes);
        pd_world_destroy(world);
        pd_world_destroy(other);
    }
}

/* Twelve boxes and discs fall into a narrow pool: the snapshot is taken while they strike each other. */
static pd_world *pile(const char *method) {
    char text[2400];
    size_t length =
        (size_t)snprintf(text, sizeof text,
                         "puddle: 1\nmethod: %s\ngravity: [0, -3]\ncontainer: {shape: box, width: 1, height: 1.4}\n"
                         "particles: 250\nregions: [{shape: box, center: [0, -0.55], size: [1, 0.3]}]\nbodies:\n",
                         method);
    for (int i = 0; i < 12; i++) {
        double x = -0.3 + 0.3 * (i % 3) + 0.02 * (i / 3), y = -0.3 + 0.2 * (i / 3), density = 0.4 + 0.3 * (i % 5);
        const char *format = i % 4 == 3 ? "  - {shape: circle, center: [%g, %g], radius: 0.07, density: %g}\n"
                                        : "  - {shape: box, center: [%g, %g], size: [0.16, 0.12], density: %g}\n";
        length += (size_t)snprintf(text + length, sizeof text - length, format, x, y, density);
    }
    return world_of_text(text, 1);
}

static void restored_piles_go_on_with_the_same_bits(void **state) {
    (void)state;
    static const char *const methods[] = {"sph", "flip"};
    for (int m = 0; m < (is_shortened() ? 1 : 2); m++) {
        pd_error error = {0};
        void *bytes;
        size_t size;
        pd_world *world = pile(methods[m]), *other = pile("ddr");
        step_many(world, 40);
        must(pd_world_save_to_memory(world, &bytes, &size, &error), &error);
        must(pd_world_restore_from_memory(other, bytes, size, &error), &error);
        assert_true(pd_world_solver(world)->contact_count > 8);
        for (int k = 0; k < fewer_frames(1200, 60); k += 60) {
            step_many(world, 60);
            step_many(other, 60);
            if (pd_world_hash(other) != pd_world_hash(world)) fail_msg("%s: other bits by step %d", methods[m], k + 60);
        }
        pd_memory_free(bytes);
        pd_world_destroy(world);
        pd_world_destroy(other);
    }
}

static uint64_t hash_of_heap(const char *method, int threads) {
    pd_world *world = heap(method, threads);
    step_many(world, fewer_frames(90, 20));
    uint64_t hash = pd_world_hash(world);
    pd_world_destroy(world);
    return hash;
}

static void threads_and_levels_give_the_same_bits(void **state) {
    (void)state;
    static const char *const methods[] = {"flip", "sph", "ddr", "pbf", "grid"};
    static const char *const levels[] = {"baseline", "avx2", "avx512", "neon"};
    for (size_t m = 0; m < (is_shortened() ? 2 : sizeof methods / sizeof *methods); m++) {
        assert_true(pd_method_find(methods[m])->features & PD_FEATURE_BODIES);
        uint64_t hash = hash_of_heap(methods[m], 1);
        assert_true(hash_of_heap(methods[m], 2) == hash);
        assert_true(hash_of_heap(methods[m], 3) == hash);
        for (size_t k = 0; k < sizeof levels / sizeof *levels; k++)
            if (pd_simd_select(levels[k])) assert_true(hash_of_heap(methods[m], 1) == hash);
        assert_true(pd_simd_select("auto"));
    }
}

static void a_reset_repeats_the_beginning(void **state) {
    (void)state;
    pd_world *world = heap("pbf", 1);
    step_many(world, 40);
    uint64_t hash = pd_world_hash(world);
    pd_world_reset(world);
    step_many(world, 40);
    assert_true(pd_world_hash(world) == hash);
    pd_world_destroy(world);
}

/* A box on the floor of a container without fluid weighs m g. A box in the air has no contact. */
static void contact_forces_carry_the_weight(void **state) {
    (void)state;
    pd_scene scene =
        scene_of_text("puddle: 1\ngravity: [0, -2]\ncontainer: {shape: box, width: 2, height: 1}\nbodies:\n"
                      "  - {shape: box, center: [-0.5, -0.4], size: [0.3, 0.2], density: 0.5}\n"
                      "  - {shape: box, center: [0.5, 0.1], size: [0.3, 0.2]}\n");
    pd_world *world = world_of(&scene, 1);
    pd_world_body body;
    step_many(world, 20);
    pd_world_get_body(world, 1, &body);
    assert_true(body.vy < -0.5 && body.contact_force_x == 0 && body.contact_force_y == 0 && body.contact_torque == 0);
    step_many(world, 100);
    for (int i = 0; i < 2; i++) {
        pd_world_get_body(world, i, &body);
        assert_float_equal(body.contact_force_y, 2 * body.mass, 1e-3 * body.mass);
        assert_float_equal(body.contact_force_x, 0, 1e-3 * body.mass);
        assert_float_equal(body.force_y, 0, 0);
    }
    pd_world_reset(world);
    pd_world_get_body(world, 0, &body);
    assert_float_equal(body.contact_force_y, 0, 0);
    pd_world_destroy(world);
    pd_scene_free(&scene);
}

/* Regions leave out the particles whose places are in a body. The fluid around a body of its density begins at rest. */
static void regions_begin_without_fluid_in_bodies(void **state) {
    (void)state;
    static const char *const methods[] = {"ddr", "sph", "pbf", "flip"}, *const fills[] = {"hex", "random"};
    for (int k = 0; k < (is_shortened() ? 5 : 8); k++) {
        char text[400];
        snprintf(text, sizeof text,
                 "puddle: 1\nmethod: %s\nparticles: 3000\ncontainer: {shape: box, width: 2, height: 1}\n"
                 "regions: [{shape: box, center: [0, -0.25], size: [2, 0.5], fill: %s}]\n"
                 "bodies: [{shape: box, center: [0.013, -0.25], size: [0.3, 0.2], density: 1}]\n",
                 methods[k % 4], fills[k / 4]);
        pd_world *world = world_of_text(text, 1);
        pd_view view;
        pd_world_view(world, &view);
        print_message("%s, %s: %d particles", methods[k % 4], fills[k / 4], view.count);
        assert_true(abs(view.count - 2820) < 30);
        for (int i = 0; i < view.count; i++)
            assert_true(fabs((double)view.x[i] - 0.013) > 0.1499 || fabs((double)view.y[i] + 0.25) > 0.0999);
        double fastest = 0;
        for (int step = 0; step < fewer_frames(30, 15) && k < 4; step++) {
            pd_world_step(world);
            pd_statistics now;
            pd_world_statistics(world, &now);
            fastest = fmax(fastest, (double)now.rms_speed);
        }
        if (k < 4) print_message(", %.3f m/s", fastest);
        print_message("\n");
        assert_true(fastest < 0.1);
        pd_world_reset(world);
        pd_world_view(world, &view);
        assert_true(abs(view.count - 2820) < 30);
        pd_world_destroy(world);
    }
}

/* The present state as a scene begins where the world is. */
static void present_bodies_begin_a_scene(void **state) {
    (void)state;
    pd_error error = {0};
    pd_scene scene;
    pd_world *world = heap("sph", 1);
    step_many(world, 30);
    must(pd_world_state_as_scene(world, &scene, &error), &error);
    pd_world *again = world_of(&scene, 1);
    for (int i = 0; i < pd_world_body_count(world); i++) {
        pd_world_body a, b;
        pd_world_get_body(world, i, &a);
        pd_world_get_body(again, i, &b);
        assert_true(hypot(a.x - b.x, a.y - b.y) < 1e-6 && fabs(a.mass - b.mass) < 1e-4 * a.mass);
    }
    step_many(world, 20);
    step_many(again, 20);
    for (int i = 0; i < pd_world_body_count(world); i++) {
        pd_world_body a, b;
        pd_world_get_body(world, i, &a);
        pd_world_get_body(again, i, &b);
        if (!(hypot(a.x - b.x, a.y - b.y) < 0.03)) fail_msg("body %d: %g, %g and %g, %g", i, a.x, a.y, b.x, b.y);
    }
    pd_scene_free(&scene);
    pd_world_destroy(again);
    pd_world_destroy(world);
}

/* ---- Edits ---- */

static void edits_keep_the_other_bodies(void **state) {
    (void)state;
    pd_error error = {0};
    pd_world *world = heap("sph", 1);
    step_many(world, 40);
    pd_world_body before[5], after;
    for (int i = 0; i < 5; i++) pd_world_get_body(world, i, &before[i]);
    pd_scene edited;
    pd_command command;
    must(pd_scene_copy(&edited, pd_world_scene(world), &error), &error);
    assert_int_equal(pd_scene_remove_body(&edited, 1, &error), PD_BAD_INPUT);
    assert_string_equal(error.message, "a joint joins the body 'b' (remove the joint first)");
    must(pd_scene_remove_joint(&edited, 2, &error), &error);
    must(pd_scene_remove_body(&edited, 1, &error), &error);
    edited.bodies[0].density = 0.9f;
    must(pd_command_edit(&command, pd_world_scene(world), &edited, &error), &error);
    must(pd_world_apply(world, &command, &error), &error);
    pd_command_free(&command);
    pd_scene_free(&edited);
    assert_int_equal(pd_world_body_count(world), 4);
    for (int i = 0; i < 4; i++) {
        const pd_world_body *old = &before[i < 1 ? i : i + 1];
        pd_world_get_body(world, i, &after);
        assert_true(after.x == old->x && after.y == old->y && after.vx == old->vx && after.spin == old->spin);
    }
    pd_world_get_body(world, 0, &after);
    assert_true(fabs(after.mass - 3 * before[0].mass) < 1e-3);
    step_many(world, 20);
    pd_world_destroy(world);
}

/* ---- Drag ---- */

/* The tool pulls a stone out of the water by a spring; the stone hangs below it until the tool ends. */
static void the_move_tool_drags_bodies(void **state) {
    (void)state;
    pd_error error = {0};
    pd_world *world = heap("sph", 1), *again = heap("sph", 1);
    pd_tool tool = {.kind = PD_TOOL_MOVE, .radius = 0.1f};
    pd_world_body body;
    void *bytes;
    size_t size;
    pd_world_get_body(world, 0, &body);
    tool.position = (pd_vec2){(float)body.x, (float)body.y};
    assert_int_equal(pd_world_body_at(world, tool.position, 0), 0);
    assert_int_equal(pd_world_body_at(world, (pd_vec2){-0.9f, 0.6f}, 0.01f), -1);
    tool.obstacle = pd_world_scene(world)->obstacle_count + 0;
    for (int i = 0; i < 120; i++) {
        tool.position.x = fmaxf(tool.position.x - 0.02f, -0.5f);
        tool.position.y = fminf(tool.position.y + 0.01f, 0.5f);
        pd_world_set_tool(world, &tool);
        pd_world_step(world);
        if (i != 60) continue;
        must(pd_world_save_to_memory(world, &bytes, &size, &error), &error);
        must(pd_world_restore_from_memory(again, bytes, size, &error), &error);
        pd_memory_free(bytes);
        pd_world_step(again);
        pd_world_set_tool(world, &tool);
        pd_world_step(world);
        assert_true(pd_world_hash(world) == pd_world_hash(again));
    }
    pd_world_get_body(world, 0, &body);
    if (!(hypot(body.x + 0.5, body.y - 0.5) < 0.1)) fail_msg("the box is at %g, %g", body.x, body.y);
    pd_world_set_tool(world, &(pd_tool){.kind = PD_TOOL_NONE});
    step_many(world, 60);
    pd_world_get_body(world, 0, &body);
    assert_true(body.y < 0.2 && pd_world_solver(world)->drag.body < 0);
    tool.obstacle = 100;
    pd_world_set_tool(world, &tool);
    assert_int_equal(pd_world_tool(world).kind, PD_TOOL_NONE);
    pd_world_destroy(world);
    pd_world_destroy(again);
}

/* ---- Methods ---- */

static void expect_sane(pd_world *world, const char *method) {
    pd_statistics statistics;
    pd_world_statistics(world, &statistics);
    bool pushes = pd_world_method(world)->features & PD_FEATURE_BODIES; /* others press fluid out of closing gaps */
    if (!(statistics.max_speed < (pushes ? 20 : 100))) fail_msg("%s: fluid at %g m/s", method, statistics.max_speed);
    for (int i = 0; i < pd_world_body_count(world); i++) {
        pd_world_body body;
        pd_world_get_body(world, i, &body);
        bool inside = fabs(body.x) < 1 && fabs(body.y) < 0.7;
        if (!inside || !(hypot(body.vx, body.vy) < 4))
            fail_msg("%s: body %d at %g, %g with %g m/s", method, i, body.x, body.y, hypot(body.vx, body.vy));
    }
}

/* With 915 particles `pbf` threw a body at 20 m/s when the impulses of particles had no limit. */
static void the_method_changes_with_bodies_afloat(void **state) {
    (void)state;
    static const char *const order[] = {"sph",  "pbf",    "grid", "vortex", "flip", "ddr",
                                        "flip", "vortex", "grid", "pbf",    "flip", "grid"};
    static const int particles[] = {900, 915};
    pd_error error = {0};
    for (int n = 0; n < (is_shortened() ? 1 : 2); n++) {
        pd_world *world = heap("ddr", 1);
        must(pd_world_set_particle_count(world, particles[n], &error), &error);
        step_many(world, 120);
        for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
            must(pd_world_set_method(world, order[i], &error), &error);
            for (int k = 0; k < fewer_frames(60, 10); k++) {
                pd_world_step(world);
                expect_sane(world, order[i]);
            }
        }
        pd_world_destroy(world);
    }
}

/* ---- Rest ---- */

static void a_stack_in_water_is_calm(void **state) {
    (void)state;
    skip_under_sanitizers();
    skip_in_short();
    char box[400] = ", density: 2}\n  , {shape: box, center: [0.013, -0.2], size: [0.25, 0.2], density: 2}\n"
                    "  , {shape: box, center: [0.013, 0], size: [0.2, 0.2], density: 2, name: top";
    pd_scene scene = pool("sph", 1500, box, 0.013, -0.4);
    pd_world *world = world_of(&scene, 1);
    double squares = 0;
    pd_world_body body;
    step_many(world, 480);
    for (int k = 0; k < 120; k++) {
        pd_world_step(world);
        for (int i = 0; i < 3; i++) {
            pd_world_get_body(world, i, &body);
            squares += (body.vx * body.vx + body.vy * body.vy) / 360;
        }
    }
    print_message("stack: rms speed %g m/s, top at %g, %g\n", sqrt(squares), body.x, body.y);
    assert_true(fabs(body.y) < 0.005 && fabs(body.x - 0.013) < 0.02 && fabs(body.angle) < 1);
    assert_true(sqrt(squares) < 0.01);
    pd_world_destroy(world);
    pd_scene_free(&scene);
}

TEST_GROUP(world_bodies) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_float_as_deep_as_archimedes_says),
        cmocka_unit_test(heavy_boxes_rest_on_the_floor),
        cmocka_unit_test(light_boxes_rise_from_the_floor),
        cmocka_unit_test(light_balls_rise_and_heavy_balls_sink),
        cmocka_unit_test(still_water_does_not_spin_a_ball),
        cmocka_unit_test(bodies_that_rise_float_like_bodies_laid_on_water),
        cmocka_unit_test(half_submerged_discs_heave_with_their_added_mass),
        cmocka_unit_test(wide_boxes_right_themselves_and_tall_ones_fall_over),
        cmocka_unit_test(fluid_and_bodies_conserve_momentum),
        cmocka_unit_test(the_container_and_gravity_balance_the_rest),
        cmocka_unit_test(restored_heaps_go_on_with_the_same_bits),
        cmocka_unit_test(restored_piles_go_on_with_the_same_bits),
        cmocka_unit_test(threads_and_levels_give_the_same_bits),
        cmocka_unit_test(a_reset_repeats_the_beginning),
        cmocka_unit_test(contact_forces_carry_the_weight),
        cmocka_unit_test(regions_begin_without_fluid_in_bodies),
        cmocka_unit_test(present_bodies_begin_a_scene),
        cmocka_unit_test(edits_keep_the_other_bodies),
        cmocka_unit_test(the_move_tool_drags_bodies),
        cmocka_unit_test(the_method_changes_with_bodies_afloat),
        cmocka_unit_test(a_stack_in_water_is_calm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
