/* Each message of the window once, as a whole: an action and what a person reads after it. Numbers are those of the scene below. */
#include "test.h"

#include "app/io/settings.h"
#include "app/loop.h"
#include "app/session/session.h"
#include "core/error.h"
#include "folder.h"
#include "graphics.h"
#include "starved.h"
#include "worlds.h"

#include <puddle/log.h>
#include <SDL.h>
#include <string.h>
#include <sys/stat.h>

#define BOX   "puddle: 1\nname: Small\ncontainer: {shape: box, width: 2, height: 2}\n"
#define WATER "materials:\n  water: {color: \"#3a8fff\", mass: 1}\n  oil: {color: \"#e0a020\", mass: 0.8}\n"
static const char SMALL[] =
    BOX WATER "regions: [{shape: box, center: [0, -0.5], size: [2, 1], material: water, count: 200}]\n"
              "obstacles: [{shape: box, center: [0, 0.5], size: [0.2, 0.2]}]\n"
              "parameters: {grid: {resolution: 16}, flip: {resolution: 16}}\n";

#define SOFT BOX WATER "regions: [{shape: box, center: [0, -0.5], size: [2, 1], material: water, count: 200}]\n"

static pd_app app;
static pd_session *const session = &app.session;

static void open_text(const char *text) {
    pd_error error;
    pd_world *world = world_of_text(text, 1);
    pd_app_init(&app, &(pd_app_options){.quiet = true});
    app.device.display = (pd_display){.width = 800, .height = 800, .ratio = 1, .scale = 1};
    if (ui_create(&app.device.ui, NULL, 1, &error)) fail_msg("%s", error.message);
    pd_session_replace_world(session, world);
    *app.viewport.announcer.text = '\0';
}

static void close_app(void) {
    ui_destroy(app.device.ui);
    pd_session_close(session);
    pd_world_destroy(session->world);
}

/* Announcements begin with a capital or a name in quotes, errors with a small letter; both are one line without a full stop. */
static void expect(const char *expected) {
    const char *text = app.viewport.announcer.text;
    if (strcmp(text, expected) != 0) fail_msg("\"%s\", expected \"%s\"", text, expected);
    assert_null(strchr(text, '\n'));
    assert_int_not_equal(text[strlen(text) - 1], '.');
    if (!app.viewport.announcer.is_error) assert_false(*text >= 'a' && *text <= 'z');
    *app.viewport.announcer.text = '\0';
}

static void steps(int count) {
    for (int k = 0; k < count; k++) {
        assert_true(pd_session_work_on_step(session, INFINITY));
        pd_session_check_memory(session);
    }
}

typedef struct told {
    pd_action action;
    int argument;
    const char *expected;
} told;

static void expect_all(const told *rows, size_t count) {
    for (size_t k = 0; k < count; k++) {
        pd_app_perform_action(&app, rows[k].action, rows[k].argument);
        expect(rows[k].expected);
    }
}
/* Saves a file, and compares the message. */
static void expect_saving(pd_file_kind kind, const char *path, const char *expected) {
    pd_error error;
    if (pd_session_save(session, kind, path, &error))
        assert_string_equal(error.message, expected);
    else
        expect(expected);
}

#define EXPECT_ALL(rows) expect_all(rows, sizeof rows / sizeof *rows)

