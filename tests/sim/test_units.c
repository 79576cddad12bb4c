/* One system of units in all methods: a material of mass 1 weighs 1,000 kg/m^3; energies in J/m, momenta and impulses in
 * N s/m, pressures in Pa. */
#include "methods.h"

#include "methods/grid/grid.h"

static const double DENSITY = 1000, PI_ = 3.14159265358979, GRAVITY = 9.81;

/* ---- Energy and momentum ---- */

static void turn_cells(grid_state *state, double omega) {
    const pd_mac *mac = state->mac;
    for (int j = 0; j < mac->layout.ny; j++)
        for (int i = 0; i < mac->layout.nx; i++) {
            pd_vec2 p = pd_mac_cell_center(mac, i, j);
            mac->u[pd_element_index(&mac->layout, i, j)] = -(float)omega * p.y;
            mac->v[pd_element_index(&mac->layout, i, j)] = (float)omega * p.x;
        }
}

/* Water that fills a round container and turns as a rigid body has the kinetic energy pi/4 rho omega^2 R^4 per metre. */
static void test_turning_water_has_the_same_energy(void **state) {
    const double omega = 2, radius = 0.5;
    pd_world *world = world_of_method("sph",
                                      "gravity: [0, 0]\nparticles: 4000\ncontainer: {shape: circle, radius: 0.5}\n"
                                      "regions: [{shape: circle, center: [0, 0], radius: 0.5}]\n",
                                      1);
    pd_particles *p = &world->particles;
    for (int i = 0; i < p->count; i++) {
        p->vx[i] = -(float)omega * p->y[i];
        p->vy[i] = (float)omega * p->x[i];
    }
    pd_error error = {0};
    pd_scene scene;
    must(pd_world_state_as_scene(world, &scene, &error), &error);
    pd_world_destroy(world);
    snprintf(scene.method, sizeof scene.method, "%s", (char *)*state);
    world = world_of(&scene, 1);
    if (strcmp(*state, "grid") == 0) turn_cells(world->state, omega); /* particles leave less beside the wall */
    pd_statistics s = statistics_of(world);
    double energy = PI_ / 4 * DENSITY * omega * omega * pow(radius, 4);
    double turning = DENSITY * PI_ * radius * radius * omega * radius;
    print_message("%s: %.2f J/m of %.2f; momentum %.2e of %.0f N s/m\n", (char *)*state, s.kinetic_energy, energy,
                  hypot(s.momentum_x, s.momentum_y), turning);
    assert_true(fabs(s.kinetic_energy / energy - 1) < 0.05);
    assert_true(hypot(s.momentum_x, s.momentum_y) < 2e-3 * turning);
    pd_world_destroy(world);
    pd_scene_free(&scene);
}

/* A drop of 0.1 m that flies at 2 m/s: m = rho pi r^2, at any number of particles, and heavier with a heavier material. */
static void test_flying_drop(void **state) {
    for (int k = 0; k < 3; k++) {
        double mass = DENSITY * PI_ * 0.1 * 0.1 * (k == 2 ? 2.5 : 1), speed = 2;
        char text[400];
        snprintf(text, sizeof text,
                 "gravity: [0, 0]\ncontainer: {shape: box, width: 1, height: 1}\nmaterials: {stuff: {color: "
                 "\"#ff0000\", mass: %g}}\n"
                 "regions: [{shape: circle, center: [0, 0], radius: 0.1, velocity: [1.2, 1.6], count: %d}]\n",
                 k == 2 ? 2.5 : 1.0, k ? 1000 : 300);
        pd_world *world = world_of_method(*state, text, 1);
        for (int step = 0; step < 2; step++) {
            pd_statistics s = statistics_of(world);
            if (step == 0) /* then the drop expands to its density at pressure 0 */
                assert_float_equal(s.kinetic_energy, mass * speed * speed / 2, 0.01 * mass * speed * speed / 2);
            assert_float_equal(s.momentum_x, mass * 1.2, 0.01 * mass * 1.2);
            assert_float_equal(s.momentum_y, mass * 1.6, 0.01 * mass * 1.6);
            pd_world_step(world);
        }
        pd_world_destroy(world);
    }
}

static bool fills_its_container(const pd_method *method) { return !is_of_particles(method); }

/* The momentum of the fluid in a closed container around a body that moves is -rho A U, by the divergence theorem. Tracers
 * weigh nothing: their number does not matter. */
