/* The log that a session keeps in the user's state folder, without a window. */
#include "app/session.h"
#include "folder.h"
#include "logs.h"

static const char *const SMALL =
    "puddle: 1\nname: Small\nsubsteps: 3\nmaterials:\n  water: {color: \"#3a8fff\"}\nregions:\n"
    "  - {shape: circle, center: [0, 0], radius: 0.5, material: water, count: 200}\n";

static pd_announcer announcer = {.quiet = true};

static void open_session(pd_session *session) {
    *session = (pd_session){.announcer = &announcer, .keeps_last_log = true};
    pd_session_show(session, world_of_text(SMALL, 1));
    assert_int_not_equal(session->last_lock, 0);
}

static void close_session(pd_session *session) {
    pd_session_close(session);
    pd_world_destroy(session->world);
}

static void expect_replays(const char *path, uint64_t hash, uint64_t ticks) {
    pd_world *world;
    pd_log *log = reread(path, &world, 1, NULL);
    assert_int_equal(pd_log_end(log), ticks);
    play_exactly(log, world, hash);
    discard(log, world);
}

/* A program that quits, or shows another world, in the middle of a step leaves a log up to the last whole step. */
static void left_in_the_middle_of_a_step(void **state) {
    (void)state;
    for (int quits = 0; quits < 2; quits++) {
        static pd_session session;
        open_session(&session);
        for (int k = 0; k < 70; k++) assert_true(pd_session_work(&session, INFINITY));
        uint64_t hash = pd_world_hash(session.world);
        assert_false(pd_session_work(&session, 0));
        assert_true(pd_session_stepping(&session));
        if (quits)
            pd_log_close(session.log, session.world, NULL); /* as pd_app_run does */
        else
            pd_session_show(&session, world_of_text(SMALL, 1));
        expect_replays(quits ? "puddle/last.log" : "puddle/previous.log", hash, 70);
        close_session(&session);
    }
}

static int enter_state_folder(void **state) {
    return enter_folder(state) == 0 ? setenv("XDG_STATE_HOME", folder, 1) : -1;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(left_in_the_middle_of_a_step)};
    return cmocka_run_group_tests(tests, enter_state_folder, leave_folder);
}
