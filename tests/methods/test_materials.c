/* What materials do: surface tension, thick fluids, sticky walls, pairs that attract less; what each force conserves; the
 * same bits with everything at once. */
#include "methods.h"

/* ---- Behaviour ---- */

/* The near pressure gives surface tension: a free body becomes round. Without viscosity, since with it the particles
 * come to rest in a lattice before that. */
static void test_an_ellipse_becomes_round(void **state) {
    (void)state;
    skip_under_sanitizers();
    pd_world *world = world_of_text("puddle: 1\ngravity: [0, 0]\ncontainer: {shape: none}\nparticles: 300\n"
                                    "regions: [{shape: ellipse, center: [0, 0], size: [1, 0.5]}]\n"
                                    "parameters: {ddr: {linear_viscosity: 0}}\n",
                                    1);
    double before = aspect_of(world);
    step_many(world, 1200);
    print_message("aspect %.2f, after 20 s %.2f\n", before, aspect_of(world));
    assert_true(before > 1.9);
    assert_true(aspect_of(world) < 1.2);
    pd_world_destroy(world);
}

/* The number of frames in which the front of a dam break moves from x = -0.5 m to x = 0. The front is where 5 % of the
 * fluid are ahead. */
static int front_frames(double viscosity) {
    char text[600];
    int passed[2] = {0};
    snprintf(text, sizeof text,
             "puddle: 1\nsubsteps: 64\ncontainer: {shape: box, width: 2, height: 1}\nparticles: 60\n"
             "regions: [{shape: box, center: [-0.8, -0.2], size: [0.4, 0.6]}]\n"
             "parameters: {ddr: {wall_density: 0, linear_viscosity: %g}}\n",
             viscosity);
    pd_world *world = world_of_text(text, 1);
    for (int frame = 1; frame < 1200 && !passed[1]; frame++) {
        pd_world_step(world);
        pd_view view;
        pd_world_view(world, &view);
        for (int mark = 0; mark < 2; mark++) {
            int beyond = 0;
            for (int i = 0; i < view.count; i++) beyond += view.x[i] > (mark ? 0.0f : -0.5f);
            if (!passed[mark] && beyond >= view.count / 20) passed[mark] = frame;
        }
    }
    assert_true(passed[1] > passed[0]);
    pd_world_destroy(world);
    return passed[1] - passed[0];
}

/* In Stokes flow speeds are inversely proportional to the viscosity. That takes few particles (the viscosity is
 * proportional to h^2) and short substeps (viscosity takes at most all of a pair's approach in a substep). Water is
 * limited by inertia. */
static void test_the_front_of_honey(void **state) {
    (void)state;
    skip_under_sanitizers();
    int water = front_frames(0), syrup = front_frames(50), honey = front_frames(200);
    print_message("front: water %d frames, viscosity 50 %d, viscosity 200 %d\n", water, syrup, honey);
    assert_true(syrup > 1.5 * water);
    assert_true(honey > 2 * syrup && honey < 8 * syrup);
}

static int near_ceiling(double stickiness) {
    char text[600];
    int near_count = 0;
    float reach;
    snprintf(text, sizeof text,
             "puddle: 1\nparticles: 600\ncontainer: {shape: box, width: 1, height: 1}\n"
             "materials: {a: {color: '#ffffff', stickiness: %g}}\n"
             "regions: [{shape: box, center: [0, 0.35], size: [1, 0.3]}]\n",
             stickiness);
    pd_world *world = world_of_text(text, 1);
    assert_int_equal(pd_world_parameter(world, "ddr.stick_distance", &reach, NULL), PD_OK);
    step_many(world, 240);
    pd_view view;
    pd_world_view(world, &view);
    for (int i = 0; i < view.count; i++) near_count += view.y[i] > 0.5f - reach;
    expect_sound(world);
    pd_world_destroy(world);
    return near_count;
}

static void test_a_sticky_ceiling(void **state) {
    (void)state;
    skip_under_sanitizers();
    int dry = near_ceiling(0), sticky = near_ceiling(4000);
    print_message("after 4 s %d hang from a dry ceiling, %d from a sticky one\n", dry, sticky);
    assert_true(sticky > dry * 4 / 3.0);
    assert_true(sticky >= 30); /* two rows of 21 were within reach */
}

/* ---- Oil and water ---- */

