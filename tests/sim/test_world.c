/* The world: properties of every method in every bundled scene, snapshots, tools, emitters and drains. */
#include "contract.h"

#include <unistd.h>

static void test_every_method_over_every_scene(void **state) {
    (void)state;
    for (int m = 0; m < pd_method_count(); m++) expect_contract_of_all_scenes(pd_method_at(m)->name, m);
}

static void test_unknown_method_is_refused(void **state) {
    (void)state;
    pd_scene scene = bundled_scene("drop");
    pd_world *world;
    pd_error error;
    strcpy(scene.method, "magic");
    assert_int_equal(create_with_threads(&world, &scene, 1, &error), PD_BAD_INPUT);
    assert_int_equal(error.code, PD_ERROR_METHOD_UNKNOWN);
    assert_null(world);
    pd_scene_free(&scene);
}

static const char *const FLOWING =
    "puddle: 1\n"
    "container: {shape: box, width: 2, height: 1}\n"
    "particles: 1500\n"
    "materials: {a: {color: '#ffffff'}, b: {color: '#0000ff', mass: 1.2}}\n"
    "regions: [{shape: box, center: [0, -0.3], size: [2, 0.4], material: a, fill: random}]\n"
    "emitters: [{position: [0, 0.4], direction: [0.2, -1], speed: 1, width: 0.1, rate: 300, material: b}]\n"
    "drains: [{shape: box, center: [0.95, -0.45], size: [0.1, 0.1]}]\n"
    "obstacles: [{shape: box, center: [0, -0.1], size: [0.5, 0.05], spin: 90, turn: 0.3}]\n";

static void test_snapshots_continue_to_the_bit(void **state) {
    (void)state;
    char path[TEMPORARY_SIZE];
    int file = mkstemp(temporary_template(path));
    assert_true(file >= 0);
    close(file);
    pd_error error = {0};
    pd_world *world = world_of_text(FLOWING, 2), *loaded;
    pd_tool tool = {PD_TOOL_DRAG, {0.2f, -0.2f}, {1, 0}, 0.2f};
    pd_world_set_tool(world, &tool);
    step_many(world, 47);
    set_parameter(world, "ddr.stiffness", 2.34567f);
    pd_world_set_gravity(world, (pd_vec2){0.3f, -1.1f});
    pd_world_step(world);
    assert_int_equal(pd_world_save(world, path, &error), PD_OK);
    if (load_with_threads(&loaded, path, 1, &error) != PD_OK) fail_msg("%s", error.message);
    assert_true(pd_world_hash(loaded) == pd_world_hash(world));
    for (int i = 0; i < 40; i++) {
        pd_world_step(world);
        pd_world_step(loaded);
    }
    assert_true(pd_world_hash(loaded) == pd_world_hash(world));
    assert_true(pd_world_time(loaded) == pd_world_time(world));
    pd_world_destroy(loaded);
    pd_world_destroy(world);
    unlink(path);
}

/* A slow emitter with a high rate: arrays grow while its mouth is occupied, and at other times in a world restored from
 * a snapshot. Results do not depend on it. */
static void test_growth_of_arrays_has_no_effect(void **state) {
    (void)state;
    pd_error error = {0};
    void *bytes;
    size_t size;
    pd_world *world = world_of_text("puddle: 1\ncontainer: {shape: circle, radius: 1}\n"
                                    "emitters: [{position: [0, 0], direction: [0, 1], speed: 0.5, width: 0.6,\n"
                                    "            rate: 20000}]\n",
                                    1);
    step_many(world, 20);
    assert_int_equal(pd_world_save_to_memory(world, &bytes, &size, &error), PD_OK);
    pd_world *loaded = world_of_text("puddle: 1\n", 1);
    if (pd_world_restore_from_memory(loaded, bytes, size, &error) != PD_OK) fail_msg("%s", error.message);
    for (int i = 0; i < 12; i++) { /* the arrays grow in step 10 */
        pd_world_step(world);
        pd_world_step(loaded);
        assert_int_equal(pd_world_particles(loaded), pd_world_particles(world));
    }
    assert_true(pd_world_hash(loaded) == pd_world_hash(world));
    assert_true(pd_world_particles(world) > 6000); /* it has grown */
    free(bytes);
    pd_world_destroy(loaded);
    pd_world_destroy(world);
}

