/* Pouring: the shape and the speed of jets, fountains that keep throwing, nozzles with something in their way, and
 * regions that are filled too full. Lengths are compared with the spacing of the particles at rest. */
#include "worlds.h"

static const char *const METHODS[] = {"ddr", "sph", "pbf"};
enum { METHOD_COUNT = sizeof METHODS / sizeof *METHODS };

static const double SPACING = 0.0141421356; /* of the jets and the fountain, m */

/* ---- Jets in space ---- */

static const double JET_SPEED = 1.5, START = -1; /* m/s; m, of the mouth */

/* A jet to the right, without gravity, into a drain. Parameters follow a gravity of 1.6 m/s^2. */
static pd_world *jet_world(const char *method, double width) {
    char text[500];
    snprintf(text, sizeof text,
             "puddle: 1\nmethod: %s\ngravity: [0, -1.6]\ncontainer: {shape: box, width: 2.6, height: 1.6}\n"
             "emitters: [{position: [%g, 0], direction: [1, 0], speed: %g, width: %g, rate: %g}]\n"
             "drains: [{shape: box, center: [0.9, 0], size: [0.8, 1]}]\n",
             method, START, JET_SPEED, width, JET_SPEED * width / (SPACING * SPACING));
    pd_world *world = world_of_text(text, 1);
    pd_world_set_gravity(world, (pd_vec2){0, 0});
    return world;
}

/* Of a jet's first five widths, over some frames. */
enum { BINS = 10 };
typedef struct profile {
    double width[BINS], speed, roughness; /* means: m, m/s; root mean square of the edges' distance from straight, m */
    double nearest, near_mean;            /* to the next particle, m */
} profile;

static double nearest_to(const pd_view *view, int i) {
    double nearest = INFINITY;
    for (int j = 0; j < view->count; j++)
        if (j != i) nearest = fmin(nearest, hypot((double)view->x[i] - view->x[j], (double)view->y[i] - view->y[j]));
    return nearest;
}

static profile profile_of(pd_world *world, double width, int frames) {
    profile p = {.nearest = INFINITY};
    int count = 0, edges = 0;
    for (int frame = 0; frame < frames; frame++) {
        double low[BINS], high[BINS], mean = 0;
        pd_view view;
        pd_world_step(world);
        pd_world_view(world, &view);
        for (int b = 0; b < BINS; b++) low[b] = INFINITY, high[b] = -INFINITY;
        for (int i = 0; i < view.count; i++) {
            /* What leaves the mouth in the next step is not there yet. */
            double ahead = (view.x[i] - START - JET_SPEED / 60 - SPACING) / (5 * width);
            int bin = (int)floor(ahead * BINS);
            if (bin < 0 || bin >= BINS) continue;
            double near = nearest_to(&view, i);
            low[bin] = fmin(low[bin], (double)view.y[i]);
            high[bin] = fmax(high[bin], (double)view.y[i]);
            p.speed += view.vx[i];
            p.near_mean += near;
            p.nearest = fmin(p.nearest, near);
            count++;
        }
        for (int b = 0; b < BINS; b++) {
            assert_true(high[b] > low[b]);
            p.width[b] += (high[b] - low[b] + SPACING) / frames;
            mean += (high[b] - low[b]) / 2 / BINS;
        }
        for (int b = 0; b < BINS; b++, edges += 2) p.roughness += pow(high[b] - mean, 2) + pow(low[b] + mean, 2);
    }
    p.roughness = sqrt(p.roughness / edges);
    p.speed /= count;
    p.near_mean /= count;
    return p;
}

/* The particles emitted so far. */
static uint32_t emitted(const pd_world *world) {
    uint32_t last = 0;
    pd_view view;
    pd_world_view(world, &view);
    for (int i = 0; i < view.count; i++) last = view.id[i] > last ? view.id[i] : last;
    return last + 1;
}

/* Tests a jet of as many particles as fill the mouth at rest. The surface of a jet is denser than its inside, so that the jet is
 * up to 0.75 spacings narrower than the mouth: less than a tenth from 5.66 spacings on. Jets from narrower mouths are thinner,
 * and those of sph meander. */
