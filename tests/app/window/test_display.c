/* What depends on a display and on another process: signals, sizes and places of the window, a window that is hidden or destroyed, a
 * program that is killed. The program runs on a virtual display, with xdotool as mouse and keyboard. */
#include "desktop.h"

#include "logs.h"
#include "recordings.h"
#include "sanitizers.h"
#include "window.h"

#include <SDL.h>

/* ---- The end ---- */

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

typedef void *open_x11(const char *name);
typedef unsigned long intern_atom(void *display, const char *name, int only_if_exists);
typedef int send_event(void *display, unsigned long window, int propagate, long mask, client_message *message);
typedef int close_x11(void *display);

/* What a window manager sends for a click on a window's close button; xdotool has no command for it. */
static void close_window(void) {
    enum { CLIENT_MESSAGE = 33 };
    void *x11 = SDL_LoadObject("libX11.so.6");
    assert_non_null(x11);
    intern_atom *intern = (intern_atom *)SDL_LoadFunction(x11, "XInternAtom");
    void *display = ((open_x11 *)SDL_LoadFunction(x11, "XOpenDisplay"))(NULL);
    assert_non_null(display);
    client_message message = {.event = {.type = CLIENT_MESSAGE, .window = window_of_program(), .format = 32}};
    message.event.message_type = intern(display, "WM_PROTOCOLS", 0);
    message.event.data[0] = (long)intern(display, "WM_DELETE_WINDOW", 0);
    assert_true(((send_event *)SDL_LoadFunction(x11, "XSendEvent"))(display, message.event.window, 0, 0, &message));
    ((close_x11 *)SDL_LoadFunction(x11, "XCloseDisplay"))(display);
    SDL_UnloadObject(x11);
}

static void expect_film(const char *path) { assert_recording(path, frames_of_recording(path), 480, 480); }

/* Within a step that takes minutes the program ends at once. The snapshot holds the last complete step, here the initial state. */
static void expect_end_within_a_step(void) {
    program program;
    pd_world *world;
    pd_error error;
    const char *arguments[] = {"pool",
                               "--size",
                               "480x480",
                               "--view",
                               "sprites",
                               "--particles",
                               UNDER_ADDRESS_SANITIZER ? "20000" : "100000",
                               "--substeps",
                               "1000",
                               "--json",
                               "--save",
                               "end.puddle",
                               "--stats",
                               "stats.csv",
                               NULL};
    open_window(&program, arguments);
    for (int i = 0; i < 3; i++) press(&program, "c", "Palette"); /* each takes a frame */
    kill(program.pid, SIGTERM);
    assert_exit(&program, 128 + SIGTERM);
    assert_int_equal(count_rows("stats.csv"), 0);
    if (load_with_threads(&world, "end.puddle", 1, &error) != PD_OK) fail_msg("%s", error.message);
    assert_int_equal(pd_world_steps(world), 0);
    pd_world_destroy(world);
}

/* Signals and the close button end the program, which completes its files: recordings, videos, snapshots. */
static void test_ways_to_end(void **state) {
    (void)state;
    static const int numbers[] = {SIGTERM, SIGHUP, SIGINT, 0};
    const char *arguments[] = {"drop", SMALL, "--json", "--save", "end.puddle", "--record", "film", "--force", NULL};
    const char *video[] = {"pool", SMALL, "--json", "--record", "film.webm", "--stats", "stats.csv", NULL};
    for (int i = 0; i < 4; i++) {
        program program;
        open_window(&program, arguments);
        if (numbers[i])
            kill(program.pid, numbers[i]);
        else
            close_window();
        assert_exit(&program, numbers[i] ? 128 + numbers[i] : 0);
        assert_int_equal(unlink("end.puddle"), 0);
        expect_film("film");
    }
    program program;
    open_window(&program, video);
    await_file("stats.csv");
    press(&program, "c", "Palette");
    kill(program.pid, SIGTERM);
    assert_exit(&program, 128 + SIGTERM);
    assert_int_equal(frames_of_video("film.webm"), count_rows("stats.csv"));
    expect_end_within_a_step();
}