static void test_fluid_gives_way_to_a_body(void **state) {
    for (int k = 0; k < 2; k++) {
        char text[500];
        snprintf(text, sizeof text,
                 "gravity: [0, 0]\ncontainer: {shape: box, width: 2, height: 1}\n"
                 "obstacles: [{shape: circle, center: [-0.3, 0], radius: 0.15, velocity: [0.5, 0]}]\n"
                 "regions: [{shape: box, center: [0.5, 0], size: [0.5, 0.5], count: %d}]\n",
                 k ? 1000 : 100);
        pd_world *world = world_of_method(*state, text, 1);
        step_many(world, 5);
        pd_statistics s = statistics_of(world);
        double momentum = -DENSITY * PI_ * 0.15 * 0.15 * 0.5;
        print_message("%s: %.2f of %.2f N s/m\n", (char *)*state, s.momentum_x, momentum);
        assert_true(fabs(s.momentum_x / momentum - 1) < 0.06);
        assert_true(fabs(s.momentum_y) < 0.02 * fabs(momentum));
        pd_world_destroy(world);
    }
}

/* Air that flows through a channel: rho A U and rho A U^2 / 2. */
static void test_channel(void **state) {
    (void)state;
    pd_world *world = world_of_method("grid",
                                      "gravity: [0, 0]\n"
                                      "container: {shape: box, width: 2, height: 1, walls: {left: {inflow: 2}, "
                                      "right: {outflow: true}}}\nparameters: {grid: {density: 1.2, resolution: 32}}\n",
                                      1);
    step_many(world, 5);
    pd_statistics s = statistics_of(world);
    assert_float_equal(s.momentum_x, 1.2 * 2 * 2, 0.01);
    assert_float_equal(s.kinetic_energy, 1.2 * 2 * 2 * 2 / 2, 0.01);
    pd_world_destroy(world);
}

/* ---- Impulses ---- */

typedef struct force {
    double container_x, container_y, obstacle_x, obstacle_y;
} force;

/* Mean force over some steps, N/m. */
static force mean_force(pd_world *world, int steps) {
    force f = {0};
    double seconds = steps * (double)pd_world_scene(world)->dt;
    for (int i = 0; i < steps; i++) {
        double x, y;
        pd_world_step(world);
        pd_world_impulse_on_obstacle(world, -1, &x, &y);
        f.container_x += x / seconds;
        f.container_y += y / seconds;
        pd_world_impulse_on_obstacle(world, 0, &x, &y);
        f.obstacle_x += x / seconds;
        f.obstacle_y += y / seconds;
    }
    return f;
}

static bool has_no_wall_weight(const pd_method *method) { return !has_parameter(method, "wall_density"); }

/* Water at rest over a submerged disc: the container carries the weight of water and disc's room, and the disc is lifted by the
 * weight of the water that it displaces. test_walls.c has the methods whose walls have a weight. */
static void test_walls_carry_the_weight(void **state) {
    skip_under_sanitizers();
    const bool fills = !is_of_particles(method_of(*state));
    const char *middle = fills ? "0" : "-0.2";
    char text[500];
    snprintf(text, sizeof text,
             "gravity: [0, -1.57]\nparticles: 1500\ncontainer: {shape: box, width: 1.6, height: %s}\n"
             "regions: [{shape: box, center: [0, %s], size: [1.6, 0.8]}]\n"
             "obstacles: [{shape: circle, center: [0, %s], radius: 0.15}]\n"
             "parameters: {grid: {ambient: 1}, vortex: {ambient: 1}}\n",
             fills ? "0.8" : "1.2", middle, fills ? "0" : "-0.42");
    pd_world *world = world_of_method(*state, text, 1);
    step_many(world, fills ? 2 : fewer_frames(600, 0));
    force f = mean_force(world, fills ? 5 : fewer_frames(300, 0));
    pd_view view;
    pd_world_view(world, &view);
    double particles = view.count * (double)view.spacing * (double)view.spacing; /* m^2, at rest */
    double disc = PI_ * 0.15 * 0.15, water = fills ? 1.6 * 0.8 - disc : particles, weight = DENSITY * water * 1.57;
    double rise =
        fills ? 1 : water / (3.2 * (center_height(world) + 0.6) - disc); /* of the density over that at rest */
    double lift = DENSITY * disc * 1.57 * rise;
    print_message("%s: weight %.4f, lift %.3f, across %.4f\n", (char *)*state, -(f.container_y + f.obstacle_y) / weight,
                  f.obstacle_y / lift, (f.container_x + f.obstacle_x) / weight);
    assert_true(fabs(-(f.container_y + f.obstacle_y) / weight - 1) < 0.03);
    assert_true(fabs(f.obstacle_y / lift - 1) < 0.15);
    assert_true(fabs(f.container_x + f.obstacle_x) < 0.02 * weight);
    double x, y;
    pd_world_impulse_on_obstacle(world, 1, &x, &y);
    assert_true(isnan(x) && isnan(y));
    pd_world_destroy(world);
}

