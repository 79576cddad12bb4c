/* The first five minutes: the opening card, the first hints, the last session continued, presses without effect, and an empty
 * container with water. */
#include "sanitizers.h"
#include "window.h"
#include "with_threads.h"

#include "core/file.h"
#include <puddle/puddle.h>
#include <stdlib.h>

/* ---- Files ---- */

static bool file_has(const char *path, const char *text) {
    void *bytes;
    size_t size;
    if (pd_file_read(path, 1 << 20, &bytes, &size, NULL) != PD_OK) return false;
    bool found = strstr(bytes, text) != NULL;
    pd_memory_free(bytes);
    return found;
}

typedef struct text_in_file {
    const char *path, *text;
} text_in_file;

static bool is_text_in_file(const void *context) {
    const text_in_file *wanted = context;
    return file_has(wanted->path, wanted->text);
}

static void await_text(const char *path, const char *text) {
    await(is_text_in_file, &(text_in_file){path, text}, text);
}

static void await_setting(const char *line) {
    char path[128];
    snprintf(path, sizeof path, "%s/.config/puddle/settings", base);
    await_text(path, line);
}

/* Saves a snapshot and reads its world. */
static pd_world *saved_world(program *program, const char *path) {
    pd_world *world;
    pd_error error;
    save_file(program, path);
    if (load_with_threads(&world, path, 1, &error) != PD_OK) fail_msg("%s", error.message);
    return world;
}

/* Gives the windows of a test a state folder of their own. */
static int set_up_state(void **state) {
    if (set_up(state)) return -1;
    char path[256];
    snprintf(path, sizeof path, "%s/state", folder);
    return setenv("XDG_STATE_HOME", path, 1) || write_settings("bars: on\n");
}

static int tear_down_state(void **state) {
    unsetenv("XDG_STATE_HOME");
    return write_settings("bars: off\n") || end_programs(state);
}

/* ---- The card ---- */

/* Starts the program as a person does. */
static void start_by_hand(program *program) {
    static const char *const arguments[] = {"--size", "480x480", "--particles", "400", "--view", "sprites", NULL};
    program_start(program, arguments);
}

/* The first start shows the card, which Escape closes. A later start shows none: Escape quits. */
static void the_card_comes_once(void **state) {
    (void)state;
    program program;
    start_by_hand(&program);
    await_setting("opened: yes");
    hand("key Escape key c"); /* the next palette shows that the program still runs */
    await_line(&program, "Palette");
    hand("key Escape");
    assert_exit(&program, 0);
    start_by_hand(&program);
    hand("key Escape");
    assert_exit(&program, 0);
}

/* No script sees the card. */
static void no_card_for_a_script(void **state) {
    (void)state;
    static const char *const arguments[] = {"--json", SMALL, NULL};
    program program;
    open_window(&program, arguments);
    hand("key Escape");
    assert_exit(&program, 0);
    char path[128];
    snprintf(path, sizeof path, "%s/.config/puddle/settings", base);
    assert_false(file_has(path, "opened"));
}

static void open_card(program *program) {
    at_place(program, "click 1", "Menu");
    at_place(program, "click 1", "Menu: Welcome");
}

static const char *const LOGGED[] = {"pool", SMALL, "--json", "--stats", "stats.csv", "--log", "log", NULL};

static void the_four_ways(void **state) {
    (void)state;
    program program;
    char path[512];
    FILE *browser = fopen("xdg-open", "w");
    assert_non_null(browser);
    fputs("#!/bin/sh\necho \"$@\" > opened\n", browser);
    assert_int_equal(fclose(browser), 0);
    assert_int_equal(chmod("xdg-open", 0755), 0);
    char *usual = strdup(getenv("PATH"));
    snprintf(path, sizeof path, "%s:%s", folder, usual);
    setenv("PATH", path, 1);
    open_window(&program, LOGGED);
    open_card(&program);
    at_place(&program, "click 1", "Learn");
    await_text("opened", "file://");
    at_place(&program, "click 1", "Play"); /* the card is still there */
    open_card(&program);
    at_place(&program, "click 1", "Scenes");
    place_of(&program, "Close"); /* of the browser */
    hand("key Escape");
    open_card(&program);
    hand("key Down key Down key Return");
    at_place(&program, "click 1", "Begin"); /* of the empty container */
    await_line(&program, "Empty");
    await_steps(2);
    open_card(&program);
    place_of(&program, "Build");
    at("mousedown 1", LEFT + 20, TOP + 20); /* a press beside the card only closes it */
    await_steps(3);
    hand("mouseup 1 key Escape");
    assert_exit(&program, 0);
    assert_int_equal(logged(" tool "), 0);
    setenv("PATH", usual, 1);
    free(usual);
}