/* The X server refuses requests for a window that another client has destroyed. The program goes on. */
static void test_refused_requests(void **state) {
    (void)state;
    program program;
    const char *arguments[] = {"drop",   SMALL,        "--json",   "--stats", "stats.csv",
                               "--save", "end.puddle", "--record", "film",    NULL};
    open_window(&program, arguments);
    hand("search --class puddle windowclose"); /* a hidden window makes steps if it records */
    await_steps(count_rows("stats.csv") + 20);
    kill(program.pid, SIGTERM);
    assert_exit(&program, 128 + SIGTERM);
    assert_int_equal(unlink("end.puddle"), 0);
}

/* Replays a log to its end, and expects every hash. Returns its number of ticks. */
static uint64_t expect_replay(const char *path) {
    pd_world *world;
    pd_log *log = reread(path, &world, 1, NULL);
    play_to_end(log, world);
    assert_true(pd_log_first_divergence(log) == PD_LOG_NEVER);
    uint64_t ticks = pd_log_end_tick(log);
    discard(log, world);
    return ticks;
}

/* Each window writes a log into the state folder: last.log, last-2.log. The log of the session before is previous.log. All of them
 * replay after SIGKILL. With --log, or where the folder cannot be made, no such log is written, and nothing is printed. */
static void expect_last_logs(void) {
    static program first, second;
    uint64_t ticks;
    char path[300];
    snprintf(path, sizeof path, "%s/state", folder);
    setenv("XDG_STATE_HOME", path, 1);
    const char *arguments[] = {"pool", SMALL, "--json", "--stats", "stats.csv", NULL};
    const char *other[] = {"pool", SMALL, "--json", NULL};
    const char *few[] = {"pool", SMALL, "--json", "--frames", "5", NULL};
    open_window(&first, arguments);
    hand("key g"); /* the log of a session in which the user did nothing does not become previous.log */
    await_line(&first, "Gravity");
    open_window(&second, other);
    await_steps(75);
    assert_int_equal(kill(first.pid, SIGKILL), 0);
    program_end(&first);
    ticks = expect_replay("state/puddle/last.log");
    assert_true(ticks >= 60);
    open_window(&first, few); /* has the first place again */
    assert_exit(&first, 0);
    assert_int_equal(kill(second.pid, SIGTERM), 0);
    program_end(&second);
    expect_replay("state/puddle/last.log");
    expect_replay("state/puddle/last-2.log");
    ticks = expect_replay("state/puddle/previous.log");
    assert_true(ticks >= 60);
    assert_int_equal(access("state/puddle/last-3.log", F_OK), -1);
    const char *logged[] = {"pool", SMALL, "--json", "--log", "mine.log", "--frames", "5", NULL};
    shell("rm -r %s", "state");
    open_window(&first, logged);
    assert_exit(&first, 0);
    assert_int_equal(access("state", F_OK), -1);
    shell("touch %s", "state"); /* no folder */
    open_window(&first, few);
    assert_exit(&first, 0);
    assert_string_equal(errors_text(), "");
    unsetenv("XDG_STATE_HOME");
}

/* A killed program leaves a log that replays up to its last second, asked or not. */
static void test_killed_sessions_replay(void **state) {
    (void)state;
    program program;
    uint64_t ticks;
    const char *arguments[] = {"pool", SMALL, "--json", "--stats", "stats.csv", "--log", "session.log", NULL};
    open_window(&program, arguments);
    hand("mousemove 512 500 mousedown 1 mousemove 480 480");
    await_steps(130);
    int steps = count_rows("stats.csv");
    assert_int_equal(kill(program.pid, SIGKILL), 0);
    program_end(&program);
    ticks = expect_replay("session.log");
    assert_true(ticks >= 120 && (int)ticks >= steps - 70);
    shell("grep -q ' tool drag ' %s", "session.log");
    expect_last_logs();
}

