/* Backspace and the time line, without a window: what is shown on the way is what was recorded, and time goes on from there. */
#include "test.h"

#include "app/overlay/interface.h"
#include "app/session/session.h"
#include "core/error.h"
#include "core/file.h"
#include "folder.h"
#include "worlds.h"

static const char *const SMALL =
    "puddle: 1\nname: Small\nmaterials:\n  water: {color: \"#3a8fff\", mass: 1}\nregions:\n"
    "  - {shape: circle, center: [0, 0], radius: 0.5, material: water, count: 200}\n";

enum { TICKS = 200 };
static uint64_t hashes[TICKS + 1]; /* before the commands of each tick */

static pd_announcer announcer = {.quiet = true};

static void turn(pd_session *session, int tick) {
    pd_command gravity = {PD_COMMAND_GRAVITY, .is.gravity = {sinf(0.3f * (float)tick), -1}};
    if (tick % 20 == 5) assert_int_equal(pd_session_try_command(session, &gravity, NULL), PD_OK);
}

static void step(pd_session *session) {
    pd_world_step(session->world);
    pd_log_end_step(session->log, session->world);
}

static void open_session(pd_session *session) {
    *session = (pd_session){.announcer = &announcer, .paused = true};
    pd_session_replace_world(session, world_of_text(SMALL, 1));
}

static void record(pd_session *session) {
    open_session(session);
    for (int tick = 0; tick < TICKS; tick++) {
        hashes[tick] = pd_world_hash(session->world);
        turn(session, tick);
        step(session);
    }
    hashes[TICKS] = pd_world_hash(session->world);
    session->pace.budget = 0.001;
}

static void close_session(pd_session *session) {
    pd_backwards_free(session);
    pd_log_destroy(session->log);
    pd_world_destroy(session->world);
}

/* Frames with Backspace held, until a tick. */
static void hold_until(pd_session *session, uint64_t tick) {
    const double dt = session->pace.dt;
    pd_backwards_press_key(session);
    pd_backwards_press_key(session); /* a repetition */
    assert_true(session->backwards.held);
    for (int k = 0; k < 3; k++) pd_backwards_advance(session, dt);
    session->backwards.press_time -= 1; /* s: held for so long */
    uint64_t before = pd_log_tick(session->log);
    for (int frame = 0; pd_log_tick(session->log) > tick; frame++) {
        assert_true(frame < 100000);
        pd_backwards_advance(session, dt);
        uint64_t now = pd_log_tick(session->log);
        assert_true(now <= before && pd_world_hash(session->world) == hashes[now]);
        before = now;
    }
    assert_true(session->backwards.runs);
}

static void holding_runs_backwards(void **state) {
    (void)state;
    static pd_session session, straight;
    record(&session);
    hold_until(&session, 77);
    uint64_t reached = pd_log_tick(session.log);
    assert_true(reached + 10 > 77); /* no further than a keyframe */
    pd_backwards_release_key(&session);
    assert_false(session.backwards.held);
    assert_non_null(strstr(announcer.text, "Rewound to"));
    assert_int_equal(pd_log_end_tick(session.log), reached);
    open_session(&straight);
    for (int tick = 0; tick < (int)reached; tick++) turn(&straight, tick), step(&straight);
    for (int tick = 300; tick < 340; tick++) {
        turn(&straight, tick), step(&straight);
        turn(&session, tick), step(&session);
    }
    assert_true(pd_world_hash(session.world) == pd_world_hash(straight.world));
    assert_int_equal(pd_log_commands(session.log), pd_log_commands(straight.log));
    close_session(&session), close_session(&straight);
}

/* A short press goes back to a whole second; a key for the fluid while it is held is for what is shown. */
static void taps_and_other_keys(void **state) {
    (void)state;
    static pd_session session;
    record(&session);
    pd_backwards_press_key(&session);
    pd_backwards_advance(&session, session.pace.dt);
    assert_int_equal(pd_log_tick(session.log), TICKS);
    pd_backwards_release_key(&session);
    assert_int_equal(pd_log_tick(session.log), 180);
    assert_int_equal(pd_log_end_tick(session.log), 180);
    assert_true(pd_world_hash(session.world) == hashes[180]);
    pd_backwards_release_key(&session); /* of a key that was pressed elsewhere */
    assert_int_equal(pd_log_tick(session.log), 180);
    hold_until(&session, 150);
    uint64_t reached = pd_log_tick(session.log);
    pd_session_perform_action(&session, PD_ACTION_METHOD, '2', false);
    assert_false(session.backwards.held);
    assert_string_equal(pd_world_method(session.world)->name, "sph");
    assert_int_equal(pd_log_end_tick(session.log), reached);
    close_session(&session);
}

