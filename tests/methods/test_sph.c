/* SPH with near pressure: the kernels, one substep compared with the reference in double precision, and wedges. */
#include "pairs.h"

#include "levels.h"
#include "methods/sph/sph.h"
#include "reference/sph.h"
#include "settled.h"

/* ---- Kernels, measured on pairs ---- */

/* Results of one substep, by the distance of the pair. */
typedef struct measured {
    pairs_values r, density, near_density, radial, tangential;
} measured;

static const double REST = 0.1;

static void measure(measured *m, double stiffness, double near_stiffness, double viscosity, double speed) {
    char parameters[400];
    pd_view view;
    snprintf(parameters, sizeof parameters,
             "{radius: 1, rest_density: %g, stiffness: %g, near_stiffness: %g, viscosity: %g, prediction: 0}", REST,
             stiffness, near_stiffness, viscosity);
    pd_world *world = world_of_pairs("sph", parameters, speed);
    pairs_distances(world, m->r);
    pd_world_step(world);
    pd_world_view(world, &view);
    pairs_velocities(world, m->radial, m->tangential);
    pairs_quantity(&view, view.density, m->density);
    const sph_state *state = world->state;
    for (int i = 0; i < view.count; i++) /* near pressure x 15/(pi h^3), h = 1 */
        if (view.id[i] % 2 == 0)
            m->near_density[view.id[i] / 2] = (double)state->record[i][6] * M_PI / 15 / near_stiffness;
    pd_world_destroy(world);
}

static void expect_kernel(const char *name, const pairs_values r, const pairs_values w) {
    print_message("%s integrates to %.5f\n", name, pairs_integral(r, w));
    assert_float_equal(pairs_integral(r, w), 1, 1e-3);
}

/* Densities give W2 and W3. The radial velocities of two runs, one dominated by pressure and one by near pressure, give
 * their slopes, as the solution of two linear equations for each pair. */
static void test_kernels_of_pressure(void **state) {
    (void)state;
    static measured far, near;
    static pairs_values w2, w3, near_n, slope2, slope3;
    const double K[] = {1, 0.01}, NEAR_K[] = {0.001, 10};
    measure(&far, K[0], NEAR_K[0], 0, 0);
    measure(&near, K[1], NEAR_K[1], 0, 0);
    memcpy(near_n, near.near_density, sizeof near_n);
    memcpy(w2, far.density, sizeof w2), memcpy(w3, near_n, sizeof w3);
    pairs_without_self(w2), pairs_without_self(w3);
    for (int k = 0; k < PAIRS; k++) {
        double n = far.density[k], scale = 2 * PAIRS_DT / (n * n); /* both particles of a pair are accelerated */
        double a = K[0] * (n - REST), b = NEAR_K[0] * near_n[k], c = K[1] * (n - REST), d = NEAR_K[1] * near_n[k];
        double e = far.radial[k] / scale, f = near.radial[k] / scale, determinant = a * d - b * c;
        slope2[k] = (e * d - b * f) / determinant;
        slope3[k] = (a * f - c * e) / determinant;
    }
    expect_kernel("W2", far.r, w2);
    expect_kernel("W3", near.r, w3);
    double error2 = pairs_slope_error(far.r, w2, slope2), error3 = pairs_slope_error(near.r, w3, slope3);
    print_message("slopes differ from finite differences by %.1e (W2) and %.1e (W3) of the steepest\n", error2, error3);
    assert_true(error2 < 1e-3);
    assert_true(error3 < 1e-3);
    assert_float_equal(w2[PAIRS / 5], 6 / M_PI * pow(1 - far.r[PAIRS / 5], 2), 1e-5);
    assert_float_equal(w3[PAIRS / 5], 10 / M_PI * pow(1 - far.r[PAIRS / 5], 3), 1e-5);
}

/* The loss of tangential velocity by viscosity gives W6. */
static void test_kernel_of_viscosity(void **state) {
    (void)state;
    static measured m;
    static pairs_values w6;
    const double nu = 10, speed = 1;
    measure(&m, 0.01, 0.001, nu, speed);
    for (int k = 0; k < PAIRS; k++) {
        double loss = (speed - m.tangential[k]) / (2 * speed);
        w6[k] = loss * (1 + nu * PAIRS_DT * m.density[k]) / (nu * PAIRS_DT);
    }
    expect_kernel("W6", m.r, w6);
    for (int k = 0; k < PAIRS; k++) assert_float_equal(w6[k], 4 / M_PI * pow(fmax(1 - m.r[k] * m.r[k], 0), 3), 1e-4);
}

