/* The steps of the world: made whole or in parts, entered into the log, told to the observer. */
#include "app/session.h"

#include "core/timer.h"

static const double FINISH_PART = 0.05; /* s of work on a step between two checks for quitting */

float pd_session_alpha(const pd_session *session) {
    return pd_session_stepping(session) ? 1 : pd_pace_alpha(&session->pace);
}

/* After a step that was replayed. */
static void replayed(pd_session *session) {
    if (!session->diverged && pd_log_diverged(session->log) != PD_LOG_NEVER) {
        session->diverged = true;
        pd_announce(session->announcer, "Replay differs from the log from step %llu on",
                    (unsigned long long)pd_log_diverged(session->log));
    }
    if (pd_session_replays(session)) return;
    pd_session_play(session); /* commands after the last step */
    if (!session->watching) {
        pd_announce(session->announcer, "Back at the present: time continues");
        return;
    }
    session->paused = true;
    pd_announce(session->announcer, "End of the log (Space continues from here)");
}

/* Called once for each completed step. */
static void step_completed(pd_session *session) {
    bool replays = pd_session_replays(session);
    if (session->log) pd_log_stepped(session->log, session->world);
    pd_second_stepped(session);
    if (replays) replayed(session);
    if (session->observer.stepped) session->observer.stepped(session->observer.context);
    pd_session_tell_pouring(session);
    pd_session_flush(session);
}

bool pd_session_work(pd_session *session, double seconds) {
    if (!pd_second_work(session, &seconds)) return false;
    const pd_profile *profile = pd_world_profile(session->world);
    uint64_t before = profile->substeps;
    double begun = pd_now();
    if (!pd_world_stepping(session->world))
        pd_step_start_keep(&session->step_start, session->world, session->pace.step_cost);
    bool complete = pd_world_step_part(session->world, seconds);
    int substeps = (int)(profile->substeps - before), total = pd_world_substeps(session->world);
    if (complete) step_completed(session);
    pd_pace_worked(&session->pace, pd_now() - begun, substeps, total, complete);
    return complete;
}

/* The rest of a long step may take minutes: when about to quit, the state before the step is restored, if the first world has
 * begun it. */
static bool undo_step(pd_session *session) {
    bool quitting = session->observer.quitting && session->observer.quitting(session->observer.context);
    bool begun = pd_world_stepping(session->world);
    if (!quitting || (begun && !pd_step_start_restore(&session->step_start, session->world))) return false;
    pd_second_drop(session); /* it has made the step, or begun it */
    pd_session_tell(session, PD_SESSION_STEP);
    pd_session_flush(session);
    return true;
}

void pd_session_finish_step(pd_session *session) {
    while (pd_session_stepping(session) && !undo_step(session)) pd_session_work(session, FINISH_PART);
}