typedef struct mixture {
    double index;      /* fraction of neighbours of the other material, relative to a random mixture */
    double oil, water; /* mean heights, m */
} mixture;

static mixture mixture_of(const pd_world *world) {
    pd_view view;
    pd_world_view(world, &view);
    double unlike = 0, all = 0, reach = 0.6 * (double)view.radius, height[2] = {0};
    int count[2] = {0};
    for (int i = 0; i < view.count; i++) {
        height[view.material[i]] += (double)view.y[i];
        count[view.material[i]]++;
        for (int j = 0; j < i; j++) {
            if (hypot((double)view.x[i] - view.x[j], (double)view.y[i] - view.y[j]) >= reach) continue;
            all++;
            unlike += view.material[i] != view.material[j];
        }
    }
    double chance = 2.0 * count[0] * count[1] / ((double)view.count * (view.count - 1));
    return (mixture){unlike / all / chance, height[0] / count[0], height[1] / count[1]};
}

static mixture shaken(double oil_mass, double water_mass, double attraction) {
    char text[1000];
    snprintf(text, sizeof text,
             "puddle: 1\nparticles: 600\ncontainer: {shape: box, width: 1, height: 1}\n"
             "materials: {oil: {color: '#ffff00', mass: %g}, water: {color: '#0000ff', mass: %g}}\n"
             "attractions: [{between: [oil, water], factor: %g}]\n"
             "regions: [{shape: box, center: [0, -0.35], size: [1, 0.3], fill: random, material: oil},\n"
             "          {shape: box, center: [0, -0.35], size: [1, 0.3], fill: random, material: water}]\n"
             "parameters: {ddr: {equal_weight: false}}\n",
             oil_mass, water_mass, attraction);
    pd_world *world = world_of_text(text, 1);
    assert_true(mixture_of(world).index > 0.9);
    step_many(world, 900);
    mixture m = mixture_of(world);
    print_message("masses %g and %g, attraction %g: mixed %.2f, heights %.3f and %.3f\n", oil_mass, water_mass,
                  attraction, m.index, m.oil, m.water);
    expect_sound(world);
    pd_world_destroy(world);
    return m;
}

static void test_oil_and_water(void **state) {
    (void)state;
    skip_under_sanitizers();
    mixture parted = shaken(0.8, 1.2, 0.2), upside_down = shaken(1.2, 0.8, 0.2);
    assert_true(parted.index < 0.3 && parted.oil > parted.water + 0.1);
    assert_true(upside_down.index < 0.3 && upside_down.water > upside_down.oil + 0.1);
    assert_true(shaken(1, 1, 0.2).index < 0.3); /* they separate without a difference of mass */
    mixture alike = shaken(1, 1, 1);
    assert_true(alike.index > 0.9 && fabs(alike.oil - alike.water) < 0.03);
}

/* ---- Conservation ---- */

/* Drops of two materials of different mass that collide. properties: of both materials; more: the rest of the scene. */
static pd_world *collision(const char *method, const char *properties, const char *more) {
    char text[1200];
    snprintf(text, sizeof text,
             "puddle: 1\nmethod: %s\ngravity: [0, 0]\nsubsteps: 4\ncontainer: {shape: none}\nparticles: 400\n"
             "materials: {a: {color: '#ffffff', mass: 0.5%s}, b: {color: '#ffffff', mass: 2%s}}\n"
             "regions: [{shape: circle, center: [-0.17, 0.17], radius: 0.18, velocity: [0.3, -0.1], material: a},\n"
             "          {shape: circle, center: [-0.17, -0.17], radius: 0.18, velocity: [0.1, 0.2], material: a},\n"
             "          {shape: circle, center: [0.17, 0.17], radius: 0.18, velocity: [-0.2, 0], material: b},\n"
             "          {shape: circle, center: [0.17, -0.17], radius: 0.18, velocity: [-0.1, 0.2], material: b}]\n"
             "%s",
             method, properties, properties, more);
    return world_of_text(text, 1);
}

/* vx and vy of each particle, by id. */
static void copy_velocities(const pd_world *world, float *velocities) {
    pd_view view;
    pd_world_view(world, &view);
    for (int i = 0; i < view.count; i++) {
        velocities[2 * view.id[i]] = view.vx[i];
        velocities[2 * view.id[i] + 1] = view.vy[i];
    }
}

