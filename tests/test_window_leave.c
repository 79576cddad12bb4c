/* Quitting: Escape, closing the window and signals take effect whatever events are queued before them and however slow
 * a step is. No times are asserted, only the number of steps that the program still made. */
#include "sanitizers.h"
#include "test_window.h"
#include "with_threads.h"

#include <puddle/puddle.h>
#include <SDL.h>

/* Particles of slow scenes: fewer under sanitizers, which are slower. */
#define SLOW_PARTICLES (UNDER_SANITIZERS ? "40000" : "250000")
enum { ENDLESS_PARTICLES = UNDER_SANITIZERS ? 20000 : 100000 };
/* A frame and a step of one substep take about a third of a second on one core. */
#define SLOW "--size", "480x480", "--view", "sprites", "--particles", SLOW_PARTICLES, "--substeps", "1"
/* Steps of 1,000 substeps, which take minutes: none is completed in a test. */
#define ENDLESS                                                                                                        \
    "--size", "480x480", "--view", "sprites", "--particles", UNDER_SANITIZERS ? "20000" : "100000", "--substeps", "1000"

/* Steps after the clicks, at most. With a frame and a step for each press and each release there would be 40. */
enum { CLICKS = 20, MOST_STEPS = 6 };

static void click(int times, int x, int y) {
    char script[96];
    snprintf(script, sizeof script, "mousemove %d %d click --repeat %d --delay 1 1", x, y, times);
    hand(script);
}

static unsigned long window_of_program(void) {
    char number[32] = "";
    FILE *answer = popen("xdotool search --onlyvisible --name puddle", "r");
    assert_non_null(answer);
    assert_non_null(fgets(number, sizeof number, answer));
    assert_int_equal(pclose(answer), 0);
    return strtoul(number, NULL, 10);
}

/* XClientMessageEvent in XEvent, as Xlib declares them: its headers need not be installed, its library comes with SDL.
 * */
typedef union client_message {
    struct {
        int type;
        unsigned long serial;
        int sent;
        void *display;
        unsigned long window, message_type;
        int format;
        long data[5];
    } event;
    long room[24];
} client_message;

typedef void *open_display(const char *name);
typedef unsigned long intern_atom(void *display, const char *name, int only_if_exists);
typedef int send_event(void *display, unsigned long window, int propagate, long mask, client_message *message);
typedef int close_display(void *display);

/* What a window manager sends for a click on a window's close button; xdotool has no command for it. */
static void close_window(void) {
    enum { CLIENT_MESSAGE = 33 };
    void *x11 = SDL_LoadObject("libX11.so.6");
    assert_non_null(x11);
    intern_atom *intern = (intern_atom *)SDL_LoadFunction(x11, "XInternAtom");
    void *display = ((open_display *)SDL_LoadFunction(x11, "XOpenDisplay"))(NULL);
    assert_non_null(display);
    client_message message = {.event = {.type = CLIENT_MESSAGE, .window = window_of_program(), .format = 32}};
    message.event.message_type = intern(display, "WM_PROTOCOLS", 0);
    message.event.data[0] = (long)intern(display, "WM_DELETE_WINDOW", 0);
    assert_true(((send_event *)SDL_LoadFunction(x11, "XSendEvent"))(display, message.event.window, 0, 0, &message));
    ((close_display *)SDL_LoadFunction(x11, "XCloseDisplay"))(display);
    SDL_UnloadObject(x11);
}

/* The number of steps made after all clicks were sent. leaving: input that quits, NULL to close the window. */
static int steps_after_clicks(program *program, int x, int y, const char *leaving) {
    click(CLICKS, x, y);
    int before = count_rows("stats.csv");
    if (leaving)
        hand(leaving);
    else
        close_window();
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
        const char *arguments[] = {"sph-c", SLOW, "--json", "--stats", "stats.csv", NULL};
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
    const char *arguments[] = {"sph-c", SLOW, "--json", "--stats", "stats.csv", NULL};
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

/* The snapshot holds the last complete step, here the initial state, since the first step would take minutes. */
static void test_incomplete_steps_are_discarded(void **state) {
    (void)state;
    for (int way = 0; way < 3; way++) {
        program program;
        const char *arguments[] = {"pool", ENDLESS, "--json", "--save", "end.puddle", "--stats", "stats.csv", NULL};
        unlink("stats.csv");
        open_window(&program, arguments);
        for (int i = 0; i < 3; i++) { /* each takes a frame */
            hand("key c");
            await_line(&program, "Palette");
        }
        if (way == 0) kill(program.pid, SIGTERM);
        if (way == 1) hand("key Escape");
        /* The change of method is pending until the end of the step. */
        if (way == 2) save_file(&program, "pool-0001.puddle");
        if (way == 2) hand("key --delay 0 2 Escape");
        assert_exit(&program, way == 0 ? 128 + SIGTERM : 0);
        assert_int_equal(count_rows("stats.csv"), 0);
        expect_saved("end.puddle", 0, ENDLESS_PARTICLES);
        assert_int_equal(access("pool-0001.puddle", R_OK) == 0, way == 2);
    }
    expect_saved("pool-0001.puddle", 0, ENDLESS_PARTICLES);
}

/* Statistics need no end of the current step: they have rows of complete steps only. */
static void test_statistics_do_not_delay_quitting(void **state) {
    (void)state;
    program program;
    const char *arguments[] = {"pool", ENDLESS, "--json", "--stats", "stats.csv", NULL};
    open_window(&program, arguments);
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
    assert_int_equal(kill(program.pid, SIGSTOP), 0);
    hand(script);
    assert_int_equal(kill(program.pid, SIGCONT), 0);
    assert_exit(&program, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_clicks_do_not_delay_quitting, set_up),
        cmocka_unit_test_setup(test_clicks_on_the_panel, set_up),
        cmocka_unit_test_setup(test_incomplete_steps_are_discarded, set_up),
        cmocka_unit_test_setup(test_statistics_do_not_delay_quitting, set_up),
        cmocka_unit_test_setup(test_events_before_quitting, set_up),
    };
    return cmocka_run_group_tests(tests, set_up_all, tear_down_all);
}
