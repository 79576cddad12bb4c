/* Quitting: Escape and closing the window take effect whatever events are queued before them and however slow a step is. */
#include "window.h"
#include "with_threads.h"

#include <puddle/puddle.h>
#include <SDL.h>

#define POOL "pool", SMALL, "--json", "--stats", "stats.csv"
/* Steps of 1,000 substeps, which take minutes with this clock: none is completed in a test. */
#define ENDLESS POOL, "--substeps", "1000"
static const double SLOW = 0.02; /* s, for seconds_per_reading */
enum { PARTICLES = 400 };

/* Steps after the clicks, at most. With a frame and a step for each press and each release there would be 40. */
enum { CLICKS = 20, MOST_STEPS = 6 };

/* The number of steps made after all clicks were sent. leaving: input that quits, NULL to close the window. */
static int steps_after_clicks(program *program, int x, int y, const char *leaving) {
    char script[96];
    snprintf(script, sizeof script, "mousemove %d %d click --repeat %d 1", x, y, CLICKS);
    queue_input(script);
    int before = count_rows("stats.csv");
    if (leaving)
        queue_input(leaving);
    else
        close_by_window_manager();
    assert_exit(program, 0);
    return count_rows("stats.csv") - before;
}

static void test_clicks_do_not_delay_quitting(void **state) {
    (void)state;
    static const char *const leaving[] = {
        "key Escape", "key h key Escape key Escape", /* one closes the help, one quits */
        NULL,                                        /* the window is closed */
    };
    for (size_t i = 0; i < sizeof leaving / sizeof *leaving; i++) {
        program program;
        const char *arguments[] = {POOL, "--substeps", "1", NULL};
        open_window(&program, arguments);
        int steps = steps_after_clicks(&program, LEFT + 200, TOP + 300, leaving[i]);
        if (steps > MOST_STEPS) fail_msg("%d steps after %d clicks, way %zu", steps, CLICKS, i);
        print_message("%d steps after the clicks\n", steps);
    }
}

/* The panel must handle a press before its release, but needs no step and no drawing between them. */
static void test_clicks_on_the_panel(void **state) {
    (void)state;
    program program;
    const char *arguments[] = {POOL, "--substeps", "1", NULL};
    open_window(&program, arguments);
    open_advanced(&program);
    rectangle slider = place_of(&program, "Rest density");
    int steps = steps_after_clicks(&program, middle_x(slider), middle_y(slider),
                                   "key v key Escape key Escape"); /* the panel, the window */
    if (steps > MOST_STEPS) fail_msg("%d steps after %d clicks", steps, CLICKS);
    assert_true(was_heard(&program, "\"Rest density\",\"value\"")); /* the slider that was clicked */
    assert_true(was_heard(&program, "View"));
}

static void expect_saved(const char *path, int steps, int particles) {
    pd_error error = {0};
    pd_world *world;
    if (load_with_threads(&world, path, 1, &error) != PD_OK) fail_msg("%s", error.message);
    assert_int_equal(pd_world_steps(world), steps);
    assert_int_equal(pd_world_particles(world), particles);
    pd_world_destroy(world);
}

/* The snapshot holds the last complete step, here the initial state, since the first step takes minutes. */
static void test_incomplete_steps_are_discarded(void **state) {
    (void)state;
    for (int way = 1; way < 3; way++) {
        program program;
        const char *arguments[] = {ENDLESS, "--save", "end.puddle", NULL};
        unlink("stats.csv");
        open_window(&program, arguments);
        seconds_per_reading = SLOW;
        for (int i = 0; i < 3; i++) { /* each takes a frame */
            hand("key c");
            await_line(&program, "Palette");
        }
        if (way == 1) hand("key Escape");
        /* The change of method would complete the step. */
        if (way == 2) hand("key --delay 0 2 Escape");
        assert_exit(&program, 0);
        assert_int_equal(count_rows("stats.csv"), 0);
        expect_saved("end.puddle", 0, PARTICLES);
    }
}

/* Statistics need no end of the current step: they have rows of complete steps only. */
static void test_statistics_do_not_delay_quitting(void **state) {
    (void)state;
    program program;
    const char *arguments[] = {ENDLESS, NULL};
    open_window(&program, arguments);
    seconds_per_reading = SLOW;
    hand("key c");
    await_line(&program, "Palette");
    hand("key Escape");
    assert_exit(&program, 0);
    assert_int_equal(count_rows("stats.csv"), 0);
}

/* Events that come before the last ones find a view of the world as it is, also where the frame before was cut short because
 * of the last ones: screenshots are slow, so that they come in several frames. */
static void test_events_before_quitting(void **state) {
    (void)state;
    program program;
    const char *arguments[] = {"pool",   "--size",  "1000x740",  "--particles", "1000",
                               "--json", "--stats", "stats.csv", NULL};
    open_window(&program, arguments);
    await_file("stats.csv");
    await_steps(120);
    hand("keydown BackSpace"); /* each frame shows another state */
    for (int i = 0; i < 2; i++) {
        hand("key c");
        await_line(&program, "Palette");
    }
    char script[512] = "";
    for (int i = 0; i < 12; i++) strcat(script, "key F12 l ");
    strcat(script, "key ctrl+q keyup BackSpace");
    queue_input(script);
    assert_exit(&program, 0);
}

TEST_GROUP(window_leave) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_clicks_do_not_delay_quitting, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_clicks_on_the_panel, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_incomplete_steps_are_discarded, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_statistics_do_not_delay_quitting, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_events_before_quitting, set_up, end_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
