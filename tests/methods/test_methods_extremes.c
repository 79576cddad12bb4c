/* Every method at the ends of every parameter's range and in extreme states: everything stays finite and inside, and no
 * particle is lost. */
#include "methods.h"

#include "sim/world.h"

/* Vortons that lie farther apart than usual: the velocities of 2,500 of them would take most of the time. The smallest core of
 * test_extremes makes as many. */
#define FEW_VORTONS "parameters: {vortex: {core: 0.15}}\n"

/* A drag at 10,000 m/s, a push and a pull in turn. The particles are sound after every step, and none is lost. */
static void expect_sound_sweeps(pd_world *world, int frames) {
    const pd_tool_kind kinds[] = {PD_TOOL_DRAG, PD_TOOL_PUSH, PD_TOOL_PULL};
    int particles = pd_world_particles(world);
    for (int frame = 0; frame < frames; frame++) {
        float side = frame % 2 ? 1 : -1, x = frame % 3 ? 0.3f * side : 80 * side;
        pd_tool tool = {kinds[frame % 3], {x, 0}, {side * 10000, 100}, 0.5f};
        pd_world_set_tool(world, &tool);
        pd_world_step(world);
        expect_sound_particles(world);
    }
    expect_sound(world);
    assert_int_equal(pd_world_particles(world), particles);
}

/* Every parameter at both ends of its range, alone. */
static void test_extremes(void **state) {
    const pd_method_info *info = pd_method_find(*state);
    for (int i = 0; i < info->parameter_count; i++)
        for (int end = 0; end < 2; end++) {
            pd_world *world =
                world_of_method(*state,
                                "particles: 500\ncontainer: {shape: circle, radius: 1}\n"
                                "regions: [{shape: circle, center: [0, -0.2], radius: 0.6}]\n"
                                "obstacles: [{shape: box, center: [0, 0], size: [0.4, 0.02], spin: 200}]\n" FEW_VORTONS,
                                1);
            set_end(world, pd_method_parameter_at(info, i), end);
            expect_sound_sweeps(world, fewer_frames(8, 3));
            pd_world_destroy(world);
        }
}

/* Without a container the radius may have any value of its range: all particles may be neighbours of all others. */
static void test_every_radius(void **state) {
    const float radii[] = {1e-4f, 1e-2f, 1, 100};
    pd_error error = {0};
    for (int k = 0; k < 4; k++) {
        pd_world *world = world_of_method(*state,
                                          "particles: 500\ncontainer: {shape: none}\n"
                                          "regions: [{shape: circle, center: [0, -0.2], radius: 0.6}]\n",
                                          1);
        set_own_parameter(world, "radius", radii[k]);
        expect_sound_sweeps(world, fewer_frames(8, 3));
        pd_world_destroy(world);
    }
    pd_world *world =
        world_of_method(*state, "particles: 100\nregions: [{shape: circle, center: [0, 0], radius: 1}]\n", 1);
    char key[PD_MAX_KEY];
    snprintf(key, sizeof key, "%s.radius", (char *)*state);
    int method, index;
    assert_int_equal(pd_parameter_find(key, &method, &index, &error), PD_OK);
    bool in_container = pd_method_parameter_at(pd_method_at(method), index)->in_container;
    assert_int_equal(pd_world_set_parameter(world, key, 1.01f, &error), in_container ? PD_BAD_INPUT : PD_OK);
    if (in_container) assert_int_equal(error.code, PD_ERROR_PARAMETER_VALUE);
    assert_int_equal(pd_world_set_parameter(world, key, 1, &error), PD_OK);
    pd_world_destroy(world);
}

/* Every two parameters at all four corners of their ranges; in the short run and under AddressSanitizer every second pair, at
 * one of the corners by turns. */
