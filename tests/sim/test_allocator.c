/* Without memory: every act that may fail is repeated with its first, second, ... request of memory refused, alone or with all
 * that follow. It fails as out of memory, changes nothing, succeeds when repeated, and leaves no block behind. */
#include "folder.h"
#include "logs.h"
#include "refusing.h"

#include <puddle/puddle.h>

static const char *const PATH = "test_allocator.file";

static const char *const SCENE =
    "puddle: 1\nname: All\nsubsteps: 2\ncontainer: {shape: box, width: 2, height: 1}\n"
    "materials: {a: {color: '#ffffff'}, b: {color: '#3a8fff', mass: 2, surface_tension: 0.2}}\n"
    "attractions: [{between: [a, b], factor: 0.5}]\n"
    "regions: [{shape: box, center: [-0.5, 0], size: [0.5, 0.5], material: b, count: 40},\n"
    "          {shape: circle, center: [0.3, 0], radius: 0.2, material: a, count: 20}]\n"
    "obstacles: [{shape: circle, center: [0.7, -0.3], radius: 0.1, velocity: [0.1, 0], turn: 1},\n"
    "            {shape: polyline, points: [[-0.9, 0.3], [-0.8, 0.35], [-0.7, 0.3]], thickness: 0.02},\n"
    "            {shape: polygon, points: [[0, 0.3], [0.2, 0.3], [0.1, 0.4]]}]\n"
    "emitters: [{position: [0, -0.4], direction: [1, 0], speed: 1, width: 0.1, rate: 100, material: a}]\n"
    "drains: [{shape: circle, center: [0.9, -0.4], radius: 0.05}]\n"
    "changes: [{shape: box, center: [-0.9, -0.4], size: [0.1, 0.1], from: a, to: b, rate: 2}]\n"
    "parameters: {ddr: {stiffness: 2, radius: 0.15}}\n";

/* Of a method, with what every method has. */
static const char *const PLAIN =
    "puddle: 1\nname: Plain\nmethod: %s\nparticles: 60\nsubsteps: 2\ncontainer: {shape: box, width: 2, height: 1}\n"
    "materials: {a: {color: '#ffffff'}, b: {color: '#3a8fff'}}\n"
    "regions: [{shape: box, center: [-0.5, 0], size: [0.5, 0.5], material: b}]\n"
    "obstacles: [{shape: circle, center: [0.7, -0.3], radius: 0.1, velocity: [0.1, 0], turn: 1}]\n"
    "parameters: {grid: {resolution: 8}, flip: {resolution: 8}, vortex: {core: 0.2}}\n";

/* ---- Acts ---- */

/* What an act works on. Members that it does not use are empty. */
typedef struct bench {
    const char *method;
    pd_scene scene, made;
    pd_world *world, *made_world;
    pd_log *log, *made_log;
    pd_reverse *reverse;
    pd_command command;
    void *bytes;
    size_t size;
    char *text;
} bench;

typedef struct act {
    const char *name;
    void (*prepare)(bench *b); /* with memory */
    pd_result (*run)(bench *b, pd_error *error);
    void (*expect)(bench *b); /* after it succeeded; NULL: nothing but what its result says */
    bool travels;             /* where it fails, the world may be at a tick on the way */
} act;

static void clean(bench *b) {
    pd_scene_free(&b->scene);
    pd_scene_free(&b->made);
    pd_reverse_destroy(b->reverse);
    pd_log_destroy(b->log);
    pd_log_destroy(b->made_log);
    pd_world_destroy(b->world);
    pd_world_destroy(b->made_world);
    pd_command_free(&b->command);
    pd_memory_free(b->bytes);
    pd_memory_free(b->text);
}

/* Of the world and the log: unchanged by an act that fails. */
typedef struct fingerprint {
    uint64_t hash, tick, end, diverged;
    int commands, scene_lists;
    bool undo, redo;
} fingerprint;

