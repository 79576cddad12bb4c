/* Seeking in the log. Dragging on the time line shows the states that are kept, and letting go makes the exact one, over
 * several frames where that takes long. */
#include "app/session/session.h"

static const double SEEKING = 0.1; /* s of steps between two pictures, which show how far it is */

void pd_session_stop_seeking(pd_session *session) { session->seek.active = session->seek.dragged = false; }

void pd_session_settle(pd_session *session) {
    pd_backwards_stop(session);
    pd_session_stop_seeking(session);
}

void pd_seek_grab(pd_session *session) {
    pd_backwards_stop(session);
    pd_second_close(session, "the time line changes one pane only");
    session->seek.dragged = session->seek.active = true;
    session->seek.shown = PD_LOG_NEVER;
}

void pd_seek_release(pd_session *session) { session->seek.dragged = false; }

static void arrived(pd_session *session, const pd_method_info *method) {
    session->seek.active = false;
    pd_session_time_changed(session, method);
    if (!session->watching && !pd_session_replays(session)) return;
    if (session->paused)
        pd_announce_value(session->announcer, "Time", (double)pd_log_tick(session->log) * session->pace.dt, "s");
}

void pd_seek_advance(pd_session *session) {
    pd_seek *seek = &session->seek;
    const pd_method_info *method = pd_world_method(session->world);
    pd_error error;
    pd_result result = PD_OK;
    bool done = false;
    pd_step_start_free(&session->step_start); /* the world leaves its step */
    uint64_t keyframe = 0;
    if (seek->dragged) {
        pd_log_keyframe_before(session->log, seek->tick + 1, &keyframe);
        if (keyframe != seek->shown)
            result = pd_log_seek(session->log, session->world, keyframe, &error); /* without steps */
        seek->shown = keyframe;
    } else {
        result = pd_log_seek_part(session->log, session->world, seek->tick, SEEKING, &done, &error);
    }
    session->pace.owed = session->pace.dt; /* draws the state as it is */
    if (result != PD_OK) {
        pd_session_stop_seeking(session);
        pd_announce_error(session->announcer, &error);
    } else if (done) {
        arrived(session, method);
    } else if (pd_world_method(session->world) != method) {
        pd_session_tell(session, PD_SESSION_METHOD);
    }
}