static void test_extremes_in_pairs(void **state) {
    const pd_method_info *info = pd_method_find(*state);
    for (int i = 0; i < info->parameter_count; i++)
        for (int j = 0; j < i; j++)
            for (int corner = 0; corner < 4; corner++) {
                if (is_shortened() && 2 * corner != (i + j) % 8) continue;
                pd_world *world = world_of_method(
                    *state,
                    "particles: 80\ncontainer: {shape: circle, radius: 1}\n"
                    "materials: {a: {color: '#ffffff', mass: 0.5}, b: {color: '#ffffff', mass: 2}}\n"
                    "regions: [{shape: circle, center: [0, 0.3], radius: 0.4, material: a},\n"
                    "          {shape: box, center: [0, -0.3], size: [1.2, 0.5], material: b}]\n"
                    "obstacles: [{shape: box, center: [0, 0], size: [0.4, 0.02], spin: 200}]\n" FEW_VORTONS,
                    1);
                set_end(world, pd_method_parameter_at(info, i), corner & 1);
                set_end(world, pd_method_parameter_at(info, j), corner & 2);
                expect_sound_sweeps(world, 3);
                pd_world_destroy(world);
            }
}

/* Masses and gravity at the ends of the ranges that a scene may use, every second combination in short form. */
static void test_extreme_scenes(void **state) {
    const double masses[][2] = {{0.001, 1000}, {1000, 0.001}, {0.001, 0.001}, {1000, 1000}};
    for (int k = 0; k < 4; k++)
        for (int pull = 0; pull < 3; pull++) {
            const float gravities[] = {0, 1, PD_MAX_ACCELERATION};
            char text[900];
            if (is_shortened() && (k + pull) % 2) continue;
            snprintf(text, sizeof text,
                     "particles: 200\ncontainer: {shape: box, width: 1, height: 1}\n"
                     "materials: {a: {color: '#ffffff', mass: %g}, b: {color: '#ffffff', mass: %g}}\n"
                     "regions: [{shape: box, center: [-0.25, 0], size: [0.5, 0.8], material: a},\n"
                     "          {shape: box, center: [0.25, 0], size: [0.5, 0.8], material: b}]\n" FEW_VORTONS,
                     masses[k][0], masses[k][1]);
            pd_world *world = world_of_method(*state, text, 1);
            pd_world_set_gravity(world, (pd_vec2){gravities[pull], -gravities[pull]});
            expect_sound_sweeps(world, 4);
            pd_world_destroy(world);
        }
}

/* A thousand nearly coincident particles separate and stay inside. The fluid then sloshes in the circle: mean rms speed
 * over 4 s 0.23 of sqrt(gL) with double density relaxation, the largest of all methods. */
static void test_all_at_one_point(void **state) {
    skip_under_sanitizers();
    pd_world *world = world_of_method(*state,
                                      "particles: 1000\ncontainer: {shape: circle, radius: 1}\n"
                                      "regions: [{shape: circle, center: [0, 0], radius: 0.6}]\n",
                                      1);
    pd_particles *p = &world->particles;
    for (int i = 0; i < p->count; i++) {
        p->x[i] = p->previous_x[i] = 0.1f + 1e-6f * p->x[i];
        p->y[i] = p->previous_y[i] = 0.1f + 1e-6f * p->y[i];
    }
    for (int frame = 0; frame < fewer_frames(600, 420); frame++) {
        pd_world_step(world);
        if (frame % 60 == 0) expect_sound(world);
    }
    double speed = 0;
    const int measured = fewer_frames(240, 120);
    for (int frame = 0; frame < measured; frame++) {
        pd_world_step(world);
        speed += statistics_of(world).rms_speed / speed_scale_of(world) / measured;
    }
    pd_view view;
    pd_world_view(world, &view);
    pd_statistics s = statistics_of(world);
    print_message("%s: at most %.2f times as dense as at rest, rms speed %.3f of sqrt(gL)\n", (char *)*state,
                  s.max_density / (double)view.rest_density, speed);
    assert_int_equal(s.particles, 1000);
    assert_true(s.max_density < 2 * (double)view.rest_density);
    assert_true(speed < 0.3);
    pd_world_destroy(world);
}

/* The rest density of a pool is halved, but there is not twice the area: the fluid expands fast, fills the container
 * and comes to rest. */