static fingerprint print_of(const bench *b) {
    fingerprint p = {0};
    if (b->world) p.hash = pd_world_hash(b->world);
    p.scene_lists = b->scene.obstacle_count + 100 * b->scene.emitter_count + 10000 * b->scene.drain_count +
                    1000000 * b->scene.material_count + 100000000 * b->scene.region_count;
    if (!b->log) return p;
    p.tick = pd_log_tick(b->log);
    p.end = pd_log_end_tick(b->log);
    p.diverged = pd_log_first_divergence(b->log);
    p.commands = pd_log_commands(b->log);
    p.undo = pd_log_can_undo(b->log, NULL);
    p.redo = pd_log_can_redo(b->log);
    return p;
}

static void expect_same(const act *a, long n, fingerprint x, fingerprint y) {
    if (x.hash != y.hash || x.tick != y.tick || x.end != y.end || x.diverged != y.diverged ||
        x.commands != y.commands || x.scene_lists != y.scene_lists || x.undo != y.undo || x.redo != y.redo)
        fail_msg("%s: request %ld was refused, and what it works on has changed", a->name, n);
}

/* A log's file leads to the world of the log. */
static void expect_replay(bench *b) {
    pd_world *world;
    pd_error error = {0};
    pd_log_replay_commands(b->log, b->world);
    must(pd_log_write(b->log, b->world, 0, PATH, &error), &error);
    pd_log *log = reread(PATH, &world, 1, NULL);
    play_to_end(log, world);
    assert_true(pd_log_first_divergence(log) == PD_LOG_NEVER);
    if (pd_log_is_left(b->log)) must(pd_log_seek(b->log, b->world, pd_log_end_tick(b->log), &error), &error);
    while (pd_log_tick(b->log) < pd_log_end_tick(b->log)) {
        pd_log_replay_commands(b->log, b->world);
        step(b->log, b->world);
    }
    pd_log_replay_commands(b->log, b->world);
    assert_true(pd_world_hash(world) == pd_world_hash(b->world));
    discard(log, world);
}

/* Runs an act with the n-th request refused. Returns whether it has as many. */
static bool run_refused(const act *a, const char *method, refusal mode, long n) {
    long blocks = memory.blocks;
    bench b = {.method = method};
    pd_error error = {0};
    a->prepare(&b);
    fingerprint before = print_of(&b);
    refuse(mode, n);
    pd_result result = a->run(&b, &error);
    bool refused = was_refused();
    if (!refused && result != PD_OK) fail_msg("%s: %s", a->name, error.message);
    if (result != PD_OK) {
        if (error.code != PD_ERROR_OUT_OF_MEMORY || !*error.message)
            fail_msg("%s: request %ld was refused, and the error is %d, %s", a->name, n, error.code, error.message);
        if (!a->travels) expect_same(a, n, before, print_of(&b));
        if (a->run(&b, &error) != PD_OK) fail_msg("%s, again after request %ld: %s", a->name, n, error.message);
    }
    if (a->expect) a->expect(&b);
    clean(&b);
    if (memory.blocks != blocks)
        fail_msg("%s: request %ld was refused, and %ld blocks are left", a->name, n, memory.blocks - blocks);
    return refused;
}

static void refuse_each(const act *a, const char *method) {
    static const refusal MODES[] = {REFUSE_ALL_FROM, REFUSE_ONE};
    for (int m = 0; m < 2; m++) {
        long n = 1;
        while (run_refused(a, method, MODES[m], n)) n += is_shortened() ? n : 1;
        print_message("%s%s%s: %ld requests\n", a->name, method ? " " : "", method ? method : "", n - 1);
    }
}

/* ---- Scenes ---- */

static void prepare_nothing(bench *b) { (void)b; }

static const pd_scene_particle PARTICLES[] = {{{0.8f, 0.1f}, {0, 0}, 0}, {{0.8f, 0.2f}, {0, 0}, 1}};

static void prepare_scene(bench *b) {
    pd_error error;
    b->scene = scene_of_text(SCENE);
    must(pd_scene_add_particles(&b->scene, PARTICLES, 2, 0.05f, &error), &error);
}