static void expect_conserved(const char *method, const char *name, const char *properties, const char *more) {
    pd_world *world = collision(method, properties, more);
    pd_world_step(world); /* to leave the initial lattice */
    motion before = motion_of(world);
    float was[800], is[800];
    copy_velocities(world, was);
    step_many(world, fewer_frames(250, 100));
    motion after = motion_of(world);
    copy_velocities(world, is);
    double drift = hypot(after.x - before.x, after.y - before.y) / before.momentum_scale;
    double turn = fabs(after.angular - before.angular) / before.angular_scale;
    double changed = 0;
    for (int i = 0; i < 800; i++) changed += fabs((double)is[i] - (double)was[i]) / 400;
    print_message("%s %-10s momentum drifts by %.1e, angular momentum by %.1e; velocities change by %.3f m/s\n", method,
                  name, drift, turn, changed);
    assert_true(drift < 1e-4);
    assert_true(turn < 5e-3);
    assert_true(changed > 0.02); /* the force has acted */
    pd_world_destroy(world);
}

/* Forces act along the line between the predicted positions of a pair. The error of the angular momentum is the
 * rotation of that line in a substep, at most dt v/r = (1/240 s) (0.4 m/s) / (0.25 m). */
#define NO_PRESSURE  "stiffness: 0.01, near_stiffness: 0.01, rest_density: 0.5"
#define NO_VISCOSITY "linear_viscosity: 0, quadratic_viscosity: 0"

static void test_each_force_conserves_momentum(void **state) {
    (void)state;
    skip_under_sanitizers();
    expect_conserved("ddr", "pressure", "", "parameters: {ddr: {" NO_VISCOSITY "}}\n");
    expect_conserved("ddr", "viscosity", ", viscosity: 20",
                     "parameters: {ddr: {" NO_PRESSURE ", quadratic_viscosity: 5}}\n");
    expect_conserved("ddr", "springs", ", elasticity: 500, plasticity: 5, yield: 0.05",
                     "parameters: {ddr: {" NO_PRESSURE ", " NO_VISCOSITY "}}\n");
    expect_conserved("ddr", "attraction", "",
                     "attractions: [{between: [a, b], factor: 0}]\n"
                     "parameters: {ddr: {near_stiffness: 0.01, " NO_VISCOSITY "}}\n");
    expect_conserved("ddr", "all", ", viscosity: 5, elasticity: 500, plasticity: 5, yield: 0.05",
                     "attractions: [{between: [a, b], factor: 0.3}]\nparameters: {ddr: {quadratic_viscosity: 2}}\n");
    expect_conserved("sph", "springs", ", elasticity: 500, plasticity: 5, yield: 0.05",
                     "parameters: {sph: {stiffness: 0.01, near_stiffness: 0.001, viscosity: 0}}\n");
    expect_conserved("pbf", "springs", ", elasticity: 500, plasticity: 5, yield: 0.05",
                     "parameters: {pbf: {relaxation: 100000, scorr_strength: 0, xsph: 0}}\n");
    expect_conserved("sph", "elastic", ", elasticity: 500", "parameters: {sph: {viscosity: 0}}\n");
    expect_conserved("pbf", "elastic", ", elasticity: 500", "parameters: {pbf: {xsph: 0}}\n");
}

/* ---- Determinism ---- */

