/* Another scene as a command: it replays, is undone and searched like others, and what a restart goes back to is its beginning. */
#include "folder.h"

#include "logs.h"

static const char *const POOL =
    "puddle: 1\nname: Pool\nparticles: 200\ncontainer: {shape: box, width: 2, height: 1.2}\n"
    "materials: {a: {color: '#ffffff'}, b: {color: '#3a8fff'}}\n"
    "regions: [{shape: box, center: [0.4, -0.3], size: [0.7, 0.4], material: b}]\n"
    "obstacles: [{shape: circle, center: [-0.4, -0.3], radius: 0.1}]\n";

/* Other materials, container, method and step; text that a line of a log cannot hold as it is. */
static const char *const PICTURE =
    "puddle: 1\nname: \"a \\\"picture\\\" \\\\n of ü\"\nmethod: sph\nparticles: 150\ndt: 0.01\n"
    "container: {shape: circle, radius: 0.7}\n"
    "materials: {'b': {color: '#ff0000'}, 'red \\n \"x\"': {color: '#00ff00', mass: 2}, c: {color: '#0000ff'}}\n"
    "regions: [{shape: image, center: [0, 0], size: [0.6, 0.4], materials: ['red \\n \"x\"', c],\n"
    "  pixels: [\"3a2b\", \"..bbb\", \"5a\"]}]\nparameters: {sph: {radius: 0.09}}\n";

enum { FRAMES = 150, BEGUN = 45, LATER = 80, RESTART = 110 }; /* ticks */

static const char *const PATH = "test_log_scenes.log";

/* To be freed with pd_command_free. */
static pd_command command_of(const char *text) {
    pd_command command;
    pd_error error = {0};
    pd_scene scene = scene_of_text(text);
    if (pd_command_scene(&command, &scene, &error) != PD_OK) fail_msg("%s", error.message);
    pd_scene_free(&scene);
    return command;
}

static void begin(pd_log *log, pd_world *world, const char *text) {
    pd_command command = command_of(text);
    order(log, world, command);
    pd_command_free(&command);
}

/* hashes: of the world before the commands of each tick. restarts: with a restart in the later scene. */
static pd_log *recorded(pd_world **world, uint64_t hashes[FRAMES + 1], bool restarts) {
    pd_error error = {0};
    *world = world_of_text(POOL, 1);
    pd_log *log = log_of(*world);
    assert_int_equal(pd_log_begin_autosave(log, PATH, &error), PD_OK);
    for (int tick = 0; tick < FRAMES; tick++) {
        hashes[tick] = pd_world_hash(*world);
        if (tick == 10) order(log, *world, (pd_command){PD_COMMAND_PROPERTY, .is.property = {1, PD_VISCOSITY, 3}});
        if (tick == BEGUN) begin(log, *world, PICTURE);
        if (tick == LATER) order(log, *world, (pd_command){PD_COMMAND_PROPERTY, .is.property = {1, PD_VISCOSITY, 5}});
        if (restarts && tick == RESTART) order(log, *world, (pd_command){.kind = PD_COMMAND_RESTART});
        step(log, *world);
    }
    hashes[FRAMES] = pd_world_hash(*world);
    return log;
}

static void as_text(void **state) {
    (void)state;
    static const char *const texts[] = {POOL, PICTURE};
    for (int k = 0; k < 2; k++) {
        pd_command command = command_of(texts[k]), read;
        pd_scene scene = scene_of_text(POOL);
        pd_error error = {0};
        char *line = pd_command_format(&command, &scene);
        assert_null(strchr(line, '\n'));
        if (pd_command_parse(line, &scene, &read, &error) != PD_OK) fail_msg("%s", error.message);
        assert_int_equal(read.kind, PD_COMMAND_SCENE);
        char *again = pd_command_format(&read, &scene);
        assert_string_equal(again, line);
        pd_memory_free(again);
        pd_command_free(&read);
        pd_command_free(&command);
        pd_scene_free(&scene);
        free(line);
    }
    pd_command read;
    pd_error error = {0};
    assert_int_equal(pd_command_parse("scene name: \\t", NULL, &read, &error), PD_BAD_INPUT);
    assert_int_equal(pd_command_parse("scene name: \\", NULL, &read, &error), PD_BAD_INPUT);
    assert_int_equal(pd_command_parse("scene puddle: 1\\ncontainer: {shape: circle, radius: -1}", NULL, &read, &error),
                     PD_BAD_INPUT);
    assert_non_null(strstr(error.message, "scene:2:36: 'radius' is '-1'"));
}