static pd_result read_scene(bench *b, pd_error *error) {
    return pd_scene_read_text(SCENE, strlen(SCENE), "scene", &b->made, error);
}

static pd_result write_text(bench *b, pd_error *error) {
    return pd_scene_write_text(&b->scene, &b->text, &b->size, error);
}

static pd_result write_scene(bench *b, pd_error *error) { return pd_scene_write(&b->scene, "all.yaml", error); }

static void prepare_scene_file(bench *b) {
    pd_error error;
    prepare_scene(b);
    must(pd_scene_write(&b->scene, "all.yaml", &error), &error);
}

static pd_result read_file(bench *b, pd_error *error) { return pd_scene_read("all.yaml", &b->made, error); }

static pd_result copy_scene(bench *b, pd_error *error) { return pd_scene_copy(&b->made, &b->scene, error); }

static pd_result check_scene(bench *b, pd_error *error) { return pd_scene_check(&b->scene, error); }

/* Adds to the scene; one function at a time, since what has been added stays. */
static pd_result add_obstacle(bench *b, pd_error *error) {
    pd_vec2 points[] = {{0, 0}, {0.1f, 0}, {0, 0.1f}};
    pd_obstacle wall = {
        .area = {.shape = PD_SHAPE_POLYGON, .center = {0.5f, 0.3f}, .points = points, .point_count = 3}};
    return pd_scene_add_obstacle(&b->scene, &wall, error);
}

static pd_result set_obstacle(bench *b, pd_error *error) {
    pd_vec2 points[] = {{0, 0}, {0.1f, 0}, {0, 0.1f}};
    pd_obstacle wall = {
        .area = {.shape = PD_SHAPE_POLYGON, .center = {0.5f, 0.3f}, .points = points, .point_count = 3}};
    return pd_scene_set_obstacle(&b->scene, 1, &wall, error);
}

static pd_result add_emitter(bench *b, pd_error *error) {
    return pd_scene_add_emitter(&b->scene, &b->scene.emitters[0], error);
}

static pd_result add_drain(bench *b, pd_error *error) {
    return pd_scene_add_drain(&b->scene, &b->scene.drains[0], error);
}

static pd_result add_particles(bench *b, pd_error *error) {
    return pd_scene_add_particles(&b->scene, PARTICLES, 2, 0.05f, error);
}

static pd_result set_key(bench *b, pd_error *error) {
    return pd_scene_set_parameter(&b->scene, "ddr.near_stiffness", 3, error);
}

static pd_result set_number(bench *b, pd_error *error) { return pd_scene_set_particle_count(&b->scene, 90, error); }

/* ---- Worlds ---- */

static pd_scene plain_scene(const char *method) {
    char text[2000];
    snprintf(text, sizeof text, PLAIN, method);
    return scene_of_text(text);
}

static void prepare_plain(bench *b) { b->scene = plain_scene(b->method); }

static void prepare_world(bench *b) {
    prepare_plain(b);
    b->world = world_of(&b->scene, 1);
    step_many(b->world, 2);
}

static pd_result create(bench *b, pd_error *error) { return create_with_threads(&b->made_world, &b->scene, 1, error); }

/* A world that was created is the same as any other. */
static void expect_created(bench *b) {
    pd_world *world = world_of(&b->scene, 1);
    assert_true(pd_world_hash(world) == pd_world_hash(b->made_world));
    step_many(world, 1);
    step_many(b->made_world, 1);
    assert_true(pd_world_hash(world) == pd_world_hash(b->made_world));
    pd_world_destroy(world);
}

static pd_result save_memory(bench *b, pd_error *error) {
    return pd_world_save_to_memory(b->world, &b->bytes, &b->size, error);
}

static pd_result save(bench *b, pd_error *error) { return pd_world_save(b->world, PATH, error); }

static void prepare_saved(bench *b) {
    pd_error error;
    prepare_world(b);
    must(pd_world_save(b->world, PATH, &error), &error);
    must(pd_world_save_to_memory(b->world, &b->bytes, &b->size, &error), &error);
}

