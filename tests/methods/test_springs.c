/* Elastic and plastic materials: what springs do to a fluid's shape, and what happens to springs. */
#include "levels.h"
#include "measure.h"
#include "sim/world.h"

#include <unistd.h>

/* ---- Behaviour ---- */

enum { FALL_FRAMES = 360 };

/* A disc of radius 0.25 m falls by 0.5 m onto the floor. */
typedef struct dropped {
    double impact;     /* height of the centre over the floor when it is lowest, m */
    double rise;       /* of the centre after that, within a second, m */
    double width;      /* after six seconds, m */
    double widest;     /* greatest width until then, m */
    double free_shape; /* aspect_of after further seconds without gravity */
} dropped;

static pd_world *ball(const char *properties) {
    char text[600];
    snprintf(text, sizeof text,
             "puddle: 1\nparticles: 600\ncontainer: {shape: box, width: 3, height: 1.5}\n"
             "materials: {a: {color: '#ffffff'%s}}\n"
             "regions: [{shape: circle, center: [0, 0], radius: 0.25}]\n",
             properties);
    return world_of_text(text, 1);
}

/* free_frames: number of steps without gravity. */
static dropped drop(const char *properties, int free_frames) {
    pd_world *world = ball(properties);
    dropped d = {.impact = INFINITY};
    int lowest = 0;
    for (int frame = 0; frame < FALL_FRAMES; frame++) {
        pd_world_step(world);
        double height = center_height(world) + 0.75;
        if (frame < 75 && height < d.impact) {
            d.impact = height;
            lowest = frame;
        }
        if (frame < lowest + 60) d.rise = fmax(d.rise, height - d.impact);
        d.widest = fmax(d.widest, width_of(world));
    }
    d.width = width_of(world);
    pd_world_set_gravity(world, (pd_vec2){0, 0});
    step_many(world, free_frames);
    d.free_shape = aspect_of(world);
    expect_sound(world);
    assert_int_equal(pd_world_particles(world), 600);
    pd_world_destroy(world);
    print_message("%-50s lowest %.3f, rise %.3f, width %.3f, then free %.2f\n", properties, d.impact, d.rise, d.width,
                  d.free_shape);
    return d;
}

/* The drop of an elastic disc, which two tests need. */
static dropped elastic_drop(void) {
    static dropped known;
    if (known.width == 0) known = drop(", elasticity: 2000", fewer_frames(600, 300));
    return known;
}

/* An elastic disc bounces and keeps its shape; a plastic one stays flat, but does not spread; water flows to the
 * walls. */
static void test_elastic_plastic_and_water(void **state) {
    (void)state;
    skip_under_sanitizers();
    dropped water = drop("", 0), elastic = elastic_drop();
    dropped plastic = drop(", elasticity: 2000, plasticity: 5, yield: 0.1", fewer_frames(600, 300));
    assert_true(water.widest > 2.7);
    assert_true(elastic.width < 0.6 * water.widest);
    assert_true(elastic.width < 0.5 * 1.4); /* 1.4 times its diameter, for the deformation by its weight */
    assert_true(plastic.width > 1.5 * elastic.width && plastic.width < 0.75 * water.widest);
    /* The centre fell by 0.5 m; an elastic disc rises again by a quarter of that. */
    assert_true(elastic.rise > 0.125);
    assert_true(water.rise < elastic.rise);
    assert_true(plastic.rise < 0.5 * elastic.rise);
    assert_true(elastic.free_shape < 1.2);
    assert_true(plastic.free_shape > 2);
}

/* A plastic material is elastic below its yield. */
static void test_yield(void **state) {
    (void)state;
    skip_under_sanitizers();
    dropped firm = drop(", elasticity: 2000, plasticity: 5, yield: 10", 0);
    assert_true(firm.width == elastic_drop().width);
    assert_true(drop(", elasticity: 2000, plasticity: 5, yield: 0", 0).width > 1.5 * firm.width);
}

/* With its elasticity set to 0 an elastic disc flows like water; set again, it is elastic, in the shape that it has
 * then. */
static void test_elasticity_off_and_on(void **state) {
    (void)state;
    skip_under_sanitizers();
    double width[2], widest[2] = {0};
    for (int on = 0; on < 2; on++) {
        pd_error error = {0};
        pd_world *world = ball(", elasticity: 2000");
        step_many(world, 10);
        assert_int_equal(pd_world_set_property(world, 0, PD_ELASTICITY, 0, &error), PD_OK);
        step_many(world, 20); /* it is still falling */
        if (on) assert_int_equal(pd_world_set_property(world, 0, PD_ELASTICITY, 2000, &error), PD_OK);
        for (int frame = 0; frame < 330; frame++) {
            pd_world_step(world);
            widest[on] = fmax(widest[on], width_of(world));
        }
        width[on] = width_of(world);
        expect_sound(world);
        pd_world_destroy(world);
    }
    print_message("width %.2f off, %.2f on again\n", widest[0], width[1]);
    assert_true(widest[0] > 2.7 && width[1] < 0.5 * 1.4);
}

/* ---- The formulas ---- */

enum { LATTICE = 12, RANDOM_STEPS = 6 };

/* Algorithms 4 and 6 of Clavet et al. 2005 in double precision, all springs at once. */
typedef struct oracle {
    int count;
    double x[LATTICE * LATTICE], y[LATTICE * LATTICE], vx[LATTICE * LATTICE], vy[LATTICE * LATTICE];
    double rest[LATTICE * LATTICE][LATTICE * LATTICE]; /* rest lengths for i < j, m; 0: no spring */
    double h, stiffness, plasticity, yield, dt;
} oracle;

static double apart(const oracle *o, int i, int j) { return hypot(o->x[j] - o->x[i], o->y[j] - o->y[i]); }