static void expect_jet(const char *method, double spacings) {
    double width = spacings * SPACING, mean = 0, least = INFINITY, most = 0;
    pd_world *world = jet_world(method, width);
    soften(world);
    int steps = (int)(6 * width / JET_SPEED * 60) + 10, frames = 20;
    step_many(world, steps);
    profile p = profile_of(world, width, frames);
    double due = JET_SPEED * width / (SPACING * SPACING) * (steps + frames) / 60, part = emitted(world) / due;
    for (int b = 0; b < BINS; b++) {
        mean += p.width[b] / BINS;
        least = fmin(least, p.width[b]);
        most = fmax(most, p.width[b]);
    }
    print_message(
        "%s, %.1f spacings: width %.3f (%.3f to %.3f) of the mouth, speed %.3f of what is asked for, roughness "
        "%.3f, nearest %.2f, mean %.2f spacings, %.3f of the particles\n",
        method, spacings, mean / width, least / width, most / width, p.speed / JET_SPEED, p.roughness / SPACING,
        p.nearest / SPACING, p.near_mean / SPACING, part);
    assert_true(least > 0.9 * mean && most < 1.1 * mean);
    assert_true(mean > width - 0.75 * SPACING && mean < 1.05 * width);
    assert_true(fabs(p.speed / JET_SPEED - 1) < 0.03);
    assert_true(fabs(part - 1) < 0.02);
    if (spacings > 5) {
        assert_true(mean > 0.9 * width && least > 0.95 * mean && most < 1.05 * mean);
        assert_true(p.roughness < 0.15 * SPACING);
        assert_true(p.nearest > 0.55 * SPACING && p.near_mean > 0.7 * SPACING);
    }
    pd_world_destroy(world);
}

static void test_jets(void **state) {
    (void)state;
    static const double MOUTHS[] = {4, 5.66, 8, 4.5, 6.5, 11, 16}; /* spacings */
    for (size_t k = 0; k < (in_short_run() ? 3 : sizeof MOUTHS / sizeof *MOUTHS); k++)
        for (int m = 0; m < METHOD_COUNT; m++) expect_jet(METHODS[m], MOUTHS[k]);
}

/* ---- Bundled scenes ---- */

static pd_world *bundled_world(const char *name, const char *method) {
    pd_scene scene = bundled_scene(name);
    snprintf(scene.method, sizeof scene.method, "%s", method);
    pd_world *world = world_of(&scene, 1);
    pd_scene_free(&scene);
    return world;
}

/* The sum of squares of how far the outermost particles of a vertical jet are from the mean of those before and behind
 * them, on both sides, up to `reach` rows of 1.5 spacings from the mouth; *edges counts them. In spacings. */
static double unevenness(const pd_world *world, double spacing, int reach, int *edges) {
    enum { MOST = 64 };
    const pd_emitter *e = &pd_world_scene(world)->emitters[0];
    double edge[2][MOST], sum = 0;
    int rows = 0;
    pd_view view;
    pd_world_view(world, &view);
    for (int k = 0; k < MOST; k++) edge[0][k] = edge[1][k] = -INFINITY;
    for (int i = 0; i < view.count; i++) {
        double ahead = (view.y[i] - e->position.y) * e->direction.y / (1.5 * spacing);
        double across = (view.x[i] - e->position.x) / spacing;
        if (view.material[i] != e->material || ahead < 0 || !(ahead < reach + 4)) continue;
        if (fabs(across) > 1.2 * e->width / spacing) continue;
        int row = (int)ahead;
        if (row > rows) rows = row;
        edge[0][row] = fmax(edge[0][row], across);
        edge[1][row] = fmax(edge[1][row], -across);
    }
    rows = rows - 3 < reach ? rows - 3 : reach; /* without the head */
    for (int k = 2; k < 2 * rows; k++) {
        const double *l = edge[k & 1] + k / 2;
        if (k / 2 < 2 || k / 2 >= rows - 2) continue;
        double d = l[0] - (l[-2] + l[-1] + l[1] + l[2]) / 4;
        if (!isfinite(d)) continue;
        sum += d * d;
        ++*edges;
    }
    return sum;
}

