/* Vortex particles where their approximations end: walls without slip, emitters at walls, tracers that become a liquid,
 * legends of many weak vortices. */
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

/* A mouth at a wall: what the vortons cannot follow of its velocity does not accumulate there. */
static void emitter_at_a_wall_stays_calm(void **state) {
    (void)state;
    skip_under_thread_sanitizer();
    pd_scene scene = bundled_scene("flip-waterfall");
    strcpy(scene.method, "vortex");
    pd_world *world = world_of(&scene, 2);
    pd_scene_free(&scene);
    int most = 0;
    for (int frame = 0; frame < fewer_frames(120, 90); frame++) {
        pd_world_step(world);
        most = (int)fmax(most, (double)pd_world_substeps(world));
    }
    double fastest = statistics_of(world).max_speed; /* falling freely in fluid of half the mass: 3 m/s */
    print_message("at most %d substeps, greatest speed %.2f m/s\n", most, fastest);
    assert_true(most <= 4);
    assert_true(fastest < 5);
    pd_world_destroy(world);
}

/* Tracers that the method added are liquid for another one, and lie as far apart as that takes for rest. */
static void added_tracers_become_a_liquid(void **state) {
    (void)state;
    pd_error error;
    static const char *const methods[] = {"ddr", "sph", "pbf"};
    for (int m = 0; m < 3; m++) {
        pd_world *world = vortex_world("gravity: [0, 0]\ncontainer: {shape: circle, radius: 1}\n"
                                       "vortons: [{position: [0.5, 0], circulation: 0.3, core: 0.1}]\n"
                                       "parameters: {vortex: {tracers: 8000}}\n");
        step_many(world, 10);
        if (pd_world_set_method(world, methods[m], &error) != PD_OK) fail_msg("%s", error.message);
        step_many(world, fewer_frames(20, 5));
        print_message("%s: greatest speed %.2f m/s\n", methods[m], statistics_of(world).max_speed);
        assert_int_equal(pd_world_particles(world), 8000);
        assert_true(statistics_of(world).max_speed < 1);
        pd_world_destroy(world);
    }
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(disc_without_slip_keeps_circulation),
        cmocka_unit_test(legends_fit_many_weak_vortices),
        cmocka_unit_test(emitter_at_a_wall_stays_calm),
        cmocka_unit_test(added_tracers_become_a_liquid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
