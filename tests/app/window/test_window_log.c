/* The log of what a person does in the window: it replays to the same bits, survives a kill, and is undone and redone. */
#include "test.h"

#include "sanitizers.h"
#include "window.h"

#include "core/file.h"
#include "logs.h"
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A session with its log, and the world at its end. */
static const char *const LOGGED[] = {"pool",      SMALL,   "--json",      "--threads", "2",          "--stats",
                                     "stats.csv", "--log", "session.log", "--save",    "end.puddle", NULL};

/* Replays a log to its end; returns the world's hash there. */
static uint64_t replayed(const char *path, uint64_t *ticks) {
    pd_world *world;
    pd_log *log = reread(path, &world, 1, NULL);
    play_to_end(log, world);
    if (pd_log_first_divergence(log) != PD_LOG_NEVER)
        fail_msg("diverged at %llu", (unsigned long long)pd_log_first_divergence(log));
    uint64_t hash = pd_world_hash(world);
    if (ticks) *ticks = pd_log_end_tick(log);
    discard(log, world);
    return hash;
}

static uint64_t snapshot_hash(const char *path) {
    pd_world *world;
    pd_error error = {0};
    if (load_with_threads(&world, path, 1, &error) != PD_OK) fail_msg("%s", error.message);
    uint64_t hash = pd_world_hash(world);
    pd_world_destroy(world);
    return hash;
}

static bool file_has(const char *path, const char *text) {
    void *bytes;
    size_t size;
    pd_error error = {0};
    if (pd_file_read(path, 1 << 24, &bytes, &size, &error) != PD_OK) fail_msg("%s", error.message);
    bool found = strstr(bytes, text) != NULL;
    free(bytes);
    return found;
}

/* Everything that can be done with keys and the mouse. */
static void a_session_replays(void **state) {
    (void)state;
    program program;
    open_window(&program, LOGGED);
    await_steps(5);
    hand("mousemove 512 500 mousedown 1 mousemove 480 480 mousemove 450 470");
    await_steps(5);
    hand("mousemove 500 520 mouseup 1 key Up key Up key Right key g key g");
    await_line(&program, "\"Gravity\"");
    for (int method = 2; method <= 6; method++) {
        char keys[96];
        snprintf(keys, sizeof keys, "key %d mousemove 530 510 mousedown %d mousemove 560 500", method, method % 3 + 1);
        hand(keys);
        await_line(&program, "\"Method\"");
        await_steps(4);
        snprintf(keys, sizeof keys, "mouseup %d key bracketright", method % 3 + 1);
        hand(keys);
        await_steps(2);
    }
    hand("key 1 key r");
    await_line(&program, "Restarted");
    await_steps(3);
    press(&program, "equal", "\"Particles\"");
    await_steps(3);
    hand("key space key period key period key Down");
    await_line(&program, "\"Stiffness\"");
    press(&program, "space", "Running");
    await_steps(3);
    press(&program, "BackSpace", "Rewound to");
    await_steps(3);
    press(&program, "shift+r", "Original scene restored");
    await_steps(10);
    hand("key ctrl+q");
    assert_exit(&program, 0);
    uint64_t ticks;
    assert_true(replayed("session.log", &ticks) == snapshot_hash("end.puddle"));
    assert_true(ticks > 10);
}

/* Under the browser time stands still, while its worlds run; what the person does before and after replays. */
static void the_browser_leaves_the_session_alone(void **state) {
    (void)state;
    program program;
    setenv("XDG_CACHE_HOME", folder, 1);
    for (int i = 0; i < 40; i++) { /* scenes without pictures */
        char path[32], text[128];
        snprintf(path, sizeof path, "own-%02d.yaml", i);
        snprintf(text, sizeof text,
                 "puddle: 1\nname: Own %d\nregions: [{shape: circle, center: [0, 0], radius: 0.3, count: %d}]\n", i,
                 300 + i);
        write_text(path, text);
    }
    open_window(&program, LOGGED);
    hand("mousemove 512 500 mousedown 1 mousemove 480 480 mouseup 1");
    await_steps(5);
    hand("key ctrl+o");
    await_file("puddle/thumbnails"); /* the first picture is about to be kept */
    int rows = count_rows("stats.csv");
    hand("mousemove 400 300 key Down click 4 click 5 key Next key Home mousedown 3 mousemove 500 300 mouseup 3");
    assert_int_equal(rename("puddle", "before"), 0);
    await_file("puddle/thumbnails"); /* and the next one */
    assert_int_equal(count_rows("stats.csv"), rows);
    hand("key Escape mousemove 512 500 mousedown 1 mousemove 450 480");
    await_steps(10);
    hand("mouseup 1 key Escape");
    unsetenv("XDG_CACHE_HOME");
    assert_exit(&program, 0);
    uint64_t ticks;
    assert_true(replayed("session.log", &ticks) == snapshot_hash("end.puddle"));
    assert_true(ticks >= 15);
}

