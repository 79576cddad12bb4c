/* Double density relaxation: single substeps compared with the reference in double precision, and with the analytic
 * solution for a pair. */
#include "levels.h"
#include "measure.h"
#include "methods/ddr/ddr.h"
#include "reference/ddr.h"
#include "sim/world.h"

/* Few particles are swept over rows, many over cells with neighbour lists. */
enum { PARTICLES = 500, LISTED = 3000, MOST = LISTED };

/* ---- Relaxation ---- */

/* Randomly placed particles of three masses, at rest. */
static const char *const MIXED =
    "puddle: 1\ngravity: [0, 0]\nsubsteps: 1\ndt: 0.005\ncontainer: {shape: none}\nparticles: %d\n"
    "materials: {a: {color: '#ffffff', mass: %g}, b: {color: '#ffffff', mass: %g}, c: {color: '#ffffff'}}\n"
    "regions: [{shape: box, center: [0, 0], size: [1, 0.8], fill: random, material: a},\n"
    "          {shape: box, center: [0.2, 0.1], size: [0.8, 1], fill: random, material: b},\n"
    "          {shape: circle, center: [0, 0], radius: 0.4, fill: random, material: c}]\n"
    "parameters: {ddr: {linear_viscosity: 0, quadratic_viscosity: 0}}\n";

/* The ids in the order of the first substep's sweep: rows of cells by colour, PD_COLOURS rows apart; with lists cells by
 * colour, which are as far apart in both directions. */
static void sweep_order(const pd_world *stepped, uint32_t *order) {
    const pd_neighbours *n = &stepped->neighbours;
    bool listed = stepped->particles.count >= DDR_LEAST_LISTED;
    int count = 0, across = listed ? PD_COLUMN_COLOURS : 1;
    for (int colour = 0; colour < PD_COLOURS * across; colour++)
        for (int row = colour / across; row < n->rows; row += PD_COLOURS)
            for (int column = colour % across; column < n->columns; column += across)
                for (int i = n->start[row * n->columns + column]; i < n->start[row * n->columns + column + 1]; i++)
                    order[count++] = stepped->particles.id[i];
    assert_int_equal(count, stepped->particles.count);
}

/* Steps the world and, from the same state and in the order of the world's sweep, the reference. index: of particles in the
 * reference, by id. */
static reference_ddr *step_both(pd_world *world, double dt, int index[MOST]) {
    static double values[MOST];
    uint32_t id[MOST], order[MOST];
    reference_ddr *r;
    pd_error error = {0};
    const int count = world->particles.count;
    assert_int_equal(reference_ddr_create(&r, world, &error), PD_OK);
    memcpy(id, world->particles.id, (size_t)count * sizeof *id);
    pd_world_step(world);
    sweep_order(world, order);
    for (int k = 0; k < count; k++) index[order[k]] = k;
    double *const columns[] = {r->x, r->y, r->vx, r->vy, r->mass};
    for (int c = 0; c < 5; c++) {
        memcpy(values, columns[c], (size_t)count * sizeof *values);
        for (int i = 0; i < count; i++) columns[c][index[id[i]]] = values[i];
    }
    r->neighbours_first = count >= DDR_LEAST_LISTED;
    reference_ddr_step(r, dt);
    return r;
}

static void expect_reference(int particles, double mass_a, double mass_b) {
    char text[1200];
    int index[MOST];
    snprintf(text, sizeof text, MIXED, particles, mass_a, mass_b);
    pd_world *world = world_of_text(text, 1);
    soften(world);
    world->ramp = 0; /* ends the rest-density ramp, which the reference does not have */
    reference_ddr *r = step_both(world, (double)0.005f, index);
    pd_view view;
    double worst = 0, moved = 0, density = 0;
    pd_world_view(world, &view);
    for (int i = 0; i < view.count; i++) {
        int k = index[view.id[i]];
        worst = fmax(worst, hypot((double)view.x[i] - r->x[k], (double)view.y[i] - r->y[k]));
        moved += hypot(r->x[k] - r->old_x[k], r->y[k] - r->old_y[k]) / particles;
        density = fmax(density, fabs((double)view.density[i] - r->density[k]));
    }
    print_message(
        "%s, %d particles, masses %g and %g: moved by %.1e m on average, at most %.1e of that apart; density by "
        "%.1e\n",
        pd_simd_name(), particles, mass_a, mass_b, moved, worst / moved, density);
    assert_true(moved > 1e-4);
    assert_true(worst < 3e-3 * moved); /* positions are rounded to 6e-8 m */
    assert_true(density < 1e-3);
    reference_ddr_destroy(r);
    pd_world_destroy(world);
}

static void test_relaxation_against_the_reference(void **state) {
    use_level(*state);
    expect_reference(PARTICLES, 1, 1);
    expect_reference(PARTICLES, 0.4, 3);
    expect_reference(LISTED, 1, 1);
    expect_reference(LISTED, 0.4, 3);
}