/* The world is that which is created from the scene, and goes on like it. */
static void the_scene_begins(void **state) {
    (void)state;
    pd_world *world = world_of_text(POOL, 3), *other = world_of_text(PICTURE, 1);
    pd_command command = command_of(PICTURE);
    pd_error error = {0};
    step_many(world, 10);
    pd_world_set_tool(world, &(pd_tool){.kind = PD_TOOL_DRAG, .radius = 0.2f});
    assert_int_equal(pd_world_apply(world, &command, &error), PD_OK);
    pd_command_free(&command);
    assert_int_equal(pd_world_threads(world), 3);
    assert_true(pd_world_hash(world) == pd_world_hash(other));
    step_many(world, 10);
    step_many(other, 10);
    assert_true(pd_world_hash(world) == pd_world_hash(other));
    pd_world_destroy(world);
    pd_world_destroy(other);
}

static void a_scene_that_is_refused(void **state) {
    (void)state;
    pd_world *world = world_of_text(POOL, 1);
    pd_error error = {0};
    pd_log *log = log_of(world);
    step(log, world);
    uint64_t hash = pd_world_hash(world);
    pd_command command = command_of(POOL);
    command.is.scene->container.width = -1;
    assert_int_equal(pd_log_do(log, world, &command, &error), PD_BAD_INPUT);
    assert_int_equal(error.code, PD_ERROR_SCENE_VALUE);
    assert_true(pd_world_hash(world) == hash);
    assert_int_equal(pd_log_commands(log), 0);
    pd_command_free(&command);
    discard(log, world);
}

/* From the file that grew with the log. */
static void replay_gives_the_same_bits(void **state) {
    (void)state;
    uint64_t hashes[FRAMES + 1];
    pd_world *world;
    pd_error error = {0};
    pd_log *log = recorded(&world, hashes, true);
    assert_int_equal(pd_log_end_autosave(log, world, &error), PD_OK);
    discard(log, world);
    log = reread(PATH, &world, 3, NULL);
    play_exactly(log, world, hashes[FRAMES]);
    static const int ticks[] = {BEGUN - 1, BEGUN + 1, BEGUN, LATER + 3, RESTART + 1, 0, FRAMES};
    for (size_t k = 0; k < sizeof ticks / sizeof *ticks; k++) {
        assert_int_equal(pd_log_seek(log, world, (uint64_t)ticks[k], &error), PD_OK);
        assert_true(pd_world_hash(world) == hashes[ticks[k]]);
    }
    pd_reverse *reverse;
    assert_int_equal(pd_reverse_create(&reverse, world, 64 << 20, &error), PD_OK);
    for (int tick = FRAMES; tick > BEGUN - 10;) {
        while (pd_reverse_state_count(reverse) == 0) pd_reverse_compute_states(reverse, log, 0, 1);
        assert_int_equal(pd_reverse_go_back(reverse, log, world, 1), 1);
        assert_true(pd_world_hash(world) == hashes[--tick]);
    }
    pd_reverse_destroy(reverse);
    discard(log, world);
}

static void a_restart_goes_back_to_its_beginning(void **state) {
    (void)state;
    uint64_t hashes[FRAMES + 1];
    pd_world *world, *other = world_of_text(PICTURE, 1), *pool = world_of_text(POOL, 1);
    pd_error error = {0};
    pd_log *log = recorded(&world, hashes, false);
    order(log, world, (pd_command){.kind = PD_COMMAND_RESTART});
    assert_true(pd_world_hash(world) == pd_world_hash(other));
    for (int act = 0; act < 3; act++) assert_int_equal(pd_log_undo(log, world, &error), PD_OK); /* also the scene */
    assert_true(pd_world_hash(world) == hashes[BEGUN]);
    order(log, world, (pd_command){.kind = PD_COMMAND_RESTART});
    assert_true(pd_world_hash(world) == pd_world_hash(pool));
    discard(log, world);
    pd_world_destroy(other);
    pd_world_destroy(pool);
}

static void it_is_undone_and_redone(void **state) {
    (void)state;
    uint64_t hashes[FRAMES + 1];
    pd_world *world;
    pd_error error = {0};
    pd_log *log = recorded(&world, hashes, false);
    for (int round = 0; round < 2; round++) {
        assert_int_equal(pd_log_undo(log, world, &error), PD_OK);
        assert_true(pd_world_hash(world) == hashes[LATER]);
        assert_int_equal(pd_log_undo(log, world, &error), PD_OK);
        assert_true(pd_world_hash(world) == hashes[BEGUN]);
        assert_string_equal(pd_world_scene(world)->name, "Pool");
        assert_int_equal(pd_log_redo(log, world, &error), PD_OK);
        assert_int_equal(pd_log_redo(log, world, &error), PD_OK);
        assert_true(pd_world_hash(world) == hashes[FRAMES]);
    }
    expect_followed(log, world, PATH); /* with its lines of going back */
}