/* While paused: actions that end with the key of a single step. */
static void step_once(const char *actions) {
    int before = count_rows("stats.csv");
    hand(actions);
    await_rows(before + 1);
}

static void strokes_are_undone(void **state) {
    (void)state;
    program program;
    const char *arguments[] = {"pool", SMALL, "--json", "--stats", "stats.csv", NULL};
    open_window(&program, arguments);
    await_steps(5);
    press(&program, "ctrl+z", "Nothing to undo");
    press(&program, "space", "Paused");
    save_file(&program, "pool-0001.puddle");
    step_once("mousemove 512 500 mousedown 1 mousemove 500 490 key period");
    step_once("mousemove 480 480 key period");
    step_once("mouseup 1 key period");
    save_file(&program, "pool-0002.puddle");
    press(&program, "ctrl+z", "Undone");
    save_file(&program, "pool-0003.puddle");
    press(&program, "ctrl+shift+z", "Redone");
    save_file(&program, "pool-0004.puddle");
    press(&program, "ctrl+shift+z", "Nothing to redo");
    press(&program, "3", "\"Method\"");
    press(&program, "ctrl+z", "Undone");
    save_file(&program, "pool-0005.puddle");
    save_file(&program, "pool-0001.log");
    hand("key ctrl+q");
    assert_exit(&program, 0);
    assert_true(snapshot_hash("pool-0001.puddle") == snapshot_hash("pool-0003.puddle")); /* never stirred */
    assert_true(snapshot_hash("pool-0002.puddle") == snapshot_hash("pool-0004.puddle"));
    assert_true(snapshot_hash("pool-0002.puddle") == snapshot_hash("pool-0005.puddle"));
    assert_true(replayed("pool-0001.log", NULL) == snapshot_hash("pool-0005.puddle"));
}

/* Undone while the button is still down, and redone: the stroke as far as it was. Letting go of the button changes neither. */
static void an_unfinished_stroke(void **state) {
    (void)state;
    program program;
    const char *arguments[] = {"pool", SMALL, "--json", "--stats", "stats.csv", NULL};
    open_window(&program, arguments);
    await_steps(5);
    press(&program, "space", "Paused");
    save_file(&program, "pool-0001.puddle");
    step_once("mousemove 512 500 mousedown 1 mousemove 500 490 key period");
    step_once("mousemove 480 480 key period");
    for (int round = 0; round < 2; round++) {
        save_file(&program, round == 0 ? "pool-0002.puddle" : "pool-0004.puddle");
        press(&program, "ctrl+z", "Undone");
        hand(round == 0 ? "mousemove 470 470" : "mousemove 480 480 mouseup 1");
        save_file(&program, round == 0 ? "pool-0003.puddle" : "pool-0005.puddle");
        press(&program, "ctrl+shift+z", "Redone");
    }
    save_file(&program, "pool-0006.puddle");
    hand("key ctrl+q");
    assert_exit(&program, 0);
    assert_true(snapshot_hash("pool-0001.puddle") == snapshot_hash("pool-0003.puddle"));
    assert_true(snapshot_hash("pool-0002.puddle") == snapshot_hash("pool-0004.puddle"));
    assert_true(snapshot_hash("pool-0001.puddle") == snapshot_hash("pool-0005.puddle"));
    assert_true(snapshot_hash("pool-0002.puddle") == snapshot_hash("pool-0006.puddle"));
    assert_true(snapshot_hash("pool-0001.puddle") != snapshot_hash("pool-0002.puddle"));
}

