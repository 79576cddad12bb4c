/* Position based fluids: the kernels, and one substep compared with the reference in double precision. */
#include "pairs.h"

#include "levels.h"
#include "reference/pbf.h"
#include "settled.h"

/* ---- Kernels, measured on pairs ---- */

/* One substep with one iteration, whose displacements are tiny. They are in units of h, which is 1 m. */
static void measure(const char *kernel, double rest_density, double relaxation, pairs_values r, pairs_values density,
                    pairs_values displacement) {
    char parameters[300];
    pd_view view;
    pairs_values tangential;
    snprintf(parameters, sizeof parameters,
             "{radius: 1, rest_density: %g, relaxation: %g, iterations: 1, scorr_strength: 0, xsph: 0,"
             " kernel: %s}",
             rest_density, relaxation, kernel);
    pd_world *world = world_of_pairs("pbf", parameters, 0);
    pairs_distances(world, r);
    pd_world_step(world);
    pd_world_view(world, &view);
    pairs_quantity(&view, view.density, density);
    pairs_velocities(world, displacement, tangential);
    for (int k = 0; k < PAIRS; k++)
        displacement[k] *= PAIRS_DT / 2; /* from relative velocity to that of each particle */
    pd_world_destroy(world);
}

/* Densities are those at the end of the step: with a high rest density and relaxation parameter the positions there are
 * those at its beginning. */
static void test_density_kernel(void **state) {
    (void)state;
    static pairs_values r, w6, displacement;
    measure("poly6", 1000, 1e5, r, w6, displacement);
    pairs_without_self(w6);
    print_message("W6 integrates to %.5f\n", pairs_integral(r, w6));
    assert_float_equal(pairs_integral(r, w6), 1, 1e-3);
    for (int k = 0; k < PAIRS; k++) assert_float_equal(w6[k], 4 / M_PI * pow(fmax(1 - r[k] * r[k], 0), 3), 1e-5);
    measure("spiky", 1000, 1e5, r, w6, displacement);
    pairs_without_self(w6);
    print_message("the spiky kernel integrates to %.5f\n", pairs_integral(r, w6));
    assert_float_equal(pairs_integral(r, w6), 1, 1e-3);
    for (int k = 0; k < PAIRS; k++) assert_float_equal(w6[k], 10 / M_PI * pow(fmax(1 - r[k], 0), 3), 1e-5);
}

/* Each particle of a pair moves by 2 C g/(2 g^2 + relaxation), where g is the slope of the gradient's kernel (eq. 11
 * and 12 of the article). */
static void test_gradient_kernel(void **state) {
    (void)state;
    static pairs_values r, density, displacement, slope, w, weighted;
    const double relaxation = 1e4;
    measure("poly6", 1, relaxation, r, density, displacement);
    for (int k = 0; k < PAIRS; k++) {
        double c = 4 / M_PI * (1 + pow(fmax(1 - r[k] * r[k], 0), 3)) - 1, d = displacement[k];
        slope[k] = 0;
        if (d > 0) slope[k] = (c - sqrt(c * c - 2 * d * d * relaxation)) / (2 * d);
        w[k] = 10 / M_PI * pow(fmax(1 - r[k], 0), 3);
        weighted[k] = r[k] * slope[k] / 2; /* its integral is the kernel's, by parts */
    }
    double error = pairs_slope_error(r, w, slope);
    print_message(
        "the gradient's kernel integrates to %.5f; its slope differs from finite differences of the spiky kernel by "
        "%.1e of the steepest\n",
        pairs_integral(r, weighted), error);
    assert_float_equal(pairs_integral(r, weighted), 1, 1e-3);
    assert_true(error < 1e-3);
}

/* ---- One substep ---- */

/* Two falling bodies with different masses, which after some steps have hit each other and the ground. */
static const char *const SPLASH = "dt: 0.004\nsubsteps: 1\nparticles: 1500\ncontainer: %s\n"
                                  "materials: {a: {color: '#ffffff', mass: %g}, b: {color: '#ffffff', mass: %g}}\n"
                                  "regions: [{shape: circle, center: [-0.1, 0.2], radius: 0.4, velocity: [0.4, -1]},\n"
                                  "          {shape: box, center: [0.2, -0.5], size: [1.2, 0.5], material: b}]\n"
                                  "parameters: {pbf: %s}\n";

typedef struct difference {
    double velocity, position, density; /* largest differences: m/s, m, relative */
    double solver;                      /* mean change of velocity by the solver, m/s */
} difference;

