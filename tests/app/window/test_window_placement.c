/* The place of the window in later runs, and hidden windows that record. */
#include "window.h"

#include <SDL.h>

static const char *const POOL[] = {"pool.yaml", "--json", "--view", "sprites", "--stats", "stats.csv", NULL};

static void close_window(program *program) {
    hand("key ctrl+q");
    assert_exit(program, 0);
    assert_string_equal(errors_text(), "");
}

/* A place on a screen that is no longer there, and settings that are none. */
static void test_a_lost_place_is_replaced(void **state) {
    (void)state;
    program program;
    static const char *const settings[] = {"window: 5000 4000 640 480\n", "window: 10 20 0 -5\n", "window: far left\n"};
    static const int widths[] = {640, 1024, 1024}; /* without a size: as wide as the screen at most */
    for (int i = 0; i < 3; i++) {
        assert_int_equal(write_settings(settings[i]), 0);
        write_text("pool.yaml", WATER_POOL);
        open_window(&program, POOL);
        rectangle now = window_place(&program);
        assert_int_equal(now.width, widths[i]);
        assert_true(now.x >= 0 && now.x + now.width <= 1024 && now.y >= 0 && now.y + now.height <= 768);
        close_window(&program);
    }
}

static void test_a_hidden_window_records(void **state) {
    (void)state;
    program program;
    open_scene(&program, WATER_POOL, POOL);
    press(&program, "F9", "Recording");
    send_window_event(SDL_WINDOWEVENT_HIDDEN);
    await_steps(30);
    send_window_event(SDL_WINDOWEVENT_SHOWN);
    press(&program, "F9", "Recorded");
    close_window(&program);
}

TEST_GROUP(window_placement) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_lost_place_is_replaced, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_a_hidden_window_records, set_up, end_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
