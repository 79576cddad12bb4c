/* Two worlds side by side, without a window: the first is as it would be alone, the second as a run of its method with the same
 * input. */
#include "app/overlay/interface.h"
#include "app/tables/tools.h"
#include "core/error.h"
#include "methods.h"

#include <puddle/log.h>
#include <unistd.h>

static const char *const SCENE =
    "puddle: 1\nname: Small\ncontainer: {shape: box, width: 2, height: 2}\nmaterials:\n"
    "  water: {color: \"#3a8fff\", mass: 1}\n  oil: {color: \"#e0a020\", mass: 0.8}\nregions:\n"
    "  - {shape: box, center: [0, -0.5], size: [1.6, 0.6], material: water, count: 250}\n"
    "obstacles: [{shape: circle, center: [0.4, 0.3], radius: 0.15}]\n"
    "emitters: [{position: [-0.6, 0.7], direction: [0, -1], width: 0.12, speed: 1, rate: 60, material: oil}]\n";
static const char *const EMPTY = "puddle: 1\nname: Empty\nmaterials:\n  water: {color: \"#3a8fff\", mass: 1}\n";

static pd_announcer announcer = {.quiet = true};

static void open_session(pd_session *session, const char *scene) {
    *session = (pd_session){.announcer = &announcer};
    pd_session_replace_world(session, world_of_text(scene, 1));
}

static void close_session(pd_session *session) {
    pd_session_close(session);
    pd_world_destroy(session->world);
}

static void act(pd_session *session, pd_action action, int argument) {
    assert_true(pd_session_perform_action(session, action, argument, false));
}

static void compare(pd_session *session, char key) { act(session, PD_ACTION_COMPARE, key); }

/* A step in the smallest parts: where a substep takes long the frame has no time left for any. */
static void step(pd_session *session) {
    for (int parts = 0; !pd_session_work_on_step(session, 0); parts++) assert_true(parts < 100000);
}

static void add_wall(pd_session *session) {
    pd_scene scene;
    pd_error error;
    pd_command command;
    assert_int_equal(pd_scene_copy(&scene, pd_world_scene(session->world), &error), PD_OK);
    const pd_area wall = {.shape = PD_SHAPE_BOX, .center = {-0.1f, 0}, .size = {0.5f, 0.1f}};
    pd_obstacle obstacle = {.area = wall};
    assert_int_equal(pd_scene_add_obstacle(&scene, &obstacle, &error), PD_OK);
    assert_int_equal(pd_command_edit(&command, pd_world_scene(session->world), &scene, &error), PD_OK);
    if (pd_session_try_command(session, &command, &error) != PD_OK) fail_msg("%s", error.message);
    pd_command_free(&command);
    pd_scene_free(&scene);
}

/* What a person does between two steps, and in the middle of one. */
static void between(pd_session *session, int tick) {
    const float t = 0.05f * (float)(tick % 20);
    const pd_tool drag = {PD_TOOL_DRAG, {t - 0.5f, -0.4f}, {1, 0.4f}, 0.25f, 0, 0};
    const pd_tool pour = {PD_TOOL_POUR, {t, 0.6f}, {0, 0}, 0.15f, 1, 0};
    const pd_tool move = {PD_TOOL_MOVE, {0.4f - t, 0.3f}, {0, 0}, 0.15f, 0, 0};
    const pd_tool none = {0};
    pd_session_set_tool(session, tick % 80 < 20 ? &drag : tick % 80 < 40 ? &pour : tick % 80 < 60 ? &move : &none);
    if (tick == 12) act(session, PD_ACTION_GRAVITY_TURN, 1);
    if (tick == 25) act(session, PD_ACTION_STIFFNESS, 1);
    if (tick == 45) add_wall(session);
    if (tick == 70) act(session, PD_ACTION_RESET, 0);
    if (tick == 82) act(session, PD_ACTION_PARTICLES, 1);
}

