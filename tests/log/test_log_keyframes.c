/* Keyframes in the files of logs: what they tell is what playing gives, also where the file was changed or damaged. */
#include "core/file.h"
#include "folder.h"
#include "logs.h"

#include <signal.h>
#include <sys/resource.h>

static const char *const BUSY =
    "puddle: 1\nname: Busy\nparticles: 300\nseed: 7\nsubsteps: 3\ncontainer: {shape: box, width: 2, height: 1.2}\n"
    "materials: {a: {color: '#ffffff', mass: 1.3, elasticity: 300}, b water: {color: '#3a8fff'}}\n"
    "regions: [{shape: circle, center: [-0.4, 0], radius: 0.25, material: a},\n"
    "          {shape: box, center: [0.4, -0.3], size: [0.7, 0.4], material: b water, fill: random}]\n"
    "emitters: [{position: [0, 0.5], direction: [0.2, -1], speed: 0.5, width: 0.1, rate: 40, material: b water}]\n";

static const char *const PATH = "test_log_keyframes.log";

enum { LONG = 300 }; /* ticks: keyframes at 120 and 240 */

/* A log with two commands of gravity, at ticks 70 and 200, and the hashes before the commands of each tick. */
static pd_log *recorded_long(pd_world **world, bool follow, uint64_t hashes[LONG + 1]) {
    pd_error error = {0};
    *world = world_of_text(BUSY, 1);
    pd_log *log = log_of(*world);
    if (follow) assert_int_equal(pd_log_begin_autosave(log, PATH, &error), PD_OK);
    for (int tick = 0; tick < LONG; tick++) {
        hashes[tick] = pd_world_hash(*world);
        if (tick == 70 || tick == 200) order(log, *world, (pd_command){PD_COMMAND_GRAVITY, .is.gravity = {0, -2.25f}});
        step(log, *world);
    }
    hashes[LONG] = pd_world_hash(*world);
    return log;
}

/* Reads the file: its last keyframe is that of a tick, and every tick is what the hashes say (NULL: what playing up to it
 * gives). */
static void expect_keyframe(uint64_t tick, const uint64_t *hashes, bool diverges) {
    static const uint64_t ticks[] = {250, 130, 240, 0, 125, 120};
    enum { TICKS = sizeof ticks / sizeof *ticks };
    uint64_t found = 0, played[LONG + 1];
    pd_world *world;
    pd_error error = {0};
    pd_log *log = reread(PATH, &world, 1, NULL);
    for (; !hashes && pd_log_tick(log) < pd_log_end_tick(log); step(log, world)) {
        played[pd_log_tick(log)] = pd_world_hash(world);
        pd_log_replay_commands(log, world);
    }
    if (!hashes) {
        discard(log, world);
        log = reread(PATH, &world, 1, NULL);
    }
    assert_true(pd_log_find_keyframe_before(log, pd_log_end_tick(log), &found));
    assert_int_equal(found, tick);
    for (int k = 0; k < TICKS; k++) {
        assert_true(ticks[k] <= pd_log_end_tick(log));
        assert_int_equal(pd_log_seek(log, world, ticks[k], &error), PD_OK);
        assert_true(pd_world_hash(world) == (hashes ? hashes : played)[ticks[k]]);
    }
    play_to_end(log, world);
    assert_true((pd_log_first_divergence(log) != PD_LOG_NEVER) == diverges);
    discard(log, world);
}

/* A log that was read can be searched without playing it first, whether it was written at once, in part or as it grew; its last
 * line is still the hash. */
static void files_have_keyframes(void **state) {
    (void)state;
    uint64_t hashes[LONG + 1];
    pd_world *world;
    pd_error error = {0};
    pd_log *log = recorded_long(&world, true, hashes);
    assert_int_equal(pd_log_end_autosave(log, world, &error), PD_OK);
    expect_keyframe(240, hashes, false);
    assert_int_equal(system("tail -n 1 test_log_keyframes.log | grep -q '^300 hash '"), 0);
    assert_int_equal(pd_log_write(log, world, 0, PATH, &error), PD_OK);
    expect_keyframe(240, hashes, false);
    assert_int_equal(pd_log_write(log, world, 30, PATH, &error), PD_OK);
    expect_keyframe(240, hashes + 30, false);
    assert_int_equal(system("sed -i '/ keyframe /d' test_log_keyframes.log"), 0);
    expect_keyframe(0, hashes + 30, false);
    discard(log, world);
}

