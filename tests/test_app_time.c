/* Backspace and the time line, without a window: what is shown on the way is what was recorded, and time goes on from there. */
#include "cmocka_all.h"

#include "app/state.h"
#include "core/error.h"
#include "worlds.h"

static const char *const SMALL =
    "puddle: 1\nname: Small\nmaterials:\n  water: {color: \"#3a8fff\", mass: 1}\nregions:\n"
    "  - {shape: circle, center: [0, 0], radius: 0.5, material: water, count: 200}\n";

enum { TICKS = 200 };
static uint64_t hashes[TICKS + 1]; /* before the commands of each tick */

static void turn(pd_app *app, int tick) {
    pd_command gravity = {PD_COMMAND_GRAVITY, .is.gravity = {sinf(0.3f * (float)tick), -1}};
    if (tick % 20 == 5) assert_int_equal(pd_app_do(app, &gravity, NULL), PD_OK);
}

static void step(pd_app *app) {
    pd_world_step(app->session.world);
    pd_log_stepped(app->session.log, app->session.world);
}

static void open_app(pd_app *app) {
    *app = (pd_app){.viewport.announcer.quiet = true, .session.paused = true};
    pd_app_replace_world(app, world_of_text(SMALL, 1));
}

static void record(pd_app *app) {
    open_app(app);
    for (int tick = 0; tick < TICKS; tick++) {
        hashes[tick] = pd_world_hash(app->session.world);
        turn(app, tick);
        step(app);
    }
    hashes[TICKS] = pd_world_hash(app->session.world);
    app->session.pace.budget = 0.001;
}

static void close_app(pd_app *app) {
    pd_backwards_forget(app);
    pd_log_destroy(app->session.log);
    pd_world_destroy(app->session.world);
}

/* Frames with Backspace held, until a tick. */
static void hold_until(pd_app *app, uint64_t tick) {
    const double dt = app->session.pace.dt;
    pd_backwards_press(app);
    pd_backwards_press(app); /* a repetition */
    assert_true(app->session.backwards.held);
    for (int k = 0; k < 3; k++) pd_backwards_advance(app, dt);
    app->session.backwards.pressed -= 1; /* s: held for so long */
    uint64_t before = pd_log_tick(app->session.log);
    for (int frame = 0; pd_log_tick(app->session.log) > tick; frame++) {
        assert_true(frame < 100000);
        pd_backwards_advance(app, dt);
        uint64_t now = pd_log_tick(app->session.log);
        assert_true(now <= before && pd_world_hash(app->session.world) == hashes[now]);
        before = now;
    }
    assert_true(app->session.backwards.runs);
}

static void holding_runs_backwards(void **state) {
    (void)state;
    static pd_app app, straight;
    record(&app);
    hold_until(&app, 77);
    uint64_t reached = pd_log_tick(app.session.log);
    assert_true(reached + 10 > 77); /* no further than a keyframe */
    pd_backwards_release(&app);
    assert_false(app.session.backwards.held);
    assert_non_null(strstr(app.viewport.announcer.text, "Rewound to"));
    assert_int_equal(pd_log_end(app.session.log), reached);
    open_app(&straight);
    for (int tick = 0; tick < (int)reached; tick++) turn(&straight, tick), step(&straight);
    for (int tick = 300; tick < 340; tick++) {
        turn(&straight, tick), step(&straight);
        turn(&app, tick), step(&app);
    }
    assert_true(pd_world_hash(app.session.world) == pd_world_hash(straight.session.world));
    assert_int_equal(pd_log_commands(app.session.log), pd_log_commands(straight.session.log));
    close_app(&app), close_app(&straight);
}

/* A short press goes back to a whole second; a key for the fluid while it is held is for what is shown. */
static void taps_and_other_keys(void **state) {
    (void)state;
    static pd_app app;
    record(&app);
    pd_backwards_press(&app);
    pd_backwards_advance(&app, app.session.pace.dt);
    assert_int_equal(pd_log_tick(app.session.log), TICKS);
    pd_backwards_release(&app);
    assert_int_equal(pd_log_tick(app.session.log), 180);
    assert_int_equal(pd_log_end(app.session.log), 180);
    assert_true(pd_world_hash(app.session.world) == hashes[180]);
    pd_backwards_release(&app); /* of a key that was pressed elsewhere */
    assert_int_equal(pd_log_tick(app.session.log), 180);
    hold_until(&app, 150);
    uint64_t reached = pd_log_tick(app.session.log);
    pd_app_act(&app, PD_ACTION_METHOD, '2');
    assert_false(app.session.backwards.held);
    assert_string_equal(pd_world_method(app.session.world)->name, "sph");
    assert_int_equal(pd_log_end(app.session.log), reached);
    close_app(&app);
}

/* While a log is watched, going back does not change it, until something else is done. */
static void watched_logs_stay(void **state) {
    (void)state;
    static pd_app app;
    record(&app);
    app.session.watching = true;
    hold_until(&app, 100);
    pd_backwards_release(&app);
    assert_int_equal(pd_log_end(app.session.log), TICKS);
    assert_true(app.session.watching);
    while (pd_app_replays(&app)) pd_app_play(&app), step(&app);
    assert_true(pd_world_hash(app.session.world) == hashes[TICKS]);
    hold_until(&app, 50);
    pd_backwards_release(&app);
    uint64_t tick = pd_log_tick(app.session.log);
    turn(&app, 5);
    assert_false(app.session.watching);
    assert_int_equal(pd_log_end(app.session.log), tick);
    close_app(&app);
}

/* Dragging shows keyframes, letting go arrives at the tick under the pointer; the future stays. */
static void dragging_the_time_line(void **state) {
    (void)state;
    static pd_app app;
    record(&app);
    app.device.display.scale = 2;
    app.viewport.timeline.from = 100;
    app.viewport.timeline.length = TICKS;
    pd_timeline_grab(&app);
    for (int tick = 0; tick <= TICKS + 30; tick += 7) {
        app.device.pointer.pixel_x = 2 * (100.0f + (float)tick);
        pd_timeline_advance(&app);
        uint64_t now = pd_log_tick(app.session.log);
        assert_true((int)now <= tick && (int)now + 60 > tick - 30 && pd_world_hash(app.session.world) == hashes[now]);
    }
    app.device.pointer.pixel_x = 2 * (100.0f + 133);
    pd_timeline_advance(&app);
    pd_timeline_release(&app);
    for (int frame = 0; app.session.seek.active; frame++) {
        assert_true(frame < 100000);
        pd_timeline_advance(&app);
    }
    assert_int_equal(pd_log_tick(app.session.log), 133);
    assert_int_equal(pd_log_end(app.session.log), TICKS);
    assert_true(pd_world_hash(app.session.world) == hashes[133]);
    close_app(&app);
}

static void the_speed_of_time(void **state) {
    (void)state;
    static pd_app app;
    open_app(&app);
    assert_true(pd_app_speed(&app) == 1);
    for (int k = 0; k < 5; k++) pd_app_act(&app, PD_ACTION_SPEED, 1);
    assert_true(pd_app_speed(&app) == 8);
    for (int k = 0; k < 9; k++) pd_app_act(&app, PD_ACTION_SPEED, -1);
    assert_true(pd_app_speed(&app) == 0.125);
    close_app(&app);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(holding_runs_backwards), cmocka_unit_test(taps_and_other_keys),
        cmocka_unit_test(watched_logs_stay),      cmocka_unit_test(dragging_the_time_line),
        cmocka_unit_test(the_speed_of_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
