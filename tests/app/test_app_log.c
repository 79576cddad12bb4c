/* The log that a session keeps in the user's state folder, without a window. */
#include "app/session/session.h"
#include "core/file.h"
#include "folder.h"
#include "logs.h"

#include <sys/stat.h>

static const char *const SMALL =
    "puddle: 1\nname: Small\nsubsteps: 3\nmaterials:\n  water: {color: \"#3a8fff\"}\nregions:\n"
    "  - {shape: circle, center: [0, 0], radius: 0.5, material: water, count: 200}\n";

static pd_announcer announcer = {.quiet = true};

static void open_session(pd_session *session) {
    *session = (pd_session){.announcer = &announcer, .writes_last_log = true};
    pd_session_replace_world(session, world_of_text(SMALL, 1));
    assert_int_not_equal(session->last_log_lock, 0);
}

static void close_session(pd_session *session) {
    pd_session_close(session);
    pd_world_destroy(session->world);
}

static void expect_replays(const char *path, uint64_t hash, uint64_t ticks) {
    pd_world *world;
    pd_log *log = reread(path, &world, 1, NULL);
    assert_int_equal(pd_log_end_tick(log), ticks);
    play_exactly(log, world, hash);
    discard(log, world);
}

/* A program that quits, or shows another world, in the middle of a step leaves a log up to the last whole step. */
static void left_in_the_middle_of_a_step(void **state) {
    (void)state;
    for (int quits = 0; quits < 2; quits++) {
        static pd_session session;
        open_session(&session);
        pd_session_set_gravity(&session, (pd_vec2){0, -2}); /* a log without commands is not kept */
        for (int k = 0; k < 70; k++) assert_true(pd_session_work_on_step(&session, INFINITY));
        uint64_t hash = pd_world_hash(session.world);
        assert_false(pd_session_work_on_step(&session, 0));
        assert_true(pd_session_is_stepping(&session));
        if (quits)
            pd_log_end_autosave(session.log, session.world, NULL); /* as pd_app_close does */
        else
            pd_session_replace_world(&session, world_of_text(SMALL, 1));
        expect_replays(quits ? "puddle/last.log" : "puddle/previous.log", hash, 70);
        close_session(&session);
    }
}

static void open_named(pd_session *session, const char *name) {
    pd_scene scene = scene_of_text(SMALL);
    snprintf(scene.name, sizeof scene.name, "%s", name);
    assert_true(pd_session_replace_scene(session, &scene));
    pd_scene_free(&scene);
}

static void expect_offer_of(const char *name) {
    static pd_session next;
    char text[96], expected[96];
    open_session(&next);
    assert_true(pd_session_describe_previous_log(&next, text, sizeof text));
    snprintf(expected, sizeof expected, "%s, just now", name);
    assert_string_equal(text, expected);
    close_session(&next);
}

/* The last session is offered under the name of the scene that was shown at its end, also after an undo of scenes. */
static void the_offer_names_the_last_scene(void **state) {
    (void)state;
    static pd_session session;
    open_session(&session);
    open_named(&session, "First");
    open_named(&session, "Second"); /* at the same tick */
    close_session(&session);
    expect_offer_of("Second");
    for (int undone = 1; undone <= 2; undone++) {
        open_session(&session);
        for (int k = 0; k < 5; k++) assert_true(pd_session_work_on_step(&session, INFINITY));
        open_named(&session, "First");
        pd_session_set_gravity(&session, (pd_vec2){0, -2});
        open_named(&session, "Second");
        for (int k = 0; k < 5; k++) assert_true(pd_session_work_on_step(&session, INFINITY));
        open_named(&session, "Third");
        for (int k = 0; k < undone; k++) pd_session_undo(&session);
        close_session(&session);
        expect_offer_of(undone == 1 ? "Second" : "First");
    }
}

/* Opens and closes a session in which gravity changes. Returns the number of its last log. */
static int keep_log(void) {
    static pd_session session;
    open_session(&session);
    int number = session.last_log_number;
    pd_session_set_gravity(&session, (pd_vec2){0, -2});
    close_session(&session);
    return number;
}