/* ---- Walls with weight ---- */

/* Two bodies of different masses that have hit each other, the floor and the sides. */
static const char *const SPLASH =
    "puddle: 1\ngravity: [0, -1.57]\nsubsteps: 1\ndt: 0.004\ncontainer: %s\nparticles: %d\n"
    "materials: {a: {color: '#ffffff', mass: %g}, b: {color: '#ffffff', mass: %g}}\n"
    "regions: [{shape: circle, center: [-0.1, 0.25], radius: 0.4, velocity: [0.4, -1], material: a},\n"
    "          {shape: box, center: [0, -0.5], size: [1.2, 0.5], material: b}]\n"
    "parameters: {ddr: {linear_viscosity: 0, quadratic_viscosity: 0, wall_density: %g}}\n";

/* One substep of the world, and of the reference from the same state. */
static void expect_reference_at_walls(pd_world *world) {
    int index[MOST];
    double position = 0, velocity = 0, density = 0;
    pd_view view;
    reference_ddr *r = step_both(world, (double)0.004f, index);
    pd_world_view(world, &view);
    int near = 0;
    for (int i = 0; i < view.count; i++) {
        int k = index[view.id[i]];
        position = fmax(position, hypot((double)view.x[i] - r->x[k], (double)view.y[i] - r->y[k]));
        velocity = fmax(velocity, hypot((double)view.vx[i] - r->vx[k], (double)view.vy[i] - r->vy[k]));
        density = fmax(density, fabs((double)view.density[i] - r->density[k]));
        near += r->behind_walls[k].far > 0.1;
    }
    print_message(
        "%s, %d particles, %d at walls: positions at most %.1e m apart, velocities %.1e m/s, densities %.1e\n",
        pd_simd_name(), view.count, near, position, velocity, density);
    assert_true(near > view.count / 150);
    assert_true(position < 1e-6); /* rounded to 6e-8 m; the contact margin of walls is half a micrometre */
    assert_true(velocity < 1e-6 / 0.004);
    assert_true(density < 1e-3);
    reference_ddr_destroy(r);
}

static void compare_splash(const char *container, int particles, double mass_a, double mass_b, double weight) {
    enum { APART = 40 }; /* substeps between comparisons: an even number, so that the sweep goes forwards */
    char text[1200];
    snprintf(text, sizeof text, SPLASH, container, particles, mass_a, mass_b, weight);
    pd_world *world = world_of_text(text, 1);
    soften(world);
    world->ramp = 0; /* ends the rest-density ramp, which the reference does not have */
    for (int n = 0; n < 3; n++) {
        step_many(world, n > 0 ? APART - 1 : APART);
        expect_reference_at_walls(world);
    }
    pd_world_destroy(world);
}

static void test_walls_against_the_reference(void **state) {
    use_level(*state);
    compare_splash("{shape: box, width: 1.2, height: 1.5}", PARTICLES, 1, 1, 1);
    compare_splash("{shape: box, width: 1.2, height: 1.5}", LISTED, 1, 2, 1);
    compare_splash("{shape: circle, radius: 0.9}", LISTED, 1, 1, 0.5);
}

/* ---- Viscosity ---- */

/* Velocities after viscosity alone, all pairs at once: each pair loses x/(1 + x) of its approach, x = dt q (sigma +
 * beta u). */
static void apply_viscosity(const pd_view *view, double h, double dt, const double sigma[2], double beta, double *vx,
                            double *vy) {
    for (int i = 0; i < view->count; i++) {
        vx[view->id[i]] = view->vx[i];
        vy[view->id[i]] = view->vy[i];
    }
    for (int i = 0; i < view->count; i++)
        for (int j = 0; j < view->count; j++) {
            double dvx = (double)view->vx[i] - (double)view->vx[j], dvy = (double)view->vy[i] - (double)view->vy[j];
            double dx = (double)view->x[j] - (double)view->x[i] - dvx * dt;
            double dy = (double)view->y[j] - (double)view->y[i] - dvy * dt;
            double r = hypot(dx, dy), u = (dvx * dx + dvy * dy) / r;
            if (i == j || r >= h || u <= 0) continue;
            double linear = (sigma[view->material[i]] + sigma[view->material[j]]) / 2;
            double x = dt * (1 - r / h) * (linear + beta * u);
            double own = view->materials[view->material[i]].mass, other = view->materials[view->material[j]].mass;
            double change = x / (1 + x) * u * other / (own + other) / r;
            vx[view->id[i]] -= change * dx;
            vy[view->id[i]] -= change * dy;
        }
}