static void oracle_join(oracle *o, bool fresh) {
    for (int i = 0; i < o->count; i++)
        for (int j = i + 1; j < o->count; j++) {
            double r = apart(o, i, j);
            if (r < o->h && o->rest[i][j] == 0) o->rest[i][j] = fresh ? r : o->h;
        }
}

static void oracle_adjust(oracle *o) {
    for (int i = 0; i < o->count; i++)
        for (int j = i + 1; j < o->count; j++) {
            double *rest = &o->rest[i][j], r = apart(o, i, j), slack = o->yield * *rest;
            if (*rest == 0) continue;
            if (r > *rest + slack)
                *rest += o->dt * o->plasticity * (r - *rest - slack);
            else if (r < *rest - slack)
                *rest -= o->dt * o->plasticity * (*rest - slack - r);
            if (*rest >= o->h) *rest = 0;
        }
}

static int oracle_step(oracle *o, bool first) {
    static double delta_x[LATTICE * LATTICE], delta_y[LATTICE * LATTICE];
    int springs = 0;
    for (int i = 0; i < o->count; i++) {
        o->x[i] += o->vx[i] * o->dt;
        o->y[i] += o->vy[i] * o->dt;
        delta_x[i] = 0;
        delta_y[i] = 0;
    }
    if (first || o->plasticity > 0) oracle_join(o, first);
    oracle_adjust(o);
    for (int i = 0; i < o->count; i++)
        for (int j = i + 1; j < o->count; j++) {
            double rest = o->rest[i][j], r = apart(o, i, j);
            if (rest == 0) continue;
            double d = o->dt * o->dt * o->stiffness * (1 - rest / o->h) * (rest - r) / 2;
            double dx = d * (o->x[j] - o->x[i]) / r, dy = d * (o->y[j] - o->y[i]) / r;
            delta_x[i] -= dx;
            delta_y[i] -= dy;
            delta_x[j] += dx;
            delta_y[j] += dy;
            springs++;
        }
    for (int i = 0; i < o->count; i++) {
        o->x[i] += delta_x[i];
        o->y[i] += delta_y[i];
        o->vx[i] += delta_x[i] / o->dt;
        o->vy[i] += delta_y[i] / o->dt;
    }
    return springs;
}

/* 360 m wide: pressure, whose smallest stiffness is 0.01 m/s^2, is then a millionth of the springs' forces. */
static pd_world *lattice(const char *properties) {
    char text[1000];
    snprintf(text, sizeof text,
             "puddle: 1\ngravity: [0, 0]\nsubsteps: 1\ndt: 0.001\ncontainer: {shape: none}\nparticles: %d\n"
             "materials: {a: {color: '#ffffff', elasticity: 100000%s}}\n"
             "regions: [{shape: box, center: [0, 0], size: [360, 360], fill: random}]\n"
             "parameters: {ddr: {radius: 100, stiffness: 0.01, near_stiffness: 0.01, rest_density: 0.5,\n"
             "             linear_viscosity: 0, quadratic_viscosity: 0}}\n",
             LATTICE * LATTICE, properties);
    return world_of_text(text, 1);
}

/* Random velocities of up to 3 m per step in each direction. */
static void shake(pd_world *world, oracle *o) {
    pd_particles *p = &world->particles;
    pd_random random = {7};
    for (int i = 0; i < p->count; i++) {
        uint32_t k = p->id[i];
        p->vx[i] = 6000 * ((float)pd_random_below_one(&random) - 0.5f);
        p->vy[i] = 6000 * ((float)pd_random_below_one(&random) - 0.5f);
        o->x[k] = p->x[i];
        o->y[k] = p->y[i];
        o->vx[k] = p->vx[i];
        o->vy[k] = p->vy[i];
    }
    o->count = p->count;
}

/* The largest difference of a velocity, relative to the largest change of a velocity by springs since the start. */
static double difference(const pd_world *world, const oracle *o, const oracle *start) {
    pd_view view;
    double worst = 0, changed = 0;
    pd_world_view(world, &view);
    for (int i = 0; i < view.count; i++) {
        uint32_t k = view.id[i];
        worst = fmax(worst, hypot((double)view.vx[i] - o->vx[k], (double)view.vy[i] - o->vy[k]));
        changed = fmax(changed, hypot(o->vx[k] - start->vx[k], o->vy[k] - start->vy[k]));
    }
    return worst / changed;
}

static void expect_oracle(const char *properties, double plasticity, double yield) {
    static oracle o, start;
    pd_world *world = lattice(properties);
    int springs = 0;
    o = (oracle){.h = 100, .stiffness = 100000, .plasticity = plasticity, .yield = yield, .dt = (double)0.001f};
    shake(world, &o);
    start = o;
    for (int step = 0; step < RANDOM_STEPS; step++) {
        springs = oracle_step(&o, step == 0);
        pd_world_step(world);
    }
    double worst = difference(world, &o, &start);
    print_message("%s%s: %d springs, velocities differ by %.1e of what springs change\n", pd_simd_name(), properties,
                  springs, worst);
    assert_true(springs > 1000);
    assert_true(worst < 1e-4); /* positions up to 180 m are rounded to 1e-5 m; springs move particles by some cm */
    pd_world_destroy(world);
}

static void test_springs_against_double_precision(void **state) {
    use_level(*state);
    expect_oracle("", 0, 0.1);
    expect_oracle(", plasticity: 100, yield: 0.02", 100, 0.02);
    expect_oracle(", plasticity: 500, yield: 0", 500, 0);
}

TEST_GROUP(springs) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elastic_plastic_and_water),
        cmocka_unit_test(test_yield),
        cmocka_unit_test(test_elasticity_off_and_on),
        AT_EVERY_LEVEL(test_springs_against_double_precision),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