/* An empty container is undone and redone, and the log goes on through all of it. */
static void an_empty_container_is_undone(void **state) {
    (void)state;
    program program;
    open_window(&program, LOGGED);
    await_steps(5);
    press(&program, "space", "Paused");
    save_file(&program, "pool-0001.puddle");
    hand("key ctrl+n key Return");
    await_line(&program, "\"Empty\"");
    save_file(&program, "empty-0001.puddle");
    press(&program, "ctrl+z", "Undone");
    save_file(&program, "pool-0002.puddle");
    press(&program, "ctrl+shift+z", "Redone");
    press(&program, "space", "Running");
    await_steps(5);
    hand("key F5 mousemove 512 500 mousedown 1 mousemove 480 480");
    await_steps(10);
    hand("mouseup 1");
    await_steps(5);
    hand("key ctrl+q");
    assert_exit(&program, 0);
    assert_true(snapshot_hash("pool-0001.puddle") == snapshot_hash("pool-0002.puddle"));
    assert_int_equal(access("empty-0001.puddle", F_OK), 0);
    uint64_t ticks;
    assert_true(replayed("session.log", &ticks) == snapshot_hash("end.puddle"));
    assert_true(ticks >= 25);
    assert_true(file_has("session.log", " scene puddle: 1\\nname: \"Empty\"\\n"));
}

static void another_world_has_a_log_of_its_own(void **state) {
    (void)state;
    program program;
    uint64_t ticks;
    const char *arguments[] = {"pool", SMALL, "--json", "--log", "session.log", NULL};
    open_window(&program, arguments);
    press(&program, "space", "Paused");
    hand("key period key period key period");
    hand("key shift+r key Escape");
    assert_exit(&program, 0);
    replayed("session.log", &ticks);
    assert_true(ticks <= 200);
    assert_true(file_has("session.log", " restart\n"));
    const char *unwritable[] = {"pool", SMALL, "--json", "--log", "nowhere/session.log", NULL};
    program_start(&program, unwritable);
    assert_exit(&program, 1);
}

/* puddle replay: to frames, in the window, and with another run than the log's. */
static void the_command_replay(void **state) {
    (void)state;
    program program;
    char text[200];
    const char *arguments[] = {"pool",  SMALL,         "--json", "--stats",    "stats.csv",
                               "--log", "session.log", "--save", "end.puddle", NULL};
    open_window(&program, arguments);
    hand("mousemove 512 500 mousedown 1 mousemove 480 480");
    await_steps(20);
    hand("mouseup 1 key 4");
    await_line(&program, "\"Method\"");
    await_steps(60);
    hand("key ctrl+q");
    assert_exit(&program, 0);
    uint64_t ticks, hash = replayed("session.log", &ticks);
    snprintf(text, sizeof text, "\"hash\":\"%016llx\",\"diverged_at\":null,", (unsigned long long)hash);
    char steps[64];
    snprintf(steps, sizeof steps, "{\"steps\":%llu,", (unsigned long long)ticks);
    shell("%s replay session.log -o frames --size 160x120 --fps 20 --json | tr -d '\\n\\t ' > played.json",
          PROGRAM_IN_SHELL);
    if (!file_has("played.json", text)) fail_msg("%s is not in played.json", text);
    if (!file_has("played.json", steps)) fail_msg("%s is not in played.json", steps);
    assert_int_equal(access("frames/recording.json", F_OK), 0);
    const char *window[] = {"replay", "session.log", "--size", "480x480", "--json", NULL};
    open_window(&program, window);
    await_line(&program, "End of the log (Space continues from here)");
    hand("key ctrl+q");
    assert_exit(&program, 0);
    snprintf(text, sizeof text, "\"hash\":\t\"%016llx\"", (unsigned long long)hash);
    assert_non_null(strstr(program.heard, text));
    /* Using the mouse goes on from there. */
    open_window(&program, window);
    hand("mousemove 512 500 mousedown 1 mousemove 480 480 mouseup 1 key space");
    await_line(&program, "Paused");
    hand("key ctrl+q");
    assert_exit(&program, 0);
    assert_null(strstr(program.heard, text));
    assert_non_null(strstr(program.heard, "\"diverged_at\":\tnull"));
    /* A changed log is told, and played to its end. */
    shell("sed -i 's/^60 hash 0/60 hash x/; s/^60 hash [1-9a-f]/60 hash 0/; s/hash x/hash 1/' %s", "session.log");
    shell("%s replay session.log -o frames2 --size 64x48 --json 2> warning | tr -d '\\n\\t ' > played.json",
          PROGRAM_IN_SHELL);
    assert_true(file_has("played.json", "\"diverged_at\":60,"));
    assert_true(file_has("warning", "from step 60 on"));
    shell("echo '9999 jump' >> %s", "session.log");
    shell("%s replay session.log -o frames3 --size 64x48 --quiet 2> warning", PROGRAM_IN_SHELL);
    assert_true(file_has("warning", "'jump' is no command"));
}

/* Backspace held in a log that is watched, the time line dragged to its beginning, twice the speed: the log is as it was, and
 * plays to the same end. */