/* ---- Hints ---- */

/* Each hint ends when its thing was done, the next one comes then, and a later window has none. */
static void hints_wait_for_each_other(void **state) {
    (void)state;
    static const char *const arguments[] = {"dam-break", "--size", "640x480", "--view",    "sprites", "--particles",
                                            "400",       "--json", "--stats", "stats.csv", NULL};
    program program;
    open_window(&program, arguments);
    await_line(&program, "Drag the fluid");
    at("mousedown 1", 512, 400);
    await_steps(3);
    hand("mouseup 1");
    await_setting("hints: 1\n");
    await_line(&program, "Pick a tool at the left");
    at_place(&program, "click 1", "Pour");
    at("click 1", 512, 400);
    await_setting("hints: 12\n");
    await_line(&program, "Ctrl+O: scenes");
    hand("key ctrl+o");
    await_setting("hints: 123\n");
    hand("key Escape");
    await_line(&program, "Number keys: other methods");
    hand("key 2");
    await_setting("hints: 1234\n");
    hand("key Escape");
    assert_exit(&program, 0);
}

/* The last hint goes by itself, in a window at rest too. */
static void the_last_hint_goes(void **state) {
    (void)state;
    static const char *const arguments[] = {"dam-break", SMALL, "--json", NULL};
    program program;
    if (is_shortened()) skip();
    write_settings("bars: on\nhints: 123\n");
    open_window(&program, arguments);
    press(&program, "space", "Paused");
    await_line(&program, "Number keys: other methods");
    await_setting("hints: 1234\n");
    hand("key Escape");
    assert_exit(&program, 0);
}

/* ---- The last session ---- */

static void continue_session(program *program) {
    open_card(program);
    at_place(program, "click 1", "Continue the last session");
    await_line(program, "Continued at");
}

/* A session ends within a pause, with a wall that no step has seen. The next window continues exactly there. */
static void the_last_session_goes_on(void **state) {
    (void)state;
    static const char *const first[] = {"pool",    SMALL,       "--json", "--threads",  "1",
                                        "--stats", "stats.csv", "--save", "end.puddle", NULL};
    static const char *const second[] = {SMALL, "--json", "--threads", "1", NULL};
    program program;
    pd_world *end, *continued;
    pd_error error;
    open_window(&program, first);
    await_steps(5);
    hand("key F7");
    at("mousedown 1 mousemove 480 400 mousemove 530 410 mouseup 1", 440, 400);
    await_line(&program, "wall");
    await_steps(5);
    hand("key space");
    await_line(&program, "Paused");
    at("mousedown 1 mousemove 480 340 mousemove 530 330 mouseup 1", 440, 340);
    await_line(&program, "wall");
    hand("key Escape");
    assert_exit(&program, 0);
    if (load_with_threads(&end, "end.puddle", 1, &error) != PD_OK) fail_msg("%s", error.message);
    assert_int_equal(pd_world_scene(end)->obstacle_count, 2);
    open_window(&program, second);
    hand("key space");
    await_line(&program, "Paused");
    continue_session(&program);
    continued = saved_world(&program, "pool-0001.puddle");
    assert_true(pd_world_hash(continued) == pd_world_hash(end));
    pd_world_destroy(continued);
    hand("key ctrl+z");
    await_line(&program, "Undone");
    continued = saved_world(&program, "pool-0002.puddle");
    assert_int_equal(pd_world_scene(continued)->obstacle_count, 1);
    pd_world_destroy(continued);
    pd_world_destroy(end);
    hand("key Escape");
    assert_exit(&program, 0);
    open_window(&program, second); /* the undo belongs to the session, too */
    hand("key space");
    await_line(&program, "Paused");
    continue_session(&program);
    continued = saved_world(&program, "pool-0003.puddle");
    assert_int_equal(pd_world_scene(continued)->obstacle_count, 1);
    pd_world_destroy(continued);
    hand("key Escape");
    assert_exit(&program, 0);
}