/* A step made in parts has the same result. */
static void test_step_in_parts(void **state) {
    (void)state;
    pd_scene scene = scene_of_text(FLOWING);
    scene.substeps = 7;
    pd_world *whole = world_of(&scene, 1), *parts = world_of(&scene, 1);
    for (int i = 0; i < 10; i++) {
        int calls = 1;
        pd_world_step(whole);
        assert_false(pd_world_stepping(parts));
        for (; !pd_world_step_part(parts, 0); calls++) assert_true(pd_world_stepping(parts));
        assert_int_equal(calls, 7);
    }
    assert_true(pd_world_hash(whole) == pd_world_hash(parts));
    assert_false(pd_world_step_part(parts, 0));
    pd_world_reset(parts); /* within a step */
    assert_false(pd_world_stepping(parts));
    pd_world_reset(whole);
    step_many(whole, 5);
    step_many(parts, 5);
    assert_true(pd_world_hash(whole) == pd_world_hash(parts));
    pd_world_destroy(whole);
    pd_world_destroy(parts);
    pd_scene_free(&scene);
}

static const pd_substep_cost *cost_of(const pd_substep_cost *costs, int count, const char *key) {
    for (int i = 0; i < count; i++)
        if (strcmp(costs[i].key, key) == 0) return &costs[i];
    fail_msg("no cost of %s", key);
    return NULL;
}

/* The largest cost determines the number of substeps; each is named by the parameter that it depends on. */
static void test_costs(void **state) {
    (void)state;
    pd_scene scene = bundled_scene("drop");
    pd_world *world = world_of(&scene, 1);
    pd_substep_cost costs[PD_MAX_COSTS];
    set_parameter(world, "ddr.stiffness", 1200);
    int count = pd_world_substep_costs(world, costs);
    assert_true(count >= 2 && count <= PD_MAX_COSTS);
    for (int i = 1; i < count; i++) assert_true(costs[i - 1].substeps >= costs[i].substeps);
    assert_string_equal(costs[0].key, "ddr.stiffness");
    assert_float_equal(costs[0].value, 1200, 0);
    pd_world_step(world);
    assert_int_equal(pd_world_substeps(world), costs[0].substeps);
    set_parameter(world, "ddr.near_stiffness", 9000);
    count = pd_world_substep_costs(world, costs);
    assert_string_equal(costs[0].key, "ddr.near_stiffness");
    assert_true(cost_of(costs, count, "speed")->value > 0);
    pd_world_destroy(world);
    scene.substeps = 3;
    world = world_of(&scene, 1);
    assert_int_equal(pd_world_substep_costs(world, costs), 0);
    pd_world_destroy(world);
    pd_scene_free(&scene);
}

static void test_restoring_goes_back(void **state) {
    (void)state;
    pd_error error = {0};
    void *bytes;
    size_t size;
    pd_world *world = world_of_text(FLOWING, 2);
    step_many(world, 30);
    assert_int_equal(pd_world_save_to_memory(world, &bytes, &size, &error), PD_OK);
    uint64_t then = pd_world_hash(world);
    step_many(world, 30);
    uint64_t later = pd_world_hash(world);
    assert_true(later != then);
    if (pd_world_restore_from_memory(world, bytes, size, &error) != PD_OK) fail_msg("%s", error.message);
    assert_true(pd_world_hash(world) == then);
    assert_int_equal(pd_world_threads(world), 2);
    step_many(world, 30);
    assert_true(pd_world_hash(world) == later);
    free(bytes);
    pd_world_destroy(world);
}

/* A snapshot that is cut anywhere or has any byte changed is refused, and the world is unchanged. */
static void test_damaged_snapshots(void **state) {
    (void)state;
    pd_error error = {0};
    void *bytes;
    size_t size;
    pd_world *world = world_of_text(FLOWING, 1);
    step_many(world, 3);
    uint64_t hash = pd_world_hash(world);
    assert_int_equal(pd_world_save_to_memory(world, &bytes, &size, &error), PD_OK);
    for (size_t cut = 0; cut < size; cut += 1 + size / 97)
        assert_int_equal(pd_world_restore_from_memory(world, bytes, cut, &error), PD_BAD_INPUT);
    for (size_t at = 0; at < size; at += 1 + size / 97) {
        ((uint8_t *)bytes)[at] ^= 0x55;
        assert_int_equal(pd_world_restore_from_memory(world, bytes, size, &error), PD_BAD_INPUT);
        assert_true(error.code == PD_ERROR_SNAPSHOT_BROKEN || error.code == PD_ERROR_SNAPSHOT_VERSION);
        ((uint8_t *)bytes)[at] ^= 0x55;
    }
    assert_true(pd_world_hash(world) == hash);
    free(bytes);
    pd_world_destroy(world);
}