static void within(pd_session *session, int tick) {
    pd_session_work_on_step(session, 0);
    if (tick == 31) act(session, PD_ACTION_GRAVITY, 1); /* waits, if the step is not over */
    if (tick == 52) pd_session_set_property(session, 1, PD_VISCOSITY, 3);
    if (tick == 60) act(session, PD_ACTION_RESET, 0);
    if (pd_session_is_stepping(session)) step(session);
}

static void play(pd_session *session, int ticks) {
    for (int tick = 0; tick < ticks; tick++) {
        between(session, tick);
        within(session, tick);
    }
    pd_session_finish_step(session);
}

/* The world of a log under another method: its commands from the first reset on. */
static uint64_t hash_of_method(const pd_session *session, const char *scene_text, const char *method) {
    pd_scene scene = scene_of_text(scene_text);
    snprintf(scene.method, sizeof scene.method, "%s", method);
    pd_world *world = world_of(&scene, 1);
    pd_scene_free(&scene);
    int next = 0, count = pd_log_commands(session->log);
    uint64_t begun = 0, tick;
    while (pd_log_command(session->log, next, &begun)->kind != PD_COMMAND_RESET) next++;
    next++;
    for (uint64_t now = begun; now <= pd_log_end_tick(session->log); now++) {
        for (; next < count; next++) {
            pd_error error;
            const pd_command *command = pd_log_command(session->log, next, &tick);
            if (tick > now) break;
            if (command->kind == PD_COMMAND_METHOD) continue;
            if (pd_world_apply(world, command, &error) != PD_OK) fail_msg("%s", error.message);
        }
        if (now < pd_log_end_tick(session->log)) pd_world_step(world);
    }
    uint64_t hash = pd_world_hash(world);
    pd_world_destroy(world);
    return hash;
}

static char *log_text(pd_session *session) {
    char path[TEMPORARY_SIZE];
    pd_error error;
    int file = mkstemp(temporary_template(path));
    assert_true(file >= 0);
    close(file);
    if (pd_log_write(session->log, session->world, 0, path, &error) != PD_OK) fail_msg("%s", error.message);
    FILE *stream = fopen(path, "r");
    char *text = calloc(1, 1 << 22);
    assert_true(stream && text);
    assert_true(fread(text, 1, (1 << 22) - 1, stream) > 0);
    fclose(stream);
    unlink(path);
    return text;
}

static bool is_another(const pd_method *method) { return method != method_of("ddr"); } /* which SCENE has */

static void both_get_the_same_input(void **state) {
    (void)state;
    const char *others[MOST_METHODS];
    const int count = methods_that(is_another, others);
    static pd_session alone, pair;
    enum { BEFORE = 7, TICKS = 100 };
    open_session(&alone, SCENE);
    for (int i = 0; i < BEFORE; i++) step(&alone);
    act(&alone, PD_ACTION_RESET, 0); /* as opening a pane does */
    play(&alone, TICKS);
    char *expected = log_text(&alone);
    for (int i = 0; i < count; i++) {
        const char *method = others[i];
        open_session(&pair, SCENE);
        for (int k = 0; k < BEFORE; k++) step(&pair);
        compare(&pair, pd_controls_method_key(pd_method_find(method)));
        assert_non_null(pair.second.world);
        assert_int_equal(pd_world_steps(pair.world), 0);
        play(&pair, TICKS);
        assert_non_null(pair.second.world);
        assert_string_equal(pd_world_method(pair.second.world)->name, method);
        assert_int_equal(pd_world_steps(pair.second.world), pd_world_steps(pair.world));
        char *got = log_text(&pair); /* with the hash of each second and of the end */
        assert_string_equal(got, expected);
        free(got);
        assert_true(pd_world_hash(pair.second.world) == hash_of_method(&pair, SCENE, method));
        close_session(&pair);
    }
    free(expected);
    close_session(&alone);
}

/* A method chosen for the first world leaves the second one its own. */
static void the_first_changes_its_method(void **state) {
    (void)state;
    static pd_session session;
    open_session(&session, SCENE);
    compare(&session, '6');
    for (int i = 0; i < 10; i++) step(&session);
    act(&session, PD_ACTION_METHOD, '2');
    assert_string_equal(pd_world_method(session.world)->name, "sph");
    for (int i = 0; i < 10; i++) step(&session);
    assert_string_equal(pd_world_method(session.second.world)->name, "flip");
    assert_true(pd_world_hash(session.second.world) == hash_of_method(&session, SCENE, "flip"));
    close_session(&session);
}