/* While a log is watched, going back does not change it, until something else is done. */
static void watched_logs_stay(void **state) {
    (void)state;
    static pd_session session;
    record(&session);
    session.replays_log = true;
    hold_until(&session, 100);
    pd_backwards_release_key(&session);
    assert_int_equal(pd_log_end_tick(session.log), TICKS);
    assert_true(session.replays_log);
    while (pd_session_is_replaying(&session)) pd_session_apply_logged_commands(&session), step(&session);
    assert_true(pd_world_hash(session.world) == hashes[TICKS]);
    hold_until(&session, 50);
    pd_backwards_release_key(&session);
    uint64_t tick = pd_log_tick(session.log);
    turn(&session, 5);
    assert_false(session.replays_log);
    assert_int_equal(pd_log_end_tick(session.log), tick);
    close_session(&session);
}

/* Dragging shows keyframes, letting go arrives at the tick under the pointer; the future stays. */
static void dragging_the_time_line(void **state) {
    (void)state;
    static pd_session session;
    record(&session);
    static pd_viewport viewport;
    viewport.timeline = (pd_timeline){.from = 100, .length = TICKS};
    pd_seek_begin_drag(&session);
    for (int tick = 0; tick <= TICKS + 30; tick += 7) {
        session.seek.tick = pd_timeline_tick(&viewport, &session, 100.0f + (float)tick);
        pd_seek_advance(&session);
        uint64_t now = pd_log_tick(session.log);
        assert_true((int)now <= tick && (int)now + 60 > tick - 30 && pd_world_hash(session.world) == hashes[now]);
    }
    session.seek.tick = pd_timeline_tick(&viewport, &session, 100.0f + 133);
    pd_seek_advance(&session);
    pd_seek_end_drag(&session);
    for (int frame = 0; session.seek.active; frame++) {
        assert_true(frame < 100000);
        pd_seek_advance(&session);
    }
    assert_int_equal(pd_log_tick(session.log), 133);
    assert_int_equal(pd_log_end_tick(session.log), TICKS);
    assert_true(pd_world_hash(session.world) == hashes[133]);
    close_session(&session);
}

static void the_speed_of_time(void **state) {
    (void)state;
    static pd_session session;
    open_session(&session);
    assert_true(pd_session_chosen_speed(&session) == 1);
    for (int k = 0; k < 5; k++) pd_session_perform_action(&session, PD_ACTION_CHANGE_SPEED, 1, false);
    assert_true(pd_session_chosen_speed(&session) == 8);
    for (int k = 0; k < 9; k++) pd_session_perform_action(&session, PD_ACTION_CHANGE_SPEED, -1, false);
    assert_true(pd_session_chosen_speed(&session) == 0.125);
    close_session(&session);
}

/* What was undone belongs to the acts before it: once going back has dropped one of those, it cannot be redone. */
static void going_back_beyond_an_undo(void **state) {
    (void)state;
    static pd_session session;
    open_session(&session);
    for (int tick = 0; tick < TICKS; tick++) {
        pd_command gravity = {PD_COMMAND_GRAVITY, .is.gravity = {0.01f * (float)tick, -1}};
        if (tick == 30 || tick == 130) assert_int_equal(pd_session_try_command(&session, &gravity, NULL), PD_OK);
        step(&session);
    }
    pd_session_perform_action(&session, PD_ACTION_UNDO, 0, false);
    assert_int_equal(pd_log_commands(session.log), 1);
    assert_true(pd_log_can_redo(session.log));
    while (pd_log_tick(session.log) > 20) pd_session_rewind(&session);
    assert_int_equal(pd_log_commands(session.log), 0);
    assert_false(pd_log_can_redo(session.log));
    pd_session_perform_action(&session, PD_ACTION_REDO, 0, false);
    pd_session_perform_action(&session, PD_ACTION_UNDO, 0, false);
    assert_int_equal(pd_log_commands(session.log), 0);
    close_session(&session);
}

static bool is_log(const char *path) {
    void *bytes;
    size_t size;
    if (pd_file_read(path, 1 << 20, &bytes, &size, NULL) != PD_OK) return false;
    bool begins = strncmp(bytes, "puddle-log", 10) == 0;
    free(bytes);
    return begins;
}

/* The log of each further world gets the next number that no file has, nor another window for a log of its own. */
static void logs_of_further_worlds(void **state) {
    (void)state;
    static pd_session session, other;
    pd_error error;
    int claim;
    open_session(&session);
    session.log_path = "run.log";
    assert_int_equal(pd_session_begin_log_file(&session, &error), PD_OK);
    assert_true(is_log("run.log"));
    assert_int_equal(pd_file_write("run-2.log", "mine", 4, &error), PD_OK);
    assert_int_equal(symlink("nowhere.log", "run-3.log"), 0);
    pd_session_replace_world(&session, world_of_text(SMALL, 1));
    assert_false(is_log("run-2.log"));
    assert_int_equal(access("nowhere.log", F_OK), -1);
    assert_true(is_log("run-4.log"));
    assert_int_equal(pd_file_claim("run-4.log", &claim, &error), PD_BAD_INPUT);
    assert_int_equal(pd_file_claim("run-5.log", &claim, &error),
                     PD_OK); /* of another window, which has not begun the file */
    pd_session_replace_world(&session, world_of_text(SMALL, 1));
    assert_int_equal(access("run-5.log", F_OK), -1);
    assert_true(is_log("run-6.log"));
    pd_os_unlock(&claim);
    pd_world *last = session.world;
    pd_session_close(&session);
    pd_world_destroy(last);
    assert_int_equal(pd_file_claim("run-6.log", &claim, &error), PD_OK);
    pd_os_unlock(&claim);
    open_session(&other);
    other.log_path = "run.log"; /* the named file is replaced */
    assert_int_equal(pd_session_begin_log_file(&other, &error), PD_OK);
    close_session(&other);
}