/* A drag imposes the pointer's velocity, a push repels, a pull attracts; particles far from the tool hardly move. */
static void test_tools(void **state) {
    (void)state;
    const char *text = "puddle: 1\ngravity: [0, 0]\ncontainer: {shape: circle, radius: 1}\nparticles: 1000\n"
                       "regions: [{shape: circle, center: [0, 0], radius: 0.7}]\n";
    for (pd_tool_kind kind = PD_TOOL_DRAG; kind <= PD_TOOL_PULL; kind++) {
        pd_world *world = world_of_text(text, 1);
        pd_tool tool = {kind, {0, 0}, {kind == PD_TOOL_DRAG ? 0.8f : 0, 0}, 0.3f};
        for (int i = 0; i < 10; i++) {
            pd_world_set_tool(world, &tool);
            pd_world_step(world);
        }
        pd_view view;
        pd_world_view(world, &view);
        double along = 0, outward = 0, far = 0;
        int near_count = 0, far_count = 0;
        for (int i = 0; i < view.count; i++) {
            double r = hypot(view.x[i], view.y[i]);
            if (r > 0.02 && r < 0.1) {
                near_count++;
                along += view.vx[i];
                outward += (view.vx[i] * view.x[i] + view.vy[i] * view.y[i]) / r;
            }
            if (r > 0.6) {
                far_count++;
                far += hypot(view.vx[i], view.vy[i]);
            }
        }
        assert_true(near_count > 0 || kind == PD_TOOL_PUSH);
        if (kind == PD_TOOL_DRAG) assert_true(along / near_count > 0.5 && along / near_count < 1.0);
        if (kind == PD_TOOL_PULL) assert_true(outward / near_count < 0.05);
        if (kind == PD_TOOL_PUSH) assert_true(near_count < 14); /* a hole opens; at rest there are 20 */
        assert_true(far / far_count < 0.3);
        pd_world_destroy(world);
    }
}

/* An emitter keeps to its rate and to its end (until); no particle stays in a drain. */
static void test_emitters_and_drains(void **state) {
    (void)state;
    pd_world *world = world_of_text("puddle: 1\ngravity: [0, -1]\ncontainer: {shape: box, width: 2, height: 2}\n"
                                    "emitters: [{position: [-0.5, 0.5], direction: [1, 0], speed: 1, width: 0.1,\n"
                                    "            rate: 240, until: 1.5}]\n"
                                    "drains: [{shape: box, center: [0, -0.9], size: [2, 0.2]}]\n",
                                    1);
    step_many(world, 60);
    assert_true(abs(pd_world_particles(world) - 240) <= 2);
    step_many(world, 30);
    int most = pd_world_particles(world);
    assert_true(abs(most - 360) <= 3);
    step_many(world, 30);
    assert_true(pd_world_particles(world) <= most); /* the emitter has ended */
    pd_view view;
    step_many(world, 300);
    pd_world_view(world, &view);
    for (int i = 0; i < view.count; i++) assert_true(view.y[i] > -0.8f);
    assert_true(view.count < most / 10);
    pd_world_destroy(world);
}

/* A container without a drain fills up; then the emitter sends out hardly anything, and densities stay bounded. */
static void test_emission_into_a_full_container(void **state) {
    (void)state;
    skip_under_sanitizers();
    pd_world *world = world_of_text("puddle: 1\ncontainer: {shape: box, width: 0.6, height: 0.4}\n"
                                    "emitters: [{position: [0, 0.15], direction: [0, -1], speed: 1, width: 0.1,\n"
                                    "            rate: 500}]\n",
                                    1);
    const int frames = fewer_frames(900, 300);
    step_many(world, frames);
    int full = pd_world_particles(world);
    step_many(world, frames);
    expect_sound(world);
    pd_statistics s;
    pd_world_statistics(world, &s);
    print_message("full at %d, later %d, mean density %.2f\n", full, s.particles, s.mean_density);
    assert_true(s.particles < full * 1.15);
    assert_true(s.mean_density < 12);
    pd_world_destroy(world);
}

