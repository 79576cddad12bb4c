/* Logs of commands: replaying one gives the same world bit for bit, from any tick, and from a damaged file as far as it goes. */
#include "core/file.h"
#include "folder.h"
#include "levels.h"
#include "logs.h"
#include "methods.h"

static const char *const BUSY =
    "puddle: 1\nname: Busy\nparticles: 300\nseed: 7\nsubsteps: 3\ncontainer: {shape: box, width: 2, height: 1.2}\n"
    "materials: {a: {color: '#ffffff', mass: 1.3, elasticity: 300}, b water: {color: '#3a8fff'}}\n"
    "regions: [{shape: circle, center: [-0.4, 0], radius: 0.25, material: a},\n"
    "          {shape: box, center: [0.4, -0.3], size: [0.7, 0.4], material: b water, fill: random}]\n"
    "obstacles: [{shape: circle, center: [0.3, 0.3], radius: 0.1, velocity: [0.1, 0.05]}]\n"
    "emitters: [{position: [0, 0.5], direction: [0.2, -1], speed: 0.5, width: 0.1, rate: 40, material: b water}]\n"
    "drains: [{shape: circle, center: [0.9, -0.5], radius: 0.1}]\n"
    "parameters: {grid: {resolution: 32}, flip: {resolution: 32}, vortex: {core: 0.15}}\n";

static const char *const PATH = "test_log.log";

static pd_command parameter(const char *key, float value) {
    pd_command command = {.kind = PD_COMMAND_PARAMETER};
    strcpy(command.is.parameter.key, key);
    command.is.parameter.value = value;
    return command;
}

static pd_command method(const char *name) {
    pd_command command = {.kind = PD_COMMAND_METHOD};
    strcpy(command.is.method, name);
    return command;
}

static pd_command tool(pd_tool_kind kind, int tick) {
    float angle = 0.07f * (float)tick;
    return (pd_command){.kind = PD_COMMAND_TOOL,
                        .is.tool = {.kind = kind,
                                    .position = {0.6f * cosf(angle), 0.4f * sinf(angle)},
                                    .velocity = {-0.6f * 4 * sinf(angle), 0.4f * 4 * cosf(angle)},
                                    .radius = 0.21f,
                                    .material = kind == PD_TOOL_PAINT || kind == PD_TOOL_POUR}};
}

/* What a person does in the step of this tick: each kind of command, each tool, each method. */
static void act(pd_log *log, pd_world *world, int tick, int frames) {
    const char *methods[MOST_METHODS];
    int count = methods_that(any_method, methods), each = frames / (count + 1);
    if (tick > 0 && tick % each == 0 && tick / each <= count) order(log, world, method(methods[tick / each - 1]));
    pd_tool_kind kind = tick % 40 < 25 ? (pd_tool_kind)(1 + tick / 40 % PD_TOOL_ERASE) : PD_TOOL_NONE;
    order(log, world, tool(kind, tick));
    if (tick % 50 == 7) order(log, world, (pd_command){PD_COMMAND_GRAVITY, .is.gravity = {0.1f, -1.7f + 0.01f * tick}});
    if (tick == frames / 7) order(log, world, parameter("ddr.stiffness", 1.2345678f));
    if (tick == frames / 5) order(log, world, parameter("grid.vorticity", 0.1f));
    if (tick == frames / 3) order(log, world, parameter("ddr.stiffness", NAN));
    pd_command property = {PD_COMMAND_PROPERTY, .is.property = {1, PD_VISCOSITY, 3.5f}};
    if (tick == 9) order(log, world, property);
    property.is.property.value = NAN;
    if (tick == frames / 4) order(log, world, property);
    if (tick == frames / 2) order(log, world, (pd_command){.kind = PD_COMMAND_RESET});
    if (tick == frames * 5 / 8) order(log, world, (pd_command){PD_COMMAND_PARTICLES, .is.particles = 420});
    if (tick == frames * 7 / 8) order(log, world, (pd_command){.kind = PD_COMMAND_RESTART});
}