static pd_result load(bench *b, pd_error *error) { return load_with_threads(&b->made_world, PATH, 1, error); }

static void expect_loaded(bench *b) {
    assert_true(pd_world_hash(b->world) == pd_world_hash(b->made_world));
    step_many(b->world, 1);
    step_many(b->made_world, 1);
    assert_true(pd_world_hash(b->world) == pd_world_hash(b->made_world));
}

static pd_result restore(bench *b, pd_error *error) {
    return pd_world_restore_from_memory(b->world, b->bytes, b->size, error);
}

static pd_result scene_now(bench *b, pd_error *error) { return pd_world_state_as_scene(b->world, &b->made, error); }

/* ---- Logs ---- */

static void prepare_log(bench *b) {
    prepare_world(b);
    b->log = log_of(b->world);
}

static pd_result create_log(bench *b, pd_error *error) { return pd_log_create(&b->made_log, b->world, error); }

static void prepare_edit(bench *b) {
    pd_error error;
    prepare_log(b);
    for (int k = 0; k < 12; k++) step(b->log, b->world);
    pd_obstacle wall = {.area = {.shape = PD_SHAPE_BOX, .center = {-0.5f, -0.2f}, .size = {0.1f, 0.1f}}};
    pd_material material = pd_material_default();
    snprintf(material.name, sizeof material.name, "c");
    must(pd_scene_copy(&b->made, pd_world_scene(b->world), &error), &error);
    must(pd_scene_add_obstacle(&b->made, &wall, &error), &error);
    must(pd_scene_add_material(&b->made, &material, &error), &error);
    must(pd_scene_set_parameter(&b->made, "grid.viscosity", 0.01f, &error), &error);
}

static pd_result make_edit(bench *b, pd_error *error) {
    return pd_command_edit(&b->command, pd_world_scene(b->world), &b->made, error);
}

static void prepare_order(bench *b) {
    pd_error error;
    prepare_edit(b);
    must(make_edit(b, &error), &error);
}

static pd_result order_refused(bench *b, pd_error *error) { return pd_log_do(b->log, b->world, &b->command, error); }

static void expect_recorded(bench *b) {
    for (int k = 0; k < 3; k++) step(b->log, b->world);
    expect_replay(b);
}

static void prepare_scene_order(bench *b) {
    pd_error error;
    prepare_log(b);
    b->made = scene_of_text(SCENE);
    must(pd_command_scene(&b->command, &b->made, &error), &error);
}

static void prepare_particles(bench *b) {
    prepare_log(b);
    b->command = (pd_command){PD_COMMAND_PARTICLES, .is.particles = 90};
}

static void prepare_restart(bench *b) {
    prepare_log(b);
    step(b->log, b->world);
    b->command = (pd_command){.kind = PD_COMMAND_RESTART};
}

static void prepare_state(bench *b) {
    pd_error error;
    prepare_log(b);
    must(pd_command_state(&b->command, b->world, &error), &error);
    step(b->log, b->world);
}

static void prepare_elastic(bench *b) {
    prepare_log(b);
    b->command = (pd_command){PD_COMMAND_PROPERTY, .is.property = {1, PD_TENSION, 0.1f}};
}

/* To each of the other methods, one after the other: what was changed before stays. */
static void prepare_switch(bench *b) {
    const char *method = b->method;
    b->method = strcmp(method, "ddr") == 0 ? "grid" : "ddr";
    prepare_log(b);
    b->command = (pd_command){.kind = PD_COMMAND_METHOD};
    snprintf(b->command.is.method, sizeof b->command.is.method, "%s", method);
}

static pd_result make_state(bench *b, pd_error *error) { return pd_command_state(&b->command, b->world, error); }

static pd_result parse(bench *b, pd_error *error) {
    return pd_command_parse("edit {drains: {0: {shape: circle, center: [0, 0], radius: 0.1}}}", NULL, &b->command,
                            error);
}