static const char *const VISCOUS =
    "puddle: 1\ngravity: [0, 0]\nsubsteps: 1\ndt: 0.001\ncontainer: {shape: none}\nparticles: %d\n"
    "materials: {a: {color: '#ffffff', mass: 0.5, viscosity: 4}, b: {color: '#ffffff', mass: 2, viscosity: 1}}\n"
    "regions: [{shape: box, center: [0, 0], size: [1, 0.8], fill: random, material: a},\n"
    "          {shape: box, center: [0.2, 0.1], size: [0.8, 1], fill: random, material: b}]\n"
    "parameters: {ddr: {radius: %g, stiffness: 0.01, near_stiffness: 0.01, rest_density: 0.5,\n"
    "             quadratic_viscosity: 0.1}}\n";

static void expect_viscosity(int particles, double radius) {
    static double vx[MOST], vy[MOST], was_x[MOST], was_y[MOST];
    const double sigma[2] = {4, 1};
    char text[1200];
    snprintf(text, sizeof text, VISCOUS, particles, radius);
    pd_world *world = world_of_text(text, 1);
    pd_random random = {3};
    for (int i = 0; i < particles; i++) {
        world->particles.vx[i] = 20 * (pd_random_below_one(&random) - 0.5f); /* up to h/15 per step */
        world->particles.vy[i] = 20 * (pd_random_below_one(&random) - 0.5f);
    }
    pd_view view;
    pd_world_view(world, &view);
    for (int i = 0; i < view.count; i++) {
        was_x[view.id[i]] = view.vx[i];
        was_y[view.id[i]] = view.vy[i];
    }
    apply_viscosity(&view, (double)(float)radius, (double)0.001f, sigma, (double)0.1f, vx, vy);
    pd_world_step(world);
    pd_world_view(world, &view);
    double apart = 0, changed = 0;
    for (int i = 0; i < view.count; i++) {
        uint32_t k = view.id[i];
        apart += pow((double)view.vx[i] - vx[k], 2) + pow((double)view.vy[i] - vy[k], 2);
        changed += pow(was_x[k] - vx[k], 2) + pow(was_y[k] - vy[k], 2);
    }
    print_message("%s, %d particles: velocities change by %.3f m/s (rms), and are apart by %.1e of that\n",
                  pd_simd_name(), particles, sqrt(changed / particles), sqrt(apart / changed));
    assert_true(changed / particles > 1e-4);
    assert_true(apart < 0.01 * 0.01 * changed);
    pd_world_destroy(world);
}

static void test_viscosity_against_double_precision(void **state) {
    use_level(*state);
    expect_viscosity(PARTICLES, 0.15);
    expect_viscosity(LISTED, 0.06);
}

/* An isolated pair keeps 1/(1 + x) of its approach, for any x. */
static void test_viscosity_of_a_pair(void **state) {
    (void)state;
    const double sigma[] = {1, 10, 100, 1000, 10000};
    for (int i = 0; i < 5; i++) {
        char text[700];
        snprintf(
            text, sizeof text,
            "puddle: 1\ngravity: [0, 0]\nsubsteps: 1\ndt: 0.01\ncontainer: {shape: none}\n"
            "materials: {a: {color: '#ffffff', mass: 0.5}, b: {color: '#ffffff', mass: 1.5}}\n"
            "regions: [{shape: circle, center: [-0.2, 0], radius: 0.01, count: 1, velocity: [1, 0], material: a},\n"
            "          {shape: circle, center: [0.2, 0], radius: 0.01, count: 1, material: b}]\n"
            "parameters: {ddr: {radius: 1, stiffness: 0.01, near_stiffness: 0.01, rest_density: 0.5,\n"
            "             linear_viscosity: %g}}\n",
            sigma[i]);
        pd_world *world = world_of_text(text, 1);
        pd_view view;
        pd_world_view(world, &view);
        double x = 0.01 * (1 - (double)(view.x[1] - view.x[0]) + 0.01) * sigma[i];
        pd_world_step(world);
        pd_world_view(world, &view);
        int light = view.material[0] == 0 ? 0 : 1;
        double closing = (double)view.vx[light] - (double)view.vx[1 - light];
        print_message("x %.3f: approach %.4f, expected %.4f\n", x, closing, 1 / (1 + x));
        assert_float_equal(closing, 1 / (1 + x), 0.01);
        assert_float_equal(0.5 * view.vx[light] + 1.5 * view.vx[1 - light], 0.5, 1e-4);
        pd_world_destroy(world);
    }
}

TEST_GROUP(ddr_exact) {
    const struct CMUnitTest tests[] = {
        AT_EVERY_LEVEL(test_relaxation_against_the_reference),
        AT_EVERY_LEVEL(test_walls_against_the_reference),
        AT_EVERY_LEVEL(test_viscosity_against_double_precision),
        cmocka_unit_test(test_viscosity_of_a_pair),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
