/* The window in a Wayland session: weston, which is a window of Xvfb, so that xdotool is its mouse and keyboard. */
#include "desktop.h"

#include "window.h"

static pid_t weston;

/* Starts weston, whose shell gives each window the whole output of 800 x 600 pixels. scale: pixels per unit of
 * Wayland. */
static void start_weston(int scale) {
    char runtime[160], socket[200], sides[3][32];
    snprintf(runtime, sizeof runtime, "%s/runtime", folder);
    snprintf(socket, sizeof socket, "%s/puddle-test", runtime);
    snprintf(sides[0], sizeof sides[0], "--width=%d", 800 / scale);
    snprintf(sides[1], sizeof sides[1], "--height=%d", 600 / scale);
    snprintf(sides[2], sizeof sides[2], "--scale=%d", scale);
    assert_int_equal(mkdir(runtime, 0700), 0);
    setenv("XDG_RUNTIME_DIR", runtime, 1);
    fflush(NULL);
    pid_t parent = getpid();
    weston = fork();
    if (weston == 0) {
        end_with_parent(parent);
        int log = open("weston.log", O_WRONLY | O_CREAT | O_TRUNC, 0644);
        dup2(log, 1), dup2(log, 2);
        execlp("weston", "weston", "--backend=x11-backend.so", "--use-pixman", "--no-config", "--idle-time=0",
               "--shell=kiosk-shell.so", "--socket=puddle-test", sides[0], sides[1], sides[2], (char *)NULL);
        _exit(127);
    }
    await_file(socket);
    setenv("WAYLAND_DISPLAY", "puddle-test", 1);
}

/* Gives weston the mouse and the keyboard of the X server. Keys are lost until the window has the focus of weston, so
 * F10 is pressed until the window answers. */
static void focus_weston(program *program) {
    hand("search --sync --classname weston windowfocus %1");
    for (int x = 300; !was_heard(program, "\"layout\""); x ^= 1) {
        at("key F10", x, 200);
        for (double until = seconds_now() + 1; seconds_now() < until && !was_heard(program, "\"layout\"");)
            short_pause();
    }
}

static int stop_weston(void **state) {
    int result = end_programs(state);
    if (weston > 0) kill(weston, SIGTERM), await_exit(weston);
    weston = 0;
    unsetenv("WAYLAND_DISPLAY");
    unsetenv("XDG_RUNTIME_DIR");
    return result;
}

/* The window is one of Wayland, although X11 is there too: the X server has no window of puddle. */
static void assert_native(void) { assert_int_not_equal(system("xdotool search --name 'Pool - puddle'"), 0); }

static void test_a_session_is_native(void **state) {
    (void)state;
    program program;
    static const char *const arguments[] = {"pool.yaml", "--json", "--view", "sprites", "--stats",
                                            "stats.csv", "--log",  "log",    NULL};
    start_weston(1);
    open_scene(&program, WATER_POOL, arguments);
    focus_weston(&program);
    assert_native();
    await_steps(5);
    shell("import -window root %s", "screen.png"); /* the fluid's blue is on the screen */
    shell("test $(convert %s -fuzz 20%% -fill black +opaque '#3a8fff' -format '%%[fx:mean*w*h]' info: | cut -d. -f1) "
          "-gt 500",
          "screen.png");
    at("mousedown 1", 400, 400);
    at("", 430, 380);
    await_steps(5);
    hand("mouseup 1");
    press(&program, "v", "\"View\"");
    press(&program, "space", "Paused");
    press(&program, "ctrl+c", "Copied the picture");
    shell("timeout 60 wl-paste -t image/png >%s", "copy.png"); /* a window that has the focus for a moment */
    shell("test \"$(identify -format '%%wx%%h' %s)\" = 800x600", "copy.png");
    press(&program, "ctrl+v", "\"Picture\""); /* its own picture */
    hand("key ctrl+q");
    assert_exit(&program, 0);
    assert_true(logged("tool drag") > 0);
}

static void test_pixels_of_a_fine_screen_are_used(void **state) {
    (void)state;
    program program;
    static const char *const arguments[] = {"pool.yaml", "--json", "--stats", "stats.csv", NULL};
    start_weston(2);
    unsetenv("PUDDLE_SCALE");
    open_scene(&program, WATER_POOL, arguments);
    focus_weston(&program);
    cJSON *layout = cJSON_Parse(await_line(&program, "\"layout\""));
    const cJSON *window = cJSON_GetObjectItem(layout, "window");
    assert_int_equal(number_in(window, "width"), 400);
    assert_int_equal(number_in(window, "height"), 300);
    cJSON_Delete(layout);
    assert_true(was_heard(&program, "\"width\":800,\"height\":600"));
    hand("key ctrl+q");
    assert_exit(&program, 0);
    setenv("PUDDLE_SCALE", "1", 1);
}

/* $SDL_VIDEODRIVER chooses X11, also in a Wayland session. A socket without a server leaves X11. */
static void test_x11_is_the_other_choice(void **state) {
    (void)state;
    program program;
    static const char *const arguments[] = {"pool.yaml", "--json", "--stats", "stats.csv", NULL};
    start_weston(1);
    setenv("SDL_VIDEODRIVER", "x11", 1);
    open_scene(&program, WATER_POOL, arguments);
    hand("search --sync --name 'Pool - puddle'");
    hand("search --sync --name 'Pool - puddle' windowfocus %1 key ctrl+q");
    assert_exit(&program, 0);
    unsetenv("SDL_VIDEODRIVER");
    setenv("WAYLAND_DISPLAY", "no-server", 1);
    open_scene(&program, WATER_POOL, arguments);
    hand("search --sync --name 'Pool - puddle' windowfocus %1 key ctrl+q");
    assert_exit(&program, 0);
}

TEST_GROUP(display_wayland) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_session_is_native, set_up, stop_weston),
        cmocka_unit_test_setup_teardown(test_pixels_of_a_fine_screen_are_used, set_up, stop_weston),
        cmocka_unit_test_setup_teardown(test_x11_is_the_other_choice, set_up, stop_weston),
    };
    return cmocka_run_group_tests(tests, open_display, close_display);
}