/* Acts at ticks 3 and 11, the present is tick 13; a keyframe at tick 10. */
static void prepare_acts(bench *b) {
    prepare_log(b);
    for (int k = 0; k < 13; k++) {
        if (k == 3) order(b->log, b->world, (pd_command){PD_COMMAND_GRAVITY, .is.gravity = {0.5f, -1}});
        if (k == 11) order(b->log, b->world, (pd_command){PD_COMMAND_GRAVITY, .is.gravity = {0, -2}});
        step(b->log, b->world);
    }
}

static pd_result undo(bench *b, pd_error *error) { return pd_log_undo(b->log, b->world, error); }

static void prepare_undone(bench *b) {
    pd_error error;
    prepare_acts(b);
    must(undo(b, &error), &error);
}

static pd_result redo(bench *b, pd_error *error) { return pd_log_redo(b->log, b->world, error); }

static pd_result seek(bench *b, pd_error *error) { return pd_log_seek(b->log, b->world, 9, error); }

static pd_result write_log(bench *b, pd_error *error) { return pd_log_write(b->log, b->world, 0, PATH, error); }

static void prepare_log_file(bench *b) {
    pd_error error;
    prepare_acts(b);
    must(write_log(b, &error), &error);
}

static pd_result read_log(bench *b, pd_error *error) {
    char damage[PD_MAX_LOG_DAMAGE];
    return read_log_with_threads(&b->made_log, &b->made_world, PATH, 1, damage, error);
}

static void expect_read(bench *b) { play_exactly(b->made_log, b->made_world, pd_world_hash(b->world)); }

static pd_result follow(bench *b, pd_error *error) { return pd_log_begin_autosave(b->log, PATH, error); }

static pd_result create_reverse(bench *b, pd_error *error) {
    return pd_reverse_create(&b->reverse, b->world, 1 << 20, error);
}

static void prepare_reverse(bench *b) {
    pd_error error;
    prepare_acts(b);
    must(create_reverse(b, &error), &error);
}

/* Fewer states are the only effect. */
static pd_result go_back(bench *b, pd_error *error) {
    (void)error;
    pd_reverse_compute_states(b->reverse, b->log, INFINITY, 6);
    uint64_t tick = pd_log_tick(b->log), back = pd_reverse_go_back(b->reverse, b->log, b->world, 2);
    assert_int_equal(pd_log_tick(b->log), tick - back);
    return PD_OK;
}

/* Each tick has its own state, whatever was refused. */
static void expect_states(bench *b) {
    uint64_t tick = pd_log_tick(b->log), hash = pd_world_hash(b->world);
    pd_error error;
    must(pd_log_seek(b->log, b->world, 0, &error), &error);
    must(pd_log_seek(b->log, b->world, tick, &error), &error);
    assert_true(pd_world_hash(b->world) == hash);
    expect_replay(b);
}

/* ---- All ---- */

static const act ONCE[] = {
    {"read a scene", prepare_nothing, read_scene, NULL, false},
    {"read a scene's file", prepare_scene_file, read_file, NULL, false},
    {"write a scene as text", prepare_scene, write_text, NULL, false},
    {"write a scene", prepare_scene, write_scene, NULL, false},
    {"copy a scene", prepare_scene, copy_scene, NULL, false},
    {"check a scene", prepare_scene, check_scene, NULL, false},
    {"add an obstacle", prepare_scene, add_obstacle, NULL, false},
    {"replace an obstacle", prepare_scene, set_obstacle, NULL, false},
    {"add an emitter", prepare_scene, add_emitter, NULL, false},
    {"add a drain", prepare_scene, add_drain, NULL, false},
    {"add particles", prepare_scene, add_particles, NULL, false},
    {"set a key", prepare_scene, set_key, NULL, false},
    {"create a world of all", prepare_scene, create, expect_created, false},
    {"read a command", prepare_nothing, parse, NULL, false},
};

