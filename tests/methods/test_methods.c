/* Every method: determinism, conservation of momentum, mirror symmetry, free fall. */
#include "methods.h"

#include "sim/world.h"

/* ---- Determinism ---- */

/* Different masses, moving obstacles, an emitter and a drain at once. More particles than one chunk of any parallel
 * loop, the largest of which has 4,096 (sim/particles/neighbours.c). */
static const char *const BUSY =
    "container: {shape: circle, radius: 1}\n"
    "particles: 5000\n"
    "materials: {a: {color: '#ffffff', mass: 0.85}, b: {color: '#ffffff', mass: 1.3}}\n"
    "regions: [{shape: circle, center: [0, 0.3], radius: 0.5, material: a, fill: random},\n"
    "          {shape: box, center: [0, -0.5], size: [1, 0.4], material: b}]\n"
    "emitters: [{position: [0, 0.9], direction: [0, -1], speed: 1, width: 0.1, rate: 400, material: b}]\n"
    "drains: [{shape: circle, center: [0.5, -0.8], radius: 0.05}]\n"
    "obstacles: [{shape: box, center: [0, -0.2], size: [0.5, 0.05], spin: 90},\n"
    "            {shape: polyline, points: [[-0.9, 0], [-0.5, -0.3]], thickness: 0.02}]\n"
    "parameters: {ddr: {quadratic_viscosity: 0.5}, pbf: {vorticity: 0.1}}\n";