/* A log with its world after `frames` steps. hashes (may be NULL): of the world before the commands of each tick. */
static pd_log *recorded(pd_world **world, int frames, uint64_t *hashes) {
    *world = world_of_text(BUSY, 1);
    pd_log *log = log_of(*world);
    for (int tick = 0; tick < frames; tick++) {
        if (hashes) hashes[tick] = pd_world_hash(*world);
        act(log, *world, tick, frames);
        step(log, *world);
    }
    if (hashes) hashes[frames] = pd_world_hash(*world);
    return log;
}

/* ---- Replay ---- */

static void replay_gives_the_same_bits(void **state) {
    (void)state;
    static const char *const levels[] = {"auto", "baseline", "avx2", "avx512", "neon"};
    int frames = fewer_frames(300, 64);
    pd_world *world;
    pd_error error = {0};
    pd_log *log = recorded(&world, frames, NULL);
    uint64_t hash = pd_world_hash(world);
    if (pd_log_write(log, world, 0, PATH, &error) != PD_OK) fail_msg("%s", error.message);
    discard(log, world);
    for (int k = 0; k < (UNDER_ADDRESS_SANITIZER ? 1 : 5); k++) {
        if (!pd_simd_select(levels[k])) continue;
        log = reread(PATH, &world, UNDER_ADDRESS_SANITIZER ? 3 : k % 3 + 1, NULL);
        assert_int_equal(pd_log_end_tick(log), frames);
        play_exactly(log, world, hash);
        discard(log, world);
    }
    pd_simd_select("auto");
}

/* A number changed in the file: the first hash after it tells. */
static void divergence_is_reported(void **state) {
    (void)state;
    pd_world *world = world_of_text(BUSY, 1);
    pd_error error = {0};
    pd_log *log = log_of(world);
    for (int tick = 0; tick < 150; tick++) {
        if (tick == 70) order(log, world, (pd_command){PD_COMMAND_GRAVITY, .is.gravity = {0, -2.25f}});
        step(log, world);
    }
    assert_int_equal(pd_log_write(log, world, 0, PATH, &error), PD_OK);
    discard(log, world);
    assert_int_equal(system("sed -i 's/^70 gravity 0 -2.25$/70 gravity 0 -2.2500002/' test_log.log"), 0);
    log = reread(PATH, &world, 1, NULL);
    play_to_end(log, world);
    assert_int_equal(pd_log_first_divergence(log), 120);
    assert_int_equal(pd_log_tick(log), 150); /* it went on */
    discard(log, world);
}

/* ---- Going back ---- */

static void any_tick_can_be_had_again(void **state) {
    (void)state;
    enum { MOST = 240 };
    uint64_t hashes[MOST + 1];
    int frames = fewer_frames(MOST, 40);
    pd_world *world;
    pd_log *log = recorded(&world, frames, hashes);
    pd_error error = {0};
    unsigned random = 12345;
    pd_log_set_keyframe_budget(log, 400000); /* few keyframes */
    for (int k = 0, seeks = is_shortened() ? 6 : 30; k < seeks; k++) {
        random = random * 1103515245u + 12345u;
        uint64_t tick = k == 0 ? (uint64_t)frames : random / 7 % (unsigned)(frames + 1);
        if (k % 3 == 0) pd_world_step_part(world, 0); /* also from within a step that is then abandoned */
        assert_int_equal(pd_log_seek(log, world, tick, &error), PD_OK);
        assert_int_equal(pd_log_tick(log), tick);
        assert_true(pd_world_hash(world) == hashes[tick]);
        assert_int_equal(pd_log_end_tick(log), frames);
    }
    assert_true(pd_log_first_divergence(log) == PD_LOG_NEVER);
    play_to_end(log, world);
    assert_true(pd_world_hash(world) == hashes[frames]);
    discard(log, world);
}