static void keys(void **state) {
    (void)state;
    static const told rows[] = {
        {PD_ACTION_UNDO, 0, "Nothing to undo"},
        {PD_ACTION_REDO, 0, "Nothing to redo"},
        {PD_ACTION_REWIND, 0, "Cannot rewind: time begins here"},
        {PD_ACTION_STIFFNESS, 1, "Stiffness 15.3 m/s²"},
        {PD_ACTION_VISCOSITY, 1, "Linear viscosity 1.00 1/s"},
        {PD_ACTION_YIELD, 1, "Yield 0.146"},
        {PD_ACTION_GRAVITY, 1, "Gravity 1.76 m/s²"},
        {PD_ACTION_GRAVITY_SWITCH, 0, "Gravity: off"},
        {PD_ACTION_GRAVITY_TURN, 1, "Gravity direction 15°"},
        {PD_ACTION_PARTICLES, -1, "Particles 160 (restarted)"},
        {PD_ACTION_UNDO, 0, "Undone (back to 0:00.0)"},
        {PD_ACTION_REDO, 0, "Redone (forward to 0:00.0)"},
        {PD_ACTION_PAUSE, 0, "Paused"},
        {PD_ACTION_PAUSE, 0, "Running"},
        {PD_ACTION_CHANGE_SPEED, 1, "Speed of time 2×"},
        {PD_ACTION_VIEW, 0, "View: sprites"},
        {PD_ACTION_LINES, 0, "This view cannot show lines (V: next view)"},
        {PD_ACTION_PALETTE, 0, "Palette: ocean"},
        {PD_ACTION_MEASURE, 0, "Graphs need two panes: Ctrl+1 to 6"},
        {PD_ACTION_KEEP_SECOND, 0, "No second pane is open: Ctrl+1 to 6 opens one"},
        {PD_ACTION_DYE, 0, "Double density relaxation has no dyes (Grid fluid has)"},
        {PD_ACTION_TOOL, PD_BAR_POUR, "Pour: water"},
        {PD_ACTION_RESET, 0, "Restarted, your settings kept"},
        {PD_ACTION_REOPEN, 0, "Original scene restored"},
        {PD_ACTION_METHOD, '1', "Method: Double density relaxation"},
        {PD_ACTION_METHOD, '4', "Method: Grid fluid"},
        {PD_ACTION_YIELD, 1, "Grid fluid has no yield"},
        {PD_ACTION_DYE, 0, "Dye: water"},
        {PD_ACTION_DYE, 0, "Dye: oil"},
        {PD_ACTION_DYE, 0, "Dye: none"},
        {PD_ACTION_LINES, 0, "Lines: streamlines"},
    };
    open_text(SMALL);
    EXPECT_ALL(rows);
    assert_false(pd_session_save_again(session));
    expect_saving(PD_FILE_SNAPSHOT, "small.puddle", "Saved snapshot 'small.puddle'");
    expect_saving(PD_FILE_SCENE, "small.yaml", "Saved scene 'small.yaml'");
    expect_saving(PD_FILE_LOG, "small.log", "Saved the last two minutes as 'small.log'");
    assert_true(pd_session_save_again(session));
    expect("Saved snapshot 'small.puddle'");
    close_app();
}

static void limits(void **state) {
    (void)state;
    open_text(SMALL);
    for (int k = 0; k < 60; k++) pd_app_perform_action(&app, PD_ACTION_PARTICLES, -1);
    expect("Particles 100");
    pd_log_set_keyframe_budget(session->log, 1); /* byte: the log stores few states */
    steps(30);
    pd_app_perform_action(&app, PD_ACTION_GRAVITY, 1);
    session->pace.step_cost = 1e4; /* s */
    pd_app_perform_action(&app, PD_ACTION_UNDO, 0);
    expect("Cannot undo: 30 steps take over 5 s (use the time line)");
    close_app();
    open_text(BOX WATER "obstacles: [{shape: box, center: [0, 0], size: [4, 4]}]\n");
    pd_app_perform_action(&app, PD_ACTION_METHOD, '4');
    expect("obstacles leave no room for the fluid (make the obstacles smaller)");
    pd_app_perform_action(&app, PD_ACTION_COMPARE, '4');
    expect("obstacles leave no room for the fluid (make the obstacles smaller)");
    close_app();
    open_text(SOFT "parameters: {ddr: {spring_stiffness: 1}}\n");
    pd_app_perform_action(&app, PD_ACTION_METHOD, '6');
    expect("Method: FLIP (ignores elasticity)");
    close_app();
    open_text(SOFT "parameters: {ddr: {spring_stiffness: 1, stickiness: 1}}\n");
    pd_app_perform_action(&app, PD_ACTION_METHOD, '6');
    expect("Method: FLIP (ignores elasticity and stickiness)");
    close_app();
}