/* A session in which the user did nothing does not replace the one before. */
static void an_idle_session_replaces_nothing(void **state) {
    (void)state;
    static const char *const first[] = {"pool", SMALL, "--json", "--stats", "stats.csv", NULL};
    static const char *const second[] = {SMALL, "--json", NULL};
    program program;
    open_window(&program, first);
    await_steps(2);
    hand("key g");
    await_line(&program, "Gravity");
    hand("key Escape");
    assert_exit(&program, 0);
    for (int k = 0; k < 2; k++) {
        open_window(&program, second);
        hand("key Escape");
        assert_exit(&program, 0);
    }
    open_window(&program, second);
    continue_session(&program);
    hand("key Escape");
    assert_exit(&program, 0);
}

/* --continue does what the card's button does, and says it where there is no session. */
static void the_option_continues(void **state) {
    (void)state;
    static const char *const first[] = {"pool", SMALL, "--json", "--stats", "stats.csv", NULL};
    static const char *const second[] = {SMALL, "--json", "--continue", NULL};
    program program;
    open_window(&program, second);
    await_line(&program, "No last session to continue");
    hand("key Escape");
    assert_exit(&program, 0);
    open_window(&program, first);
    await_steps(2);
    press(&program, "4", "Method");
    hand("key Escape");
    assert_exit(&program, 0);
    open_window(&program, second);
    await_line(&program, "Continued at");
    pd_world *continued = saved_world(&program, "pool.puddle");
    assert_string_equal(pd_world_method(continued)->name, "grid");
    pd_world_destroy(continued);
    hand("key Escape");
    assert_exit(&program, 0);
}

/* A file that is no log is one line, and the window goes on. */
static void a_broken_session_is_told(void **state) {
    (void)state;
    static const char *const arguments[] = {SMALL, "--json", NULL};
    program program;
    shell("mkdir -p state/puddle && echo %s > state/puddle/previous.log", "nonsense");
    open_window(&program, arguments);
    open_card(&program);
    hand("key Return"); /* the highlighted row */
    await_line(&program, "previous.log");
    hand("key c");
    await_line(&program, "Palette");
    hand("key Escape");
    assert_exit(&program, 0);
}

/* ---- Presses ---- */

/* The bowl leaves the corners of the window free. */
static const char *const BOWL =
    "puddle: 1\nname: Bowl\nmethod: sph\nparticles: 300\ncontainer: {shape: circle, radius: 1}\n"
    "regions: [{shape: circle, center: [0, -0.4], radius: 0.4}]\n";
static const char *const IN_BOWL[] = {"pool.yaml", "--size",    "900x480", "--view", "sprites", "--json",
                                      "--stats",   "stats.csv", "--log",   "log",    NULL};

/* Pour acts only while the pointer is inside, although part of its disc may be inside before. */
static void pour_outside_the_container(void **state) {
    (void)state;
    program program;
    pd_world *world;
    pd_log *log;
    pd_error error;
    char damage[PD_MAX_LOG_DAMAGE];
    int poured = 0;
    open_scene(&program, BOWL, IN_BOWL);
    rectangle picture = place_of(&program, "Picture");
    int y = middle_y(picture), wall = picture.height / 2; /* no view is larger */
    hand("key F5");
    at("mousedown 1", middle_x(picture), y);
    for (int x = 0; x < wall + 60; x += 12) {
        at("", middle_x(picture) + x, y);
        await_steps(1);
    }
    hand("mouseup 1 key ctrl+q");
    assert_exit(&program, 0);
    if (read_log_with_threads(&log, &world, "log", 1, damage, &error) != PD_OK) fail_msg("%s", error.message);
    for (int i = 0; i < pd_log_commands(log); i++) {
        uint64_t tick;
        const pd_command *command = pd_log_command(log, i, &tick);
        if (command->kind != PD_COMMAND_TOOL || command->is.tool.kind != PD_TOOL_POUR) continue;
        assert_true(hypotf(command->is.tool.position.x, command->is.tool.position.y) <= 1);
        poured++;
    }
    assert_true(poured > 3);
    pd_log_destroy(log);
    pd_world_destroy(world);
}

static void outside_the_container(void **state) {
    (void)state;
    static const struct {
        const char *key, *tool;
    } tools[] = {{"F2", "Hand"}, {"F5", "Pour"}, {"F7", "Wall"}, {"F8", "Shape"}, {"e", "Emitter"}, {"m", "Move"}};
    program program;
    char script[32], expected[64];
    open_scene(&program, BOWL, IN_BOWL);
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
        snprintf(script, sizeof script, "key %s", tools[i].key);
        hand(script);
        at("click 1", 150, 384);
        snprintf(expected, sizeof expected, "%s: outside the container", tools[i].tool);
        await_line(&program, expected);
    }
    at("click 3", 150, 384);
    await_line(&program, "Push: outside the container");
    size_t before = program.length;
    hand("key F5 mousemove 150 384 mousedown 1 mousemove 300 384 mousemove 512 384"); /* into the container */
    await_steps(3);
    hand("mouseup 1 key c");
    await_line(&program, "Palette");
    assert_null(strstr(program.heard + before, "outside"));
    hand("key Escape");
    assert_exit(&program, 0);
}

