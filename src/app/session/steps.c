/* The steps of the world: made whole or in parts, entered into the log, told to the observer. */
#include "app/session/session.h"

#include "core/timer.h"
#include <stdlib.h>

static const double FINISH_PART = 0.05; /* s of work on a step between two checks for quitting */

float pd_session_alpha(const pd_session *session) {
    return pd_session_stepping(session) ? 1 : pd_pace_alpha(&session->pace);
}

/* After a step that was replayed. ends: the last one. */
static void replayed(pd_session *session, bool ends) {
    if (!session->diverged && pd_log_diverged(session->log) != PD_LOG_NEVER) {
        session->diverged = true;
        pd_announce(session->announcer, "Replay differs from the log from step %llu on",
                    (unsigned long long)pd_log_diverged(session->log));
    }
    if (!ends) return;
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
    bool ends = replays && pd_log_tick(session->log) + 1 == pd_log_end(session->log);
    pd_second_stepped(session);
    if (session->observer.stepped) session->observer.stepped(session->observer.context);
    pd_session_tell_pouring(session);
    if (session->log) pd_log_stepped(session->log, session->world);
    pd_session_take_waited(session);
    if (replays) replayed(session, ends);
}

void pd_session_begin_step(pd_session *session) {
    if (pd_world_stepping(session->world)) return;
    pd_step_start_keep(&session->step_start, session->world, session->pace.step_cost);
    pd_world_begin_step(session->world);
}

bool pd_session_work(pd_session *session, double seconds) {
    if (!pd_second_work(session, &seconds)) return false;
    const pd_profile *profile = pd_world_profile(session->world);
    uint64_t before = profile->substeps;
    double begun = pd_now();
    pd_session_begin_step(session);
    bool complete = pd_world_step_part(session->world, seconds);
    int substeps = (int)(profile->substeps - before), total = pd_world_substeps(session->world);
    if (complete) step_completed(session);
    pd_pace_worked(&session->pace, pd_now() - begun, substeps, total, complete);
    return complete;
}

/* Puts the first world back to the state before its step. The commands that wait take effect there. */
static bool restore_start(pd_session *session) {
    pd_world *world = session->world;
    int count = 0;
    while (pd_world_waiting(world, count)) count++;
    pd_command *commands = calloc((size_t)count + 1, sizeof *commands);
    if (!commands) return false;
    for (int i = 0; i < count; i++) pd_command_copy(&commands[i], pd_world_waiting(world, i), NULL);
    bool restored = pd_step_start_restore(&session->step_start, world);
    for (int i = 0; i < count; i++) {
        if (restored) pd_session_do(session, &commands[i], NULL);
        pd_command_free(&commands[i]);
    }
    free(commands);
    return restored;
}

/* The rest of a long step may take minutes: when about to quit, the state before the step is restored, if the first world has
 * begun it. */
static bool undo_step(pd_session *session) {
    bool quitting = session->observer.quitting && session->observer.quitting(session->observer.context);
    if (!quitting) return false;
    if (pd_world_stepping(session->world) && !restore_start(session)) return false;
    pd_second_drop(session); /* it has made the step, or begun it */
    pd_session_tell(session, PD_SESSION_STEP);
    return true;
}

void pd_session_finish_step(pd_session *session) {
    while (pd_session_stepping(session) && !undo_step(session)) pd_session_work(session, FINISH_PART);
}
