/* Surface tension: drops become round, ring with Rayleigh's period and merge, alike at every resolution. */
#include "methods.h"

#include "methods/particle_fluid/tension.h"

static const double PI = 3.141592653589793;
static const double ENERGY = 1.4 / 0.43128, COHESION = 11.018; /* kappa H / Gamma, and a / kappa */

static bool has_tension(const pd_method *method) { return has_parameter(method, "surface_tension"); }
#define WITH_TENSION(test)                                                                                             \
    { #test, test, has_tension }

enum { MOST_TEXT = 600 };
static const double RADIUS = 0.3; /* m, of the drop that an ellipse becomes */

/* An ellipse of this aspect without gravity, in a container of the size that the defaults follow. start: another place, and
 * another arrangement of the particles. */
static pd_world *heavy_ellipse(const char *method, int particles, double aspect, double gamma, int start, double mass) {
    char text[MOST_TEXT];
    snprintf(text, sizeof text,
             "gravity: [0, 0]\nparticles: %d\ncontainer: {shape: circle, radius: 1}\n"
             "materials: {a: {color: '#ffffff', mass: %g}}\n"
             "regions: [{shape: ellipse, center: [%g, %g], size: [%g, %g]}]\nparameters: {%s: {surface_tension: %g}}\n",
             particles, mass, 0.0071 * start, 0.0033 * start, 2 * RADIUS * sqrt(aspect), 2 * RADIUS / sqrt(aspect),
             method, gamma);
    return world_of_method(method, text, 1);
}

static pd_world *ellipse(const char *method, int particles, double aspect, double gamma, int start) {
    return heavy_ellipse(method, particles, aspect, gamma, start, 1);
}

/* An ellipse of this aspect without gravity in a scene without container: the default parameters follow the size of the
 * ellipse. */
static pd_world *ellipse_alone(const char *method, int particles, double aspect, double gamma) {
    char text[MOST_TEXT];
    snprintf(text, sizeof text,
             "gravity: [0, 0]\nparticles: %d\ncontainer: {shape: none}\n"
             "regions: [{shape: ellipse, center: [0, 0], size: [%g, %g]}]\nparameters: {%s: {surface_tension: %g}}\n",
             particles, 2 * RADIUS * sqrt(aspect), 2 * RADIUS / sqrt(aspect), method, gamma);
    return world_of_method(method, text, 1);
}

static bool is_ddr(const char *method) { return strcmp(method, "ddr") == 0; }

/* What is 2 : 1 at the start is round 20 s later (15 s in short form), with momentum 0 to rounding. How round depends on the
 * arrangement of the particles: the mean of three, of two in short form. */
static void test_ellipses_become_round(void **state) {
    skip_under_sanitizers();
    const char *method = *state;
    const int counts[] = {300, 1500}, starts = in_short_run() ? 2 : 3;
    for (int k = 0; k < (in_short_run() ? 1 : 2); k++) {
        double aspect = 0, momentum = 0;
        for (int start = 0; start < starts; start++) {
            pd_world *world = ellipse(method, counts[k], 2, is_ddr(method) ? 0.005 : 0.01, start);
            motion before = motion_of(world);
            step_many(world, fewer_frames(1200, 900));
            motion after = motion_of(world);
            aspect += aspect_of(world) / starts;
            momentum = fmax(momentum, hypot(after.x - before.x, after.y - before.y) / counts[k]);
            pd_world_destroy(world);
        }
        print_message("%s, %d particles: aspect %.3f in the end, momentum %.1e m/s a particle\n", method, counts[k],
                      aspect, momentum);
        assert_true(aspect < (is_ddr(method) ? 1.1 : 1.15));
        assert_true(momentum < 1e-6);
    }
}

/* Half the logarithm of the ratio of the moments about x and y: how long the drop is. */
static double length_of(const pd_world *world) {
    pd_view view;
    pd_statistics s;
    double xx = 0, yy = 0;
    pd_world_view(world, &view);
    pd_world_statistics(world, &s);
    for (int i = 0; i < view.count; i++) {
        xx += pow((double)view.x[i] - s.center_x, 2);
        yy += pow((double)view.y[i] - s.center_y, 2);
    }
    return log(xx / yy) / 2;
}

/* The sum of squares that a damped oscillation of this angular frequency and damping leaves of the samples, at times that are
 * numbered. */
static double misfit(const double *sample, int count, double frequency, double damping) {
    double cc = 0, cs = 0, ss = 0, c = 0, s = 0, sum = 0;
    for (int i = 0; i < count; i++) {
        double x = exp(-damping * i) * cos(frequency * i), y = exp(-damping * i) * sin(frequency * i);
        cc += x * x;
        cs += x * y;
        ss += y * y;
        c += x * sample[i];
        s += y * sample[i];
        sum += sample[i] * sample[i];
    }
    return sum - (c * c * ss - 2 * c * s * cs + s * s * cc) / (cc * ss - cs * cs);
}

/* The period, in samples, of the damped oscillation that fits best. */
static double period_of(const double *sample, int count) {
    double least = INFINITY, best = 0;
    for (double period = count / 8.0; period < count; period += count / 400.0) {
        for (double turns = 0; turns < 4; turns += 0.1) { /* the damping in a period */
            double left = misfit(sample, count, 2 * PI / period, turns / period);
            if (left < least) best = period;
            least = fmin(least, left);
        }
    }
    return best;
}

static pd_world *inviscid_ellipse(const char *method, int particles, double gamma, int start, bool alone) {
    pd_world *world =
        alone ? ellipse_alone(method, particles, 1.3, gamma) : ellipse(method, particles, 1.3, gamma, start);
    bool sph = strcmp(method, "sph") == 0, pbf = strcmp(method, "pbf") == 0;
    set_own_parameter(world, sph ? "viscosity" : pbf ? "xsph" : "linear_viscosity", 0);
    return world;
}

/* Measures the period of mode 2 of a drop, from 1.3 : 1, s, and compares it with Rayleigh's: omega^2 = 6 Gamma/R^3 in two
 * dimensions. starts: number of initial arrangements of the particles, over which the period is averaged. alone: without container. */
static void expect_rayleighs_period(const char *method, int particles, double gamma, int starts, bool alone) {
    enum { SAMPLES = 100 };
    const double theory = 2 * PI / sqrt(6 * gamma / (RADIUS * RADIUS * RADIUS));
    const int steps = (int)round(theory * 3 * 60 / SAMPLES);
    double period = 0, sample[SAMPLES], loudest = 0;
    for (int start = 0; start < starts; start++) {
        pd_world *world = inviscid_ellipse(method, particles, gamma, start, alone);
        for (int i = 0; i < SAMPLES; i++) {
            sample[i] = length_of(world);
            if (i > SAMPLES / 6 && i < SAMPLES / 4) loudest = fmin(loudest, sample[i]);
            step_many(world, steps);
        }
        period += period_of(sample, SAMPLES) * steps / 60 / starts;
        pd_world_destroy(world);
    }
    print_message("%s, %d particles: period %.2f s, Rayleigh's %.2f s, after half a period %.2f as long as wide\n",
                  method, particles, period, theory, exp(loudest));
    assert_true(fabs(period / theory - 1) < 0.15);
    assert_true(loudest < -0.05); /* it rings: what was long is wide */
}

static void test_drops_ring(void **state) {
    skip_under_sanitizers();
    const char *method = *state;
    expect_rayleighs_period(method, 300, 0.01, in_short_run() ? 2 : 3, false);
    if (in_short_run()) return;
    expect_rayleighs_period(method, 1500, 0.01, 3, false);
    expect_rayleighs_period(method, 6000, 0.0035, 1, true);
}

/* A film of one, two or three rows of particles on the floor, with room at both ends, lies on it: along the film the lowest
 * particles are at the floor, within a third of a spacing. */
static void test_films_lie_on_the_floor(void **state) {
    enum { COLUMNS = 40 };
    const double spacing = 0.02;
    for (int rows = 1; rows <= 3; rows += in_short_run() ? 2 : 1) {
        char text[MOST_TEXT];
        snprintf(
            text, sizeof text,
            "particles: %d\ncontainer: {shape: box, width: 2, height: 1.2}\n"
            "regions: [{shape: box, center: [0, %g], size: [1, %g]}]\nparameters: {%s: {surface_tension: 0.008}}\n",
            50 * rows, -0.6 + rows * spacing / 2, rows * spacing, (char *)*state);
        pd_world *world = world_of_method(*state, text, 1);
        pd_view view;
        double low[COLUMNS], height = 0;
        int covered = 0, above = 0;
        step_many(world, 600);
        pd_world_view(world, &view);
        for (int c = 0; c < COLUMNS; c++) low[c] = INFINITY;
        for (int i = 0; i < view.count; i++) {
            double at = (double)view.y[i] + 0.6;
            int c = (int)(((double)view.x[i] + 1) / 2 * COLUMNS);
            c = c < COLUMNS ? c : COLUMNS - 1;
            low[c] = fmin(low[c], at);
            height += at / view.count;
        }
        for (int c = 0; c < COLUMNS; c++) {
            covered += isfinite(low[c]);
            above += isfinite(low[c]) && low[c] > spacing / 3;
        }
        print_message("%s, %d rows: mean height %.2f spacings, %d of %d columns above the floor\n", (char *)*state,
                      rows, height / spacing, above, covered);
        assert_true(above <= 1); /* the edge of a drop may overhang */
        expect_sound(world);
        pd_world_destroy(world);
    }
}

/* Two drops that touch become one round drop within 25 s, within 10 s in short form. */
static void test_drops_merge(void **state) {
    skip_under_sanitizers();
    char text[MOST_TEXT];
    snprintf(
        text, sizeof text,
        "gravity: [0, 0]\nparticles: 400\ncontainer: {shape: circle, radius: 1}\n"
        "regions: [{shape: circle, center: [-0.2, 0], radius: 0.2}, {shape: circle, center: [0.2, 0], radius: 0.2}]\n"
        "parameters: {%s: {surface_tension: 0.01}}\n",
        (char *)*state);
    pd_world *world = world_of_method(*state, text, 1);
    double before = aspect_of(world);
    step_many(world, fewer_frames(1500, 600));
    print_message("%s: aspect %.3f, in the end %.3f\n", (char *)*state, before, aspect_of(world));
    assert_true(before > 2);
    assert_true(aspect_of(world) < 1.2);
    pd_world_destroy(world);
}

/* On random particles the sum of all kicks is 0, and they are the negative gradient of the energy. */
static void test_kicks_are_a_gradient(void **state) {
    use_level(*state);
    enum { COUNT = 60 };
    const double h = 0.1, density = 900;
    pd_world *world =
        world_of_text("puddle: 1\nmethod: sph\ngravity: [0, 0]\ncontainer: {shape: none}\n"
                      "regions: [{shape: circle, center: [0, 0], radius: 0.13, fill: random, count: 60}]\n",
                      1);
    tension t = {0};
    pd_error error = {0};
    assert_int_equal(pd_tension_enable(&t, true, &error), PD_OK);
    assert_int_equal(pd_tension_resize(&t, COUNT, &error), PD_OK);
    tension_rule force = {.gamma = {0.01f}, .radius = (float)h, .rest_density = (float)density};
    pd_tension_apply(&t, world, &force, 1e-3f, 1e9f);
    const pd_particles *p = &world->particles;
    double sum_x = 0, sum_y = 0, most = 0, worst = 0;
    for (int i = 0; i < COUNT; i++) {
        sum_x += (double)p->vx[i];
        sum_y += (double)p->vy[i];
        most = fmax(most, hypot((double)p->vx[i], (double)p->vy[i]));
    }
    for (int i = 0; i < COUNT; i++) {
        double energy[2];
        for (int side = 0; side < 2; side++) {
            double step = side ? -1e-5 : 1e-5;
            energy[side] = 0;
            for (int a = 0; a < COUNT; a++) {
                double nx = 0, ny = 0, near = 0;
                for (int b = 0; b < COUNT; b++) {
                    double dx = (double)p->x[a] - (double)p->x[b] + (a == i ? step : 0) - (b == i ? step : 0);
                    double dy = (double)p->y[a] - (double)p->y[b], q = fmax(h * h - dx * dx - dy * dy, 0);
                    nx -= 24 / (PI * pow(h, 8)) * q * q * dx * h / density;
                    ny -= 24 / (PI * pow(h, 8)) * q * q * dy * h / density;
                    near += 4 / (PI * pow(h, 8)) * q * q * q;
                }
                double missing = fmax(1 - near / density, 0);
                energy[side] += ENERGY * 0.01 / h / 2 * (nx * nx + ny * ny + COHESION * missing * missing);
            }
        }
        double kick = -(energy[0] - energy[1]) / 2e-5 * 1e-3;
        worst = fmax(worst, fabs(kick - (double)p->vx[i]));
    }
    print_message("%s: kicks up to %.2e m/s, %.1e of that off the gradient, their sum %.1e\n", pd_simd_name(), most,
                  worst / most, hypot(sum_x, sum_y) / most);
    assert_true(worst < 1e-4 * most);
    assert_true(hypot(sum_x, sum_y) < 1e-5 * most);
    pd_tension_free(&t);
    pd_world_destroy(world);
}

/* What the floor hides, and its slope upwards times h, of all particles, moved upwards by `rise`. */
static void find_floor(tension *t, pd_world *world, float h, float rise, double hidden[], double slope[]) {
    enum { MOST = 256, PADDING = 64 };
    const pd_particles *p = &world->particles;
    float y[MOST] = {0};
    assert_in_range(p->count, 1, MOST - PADDING);
    for (int i = 0; i < p->count; i++) y[i] = p->y[i] + rise;
    pd_walls_rule rule = {.radius = h, .weight = 1, .smooth_near_kernel = true, .x = p->x, .y = y};
    pd_walls_compute_weights(&t->walls, world, &rule);
    for (int i = 0; i < p->count; i++) {
        hidden[i] = (double)t->walls.weight[t->walls.index[i]].hidden.near;
        slope[i] = (double)t->walls.weight[t->walls.index[i]].hidden.near_slope[1];
    }
}

/* The energy of particles on a floor, with i higher by `rise`. near: the floor's part and its slope. */
static double energy_on_floor(const pd_particles *p, int i, double rise, double h, double density, double affinity,
                              const double *const near[2], const double *const moved[2]) {
    double energy = 0;
    for (int a = 0; a < p->count; a++) {
        double nx = 0, ny = 0, filled = 0, hidden = (a == i ? moved : near)[0][a],
               slope = (a == i ? moved : near)[1][a];
        for (int b = 0; b < p->count; b++) {
            double dx = (double)p->x[a] - (double)p->x[b];
            double dy = (double)p->y[a] - (double)p->y[b] + (a == i ? rise : 0) - (b == i ? rise : 0);
            double q = fmax(h * h - dx * dx - dy * dy, 0);
            nx -= 24 / (PI * pow(h, 8)) * q * q * dx * h / density;
            ny -= 24 / (PI * pow(h, 8)) * q * q * dy * h / density;
            filled += 4 / (PI * pow(h, 8)) * q * q * q / density;
        }
        double both = fmax(1 - filled - hidden, 0), alone = fmax(1 - filled, 0);
        energy += nx * nx + ny * ny + affinity * (2 * ny * slope + slope * slope);
        energy += COHESION * (affinity * both * both + (1 - affinity) * alone * alone);
    }
    return ENERGY * 0.01 / h / 2 * energy;
}

/* On a floor at 120 and 60 degrees too, for fluid that is stretched, compressed a little, and much. */
static void test_kicks_on_a_floor_are_a_gradient(void **state) {
    use_level(*state);
    enum { COUNT = 100 };
    const double h = 0.1, step = 1e-3, densities[] = {5000, 2500, 1200}, affinities[] = {0.5, 1.5};
    for (int k = 0; k < 6; k++) {
        double affinity = affinities[k / 3], near[3][2][COUNT], most = 0, worst = 0;
        pd_world *world =
            world_of_text("puddle: 1\nmethod: sph\ngravity: [0, 0]\ncontainer: {shape: box, width: 2, height: 2}\n"
                          "regions: [{shape: box, center: [0, -0.9], size: [0.2, 0.2], fill: random, count: 100}]\n",
                          1);
        const pd_particles *p = &world->particles;
        tension t = {0};
        pd_error error = {0};
        assert_int_equal(pd_tension_enable(&t, true, &error), PD_OK);
        assert_int_equal(pd_tension_resize(&t, COUNT, &error), PD_OK);
        tension_rule force = {.gamma = {0.01f},
                              .radius = (float)h,
                              .rest_density = (float)densities[k % 3],
                              .wall_density = 1,
                              .wetting = {(float)affinity - 1}};
        pd_tension_apply(&t, world, &force, 1e-3f, 1e9f);
        for (int side = 0; side < 3; side++)
            find_floor(&t, world, (float)h, (float)step * (float)(side - 1), near[side][0], near[side][1]);
        for (int i = 0; i < COUNT; i++) {
            const double *still[2] = {near[1][0], near[1][1]};
            double up = energy_on_floor(p, i, step, h, densities[k % 3], affinity, still,
                                        (const double *[2]){near[2][0], near[2][1]});
            double down = energy_on_floor(p, i, -step, h, densities[k % 3], affinity, still,
                                          (const double *[2]){near[0][0], near[0][1]});
            most = fmax(most, fabs((double)p->vy[i]));
            worst = fmax(worst, fabs((down - up) / (2 * step) * 1e-3 - (double)p->vy[i]));
        }
        print_message("%s, A %.1f, rest density %.0f: kicks up to %.2e m/s, %.1e of that off the gradient\n",
                      pd_simd_name(), affinity, densities[k % 3], most, worst / most);
        assert_true(worst < 0.01 * most);
        pd_tension_free(&t);
        pd_world_destroy(world);
    }
}

/* A method sorts the particles between two substeps: their kicks are the same, with the lists of the first one. */
static void test_kicks_do_not_depend_on_the_order(void **state) {
    use_level(*state);
    enum { COUNT = 300 };
    pd_world *world =
        world_of_text("puddle: 1\nmethod: sph\ngravity: [0, 0]\ncontainer: {shape: box, width: 0.5, height: 0.5}\n"
                      "regions: [{shape: circle, center: [0, 0], radius: 0.24, fill: random, count: 300}]\n",
                      1);
    tension t = {0};
    pd_error error = {0};
    assert_int_equal(pd_tension_enable(&t, true, &error), PD_OK);
    assert_int_equal(pd_tension_resize(&t, COUNT, &error), PD_OK);
    tension_rule force = {.gamma = {0.01f}, .radius = 0.1f, .rest_density = 1700, .wall_density = 1};
    const pd_particles *p = &world->particles;
    float kick_x[COUNT], kick_y[COUNT];
    for (int substep = 0; substep < 4; substep++) {
        uint64_t sorts = world->neighbours.sorts;
        world->substeps_done = substep;
        memset(p->vx, 0, sizeof kick_x);
        memset(p->vy, 0, sizeof kick_y);
        pd_tension_apply(&t, world, &force, 1e-3f, 1e9f);
        assert_int_equal(world->neighbours.sorts, sorts);
        for (int i = 0; i < COUNT; i++) {
            uint32_t id = p->id[i];
            if (substep > 0) assert_true(p->vx[i] == kick_x[id] && p->vy[i] == kick_y[id]);
            kick_x[id] = p->vx[i];
            kick_y[id] = p->vy[i];
        }
        assert_true(hypotf(kick_x[0], kick_y[0]) > 0);
        if (substep < 2)
            pd_neighbours_sort(&world->neighbours, &world->particles, 0.11f - 0.06f * (float)substep, NULL);
    }
    world->substeps_done = 0;
    pd_tension_free(&t);
    pd_world_destroy(world);
}

/* Two materials whose tensions differ: the kicks' sum is 0, and without overlap of their tensions those of the one that has none
 * are 0. */
static void test_kicks_of_materials(void **state) {
    use_level(*state);
    enum { COUNT = 400 };
    pd_world *world = world_of_text(
        "puddle: 1\nmethod: sph\ngravity: [0, 0]\ncontainer: {shape: none}\n"
        "materials: {a: {color: '#ffffff', surface_tension: 0.01}, b: {color: '#ffffff'}}\n"
        "regions: [{shape: box, center: [-0.1, 0], size: [0.2, 0.3], fill: random, count: 200, material: a}, "
        "{shape: box, center: [0.1, 0], size: [0.2, 0.3], fill: random, count: 200, material: b}]\n",
        1);
    const pd_particles *p = &world->particles;
    const float second[] = {0, 0.004f};
    for (int k = 0; k < 2; k++) {
        tension t = {0};
        pd_error error = {0};
        assert_int_equal(pd_tension_enable(&t, true, &error), PD_OK);
        assert_int_equal(pd_tension_resize(&t, COUNT, &error), PD_OK);
        tension_rule force = {.gamma = {0.01f, second[k]}, .radius = 0.1f, .rest_density = 3300};
        memset(p->vx, 0, COUNT * sizeof *p->vx);
        memset(p->vy, 0, COUNT * sizeof *p->vy);
        pd_tension_apply(&t, world, &force, 1e-3f, 1e9f);
        double x = 0, y = 0, most[2] = {0};
        for (int i = 0; i < COUNT; i++) {
            double kick = hypot((double)p->vx[i], (double)p->vy[i]);
            x += (double)p->vx[i];
            y += (double)p->vy[i];
            most[p->material[i]] = fmax(most[p->material[i]], kick);
        }
        print_message("%s: kicks up to %.2e and %.2e m/s, their sum %.1e\n", pd_simd_name(), most[0], most[1],
                      hypot(x, y) / most[0]);
        assert_true(most[0] > 0 && (most[1] > 0) == (second[k] > 0));
        assert_true(hypot(x, y) < 1e-4 * most[0]);
        pd_tension_free(&t);
    }
    pd_world_destroy(world);
}

/* A material's own tension does what the method's parameter does, bit for bit, also where it is given to a running world, and
 * where it is taken from it. */
static void test_materials_have_their_own(void **state) {
    uint64_t hash[3];
    for (int k = 0; k < 3; k++) {
        pd_world *world = ellipse(*state, 300, 2, k == 1 ? 0.01 : 0, 0);
        pd_error error = {0};
        if (k == 2) assert_int_equal(pd_world_set_property(world, 0, PD_TENSION, 0.01f, &error), PD_OK);
        assert_float_equal(pd_world_property(world, 0, PD_TENSION), k ? 0.01f : 0, 0);
        step_many(world, 30);
        hash[k] = view_hash(world);
        if (k == 2) assert_int_equal(pd_world_set_property(world, 0, PD_TENSION, NAN, &error), PD_OK);
        if (k == 2) assert_float_equal(pd_world_property(world, 0, PD_TENSION), 0, 0);
        pd_world_destroy(world);
    }
    assert_true(hash[0] != hash[1]);
    assert_true(hash[1] == hash[2]);
}

static bool has_contact_angle(const pd_method *method) { return has_parameter(method, "contact_angle"); }

/* Moments about the centre, along the wall over across it, of a segment of a disc that meets the wall at this angle. */
static double moments_of_angle(double angle) {
    enum { SLICES = 1000 };
    double area = 0, xx = 0, y = 0, yy = 0;
    for (int i = 0; i < SLICES; i++) {
        double at = (1 - cos(angle)) * (i + 0.5) / SLICES, half = sqrt(1 - pow(at + cos(angle), 2));
        area += half;
        xx += pow(half, 3) / 3;
        y += half * at;
        yy += half * at * at;
    }
    return (xx / area) / (yy / area - pow(y / area, 2));
}

/* A drop that rests on the floor without gravity is a segment of a disc, whose angle is about the one asked for. */
static void test_drops_meet_walls_at_the_contact_angle(void **state) {
    const double asked[] = {60, 90, 120}, within[] = {20, 15, 15};
    for (int k = 0; k < 3; k++) {
        char text[MOST_TEXT];
        snprintf(text, sizeof text,
                 "gravity: [0, 0]\nparticles: 300\ncontainer: {shape: box, width: 2, height: 2}\n"
                 "regions: [{shape: box, center: [0, -0.81], size: [0.75, 0.38]}]\n"
                 "parameters: {%s: {surface_tension: %g, contact_angle: %g}}\n",
                 (char *)*state, is_ddr(*state) ? 0.005 : 0.01, asked[k]);
        pd_world *world = world_of_method(*state, text, 1);
        double ratio = 0, low = 0.1, high = 3.1;
        step_many(world, fewer_frames(900, 450));
        for (int i = 0; i < 150; i++) {
            pd_world_step(world);
            ratio += exp(2 * length_of(world)) / 150;
        }
        while (high - low > 1e-3) { /* the ratio falls with the angle */
            double middle = (low + high) / 2;
            if (moments_of_angle(middle) > ratio)
                low = middle;
            else
                high = middle;
        }
        print_message("%s: contact angle %.0f, asked %.0f\n", (char *)*state, low * 180 / PI, asked[k]);
        assert_true(fabs(low * 180 / PI - asked[k]) < within[k]);
        pd_world_destroy(world);
    }
}

/* What the wall's part of the tension gives to the fluid, the wall gets. */
static void test_walls_get_the_opposite(void **state) {
    (void)state;
    pd_world *world =
        world_of_text("puddle: 1\nmethod: sph\ngravity: [0, 0]\ncontainer: {shape: box, width: 2, height: 2}\n"
                      "regions: [{shape: box, center: [0.7, -0.9], size: [0.6, 0.2], fill: random, count: 300}]\n",
                      1);
    tension t = {0};
    pd_error error = {0};
    assert_int_equal(pd_tension_enable(&t, true, &error), PD_OK);
    assert_int_equal(pd_tension_resize(&t, world->particles.count, &error), PD_OK);
    tension_rule force = {.gamma = {0.01f}, .radius = 0.1f, .rest_density = 2500, .wall_density = 1, .wetting = {0.5f}};
    pd_tension_apply(&t, world, &force, 1e-3f, 1e9f);
    pd_impulses_add_chunks_to_totals(pd_boundary_impulses(world->boundary));
    motion after = motion_of(world);
    double x, y;
    pd_world_impulse_on_obstacle(world, PD_CONTAINER_WALL, &x, &y);
    x /= particle_mass_of(world);
    y /= particle_mass_of(world);
    print_message("fluid %.3e %.3e, walls %.3e %.3e\n", after.x, after.y, x, y);
    assert_true(hypot(after.x, after.y) > 1e-3);
    assert_true(hypot(after.x + x, after.y + y) < 1e-4 * hypot(after.x, after.y));
    pd_tension_free(&t);
    pd_world_destroy(world);
}

/* At the ends of the sliders, a mass of 0.001 and a tension of 10 m^3/s^2, and between: a drop stays together, at the density that
 * it has without tension, and does not boil. */
static void test_light_drops_stay_together(void **state) {
    skip_under_sanitizers();
    const float masses[] = {1, 0.1f, 0.001f}, tensions[] = {0, 0.01f, 10};
    for (int k = 0; k < 9; k++) {
        float mass = masses[k / 3];
        if (mass < 0.01f && strcmp(*state, "sph") == 0) continue; /* its pressure takes 1,024 substeps then */
        pd_world *world = heavy_ellipse(*state, 300, 2, (double)tensions[k % 3], 0, (double)mass);
        step_many(world, 150);
        pd_statistics s;
        pd_view view;
        double square = 0;
        pd_world_statistics(world, &s);
        pd_world_view(world, &view);
        for (int i = 0; i < view.count; i++)
            square += (pow((double)view.x[i] - s.center_x, 2) + pow((double)view.y[i] - s.center_y, 2)) / view.count;
        double radius = sqrt(2 * square);
        print_message("%s, mass %g, tension %g: radius %.3f m, rms speed %.3f m/s\n", (char *)*state, (double)mass,
                      (double)tensions[k % 3], radius, s.rms_speed);
        assert_true(radius < 1.15 * RADIUS); /* 1.12: as long as at the start */
        assert_true(s.rms_speed < 0.2);
        pd_world_destroy(world);
    }
}

TEST_GROUP(tension) {
    const method_test tests[] = {
        WITH_TENSION(test_ellipses_become_round),
        WITH_TENSION(test_drops_ring),
        WITH_TENSION(test_drops_merge),
        WITH_TENSION(test_films_lie_on_the_floor),
        WITH_TENSION(test_materials_have_their_own),
        {"test_drops_meet_walls_at_the_contact_angle", test_drops_meet_walls_at_the_contact_angle, has_contact_angle},
        ONCE(test_walls_get_the_opposite),
        WITH_TENSION(test_light_drops_stay_together),
    };
    const struct CMUnitTest levels[] = {
        AT_EVERY_LEVEL(test_kicks_are_a_gradient), AT_EVERY_LEVEL(test_kicks_on_a_floor_are_a_gradient),
        AT_EVERY_LEVEL(test_kicks_of_materials), AT_EVERY_LEVEL(test_kicks_do_not_depend_on_the_order)};
    int failed = cmocka_run_group_tests(levels, NULL, NULL);
    return failed + RUN_METHOD_TESTS(tests);
}