/* A second window neither writes the log of the first one nor records into its folder: both go on. */
static void test_two_windows(void **state) {
    (void)state;
    static program first, second;
    const char *arguments[] = {"pool",  SMALL,         "--json",   "--stats", "stats.csv",
                               "--log", "session.log", "--record", "film",    NULL};
    const char *recording[] = {"pool", SMALL, "--json", "--record", "film", "--force", NULL};
    const char *again[] = {"pool", SMALL, "--json", "--log", "./session.log", NULL};
    open_window(&first, arguments);
    await_steps(10);
    await_file("film/frame_000002.png");
    program_start(&second, recording);
    assert_exit(&second, 2);
    assert_one_line(errors_text(), "cannot record to 'film': another puddle is recording there");
    program_start(&second, again);
    assert_exit(&second, 2);
    assert_non_null(strstr(errors_text(), "another puddle is writing it"));
    hand("search --onlyvisible --name puddle windowfocus --sync key Escape");
    assert_exit(&first, 0);
    assert_recording("film", frames_of_recording("film"), 480, 480);
    expect_replay("session.log");
    open_window(&second, again);
    hand("key ctrl+q");
    assert_exit(&second, 0);
}

/* ---- Size, place, hidden windows ---- */

static const char *const POOL[] = {"pool.yaml", "--json", "--view", "sprites", "--stats", "stats.csv", NULL};

static bool has_panel(program *program) { return find_place(program, "Strength").width > 0; }

static void quit(program *program) {
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
    for (double until = seconds_now() + DEADLINE; window_place(&program).x != 150; short_pause())
        if (seconds_now() > until) fail_msg("the window does not move");
    hand("key Tab");
    assert_true(has_panel(&program));
    quit(&program);

    open_window(&program, POOL);
    rectangle now = window_place(&program);
    assert_int_equal(now.x, 150);
    assert_int_equal(now.y, 90);
    assert_int_equal(now.width, 700);
    assert_int_equal(now.height, 520);
    assert_true(has_panel(&program));
    hand("key F11"); /* full screen is not remembered */
    await_line(&program, "\"size\",\"width\":1024");
    quit(&program);

    static const char *const sized[] = {"pool.yaml", "--json", "--size", "480x480", NULL};
    open_window(&program, sized); /* --size is for this window alone */
    assert_int_equal(window_place(&program).width, 480);
    quit(&program);
    open_window(&program, POOL);
    assert_int_equal(window_place(&program).width, 700);
    hand("key Tab");
    assert_false(has_panel(&program));
    quit(&program);
    open_window(&program, POOL);
    assert_false(has_panel(&program));
    quit(&program);
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
    quit(&program);
}

static void test_recording_goes_on_in_a_hidden_window(void **state) {
    (void)state;
    program program;
    const char *arguments[] = {"pool", SMALL, "--json", "--stats", "stats.csv", "--record", "film", NULL};
    open_window(&program, arguments);
    await_file("film/frame_000002.png");
    hand("search --onlyvisible --name puddle windowunmap");
    int last = count_rows("stats.csv");
    char name[64];
    snprintf(name, sizeof name, "film/frame_%06d.png", last + 20);
    await_file(name);
    hand("search --name ' - puddle' windowmap --sync windowfocus --sync mousemove 512 384 key c");
    await_line(&program, "Palette");
    hand("key ctrl+q");
    assert_exit(&program, 0);
    assert_recording("film", count_rows("stats.csv"), 480, 480);
}

TEST_GROUP(display) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_ways_to_end, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_refused_requests, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_killed_sessions_replay, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_two_windows, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_the_next_window_is_where_the_last_one_was, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_a_hidden_window_rests, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_recording_goes_on_in_a_hidden_window, set_up, end_programs),
    };
    return cmocka_run_group_tests(tests, open_display, close_display);
}
