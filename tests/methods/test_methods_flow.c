/* Methods of particles: comparison with an experiment (a dam break) and with an exact solution (an elliptical drop), and the same flow at every number of particles. */
#include "methods.h"

/* ---- Dam break ---- */

/* x of the surge front, m: the rightmost particle with MIN_NEIGHBOURS others within the radius. Single drops ahead of
 * it are not the front that was measured. */
static double surge_front(const pd_world *world) {
    enum { MIN_NEIGHBOURS = 3 };
    pd_view view;
    float front = -INFINITY;
    pd_world_view(world, &view);
    for (int i = 0; i < view.count; i++) {
        if (view.x[i] <= front) continue;
        int near = 0;
        for (int j = 0; j < view.count && near < MIN_NEIGHBOURS; j++)
            near += j != i && hypotf(view.x[j] - view.x[i], view.y[j] - view.y[i]) < view.radius;
        if (near == MIN_NEIGHBOURS) front = view.x[i];
    }
    return (double)front;
}

/* Martin, Moyce 1952: a column of water twice as high as wide; Z = front/width over T = t sqrt(2 g/width). */
static const double MEASURED[][2] = {{0.84, 1.22}, {1.43, 1.67}, {1.98, 2.33},
                                     {2.51, 3.00}, {2.98, 3.67}, {3.33, 4.11}};

/* Mean of the relative deviations from the measurements. */
static double deviation_of(const char *method) {
    enum { TIMES = sizeof MEASURED / sizeof *MEASURED };
    const double width = 0.5, scale = sqrt(2 * 9.81 / width), left = -1.5;
    pd_world *world = world_of_method(method,
                                      "gravity: [0, -9.81]\nparticles: 5000\n"
                                      "container: {shape: box, width: 3, height: 1.5}\n"
                                      "regions: [{shape: box, center: [-1.25, -0.25], size: [0.5, 1]}]\n",
                                      1);
    soften(world); /* as in docs/validation.md */
    double before = 0, front_before = 1, mean = 0;
    for (int k = 0; k < TIMES;) {
        pd_world_step(world);
        double now = pd_world_time(world) * scale, front = (surge_front(world) - left) / width;
        for (; k < TIMES && MEASURED[k][0] <= now; k++) {
            double fraction = (MEASURED[k][0] - before) / (now - before);
            double z = front_before + (front - front_before) * fraction, deviation = z / MEASURED[k][1] - 1;
            print_message("%s: T %.2f: Z %.2f, measured %.2f: %+.1f %%\n", method, MEASURED[k][0], z, MEASURED[k][1],
                          100 * deviation);
            mean += fabs(deviation) / TIMES;
        }
        before = now;
        front_before = front;
    }
    print_message("%s: %.1f %% from the experiment on average\n", method, 100 * mean);
    expect_sound(world);
    pd_world_destroy(world);
    return mean;
}

/* Double density relaxation is left out: with the soft parameters it is compressible, and deviates by 12.2 %. So is FLIP:
 * without friction its front is 14 % ahead; with that of the floor: tests/test_flip.c. */
static bool flows_like_water(const pd_method *method) {
    return is_of_particles(method) && strcmp(method->info.name, "ddr") != 0 && strcmp(method->info.name, "flip") != 0;
}

/* Walls with weight have no friction, so the fronts lead, like FLIP's: by 5 % (sph) and 12 % (pbf). Without weight the
 * crowded layer on the floor held them back: 2 % and 5 %. */
static void test_dam_break(void **state) {
    skip_under_sanitizers();
    double deviation = deviation_of(*state);
    assert_true(deviation < (strcmp(*state, "pbf") == 0 ? 0.13 : 0.08));
}

/* ---- Resolution ---- */

/* The defaults scale with the resolution, so that depth and density are the same. */
static void test_same_fluid_at_every_count(void **state) {
    skip_under_sanitizers();
    const int counts[] = {1000, 2500, 6000}, tried = in_short_run() ? 2 : 3;
    double depth[3], density[3];
    for (int k = 0; k < tried; k++) {
        pd_scene scene = scene_of_method(*state, "container: {shape: circle, radius: 1}\n"
                                                 "regions: [{shape: circle, center: [0, -0.3], radius: 0.66}]\n");
        assert_int_equal(pd_scene_set_particle_count(&scene, counts[k], NULL), PD_OK);
        pd_world *world = world_of(&scene, 1);
        step_many(world, 240);
        depth[k] = density[k] = 0;
        for (int i = 0; i < 60; i++) {
            pd_view view;
            pd_world_step(world);
            pd_world_view(world, &view);
            depth[k] += (statistics_of(world).center_y + 1) / 60;
            density[k] += statistics_of(world).mean_density / (double)view.rest_density / 60;
        }
        print_message("%s, %d particles: centre of mass %.4f m above the bottom, density %.3f of rest\n",
                      (char *)*state, counts[k], depth[k], density[k]);
        assert_int_equal(pd_world_particles(world), counts[k]);
        pd_world_destroy(world);
        pd_scene_free(&scene);
    }
    for (int k = 1; k < tried; k++) {
        assert_true(fabs(depth[k] / depth[0] - 1) < 0.08);
        assert_true(fabs(density[k] / density[0] - 1) < 0.08);
    }
}

/* ---- Elliptical drop ---- */

/* A disc with the velocity (-x, y)/s becomes an ellipse of the same area without gravity. Its half axis along y is 1.46 and
 * 2.00 radii after 0.4 and 0.8 s (Monaghan 1994, Simulating free surface flows with SPH). */
static void test_elliptical_drop(void **state) {
    const double radius = 0.3, longer[] = {1.46, 2.00};
    pd_world *world = world_of_method(*state,
                                      "gravity: [0, 0]\ncontainer: {shape: none}\nparticles: 1500\n"
                                      "regions: [{shape: circle, center: [0, 0], radius: 0.3, fill: rings}]\n",
                                      1);
    const pd_particles *p = &world->particles;
    for (int i = 0; i < p->count; i++) p->vx[i] = -p->x[i], p->vy[i] = p->y[i];
    for (int k = 0; k < 2; k++) {
        double squares = 0;
        step_many(world, 24);
        for (int i = 0; i < p->count; i++) squares += (double)p->y[i] * (double)p->y[i];
        double half_axis = 2 * sqrt(squares / p->count) / radius;
        print_message("%s: half axis of %.3f radii, exact: %.2f\n", (char *)*state, half_axis, longer[k]);
        assert_float_equal(half_axis, longer[k], 0.05 * longer[k]);
    }
    pd_world_destroy(world);
}

TEST_GROUP(methods_flow) {
    const method_test tests[] = {
        {"test_dam_break", test_dam_break, flows_like_water},
        OF_PARTICLES(test_same_fluid_at_every_count),
        OF_PARTICLES(test_elliptical_drop),
    };
    return RUN_METHOD_TESTS(tests);
}
