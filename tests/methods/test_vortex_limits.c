/* Vortex particles where their approximations end: walls without slip, emitters at walls, tools, tracers that become a
 * liquid, legends of many weak vortices, flow too fast to follow. */
#include "methods.h"
#include "methods/vortex/vortex.h"

static pd_world *vortex_world(const char *text) { return world_of_method("vortex", text, 1); }

/* A bundled scene with vortices of this core, m, and half as much again in short form: less than half as many vortices. */
static pd_world *bundled_world(const char *name, int particles, float core) {
    pd_scene scene = bundled_scene_with(name, "vortex", particles);
    pd_error error;
    must(pd_scene_set_parameter(&scene, "vortex.core", in_short_run() ? 1.5f * core : core, &error), &error);
    pd_world *world = world_of(&scene, 1);
    pd_scene_free(&scene);
    return world;
}

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
    pd_world *world = world_of(&scene, 1);
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
    pd_world *world = bundled_world("flip-waterfall", 3000, 0.05f);
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

/* The greatest speed after some steps, in layers of decreasing density. */
static double speed_of_layers(const char *container, double *rms) {
    char text[600];
    snprintf(text, sizeof text,
             "gravity: [0, -9.81]\nparticles: 600\ncontainer: %s\n"
             "regions: [{shape: box, center: [0, -0.4], size: [1.7, 0.4], density: 0.2},\n"
             "          {shape: box, center: [0, -0.05], size: [1.7, 0.3], density: 0.1}]\n",
             container);
    pd_world *world = vortex_world(text);
    step_many(world, fewer_frames(60, 10));
    double speed = statistics_of(world).max_speed;
    *rms = statistics_of(world).rms_speed;
    print_message("%s: greatest speed %.2e m/s, rms %.2e m/s\n", container, speed, *rms);
    pd_world_destroy(world);
    return speed;
}

/* Fluid in level layers is at rest: in boxes to rounding, whether their sides are whole numbers of cells or not, in a bowl
 * nearly. */
static void layers_stay_still(void **state) {
    (void)state;
    double rms;
    assert_true(speed_of_layers("{shape: box, width: 1.7, height: 1.2}", &rms) < 1e-6);
    assert_true(speed_of_layers("{shape: box, width: 1.6547, height: 1.2}", &rms) < 1e-6);
    speed_of_layers("{shape: circle, radius: 0.6}", &rms);
    assert_true(rms < 0.005);
}

/* Sums of the positive and the negative circulation. */
static void circulations(const vortex_state *s, double sums[2]) {
    sums[0] = sums[1] = 0;
    for (int n = 0; n < s->count; n++) sums[s->circulation[n] < 0] += fabs((double)s->circulation[n]);
}

/* A mouth at a wall sends out a jet with a shear layer at each lip, which sheds U^2/2 a second, and not more. */
/* Only the part of a mouth that lies in the container sends out vortices: one that is far wider adds no more than fit into it. */
static void emitter_wider_than_the_container(void **state) {
    (void)state;
    pd_world *world = vortex_world(
        "gravity: [0, 0]\nparticles: 100\ncontainer: {shape: box, width: 2, height: 1}\n"
        "materials:\n  ink: {color: \"#ff5a4d\", mass: 1}\n"
        "regions: [{shape: circle, center: [0.5, 0], radius: 0.1, material: ink}]\n"
        "emitters: [{position: [-0.9, 0], direction: [1, 0], speed: 1, width: 100000, rate: 900, material: ink}]\n"
        "parameters: {vortex: {core: 0.07}}\n");
    const vortex_state *s = world->state;
    int before = s->count;
    step_many(world, 3);
    float cell = (float)s->mac->grid.cell, sent = 3 * world->scene.dt * world->scene.container.height / (cell * cell);
    print_message("%d vortices, %d more than at the start, %.1f due\n", s->count, s->count - before, (double)sent);
    assert_true((float)(s->count - before) < 3 * sent + 3);
    pd_world_destroy(world);
}

static void emitter_at_a_wall_drives_a_jet(void **state) {
    (void)state;
    pd_world *world =
        vortex_world("gravity: [0, 0]\nparticles: 10\ncontainer: {shape: box, width: 3, height: 2}\n"
                     "materials: {ink: {color: \"#ff5a4d\", mass: 0.5}}\n"
                     "emitters: [{position: [-1.5, 0], direction: [1, 0], speed: 1, width: 0.2, rate: 500}]\n"
                     "drains: [{shape: box, center: [1.45, 0], size: [0.1, 2]}]\n");
    step_many(world, fewer_frames(90, 90));
    vortex_state *s = world->state;
    float x[3] = {-1, -1, -1}, y[3] = {0, 0.3f, -0.3f}, vx[3], vy[3];
    double sums[2], due = 0.5 * 1.5;
    circulations(s, sums);
    pd_vortex_prepare_velocity_field(world, s, s->x, s->y);
    pd_vortex_compute_velocities(world, s, 3, x, y, vx, vy);
    print_message("%.2f m/s in the jet, %.2f and %.2f m/s beside it; circulations %.3f and -%.3f of %.3f m^2/s due\n",
                  (double)vx[0], (double)vx[1], (double)vx[2], sums[0], sums[1], due);
    assert_true(vx[0] > 0.7f && vx[0] < 1.5f);
    assert_true(fabsf(vx[1]) < 0.4f && fabsf(vx[2]) < 0.4f);
    for (int sign = 0; sign < 2; sign++) assert_true(sums[sign] > 0.5 * due && sums[sign] < 1.5 * due);
    assert_float_equal(sums[0], sums[1], 0.02 * due);
    pd_world_destroy(world);
}

