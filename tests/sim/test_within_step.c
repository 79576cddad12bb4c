/* Changes within a step complete the step first. */
#include "logs.h"

static const char *const BUSY =
    "puddle: 1\nname: Busy\nmethod: %s\nparticles: 250\nsubsteps: 4\ncontainer: {shape: box, width: 2, height: 1.2}\n"
    "materials: {a: {color: '#ffffff', mass: 1.3}, b: {color: '#3a8fff'}, c: {color: '#101010'}}\n"
    "regions: [{shape: circle, center: [-0.4, 0], radius: 0.25, material: a},\n"
    "          {shape: box, center: [0.4, -0.3], size: [0.7, 0.4], material: b, fill: random}]\n"
    "obstacles: [{shape: circle, center: [0.7, 0.4], radius: 0.08, velocity: [-0.3, 0], turn: 1}]\n"
    "emitters: [{position: [-0.9, 0.5], direction: [1, -0.5], speed: 1, width: 0.1, rate: 200, material: a}]\n"
    "drains: [{shape: circle, center: [0.8, -0.5], radius: 0.1}]\n"
    "parameters: {grid: {resolution: 32}, vortex: {core: 0.15}}\n";
static const char *const PATH = "within_step.log";

static pd_world *busy(const char *method) {
    char text[2000];
    snprintf(text, sizeof text, BUSY, method);
    return world_of_text(text, 1);
}

/* Within the first step. */
static pd_world *within(const char *method) {
    pd_world *world = busy(method);
    pd_world_step(world);
    assert_false(pd_world_step_part(world, 0));
    assert_true(pd_world_stepping(world));
    return world;
}

static pd_command tool(pd_tool_kind kind, float x, float y) {
    return (pd_command){PD_COMMAND_TOOL, .is.tool = {kind, {x, y}, {1, 0.5f}, 0.2f, 0, kind == PD_TOOL_MOVE ? 0 : -1}};
}

static pd_command gravity(float x, float y) { return (pd_command){PD_COMMAND_GRAVITY, .is.gravity = {x, y}}; }

static pd_command parameter(const char *key, float value) {
    pd_command command = {PD_COMMAND_PARAMETER, .is.parameter.value = value};
    snprintf(command.is.parameter.key, sizeof command.is.parameter.key, "%s", key);
    return command;
}

/* ---- Random commands at random moments ---- */

static uint32_t random_state;

static int pick(int count) {
    random_state = random_state * 1664525u + 1013904223u;
    return (int)((random_state >> 8) % (uint32_t)count);
}

static float between(float low, float high) { return low + (high - low) * (float)pick(10001) / 10000; }

static pd_command any_edit(const pd_world *world) {
    const pd_scene *now = pd_world_scene(world);
    pd_error error = {0};
    pd_command command;
    pd_scene scene;
    must(pd_scene_copy(&scene, now, &error), &error);
    int what = pick(6), last = scene.material_count - 1;
    const pd_obstacle box = {.area = {.shape = PD_SHAPE_BOX,
                                      .center = {between(-0.9f, 0.9f), between(-0.5f, 0.5f)},
                                      .size = {between(0.02f, 0.3f), 0.05f}}};
    const pd_material extra = {.name = "extra", .mass = 2, .property = {NAN, NAN, NAN, NAN, NAN}};
    if (what < 2) pd_scene_add_obstacle(&scene, &box, NULL);
    if (what == 2 && scene.obstacle_count > 0) pd_scene_remove_obstacle(&scene, pick(scene.obstacle_count), NULL);
    if (what == 3) pd_scene_add_material(&scene, &extra, NULL);
    if (what == 4) pd_scene_remove_material(&scene, pick(2) ? last : 0, NULL); /* the fluid may have it */
    if (what == 5) scene.materials[last].mass = between(0.5f, 2);
    must(pd_command_edit(&command, now, &scene, &error), &error);
    pd_scene_free(&scene);
    return command;
}