static void tables_of_other_programs(void **state) {
    (void)state;
    open_text(SMALL);
    static const char SCENE[] = "puddle: 1\nregions: [{shape: particles, file: table.csv, spacing: 0.1}]\n",
                      TABLE[] = ",x,y\n0,0.1,0.3\n1,0.2,-0.4\n";
    pd_error error;
    must(pd_file_write("table.yaml", SCENE, sizeof SCENE - 1, &error), &error);
    must(pd_file_write("table.csv", TABLE, sizeof TABLE - 1, &error), &error);
    pd_session_open_file(session, "table.yaml");
    expect("'table.csv' is read without column 1");
    assert_int_equal(pd_world_particles(session->world), 2);
    close_app();
}

/* A step is completed before it is saved, and the value of a slider that waits for its end is set. */
static void saving_within_a_step(void **state) {
    (void)state;
    open_text(SOFT "substeps: 4\n");
    app.running = true;
    for (int kind = 0; kind < 2; kind++) {
        pd_error error;
        pd_world *world;
        uint64_t before = pd_world_steps(session->world);
        assert_false(pd_session_work_on_step(session, 0));
        pd_session_set_gravity(session, (pd_vec2){0.5f, (float)-kind});
        const char *path = kind ? "within.yaml" : "within.puddle";
        expect_saving(kind ? PD_FILE_SCENE : PD_FILE_SNAPSHOT, path,
                      kind ? "Saved scene 'within.yaml'" : "Saved snapshot 'within.puddle'");
        assert_int_equal(pd_world_steps(session->world), before + 1);
        if (pd_app_create_world(path, 1, &world, &error)) fail_msg("%s", error.message);
        assert_float_equal(pd_world_gravity(world).x, 0.5f, 0);
        assert_float_equal(pd_world_gravity(world).y, -kind, 0);
        if (kind == 0) assert_true(pd_world_hash(world) == pd_world_hash(session->world));
        pd_world_destroy(world);
    }
    close_app();
}

static void without_a_log(void **state) {
    (void)state;
    static const told rows[] = {
        {PD_ACTION_REOPEN, 0, "Cannot restore: no memory for the log (open the scene again)"},
        {PD_ACTION_UNDO, 0, "Nothing to undo"},
        {PD_ACTION_REWIND, 0, "Cannot rewind: time begins here"},
    };
    open_text(SMALL);
    pd_log_destroy(session->log); /* as where there was no memory */
    session->log = NULL;
    EXPECT_ALL(rows);
    close_app();
}

/* ---- Time and logs ---- */

static void seek_to(uint64_t tick) {
    pd_seek_begin_drag(session);
    session->seek.tick = tick;
    pd_seek_end_drag(session);
    while (session->seek.active) pd_seek_advance(session);
}

static void time_line(void **state) {
    (void)state;
    open_text(SMALL);
    steps(130);
    session->paused = true;
    seek_to(30);
    expect("Time 0:00.5");
    steps(100);
    expect("Back at the present: time continues");
    pd_app_perform_action(&app, PD_ACTION_REWIND, 0);
    expect("Rewound to 0:02.0");
    close_app();
}