static void test_edges_are_smooth(void **state) {
    (void)state;
    static const struct {
        const char *scene, *method;
        double spacing; /* m */
        int reach, from, until;
        double bound;
    } CASES[] = {
        {"honey", "ddr", 0.01304, 9, 30, 75, 0.15},     {"honey", "sph", 0.01304, 9, 30, 75, 0.4},
        {"honey", "pbf", 0.01304, 9, 30, 75, 0.4},      {"fountain", "sph", 0.01414, 18, 15, 60, 0.1},
        {"fountain", "pbf", 0.01414, 18, 15, 60, 0.35},
    };
    for (size_t c = 0; c < sizeof CASES / sizeof *CASES; c++) {
        pd_world *world = bundled_world(CASES[c].scene, CASES[c].method);
        double sum = 0;
        int edges = 0;
        for (int frame = 0; frame < CASES[c].until; frame++) {
            pd_world_step(world);
            if (frame >= CASES[c].from) sum += unevenness(world, CASES[c].spacing, CASES[c].reach, &edges);
        }
        print_message("%s with %s: %.3f spacings, %d places\n", CASES[c].scene, CASES[c].method, sqrt(sum / edges),
                      edges);
        assert_true(edges > 100);
        assert_true(sqrt(sum / edges) < CASES[c].bound);
        pd_world_destroy(world);
    }
}

/* The basin of the fountain slides over the mouth after three seconds: the jet must push through. */
static void test_fountain_keeps_throwing(void **state) {
    (void)state;
    skip_under_sanitizers();
    skip_in_short(); /* test_emit.c has jets that push fluid out of their way */
    for (int m = 0; m < METHOD_COUNT; m++) {
        pd_world *world = bundled_world("fountain", METHODS[m]);
        const pd_emitter e = pd_world_scene(world)->emitters[0];
        uint32_t before = 0, after = 0;
        double height = 0;
        for (int frame = 0; frame < 420; frame++) {
            double highest = -1;
            pd_view view;
            pd_world_step(world);
            pd_world_view(world, &view);
            for (int i = 0; i < view.count; i++) {
                if (fabsf(view.x[i]) < 0.1f) highest = fmax(highest, (double)view.y[i] - e.position.y);
                after = view.id[i] > after ? view.id[i] : after;
            }
            if (frame == 239) before = after;
            if (frame >= 240) height += highest / 180;
        }
        print_message("%s: %u emitted in 3 s, %.3f m high, without resistance %.3f m\n", METHODS[m], after - before,
                      height, e.speed * e.speed / 3.2);
        assert_true(after - before > 0.9 * 3 * e.rate); /* of pbf 0.94 to 1, by the run of its splashes */
        assert_true(height > 0.6);
        pd_world_destroy(world);
    }
}

/* ---- Nozzles ---- */

/* A snapshot in the middle of pouring goes on with the same bits, also on another number of threads. */
static void test_snapshots_of_jets(void **state) {
    (void)state;
    pd_error error = {0};
    for (int m = 0; m < METHOD_COUNT; m++) {
        void *bytes;
        size_t size;
        pd_world *world = bundled_world("fountain", METHODS[m]), *loaded = world_of_text("puddle: 1\n", 2);
        step_many(world, fewer_frames(37, 7));
        assert_int_equal(pd_world_save_to_memory(world, &bytes, &size, &error), PD_OK);
        if (pd_world_restore_from_memory(loaded, bytes, size, &error) != PD_OK) fail_msg("%s", error.message);
        for (int frame = 0; frame < fewer_frames(20, 4); frame++) {
            pd_world_step(world);
            pd_world_step(loaded);
            assert_true(pd_world_hash(loaded) == pd_world_hash(world));
        }
        free(bytes);
        pd_world_destroy(loaded);
        pd_world_destroy(world);
    }
}

/* Particles that a nozzle holds stay outside of obstacles that stand in it, or move through it. */
static void test_obstacles_in_nozzles(void **state) {
    (void)state;
    static const char *const OBSTACLES[] = {
        "  - {shape: box, center: [-0.05, 0.02], size: [0.02, 0.08], angle: 20}\n",
        "  - {shape: box, center: [-0.05, 0.05], size: [0.3, 0.02], spin: 200}\n"
        "  - {shape: box, center: [0, -0.3], size: [0.02, 0.3], velocity: [0, 1], turn: 0.5}\n",
    };
    for (int k = 0; k < 2 * METHOD_COUNT; k++) {
        char text[900];
        snprintf(text, sizeof text,
                 "puddle: 1\nmethod: %s\ngravity: [0, -1.6]\ncontainer: {shape: box, width: 2, height: 1.6}\n"
                 "particles: 1500\nregions: [{shape: box, center: [0, -0.725], size: [2, 0.15]}]\n"
                 "emitters:\n"
                 "  - {position: [-0.1, 0], direction: [1, 0], speed: 1.5, width: 0.1, rate: 750}\n"
                 "  - {position: [0, -0.1], direction: [0, 1], speed: 1, width: 0.1, rate: 500}\n"
                 "obstacles:\n%s",
                 METHODS[k % METHOD_COUNT], OBSTACLES[k / METHOD_COUNT]);
        pd_world *world = world_of_text(text, 1);
        for (int frame = 0; frame < fewer_frames(60, 8); frame++) {
            pd_world_step(world);
            expect_sound(world);
        }
        pd_world_destroy(world);
    }
}