/* The run that a changed log tells of is shown, not the one that its keyframes are of. */
static void keyframes_of_another_run(void **state) {
    (void)state;
    uint64_t hashes[LONG + 1];
    pd_world *world;
    pd_error error = {0};
    pd_log *log = recorded_long(&world, false, hashes);
    assert_int_equal(pd_log_write(log, world, 0, PATH, &error), PD_OK);
    assert_int_equal(system("sed -i 's/^200 gravity 0 -2.25$/200 gravity 0 -2.5/' test_log_keyframes.log"), 0);
    expect_keyframe(120, NULL, true);
    assert_int_equal(system("sed -i 's/^70 gravity 0 -2.25$/71 gravity 0 -2.25/' test_log_keyframes.log"), 0);
    expect_keyframe(0, NULL, true);
    assert_int_equal(pd_log_write(log, world, 0, PATH, &error), PD_OK);
    assert_int_equal(system("sed -i 's/speed: 0.5/speed: 0.6/' test_log_keyframes.log"), 0);
    expect_keyframe(0, NULL, true);
    /* A state under another tick, whose hash it has not. */
    assert_int_equal(pd_log_write(log, world, 0, PATH, &error), PD_OK);
    assert_int_equal(system("sed -i 's/^120 \\(keyframe .*\\)/180 \\1/; /^240 keyframe/d' test_log_keyframes.log"), 0);
    expect_keyframe(0, hashes, false);
    discard(log, world);
}

/* A keyframe that is damaged or cut short costs nothing but itself. */
static void damaged_keyframes(void **state) {
    (void)state;
    uint64_t hashes[LONG + 1];
    pd_world *world;
    pd_error error = {0};
    pd_log *log = recorded_long(&world, false, hashes);
    assert_int_equal(pd_log_write(log, world, 0, PATH, &error), PD_OK);
    assert_int_equal(system("sed -i 's/^\\(240 keyframe [0-9a-f]* .\\{900\\}\\)..../\\1AbCd/' test_log_keyframes.log"),
                     0);
    expect_keyframe(120, hashes, false);
    static const char *const changes[] = {"240 keyframe !", "240 keyframe 12345", "301 keyframe 0123456789abcdef AA"};
    for (int k = 0; k < 3; k++) {
        char command[160];
        pd_world *other;
        assert_int_equal(pd_log_write(log, world, 0, PATH, &error), PD_OK);
        snprintf(command, sizeof command, "sed -i 's/^240 keyframe .*/%s/' test_log_keyframes.log", changes[k]);
        assert_int_equal(system(command), 0);
        pd_log *read = reread(PATH, &other, 1, "the keyframe is damaged");
        play_to_end(read, other);
        assert_true(pd_world_hash(other) == hashes[LONG]);
        discard(read, other);
    }
    void *bytes;
    size_t size;
    assert_int_equal(pd_log_write(log, world, 0, PATH, &error), PD_OK);
    assert_int_equal(pd_file_read(PATH, 1 << 24, &bytes, &size, &error), PD_OK);
    const char *text = bytes, *second = strstr(text, "\n240 keyframe ");
    assert_non_null(second);
    for (size_t k = 0; k < 6; k++) {
        write_file(PATH, text, (size_t)(second - text) + 1 + k * k * 97);
        expect_keyframe(120, hashes, false);
    }
    free(bytes);
    discard(log, world);
}

/* Where there is room for the commands but not for keyframes, the log is whole without them. */
static void no_room_for_keyframes(void **state) {
    (void)state;
    uint64_t hashes[LONG + 1];
    pd_world *world;
    pd_error error = {0};
    struct rlimit old, limited;
    pd_log *log = recorded_long(&world, true, hashes);
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    limited = old;
    limited.rlim_cur = 5000;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limited), 0);
    pd_result closed = pd_log_end_autosave(log, world, &error),
              written = pd_log_write(log, world, 0, "whole.log", &error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    signal(SIGXFSZ, handler);
    if (closed != PD_OK || written != PD_OK) fail_msg("%s", error.message);
    expect_keyframe(0, hashes, false);
    assert_int_equal(system("cmp test_log_keyframes.log whole.log && tail -n 1 whole.log | grep -q '^300 hash '"), 0);
    unlink("whole.log");
    discard(log, world);
}

TEST_GROUP(log_keyframes) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_have_keyframes),
        cmocka_unit_test(keyframes_of_another_run),
        cmocka_unit_test(damaged_keyframes),
        cmocka_unit_test(no_room_for_keyframes),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