/* A replay, and one of a log whose hash of step 60 is another one. */
static void replays(void **state) {
    (void)state;
    pd_error error;
    char damage[PD_MAX_LOG_DAMAGE];
    open_text(SMALL);
    steps(70);
    must(pd_log_write(session->log, session->world, 0, "right.log", &error), &error);
    close_app();
    assert_int_equal(system("sed 's/^60 hash .*/60 hash 0123456789abcdef/' right.log > wrong.log"), 0);
    for (int wrong = 0; wrong < 2; wrong++) {
        pd_log *log;
        pd_world *world;
        must(read_log_with_threads(&log, &world, wrong ? "wrong.log" : "right.log", 1, damage, &error), &error);
        open_text(SMALL);
        session->replay = &log;
        pd_session_replace_world(session, world);
        steps(60);
        if (wrong) expect("Replay differs from the log from step 60 on");
        steps(10);
        expect("End of the log (Space continues from here)");
        close_app();
        pd_log_destroy(log);
    }
}

/* ---- Two panes ---- */

static void compare(char key, const char *expected) {
    pd_app_perform_action(&app, PD_ACTION_COMPARE, key);
    expect(expected);
}

static void panes(void **state) {
    (void)state;
    static const char BESIDE[] = "Side by side from the beginning: ddr, flip (Ctrl+Z goes back)";
    const pd_container box = {.shape = PD_CONTAINER_BOX, .width = 1, .height = 1};
    open_text(SMALL);
    compare('1', "Double density relaxation already runs (select another method)");
    compare('6', BESIDE);
    pd_app_perform_action(&app, PD_ACTION_MEASURE, 0);
    expect("Graph: density error");
    pd_app_perform_action(&app, PD_ACTION_MEASURE, 0);
    expect("Graph: time per step");
    pd_app_perform_action(&app, PD_ACTION_MEASURE, 0);
    expect("Graph: kinetic energy");
    compare('6', "Second pane closed: Double density relaxation continues");
    compare('6', BESIDE);
    pd_app_perform_action(&app, PD_ACTION_UNDO, 0);
    expect("Second pane closed: undo changes one pane only");
    compare('6', BESIDE);
    pd_app_perform_action(&app, PD_ACTION_GRAVITY, 1);
    pd_app_perform_action(&app, PD_ACTION_UNDO, 0);
    compare('6', BESIDE);
    pd_session_open_empty_scene(session, &(pd_empty_scene){.container = box});
    assert_non_null(session->second.world);
    compare('6', "Second pane closed: Double density relaxation continues");
    compare('6', BESIDE);
    pd_seek_begin_drag(session);
    expect("Second pane closed: the time line changes one pane only");
    pd_seek_end(session);
    compare('6', BESIDE);
    pd_backwards_press_key(session);
    expect("Second pane closed: time goes back in one pane only");
    pd_backwards_stop(session);
    compare('6', BESIDE);
    pd_session_replace_world(session, world_of_text(SMALL, 1));
    expect("Second pane closed: another scene opened");
    app.viewport.chosen_view = "vorticity"; /* ddr has no such view, so both panes show another */
    compare('6', BESIDE);
    const pd_view_mode *shown = app.viewport.panes.mode;
    assert_string_not_equal(shown->name, "vorticity");
    pd_app_perform_action(&app, PD_ACTION_KEEP_SECOND, 0);
    expect("First pane closed: FLIP continues (Ctrl+Z goes back)");
    assert_ptr_equal(app.viewport.mode, shown);
    close_app();
    open_text(SOFT "attractions: [{between: [water, oil], factor: 0.4}]\n");
    compare('6', "Side by side from the beginning: ddr, flip (Ctrl+Z goes back); flip has 1 warning (see the panel)");
    close_app();
}

/* ---- Items and materials ---- */

static void draw(pd_bar_tool tool, float x, float y, float to_x, float to_y) {
    session->tool = tool;
    assert_true(pd_session_begin_draft(session, (pd_vec2){x, y}, 0.1f, 1));
    pd_session_move_draft(session, (pd_vec2){to_x, to_y}, false);
    pd_session_end_draft(session);
}