/* Action and reaction: what gravity gives, less what the walls get, is the change of the momentum. Water falls past a disc. */
static void test_action_is_reaction(void **state) {
    skip_under_sanitizers();
    pd_world *world =
        world_of_method(*state,
                        "gravity: [0, -9.81]\nparticles: 2000\n"
                        "container: {shape: box, width: 1, height: 1}\n"
                        "regions: [{shape: box, center: [-0.25, 0.1], size: [0.5, 0.6], velocity: [0.5, 0]}]\n"
                        "obstacles: [{shape: circle, center: [0, -0.3], radius: 0.1}]\n"
                        "parameters: {grid: {ambient: 1}, vortex: {ambient: 1}}\n",
                        1);
    const bool fills = !is_of_particles(method_of(*state));
    pd_statistics before = statistics_of(world);
    double disc = PI_ * 0.1 * 0.1, mass = DENSITY * (fills ? 1 - disc : 0.3), worst = 0, scale = 0, x = 0, y = 0;
    double dt = (double)pd_world_scene(world)->dt;
    for (int step = 1; step <= 60; step++) {
        pd_world_step(world);
        for (int wall = -1; wall < 1; wall++) {
            double ix, iy;
            pd_world_impulse_on_obstacle(world, wall, &ix, &iy);
            x += ix;
            y += iy;
            scale += hypot(ix, iy);
        }
        pd_statistics now = statistics_of(world);
        double missing_x = now.momentum_x - before.momentum_x + x;
        double missing_y = now.momentum_y - before.momentum_y + y + mass * GRAVITY * dt * step;
        worst = fmax(worst, hypot(missing_x, missing_y));
    }
    pd_world_reset(world);
    pd_world_impulse_on_obstacle(world, -1, &x, &y);
    assert_true(x == 0 && y == 0);
    print_message("%s: %.2e of what the walls got, %.2e of the weight's impulse, is missing\n", (char *)*state,
                  worst / scale, worst / (mass * GRAVITY * dt * 60));
    assert_true(worst < 0.02 * mass * GRAVITY * dt * 60);
    pd_world_destroy(world);
}

/* ---- Pressure ---- */

static bool has_pressure(const pd_method *method) { return strcmp(method->info.name, "vortex") != 0; }

/* The pressure at half the depth of a pool at rest over that of the water above. */
static void test_pressure_at_a_depth(void **state) {
    skip_under_sanitizers();
    const bool fills = !is_of_particles(method_of(*state));
    char text[400];
    snprintf(text, sizeof text,
             "gravity: [0, -9.81]\nparticles: 1500\ncontainer: {shape: box, width: 1, height: %s}\n"
             "regions: [{shape: box, center: [0, %s], size: [1, 0.5]}]\n",
             fills ? "0.5" : "0.9", fills ? "0" : "-0.2");
    pd_world *world = world_of_method(*state, text, 1);
    step_many(world, fills ? 2 : fewer_frames(600, 0));
    double floor = fills ? -0.25 : -0.45, sum = 0, weight = 0;
    int count = 0;
    for (int sample = 0; sample < 30; sample++) {
        pd_world_step(world);
        pd_view view;
        pd_world_view(world, &view);
        const pd_field *field = pd_view_field(&view, "pressure");
        assert_non_null(field);
        assert_string_equal(field->info.unit, "Pa");
        double rise = fills ? 1 : 0.25 / (center_height(world) - floor);
        double top = floor + 0.5 / rise, middle = (floor + top) / 2, band = 0.02;
        if (field->info.support == PD_FIELD_OF_CELLS) {
            for (int n = 0; n < 16; n++) {
                float value = pd_field_at(field, (pd_vec2){-0.3f + 0.04f * (float)n, (float)middle});
                sum += (double)value;
                weight += DENSITY * GRAVITY * 0.25;
                count++;
            }
            continue;
        }
        for (int i = 0; i < view.count; i++) {
            if (fabs((double)view.y[i] - middle) > band || fabs((double)view.x[i]) > 0.35) continue;
            sum += (double)field->values[i];
            weight += DENSITY * GRAVITY * rise * (top - (double)view.y[i]);
            count++;
        }
    }
    print_message("%s: %.0f Pa, the water above weighs %.0f Pa: %.3f\n", (char *)*state, sum / count, weight / count,
                  sum / weight);
    assert_true(count > 100);
    assert_true(fabs(sum / weight - 1) < 0.1);
    pd_world_destroy(world);
}

TEST_GROUP(units) {
    const method_test tests[] = {
        OF_ALL(test_turning_water_has_the_same_energy),
        {"test_flying_drop", test_flying_drop, is_of_particles},
        {"test_fluid_gives_way_to_a_body", test_fluid_gives_way_to_a_body, fills_its_container},
        ONCE(test_channel),
        {"test_walls_carry_the_weight", test_walls_carry_the_weight, has_no_wall_weight},
        OF_ALL(test_action_is_reaction),
        {"test_pressure_at_a_depth", test_pressure_at_a_depth, has_pressure},
    };
    return RUN_METHOD_TESTS(tests);
}