/* Going back 30 ticks and on from there is as never having gone further: the same world, and the same log. */
static void another_future(void **state) {
    (void)state;
    pd_world *world, *straight;
    pd_error error = {0};
    pd_log *log = recorded(&world, 60, NULL), *short_log;
    assert_int_equal(pd_log_begin_autosave(log, "test_log.follow", &error), PD_OK);
    for (int k = 0; k < 30; k++) step(log, world);
    order(log, world, parameter("sph.viscosity", 0.4f));
    assert_int_equal(pd_log_seek(log, world, 45, &error), PD_OK);
    pd_log_remove_future(log);
    assert_int_equal(pd_log_end_tick(log), 45);
    straight = world_of_text(BUSY, 1);
    assert_int_equal(pd_log_create(&short_log, straight, &error), PD_OK);
    for (int tick = 0; tick < 45; tick++) {
        act(short_log, straight, tick, 60);
        step(short_log, straight);
    }
    for (int tick = 0; tick < 20; tick++) {
        order(log, world, tool(PD_TOOL_PUSH, tick));
        order(short_log, straight, tool(PD_TOOL_PUSH, tick));
        step(log, world), step(short_log, straight);
    }
    assert_true(pd_world_hash(world) == pd_world_hash(straight));
    assert_int_equal(pd_log_commands(log), pd_log_commands(short_log));
    assert_int_equal(pd_log_write(log, world, 0, PATH, &error), PD_OK);
    assert_int_equal(pd_log_write(short_log, straight, 0, "test_log.short", &error), PD_OK);
    assert_int_equal(system("cmp test_log.log test_log.short"), 0);
    /* The file that was written on the way tells of the same future. */
    assert_int_equal(pd_log_end_autosave(log, world, &error), PD_OK);
    discard(log, world);
    assert_int_equal(rename("test_log.follow", PATH), 0);
    log = reread(PATH, &world, 1, NULL);
    play_exactly(log, world, pd_world_hash(straight));
    discard(log, world), discard(short_log, straight);
    unlink("test_log.short");
}

/* Undoing a command of any kind is as never having given it. */
static void commands_can_be_undone(void **state) {
    (void)state;
    const pd_command commands[] = {
        tool(PD_TOOL_DRAG, 3),
        parameter("ddr.stiffness", 0.9f),
        method("sph"),
        {PD_COMMAND_GRAVITY, .is.gravity = {1, 2}},
        {PD_COMMAND_PROPERTY, .is.property = {0, PD_YIELD, 0.1f}},
        {.kind = PD_COMMAND_RESET},
        {PD_COMMAND_PARTICLES, .is.particles = 500},
        {.kind = PD_COMMAND_RESTART},
    };
    for (size_t k = 0; k < sizeof commands / sizeof *commands; k++) {
        pd_world *world = world_of_text(BUSY, 1), *never = world_of_text(BUSY, 1);
        pd_log *log;
        pd_error error = {0};
        assert_int_equal(pd_log_create(&log, world, &error), PD_OK);
        for (int tick = 0; tick < 20; tick++) step(log, world), pd_world_step(never);
        order(log, world, parameter("ddr.radius", 0.07f)); /* in the same tick, and not undone */
        set_parameter(never, "ddr.radius", 0.07f);
        order(log, world, commands[k]);
        for (int tick = 0; tick < 15; tick++) step(log, world);
        assert_int_equal(pd_log_commands(log), 2);
        assert_int_equal(pd_log_seek_command(log, world, 1, &error), PD_OK);
        assert_true(pd_world_hash(world) == pd_world_hash(never));
        assert_int_equal(pd_log_tick(log), 20);
        assert_int_equal(pd_log_end_tick(log), 35); /* it can be done again */
        pd_log_remove_future(log);
        assert_int_equal(pd_log_commands(log), 1);
        for (int tick = 0; tick < 15; tick++) step(log, world), pd_world_step(never);
        assert_true(pd_world_hash(world) == pd_world_hash(never));
        discard(log, world), pd_world_destroy(never);
    }
}