static uint64_t busy_hash(const char *method, int threads, const char *level) {
    assert_true(pd_simd_select(level));
    pd_world *world = world_of_method(method, BUSY, threads);
    for (int frame = 0, frames = is_shortened() ? 8 : 60; frame < frames; frame++) {
        stir(world, frame);
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
    if (!*hash) *hash = busy_hash(method, 1, "baseline");
    return *hash;
}

static void test_threads_agree_to_the_bit(void **state) {
    uint64_t one = plain_hash(*state);
    for (int i = 0; i < thread_counts(); i++) assert_true(busy_hash(*state, SEVERAL_THREADS[i], "auto") == one);
}

static void test_avx2_agrees_to_the_bit(void **state) {
    use_level("avx2");
    assert_true(busy_hash(*state, 1, "avx2") == plain_hash(*state));
}

static void test_avx512_agrees_to_the_bit(void **state) {
    use_level("avx512");
    assert_true(busy_hash(*state, 1, "avx512") == plain_hash(*state));
}

/* ---- Momentum ---- */

/* Momentum is conserved without gravity, walls and tool. */
static void expect_momentum(const char *method, const char *parameters) {
    const int frames = fewer_frames(250, 60);
    char text[1200];
    snprintf(text, sizeof text,
             "gravity: [0, 0]\ncontainer: {shape: none}\nsubsteps: 4\nparticles: 700\n"
             "materials: {a: {color: '#ffffff', mass: 0.5}, b: {color: '#ffffff', mass: 2}}\n"
             "regions: [{shape: circle, center: [-0.4, 0], radius: 0.4, velocity: [0.5, 0.1]},\n"
             "          {shape: circle, center: [0.4, 0.2], radius: 0.4, material: b}]\n"
             "parameters: {%s: %s}\n",
             method, parameters);
    pd_world *world = world_of_method(method, text, 1);
    motion before = motion_of(world);
    step_many(world, frames);
    motion after = motion_of(world);
    double drift = hypot(after.x - before.x, after.y - before.y);
    print_message("%s %s: momentum drifts by %.2e of %.3g\n", method, parameters, drift / after.momentum_scale,
                  after.momentum_scale);
    assert_int_equal(world->substep_total, 4 * frames);
    assert_true(after.momentum_scale > 10);
    assert_true(drift < 1e-4 * after.momentum_scale);
    pd_world_destroy(world);
}

/* With the defaults, with the least and a high viscosity, and with each boolean parameter inverted. */
static void test_momentum(void **state) {
    skip_under_sanitizers();
    const pd_method_info *info = pd_method_find(*state);
    char text[PD_MAX_KEY + 32];
    expect_momentum(*state, "{}");
    for (int i = 0; i < info->parameter_count; i++) {
        const pd_parameter *p = pd_method_parameter_at(info, i);
        bool viscosity =
            strcmp(p->key, "viscosity") == 0 || strcmp(p->key, "linear_viscosity") == 0 || strcmp(p->key, "xsph") == 0;
        if (p->type == PD_PARAMETER_BOOLEAN) {
            snprintf(text, sizeof text, "{%s: %s}", p->key, p->default_value > 0 ? "false" : "true");
            expect_momentum(*state, text);
        }
        for (int high = 0; viscosity && high < 2; high++) {
            snprintf(text, sizeof text, "{%s: %g}", p->key, (double)(high ? fminf(p->maximum, 5) : p->minimum));
            expect_momentum(*state, text);
        }
    }
}

/* ---- Mirror symmetry ---- */

static const char *const ASYMMETRIC =
    "particles: 1500\ncontainer: {shape: box, width: 2, height: 2}\n"
    "materials: {a: {color: '#ffffff', mass: 0.8}, b: {color: '#ffffff', mass: 1.2}}\n"
    "regions: [{shape: circle, center: [%g, 0.1], radius: 0.35, velocity: [%g, -0.3]},\n"
    "          {shape: box, center: [%g, -0.6], size: [1.2, 0.8], material: b}]\n"
    "obstacles: [{shape: box, center: [%g, -0.1], size: [0.3, 0.1], angle: %g}]\n";

/* side: 1, or -1 for the mirror image. */
static pd_world *asymmetric_world(const char *method, double side) {
    char text[1200];
    snprintf(text, sizeof text, ASYMMETRIC, side * 0.1, side * 0.4, side * -0.4, side * 0.5, side * 30);
    return world_of_method(method, text, 1);
}

/* Makes image a copy (side 1) or the mirror image (side -1) of world, with positions displaced by `offset`, m. */
static void copy_state(const pd_world *world, pd_world *image, float side, float offset) {
    const pd_particles *from = &world->particles;
    pd_particles *to = &image->particles;
    assert_int_equal(to->count, from->count);
    for (int i = 0; i < to->count; i++) {
        float shift = i % 2 ? offset : -offset;
        to->id[i] = from->id[i];
        to->material[i] = from->material[i];
        to->x[i] = to->previous_x[i] = side * from->x[i] + shift;
        to->y[i] = to->previous_y[i] = from->y[i] + shift;
        to->vx[i] = side * from->vx[i];
        to->vy[i] = from->vy[i];
    }
}

/* RMS distance between particles and their copies (side 1) or mirror images (side -1), m. beyond: how many exceed
 * limit. */
static double rms_distance(const pd_world *world, const pd_world *image, double side, double limit, int *beyond) {
    enum { MOST = 4000 };
    static int index[MOST];
    pd_view a, b;
    double sum = 0;
    int count = 0;
    pd_world_view(world, &a), pd_world_view(image, &b);
    assert_true(a.count <= MOST && b.count == a.count);
    for (int i = 0; i < b.count; i++) index[b.id[i]] = i;
    for (int i = 0; i < a.count; i++) {
        int j = index[a.id[i]];
        double distance = hypot((double)a.x[i] - side * (double)b.x[j], (double)a.y[i] - (double)b.y[j]);
        sum += distance * distance / a.count;
        count += distance > limit;
    }
    if (beyond) *beyond = count;
    return sqrt(sum);
}

/* The tests below mirror the particles' state, not fields. */
static bool particles_mirror(const pd_method *method) { return is_free_of_order(method) && is_of_particles(method); }

/* From any mirrored state of a splash, the next step gives the mirrored result, except for a few nearly coincident
 * particles, for which rounding changes the direction between them. */
static void test_each_step_mirrors(void **state) {
    skip_under_sanitizers();
    pd_world *world = asymmetric_world(*state, 1), *image = asymmetric_world(*state, -1);
    int all = 0, deviating = 0;
    for (int frame = 0; frame < 60; frame++) {
        int beyond = 0;
        copy_state(world, image, -1, 0);
        pd_world_step(world), pd_world_step(image);
        rms_distance(world, image, -1, 1e-6, &beyond); /* positions are rounded to 6e-8 m */
        deviating += beyond;
        all += pd_world_particles(world);
    }
    print_message("%s: %d of %d steps of a particle end farther than 1e-6 m from their mirror image\n", (char *)*state,
                  deviating, all);
    assert_true(deviating < all / 1000);
    pd_world_destroy(world);
    pd_world_destroy(image);
}

/* A splash is chaotic: differences by rounding grow. The mirror image deviates at most twice as much as a copy whose
 * positions were changed in the last bit. */
static void test_mirror_image(void **state) {
    skip_under_sanitizers();
    pd_world *world = asymmetric_world(*state, 1), *image = asymmetric_world(*state, -1),
             *copy = asymmetric_world(*state, 1);
    copy_state(world, image, -1, 0);
    copy_state(world, copy, 1, 6e-8f);
    for (int frame = 1; frame <= 60; frame++) {
        pd_world_step(world), pd_world_step(image), pd_world_step(copy);
        double image_distance = rms_distance(world, image, -1, 0, NULL),
               copy_distance = rms_distance(world, copy, 1, 0, NULL);
        if (frame % 10 == 0)
            print_message("%s, frame %d: %.1e m from the mirror image, %.1e m from the perturbed copy\n",
                          (char *)*state, frame, image_distance, copy_distance);
        assert_true(image_distance < (frame <= 10 ? 1e-5 : 2 * copy_distance));
    }
    pd_world_destroy(world);
    pd_world_destroy(image);
    pd_world_destroy(copy);
}

/* The centre of mass of a symmetric fluid stays on the axis, and favours neither side of it. A splash amplifies rounding: off
 * walls that hold nothing back it throws the fluid up to 0.03 R to either side for a moment. Without viscosity, the flow that
 * carries tracers is turbulent after ten seconds and has amplified rounding to eddies. */
static void test_no_drift_to_one_side(void **state) {
    skip_under_sanitizers();
    skip_in_short();
    const int frames = is_of_particles(method_of(*state)) ? 1800 : 600;
    pd_world *world = world_of_method(*state,
                                      "container: {shape: circle, radius: 1}\nparticles: 2000\n"
                                      "regions: [{shape: circle, center: [0, 0], radius: 0.6}]\n",
                                      1);
    double mean = 0, worst = 0;
    for (int i = 0; i < frames; i++) {
        pd_world_step(world);
        double x = statistics_of(world).center_x;
        mean += x / frames;
        worst = fmax(worst, fabs(x));
    }
    print_message("%s: centre of mass: mean %.4f R, farthest %.4f R off the axis\n", (char *)*state, mean, worst);
    assert_true(worst < 0.05 && fabs(mean) < 0.002);
    pd_world_destroy(world);
}

/* ---- A single particle ---- */

static void test_free_fall(void **state) {
    pd_world *world = world_of_method(*state,
                                      "gravity: [0.5, -2]\ncontainer: {shape: none}\n"
                                      "regions: [{shape: circle, center: [0, 0], radius: 0.1, count: 1}]\n",
                                      1);
    step_many(world, 60);
    pd_view view;
    pd_world_view(world, &view);
    assert_float_equal(view.vx[0], 0.5, 1e-3);
    assert_float_equal(view.vy[0], -2, 1e-3);
    assert_float_equal(view.y[0], -1, 0.02); /* symplectic Euler: g t (t + dt)/2 */
    pd_world_destroy(world);
}

static bool has_divergence(const pd_method *method) {
    for (int i = 0; i < method->info.field_count; i++)
        if (strcmp(pd_method_field_at(&method->info, i)->name, "divergence") == 0) return true;
    return false;
}

/* Three times the root mean square of the divergence, in units of the legend's end. */
static double shown_divergence(const pd_field *field) {
    double squares = 0, cells = 0;
    for (int k = 0; k < field->nx * field->ny; k++) {
        if (isnan(field->values[k])) continue;
        squares += (double)field->values[k] * (double)field->values[k];
        cells++;
    }
    return 3 * sqrt(squares / cells) / (double)field->high;
}

/* What the solver leaves is seen, the legend seldom changes, and a fluid at rest is even. */
static void test_legend_of_divergence_follows_it(void **state) {
    enum { FRAMES = 60 };
    for (int gravity = 0; gravity < 2; gravity++) {
        char text[400];
        snprintf(text, sizeof text,
                 "gravity: [0, %d]\nparticles: 2000\ncontainer: {shape: box, width: 2, height: 1}\n"
                 "materials: {a: {color: '#ffffff', mass: %s}}\n"
                 "regions: [{shape: box, center: [-0.7, 0], size: [0.6, 1], material: a}]\n",
                 gravity ? -9 : 0, gravity ? "2" : "1");
        pd_world *world = world_of_method(*state, text, 1);
        int changes = 0;
        float last = 0;
        for (int frame = 0; frame < FRAMES; frame++) {
            pd_view view;
            pd_world_step(world);
            pd_world_view(world, &view);
            const pd_field *field = pd_view_field(&view, "divergence");
            double shown = shown_divergence(field);
            assert_true(field->low == -field->high && field->high > 0);
            if (!gravity) assert_true(shown < 0.05);
            if (gravity && frame >= FRAMES / 2) assert_in_range((int)(1000 * shown), 180, 1260); /* it flows */
            changes += field->high != last;
            last = field->high;
        }
        print_message("%s: the legend changes in %d of %d frames\n", (char *)*state, changes, FRAMES);
        assert_true(changes <= FRAMES / 5);
        pd_world_destroy(world);
    }
}

TEST_GROUP(methods) {
    const method_test tests[] = {
        OF_ALL(test_threads_agree_to_the_bit),
        OF_ALL(test_avx2_agrees_to_the_bit),
        OF_ALL(test_avx512_agrees_to_the_bit),
        OF_PARTICLES(test_momentum),
        {"test_each_step_mirrors", test_each_step_mirrors, particles_mirror},
        {"test_mirror_image", test_mirror_image, particles_mirror},
        OF_ALL(test_no_drift_to_one_side),
        OF_PARTICLES(test_free_fall),
        {"test_legend_of_divergence_follows_it", test_legend_of_divergence_follows_it, has_divergence},
    };
    return RUN_METHOD_TESTS(tests);
}