/* No particle passes through a thin obstacle, however fast it is. */
static void test_obstacles_hold(void **state) {
    (void)state;
    skip_under_sanitizers();
    pd_world *world =
        world_of_text("puddle: 1\ngravity: [0, -50]\ncontainer: {shape: box, width: 2, height: 2}\n"
                      "particles: 1200\n"
                      "regions: [{shape: box, center: [0, 0.6], size: [1.2, 0.6], velocity: [0, -500]}]\n"
                      "obstacles: [{shape: polyline, points: [[-1, 0], [0, -0.2], [1, 0]], thickness: 0.004}]\n",
                      1);
    step_many(world, fewer_frames(240, 60));
    pd_view view;
    pd_world_view(world, &view);
    assert_int_equal(view.count, 1200);
    for (int i = 0; i < view.count; i++) assert_true(view.y[i] > -0.2f * (1 - fabsf(view.x[i])) - 0.005f);
    expect_sound(world);
    pd_world_destroy(world);
}

static void test_particles_change_and_reset(void **state) {
    (void)state;
    pd_error error = {0};
    pd_world *world = world_of_text(FLOWING, 1);
    float before, after;
    assert_int_equal(pd_world_parameter(world, "ddr.radius", &before, &error), PD_OK);
    assert_int_equal(pd_world_set_particle_count(world, 6000, &error), PD_OK);
    assert_int_equal(pd_world_particles(world), 6000);
    assert_int_equal(pd_world_parameter(world, "ddr.radius", &after, &error), PD_OK);
    assert_float_equal(after, before / 2, before * 0.01);
    assert_int_equal(pd_world_set_particle_count(world, 0, &error), PD_BAD_INPUT);
    assert_int_equal(pd_world_set_particle_count(world, PD_MAX_PARTICLES + 1, &error), PD_BAD_INPUT);
    assert_int_equal(pd_world_particles(world), 6000);
    set_parameter(world, "ddr.stiffness", 6);
    assert_int_equal(pd_world_set_particle_count(world, 1500, &error),
                     PD_OK); /* values that were set are scaled, too */
    assert_int_equal(pd_world_parameter(world, "ddr.stiffness", &after, &error), PD_OK);
    assert_float_equal(after, 3, 1e-3);
    assert_int_equal(pd_world_set_particle_count(world, 6000, &error), PD_OK);
    set_parameter(world, "ddr.stiffness", 3);
    pd_world_set_gravity(world, (pd_vec2){0, 0});
    pd_world_reset(world);
    assert_int_equal(pd_world_parameter(world, "ddr.stiffness", &after, &error), PD_OK);
    assert_float_equal(after, 3, 0);
    assert_float_equal(pd_world_gravity(world).y, 0, 0);
    assert_int_equal(pd_world_parameter_default(world, "ddr.stiffness", &before, &error), PD_OK);
    assert_int_equal(pd_world_reset_parameter(world, "ddr.stiffness", &error), PD_OK);
    assert_int_equal(pd_world_parameter(world, "ddr.stiffness", &after, &error), PD_OK);
    assert_float_equal(after, before, 0);
    /* The default scales with the resolution again. */
    assert_int_equal(pd_world_set_particle_count(world, 1500, &error), PD_OK);
    assert_int_equal(pd_world_parameter(world, "ddr.stiffness", &after, &error), PD_OK);
    assert_float_equal(after, before / 2, before * 0.01);
    assert_int_equal(pd_world_reset_parameter(world, "ddr.magic", &error), PD_BAD_INPUT);
    pd_world_destroy(world);
}

