/* How much surface tension a method carries, what its warning advises, and the substeps that it takes. */
#include "methods.h"

static bool has_tension(const pd_method *method) { return has_parameter(method, "surface_tension"); }
#define WITH_TENSION(test)                                                                                             \
    { #test, test, has_tension }

enum { MOST_TEXT = 600 };

/* A drop of materials of these masses, without gravity. */
static pd_world *drop(const char *method, int particles, double gamma, double mass, double other_mass) {
    char text[MOST_TEXT];
    snprintf(text, sizeof text,
             "gravity: [0, 0]\nparticles: %d\ncontainer: {shape: circle, radius: 1}\n"
             "materials: {a: {color: '#ffffff', mass: %g}, b: {color: '#ffffff', mass: %g}}\n"
             "regions: [{shape: circle, center: [0, 0], radius: 0.3}]\nparameters: {%s: {surface_tension: %.9g}}\n",
             particles, mass, other_mass, method, gamma);
    return world_of_method(method, text, 1);
}

static double parameter_of(const pd_world *world, const char *key) {
    char whole[PD_MAX_KEY];
    float value = 0;
    pd_error error = {0};
    snprintf(whole, sizeof whole, "%s.%s", pd_world_method(world)->name, key);
    assert_int_equal(pd_world_parameter(world, whole, &value, &error), PD_OK);
    return (double)value;
}

static bool warns(const pd_world *world) {
    char text[MOST_TEXT];
    return pd_world_write_warning(world, 0, text, sizeof text);
}

/* What acts according to the warning; text: the warning. */
static double acting(const pd_world *world, char text[MOST_TEXT]) {
    double number;
    assert_true(pd_world_write_warning(world, 0, text, MOST_TEXT));
    const char *at = strstr(text, "only ");
    assert_non_null(at);
    assert_int_equal(sscanf(at, "only %lf acts", &number), 1);
    return number;
}

/* At the number that the warning advises it is silent, for each of two materials; a tenth above, beyond the rounding to two
 * digits, it is not. */
static void test_the_advised_number_does_not_warn(void **state) {
    const int counts[] = {200, 300, 500, 800, 1500};
    const double masses[] = {1, 0.3, 2.5};
    for (int k = 0; k < 15; k++) {
        pd_world *world = drop(*state, counts[k / 3], 10, 3, masses[k % 3]);
        char text[MOST_TEXT];
        double number = acting(world, text);
        set_own_parameter(world, "surface_tension", (float)number);
        if (warns(world))
            fail_msg("%s, %d particles, mass %g: %g", (char *)*state, counts[k / 3], masses[k % 3], number);
        set_own_parameter(world, "surface_tension", (float)(1.101 * number));
        assert_true(warns(world));
        pd_world_destroy(world);
    }
}

typedef struct change {
    const char *advice; /* what the warning advises */
    const char *key;    /* of a parameter that is multiplied by `times`; NULL: none is */
    double times, mass; /* factors of the parameter and the mass */
    int particles;      /* their new number; 0: as before */
    bool enough;        /* the warning is silent then */
} change;

static void expect_remedy(const char *method, double gamma, double mass, const change *c) {
    enum { PARTICLES = 400 };
    char text[MOST_TEXT];
    pd_world *world = drop(method, PARTICLES, gamma, mass, mass);
    double before = acting(world, text);
    if (!strstr(text, c->advice)) fail_msg("no \"%s\": %s", c->advice, text);
    pd_world_destroy(world);
    world = drop(method, c->particles ? c->particles : PARTICLES, gamma, mass * c->mass, mass * c->mass);
    if (c->key) set_own_parameter(world, c->key, (float)(c->times * parameter_of(world, c->key)));
    print_message("%s, mass %g, %s: %g of %g acts, then %s\n", method, mass, c->advice, before, gamma,
                  warns(world) ? "not enough" : "all");
    assert_int_equal(!warns(world), c->enough);
    pd_world_destroy(world);
}

/* Half more than what acts. */
static double too_much(const char *method, double mass) {
    char text[MOST_TEXT];
    pd_world *world = drop(method, 400, 10, mass, mass);
    double number = acting(world, text);
    pd_world_destroy(world);
    return 1.5 * number;
}

/* Twice as much of what each warning names lets the whole tension act; what it does not name does not. */
static void test_the_advice_helps(void **state) {
    (void)state;
    const double light = 0.1, heavy = 3, ddr = too_much("ddr", 1), pbf = too_much("pbf", 1), sph = too_much("sph", 1);
    const double light_sph = too_much("sph", light), heavy_sph = too_much("sph", heavy);
    const char *const by_mass = "or a higher mass or a shorter prediction)", *const by_stiffness =
                                                                                 "or a higher stiffness)";
    const char *const both = "or a higher stiffness, and a higher mass or a shorter prediction)";
    expect_remedy("ddr", ddr, 1, &(change){"or a higher mass or near stiffness)", NULL, 1, 2, 0, true});
    expect_remedy("ddr", ddr, 1, &(change){"or a higher mass or near stiffness)", "near_stiffness", 2, 1, 0, true});
    expect_remedy("pbf", pbf, 1, &(change){"or a higher mass, or fewer particles)", NULL, 1, 2, 0, true});
    expect_remedy("pbf", pbf, 1, &(change){"or a higher mass, or fewer particles)", NULL, 1, 1, 100, true});
    expect_remedy("pbf", pbf, 1, &(change){"or a higher mass, or fewer particles)", "iterations", 2, 1, 0, false});
    expect_remedy("sph", heavy_sph, heavy, &(change){by_stiffness, "stiffness", 2, 1, 0, true});
    expect_remedy("sph", heavy_sph, heavy, &(change){by_stiffness, NULL, 1, 2, 0, false});
    expect_remedy("sph", light_sph, light, &(change){by_mass, NULL, 1, 2, 0, true});
    expect_remedy("sph", light_sph, light, &(change){by_mass, "prediction", 0.5, 1, 0, true});
    expect_remedy("sph", light_sph, light, &(change){by_mass, "stiffness", 2, 1, 0, false});
    expect_remedy("sph", sph, light, &(change){both, "stiffness", 2, 1, 0, false});
    expect_remedy("sph", sph, light, &(change){both, NULL, 1, 2 / light, 0, false});
    expect_remedy("sph", sph, light, &(change){both, "stiffness", 2, 2 / light, 0, true});
}

static bool has_own_tension(const pd_method *method) {
    return has_tension(method) && strcmp(method->info.name, "pbf") != 0;
}

/* Less than the method's own changes nothing: more than the number that the warning has does, and so do more particles. */
static void test_less_than_the_own_warns(void **state) {
    for (int particles = 300; particles < 1300; particles += 100) {
        pd_world *world = drop(*state, particles, 1e-5, 1, 1);
        char text[MOST_TEXT] = "";
        double number;
        assert_true(pd_world_write_warning(world, 0, text, sizeof text));
        const char *at = strstr(text, "itself has ");
        assert_non_null(at);
        assert_non_null(strstr(text, "has no effect"));
        assert_int_equal(sscanf(at, "itself has %lf at", &number), 1);
        set_own_parameter(world, "surface_tension", (float)(1.001 * number));
        assert_false(warns(world));
        set_own_parameter(world, "surface_tension", (float)(0.9 * number));
        assert_true(warns(world));
        pd_world_destroy(world);
        world = drop(*state, 4 * particles, 0.9 * number, 1, 1);
        assert_false(warns(world));
        pd_world_destroy(world);
    }
}

/* The row of the tension among the limits, s. */
static double tension_limit(const pd_world *world) {
    pd_substep_limit limits[PD_MAX_COSTS];
    int count = pd_method_substep_limits(world, limits);
    for (int i = 0; i < count; i++)
        if (limits[i].parameter >= 0 &&
            strcmp(pd_method_parameter_at(pd_world_method(world), limits[i].parameter)->key, "surface_tension") == 0)
            return (double)limits[i].seconds;
    fail_msg("no limit");
    return 0;
}

/* 0.05 sqrt(H^3 m / Gamma), without the method's own part of Gamma; of two materials the lighter one has the shorter. */
static void test_substeps_follow_the_mass(void **state) {
    const char *method = *state;
    const double masses[] = {1, 0.25, 2.5};
    bool ddr = strcmp(method, "ddr") == 0, sph = strcmp(method, "sph") == 0;
    for (int k = 0; k < 3; k++) {
        pd_world *world = drop(method, 600, 0, masses[k], 2 * masses[k]);
        double h = parameter_of(world, "radius"), own = 0, radius = 1.5 * h;
        if (ddr) own = 0.01 * parameter_of(world, "near_stiffness") * h * h;
        if (sph) own = 0.0005 * parameter_of(world, "stiffness") * h;
        assert_true(isinf(tension_limit(world)));
        double gamma = own + 0.0005;
        set_own_parameter(world, "surface_tension", (float)gamma);
        assert_false(warns(world));
        double expected = 0.05 * sqrt(pow(radius, 3) * masses[k] / (gamma - own));
        print_message("%s, mass %g: %.3e s, expected %.3e s\n", method, masses[k], tension_limit(world), expected);
        assert_float_equal(tension_limit(world) / expected, 1, 1e-4);
        pd_world_destroy(world);
    }
}

/* A strong tension shortens the substeps; of one that is more than the fluid carries only a part acts, and this is told. */
static void test_strong_tension(void **state) {
    (void)state;
    char text[MOST_TEXT] = "";
    pd_world *world = drop("ddr", 300, 0.005, 1, 1);
    assert_false(warns(world));
    set_parameter(world, "ddr.surface_tension", 5);
    assert_true(pd_world_write_warning(world, 0, text, sizeof text));
    assert_non_null(strstr(text, "surface tension of 5 m^3/s^2"));
    step_many(world, 5);
    expect_sound(world);
    set_parameter(world, "ddr.surface_tension", 0);
    step_many(world, 5);
    expect_sound(world);
    assert_false(warns(world));
    pd_world_destroy(world);
    world = drop("pbf", 1500, 0.01, 1, 1);
    pd_substep_cost costs[PD_MAX_COSTS];
    assert_true(pd_world_substep_costs(world, costs) > 0);
    assert_string_equal(costs[0].key, "pbf.surface_tension");
    assert_true(costs[0].substeps > costs[1].substeps);
    pd_world_destroy(world);
}

TEST_GROUP(tension_limits) {
    const method_test tests[] = {
        WITH_TENSION(test_the_advised_number_does_not_warn),
        ONCE(test_the_advice_helps),
        {"test_less_than_the_own_warns", test_less_than_the_own_warns, has_own_tension},
        WITH_TENSION(test_substeps_follow_the_mass),
        ONCE(test_strong_tension),
    };
    return RUN_METHOD_TESTS(tests);
}