/* Strokes, moved sliders and single commands are undone as a whole, one after another, and redone. */
static void acts_are_undone_and_redone(void **state) {
    (void)state;
    enum { ACTS = 5, EACH = 12 };
    uint64_t before[ACTS], after[ACTS];
    pd_world *world = world_of_text(BUSY, 1);
    pd_error error = {0};
    pd_log *log = log_of(world);
    assert_int_equal(pd_log_begin_autosave(log, PATH, &error), PD_OK);
    step(log, world);
    for (int act = 0; act < ACTS; act++) {
        for (int k = 0; k < 40; k++) step(log, world); /* apart from the last one */
        before[act] = pd_world_hash(world);
        for (int k = 0; k < EACH; k++) {
            if (act == 0 || act == 3) order(log, world, tool(k + 1 < EACH ? PD_TOOL_DRAG : PD_TOOL_NONE, k));
            if (act == 3 && k == 4) order(log, world, parameter("ddr.stiffness", 0.9f)); /* during a stroke */
            if (act == 1) order(log, world, parameter("ddr.stiffness", 1 + 0.01f * (float)k));
            if (act == 2 && k == 0) order(log, world, method("pbf"));
            if (act == 4 && k == 0) order(log, world, (pd_command){.kind = PD_COMMAND_RESET});
            step(log, world);
        }
        after[act] = pd_world_hash(world);
    }
    for (int round = 0; round < 2; round++) {
        uint64_t steps, ended[ACTS];
        for (int act = ACTS - 1; act >= 0; act--) {
            ended[act] = pd_world_hash(world);
            assert_true(pd_log_can_undo(log, &steps) && steps == 0);
            assert_int_equal(pd_log_undo(log, world, &error), PD_OK);
            assert_true(pd_world_hash(world) == before[act]);
            if (round == 1) step(log, world); /* the world goes on, and is put back by the redo */
        }
        assert_false(pd_log_can_undo(log, NULL));
        for (int act = 0; act < ACTS; act++) {
            assert_true(pd_log_can_redo(log));
            assert_int_equal(pd_log_redo(log, world, &error), PD_OK);
            assert_true(pd_world_hash(world) == ended[act]);
        }
        assert_false(pd_log_can_redo(log));
        assert_true(pd_world_hash(world) == after[ACTS - 1]);
    }
    assert_int_equal(pd_log_undo(log, world, &error), PD_OK);
    order(log, world, method("sph"));
    assert_false(pd_log_can_redo(log)); /* another future has begun */
    for (int k = 0; k < 30; k++) step(log, world);
    expect_followed(log, world, PATH);
}

/* ---- Files ---- */

/* The last part of a log, from a keyframe on, replays by itself; also its restart, and a log that began with a loaded world. */
static void the_end_alone(void **state) {
    (void)state;
    int frames = fewer_frames(300, 130);
    pd_world *world, *part;
    pd_error error = {0};
    pd_log *log = recorded(&world, frames, NULL), *end;
    assert_int_equal(pd_log_write(log, world, (uint64_t)frames - 65, PATH, &error), PD_OK);
    end = reread(PATH, &part, 1, NULL);
    assert_true(pd_log_end_tick(end) >= 65 && pd_log_end_tick(end) < 130);
    play_exactly(end, part, pd_world_hash(world));
    order(end, part, (pd_command){.kind = PD_COMMAND_RESTART});
    order(log, world, (pd_command){.kind = PD_COMMAND_RESTART});
    assert_true(pd_world_hash(part) == pd_world_hash(world));
    discard(end, part);
    pd_log_destroy(log);
    step_many(world, 3);
    assert_int_equal(pd_log_create(&log, world, &error), PD_OK);
    step(log, world);
    assert_int_equal(pd_log_write(log, world, 0, PATH, &error), PD_OK);
    end = reread(PATH, &part, 1, NULL);
    play_to_end(end, part);
    assert_true(pd_world_hash(part) == pd_world_hash(world));
    discard(end, part), discard(log, world);
}