static void items(void **state) {
    (void)state;
    open_text(SMALL);
    draw(PD_BAR_WALL, -0.5f, 0.5f, -0.5f, 0.8f);
    expect("Wall added");
    draw(PD_BAR_EMITTER, 0.5f, 0.8f, 0.5f, 0.6f);
    expect("Emitter added");
    draw(PD_BAR_DRAIN, 0.7f, 0.3f, 0.8f, 0.3f);
    expect("Drain added");
    session->tool = PD_BAR_ERASE;
    session->choice[PD_BAR_ERASE] = PD_CHOICE_OBJECTS;
    pd_session_begin_grab(session, (pd_vec2){0.7f, 0.3f}, 0.01f);
    pd_session_move_grab(session, (pd_vec2){0.7f, 0.3f});
    expect("Drain removed");
    pd_session_end_grab(session);
    pd_session_turn_obstacle(session, 0, 15);
    expect("Obstacle turned by 15°");
    pd_session_spin_obstacle(session, 0, 30);
    expect("Obstacle spin 30 °/s");
    pd_session_throw_obstacle(session, 0, (pd_vec2){0, 0});
    expect("Obstacle speed 0 m/s");
    session->tool = PD_BAR_HAND;
    close_app();
}

static void materials(void **state) {
    (void)state;
    open_text(SMALL);
    pd_session_remove_material(session, 0);
    expect("Cannot remove 'water': erase the fluid of this material first");
    draw(PD_BAR_EMITTER, 0.5f, 0.8f, 0.5f, 0.6f);
    pd_session_select_poured_material(session, 0);
    expect("Emitter: water");
    pd_session_add_ready_material(session, 4);
    expect("Emitter: rubber");
    pd_session_set_property(session, 0, PD_VISCOSITY, 20);
    expect("Linear viscosity (water) 20.0 1/s");
    pd_session_set_property(session, 0, PD_VISCOSITY, -1);
    expect("linear_viscosity is -1 (use 0 to 10000 1/s)");
    while (pd_session_add_material(session, "blue", (uint8_t[]){0, 0, 255})) continue;
    expect("the scene has 32 materials already (remove some first)");
    close_app();
    open_text(BOX "materials: {a: {color: \"#ffffff\"}}\n");
    pd_session_remove_material(session, 0);
    expect("Cannot remove 'a': 'a' is the scene's only material (add another material first)");
    close_app();
}

/* ---- Pouring ---- */

static void pour(float y, int count) {
    for (int k = 0; k < count; k++) {
        pd_session_set_tool(session, &(pd_tool){.kind = PD_TOOL_POUR, .position = {-0.6f, y}, .radius = 0.1f});
        steps(1);
    }
}

static void pouring(void **state) {
    (void)state;
    open_text(SMALL);
    steps(60);
    pour(-0.6f, 30);
    expect("No room to pour here (erase fluid first)");
    set_starving_allocator();
    starved = session->world;
    for (int k = 0; k < 60 && !*app.viewport.announcer.text; k++) pour(0.9f - 0.01f * (float)k, 1);
    starved = NULL;
    expect(
        "Paused: the system refused memory (erase fluid, or close other programs). Undo and the log begin anew here");
    close_app();
}

/* ---- The wheel, the panel, settings ---- */

static void wheel(bool shift) {
    app.device.pointer.shift = shift;
    pd_app_handle_event(&app, &(SDL_Event){.wheel = {.type = SDL_MOUSEWHEEL, .y = 1, .preciseY = 1}});
}

static void sizes(void **state) {
    (void)state;
    open_text(SMALL);
    static const char *const expected[PD_BAR_TOOLS] = {[PD_BAR_HAND] = "Tool size 0.220 m",
                                                       [PD_BAR_WALL] = "Wall thickness 0.0484 m",
                                                       [PD_BAR_EMITTER] = "Emitter width 0.266 m"};
    for (int tool = 0; tool < PD_BAR_TOOLS; tool++) {
        if (!expected[tool]) continue;
        session->tool = (pd_bar_tool)tool;
        wheel(false);
        expect(expected[tool]);
    }
    session->tool = PD_BAR_SHAPE;
    session->choice[PD_BAR_SHAPE] = PD_CHOICE_BOX;
    assert_true(pd_session_begin_draft(session, (pd_vec2){0.5f, 0.5f}, 0.1f, 1));
    app.device.pointer.press = PD_PRESS_DRAWS;
    wheel(false);
    expect("Box angle 5°");
    app.device.pointer.press = PD_PRESS_NONE;
    app.viewport.panel = true;
    app.device.display.width = 480;
    pd_app_perform_action(&app, PD_ACTION_COMPARE, '6');
    expect("Panel closed for two panes (Tab opens the panel)");
    close_app();
}