static const act OF_WORLD[] = {
    {"create a world", prepare_plain, create, expect_created, false},
    {"set a number of particles", prepare_plain, set_number, NULL, false},
    {"save in memory", prepare_world, save_memory, NULL, false},
    {"save", prepare_world, save, NULL, false},
    {"load", prepare_saved, load, expect_loaded, false},
    {"restore", prepare_saved, restore, NULL, false},
    {"make a scene of now", prepare_world, scene_now, NULL, false},
    {"create a log", prepare_world, create_log, NULL, false},
    {"make an edit", prepare_edit, make_edit, NULL, false},
    {"make a state", prepare_world, make_state, NULL, false},
    {"do an edit", prepare_order, order_refused, expect_recorded, false},
    {"do a scene", prepare_scene_order, order_refused, expect_recorded, false},
    {"do a number of particles", prepare_particles, order_refused, expect_recorded, false},
    {"do a restart", prepare_restart, order_refused, expect_recorded, false},
    {"do a state", prepare_state, order_refused, expect_recorded, false},
    {"do a property", prepare_elastic, order_refused, expect_recorded, false},
    {"do a method", prepare_switch, order_refused, expect_recorded, false},
};

static const act OF_LOG[] = {
    {"undo", prepare_acts, undo, expect_replay, false},
    {"redo", prepare_undone, redo, expect_replay, false},
    {"seek", prepare_acts, seek, expect_states, true},
    {"write a log", prepare_acts, write_log, NULL, false},
    {"read a log", prepare_log_file, read_log, expect_read, false},
    {"follow a log", prepare_acts, follow, expect_recorded, false},
    {"create a reverse", prepare_acts, create_reverse, NULL, false},
    {"go back", prepare_reverse, go_back, expect_states, false},
};

static void acts_once(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof ONCE / sizeof *ONCE; k++) refuse_each(&ONCE[k], NULL);
}

/* The message names the item that found no memory. */
static void items_in_messages(void **state) {
    (void)state;
    pd_scene scene;
    pd_drain drain = pd_drain_default();
    pd_obstacle line = pd_obstacle_default();
    pd_vec2 points[] = {{0, 0}, {0.1f, 0}};
    pd_error error = {0};
    pd_scene_init(&scene);
    drain.area.radius = 0.1f;
    refuse(REFUSE_ALL_FROM, 1);
    pd_result result = pd_scene_add_drain(&scene, &drain, &error);
    assert_true(was_refused() && result == PD_FAILED);
    assert_string_equal(error.message, "adding drain 0 failed: out of memory (close other programs)");
    line.area = (pd_area){.shape = PD_SHAPE_POLYLINE, .points = points, .point_count = 2, .thickness = 0.1f};
    must(pd_scene_add_obstacle(&scene, &line, &error), &error);
    refuse(REFUSE_ALL_FROM, 1);
    result = pd_scene_set_obstacle(&scene, 0, &line, &error);
    assert_true(was_refused() && result == PD_FAILED);
    assert_string_equal(error.message, "replacing obstacle 0 failed: out of memory (close other programs)");
    pd_scene_free(&scene);
}

static void acts_of_method(void **state) {
    const char *method = *state;
    for (size_t k = 0; k < sizeof OF_WORLD / sizeof *OF_WORLD; k++) refuse_each(&OF_WORLD[k], method);
}

/* Of one method: logs only call what the acts above call. */
static void acts_of_log(void **state) {
    for (size_t k = 0; k < sizeof OF_LOG / sizeof *OF_LOG; k++) refuse_each(&OF_LOG[k], *state);
}

TEST_GROUP(allocator) {
    set_refusing_allocator();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(acts_once),
        cmocka_unit_test(items_in_messages),
        {"ddr", acts_of_method, NULL, NULL, "ddr"},
        {"sph", acts_of_method, NULL, NULL, "sph"},
        {"pbf", acts_of_method, NULL, NULL, "pbf"},
        {"grid", acts_of_method, NULL, NULL, "grid"},
        {"vortex", acts_of_method, NULL, NULL, "vortex"},
        {"flip", acts_of_method, NULL, NULL, "flip"},
        {"logs", acts_of_log, NULL, NULL, "ddr"},
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
