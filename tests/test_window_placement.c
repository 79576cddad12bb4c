/* The window's size, place and panel in later runs; a hidden window neither computes nor draws, unless it records. */
#include "cmocka_all.h"

#include "test_window.h"

static const char *const POOL[] = {"pool.yaml", "--json", "--view", "sprites", "--stats", "stats.csv", NULL};

/* Returns the rectangle of the window on the screen. */
static rectangle window_of(program *program) {
    hand("key F10");
    cJSON *layout = cJSON_Parse(await_line(program, "\"layout\""));
    const cJSON *window = cJSON_GetObjectItem(layout, "window");
    rectangle found = {number_in(window, "x"), number_in(window, "y"), number_in(window, "width"),
                       number_in(window, "height")};
    cJSON_Delete(layout);
    return found;
}

static bool has_panel(program *program) { return find_place(program, "Strength").width > 0; }

static void close_window(program *program) {
    hand("key ctrl+q");
    assert_exit(program, 0);
    assert_string_equal(errors_text(), "");
}

/* Sends a command of xdotool to the window: "windowmove %1 50 40" has the window in place of %1. */
static void to_window(const char *command) {
    char script[256];
    snprintf(script, sizeof script, "search --name 'Pool - puddle' %s", command);
    hand(script);
}

static void test_the_next_window_is_where_the_last_one_was(void **state) {
    (void)state;
    program program;
    open_scene(&program, WATER_POOL, POOL);
    assert_false(has_panel(&program));
    to_window("windowsize %1 700 520");
    await_line(&program, "{\"event\":\"size\",\"width\":700,\"height\":520}");
    to_window("windowmove %1 150 90");
    for (rectangle now = window_of(&program); now.x != 150; now = window_of(&program)) short_pause();
    hand("key Tab");
    assert_true(has_panel(&program));
    close_window(&program);

    open_window(&program, POOL);
    rectangle now = window_of(&program);
    assert_int_equal(now.x, 150);
    assert_int_equal(now.y, 90);
    assert_int_equal(now.width, 700);
    assert_int_equal(now.height, 520);
    assert_true(has_panel(&program));
    hand("key F11"); /* full screen is not remembered */
    await_line(&program, "\"size\",\"width\":1024");
    close_window(&program);

    static const char *const sized[] = {"pool.yaml", "--json", "--size", "480x480", NULL};
    open_window(&program, sized); /* --size is for this window alone */
    assert_int_equal(window_of(&program).width, 480);
    close_window(&program);
    open_window(&program, POOL);
    assert_int_equal(window_of(&program).width, 700);
    hand("key Tab");
    assert_false(has_panel(&program));
    close_window(&program);
    open_window(&program, POOL);
    assert_false(has_panel(&program));
    close_window(&program);
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
        rectangle now = window_of(&program);
        assert_int_equal(now.width, widths[i]);
        assert_true(now.x >= 0 && now.x + now.width <= 1024 && now.y >= 0 && now.y + now.height <= 768);
        close_window(&program);
    }
}

/* The window's processor time, 1/100 s. */
static long time_used(const program *program) {
    char path[64];
    long user, system;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)program->pid);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%*d %*s %*s %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %ld %ld", &user, &system), 2);
    fclose(file);
    return user + system;
}

/* Waits until no step is made: the rows of the statistics stay the same while the program could make many. */
static int await_standstill(program *program) {
    int rows = count_rows("stats.csv");
    for (double until = seconds_now() + DEADLINE, since = seconds_now(); seconds_now() < since + 1; short_pause()) {
        if (seconds_now() > until) fail_msg("steps go on");
        if (count_rows("stats.csv") == rows) continue;
        rows = count_rows("stats.csv");
        since = seconds_now();
    }
    program_listen(program);
    return rows;
}

static void test_a_hidden_window_rests(void **state) {
    (void)state;
    program program;
    open_scene(&program, WATER_POOL, POOL);
    await_steps(5);
    to_window("windowunmap %1");
    int rows = await_standstill(&program);
    long used = time_used(&program);
    double begun = seconds_now();
    while (seconds_now() < begun + 2) short_pause();
    assert_int_equal(count_rows("stats.csv"), rows);
    assert_true(time_used(&program) - used < 20); /* a tenth of a core */
    to_window("windowmap --sync %1 windowfocus %1");
    await_steps(5);
    close_window(&program);
}

static void test_a_hidden_window_records(void **state) {
    (void)state;
    program program;
    open_scene(&program, WATER_POOL, POOL);
    press(&program, "F9", "Recording");
    to_window("windowunmap %1");
    await_steps(30);
    to_window("windowmap --sync %1 windowfocus %1");
    press(&program, "F9", "Recorded");
    close_window(&program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_the_next_window_is_where_the_last_one_was, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_a_lost_place_is_replaced, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_a_hidden_window_rests, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_a_hidden_window_records, set_up, end_programs),
    };
    return cmocka_run_group_tests(tests, set_up_all, tear_down_all);
}