/* A file that breaks off anywhere behind its head replays up to there; in its head it is refused. */
static void files_that_break_off(void **state) {
    (void)state;
    pd_world *world;
    pd_error error = {0};
    pd_log *log = recorded(&world, 62, NULL);
    size_t size;
    assert_int_equal(pd_log_write(log, world, 0, PATH, &error), PD_OK);
    discard(log, world);
    void *bytes;
    assert_int_equal(pd_file_read(PATH, 1 << 24, &bytes, &size, &error), PD_OK);
    const char *text = bytes;
    size_t head = (size_t)(strstr(text, "\nend\n") - text) + 5;
    for (size_t length = 0; length < size; length += (length < head ? 13 : 97) * (is_shortened() ? 9 : 1)) {
        char damage[PD_MAX_LOG_DAMAGE];
        write_file(PATH, text, length);
        pd_result result = read_log_with_threads(&log, &world, PATH, 1, damage, &error);
        assert_int_equal(result, length < head ? PD_BAD_INPUT : PD_OK);
        if (result != PD_OK) {
            assert_int_equal(error.code, PD_ERROR_LOG_BROKEN);
            assert_null(strchr(error.message, '\n'));
            continue;
        }
        assert_string_equal(damage, "");
        if (length % 5 == 0) {
            play_to_end(log, world);
            assert_true(pd_log_first_divergence(log) == PD_LOG_NEVER);
        }
        discard(log, world);
    }
    free(bytes);
}

static void damaged_lines(void **state) {
    (void)state;
    static const struct {
        const char *line, *message;
    } lines[] = {
        {"12 tool drag 1 2 3", "is not a complete and valid command 'tool'"},
        {"12 tool drag 1 2 3 4 nan", "is not a complete and valid command"},
        {"12 tool lift", "is not a complete and valid command"},
        {"12 gravity 1", "'gravity 1' is not a complete and valid command 'gravity' (allowed: gravity X Y)"},
        {"12 jump", "'jump' is no command"},
        {"12", "is no command"},
        {"x reset", "must begin with its step"},
        {"-1 reset", "must begin with its step"},
        {"9 reset", "must begin with its step, in order"},
        {"99999999999999999999 reset", "must begin with its step"},
        {"18446744073709551615 stop", "its step is beyond 2^53"},
        {"9007199254740993 stop", "its step is beyond 2^53"},
        {"12 hash 123", "16 hexadecimal digits"},
        {"12 property viscosity 3 nothing", "is not a complete and valid command"},
        {"12 particles -4", "is not a complete and valid command"},
        {"12 reset now", "is not a complete and valid command 'reset' (allowed: reset)"},
        {"12 back 13 0", "leads to a step that the log does not have"},
        {"12 back 5 1", "leads to a step that the log does not have"},
        {"\xff\xfe\x01", "must begin with its step"},
    };
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        char text[2048];
        pd_world *world;
        int length = snprintf(text, sizeof text, "puddle-log 1\nscene\n%send\n10 gravity 0 -1\n%s\n20 reset\n", BUSY,
                              lines[k].line);
        write_file(PATH, text, (size_t)length);
        pd_log *log = reread(PATH, &world, 1, lines[k].message);
        assert_int_equal(pd_log_commands(log), 1);
        assert_int_equal(pd_log_end_tick(log), 10);
        play_to_end(log, world);
        discard(log, world);
    }
    char damage[PD_MAX_LOG_DAMAGE];
    pd_log *log;
    pd_world *world;
    pd_error error = {0};
    const char *wrong_scene = "puddle-log 1\nscene\npuddle: 1\nparticles: none\nend\n";
    write_file(PATH, wrong_scene, strlen(wrong_scene));
    assert_int_equal(read_log_with_threads(&log, &world, PATH, 1, damage, &error), PD_BAD_INPUT);
    assert_non_null(strstr(error.message, "particles"));
    assert_int_equal(read_log_with_threads(&log, &world, "nowhere.log", 1, damage, &error), PD_BAD_INPUT);
    assert_int_equal(error.code, PD_ERROR_FILE_UNREADABLE);
}