/* Emitters that ask for more than their speed makes room for pour as fast as gravity clears their mouths. */
static void test_slow_emitters(void **state) {
    (void)state;
    static const char *const SPEEDS[] = {"0", "0.02"};
    for (int k = 0; k < 2 * METHOD_COUNT; k += in_short_run() ? 2 : 1) {
        char text[500];
        snprintf(text, sizeof text,
                 "puddle: 1\nmethod: %s\ngravity: [0, -1.6]\ncontainer: {shape: box, width: 2, height: 1.6}\n"
                 "particles: 1500\nregions: [{shape: box, center: [0, -0.725], size: [2, 0.15]}]\n"
                 "emitters: [{position: [0, 0.5], direction: [0, -1], speed: %s, width: 0.1, rate: 200}]\n",
                 METHODS[k % METHOD_COUNT], SPEEDS[k / METHOD_COUNT]);
        pd_world *world = world_of_text(text, 1);
        step_many(world, 60);
        print_message("%s, %s m/s: %d emitted\n", METHODS[k % METHOD_COUNT], SPEEDS[k / METHOD_COUNT],
                      pd_world_particles(world) - 1500);
        assert_true(pd_world_particles(world) > 1500 + 60);
        pd_world_destroy(world);
    }
}

/* ---- Regions ---- */

/* Two blocks in space, the smaller one too full: it spreads slowly, instead of bursting. */
static void test_too_full_regions(void **state) {
    (void)state;
    static const struct {
        const char *method, *parameters;
        int count; /* in the smaller one, where 480 are at rest with the defaults */
    } CASES[] = {
        {"ddr", "", 528},
        {"sph", "", 528},
        {"pbf", "", 528},
        {"sph", "parameters: {sph: {rest_density: 2727}}\n", 480},
        {"pbf", "parameters: {pbf: {rest_density: 2727}}\n", 480},
    };
    for (size_t c = 0; c < sizeof CASES / sizeof *CASES; c++) {
        char text[500];
        snprintf(text, sizeof text,
                 "puddle: 1\nmethod: %s\ngravity: [0, -1.6]\ncontainer: {shape: box, width: 3, height: 2}\n"
                 "regions:\n  - {shape: box, center: [-0.7, 0], size: [1, 1], count: 3000}\n"
                 "  - {shape: box, center: [0.7, 0], size: [0.4, 0.4], count: %d}\n%s",
                 CASES[c].method, CASES[c].count, CASES[c].parameters);
        pd_world *world = world_of_text(text, 1);
        double fastest = 0, most = 0;
        pd_world_set_gravity(world, (pd_vec2){0, 0});
        for (int frame = 0; frame < fewer_frames(60, 30); frame++) {
            double sum = 0;
            pd_view view;
            pd_world_step(world);
            pd_world_view(world, &view);
            for (int i = 0; i < view.count; i++) {
                double speed = view.x[i] > 0.2f ? hypot((double)view.vx[i], (double)view.vy[i]) : 0;
                fastest = fmax(fastest, speed);
                sum += speed * speed / CASES[c].count;
            }
            most = fmax(most, sqrt(sum));
        }
        print_message("%s: at most %.2f m/s, root mean square %.2f m/s\n", CASES[c].method, fastest, most);
        assert_true(fastest < 0.25 && most < 0.12);
        pd_world_destroy(world);
    }
}

TEST_GROUP(pour) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jets),
        cmocka_unit_test(test_edges_are_smooth),
        cmocka_unit_test(test_fountain_keeps_throwing),
        cmocka_unit_test(test_snapshots_of_jets),
        cmocka_unit_test(test_obstacles_in_nozzles),
        cmocka_unit_test(test_slow_emitters),
        cmocka_unit_test(test_too_full_regions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