/* A disc without slip in a stream of 2 m/s, which seven mouths at a wall make. */
static void wind_tunnel_stays_bounded(void **state) {
    (void)state;
    pd_world *world = bundled_world("wind-tunnel", 500, 0.03f);
    int most = 0;
    double fastest = 0;
    for (int frame = 0; frame < fewer_frames(60, 50); frame++) {
        pd_world_step(world);
        most = (int)fmax(most, (double)pd_world_substeps(world));
        fastest = fmax(fastest, statistics_of(world).max_speed);
    }
    print_message("at most %d substeps, greatest speed %.2f m/s\n", most, fastest);
    assert_true(most <= 4);
    assert_true(fastest < 6);
    pd_world_destroy(world);
}

/* Sum of the circulation's sizes after half a second of a tool in uniform fluid, or in one with a light drop beside it. */
static double left_by(pd_tool_kind kind, float speed, const char *regions) {
    char text[400];
    snprintf(text, sizeof text,
             "gravity: [0, 0]\nparticles: 100\ncontainer: {shape: box, width: 2, height: 2}\n%s"
             "parameters: {vortex: {tracers: 0}}\n",
             regions);
    pd_world *world = vortex_world(text);
    for (int n = 0; n < 30; n++) {
        pd_tool tool = {kind, {-0.25f * speed + speed * (float)n / 60, 0}, {speed, 0}, 0.2f, 0, 0};
        pd_world_set_tool(world, &tool);
        pd_world_step(world);
    }
    double sums[2], above = 0;
    const vortex_state *s = world->state;
    circulations(s, sums);
    for (int n = 0; n < s->count; n++) above += s->y[n] > 0 ? (double)s->circulation[n] : 0;
    print_message("tool %d at %.1f m/s: circulations %.4f and -%.4f m^2/s, above its path %.4f\n", (int)kind,
                  (double)speed, sums[0], sums[1], above);
    if (speed > 0) assert_true(above > 0.8 * sums[0]);
    assert_float_equal(sums[0], sums[1], 0.01 * sums[0] + 1e-6);
    pd_world_destroy(world);
    return sums[0];
}

/* A push or a pull that moves leaves the pair of a body, as a drag does. At rest its force is a gradient: it leaves nothing
 * in uniform fluid, but turns fluid of another density. */
static void push_and_pull_leave_vortices(void **state) {
    (void)state;
    static const char drop[] = "regions: [{shape: circle, center: [0.15, 0], radius: 0.1, density: -0.3}]\n";
    assert_true(left_by(PD_TOOL_DRAG, 0.8f, "") > 0.1);
    assert_true(left_by(PD_TOOL_PUSH, 0.8f, "") > 0.1);
    assert_true(left_by(PD_TOOL_PULL, 0.8f, "") > 0.1);
    assert_true(left_by(PD_TOOL_PUSH, 0, "") < 1e-6);
    assert_true(left_by(PD_TOOL_PUSH, 0, drop) > 0.003);
    assert_true(left_by(PD_TOOL_PULL, 0, drop) > 0.003);
}

/* Faster than it can be followed, the flow is slowed down and keeps its direction. */
static void tracers_circle_the_strongest_vortex(void **state) {
    (void)state;
    pd_world *world = vortex_world("gravity: [0, 0]\ncontainer: {shape: box, width: 2, height: 2}\n"
                                   "vortons: [{position: [0.1, 0.05], circulation: 1000000, core: 0.05}]\n"
                                   "parameters: {vortex: {tracers: 300}}\n");
    step_many(world, fewer_frames(10, 4));
    pd_statistics s = statistics_of(world);
    print_message("rms speed %.1f m/s, greatest %.1f m/s\n", s.rms_speed, s.max_speed);
    assert_true(s.rms_speed > 0.5 * s.max_speed);
    expect_sound(world);
    pd_world_destroy(world);
}

/* A snapshot of any world can be restored: speeds that no scene has make no vortices that none has. */
static void speeds_of_no_scene(void **state) {
    (void)state;
    pd_error error;
    void *bytes;
    size_t size;
    pd_world *world = world_of_text("puddle: 1\nmethod: flip\nparticles: 200\n"
                                    "regions: [{shape: circle, center: [0, 0], radius: 0.3}]\n",
                                    1);
    pd_world_step(world);
    for (int n = 0; n < world->particles.count; n++) world->particles.vx[n] = 1e28f * world->particles.y[n];
    assert_int_equal(pd_world_set_method(world, "vortex", &error), PD_OK);
    pd_world_step(world);
    assert_int_equal(pd_world_save_to_memory(world, &bytes, &size, &error), PD_OK);
    pd_result result = pd_world_restore_from_memory(world, bytes, size, &error);
    if (result != PD_OK) print_error("%s\n", error.message);
    assert_int_equal(result, PD_OK);
    pd_memory_free(bytes);
    pd_world_destroy(world);
}

TEST_GROUP(vortex_limits) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(disc_without_slip_keeps_circulation),
        cmocka_unit_test(legends_fit_many_weak_vortices),
        cmocka_unit_test(emitter_at_a_wall_stays_calm),
        cmocka_unit_test(added_tracers_become_a_liquid),
        cmocka_unit_test(layers_stay_still),
        cmocka_unit_test(emitter_wider_than_the_container),
        cmocka_unit_test(emitter_at_a_wall_drives_a_jet),
        cmocka_unit_test(wind_tunnel_stays_bounded),
        cmocka_unit_test(push_and_pull_leave_vortices),
        cmocka_unit_test(tracers_circle_the_strongest_vortex),
        cmocka_unit_test(speeds_of_no_scene),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