/* All properties of materials, with emitters, drains, a moving obstacle and changes; the test adds a tool. */
/* More particles than one chunk of every parallel loop holds. */
static const char *const EVERYTHING =
    "puddle: 1\ncontainer: {shape: circle, radius: 1}\nparticles: 5000\n"
    "materials:\n"
    "  water: {color: '#0000ff', mass: 0.9, viscosity: 1, stickiness: 50}\n"
    "  jelly: {color: '#ffffff', mass: 1.3, viscosity: 8, elasticity: 1500}\n"
    "  clay: {color: '#ff0000', viscosity: 20, elasticity: 3000, plasticity: 8, yield: 0.05, stickiness: 400}\n"
    "attractions: [{between: [water, jelly], factor: 0.3}, {between: [water, clay], factor: 1.2},\n"
    "              {between: [clay, clay], factor: 0.8}]\n"
    "regions: [{shape: circle, center: [0, 0.45], radius: 0.35, material: jelly},\n"
    "          {shape: box, center: [-0.4, -0.1], size: [0.5, 0.4], material: clay, fill: random},\n"
    "          {shape: box, center: [0, -0.6], size: [1.2, 0.4], material: water}]\n"
    "emitters: [{position: [0.5, 0.7], direction: [-0.2, -1], speed: 1, width: 0.1, rate: 200, material: jelly},\n"
    "           {position: [-0.6, 0.6], direction: [0.3, -1], speed: 1, width: 0.1, rate: 100, material: clay}]\n"
    "drains: [{shape: circle, center: [0.5, -0.8], radius: 0.06}, {shape: circle, center: [0, 0.4], radius: 0.05}]\n"
    "obstacles: [{shape: box, center: [0, -0.2], size: [0.5, 0.05], spin: 90}]\n"
    "changes: [{shape: circle, center: [0.5, -0.5], radius: 0.3, from: jelly, to: water, rate: 2},\n"
    "          {shape: circle, center: [-0.5, -0.5], radius: 0.3, from: water, to: clay, rate: 1},\n"
    "          {shape: box, center: [-0.3, 0], size: [0.3, 0.3], from: clay, to: jelly, rate: 1}]\n"
    "parameters: {ddr: {quadratic_viscosity: 0.5}}\n";

static uint64_t everything_hash(const char *method, int threads, const char *level) {
    assert_true(pd_simd_select(level));
    pd_scene scene = scene_of_text(EVERYTHING);
    snprintf(scene.method, sizeof scene.method, "%s", method);
    pd_world *world = world_of(&scene, threads);
    pd_scene_free(&scene);
    for (int frame = 0, frames = is_shortened() ? 8 : 80; frame < frames; frame++) {
        static const pd_tool_kind kinds[] = {PD_TOOL_DRAG, PD_TOOL_PUSH, PD_TOOL_PULL};
        float angle = (float)frame * 0.1f;
        pd_tool tool = {.kind = kinds[frame % 60 / 20],
                        .position = {0.6f * cosf(angle), 0.6f * sinf(angle)},
                        .velocity = {-3.6f * sinf(angle), 3.6f * cosf(angle)},
                        .radius = 0.25f};
        pd_world_set_tool(world, &tool);
        pd_world_step(world);
    }
    expect_sound(world);
    uint64_t hash = pd_world_hash(world);
    pd_world_destroy(world);
    pd_simd_select("auto");
    return hash;
}

/* The hash on one thread without SIMD instructions, which is the same for all threads and levels. */
static uint64_t plain_hash(const char *method) {
    static uint64_t known[MOST_METHODS];
    uint64_t *hash = &known[method_index(method)];
    if (!*hash) *hash = everything_hash(method, 1, "baseline");
    return *hash;
}

static void test_everything_on_any_threads(void **state) {
    (void)state;
    const char *elastic[MOST_METHODS];
    for (int m = 0, count = methods_that(has_springs, elastic); m < count; m++) {
        uint64_t one = plain_hash(elastic[m]);
        for (int i = 0; i < thread_counts(); i++)
            assert_true(everything_hash(elastic[m], SEVERAL_THREADS[i], "auto") == one);
    }
}

static void test_everything_on_any_level(void **state) {
    use_level(*state);
    const char *elastic[MOST_METHODS];
    for (int m = 0, count = methods_that(has_springs, elastic); m < count; m++)
        assert_true(everything_hash(elastic[m], 1, *state) == plain_hash(elastic[m]));
}

/* ---- Substep limits ---- */

/* A parameter that is far too high is the first of the costs, also when it is a material's property. */
static void expect_cost(const char *property, const char *key, float value, double seconds) {
    char text[500];
    snprintf(text, sizeof text,
             "puddle: 1\nmethod: %.3s\ncontainer: {shape: circle, radius: 1}\nparticles: 300\n"
             "materials: {a: {color: '#ffffff'%s}, b: {color: '#ffffff'}}\n"
             "regions: [{shape: circle, center: [0, 0], radius: 0.3, material: b}]\n",
             key, property);
    pd_world *world = world_of_text(text, 1);
    pd_substep_cost costs[PD_MAX_COSTS];
    if (!*property) set_parameter(world, key, value);
    assert_true(pd_world_substep_costs(world, costs) > 0);
    int due = (int)ceil(1 / 60.0 / seconds - 1e-3);
    print_message("%s of %g: %d substeps, %d due\n", costs[0].key, (double)costs[0].value, costs[0].substeps, due);
    assert_string_equal(costs[0].key, key);
    assert_float_equal(costs[0].value, value, 0);
    assert_true(abs(costs[0].substeps - due) <= 1);
    pd_world_step(world);
    assert_int_equal(pd_world_substeps(world), costs[0].substeps);
    pd_world_destroy(world);
}