static void expect_closed(pd_session *session, const char *why, uint64_t hash) {
    assert_null(session->second.world);
    assert_non_null(strstr(announcer.text, why));
    if (hash) assert_true(pd_world_hash(session->world) == hash);
    step(session);
}

/* Another scene in the first world, in the middle of a step: both begin with it. */
static void another_scene_begins_in_both(void **state) {
    (void)state;
    static pd_session session;
    open_session(&session, SCENE);
    compare(&session, '6');
    for (int i = 0; i < 30; i++) step(&session);
    pd_session_work_on_step(&session, 0);
    const pd_container box = {.shape = PD_CONTAINER_BOX, .width = 1, .height = 2};
    pd_session_open_empty_scene(&session, &(pd_empty_scene){.container = box});
    assert_string_equal(pd_world_method(session.second.world)->name, "flip");
    for (int w = 0; w < 2; w++) {
        const pd_world *world = w ? session.second.world : session.world;
        assert_string_equal(pd_world_scene(world)->name, "Empty");
        assert_int_equal(pd_world_steps(world), 0);
    }
    assert_int_equal(session.second.trace.count + session.second.trace.steps, 0);
    pd_session_set_tool(&session, &(pd_tool){PD_TOOL_POUR, {0, 0}, {0, 0}, 0.2f, 0, 0});
    for (int i = 0; i < 30; i++) step(&session);
    assert_true(pd_world_particles(session.world) > 10 && pd_world_particles(session.second.world) > 10);
    /* The second is as in a run of its method from there on. */
    pd_scene scene;
    pd_error error;
    assert_int_equal(pd_scene_copy(&scene, pd_world_scene(session.second.world), &error), PD_OK);
    pd_world *alone = world_of(&scene, 1);
    pd_scene_free(&scene);
    pd_world_set_tool(alone, &(pd_tool){PD_TOOL_POUR, {0, 0}, {0, 0}, 0.2f, 0, 0});
    step_many(alone, 30);
    assert_true(pd_world_hash(alone) == pd_world_hash(session.second.world));
    pd_world_destroy(alone);
    act(&session, PD_ACTION_REOPEN, 0);
    for (int w = 0; w < 2; w++) {
        const pd_world *world = w ? session.second.world : session.world;
        assert_int_equal(pd_world_steps(world), 0);
        assert_int_equal(pd_world_particles(world), 0);
    }
    close_session(&session);
}

/* Where the log begins in the middle of a scene, what came cannot begin under another method. */
static void what_came_in_its_course(void **state) {
    (void)state;
    static pd_session session;
    pd_world *world = world_of_text(SCENE, 1);
    step_many(world, 5);
    session = (pd_session){.announcer = &announcer};
    pd_session_replace_world(&session, world);
    compare(&session, '6');
    step(&session);
    act(&session, PD_ACTION_REOPEN, 0);
    assert_null(session.second.world);
    assert_int_equal(pd_world_steps(session.world), 5);
    close_session(&session);
}

/* What goes to another time or to another scene file closes the second pane, and says so. */
static void jumps_close_it(void **state) {
    (void)state;
    static pd_session session;
    open_session(&session, SCENE);
    for (int kind = 0; kind < 5; kind++) {
        compare(&session, '6');
        assert_non_null(session.second.world);
        for (int i = 0; i < 70; i++) step(&session);
        uint64_t before = pd_world_hash(session.world);
        act(&session, PD_ACTION_GRAVITY, 1);
        pd_session_work_on_step(&session, 0); /* in the middle of a step */
        if (kind == 0) act(&session, PD_ACTION_UNDO, 0), expect_closed(&session, "undo changes one pane only", before);
        if (kind == 1) act(&session, PD_ACTION_REWIND, 0), expect_closed(&session, "Rewound to", 0);
        if (kind == 2) {
            pd_backwards_press_key(&session);
            expect_closed(&session, "Second pane closed: time goes back in one pane only", 0);
            pd_backwards_stop(&session);
        }
        if (kind == 3) {
            pd_seek_begin_drag(&session);
            expect_closed(&session, "Second pane closed: the time line changes one pane only", 0);
            pd_seek_end(&session);
        }
        if (kind == 4) {
            pd_session_replace_world(&session, world_of_text(EMPTY, 1));
            expect_closed(&session, "Second pane closed: another scene opened", 0);
        }
        pd_session_end_seek_and_rewind(&session);
    }
    close_session(&session);
}