static void settings(void **state) {
    (void)state;
    open_text(SMALL);
    pd_session_set_history_mib(session, 512);
    expect("Rewind memory 512 MiB");
    pd_recorder_set_format(&app.device.recorder, &app.viewport.announcer, PD_SINK_MP4);
    expect("Recording format: mp4");
    pd_recorder_set_format(&app.device.recorder, &app.viewport.announcer, PD_SINK_FOLDER);
    expect("Recording format: folder");
    setenv("XDG_CONFIG_HOME", "/dev/null", 1);
    pd_session_set_history_mib(session, 256);
    expect(
        "cannot write '/dev/null/puddle/settings': Not a directory (create its folder first, or choose another place)");
    setenv("XDG_CONFIG_HOME", folder, 1);
    pd_session_set_parameter(session, 0, NAN);
    expect("radius is nan (use 0.0001 to 100 m)");
    pd_session_set_parameter(session, 1, 5);
    expect("Stiffness 5.00 m/s²");
    pd_session_reset_parameter(session, 1);
    expect("Stiffness 13.9 m/s²");
    close_app();
}

/* Expects a message about a file in the folder of the settings. */
static void expect_path(const char *words, const char *name) {
    char text[PD_MAX_PATH + 96];
    snprintf(text, sizeof text, "%s '%s/%s'", words, folder, name);
    expect(text);
}

static void recording(void **state) {
    (void)state;
    pd_recorder *recorder = &app.device.recorder;
    pd_announcer *announcer = &app.viewport.announcer;
    pd_error error;
    open_text(SMALL);
    must(pd_settings_save(PD_SETTING_FOLDER, folder, &error), &error);
    pd_recorder_set_format(recorder, announcer, PD_SINK_FOLDER);
    pd_recorder_start_at_free_path(recorder, announcer, session->world, &app.device.display, false);
    expect_path("Recording to", "small-1");
    must(pd_recorder_stop(recorder, announcer, false, &error), &error);
    expect("Nothing recorded: no step was made");
    pd_recorder_start_at_free_path(recorder, announcer, session->world, &app.device.display, true);
    expect_path("Paused: recording begins with the next step, to", "small-1");
    const pd_picture pictures[2] = {pd_viewport_describe_picture(&app.viewport, 0, 64, 64, 1, 1)};
    assert_true(pd_recorder_record_step(recorder, renderer, (const pd_world *[]){session->world, NULL}, pictures));
    must(pd_recorder_stop(recorder, announcer, false, &error), &error);
    expect_path("Recorded 1 frame to", "small-1");
    pd_screenshot_begin(recorder, announcer, renderer, pictures, 1);
    pd_screenshot_announce_finished(recorder, announcer, true);
    expect_path("Saved screenshot", "puddle-0001.png");
    close_app();
}

/* ---- Opening ---- */

static const char LISTED[] = "puddle: 1\nname: Listed\n" WATER
                             "regions: [{shape: circle, center: [0, 0], radius: 0.5, material: water, count: 200}]\n";