/* Limits: k dt^2 < 0.09 for springs, < 0.1 for stickiness; (0.08 k + kn/2) dt^2 < 0.1^2 h for pressure. */
static void test_what_takes_substeps(void **state) {
    (void)state;
    skip_under_sanitizers();
    expect_cost("", "ddr.spring_stiffness", 1e6f, sqrt(0.09 / 1e6));
    expect_cost(", elasticity: 250000", "ddr.spring_stiffness", 250000, sqrt(0.09 / 250000));
    expect_cost(", elasticity: 250000", "sph.spring_stiffness", 250000, sqrt(0.09 / 250000));
    expect_cost(", elasticity: 250000", "pbf.spring_stiffness", 250000, sqrt(0.09 / 250000));
    expect_cost("", "ddr.stickiness", 1e6f, sqrt(0.1 / 1e6));
    expect_cost(", stickiness: 250000", "ddr.stickiness", 250000, sqrt(0.1 / 250000));
    expect_cost(", stickiness: 250000", "sph.stickiness", 250000, sqrt(0.1 / 250000));
    expect_cost(", stickiness: 250000", "pbf.stickiness", 250000, sqrt(0.1 / 250000));
    pd_world *world = world_of_text("puddle: 1\nparticles: 300\n"
                                    "regions: [{shape: circle, center: [0, 0], radius: 0.3}]\n",
                                    1);
    float radius, near_stiffness;
    assert_int_equal(pd_world_parameter(world, "ddr.radius", &radius, NULL), PD_OK);
    assert_int_equal(pd_world_parameter(world, "ddr.near_stiffness", &near_stiffness, NULL), PD_OK);
    expect_cost("", "ddr.stiffness", 5000, 0.1 * sqrt((double)radius / (0.08 * 5000 + 0.5 * (double)near_stiffness)));
    pd_world_destroy(world);
}

/* A film on a round obstacle stays at rest: the attraction to the wall must not make it rotate. */
static void test_a_sticky_film_stays(void **state) {
    (void)state;
    skip_under_sanitizers();
    pd_world *world = world_of_text("puddle: 1\ngravity: [0, -0.5]\n"
                                    "regions: [{shape: circle, center: [0, 0], radius: 0.09, count: 400}]\n"
                                    "obstacles: [{shape: circle, center: [0, 0], radius: 0.04}]\n"
                                    "parameters: {ddr: {stickiness: 2500, stick_distance: 0.03,\n"
                                    "                   linear_viscosity: 1000}}\n",
                                    1);
    double fastest = 0;
    int held = 0;
    for (int frame = 0; frame < 900; frame++) {
        pd_world_step(world);
        pd_view view;
        pd_world_view(world, &view);
        double turning = 0;
        int near = 0;
        for (int i = 0; i < view.count; i++) {
            double r = hypot(view.x[i], view.y[i]);
            if (r > 0.07) continue;
            turning += (view.x[i] * view.vy[i] - view.y[i] * view.vx[i]) / r;
            near++;
        }
        held = near;
        if (frame > 300 && near > 0) fastest = fmax(fastest, fabs(turning / near));
    }
    print_message("the film of %d particles turns at most at %.4f m/s\n", held, fastest);
    assert_true(held > 20);
    assert_true(fastest < 0.02);
    pd_world_destroy(world);
}

TEST_GROUP(materials) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_ellipse_becomes_round),
        cmocka_unit_test(test_the_front_of_honey),
        cmocka_unit_test(test_a_sticky_ceiling),
        cmocka_unit_test(test_a_sticky_film_stays),
        cmocka_unit_test(test_oil_and_water),
        cmocka_unit_test(test_each_force_conserves_momentum),
        cmocka_unit_test(test_everything_on_any_threads),
        AT_WIDE_LEVELS(test_everything_on_any_level),
        cmocka_unit_test(test_what_takes_substeps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
