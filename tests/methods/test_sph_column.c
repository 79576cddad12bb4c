/* SPH with near pressure: a column of fluid at rest carries its own weight. */
#include "methods.h"

/* Layers from the bottom to the initial surface. */
enum { LAYERS = 20 };

typedef struct column {
    double pressure[LAYERS], particles[LAYERS]; /* sums over all samples; particles: their number */
    double above[LAYERS];                       /* number of particles above the layer's middle */
} column;

static const double DEPTH = 1, WIDTH = 0.5, BOTTOM = -0.6;

/* Adds one sample, of the particles at least two radii away from the side walls. */
static void add_sample(const pd_world *world, column *c) {
    pd_view view;
    pd_world_view(world, &view);
    double clear = WIDTH / 2 - 2 * (double)view.radius, thickness = DEPTH / LAYERS;
    for (int i = 0; i < view.count; i++) {
        double height = (double)view.y[i] - BOTTOM;
        int layer = (int)(height / thickness);
        if (fabs((double)view.x[i]) > clear) continue;
        if (layer < LAYERS) {
            c->pressure[layer] += (double)pressure_of(&view)[i];
            c->particles[layer]++;
        }
        for (int k = 0; k < LAYERS; k++) c->above[k] += height > (k + 0.5) * thickness;
    }
}

/* The pressure in each layer, two radii away from bottom and surface, equals the weight of the fluid above it. */
static void test_pressure_equals_the_weight(void **state) {
    (void)state;
    skip_under_sanitizers();
    const int samples = fewer_frames(600, 200);
    static column c;
    pd_world *world = world_of_method("sph",
                                      "gravity: [0, -9.81]\nparticles: 2000\n"
                                      "container: {shape: box, width: 0.5, height: 1.2}\n"
                                      "regions: [{shape: box, center: [0, -0.1], size: [0.5, 1]}]\n",
                                      1);
    step_many(world, fewer_frames(600, 300));
    for (int i = 0; i < samples; i++) {
        pd_world_step(world);
        add_sample(world, &c);
    }
    pd_view view;
    pd_world_view(world, &view);
    double h = (double)view.radius, worst = 0, across = WIDTH - 4 * h, top = 0;
    for (int i = 0; i < view.count; i++) top = fmax(top, (double)view.y[i] - BOTTOM);
    for (int k = 0; k < LAYERS; k++) {
        double height = (k + 0.5) * DEPTH / LAYERS;
        if (height < 2 * h || height > top - 2 * h) continue;
        double pressure = c.pressure[k] / c.particles[k],
               weight = 9.81 * particle_mass_of(world) * c.above[k] / samples / across;
        print_message("height %.3f: pressure %6.0f, weight %6.0f per metre: %+.1f %%\n", height, pressure, weight,
                      100 * (pressure / weight - 1));
        worst = fmax(worst, fabs(pressure / weight - 1));
    }
    print_message("rms speed %.2e of sqrt(gL), surface at %.3f m, pressure and weight differ by %.1f %% at most\n",
                  statistics_of(world).rms_speed / speed_scale_of(world), top, 100 * worst);
    assert_true(worst < 0.1);
    pd_world_destroy(world);
}

TEST_GROUP(sph_column) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pressure_equals_the_weight)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