static void opening(void **state) {
    (void)state;
    open_text(LISTED);
    expect_saving(PD_FILE_SCENE, "listed-0001.yaml", "Saved scene 'listed-0001.yaml'");
    pd_session_open_file(session, "listed-0001.yaml");
    expect("Scene: listed-0001");
    pd_app_perform_action(&app, PD_ACTION_PARTICLES, 1);
    expect("the number of particles is fixed: the scene lists each particle (use another scene)");
    pd_session_open_file(session, PUDDLE_SCENES "/pool.yaml");
    expect("Scene: Pool");
    pd_session_open_file(session, "missing.yaml");
    expect("cannot read 'missing.yaml': No such file or directory (check the path)");
    pd_session_open_file(session, "missing.puddle");
    expect("cannot read 'missing.puddle': No such file or directory (check the path)");
    pd_session_open_empty_scene(session,
                                &(pd_empty_scene){.container = {.shape = PD_CONTAINER_BOX, .width = 1, .height = 1}});
    expect("Scene: Empty");
    pd_session_open_empty_scene(session,
                                &(pd_empty_scene){.container = {.shape = PD_CONTAINER_BOX, .width = NAN, .height = 1}});
    expect("scene:8:32: 'width' is 'nan' (allowed: a finite number, 1e-06 to 1000000)");
    close_app();
}

#define NO_FOLDER "No such file or directory (create its folder first, or choose another place)"

/* In a folder that is removed while the window is open; and the log of a second scene there. */
static void without_a_folder(void **state) {
    (void)state;
    char here[PD_MAX_PATH];
    pd_error error;
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(mkdir("gone", 0777), 0);
    assert_int_equal(chdir("gone"), 0);
    assert_int_equal(rmdir("../gone"), 0);
    open_text(SMALL);
    expect_saving(PD_FILE_SNAPSHOT, "small.puddle", "cannot write 'small.puddle': " NO_FOLDER);
    expect_saving(PD_FILE_SCENE, "small.yaml", "cannot write 'small.csv': " NO_FOLDER);
    expect_saving(PD_FILE_LOG, "small.log", "cannot write 'small.log': " NO_FOLDER);
    must(pd_settings_save(PD_SETTING_FOLDER, "/dev/null/films", &error), &error);
    pd_recorder_start_at_free_path(&app.device.recorder, &app.viewport.announcer, session->world, &app.device.display,
                                   false);
    expect("cannot write '/dev/null/films': Not a directory (create its folder first, or choose another place)");
    pd_picture picture = pd_viewport_describe_picture(&app.viewport, 0, 64, 64, 1, 1);
    pd_screenshot_begin(&app.device.recorder, &app.viewport.announcer, renderer, &picture, 1);
    pd_screenshot_announce_finished(&app.device.recorder, &app.viewport.announcer, true);
    expect("cannot write '/dev/null/films': Not a directory (create its folder first, or choose another place)");
    must(pd_settings_save(PD_SETTING_FOLDER, folder, &error), &error);
    session->log_path = "run.log";
    session->log_number = 1;
    pd_session_replace_world(session, world_of_text(SMALL, 1));
    expect("cannot write 'run-2.log': " NO_FOLDER);
    close_app();
    assert_int_equal(chdir(here), 0);
}

static int set_up(void **state) {
    if (enter_folder(state) || create_graphics(64, 64)) return -1;
    return setenv("XDG_CONFIG_HOME", folder, 1); /* not the settings of the user */
}

static int tear_down(void **state) { return close_graphics(state) || leave_folder(state) ? -1 : 0; }

TEST_GROUP(messages) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys),
        cmocka_unit_test(limits),
        cmocka_unit_test(tables_of_other_programs),
        cmocka_unit_test(saving_within_a_step),
        cmocka_unit_test(without_a_log),
        cmocka_unit_test(time_line),
        cmocka_unit_test(replays),
        cmocka_unit_test(panes),
        cmocka_unit_test(items),
        cmocka_unit_test(materials),
        cmocka_unit_test(pouring),
        cmocka_unit_test(sizes),
        cmocka_unit_test(settings),
        cmocka_unit_test(recording),
        cmocka_unit_test(without_a_folder),
        cmocka_unit_test(opening),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