static void seek(pd_session *session, uint64_t tick, bool released) {
    pd_seek_begin_drag(session);
    session->seek.tick = tick;
    if (released) pd_seek_end_drag(session);
    do pd_seek_advance(session);
    while (released && session->seek.active);
}

/* Expects the clock to show these seconds at a tick. */
static void assert_time(const pd_session *session, uint64_t tick, double seconds) {
    pd_scene_ticks scene = pd_session_find_scene_ticks(session, tick);
    assert_true(fabs(pd_session_time_of_tick(session, &scene, tick) - seconds) < 1e-9);
}

/* After a reset the clock begins at 0, and the left end of the time line is the beginning of the present scene. */
static void the_clock_is_that_of_the_scene(void **state) {
    (void)state;
    enum { AGAIN = 75 };
    static pd_session session;
    static pd_viewport viewport = {.timeline = {.from = 100, .length = AGAIN}};
    record(&session);
    const double dt = session.pace.dt;
    pd_session_perform_action(&session, PD_ACTION_RESET, 0, false);
    uint64_t begin = pd_world_hash(session.world);
    for (int k = 0; k < AGAIN; k++) step(&session);
    assert_time(&session, TICKS + AGAIN, pd_world_time(session.world));
    assert_time(&session, TICKS, 0);
    assert_time(&session, TICKS - 1, (TICKS - 1) * dt); /* the scene before */
    assert_int_equal(pd_timeline_tick(&viewport, &session, 0), TICKS);
    assert_int_equal(pd_timeline_tick(&viewport, &session, 140), TICKS + 40);
    for (int released = 0; released < 2; released++) {
        seek(&session, TICKS + AGAIN, true);
        seek(&session, TICKS + 5 * (uint64_t)!released, released);
        assert_true(pd_world_hash(session.world) == begin);
        assert_true(pd_world_time(session.world) == 0);
    }
    assert_string_equal(announcer.text, "Time 0:00.0");
    seek(&session, TICKS + 60, true);
    assert_string_equal(announcer.text, "Time 0:01.0");
    assert_int_equal(pd_timeline_tick(&viewport, &session, 999), TICKS + AGAIN);
    session.replays_log = true; /* a replay shows the whole log */
    assert_int_equal(pd_timeline_tick(&viewport, &session, 0), 0);
    close_session(&session);
}

/* Input after going back says how much of the time line it removes. */
static void removed_time_is_told(void **state) {
    (void)state;
    static pd_session session;
    record(&session);
    seek(&session, TICKS - 90, true);
    turn(&session, 5);
    assert_string_equal(announcer.text, "The later 1.5 s are removed");
    assert_int_equal(pd_log_end_tick(session.log), TICKS - 90);
    snprintf(announcer.text, sizeof announcer.text, "none");
    turn(&session, 25);
    assert_string_equal(announcer.text, "none");
    close_session(&session);
}

/* The clock of a world that begins at another time than 0, as a snapshot does. */
static void the_clock_of_a_snapshot(void **state) {
    (void)state;
    static pd_session session;
    pd_world *world = world_of_text(SMALL, 1);
    for (int k = 0; k < 30; k++) pd_world_step(world);
    session = (pd_session){.announcer = &announcer, .paused = true};
    pd_session_replace_world(&session, world);
    for (int k = 0; k < 30; k++) step(&session);
    assert_time(&session, 0, 30 * session.pace.dt);
    assert_time(&session, 30, 60 * session.pace.dt);
    seek(&session, 0, true);
    assert_string_equal(announcer.text, "Time 0:00.5");
    pd_session_perform_action(&session, PD_ACTION_REOPEN, 0, false);
    assert_time(&session, pd_log_tick(session.log), 30 * session.pace.dt);
    pd_session_perform_action(&session, PD_ACTION_RESET, 0, false);
    assert_time(&session, pd_log_tick(session.log), 0);
    close_session(&session);
}

TEST_GROUP(app_time) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(holding_runs_backwards),         cmocka_unit_test(taps_and_other_keys),
        cmocka_unit_test(the_clock_is_that_of_the_scene), cmocka_unit_test(removed_time_is_told),
        cmocka_unit_test(the_clock_of_a_snapshot),        cmocka_unit_test(watched_logs_stay),
        cmocka_unit_test(dragging_the_time_line),         cmocka_unit_test(the_speed_of_time),
        cmocka_unit_test(going_back_beyond_an_undo),      cmocka_unit_test(logs_of_further_worlds),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