/* A scene built in C is checked against the same limits as a file. */
static void test_impossible_scenes(void **state) {
    (void)state;
    pd_scene scene = scene_of_text(FLOWING);
    pd_world *world;
    pd_error error;
    scene.regions[0].area.size.x = NAN;
    assert_int_equal(create_with_threads(&world, &scene, 1, &error), PD_BAD_INPUT);
    assert_null(world);
    scene.regions[0].area.size.x = 2;
    scene.emitters[0].rate = INFINITY;
    assert_int_equal(create_with_threads(&world, &scene, 1, &error), PD_BAD_INPUT);
    scene.emitters[0].rate = 300;
    scene.emitters[0].material = 2;
    assert_int_equal(create_with_threads(&world, &scene, 1, &error), PD_BAD_INPUT);
    scene.emitters[0].material = 1;
    assert_int_equal(create_with_threads(&world, &scene, 1, &error), PD_OK);
    pd_world_set_gravity(world, (pd_vec2){0, -1e30f});
    assert_true(pd_world_gravity(world).y == -PD_MAX_ACCELERATION);
    pd_world_set_gravity(world, (pd_vec2){NAN, 0});
    assert_true(pd_world_gravity(world).y == -PD_MAX_ACCELERATION);
    pd_world_destroy(world);
    pd_scene_free(&scene);
}

/* Tools with invalid or extreme values leave the world sound. */
static void test_impossible_tools(void **state) {
    (void)state;
    pd_world *world = world_of_text(FLOWING, 1);
    const pd_tool tools[] = {
        {PD_TOOL_DRAG, {NAN, 0}, {0, 0}, 1},    {PD_TOOL_PUSH, {0, 0}, {INFINITY, 0}, 1},
        {PD_TOOL_PULL, {0, 0}, {0, 0}, 0},      {PD_TOOL_DRAG, {0, 0}, {0, 0}, -1},
        {PD_TOOL_DRAG, {0, 0}, {0, 0}, NAN},    {PD_TOOL_DRAG, {1e30f, 0}, {1e30f, 0}, 1e30f},
        {PD_TOOL_PUSH, {0, 0}, {0, 0}, 1e-30f}, {PD_TOOL_PULL, {1e30f, 0}, {1e30f, 0}, 1e30f},
    };
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
        pd_world_set_tool(world, &tools[i]);
        step_many(world, 3);
        expect_sound(world);
    }
    pd_world_destroy(world);
}

/* The scenes with bands of smoke show them from the first picture on, all along the tunnel, and they stay. */
static void test_tunnels_begin_with_bands(void **state) {
    (void)state;
    const char *const scenes[] = {"wind-tunnel", "karman-street"};
    for (int s = 0; s < 2; s++) {
        pd_scene scene = bundled_scene(scenes[s]);
        pd_world *world = world_of(&scene, 1);
        for (int frame = 0; frame < (is_shortened() ? 8 : 120); frame++) {
            pd_view view;
            pd_world_view(world, &view);
            assert_in_range(view.count, 3000, 20000); /* tracers: a band of them has no gaps */
            const pd_field *smoke = pd_view_field(&view, "smoke");
            const int parts = 8, cells = smoke->nx * smoke->ny;
            for (int part = 0; part < parts; part++) {
                double amount = 0;
                for (int k = 0; k < smoke->layers * cells; k++)
                    if (k % smoke->nx * parts / smoke->nx == part && !isnan(smoke->values[k]))
                        amount += (double)smoke->values[k];
                if (!(amount > 0.02 * cells / parts))
                    fail_msg("%s, frame %d: part %d has %g cells of smoke", scenes[s], frame, part, amount);
            }
            pd_world_step(world);
        }
        pd_world_destroy(world);
        pd_scene_free(&scene);
    }
}

TEST_GROUP(world) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_method_over_every_scene),
        cmocka_unit_test(test_unknown_method_is_refused),
        cmocka_unit_test(test_snapshots_continue_to_the_bit),
        cmocka_unit_test(test_growth_of_arrays_has_no_effect),
        cmocka_unit_test(test_step_in_parts),
        cmocka_unit_test(test_costs),
        cmocka_unit_test(test_restoring_goes_back),
        cmocka_unit_test(test_damaged_snapshots),
        cmocka_unit_test(test_tools),
        cmocka_unit_test(test_emitters_and_drains),
        cmocka_unit_test(test_emission_into_a_full_container),
        cmocka_unit_test(test_obstacles_hold),
        cmocka_unit_test(test_particles_change_and_reset),
        cmocka_unit_test(test_impossible_scenes),
        cmocka_unit_test(test_impossible_tools),
        cmocka_unit_test(test_tunnels_begin_with_bands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