static void test_rest_density_halved_in_a_pool(void **state) {
    skip_under_sanitizers();
    pd_world *world = world_of_method(*state,
                                      "particles: 800\ncontainer: {shape: circle, radius: 1}\n"
                                      "regions: [{shape: circle, center: [0, -0.2], radius: 0.75}]\n",
                                      1);
    char key[PD_MAX_KEY];
    float rest_density;
    pd_error error = {0};
    snprintf(key, sizeof key, "%s.rest_density", (char *)*state);
    assert_int_equal(pd_world_parameter(world, key, &rest_density, &error), PD_OK);
    step_many(world, 60);
    set_parameter(world, key, rest_density / 2);
    double peak = 0, natural = speed_scale_of(world);
    for (int frame = 0; frame < fewer_frames(600, 300); frame++) {
        pd_world_step(world);
        peak = fmax(peak, statistics_of(world).rms_speed);
    }
    double end = statistics_of(world).rms_speed;
    print_message("%s: rms speed at most %.2f, in the end %.3f of sqrt(gL)\n", (char *)*state, peak / natural,
                  end / natural);
    assert_true(peak < 8 * natural);
    assert_true(end < 0.3 * natural);
    expect_sound(world);
    pd_world_destroy(world);
}

/* A region that overlaps an obstacle, and one that is wider than the container: particles that were moved out of the
 * walls at the start are dense there, and spread at moderate speeds. */
static void test_water_in_walls_does_not_burst(void **state) {
    const char *const scenes[] = {
        "particles: 2000\ncontainer: {shape: box, width: 2, height: 1}\n"
        "regions: [{shape: box, center: [0, -0.2], size: [2, 0.6]}]\n"
        "obstacles: [{shape: box, center: [0, -0.2], size: [0.1, 0.6]}]\n",
        "particles: 2000\ncontainer: {shape: box, width: 2, height: 1}\n"
        "regions: [{shape: box, center: [0, -0.2], size: [2.2, 0.6]}]\n",
    };
    for (int k = 0; k < 2; k++) {
        pd_world *world = world_of_method(*state, scenes[k], 1);
        double peak = 0, natural = speed_scale_of(world);
        for (int round = 0; round < 2; round++, pd_world_reset(world))
            for (int frame = 0, frames = fewer_frames(60, 3); frame < frames; frame++) {
                pd_world_step(world);
                peak = fmax(peak, statistics_of(world).max_speed);
            }
        print_message("%s: speeds at most %.2f of sqrt(gL)\n", (char *)*state, peak / natural);
        double limit = strcmp(*state, "pbf") ? 8 : 2; /* the ramp does not apply to sph's near pressure */
        assert_true(peak < limit * natural);
        pd_world_destroy(world);
    }
}

/* Density of a particle that has no neighbour within the radius. */
static float density_alone(const char *method, float radius) {
    pd_world *world = world_of_method(method,
                                      "gravity: [0, 0]\ncontainer: {shape: box, width: 2, height: 2}\n"
                                      "regions: [{shape: box, center: [0, 0], size: [0.1, 0.1], count: 1}]\n",
                                      1);
    pd_view view;
    set_own_parameter(world, "radius", radius);
    pd_world_step(world);
    pd_world_view(world, &view);
    float density = view.density[0];
    pd_world_destroy(world);
    return density;
}

/* Neighbour ranges of more than PD_LONGEST_RANGE particles are cut, so that a particle may be missing in its own list:
 * its density includes its own contribution all the same. */
static void test_huge_radius(void **state) {
    const float times[] = {6, 9};
    for (int k = 0; k < 2; k++) {
        pd_world *world = world_of_method(*state,
                                          "particles: 3000\ncontainer: {shape: box, width: 2, height: 2}\n"
                                          "regions: [{shape: box, center: [0, 0], size: [2, 2]}]\n",
                                          1);
        pd_view view;
        pd_world_view(world, &view);
        float radius = times[k] * view.radius, alone = density_alone(*state, radius);
        set_own_parameter(world, "radius", radius);
        for (int frame = 0, frames = fewer_frames(3, 1); frame < frames; frame++) {
            pd_world_step(world);
            expect_sound(world);
            pd_world_view(world, &view);
            for (int i = 0; i < view.count; i++) assert_true(view.density[i] >= 0.999f * alone);
        }
        pd_world_destroy(world);
    }
}