static pd_command any_command(const pd_world *world) {
    static const pd_tool_kind kinds[] = {PD_TOOL_NONE, PD_TOOL_DRAG, PD_TOOL_PUSH,
                                         PD_TOOL_MOVE, PD_TOOL_POUR, PD_TOOL_ERASE};
    static const char *const keys[] = {"ddr.stiffness", "ddr.radius", "sph.stiffness", "flip.resolution", "no.key"};
    static const char *const methods[] = {"ddr", "sph", "flip", "grid"};
    pd_command command;
    switch (pick(14)) {
    case 0:
        return gravity(between(-2, 2), between(-2, 2));
    case 1:
    case 2:
        return parameter(keys[pick(5)], pick(3) ? between(0.05f, 60) : NAN);
    case 3:
    case 4:
        return (pd_command){PD_COMMAND_PROPERTY,
                            .is.property = {pick(4), pick(2) ? PD_VISCOSITY : PD_YIELD, between(-1, 2)}};
    case 5:
        command = (pd_command){.kind = PD_COMMAND_METHOD};
        snprintf(command.is.method, sizeof command.is.method, "%s", methods[pick(4)]);
        return command;
    case 6:
    case 7:
    case 8:
        return any_edit(world);
    case 9:
        if (pick(4)) return gravity(0, -1);
        return (pd_command){.kind = pick(2) ? PD_COMMAND_RESET : PD_COMMAND_RESTART};
    case 10:
        if (pick(4)) return gravity(0, 1);
        return (pd_command){PD_COMMAND_PARTICLES, .is.particles = 150 + pick(200)};
    default:
        command = tool(kinds[pick(6)], between(-1, 1), between(-0.6f, 0.6f));
        command.is.tool.obstacle = pick(3) - 1;
        command.is.tool.material = pick(3);
        return command;
    }
}

/* A step of both worlds. In the first, commands come within the step; in the second, the same commands come after it. */
static void random_step(pd_log *log, pd_world *world, pd_log *other_log, pd_world *other, int *completed) {
    uint64_t tick = pd_log_tick(log);
    while (pd_log_tick(log) == tick) {
        if (pd_world_step_part(world, 0)) {
            pd_log_end_step(log, world);
            step(other_log, other);
        }
        for (int k = pick(3); k > 0; k--) {
            pd_error error = {0}, other_error = {0};
            pd_command command = any_command(world);
            bool within = pd_world_stepping(world);
            pd_result result = pd_log_do(log, world, &command, &error);
            bool completes = within && !pd_world_stepping(world);
            if (completes) step(other_log, other);
            if (!within || completes) assert_int_equal(pd_log_do(other_log, other, &command, &other_error), result);
            if (!within || completes) assert_string_equal(other_error.message, error.message);
            *completed += completes;
            pd_command_free(&command);
        }
    }
}

static void at_random_moments(void **state) {
    (void)state;
    static const char *const methods[] = {"ddr", "sph", "flip", "grid", "pbf"};
    int completed = 0;
    for (int run = 0; run < (in_short_run() ? 5 : 20); run++) {
        random_state = (uint32_t)run + 1;
        pd_world *world = busy(methods[run % 5]), *other = busy(methods[run % 5]), *again;
        pd_log *log = log_of(world), *other_log = log_of(other);
        pd_error error = {0};
        for (int k = 0; k < fewer_frames(60, 30); k++) {
            random_step(log, world, other_log, other, &completed);
            if (pd_world_hash(world) != pd_world_hash(other)) fail_msg("run %d, step %d differs", run, k);
        }
        assert_true(pd_log_tick(log) == pd_log_tick(other_log));
        assert_int_equal(pd_log_commands(log), pd_log_commands(other_log));
        uint64_t hash = pd_world_hash(world);
        must(pd_log_write(log, world, 0, PATH, &error), &error);
        pd_log *read = reread(PATH, &again, 2, NULL);
        play_exactly(read, again, hash);
        discard(read, again);
        must(pd_log_seek(log, world, 0, &error), &error);
        play_exactly(log, world, hash);
        discard(log, world);
        discard(other_log, other);
    }
    assert_true(completed > 100);
    remove(PATH);
}

/* ---- Functions ---- */

enum { WAYS = 9 };

/* Changes a world by one function each way. */
static void change(pd_world *world, int way) {
    const pd_tool drag = {PD_TOOL_DRAG, {0.1f, 0.2f}, {1, 0}, 0.3f, 0, 0};
    pd_error error = {0};
    if (way == 0) pd_world_set_tool(world, &drag);
    if (way == 1) pd_world_set_gravity(world, (pd_vec2){1e9f, -2});
    if (way == 2) must(pd_world_set_parameter(world, "ddr.stiffness", 30, &error), &error);
    if (way == 3) must(pd_world_reset_parameter(world, "ddr.stiffness", &error), &error);
    if (way == 4) must(pd_world_set_property(world, 1, PD_VISCOSITY, 0.7f, &error), &error);
    if (way == 5) must(pd_world_set_method(world, "sph", &error), &error);
    if (way == 6) must(pd_world_set_particle_count(world, 300, &error), &error);
    if (way == 7) pd_world_reset(world);
    if (way == 8) must(pd_world_set_scene(world, pd_world_scene(world), &error), &error);
}