/* A press beside an open menu, the palette of materials or the help closes it, and neither stirs nor pours. */
static void presses_that_close_something(void **state) {
    (void)state;
    program program;
    open_scene(&program, BOWL, IN_BOWL);
    for (int k = 0; k < 4; k++) {
        if (k == 0) at_place(&program, "click 1", "Menu");
        if (k == 1) at_place(&program, "click 1", "Method");
        if (k == 2) hand("key p");
        if (k == 3) {
            hand("key h");
            place_of(&program, "Tab: All keys"); /* the help takes all keys */
        } else {
            hand("key v");
            await_line(&program, "\"View\"");
        }
        if (k == 3) { /* beside the help */
            rectangle picture = place_of(&program, "Picture");
            at("click 1", picture.x + 3, middle_y(picture));
            break;
        }
        at("mousedown 1", 512, 450);
        await_steps(3);
        at("", 540, 440);
        await_steps(2);
        hand("mouseup 1");
    }
    await_steps(2);
    hand("key Escape"); /* nothing is open any more */
    assert_exit(&program, 0);
    assert_int_equal(logged(" tool "), 0);
}

/* ---- An empty container ---- */

static void water_in_an_empty_container(void **state) {
    (void)state;
    program program;
    pd_view view;
    open_window(&program, LOGGED);
    await_steps(2);
    hand("key space");
    await_line(&program, "Paused");
    hand("key ctrl+n");
    at_place(&program, "click 1 click 1", "Next Water"); /* half */
    at_place(&program, "click 1", "Previous Particles"); /* coarse */
    at_place(&program, "click 1", "Begin");
    await_line(&program, "Empty");
    pd_world *world = saved_world(&program, "empty-0001.puddle");
    const pd_scene *scene = pd_world_scene(world);
    assert_int_equal(pd_world_particles(world), 500);
    pd_world_view(world, &view);
    assert_string_equal(scene->materials[view.material[0]].name, "water");
    for (int i = 0; i < view.count; i++) assert_true(view.y[i] <= 0.001f);
    pd_world_destroy(world);
    hand("key ctrl+n");
    at_place(&program, "click 1", "Next Water"); /* nothing, whose resolution is that of the poured water */
    at_place(&program, "click 1", "Begin");
    await_line(&program, "Empty");
    world = saved_world(&program, "empty-0002.puddle");
    assert_int_equal(pd_world_particles(world), 0);
    pd_world_view(world, &view);
    const pd_container *c = &pd_world_scene(world)->container;
    assert_float_equal(view.spacing * view.spacing, c->width * c->height / 1000, 1e-5f);
    pd_world_destroy(world);
    hand("key Escape");
    assert_exit(&program, 0);
}

TEST_GROUP(window_opening) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_card_comes_once, set_up_state, tear_down_state),
        cmocka_unit_test_setup_teardown(no_card_for_a_script, set_up_state, tear_down_state),
        cmocka_unit_test_setup_teardown(the_four_ways, set_up_state, tear_down_state),
        cmocka_unit_test_setup_teardown(hints_wait_for_each_other, set_up_state, tear_down_state),
        cmocka_unit_test_setup_teardown(the_last_hint_goes, set_up_state, tear_down_state),
        cmocka_unit_test_setup_teardown(the_last_session_goes_on, set_up_state, tear_down_state),
        cmocka_unit_test_setup_teardown(an_idle_session_replaces_nothing, set_up_state, tear_down_state),
        cmocka_unit_test_setup_teardown(the_option_continues, set_up_state, tear_down_state),
        cmocka_unit_test_setup_teardown(a_broken_session_is_told, set_up_state, tear_down_state),
        cmocka_unit_test_setup_teardown(outside_the_container, set_up_state, tear_down_state),
        cmocka_unit_test_setup_teardown(pour_outside_the_container, set_up_state, tear_down_state),
        cmocka_unit_test_setup_teardown(presses_that_close_something, set_up_state, tear_down_state),
        cmocka_unit_test_setup_teardown(water_in_an_empty_container, set_up_state, tear_down_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