static difference differences(const pd_world *world, const reference_pbf *r, const int *index, const double *free_x,
                              const double *free_y) {
    pd_view view;
    difference d = {0};
    pd_world_view(world, &view);
    for (int i = 0; i < view.count; i++) {
        int k = index[view.id[i]];
        d.position = fmax(d.position, hypot((double)view.x[i] - r->x[k], (double)view.y[i] - r->y[k]));
        d.velocity = fmax(d.velocity, hypot((double)view.vx[i] - r->vx[k], (double)view.vy[i] - r->vy[k]));
        d.density = fmax(d.density, fabs((double)view.density[i] / r->density[k] - 1));
        d.solver += hypot(r->vx[k] - free_x[k], r->vy[k] - free_y[k]) / view.count;
    }
    return d;
}

/* Over this many substeps, with walls of this weight: 0 as in the paper. */
static void expect_reference(const char *container, double mass_a, double mass_b, const char *parameters, float weight,
                             int substeps) {
    enum { MOST = 2000 };
    static double vx[MOST], vy[MOST];
    static int index[MOST];
    char text[1200];
    snprintf(text, sizeof text, SPLASH, container, mass_a, mass_b, parameters);
    pd_world *world = world_of_method("pbf", text, 1);
    set_own_parameter(world, "wall_density", weight);
    settle(world, 120);
    world->ramp = 0; /* ends the rest-density ramp, which the reference does not have */
    pd_view view;
    pd_error error = {0};
    reference_pbf *r;
    assert_int_equal(reference_pbf_create(&r, world, &error), PD_OK);
    pd_world_view(world, &view);
    assert_true(view.count <= MOST);
    double dt = (double)0.004f, scale = speed_scale_of(world);
    for (int k = 0; k < view.count; k++) index[view.id[k]] = k;
    for (int k = 0; k < r->count; k++) vx[k] = r->vx[k] + dt * r->gravity_x, vy[k] = r->vy[k] + dt * r->gravity_y;
    step_many(world, substeps);
    for (int n = 0; n < substeps; n++) reference_pbf_step(r, dt);
    difference d = differences(world, r, index, vx, vy);
    print_message("%s, masses %g and %g, walls of weight %g, %d substeps, %s: velocities change by %.1e m/s on "
                  "average, and are at most %.1e apart; positions "
                  "%.1e m, densities %.1e\n",
                  pd_simd_name(), mass_a, mass_b, (double)weight, substeps, parameters, d.solver, d.velocity,
                  d.position, d.density);
    assert_true(d.solver > 1e-3 * scale);
    bool circle = view.container.shape == PD_CONTAINER_CIRCLE; /* whose contact margin is half a micrometre */
    /* Positions are rounded to 6e-8 m, again in every iteration, and lighter particles move more. */
    double rounding = (r->iterations + 1) * 6e-8 / fmin(fmin(mass_a, mass_b), 1);
    assert_true(d.velocity < (rounding + (circle ? 6e-7 : 0)) / dt);
    assert_true(d.position < 1e-6 * substeps);
    assert_true(d.density < 2e-5);
    const float *errors;
    assert_int_equal(pd_world_density_errors(world, &errors), r->iterations + 1);
    for (int k = 0; k <= r->iterations; k++) {
        print_message("  %.6f (%.6f)", (double)errors[k], r->density_error[k]);
        assert_true(fabs((double)errors[k] - r->density_error[k]) < 5e-6); /* the precision of 1/r */
    }
    print_message("\n");
    reference_pbf_destroy(r);
    pd_world_destroy(world);
}

static void test_step_against_the_reference(void **state) {
    (void)state;
    expect_reference("{shape: circle, radius: 1}", 1, 1, "{}", 0, 1);
    expect_reference("{shape: box, width: 2, height: 2}", 1, 2, "{cohesion: false}", 0, 1);
    expect_reference("{shape: box, width: 2, height: 2}", 1, 2, "{cohesion: false, scorr_strength: 0}", 0, 1);
    expect_reference("{shape: none}", 0.4, 3, "{scorr_exponent: 3, scorr_distance: 0.2}", 0, 1);
}

static void test_levels_against_the_reference(void **state) {
    use_level(*state);
    expect_reference("{shape: box, width: 2, height: 2}", 0.4, 3, "{xsph: 0.3, iterations: 7}", 0, 1);
    expect_reference("{shape: box, width: 2, height: 2}", 0.4, 3, "{xsph: 0.3, iterations: 7}", 1, 5);
    expect_reference("{shape: circle, radius: 1.1}", 1, 1, "{}", 1, 1);
    expect_reference("{shape: circle, radius: 1.1}", 1, 2, "{kernel: poly6}", 0.5, 1);
}

TEST_GROUP(pbf) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_density_kernel),
        cmocka_unit_test(test_gradient_kernel),
        cmocka_unit_test(test_step_against_the_reference),
        AT_EVERY_LEVEL(test_levels_against_the_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