static void time_in_a_replay(void **state) {
    (void)state;
    program program;
    char text[100];
    const char *arguments[] = {"pool", SMALL, "--json", "--stats", "stats.csv", "--log", "session.log", NULL};
    open_window(&program, arguments);
    hand("mousemove 512 500 mousedown 1 mousemove 480 480");
    await_steps(150);
    hand("mouseup 1 key Escape");
    assert_exit(&program, 0);
    uint64_t hash = replayed("session.log", NULL);
    const char *window[] = {"replay", "session.log", "--size", "480x480", "--json", "--stats", "stats.csv", NULL};
    open_window(&program, window);
    await_steps(60);
    hand("keydown BackSpace sleep 0.8 keyup BackSpace");
    await_line(&program, "Rewound to");
    press(&program, "space", "Paused");
    rectangle line = place_of(&program, "Time line");
    snprintf(text, sizeof text, "mousedown 1 mousemove %d %d mouseup 1", line.x - 20, middle_y(line));
    at_middle(text, line);
    await_line(&program, "\"Time\",\"value\":0,");
    hand("key greater key space");
    await_line(&program, "Speed of time");
    await_line(&program, "End of the log (Space continues from here)");
    hand("key ctrl+q");
    assert_exit(&program, 0);
    snprintf(text, sizeof text, "\"hash\":\t\"%016llx\"", (unsigned long long)hash);
    assert_non_null(strstr(program.heard, text));
    assert_non_null(strstr(program.heard, "\"diverged_at\":\tnull"));
}

/* A long way without keyframes: the window stays open to the keyboard on it, and ends when it is told to. */
static void a_long_search(void **state) {
    (void)state;
    program program;
    char text[100];
    FILE *file = fopen("long.log", "w");
    fputs(
        "puddle-log 1\nscene\npuddle: 1\nparticles: 400\nregions: [{shape: circle, center: [0, 0], radius: 0.3}]\nend\n"
        "100000000 stop\n",
        file);
    assert_int_equal(fclose(file), 0);
    const char *window[] = {"replay", "long.log", "--size", "480x480", "--json", "--stats", "stats.csv", NULL};
    open_window(&program, window);
    await_steps(60); /* the time line has appeared */
    rectangle line = place_of(&program, "Time line");
    snprintf(text, sizeof text, "mousedown 1 mousemove %d %d mouseup 1", middle_x(line) + 20, middle_y(line));
    at_middle(text, line);
    press(&program, "v", "\"View\"");
    hand("key ctrl+q");
    assert_exit(&program, 0);
    assert_non_null(strstr(program.heard, "\"logged_steps\":\t100000000"));
    const char *steps = strstr(program.heard, "\"steps\":\t");
    assert_non_null(steps);
    long reached = strtol(steps + strlen("\"steps\":\t"), NULL, 10);
    assert_true(reached > count_rows("stats.csv") &&
                reached < 50000000); /* on its way, of which stats.csv tells nothing */
}

/* --history bounds the keyframes: with too little memory for one the log has none. */
static void memory_for_history(void **state) {
    (void)state;
    skip_in_short();
    static const char *const mib[] = {"1", "64"};
    for (int k = 0; k < 2; k++) {
        program program;
        const char *arguments[] = {"blobs",   "--size",          "160x120",   "--particles", "16000", "--view",
                                   "sprites", "--json",          "--stats",   "stats.csv",   "--log", "session.log",
                                   "--set",   "ddr.stiffness=1", "--history", mib[k],        NULL};
        open_window(&program, arguments);
        await_steps(125);
        hand("key ctrl+q");
        assert_exit(&program, 0);
        assert_int_equal(file_has("session.log", " keyframe "), k == 1);
    }
}

TEST_GROUP(window_log) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_session_replays, set_up, end_programs),
        cmocka_unit_test_setup_teardown(the_browser_leaves_the_session_alone, set_up, end_programs),
        cmocka_unit_test_setup_teardown(strokes_are_undone, set_up, end_programs),
        cmocka_unit_test_setup_teardown(an_unfinished_stroke, set_up, end_programs),
        cmocka_unit_test_setup_teardown(an_empty_container_is_undone, set_up, end_programs),
        cmocka_unit_test_setup_teardown(the_command_replay, set_up, end_programs),
        cmocka_unit_test_setup_teardown(time_in_a_replay, set_up, end_programs),
        cmocka_unit_test_setup_teardown(a_long_search, set_up, end_programs),
        cmocka_unit_test_setup_teardown(memory_for_history, set_up, end_programs),
        cmocka_unit_test_setup_teardown(another_world_has_a_log_of_its_own, set_up, end_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