/* Without a container, a few distant particles make the cell grid fold (sim/particles/neighbours.h). Two dense groups may share
 * cells then, whose long ranges of particles are searched in windows of PD_LONGEST_RANGE. */
static void test_dense_groups_in_folded_cells(void **state) {
    pd_world *world =
        world_of_method(*state,
                        "container: {shape: none}\ngravity: [0, 0]\n"
                        "regions: [{shape: circle, center: [0, 0], radius: 0.02, count: 1500},\n"
                        "          {shape: circle, center: [3.1, 0], radius: 0.02, count: 1500},\n"
                        "          {shape: circle, center: [50000, 30000], radius: 1, count: 2},\n"
                        "          {shape: circle, center: [-70000, -20000], radius: 1, count: 2}]\n"
                        "parameters: {ddr: {radius: 0.1, stiffness: 1.6, near_stiffness: 4.5, linear_viscosity: 50},\n"
                        "             sph: {radius: 0.1, rest_density: 900, stiffness: 17, viscosity: 1},\n"
                        "             pbf: {radius: 0.1, rest_density: 800, xsph: 1}}\n",
                        1);
    for (int frame = 0, frames = fewer_frames(5, 1); frame < frames; frame++) {
        pd_world_step(world);
        expect_sound(world);
    }
    assert_int_equal(pd_world_particles(world), 3004);
    pd_world_destroy(world);
}

/* Those of FLIP act on each other through cells that hold several of them. */
static bool acts_in_pairs(const pd_method *method) {
    return is_of_particles(method) && strcmp(method->info.name, "flip") != 0;
}

/* Three coincident particles separate, with parameters for which so few exceed the rest density. */
static void test_coincident_particles_separate(void **state) {
    pd_world *world =
        world_of_method(*state,
                        "container: {shape: none}\ngravity: [0, 0]\n"
                        "regions: [{shape: circle, center: [0, 0], radius: 0.1, count: 1},\n"
                        "          {shape: circle, center: [0, 0], radius: 0.1, count: 1},\n"
                        "          {shape: circle, center: [0, 0], radius: 0.1, count: 1}]\n"
                        "parameters: {ddr: {radius: 0.5, rest_density: 0.5}, sph: {radius: 0.5, rest_density: 5},\n"
                        "             pbf: {radius: 0.5, rest_density: 5}}\n",
                        1);
    step_many(world, 120);
    pd_view view;
    pd_world_view(world, &view);
    double nearest = INFINITY;
    for (int i = 0; i < 3; i++)
        for (int j = i + 1; j < 3; j++)
            nearest = fmin(nearest, hypot((double)view.x[i] - view.x[j], (double)view.y[i] - view.y[j]));
    print_message("%s: coincident particles are at least %.3f m apart after two seconds\n", (char *)*state, nearest);
    assert_true(nearest > 0.05);
    pd_world_destroy(world);
}

TEST_GROUP(methods_extremes) {
    const method_test tests[] = {
        OF_ALL(test_extremes),
        {"test_every_radius", test_every_radius, has_radius},
        OF_ALL(test_extremes_in_pairs),
        OF_ALL(test_extreme_scenes),
        OF_PARTICLES(test_all_at_one_point),
        {"test_rest_density_halved_in_a_pool", test_rest_density_halved_in_a_pool, has_rest_density},
        {"test_huge_radius", test_huge_radius, has_radius},
        OF_PARTICLES(test_water_in_walls_does_not_burst),
        {"test_dense_groups_in_folded_cells", test_dense_groups_in_folded_cells, has_radius},
        {"test_coincident_particles_separate", test_coincident_particles_separate, acts_in_pairs},
    };
    return RUN_METHOD_TESTS(tests);
}