static bool is_regular(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* Two windows at the same time: each writes a last log of its own, and the former log of the other one stays. */
static void a_second_window_has_its_own_last_log(void **state) {
    (void)state;
    static pd_session first;
    open_session(&first);
    assert_int_equal(first.last_log_number, 1);
    assert_int_equal(keep_log(), 2);
    assert_true(is_regular("puddle/last.log"));
    assert_true(is_regular("puddle/last-2.log"));
    close_session(&first);
    assert_int_equal(keep_log(), 1);
}

/* Links, pipes and folders in the places of the last logs: no session waits for them or writes to where they lead, and no former
 * log is lost. */
static void foreign_files_in_the_places_of_the_logs(void **state) {
    (void)state;
    unlink("puddle/last.log"), unlink("puddle/previous.log");
    FILE *file = fopen("precious", "w");
    assert_true(file && fputs("mine", file) >= 0 && fclose(file) == 0);
    assert_int_equal(symlink("../precious", "puddle/last.log"), 0);
    assert_int_equal(keep_log(), 1);
    assert_true(is_regular("puddle/last.log"));
    assert_int_equal(unlink("puddle/last.log"), 0);
    assert_int_equal(mkfifo("puddle/last.log", 0600), 0);
    assert_int_equal(mkfifo("puddle/previous.log", 0600), 0);
    assert_int_equal(keep_log(), 1);
    assert_true(is_regular("puddle/last.log"));
    assert_int_equal(keep_log(), 1); /* moves the log to previous.log, which is a pipe */
    assert_true(is_regular("puddle/previous.log"));

    assert_int_equal(unlink("puddle/previous.log"), 0);
    assert_int_equal(mkdir("puddle/previous.log", 0700), 0);
    void *bytes, *again;
    size_t size;
    assert_int_equal(pd_file_read("puddle/last.log", 100000, &bytes, &size, NULL), PD_OK);
    assert_int_equal(keep_log(), 1);
    assert_int_equal(pd_file_read("puddle/last.log", 100000, &again, &size, NULL), PD_OK);
    assert_string_equal(bytes, again);
    free(bytes), free(again);
    assert_int_equal(rmdir("puddle/previous.log"), 0);
    assert_int_equal(pd_file_read("precious", 100, &bytes, &size, NULL), PD_OK);
    assert_string_equal(bytes, "mine");
    free(bytes);
}

/* ---- Sliders within a step ---- */

static bool quits(void *context) {
    (void)context;
    return true;
}

/* About to quit, a long step is given up: the value of a slider that waits for its end takes effect before it, and is in the log. */
static void what_waits_survives_quitting(void **state) {
    (void)state;
    static pd_session session;
    uint64_t tick;
    open_session(&session);
    for (int k = 0; k < 3; k++) assert_true(pd_session_work_on_step(&session, INFINITY));
    session.pace.step_cost = 60; /* s */
    assert_false(pd_session_work_on_step(&session, 0));
    pd_session_set_gravity(&session, (pd_vec2){1, 2});
    session.observer.quitting = quits;
    pd_session_finish_step(&session);
    assert_int_equal(pd_world_steps(session.world), 3);
    assert_float_equal(pd_world_gravity(session.world).y, 2, 0);
    assert_int_equal(pd_log_commands(session.log), 1);
    pd_log_command(session.log, 0, &tick);
    assert_int_equal(tick, 3);
    uint64_t hash = pd_world_hash(session.world);
    close_session(&session);
    expect_replays("puddle/last.log", hash, 3);
}

typedef struct seen {
    const pd_session *session;
    float gravity; /* m/s^2, downwards */
    int steps;
} seen;

static void look(void *context) {
    seen *last = context;
    last->gravity = -pd_world_gravity(last->session->world).y;
    last->steps++;
}

/* A recording and a row of statistics are of the step, without the value of a slider that waits for its end. */
static void steps_are_seen_before_what_waits(void **state) {
    (void)state;
    static pd_session session;
    seen last = {.session = &session};
    open_session(&session);
    float before = -pd_world_gravity(session.world).y;
    session.observer = (pd_observer){.context = &last, .stepped = look};
    assert_false(pd_session_work_on_step(&session, 0));
    pd_session_set_gravity(&session, (pd_vec2){1, 2});
    while (!pd_session_work_on_step(&session, 0)) continue;
    assert_int_equal(last.steps, 1);
    assert_float_equal(last.gravity, before, 0);
    assert_float_equal(pd_world_gravity(session.world).y, 2, 0);
    assert_true(pd_session_work_on_step(&session, INFINITY));
    assert_float_equal(last.gravity, -2, 0);
    close_session(&session);
}

/* The state before a step is not that before a step which a seek makes. */
static void a_seek_leaves_the_step(void **state) {
    (void)state;
    static pd_session session;
    open_session(&session);
    for (int k = 0; k < 3; k++) assert_true(pd_session_work_on_step(&session, INFINITY));
    session.pace.step_cost = 60; /* s */
    assert_false(pd_session_work_on_step(&session, 0));
    assert_non_null(session.step_start.bytes);
    pd_seek_begin_drag(&session);
    session.seek.tick = 1;
    pd_seek_advance(&session);
    assert_null(session.step_start.bytes);
    close_session(&session);
}

static int enter_state_folder(void **state) {
    return enter_folder(state) == 0 ? setenv("XDG_STATE_HOME", folder, 1) : -1;
}

TEST_GROUP(app_log) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(left_in_the_middle_of_a_step),
        cmocka_unit_test(the_offer_names_the_last_scene),
        cmocka_unit_test(what_waits_survives_quitting),
        cmocka_unit_test(steps_are_seen_before_what_waits),
        cmocka_unit_test(a_seek_leaves_the_step),
        cmocka_unit_test(a_second_window_has_its_own_last_log),
        cmocka_unit_test(foreign_files_in_the_places_of_the_logs),
    };
    return cmocka_run_group_tests(tests, enter_state_folder, leave_folder);
}