/* The key again closes it and keeps the first world; another key replaces it; Ctrl+K keeps the second one. */
static void either_is_kept(void **state) {
    (void)state;
    static pd_session session;
    open_session(&session, SCENE);
    act(&session, PD_ACTION_KEEP_SECOND, 0);
    assert_non_null(strstr(announcer.text, "No second pane is open"));
    compare(&session, '1');
    assert_null(session.second.world);
    assert_non_null(strstr(announcer.text, "select another method"));
    compare(&session, '6');
    for (int i = 0; i < 20; i++) step(&session);
    uint64_t first = pd_world_hash(session.world);
    compare(&session, '6');
    expect_closed(&session, "Double density relaxation continues", first);
    compare(&session, '6');
    compare(&session, '3');
    assert_string_equal(pd_world_method(session.second.world)->name, "pbf");
    assert_int_equal(pd_world_steps(session.world), 0);
    for (int i = 0; i < 20; i++) step(&session);
    uint64_t second = pd_world_hash(session.second.world);
    act(&session, PD_ACTION_KEEP_SECOND, 0);
    assert_null(session.second.world);
    assert_true(pd_world_hash(session.world) == second);
    assert_string_equal(pd_world_method(session.world)->name, "pbf");
    assert_non_null(strstr(announcer.text, "First pane closed: Position based"));
    assert_int_equal(pd_log_end_tick(session.log), 41); /* expect_closed has made a step */
    step(&session);
    assert_int_equal(pd_log_end_tick(session.log), 42);
    close_session(&session);
}

/* After the second world was kept, one undo restores the state before the comparison, and one redo the kept world. A seek in the
 * log leads to the kept world too. */
static void keeping_the_second_is_undone(void **state) {
    (void)state;
    static pd_session session;
    open_session(&session, SCENE);
    add_wall(&session);
    for (int i = 0; i < 20; i++) step(&session);
    uint64_t before = pd_world_hash(session.world);
    compare(&session, '6');
    for (int i = 0; i < 20; i++) step(&session);
    uint64_t kept = pd_world_hash(session.second.world);
    act(&session, PD_ACTION_KEEP_SECOND, 0);
    assert_true(pd_world_hash(session.world) == kept);
    assert_string_equal(announcer.text, "First pane closed: FLIP continues (Ctrl+Z goes back)");
    for (int i = 0; i < 5; i++) step(&session);
    uint64_t later = pd_world_hash(session.world);
    act(&session, PD_ACTION_UNDO, 0);
    assert_string_equal(pd_world_method(session.world)->name, "ddr");
    assert_int_equal(pd_world_steps(session.world), 20);
    assert_true(pd_world_hash(session.world) == before);
    act(&session, PD_ACTION_REDO, 0);
    assert_string_equal(pd_world_method(session.world)->name, "flip");
    assert_true(pd_world_hash(session.world) == later);
    pd_error error;
    assert_int_equal(pd_log_seek(session.log, session.world, 10, &error), PD_OK);
    assert_int_equal(pd_log_seek(session.log, session.world, 45, &error), PD_OK);
    assert_true(pd_world_hash(session.world) == later);
    act(&session, PD_ACTION_UNDO, 0);
    act(&session, PD_ACTION_UNDO, 0);
    assert_int_equal(pd_world_scene(session.world)->obstacle_count, 1);
    close_session(&session);
}

