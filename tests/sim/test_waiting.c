/* Commands at any time: those within an unfinished step are checked at once, wait for its end, and are then the same as if they
 * were given between two steps. */
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
static const char *const PATH = "waiting.log";

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

static void complete(pd_world *world) {
    while (!pd_world_step_part(world, 0)) continue;
}

static int waiting(const pd_world *world) {
    int count = 0;
    while (pd_world_waiting_command(world, count)) count++;
    return count;
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

static void apply(pd_world *world, pd_command command) {
    pd_error error = {0};
    must(pd_world_apply(world, &command, &error), &error);
}

static void apply_line(pd_world *world, const char *line) {
    pd_command command = command_of_line(line, NULL);
    apply(world, command);
    pd_command_free(&command);
}

/* The edit that adds a wall to the scene of the next step. */
static pd_command wall(const pd_world *world, float x, float y, float size) {
    const pd_obstacle box = {.area = {.shape = PD_SHAPE_BOX, .center = {x, y}, .size = {size, size}}};
    pd_error error = {0};
    pd_command command;
    pd_scene scene;
    must(pd_scene_copy(&scene, pd_world_scene_of_next_step(world), &error), &error);
    must(pd_scene_add_obstacle(&scene, &box, &error), &error);
    must(pd_command_edit(&command, pd_world_scene_of_next_step(world), &scene, &error), &error);
    pd_scene_free(&scene);
    return command;
}

static void build(pd_world *world, float x, float y, float size) {
    pd_command command = wall(world, x, y, size);
    apply(world, command);
    pd_command_free(&command);
}

/* ---- Random commands at random moments ---- */

static uint32_t random_state;

static int pick(int count) {
    random_state = random_state * 1664525u + 1013904223u;
    return (int)((random_state >> 8) % (uint32_t)count);
}

static float between(float low, float high) { return low + (high - low) * (float)pick(10001) / 10000; }

static pd_command any_edit(const pd_world *world) {
    const pd_scene *now = pd_world_scene_of_next_step(world);
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

/* The commands that wait, given to another world between two steps with the same results. */
typedef struct copies {
    pd_command commands[64];
    int count;
} copies;

static void copy_waiting(copies *list, const pd_world *world) {
    const pd_command *command;
    pd_error error = {0};
    for (list->count = 0; (command = pd_world_waiting_command(world, list->count)); list->count++)
        must(pd_command_copy(&list->commands[list->count], command, &error), &error);
}

static void give(copies *list, pd_log *log, pd_world *world, pd_world *from) {
    for (int i = 0; i < list->count; i++) {
        pd_error error = {0}, late = {0};
        const pd_command *waited = pd_world_next_command_result(from, &late);
        assert_true(waited && waited->kind == list->commands[i].kind);
        pd_result result = pd_log_do(log, world, &list->commands[i], &error);
        assert_int_equal(late.code, result == PD_OK ? PD_ERROR_NONE : error.code);
        if (result != PD_OK) assert_string_equal(late.message, error.message);
        pd_command_free(&list->commands[i]);
    }
    assert_null(pd_world_next_command_result(from, NULL));
    assert_null(pd_world_waiting_command(from, 0));
    list->count = 0;
}

/* A step of both worlds; of the first in parts, with commands in between. */
static void random_step(pd_log *log, pd_world *world, pd_log *other_log, pd_world *other, int *late) {
    copies list;
    bool ended = false, whole = false;
    while (!whole && !ended) {
        whole = pd_world_step_part(world, 0);
        for (int k = pick(3); !whole && !ended && k > 0; k--) {
            pd_command command = any_command(world);
            bool stays = pd_world_stepping(world);
            copy_waiting(&list, world);
            int before = list.count;
            pd_result result = pd_log_do(log, world, &command, NULL);
            ended = stays && !pd_world_stepping(world);
            if (ended) { /* what waited comes after it, or is dropped */
                pd_log_do(other_log, other, &command, NULL);
                if (command.kind == PD_COMMAND_RESTART) list.count = 0;
                for (int i = list.count; i < before; i++) pd_command_free(&list.commands[i]);
            } else {
                for (int i = 0; i < before; i++) pd_command_free(&list.commands[i]);
                if (result != PD_OK) assert_int_equal(waiting(world), before);
            }
            pd_command_free(&command);
        }
    }
    if (whole) {
        copy_waiting(&list, world);
        *late += list.count;
        step(other_log, other);
        pd_log_end_step(log, world);
    }
    give(&list, other_log, other, world);
}

static void at_random_moments(void **state) {
    (void)state;
    static const char *const methods[] = {"ddr", "sph", "flip", "grid", "pbf"};
    int late = 0;
    for (int run = 0; run < (in_short_run() ? 5 : 20); run++) {
        random_state = (uint32_t)run + 1;
        pd_world *world = busy(methods[run % 5]), *other = busy(methods[run % 5]), *again;
        pd_log *log = log_of(world), *other_log = log_of(other);
        pd_error error = {0};
        for (int k = 0; k < fewer_frames(60, 30); k++) {
            random_step(log, world, other_log, other, &late);
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
    assert_true(late > 100);
    remove(PATH);
}

/* ---- Checks ---- */

/* Refused at once, with the message that it has between two steps. */
static void expect_refusal(pd_command command) {
    pd_world *idle = busy("ddr"), *world = within("ddr");
    pd_log *log = log_of(idle);
    pd_error error = {0}, later = {0}, logged = {0};
    pd_result result = pd_world_apply(idle, &command, &error);
    if (result == PD_OK) fail_msg("a command of the kind %d is not refused", (int)command.kind);
    assert_int_equal(pd_world_apply(world, &command, &later), result);
    assert_int_equal(later.code, error.code);
    assert_string_equal(later.message, error.message);
    pd_world_begin_step(idle);
    assert_int_equal(pd_log_do(log, idle, &command, &logged), result);
    assert_string_equal(logged.message, error.message);
    assert_null(pd_world_waiting_command(world, 0));
    assert_null(pd_world_waiting_command(idle, 0));
    discard(log, idle);
    pd_world_destroy(world);
}

static void expect_line_refusal(const char *line) {
    pd_command command = command_of_line(line, NULL);
    expect_refusal(command);
    pd_command_free(&command);
}

static void refusals_come_at_once(void **state) {
    (void)state;
    expect_refusal(gravity(NAN, 0));
    expect_refusal(tool((pd_tool_kind)99, 0, 0));
    expect_refusal(tool(PD_TOOL_DRAG, INFINITY, 0));
    expect_refusal(parameter("no.key", 1));
    expect_refusal(parameter("ddr.stiffness", -1));
    expect_refusal(parameter("sph.radius", 0.9f)); /* exceeds the container */
    expect_refusal((pd_command){PD_COMMAND_PROPERTY, .is.property = {3, PD_VISCOSITY, 1}});
    expect_refusal((pd_command){PD_COMMAND_PROPERTY, .is.property = {0, PD_VISCOSITY, -1}});
    expect_refusal((pd_command){PD_COMMAND_METHOD, .is.method = "magic"});
    expect_line_refusal("edit {obstacles: {7: none}}");
    expect_line_refusal("edit {parameters: {sph: {radius: 0.9}}}");
    pd_scene scene;
    pd_scene_init(&scene);
    scene.dt = -1;
    expect_refusal((pd_command){PD_COMMAND_SCENE, .is.scene = &scene});
    expect_refusal((pd_command){PD_COMMAND_PARTICLES, .is.particles = -1});
}

/* The functions of pd_world_set_... have their own errors, as between two steps. */
static void functions_wait_too(void **state) {
    (void)state;
    pd_world *world = within("ddr");
    pd_error error = {0};
    float value = 0;
    char key[200];
    memset(key, 'x', sizeof key - 1);
    key[sizeof key - 1] = '\0';
    assert_int_equal(pd_world_set_property(world, -1, PD_VISCOSITY, 1, &error), PD_BAD_INPUT);
    assert_int_equal(error.code, PD_ERROR_SCENE_REFERENCE);
    assert_int_equal(pd_world_set_parameter(world, key, 1, &error), PD_BAD_INPUT);
    assert_int_equal(error.code, PD_ERROR_PARAMETER_UNKNOWN);
    assert_int_equal(pd_world_set_parameter(world, "ddr.stiffness", NAN, &error), PD_BAD_INPUT);
    assert_int_equal(error.code, PD_ERROR_PARAMETER_VALUE);
    assert_int_equal(pd_world_set_method(world, key, &error), PD_BAD_INPUT);
    assert_int_equal(error.code, PD_ERROR_METHOD_UNKNOWN);
    pd_world_set_gravity(world, (pd_vec2){NAN, 0});
    assert_null(pd_world_waiting_command(world, 0));

    pd_world_set_gravity(world, (pd_vec2){1e9f, -2});
    pd_world_set_tool(world, &(pd_tool){PD_TOOL_DRAG, {0.1f, 0.2f}, {0, 0}, 0.1f, 0, 0});
    must(pd_world_set_parameter(world, "ddr.stiffness", 30, &error), &error);
    must(pd_world_set_property(world, 1, PD_VISCOSITY, 0.7f, &error), &error);
    must(pd_world_set_method(world, "sph", &error), &error);
    const pd_scene *next = pd_world_scene_of_next_step(world);
    assert_float_equal(next->gravity.x, PD_MAX_ACCELERATION, 0);
    assert_float_equal(next->materials[1].property[PD_VISCOSITY], 0.7f, 0);
    assert_string_equal(next->method, "sph");
    assert_true(isnan(pd_world_scene(world)->materials[1].property[PD_VISCOSITY]));
    assert_string_equal(pd_world_method(world)->name, "ddr");
    assert_int_equal(pd_world_tool(world).kind, PD_TOOL_NONE);
    complete(world);
    assert_true(pd_world_scene_of_next_step(world) == pd_world_scene(world));
    assert_float_equal(pd_world_gravity(world).x, PD_MAX_ACCELERATION, 0);
    must(pd_world_parameter(world, "ddr.stiffness", &value, &error), &error);
    assert_float_equal(value, 30, 0);
    assert_float_equal(pd_world_scene(world)->materials[1].property[PD_VISCOSITY], 0.7f, 0);
    assert_string_equal(pd_world_method(world)->name, "sph");
    assert_int_equal(pd_world_tool(world).kind, PD_TOOL_DRAG);
    assert_false(pd_world_step_part(world, 0));
    pd_world_set_tool(world, &(pd_tool){PD_TOOL_DRAG, {0, 0}, {0, 0}, -1, 0, 0}); /* invalid: none */
    complete(world);
    assert_int_equal(pd_world_tool(world).kind, PD_TOOL_NONE);
    pd_world_destroy(world);
}

/* An edit begins with what the one before it makes; both are one command. */
static void edits_build_on_each_other(void **state) {
    (void)state;
    pd_world *world = within("flip");
    build(world, 0, 0.4f, 0.1f);
    build(world, 0.3f, 0.4f, 0.1f);
    assert_int_equal(pd_world_scene_of_next_step(world)->obstacle_count, 3);
    assert_int_equal(pd_world_scene(world)->obstacle_count, 1);
    assert_int_equal(waiting(world), 1);
    apply_line(world, "edit {obstacles: {0: none}}");
    assert_int_equal(waiting(world), 1);
    apply(world, gravity(1, 0));
    apply_line(world, "edit {obstacles: {1: none}}");
    assert_int_equal(waiting(world), 3);
    complete(world);
    const pd_scene *scene = pd_world_scene(world);
    assert_int_equal(scene->obstacle_count, 1);
    assert_float_equal(scene->obstacles[0].area.center.x, 0, 0);
    assert_float_equal(scene->gravity.x, 1, 0);
    pd_world_destroy(world);
}

/* The index of a material means another one after an edit: the earlier value stays. */
static void values_do_not_pass_edits(void **state) {
    (void)state;
    pd_world *world = within("ddr");
    pd_error error = {0};
    pd_command command;
    pd_scene scene;
    apply(world, (pd_command){PD_COMMAND_PROPERTY, .is.property = {1, PD_VISCOSITY, 0.5f}});
    must(pd_scene_copy(&scene, pd_world_scene_of_next_step(world), &error), &error);
    const pd_material first = scene.materials[0];
    scene.materials[0] = scene.materials[1];
    scene.materials[1] = scene.materials[2];
    scene.materials[2] = first;
    scene.region_count = 0;
    must(pd_command_edit(&command, pd_world_scene_of_next_step(world), &scene, &error), &error);
    apply(world, command);
    pd_command_free(&command);
    apply(world, (pd_command){PD_COMMAND_PROPERTY, .is.property = {1, PD_VISCOSITY, 0.9f}});
    assert_int_equal(waiting(world), 3);
    apply(world, (pd_command){PD_COMMAND_PROPERTY, .is.property = {1, PD_VISCOSITY, 0.8f}});
    assert_int_equal(waiting(world), 3);
    pd_world_destroy(world);
    scene.region_count = 2;
    pd_scene_free(&scene);
}

/* What the fluid refuses at the end of the step is told once, and is not in the log; what comes after it takes effect. */
static void late_errors_are_told(void **state) {
    (void)state;
    pd_world *world = busy("ddr");
    pd_log *log = log_of(world);
    pd_error error = {0}, late;
    pd_command pour = tool(PD_TOOL_POUR, 0, 0.4f), remove_c = command_of_line("edit {materials: {c: none}}", NULL);
    pour.is.tool.material = 2;
    order(log, world, pour);
    step(log, world);
    order(log, world, tool(PD_TOOL_NONE, 0, 0));
    assert_int_equal(pd_log_do(log, world, &remove_c, &error), PD_BAD_INPUT);
    assert_int_equal(error.code, PD_ERROR_SCENE_VALUE);
    int commands = pd_log_commands(log);
    assert_false(pd_world_step_part(world, 0));
    order(log, world, remove_c);
    order(log, world, gravity(1, 2));
    complete(world);
    assert_int_equal(pd_log_commands(log), commands);
    pd_log_end_step(log, world);
    const pd_command *waited = pd_world_next_command_result(world, &late);
    assert_int_equal(waited->kind, PD_COMMAND_EDIT);
    assert_int_equal(late.code, error.code);
    assert_string_equal(late.message, error.message);
    waited = pd_world_next_command_result(world, &late);
    assert_true(waited->kind == PD_COMMAND_GRAVITY && late.code == PD_ERROR_NONE);
    assert_null(pd_world_next_command_result(world, &late));
    uint64_t tick;
    assert_int_equal(pd_log_commands(log), commands + 1);
    assert_int_equal(pd_log_command(log, commands, &tick)->kind, PD_COMMAND_GRAVITY);
    assert_int_equal(tick, 2);
    assert_int_equal(pd_world_scene(world)->material_count, 3);
    pd_command_free(&remove_c);
    discard(log, world);
}

/* ---- The list ---- */

static void later_values_replace_earlier_ones(void **state) {
    (void)state;
    pd_world *world = within("ddr");
    for (int k = 0; k < 2000; k++) {
        float x = 1e-4f * (float)k;
        apply(world, gravity(x, 0));
        apply(world, parameter("ddr.stiffness", 10 + x));
        apply(world, (pd_command){PD_COMMAND_PROPERTY, .is.property = {0, PD_VISCOSITY, x}});
        apply(world, tool(PD_TOOL_DRAG, x, 0));
        if (k == 1000) apply(world, tool(PD_TOOL_NONE, 0, 0));
    }
    assert_int_equal(waiting(world), 5); /* the stroke that ended and the one that began */
    for (int k = 0; k < 100; k++) {
        apply(world, tool(PD_TOOL_PUSH, 0.1f, 0));
        apply(world, tool(PD_TOOL_NONE, 0, 0));
    }
    assert_int_equal(waiting(world), 4);
    complete(world);
    assert_float_equal(pd_world_gravity(world).x, 0.1999f, 1e-6f);
    assert_int_equal(pd_world_tool(world).kind, PD_TOOL_NONE);
    pd_world_destroy(world);
}

/* Too many are refused; the functions that cannot fail still have their place. */
static void the_list_is_bounded(void **state) {
    (void)state;
    pd_world *world = within("ddr");
    pd_error error = {0};
    pd_result result = PD_OK;
    int count = 0;
    while (result == PD_OK && count < 10000) {
        const pd_command method = {PD_COMMAND_METHOD, .is.method = "sph"};
        result = pd_world_apply(world, &method, &error);
        count += result == PD_OK;
    }
    assert_true(count > 100 && count < 1000);
    assert_int_equal(error.code, PD_ERROR_USAGE);
    assert_int_equal(waiting(world), count);
    pd_world_set_gravity(world, (pd_vec2){3, 0});
    pd_world_set_tool(world, &(pd_tool){.kind = PD_TOOL_NONE});
    pd_world_set_tool(world, &(pd_tool){PD_TOOL_DRAG, {0.1f, 0.2f}, {0, 0}, 0.1f, 0, 0});
    assert_int_equal(waiting(world), count + 3);
    complete(world);
    assert_float_equal(pd_world_gravity(world).x, 3, 0);
    assert_int_equal(pd_world_tool(world).kind, PD_TOOL_DRAG);
    pd_world_destroy(world);
}

/* ---- What ends a step ---- */

static void a_reset_comes_before_what_waits(void **state) {
    (void)state;
    for (int way = 0; way < 3; way++) {
        pd_world *world = within("ddr");
        pd_error error = {0};
        apply(world, gravity(1, 2));
        build(world, 0, 0.4f, 0.1f);
        if (way == 0) pd_world_reset(world);
        if (way == 1) apply(world, (pd_command){.kind = PD_COMMAND_RESET});
        if (way == 2) must(pd_world_set_particle_count(world, 300, &error), &error);
        assert_false(pd_world_stepping(world));
        assert_null(pd_world_waiting_command(world, 0));
        assert_int_equal(pd_world_steps(world), 0);
        assert_float_equal(pd_world_gravity(world).y, 2, 0);
        assert_int_equal(pd_world_scene(world)->obstacle_count, 2);
        pd_world_destroy(world);
    }
}

static void another_state_drops_what_waits(void **state) {
    (void)state;
    for (int way = 0; way < 5; way++) {
        pd_world *world = busy("ddr");
        pd_log *log = log_of(world);
        pd_error error = {0};
        void *bytes;
        size_t size;
        step(log, world);
        order(log, world, gravity(0, 1));
        step(log, world);
        must(pd_world_save_to_memory(world, &bytes, &size, &error), &error);
        uint64_t hash = pd_world_hash(world);
        assert_false(pd_world_step_part(world, 0));
        order(log, world, gravity(1, 2));
        if (way == 0) must(pd_world_restore_from_memory(world, bytes, size, &error), &error);
        if (way == 1) must(pd_log_seek(log, world, 2, &error), &error);
        if (way == 2) order(log, world, (pd_command){.kind = PD_COMMAND_RESTART});
        if (way == 3) must(pd_world_set_scene(world, pd_world_scene(world), &error), &error);
        if (way == 4) { /* a seek does not go on with a step that has got commands */
            bool arrived;
            must(pd_log_seek_part(log, world, 2, 0, &arrived, &error), &error);
        }
        assert_null(pd_world_waiting_command(world, 0));
        assert_null(pd_world_next_command_result(world, NULL));
        if (way < 2) assert_true(pd_world_hash(world) == hash);
        free(bytes);
        discard(log, world);
    }
}

/* A step that was begun by hand is the same step. */
static void a_step_begins_by_hand(void **state) {
    (void)state;
    pd_world *world = busy("ddr"), *other = busy("ddr");
    pd_world_begin_step(world);
    assert_true(pd_world_stepping(world));
    pd_world_begin_step(world);
    apply(world, gravity(1, 2));
    assert_float_equal(pd_world_gravity(world).x, 0, 0);
    pd_world_step(world);
    pd_world_step(other);
    apply(other, gravity(1, 2));
    assert_int_equal(pd_world_steps(world), 1);
    assert_true(pd_world_hash(world) == pd_world_hash(other));
    pd_world_destroy(world);
    pd_world_destroy(other);
}

/* Half a step cannot be saved. */
static void saving_needs_a_whole_step(void **state) {
    (void)state;
    pd_world *world = busy("ddr");
    pd_log *log = log_of(world);
    pd_error error = {0};
    pd_scene scene;
    void *bytes = NULL;
    size_t size;
    order(log, world, gravity(0, 1));
    assert_false(pd_world_step_part(world, 0));
    assert_int_equal(pd_world_save_to_memory(world, &bytes, &size, &error), PD_BAD_INPUT);
    assert_int_equal(error.code, PD_ERROR_USAGE);
    assert_null(bytes);
    assert_int_equal(pd_world_save(world, PATH, NULL), PD_BAD_INPUT);
    assert_int_equal(pd_world_state_as_scene(world, &scene, &error), PD_BAD_INPUT);
    assert_int_equal(scene.region_count, 0);
    assert_int_equal(pd_log_undo(log, world, &error), PD_BAD_INPUT);
    assert_true(pd_world_stepping(world));
    complete(world);
    pd_log_end_step(log, world);
    must(pd_log_undo(log, world, &error), &error);
    discard(log, world);
}

/* A log that goes while its commands wait does not take them along. */
static void the_log_may_go(void **state) {
    (void)state;
    pd_world *world = busy("ddr");
    pd_log *log = log_of(world);
    assert_false(pd_world_step_part(world, 0));
    order(log, world, gravity(1, 2));
    pd_log_destroy(log);
    complete(world);
    pd_world_step(world);
    assert_float_equal(pd_world_gravity(world).y, 2, 0);
    pd_world_destroy(world);
}

TEST_GROUP(waiting) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_random_moments),
        cmocka_unit_test(refusals_come_at_once),
        cmocka_unit_test(functions_wait_too),
        cmocka_unit_test(edits_build_on_each_other),
        cmocka_unit_test(values_do_not_pass_edits),
        cmocka_unit_test(late_errors_are_told),
        cmocka_unit_test(later_values_replace_earlier_ones),
        cmocka_unit_test(the_list_is_bounded),
        cmocka_unit_test(a_reset_comes_before_what_waits),
        cmocka_unit_test(another_state_drops_what_waits),
        cmocka_unit_test(a_step_begins_by_hand),
        cmocka_unit_test(saving_needs_a_whole_step),
        cmocka_unit_test(the_log_may_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