static void functions_complete_the_step(void **state) {
    (void)state;
    for (int way = 0; way < WAYS; way++) {
        pd_world *world = within("ddr"), *other = busy("ddr");
        for (int i = 0; i < 2; i++) pd_world_step(other);
        change(world, way);
        change(other, way);
        assert_false(pd_world_stepping(world));
        if (pd_world_hash(world) != pd_world_hash(other)) fail_msg("way %d", way);
        for (int i = 0; i < 3; i++) pd_world_step(world), pd_world_step(other);
        if (pd_world_hash(world) != pd_world_hash(other)) fail_msg("way %d", way);
        pd_world_destroy(world);
        pd_world_destroy(other);
    }
}

/* The command comes at the tick after the step, and undo and redo complete a step too. */
static void logs_complete_the_step(void **state) {
    (void)state;
    pd_world *world = busy("ddr");
    pd_log *log = log_of(world);
    pd_error error = {0};
    uint64_t tick;
    order(log, world, parameter("ddr.stiffness", 30));
    assert_false(pd_world_step_part(world, 0));
    order(log, world, gravity(1, 2));
    assert_int_equal(pd_log_tick(log), 1);
    pd_log_command(log, 1, &tick);
    assert_int_equal(tick, 1);
    assert_false(pd_world_step_part(world, 0));
    must(pd_log_undo(log, world, &error), &error);
    assert_true(pd_world_gravity(world).y < 0);
    assert_int_equal(pd_log_tick(log), 1);
    assert_false(pd_world_step_part(world, 0));
    must(pd_log_redo(log, world, &error), &error);
    assert_float_equal(pd_world_gravity(world).y, 2, 0);
    assert_int_equal(pd_log_tick(log), 2);
    assert_false(pd_world_stepping(world));
    discard(log, world);
}

/* Restoring a snapshot abandons the step: the state is the saved one. */
static void restored_states_abandon_the_step(void **state) {
    (void)state;
    for (int way = 0; way < 2; way++) {
        pd_world *world = busy("ddr");
        pd_log *log = log_of(world);
        pd_error error = {0};
        void *bytes;
        size_t size;
        step(log, world);
        step(log, world);
        must(pd_world_save_to_memory(world, &bytes, &size, &error), &error);
        uint64_t hash = pd_world_hash(world);
        assert_false(pd_world_step_part(world, 0));
        if (way == 0) must(pd_world_restore_from_memory(world, bytes, size, &error), &error);
        if (way == 1) must(pd_log_seek(log, world, 2, &error), &error);
        assert_false(pd_world_stepping(world));
        assert_true(pd_world_hash(world) == hash);
        free(bytes);
        discard(log, world);
    }
}

/* Half a step cannot be saved. */
static void saving_needs_a_whole_step(void **state) {
    (void)state;
    pd_world *world = within("ddr");
    pd_error error = {0};
    pd_command command;
    pd_scene scene;
    pd_log *log;
    void *bytes = NULL;
    size_t size;
    assert_int_equal(pd_world_save_to_memory(world, &bytes, &size, &error), PD_BAD_INPUT);
    assert_int_equal(error.code, PD_ERROR_USAGE);
    assert_null(bytes);
    assert_int_equal(pd_world_save(world, PATH, NULL), PD_BAD_INPUT);
    assert_int_equal(pd_world_state_as_scene(world, &scene, &error), PD_BAD_INPUT);
    assert_int_equal(scene.region_count, 0);
    assert_int_equal(pd_command_state(&command, world, &error), PD_BAD_INPUT);
    assert_int_equal(pd_log_create(&log, world, &error), PD_BAD_INPUT);
    assert_null(log);
    assert_true(pd_world_stepping(world));
    pd_world_destroy(world);
}

TEST_GROUP(within_step) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_random_moments),         cmocka_unit_test(functions_complete_the_step),
        cmocka_unit_test(logs_complete_the_step),    cmocka_unit_test(restored_states_abandon_the_step),
        cmocka_unit_test(saving_needs_a_whole_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
