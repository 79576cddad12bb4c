/* Replaces the session's world or its state, and updates what depends on it. */
#include "app/io/paths.h"
#include "app/session/session.h"

#include "core/error.h"
#include "core/file/file.h"
#include <stddef.h>
#include <stdio.h>
#include <string.h>

void pd_session_tell(pd_session *session, pd_session_event event) {
    if (session->observer.changed) session->observer.changed(session->observer.context, event);
}

void pd_session_state_changed(pd_session *session) {
    double dt = (double)pd_world_scene(session->world)->dt;
    pd_session_take_waited(session);
    pd_session_read_gravity(session);
    if (session->pace.dt != dt) pd_pace_init(&session->pace, dt); /* another scene, in the log */
    pd_pace_restart(&session->pace);
    pd_session_tell(session, PD_SESSION_STATE);
}

/* "run.log" is followed by "run-2.log". */
static void number_log(const char *name, int number, char *path, size_t size) {
    const char *slash = strrchr(name, '/'), *dot = strrchr(slash ? slash : name, '.');
    int stem = (int)(dot ? dot - name : (ptrdiff_t)strlen(name));
    snprintf(path, size, "%.*s-%d%s", stem, name, number, dot ? dot : "");
}

/* The next number that no file has, nor another window for its log. */
static void find_free_log(pd_session *session, char *path, size_t size) {
    pd_file_release(&session->log_claim);
    for (;;) {
        number_log(session->log_path, ++session->logs, path, size);
        bool claimed = pd_file_claim(path, &session->log_claim, NULL) == PD_OK;
        if (claimed && !pd_app_is_taken(path)) return;
        pd_file_release(&session->log_claim);
    }
}

pd_result pd_session_follow_log(pd_session *session, pd_error *error) {
    char path[PD_MAX_PATH + 16];
    if (!session->log_path || !session->log) return PD_OK;
    if (session->logs > 0) {
        find_free_log(session, path, sizeof path);
        return pd_log_follow(session->log, path, error);
    }
    session->logs = 1;
    return pd_log_follow(session->log, session->log_path, error);
}

/* The log begins anew, with the world as it is. */
static void begin_log(pd_session *session, const pd_world *before) {
    pd_error error;
    if (session->log && pd_log_close(session->log, before, &error) && session->log_path)
        pd_announce_error(session->announcer, &error);
    pd_log_destroy(session->log);
    pd_backwards_forget(session);
    pd_session_stop_seeking(session);
    session->diverged = false;
    session->log = session->replay ? *session->replay : NULL;
    session->watching = session->log != NULL;
    if (session->log)
        *session->replay = NULL;
    else if (pd_log_create(&session->log, session->world, &error) != PD_OK)
        pd_announce_error(session->announcer, &error);
    if (session->log && session->history > 0) pd_log_set_budget(session->log, session->history);
    if (session->logs > 0 && pd_session_follow_log(session, &error)) pd_announce_error(session->announcer, &error);
    if (session->keeps_last_log && session->log) pd_session_keep_last_log(session);
}

/* What belonged to the world as it was before it was opened or reopened. */
static void forget_changes(pd_session *session) {
    session->gravity.notch = 0;
    session->dye = 0;
    pd_session_tell(session, PD_SESSION_METHOD);
    pd_pace_init(&session->pace, (double)pd_world_scene(session->world)->dt);
    pd_session_state_changed(session);
    pd_session_tell(session, PD_SESSION_TIME);
}

void pd_session_show(pd_session *session, pd_world *world) {
    pd_second_close(session, "another scene opened");
    pd_session_tell(session, PD_SESSION_END);
    pd_world *before = session->world;
    session->world = world;
    begin_log(session, before);
    if (world != before) pd_world_destroy(before);
    forget_changes(session);
    pd_session_tell(session, PD_SESSION_WORLD);
}

bool pd_session_begin(pd_session *session, const pd_scene *scene) {
    pd_error error;
    pd_command command;
    pd_result result = pd_command_scene(&command, scene, &error);
    if (result == PD_OK) {
        result = pd_session_do(session, &command, &error);
        pd_command_free(&command);
    }
    if (result != PD_OK) {
        pd_announce_error(session->announcer, &error);
        return false;
    }
    forget_changes(session);
    pd_session_tell(session, PD_SESSION_WORLD);
    return true;
}

void pd_session_reopen(pd_session *session) {
    pd_error error;
    if (!session->log) {
        pd_announce(session->announcer, "Cannot reset: no memory for the log (open the scene again)");
        return;
    }
    pd_session_finish_step(session);
    if (pd_session_do(session, &(pd_command){.kind = PD_COMMAND_RESTART}, &error)) {
        pd_announce_error(session->announcer, &error);
        return;
    }
    pd_session_tell(session, PD_SESSION_END);
    forget_changes(session);
    pd_announce(session->announcer, "Everything reset to the opened scene");
}

void pd_session_close(pd_session *session) {
    if (session->replay)
        *session->replay = session->log;
    else
        pd_log_destroy(session->log);
    session->log = NULL;
    pd_file_release(&session->log_claim);
    pd_session_release_last_log(session);
    pd_backwards_forget(session);
    pd_step_start_free(&session->step_start);
    pd_second_drop(session);
}
