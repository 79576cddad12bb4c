/* How files of logs end: in the middle of a step, with a beginning larger than their bound, on failing writes. */
#include "core/file.h"
#include "folder.h"
#include "logs.h"

#include <signal.h>
#include <sys/resource.h>

static const char *const BUSY =
    "puddle: 1\nname: Busy\nparticles: 300\nsubsteps: 3\ncontainer: {shape: box, width: 2, height: 1.2}\n"
    "materials: {a: {color: '#ffffff', mass: 1.3, elasticity: 300}, b: {color: '#3a8fff'}}\n"
    "regions: [{shape: circle, center: [-0.4, 0], radius: 0.25, material: a},\n"
    "          {shape: box, center: [0.4, -0.3], size: [0.7, 0.4], material: b, fill: random}]\n";

static const char *const PATH = "test_log_ends.log";

static pd_command drag(int tick) {
    float angle = 0.07f * (float)tick;
    return (pd_command){PD_COMMAND_TOOL, .is.tool = {.kind = PD_TOOL_DRAG,
                                                     .position = {0.6f * cosf(angle), 0.4f * sinf(angle)},
                                                     .velocity = {-2.4f * sinf(angle), 1.6f * cosf(angle)},
                                                     .radius = 0.21f}};
}

static void run(pd_log *log, pd_world *world, int ticks, int commands) {
    for (int k = 0; k < ticks; k++) {
        for (int i = 0; i < commands; i++) order(log, world, drag((int)pd_log_tick(log) * commands + i));
        step(log, world);
    }
}

static long size_of(const char *path) {
    void *bytes;
    size_t size;
    pd_error error = {0};
    if (pd_file_read(path, 1 << 26, &bytes, &size, &error) != PD_OK) fail_msg("%s", error.message);
    free(bytes);
    return (long)size;
}

/* The file replays exactly to a world with this hash, in so many ticks. */
static void expect_file(uint64_t hash, uint64_t ticks) {
    pd_world *world;
    pd_log *log = reread(PATH, &world, 1, NULL);
    assert_int_equal(pd_log_end_tick(log), ticks);
    play_exactly(log, world, hash);
    discard(log, world);
}

/* A file that is closed or written while a step is under way ends with the last whole step and the commands after it. */
static void in_the_middle_of_a_step(void **state) {
    (void)state;
    for (int way = 0; way < 3; way++) {
        pd_world *world = world_of_text(BUSY, 1);
        pd_log *log = log_of(world);
        pd_error error = {0};
        if (way == 0) assert_int_equal(pd_log_begin_autosave(log, PATH, &error), PD_OK);
        if (way == 1) assert_int_equal(pd_log_begin_limited_autosave(log, PATH, 1 << 20, &error), PD_OK);
        run(log, world, 70, 1);
        order(log, world, (pd_command){PD_COMMAND_GRAVITY, .is.gravity = {0, -2}});
        uint64_t hash = pd_world_hash(world);
        assert_false(pd_world_step_part(world, 0));
        assert_true(pd_world_stepping(world) && pd_world_hash(world) != hash);
        assert_int_equal(way < 2 ? pd_log_end_autosave(log, world, &error) : pd_log_write(log, world, 0, PATH, &error),
                         PD_OK);
        expect_file(hash, 70);
        discard(log, world);
    }
}

/* Where the user went back to before the commands of the last tick, the world is not the one that the file ends with. */
static void before_the_last_commands(void **state) {
    (void)state;
    for (int way = 0; way < 2; way++) {
        pd_world *world = world_of_text(BUSY, 1);
        pd_log *log = log_of(world);
        pd_error error = {0};
        if (way == 0) assert_int_equal(pd_log_begin_autosave(log, PATH, &error), PD_OK);
        run(log, world, 10, 1);
        order(log, world, (pd_command){PD_COMMAND_PARTICLES, .is.particles = 100});
        uint64_t hash = pd_world_hash(world);
        assert_int_equal(pd_log_seek(log, world, 5, &error), PD_OK);
        assert_int_equal(pd_log_seek(log, world, 10, &error), PD_OK);
        assert_true(pd_world_hash(world) != hash);
        assert_int_equal(way == 0 ? pd_log_end_autosave(log, world, &error) : pd_log_write(log, world, 0, PATH, &error),
                         PD_OK);
        expect_file(hash, 10);
        discard(log, world);
    }
}