/* ---- One substep ---- */

/* Two falling bodies with different masses, which after some steps have hit each other and the ground. */
static const char *const SPLASH = "dt: 0.002\nsubsteps: 1\nparticles: 1500\ncontainer: %s\n"
                                  "materials: {a: {color: '#ffffff', mass: %g}, b: {color: '#ffffff', mass: %g}}\n"
                                  "regions: [{shape: circle, center: [-0.1, 0.2], radius: 0.4, velocity: [0.4, -1]},\n"
                                  "          {shape: box, center: [0.2, -0.5], size: [1.2, 0.5], material: b}]\n"
                                  "parameters: {sph: {viscosity: %g, wall_density: %g}}\n";

/* Over this many substeps, with walls of this weight. */
static void expect_reference(const char *container, double mass_a, double mass_b, double viscosity, double weight,
                             int substeps) {
    enum { MOST = 2000 };
    static uint32_t id[MOST];
    static int index[MOST];
    char text[1200];
    snprintf(text, sizeof text, SPLASH, container, mass_a, mass_b, viscosity, weight);
    pd_world *world = world_of_method("sph", text, 1);
    soften(world);
    settle(world, 200);
    world->ramp = 0; /* ends the rest-density ramp, which the reference does not have */
    pd_view view;
    pd_error error = {0};
    reference_sph *r;
    assert_int_equal(reference_sph_create(&r, world, &error), PD_OK);
    pd_world_view(world, &view);
    assert_true(view.count <= MOST);
    memcpy(id, view.id, (size_t)view.count * sizeof *id);
    double scale = speed_scale_of(world), dt = (double)0.002f;
    double position = 0, velocity = 0, density = 0; /* largest differences: m, m/s, relative */
    for (int k = 0; k < r->count; k++) index[id[k]] = k;
    step_many(world, substeps);
    for (int n = 0; n < substeps; n++) reference_sph_step(r, dt);
    pd_world_view(world, &view);
    for (int i = 0; i < view.count; i++) {
        int k = index[view.id[i]];
        position = fmax(position, hypot((double)view.x[i] - r->x[k], (double)view.y[i] - r->y[k]));
        velocity = fmax(velocity, hypot((double)view.vx[i] - r->vx[k], (double)view.vy[i] - r->vy[k]));
        density = fmax(density, fabs((double)view.density[i] / r->density[k] - 1));
    }
    print_message("%s, masses %g and %g, walls of weight %g, %d substeps: at most %.1e of sqrt(gL) apart in velocity, "
                  "%.1e m in position, %.1e of density\n",
                  pd_simd_name(), mass_a, mass_b, weight, substeps, velocity / scale, position, density);
    assert_true(velocity < 2e-5 * scale);
    assert_true(position < 1e-6); /* the contact margin of walls is half a micrometre */
    assert_true(density < 2e-5);
    reference_sph_destroy(r);
    pd_world_destroy(world);
}

static void test_step_against_the_reference(void **state) {
    (void)state;
    expect_reference("{shape: circle, radius: 1}", 1, 1, 0.003, 0, 1);
    expect_reference("{shape: none}", 0.4, 3, 0, 0, 1);
}

static void test_levels_against_the_reference(void **state) {
    use_level(*state);
    expect_reference("{shape: box, width: 2, height: 2}", 0.4, 3, 0.1, 0, 1);
    expect_reference("{shape: box, width: 2, height: 2}", 0.4, 3, 0.1, 1, 5);
    expect_reference("{shape: circle, radius: 1}", 1, 1, 0.003, 1, 5);
    expect_reference("{shape: box, width: 2, height: 2}", 1, 2, 0, 0.5, 5);
}

/* Water falls into a wedge of two boards: in its tip particles come to rest, and do not gather the speed with which they are pushed
 * into it. After the first impact none is faster than three times a free fall from the top. */
