/* Vortex particles where their approximations end: walls without slip. */
#include "methods.h"
#include "methods/vortex.h"

static pd_world *vortex_world(const char *text) { return world_of_method("vortex", text, 2); }

/* A stream of 1 m/s meets a disc without slip. What the disc takes from the fluid inside it appears as circulation at its
 * surface: none is lost, and the flow gains no energy. */
static void disc_without_slip_keeps_circulation(void **state) {
    (void)state;
    pd_world *world =
        vortex_world("gravity: [0, 0]\nparticles: 500\ncontainer: {shape: box, width: 3.2, height: 1.2, slip: false}\n"
                     "materials:\n  ink: {color: \"#ff5a4d\", mass: 0.5}\n"
                     "regions:\n  - {shape: box, center: [0, 0], size: [3.2, 0.4], material: ink, velocity: [1, 0]}\n"
                     "obstacles:\n  - {shape: circle, center: [-1, 0.005], radius: 0.075}\n");
    const vortex_state *s = world->state;
    double all = 0, sum = 0, fastest = 0;
    for (int frame = 0; frame < fewer_frames(60, 30); frame++) {
        pd_world_step(world);
        fastest = fmax(fastest, statistics_of(world).max_speed);
    }
    for (int n = 0; n < s->count; n++) {
        sum += (double)s->circulation[n];
        all += fabs((double)s->circulation[n]);
    }
    print_message("circulation %.4f of %.3f in all, greatest speed %.3f m/s\n", sum, all, fastest);
    assert_true(fabs(sum) < 0.01 * all);
    assert_true(fastest < 2);
    pd_world_destroy(world);
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(disc_without_slip_keeps_circulation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
