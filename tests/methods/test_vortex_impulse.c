/* What vortices give to walls, against theory: force = - d/dt of the impulse of all vortices, images included. */
#include "methods.h"

#include "methods/vortex/vortex.h"

static const double TURN = 6.28318530717958647692, DENSITY = 1000;

static pd_world *vortex_world(const char *text) { return world_of_method("vortex", text, 1); }

/* Impulse of a vortex beside a disc at rest in itself, with no circulation around the disc (Saffman, Vortex Dynamics 1992, ch. 3
 * and 7): rho G times (y, -x) of z - R^2/conj(z - z0). */
static pd_double2 impulse_of(const pd_world *world, double radius) {
    pd_view view;
    pd_world_view(world, &view);
    const pd_view_vortices *v = &view.vortices;
    pd_vec2 disc = view.obstacles[0].center;
    pd_double2 sum = {0, 0};
    for (int n = 0; n < v->count; n++) {
        double x = (double)v->x[n] - (double)disc.x, y = (double)v->y[n] - (double)disc.y, r2 = x * x + y * y;
        double part = radius * radius / r2, strength = DENSITY * (double)v->circulation[n];
        sum.x += strength * ((double)v->y[n] - part * y);
        sum.y -= strength * ((double)v->x[n] - part * x);
    }
    return sum;
}

/* Steps and sums up what the disc gets. */
static pd_double2 push_of(pd_world *world, int steps) {
    pd_double2 sum = {0, 0};
    for (int i = 0; i < steps; i++) {
        double x, y;
        pd_world_step(world);
        pd_world_impulse_on_obstacle(world, 0, &x, &y);
        sum.x += x;
        sum.y += y;
    }
    return sum;
}

/* A vortex draws a disc with rho G^2 R^2 / (2 pi r^3). */
static void test_a_vortex_draws_a_disc(void **state) {
    (void)state;
    pd_world *world = vortex_world("gravity: [0, 0]\ncontainer: {shape: none}\n"
                                   "obstacles: [{shape: circle, center: [0, 0], radius: 0.2}]\n"
                                   "vortons: [{position: [0.5, 0], circulation: 1, core: 0.05},\n"
                                   "          {position: [-0.5, 0], circulation: 0, core: 0.05}]\n" /* a large grid */
                                   "parameters: {vortex: {ambient_density: 1, tracers: 0, core: 0.02}}\n");
    pd_world_step(world);
    double x, y, dt = (double)pd_world_scene(world)->dt, force = DENSITY * 0.04 / (TURN * 0.125);
    pd_world_impulse_on_obstacle(world, 0, &x, &y);
    print_message("force %.2f, %.2f, theory %.2f N/m\n", x / dt, y / dt, force);
    assert_true(fabs(hypot(x, y) / dt / force - 1) < 0.05);
    assert_true(fabs(y) < 0.1 * fabs(x) && x > 0);
    pd_world_destroy(world);
}

/* A pair of vortices passes a disc that moves, or is at rest: in half a second the disc gets what their impulse loses. */
static void test_a_pair_passes_a_disc(void **state) {
    (void)state;
    static const char *const velocities[] = {"0, -0.3", "0, 0", "0.2, 0"};
    for (int k = 0; k < (in_short_run() ? 1 : 3); k++) {
        char text[500];
        snprintf(text, sizeof text,
                 "gravity: [0, 0]\ncontainer: {shape: none}\n"
                 "obstacles: [{shape: circle, center: [0.2, 0.55], radius: 0.2, velocity: [%s]}]\n"
                 "vortons: [{position: [-0.5, 0.15], circulation: -1, core: 0.05},\n"
                 "          {position: [-0.5, -0.15], circulation: 1, core: 0.05},\n"
                 "          {position: [-1.5, 0], circulation: 0, core: 0.05}]\n" /* a large grid */
                 "parameters: {vortex: {ambient_density: 1, tracers: 0, core: 0.06}}\n",
                 velocities[k]);
        pd_world *world = vortex_world(text);
        pd_world_step(world);
        pd_double2 before = impulse_of(world, 0.2), push = push_of(world, 30), after = impulse_of(world, 0.2);
        double lost_x = before.x - after.x, lost_y = before.y - after.y;
        print_message("velocity %s: the disc gets %.1f, %.1f; the vortices lose %.1f, %.1f N s/m\n", velocities[k],
                      push.x, push.y, lost_x, lost_y);
        assert_true(hypot(push.x - lost_x, push.y - lost_y) < 0.1 * hypot(lost_x, lost_y));
        pd_world_destroy(world);
    }
}

/* A disc that begins to move leaves the fluid the impulse of its added mass, rho pi R^2 U. */
static void test_a_disc_has_added_mass(void **state) {
    (void)state;
    pd_world *world = vortex_world("gravity: [0, 0]\ncontainer: {shape: none}\n"
                                   "obstacles: [{shape: circle, center: [0, 0], radius: 0.2}]\n"
                                   "vortons: [{position: [-1, 0], circulation: 0, core: 0.05}]\n"
                                   "parameters: {vortex: {tracers: 0, core: 0.04}}\n");
    const double speed = 0.3, dt = (double)pd_world_scene(world)->dt, added = DENSITY * TURN / 2 * 0.2 * 0.2 * speed;
    double sum = 0;
    pd_tool tool = {.kind = PD_TOOL_MOVE, .radius = 0.1f};
    pd_world_set_tool(world, &tool);
    pd_world_step(world);
    for (int i = 1; i <= 12; i++) {
        double x, y;
        tool.position.x = (float)(speed * dt * i);
        pd_world_set_tool(world, &tool);
        pd_world_step(world);
        pd_world_impulse_on_obstacle(world, 0, &x, &y);
        sum += x;
    }
    print_message("the disc gets %.2f, its added mass takes %.2f N s/m\n", sum, -added);
    assert_true(fabs(sum / added + 1) < 0.1);
    pd_world_destroy(world);
}

TEST_GROUP(vortex_impulse) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_vortex_draws_a_disc),
        cmocka_unit_test(test_a_pair_passes_a_disc),
        cmocka_unit_test(test_a_disc_has_added_mass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