static void test_wedges_do_not_drive_the_fluid(void **state) {
    (void)state;
    skip_under_sanitizers();
    const double pi = 3.141592653589793, length = 1.2, thick = 0.04;
    for (int opening = 10; opening <= (in_short_run() ? 20 : 30); opening += 10) {
        double angle = opening / 2.0 * pi / 180, x = length / 2 * sin(angle) + thick / 2 * cos(angle);
        double y = -0.6 + length / 2 * cos(angle) - thick / 2 * sin(angle), top = -0.6 + length * cos(angle);
        char text[600];
        snprintf(text, sizeof text,
                 "puddle: 1\nmethod: sph\nparticles: 600\ncontainer: {shape: box, width: 2, height: 2}\n"
                 "obstacles: [{shape: box, center: [%g, %g], size: [%g, %g], angle: %g}, "
                 "{shape: box, center: [%g, %g], size: [%g, %g], angle: %g}]\n"
                 "regions: [{shape: box, center: [0, %g], size: [0.5, 0.3]}]\n",
                 -x, y, thick, length, opening / 2.0, x, y, thick, length, -opening / 2.0, top + 0.17);
        pd_world *world = world_of_text(text, 1);
        pd_statistics s;
        double fastest = 0;
        step_many(world, 150);
        for (int i = 0; i < 250; i++) {
            pd_world_step(world);
            pd_world_statistics(world, &s);
            fastest = fmax(fastest, s.max_speed);
        }
        double fall = sqrt(2 * 1.6 * (top + 0.32 + 0.6));
        print_message("%d degrees: up to %.2f m/s, a free fall has %.2f; rms speed %.3f m/s\n", opening, fastest, fall,
                      s.rms_speed);
        assert_true(fastest < 3 * fall);
        assert_true(s.rms_speed < 0.5);
        pd_world_destroy(world);
    }
}

/* The same with a board that leans on the container's floor, and gravity along the middle of the wedge: the floor's contact is
 * found in another way than that of an obstacle. */
static void test_wedges_with_the_floor_do_not_drive_the_fluid(void **state) {
    (void)state;
    skip_under_sanitizers();
    static const char *const methods[] = {"sph", "flip"};
    const double pi = 3.141592653589793, length = 1.2, thick = 0.04, gravity = 1.6;
    for (int k = 0; k < (in_short_run() ? 4 : 8); k++) {
        double degrees = 10 * (k / 2 + 1), angle = degrees * pi / 180, high = 0.9 * length * sin(angle);
        double x = -0.6 + length / 2 * cos(angle) - thick / 2 * sin(angle);
        double y = -1 + length / 2 * sin(angle) + thick / 2 * cos(angle);
        char text[600];
        snprintf(text, sizeof text,
                 "puddle: 1\nmethod: %s\nparticles: 600\ncontainer: {shape: box, width: 2, height: 2}\n"
                 "gravity: [%g, %g]\nobstacles: [{shape: box, center: [%g, %g], size: [%g, %g], angle: %g}]\n"
                 "regions: [{shape: box, center: [0.75, %g], size: [0.4, %g]}]\n",
                 methods[k % 2], -gravity * cos(angle / 2), -gravity * sin(angle / 2), x, y, length, thick, degrees,
                 -1 + high / 2, high);
        pd_world *world = world_of_text(text, 1);
        pd_statistics s;
        double fastest = 0, fall = sqrt(2 * gravity * 1.7);
        step_many(world, 300); /* the fluid has splashed against the wall at x = -1 */
        for (int i = 0; i < 250; i++) {
            pd_world_step(world);
            pd_world_statistics(world, &s);
            fastest = fmax(fastest, s.max_speed);
        }
        print_message("%s, %g degrees: up to %.2f m/s, a free fall has %.2f; rms speed %.3f m/s\n", methods[k % 2],
                      degrees, fastest, fall, s.rms_speed);
        assert_true(fastest < 3 * fall);
        assert_true(s.rms_speed < 0.5);
        pd_world_destroy(world);
    }
}

TEST_GROUP(sph) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernels_of_pressure),
        cmocka_unit_test(test_kernel_of_viscosity),
        cmocka_unit_test(test_step_against_the_reference),
        cmocka_unit_test(test_wedges_do_not_drive_the_fluid),
        cmocka_unit_test(test_wedges_with_the_floor_do_not_drive_the_fluid),
        AT_EVERY_LEVEL(test_levels_against_the_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