/* A beginning that is larger than the bound of the file does not end it: the file may then be larger, but stays bounded. */
static void a_large_beginning(void **state) {
    (void)state;
    enum { BOUND = 3000, EACH = 60, COMMANDS = 5, LINE = 70 /* bytes */ };
    pd_world *world = world_of_text(BUSY, 1), *again;
    pd_error error = {0};
    step_many(world, 2); /* as in a snapshot */
    pd_log *log = log_of(world);
    assert_int_equal(pd_log_begin_limited_autosave(log, PATH, BOUND, &error), PD_OK);
    long beginning = size_of(PATH);
    assert_true(beginning > 2 * BOUND);
    uint64_t first = 0;
    for (int k = 0; k < 24; k++) {
        run(log, world, EACH, COMMANDS);
        assert_true(size_of(PATH) <= 2 * (2 * beginning + 3 * EACH * COMMANDS * LINE)); /* both states, three seconds */
        pd_log *part = reread(PATH, &again, 1, NULL);
        first = pd_log_tick(log) - pd_log_end_tick(part);
        if (k == 1) play_exactly(part, again, pd_world_hash(world));
        discard(part, again);
    }
    assert_true(first > 0); /* it began anew */
    expect_followed(log, world, PATH);
}

/* Where no later keyframe is kept, as of very many particles, the file goes on from the first one. */
static void no_later_keyframe(void **state) {
    (void)state;
    pd_world *world = world_of_text(BUSY, 1);
    pd_error error = {0};
    step_many(world, 2);
    pd_log *log = log_of(world);
    pd_log_set_keyframe_budget(log, 1);
    assert_int_equal(pd_log_begin_limited_autosave(log, PATH, 3000, &error), PD_OK);
    run(log, world, 300, 20);
    uint64_t hash = pd_world_hash(world);
    assert_int_equal(pd_log_end_autosave(log, world, &error), PD_OK);
    expect_file(hash, 300);
    discard(log, world);
}

/* After a write that failed nothing more is written, also where there is room again: the file ends, without a gap. */
static void no_gap_after_a_failed_write(void **state) {
    (void)state;
    pd_world *world = world_of_text(BUSY, 1);
    pd_log *log = log_of(world);
    pd_error error = {0};
    struct rlimit usual, tight;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(pd_log_begin_autosave(log, PATH, &error), PD_OK);
    run(log, world, 60, 20);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &usual), 0);
    tight = usual;
    tight.rlim_cur = (rlim_t)size_of(PATH) + 500;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
    run(log, world, 120, 20);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &usual), 0);
    signal(SIGXFSZ, handler);
    run(log, world, 60, 20);
    assert_int_equal(pd_log_end_autosave(log, world, &error), PD_FAILED);
    assert_int_equal(error.code, PD_ERROR_FILE_UNWRITABLE);
    discard(log, world);
    log = reread(PATH, &world, 1, NULL);
    assert_true(pd_log_end_tick(log) >= 60 && pd_log_end_tick(log) < 120);
    play_to_end(log, world);
    assert_true(pd_log_first_divergence(log) == PD_LOG_NEVER);
    discard(log, world);
}

TEST_GROUP(log_ends) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_the_middle_of_a_step),     cmocka_unit_test(before_the_last_commands),
        cmocka_unit_test(a_large_beginning),           cmocka_unit_test(no_later_keyframe),
        cmocka_unit_test(no_gap_after_a_failed_write),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