/* A log of another version is refused; the message says which puddle wrote it and which one to use. */
static void other_versions(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
        int code;
    } logs[] = {
        {"puddle-log 2\n", "a log of version 2; puddle " PD_VERSION " reads version 1 (use a newer puddle)",
         PD_ERROR_LOG_VERSION},
        {"puddle-log 0\n", "(use an older puddle)", PD_ERROR_LOG_VERSION},
        {"puddle-log 3\nscene\n# written by puddle 7.8.9\nend\n",
         "version 3, written by puddle 7.8.9; puddle " PD_VERSION " reads version 1 (use that version of puddle)",
         PD_ERROR_LOG_VERSION},
        {"puddle-log one\n", "not a log of commands", PD_ERROR_LOG_BROKEN},
    };
    pd_log *log;
    pd_world *world;
    for (int k = 0; k < 4; k++) {
        char damage[PD_MAX_LOG_DAMAGE];
        pd_error error;
        write_file(PATH, logs[k].text, strlen(logs[k].text));
        assert_int_equal(read_log_with_threads(&log, &world, PATH, 1, damage, &error), PD_BAD_INPUT);
        assert_int_equal(error.code, logs[k].code);
        if (!strstr(error.message, logs[k].message)) fail_msg("%s", error.message);
    }
    char text[2048];
    write_file(PATH, text,
               (size_t)snprintf(text, sizeof text, "puddle-log 1\nscene\n# written by puddle 0.0.9\n%send\n", BUSY));
    log = reread(PATH, &world, 1, NULL);
    assert_string_equal(pd_log_writer_version(log), "0.0.9");
    discard(log, world);
}

/* A command that the world refuses, as a hand-written one may be, does not stop the replay. */
static void refused_commands(void **state) {
    (void)state;
    char text[2048];
    pd_world *world;
    int length = snprintf(text, sizeof text,
                          "puddle-log 1\nscene\n%send\n3 parameter ddr.stiffness -5\n3 method magic\n5 stop\n", BUSY);
    write_file(PATH, text, (size_t)length);
    pd_log *log = reread(PATH, &world, 1, NULL);
    play_to_end(log, world);
    assert_int_equal(pd_log_tick(log), 5);
    assert_int_equal(pd_log_first_divergence(log), 3);
    expect_sound(world);
    discard(log, world);
}

static void full_disk(void **state) {
    (void)state;
    pd_world *world;
    pd_error error = {0};
    pd_log *log = recorded(&world, 30, NULL);
    assert_int_equal(pd_log_begin_autosave(log, "/nowhere/at/all.log", &error), PD_FAILED);
    assert_int_equal(error.code, PD_ERROR_FILE_UNWRITABLE);
    if (pd_log_begin_autosave(log, "/dev/full", &error) == PD_OK) {
        for (int k = 0; k < 100; k++) step(log, world);
        assert_int_equal(pd_log_end_autosave(log, world, &error), PD_FAILED);
    }
    assert_int_equal(error.code, PD_ERROR_FILE_UNWRITABLE);
    assert_int_equal(pd_log_write(log, world, 0, "/dev/full", &error), PD_FAILED);
    step(log, world);
    discard(log, world);
}

static long size_of(const char *path) {
    void *bytes;
    size_t size;
    pd_error error = {0};
    if (pd_file_read(path, 1 << 24, &bytes, &size, &error) != PD_OK) fail_msg("%s", error.message);
    free(bytes);
    return (long)size;
}

/* A file of bounded size begins anew with the last seconds, and at every moment replays to what the world was; also when
 * it then goes back to before its beginning. */