static void fill_container(pd_session *session, float radius) {
    pd_scene scene;
    pd_error error;
    pd_obstacle obstacle = {.area = {.shape = PD_SHAPE_CIRCLE, .radius = radius}};
    assert_true(pd_session_begin_edit(session, &scene));
    assert_true(pd_session_end_edit(session, &scene, pd_scene_add_obstacle(&scene, &obstacle, &error), &error));
}

static const char NO_ROOM[] =
    "Second pane closed: Grid fluid failed: obstacles leave no room for the fluid (make the obstacles smaller)";

/* A method that refuses the scene, or a change of it, leaves the first world alone, unharmed. */
static void refusals_leave_the_first(void **state) {
    (void)state;
    static pd_session session;
    open_session(&session, EMPTY);
    compare(&session, '4');
    assert_non_null(session.second.world);
    step(&session);
    fill_container(&session, 2);
    assert_string_equal(announcer.text, NO_ROOM);
    expect_closed(&session, NO_ROOM, 0);
    uint64_t before = pd_world_hash(session.world);
    compare(&session, '4');
    expect_closed(&session, "obstacles leave no room for the fluid", before);
    assert_true(announcer.is_error);
    close_session(&session);
}

static bool quits(void *context) {
    (void)context;
    return true;
}

/* About to quit, a step that only the second world has begun is given up; what the first has made stays. */
static void quitting_within_a_step(void **state) {
    (void)state;
    static pd_session session;
    for (int keeps = 0; keeps < 2; keeps++) {
        open_session(&session, SCENE);
        compare(&session, '4');
        step(&session);
        uint64_t first = pd_world_hash(session.world);
        assert_false(pd_session_work_on_step(&session, 0));
        assert_true(pd_session_is_stepping(&session) && !pd_world_stepping(session.world));
        session.observer.quitting = quits;
        if (keeps)
            act(&session, PD_ACTION_KEEP_SECOND, 0);
        else
            pd_session_finish_step(&session);
        assert_null(session.second.world);
        assert_int_equal(pd_world_steps(session.world), 1);
        assert_true(pd_world_hash(session.world) == first);
        close_session(&session);
    }
}

/* The values of the graph: as many for each measure, from the beginning, with fewer for longer runs. */
static void measures_are_of_both(void **state) {
    (void)state;
    static pd_session session;
    open_session(&session, SCENE);
    compare(&session, '4');
    for (int i = 0; i < 300; i++) {
        if (i == 20) { /* each step has a value */
            const pd_trace *trace = &session.second.trace;
            pd_statistics statistics;
            assert_int_equal(trace->count, 20);
            for (int w = 0; w < 2; w++) {
                pd_world_statistics(w ? session.second.world : session.world, &statistics);
                double energy = statistics.kinetic_energy;
                assert_float_equal(trace->value[PD_MEASURE_ENERGY][w][19], energy, 1e-6 * energy);
                assert_true(energy > 0 && trace->value[PD_MEASURE_COST][w][19] > 0);
            }
            assert_false(isnan(trace->value[PD_MEASURE_DENSITY][0][19]));
            assert_true(isnan(trace->value[PD_MEASURE_DENSITY][1][19])); /* a grid has no density */
        }
        step(&session);
    }
    assert_int_equal(session.second.trace.stride, 2);
    assert_int_equal(session.second.trace.count, 150);
    act(&session, PD_ACTION_RESET, 0);
    assert_int_equal(session.second.trace.count, 0);
    close_session(&session);
}

TEST_GROUP(second) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_get_the_same_input),
        cmocka_unit_test(the_first_changes_its_method),
        cmocka_unit_test(jumps_close_it),
        cmocka_unit_test(either_is_kept),
        cmocka_unit_test(keeping_the_second_is_undone),
        cmocka_unit_test(refusals_leave_the_first),
        cmocka_unit_test(quitting_within_a_step),
        cmocka_unit_test(measures_are_of_both),
        cmocka_unit_test(another_scene_begins_in_both),
        cmocka_unit_test(what_came_in_its_course),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
