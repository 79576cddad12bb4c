/* Vortex particles where their approximations end: walls without slip, legends of many weak vortices. */
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

/* Mean of a field over the upper end of its legend. */
static double mean_part(pd_world *world, const char *name) {
    pd_view view;
    pd_world_view(world, &view);
    const pd_field *field = pd_view_field(&view, name);
    double sum = 0;
    int cells = 0;
    assert_non_null(field->values);
    for (int k = 0; k < field->nx * field->ny; k++) {
        if (!isfinite(field->values[k])) continue;
        sum += fmin(fabs((double)field->values[k] / (double)field->high), 1);
        cells++;
    }
    return sum / cells;
}

/* A layer of many weak vortices is as fast as all of them together. */
static void legends_fit_many_weak_vortices(void **state) {
    (void)state;
    pd_scene scene = bundled_scene_with("kelvin-helmholtz", "vortex", 1000);
    pd_world *world = world_of(&scene, 2);
    pd_scene_free(&scene);
    pd_world_step(world);
    double speed = mean_part(world, "speed");
    print_message("mean speed %.2f of the legend\n", speed);
    assert_true(speed > 0.1 && speed < 0.7);
    pd_world_destroy(world);
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(disc_without_slip_keeps_circulation),
        cmocka_unit_test(legends_fit_many_weak_vortices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