static void a_file_of_bounded_size(void **state) {
    (void)state;
    enum { BOUND = 80000, FRAMES = 600 }; /* BOUND: more than twice the size of a state */
    pd_world *world = world_of_text(BUSY, 1), *again;
    pd_log *log, *end;
    pd_error error = {0};
    assert_int_equal(pd_log_create(&log, world, &error), PD_OK);
    assert_int_equal(pd_log_begin_limited_autosave(log, PATH, BOUND, &error), PD_OK);
    uint64_t first = UINT64_MAX, hash = 0;
    for (int tick = 0; tick < FRAMES; tick++) {
        for (int k = 0; k < 3; k++) order(log, world, tool(PD_TOOL_DRAG + k, tick));
        if (tick == 400) order(log, world, method("pbf"));
        step(log, world);
        if ((tick + 1) % 60 != 0) continue;
        assert_true(size_of(PATH) <= BOUND);
        end = reread(PATH, &again, 1, NULL);
        hash = pd_world_hash(world);
        first = pd_log_tick(log) - pd_log_end_tick(end);
        if (tick % 180 == 179) {
            play_exactly(end, again, hash);
        }
        discard(end, again);
    }
    assert_true(first > 0 && first < FRAMES);
    assert_int_equal(pd_log_seek(log, world, first / 2, &error), PD_OK);
    pd_log_remove_future(log);
    for (int tick = 0; tick < 70; tick++) step(log, world);
    expect_followed(log, world, PATH);
    assert_true(size_of(PATH) <= BOUND);
}

/* Any command reads back as it was written. */
static void commands_as_text(void **state) {
    (void)state;
    pd_scene scene = scene_of_text(BUSY);
    pd_command commands[] = {
        {PD_COMMAND_TOOL, .is.tool = {PD_TOOL_MOVE, {1e-30f, -3.4e38f}, {1.0f / 3, 16777217}, 1e-6f, 0, 31}},
        {PD_COMMAND_TOOL, .is.tool = {PD_TOOL_PAINT, {0.1f, -0.0f}, {0, 0}, 1, 1, 0}},
        {PD_COMMAND_TOOL, .is.tool = {PD_TOOL_POUR, {0.1f, 3}, {0.5f, -1}, 0.01f, 1, 0}},
        {PD_COMMAND_TOOL, .is.tool = {PD_TOOL_ERASE, {0.1f, 3}, {0.5f, -1}, 0.01f, 0, 0}},
        {PD_COMMAND_TOOL, .is.tool = {.kind = PD_TOOL_NONE}},
        {PD_COMMAND_GRAVITY, .is.gravity = {1e-38f, -9.81f}},
        {PD_COMMAND_PROPERTY, .is.property = {1, PD_STICKINESS, 0.3f}},
        {PD_COMMAND_PARTICLES, .is.particles = PD_MAX_PARTICLES},
        {.kind = PD_COMMAND_RESET},
        {.kind = PD_COMMAND_RESTART},
        parameter("vortex.ambient_density", 0.7f),
        method("pbf"),
        command_of_line("edit {drains: {0: none, 1: {shape: circle, center: [0, 0], radius: 0.1}}}", &scene),
    };
    for (size_t k = 0; k < sizeof commands / sizeof *commands; k++) {
        for (int numbered = 0; numbered < 2; numbered++) {
            pd_error error = {0};
            pd_command read;
            char *text = pd_command_format(&commands[k], numbered ? NULL : &scene);
            if (pd_command_parse(text, &scene, &read, &error) != PD_OK) fail_msg("%s", error.message);
            if (read.kind != PD_COMMAND_EDIT) assert_memory_equal(&read, &commands[k], sizeof read);
            char *again = pd_command_format(&read, numbered ? NULL : &scene);
            assert_string_equal(again, text);
            free(again);
            free(text);
            pd_command_free(&read);
        }
        pd_command_free(&commands[k]);
    }
    pd_scene_free(&scene);
}

TEST_GROUP(log) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replay_gives_the_same_bits),
        cmocka_unit_test(divergence_is_reported),
        cmocka_unit_test(any_tick_can_be_had_again),
        cmocka_unit_test(another_future),
        cmocka_unit_test(commands_can_be_undone),
        cmocka_unit_test(acts_are_undone_and_redone),

        cmocka_unit_test(the_end_alone),
        cmocka_unit_test(files_that_break_off),
        cmocka_unit_test(damaged_lines),
        cmocka_unit_test(other_versions),
        cmocka_unit_test(refused_commands),
        cmocka_unit_test(full_disk),
        cmocka_unit_test(a_file_of_bounded_size),
        cmocka_unit_test(commands_as_text),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