/* A file that begins after the command has its scene; one that begins before has the first. */
static void the_end_alone(void **state) {
    (void)state;
    static const int since[] = {LATER + 10, BEGUN - 5};
    for (int k = 0; k < 2; k++) {
        uint64_t hashes[FRAMES + 1];
        pd_world *world, *part;
        pd_error error = {0};
        pd_log *log = recorded(&world, hashes, false), *end;
        assert_int_equal(pd_log_write(log, world, (uint64_t)since[k], PATH, &error), PD_OK);
        end = reread(PATH, &part, 1, NULL);
        assert_int_equal(strcmp(pd_world_scene(part)->name, "Pool") == 0, k == 1);
        play_exactly(end, part, hashes[FRAMES]);
        assert_int_equal(pd_log_seek(end, part, pd_log_end_tick(end) - 2, &error), PD_OK);
        assert_true(pd_world_hash(part) == hashes[FRAMES - 2]);
        order(end, part, (pd_command){.kind = PD_COMMAND_RESTART});
        order(log, world, (pd_command){.kind = PD_COMMAND_RESTART});
        assert_true(pd_world_hash(part) == pd_world_hash(world));
        discard(end, part), discard(log, world);
    }
}

/* A tool that is held is put down by it: what follows is no part of the stroke. */
static void during_a_stroke(void **state) {
    (void)state;
    for (int restarts = 0; restarts < 2; restarts++) {
        pd_world *world = world_of_text(POOL, 1);
        pd_log *log;
        pd_error error = {0};
        pd_command stiffness = {.kind = PD_COMMAND_PARAMETER, .is.parameter = {"ddr.stiffness", 0.9f}};
        pd_command radius = {.kind = PD_COMMAND_PARAMETER, .is.parameter = {"ddr.radius", 0.07f}};
        assert_int_equal(pd_log_create(&log, world, &error), PD_OK);
        order(log, world, (pd_command){PD_COMMAND_TOOL, .is.tool = {PD_TOOL_DRAG, {0, 0}, {1, 0}, 0.2f, 0, 0}});
        step(log, world);
        if (restarts)
            order(log, world, (pd_command){.kind = PD_COMMAND_RESTART});
        else
            begin(log, world, PICTURE);
        order(log, world, (pd_command){.kind = PD_COMMAND_TOOL});
        order(log, world, stiffness);
        uint64_t hash = pd_world_hash(world);
        order(log, world, radius);
        assert_int_equal(pd_log_undo(log, world, &error), PD_OK);
        assert_true(pd_world_hash(world) == hash);
        discard(log, world);
    }
}

/* A file of bounded size begins anew after the command; undoing it goes back to before that beginning. */
static void a_file_of_bounded_size(void **state) {
    (void)state;
    enum { BOUND = 60000 };
    pd_world *world = world_of_text(POOL, 1);
    pd_error error = {0};
    pd_log *log = log_of(world);
    assert_int_equal(pd_log_begin_limited_autosave(log, PATH, BOUND, &error), PD_OK);
    for (int tick = 0; tick < 20; tick++) step(log, world);
    begin(log, world, PICTURE);
    for (int tick = 0; tick < 1500; tick++) {
        pd_vec2 at = {0.001f * (float)(tick % 100), 0.1f};
        order(log, world, (pd_command){PD_COMMAND_TOOL, .is.tool = {PD_TOOL_PUSH, at, {0.125f, 0.333f}, 0.1f, 0, 0}});
        step(log, world);
    }
    order(log, world, (pd_command){.kind = PD_COMMAND_TOOL});
    step(log, world);
    uint64_t hash = pd_world_hash(world);
    for (int undone = 0; undone < 2; undone++) {
        pd_world *again;
        if (undone) {
            while (strcmp(pd_world_scene(world)->name, "Pool") != 0)
                assert_int_equal(pd_log_undo(log, world, &error), PD_OK);
            for (int tick = 0; tick < 70; tick++) step(log, world);
            hash = pd_world_hash(world);
            assert_int_equal(pd_log_end_autosave(log, world, &error), PD_OK);
        }
        pd_log *read = reread(PATH, &again, 1, NULL);
        if (!undone) assert_true(pd_log_end_tick(read) < 1500); /* the file has lost its beginning */
        play_to_end(read, again);
        assert_true(pd_log_first_divergence(read) == PD_LOG_NEVER);
        if (undone) assert_true(pd_world_hash(again) == hash);
        discard(read, again);
    }
    discard(log, world);
}

TEST_GROUP(log_scenes) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_text),
        cmocka_unit_test(the_scene_begins),
        cmocka_unit_test(a_scene_that_is_refused),
        cmocka_unit_test(replay_gives_the_same_bits),
        cmocka_unit_test(a_restart_goes_back_to_its_beginning),
        cmocka_unit_test(it_is_undone_and_redone),
        cmocka_unit_test(the_end_alone),
        cmocka_unit_test(during_a_stroke),
        cmocka_unit_test(a_file_of_bounded_size),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
