/* Motion in time: long steps that are computed in parts over several frames, and changes to another tick of the log by undo,
 * redo, Backspace and the time line. */
#include "app/session/session.h"

#include "core/timer.h"
#include <math.h>
#include <stdlib.h>

/* ---- Steps ---- */

static const double FINISH_PART = 0.05; /* s of wall time on a step between two checks for quitting */

bool pd_session_is_stepping(const pd_session *session) {
    return pd_world_stepping(session->world) || pd_second_is_stepping(session);
}

double pd_session_speed(const pd_session *session) { return ldexp(1, session->speed_exponent); }

float pd_session_picture_alpha(const pd_session *session) {
    return pd_session_is_stepping(session) ? 1 : pd_pace_alpha(&session->pace);
}

/* Announces a difference between replay and log, and the end of the replay. ends: this was the log's last step. */
static void step_replayed(pd_session *session, bool ends) {
    if (!session->diverged && pd_log_first_divergence(session->log) != PD_LOG_NEVER) {
        session->diverged = true;
        pd_announce(session->announcer, "Replay differs from the log from step %llu on",
                    (unsigned long long)pd_log_first_divergence(session->log));
    }
    if (!ends) return;
    pd_session_apply_logged_commands(session); /* applies the log's commands after its last step */
    if (!session->replays_log) {
        pd_announce(session->announcer, "Back at the present: time continues");
        return;
    }
    session->paused = true;
    pd_announce(session->announcer, "End of the log (Space continues from here)");
}

static void step_completed(pd_session *session) {
    bool replays = pd_session_is_replaying(session);
    bool ends = replays && pd_log_tick(session->log) + 1 == pd_log_end_tick(session->log);
    pd_second_record_step(session);
    if (session->observer.stepped) session->observer.stepped(session->observer.context);
    pd_session_announce_pouring(session);
    if (session->log) pd_log_end_step(session->log, session->world);
    pd_session_forward_commands(session);
    if (replays) step_replayed(session, ends);
}

void pd_session_begin_step(pd_session *session) {
    if (pd_world_stepping(session->world)) return;
    pd_step_start_save(&session->step_start, session->world, session->pace.step_cost);
    pd_world_begin_step(session->world);
}

bool pd_session_work_on_step(pd_session *session, double seconds) {
    if (!pd_second_work_on_step(session, &seconds)) return false;
    const pd_profile *profile = pd_world_profile(session->world);
    uint64_t before = profile->substeps;
    double begun = pd_now();
    pd_session_begin_step(session);
    bool complete = pd_world_step_part(session->world, seconds);
    int substeps = (int)(profile->substeps - before), total = pd_world_substeps(session->world);
    if (complete) step_completed(session);
    pd_pace_record_work(&session->pace, pd_now() - begun, substeps, total, complete);
    return complete;
}

/* Restores the first world's state before its step, and applies the waiting commands to it. */
static bool restore_start(pd_session *session) {
    pd_world *world = session->world;
    int count = 0;
    while (pd_world_waiting_command(world, count)) count++;
    pd_command *commands = calloc((size_t)count + 1, sizeof *commands);
    if (!commands) return false;
    for (int i = 0; i < count; i++) pd_command_copy(&commands[i], pd_world_waiting_command(world, i), NULL);
    bool restored = pd_step_start_restore(&session->step_start, world);
    for (int i = 0; i < count; i++) {
        if (restored) pd_session_try_command(session, &commands[i], NULL);
        pd_command_free(&commands[i]);
    }
    free(commands);
    return restored;
}

/* Undoes a long step if the program is about to quit, since its rest may take minutes. False: the step must be completed. */
static bool undo_step(pd_session *session) {
    bool quitting = session->observer.quitting && session->observer.quitting(session->observer.context);
    if (!quitting) return false;
    if (pd_world_stepping(session->world) && !restore_start(session)) return false;
    pd_second_destroy(session); /* the second world is within the undone step or ahead */
    pd_session_notify_observer(session, PD_SESSION_STEP_UNDONE);
    return true;
}

void pd_session_finish_step(pd_session *session) {
    while (pd_session_is_stepping(session) && !undo_step(session)) pd_session_work_on_step(session, FINISH_PART);
}

/* ---- The log ---- */

void pd_session_time_changed(pd_session *session, const pd_method_info *before) {
    if (pd_world_method(session->world) != before) pd_session_method_changed(session);
    pd_session_state_changed(session);
    /* The observer ends the press. The world's tool belongs to the restored state and stays until the next step sets another. */
    pd_session_notify_observer(session, PD_SESSION_TIME);
}

/* Undoes or redoes an act. */
static void move_by_act(pd_session *session, pd_result (*move)(pd_log *, pd_world *, pd_error *), const char *done,
                        const char *why) {
    const pd_method_info *method = pd_world_method(session->world);
    pd_error error;
    if (!pd_session_succeeded(session, move(session->log, session->world, &error), &error)) return;
    pd_session_time_changed(session, method);
    pd_announce_value(session->announcer, done, pd_world_time(session->world), "s");
    pd_second_close(session, why);
}

/* s: longest undo in one frame. An undo makes all steps since a keyframe again. A longer one becomes a seek. */
static const double LONGEST_UNDO = 5;

void pd_session_undo(pd_session *session) {
    uint64_t steps;
    pd_session_finish_step(session);
    if (!session->log || pd_session_is_stepping(session) || !pd_log_can_undo(session->log, &steps))
        pd_announce(session->announcer, "Nothing to undo");
    else if ((double)steps * session->pace.step_cost > LONGEST_UNDO)
        pd_announce(session->announcer, "Cannot undo: %llu steps take over %.0f s (use the time line)",
                    (unsigned long long)steps, LONGEST_UNDO);
    else
        move_by_act(session, pd_log_undo, "Undone, back to", "undo changes one pane only");
}

void pd_session_redo(pd_session *session) {
    pd_session_finish_step(session);
    if (!session->log || pd_session_is_stepping(session) || !pd_log_can_redo(session->log))
        pd_announce(session->announcer, "Nothing to redo");
    else
        move_by_act(session, pd_log_redo, "Redone, forward to", "redo changes one pane only");
}

/* ---- Backspace ----
 *
 * A tap goes back a second at most. Holding the key runs time backwards. Both remove the commands after the reached tick
 * (pd_log_remove_future), unless a log is replayed.
 *
 * While the key is down, pd_reverse computes the states before the present tick, within the budget of a frame. If that is too
 * slow, time goes back in larger jumps. */

static const double TAP = 0.25;           /* s: longest press that counts as a tap */
static const double LONGEST_FRAME = 0.25; /* s: a longer frame counts as this long */
static const double MOST_OWED =
    90; /* greatest number of ticks still to go back while Backspace is held; more are dropped */
enum {
    STATES = 64 << 20, /* memory for states computed in advance, bytes */
    RESERVE = 40,      /* number of states to compute in advance: more than lie between two keyframes */
    SECOND = 60,       /* ticks in a second of simulated time */
};

/* Returns whether a rewind removes the later commands. While a log is replayed the commands stay. */
static bool will_branch(const pd_session *session) {
    return !session->replays_log && !pd_session_is_replaying(session);
}

/* Computes the tick to which a tap goes back: the keyframe at the last whole second before the present tick. Within a second after
 * the last rewind, the keyframe before that rewind's end. False: none. */
static bool find_goal(const pd_session *session, uint64_t *tick) {
    uint64_t now = session->log ? pd_log_tick(session->log) : 0, from = now;
    uint64_t before = session->backwards.rewound_to;
    if (before > 0 && now >= before && now - before < SECOND) from = before;
    if (from == 0) return false;
    return pd_log_find_keyframe_before(session->log, (from - 1) / SECOND * SECOND + 1, tick) && *tick < now;
}

/* Ends a rewind: time continues from the present tick. method: method before the rewind; branches: removes later commands. */
static void end_rewind(pd_session *session, const pd_method_info *method, bool branches) {
    if (branches) pd_log_remove_future(session->log);
    session->backwards.rewound_to = pd_log_tick(session->log);
    pd_session_time_changed(session, method);
    pd_announce_value(session->announcer, "Rewound to", pd_world_time(session->world), "s");
}

void pd_session_rewind(pd_session *session) {
    const pd_method_info *method = pd_world_method(session->world);
    bool branches = will_branch(session);
    uint64_t tick;
    pd_error error;
    pd_second_close(session, "time goes back in one pane only");
    if (!find_goal(session, &tick))
        pd_announce(session->announcer, "Cannot rewind: no earlier state is stored");
    else if (pd_session_succeeded(session, pd_log_seek(session->log, session->world, tick, &error), &error))
        end_rewind(session, method, branches);
}

void pd_backwards_press(pd_session *session) {
    pd_backwards *backwards = &session->backwards;
    pd_error error;
    if (backwards->held) return;
    pd_seek_end(session);
    pd_second_close(session, "time goes back in one pane only");
    if (!session->log) {
        pd_session_rewind(session); /* announces why the log cannot go back */
        return;
    }
    if (!backwards->reverse &&
        !pd_session_succeeded(session, pd_reverse_create(&backwards->reverse, session->world, STATES, &error), &error))
        return;
    pd_reverse_free_states(backwards->reverse);
    backwards->held = true;
    backwards->runs = false;
    backwards->press_time = pd_now();
    backwards->owed_ticks = 0;
    backwards->branches = will_branch(session);
}

void pd_backwards_stop(pd_session *session) {
    pd_backwards *backwards = &session->backwards;
    if (!backwards->held) return;
    backwards->held = false;
    pd_reverse_free_states(backwards->reverse);
    if (backwards->runs) end_rewind(session, pd_world_method(session->world), backwards->branches);
}

void pd_backwards_release(pd_session *session) {
    bool tapped = session->backwards.held && !session->backwards.runs;
    pd_backwards_stop(session);
    if (tapped) pd_session_rewind(session);
}

void pd_backwards_free(pd_session *session) {
    pd_reverse_destroy(session->backwards.reverse);
    session->backwards = (pd_backwards){0};
}

/* Updates the picture's data after a move to another tick. before: method that ran at the former tick. */
static void show_state(pd_session *session, const pd_method_info *before) {
    if (pd_world_method(session->world) != before)
        pd_session_time_changed(session, before);
    else
        pd_session_read_gravity(session);
    session->pace.owed =
        session->pace.dt; /* a whole step is owed: the picture shows the present state, without interpolation */
}

void pd_backwards_advance(pd_session *session, double elapsed) {
    pd_backwards *backwards = &session->backwards;
    const pd_method_info *method = pd_world_method(session->world);
    double begun = pd_now();
    uint64_t gone = 0;
    if (begun - backwards->press_time >= TAP) {
        backwards->runs = true;
        backwards->owed_ticks =
            fmin(backwards->owed_ticks + fmin(elapsed, LONGEST_FRAME) / session->pace.dt, MOST_OWED);
        gone = pd_reverse_go_back(backwards->reverse, session->log, session->world, (uint64_t)backwards->owed_ticks);
        backwards->owed_ticks = fmax(backwards->owed_ticks - (double)gone, 0);
        if (gone > 0) show_state(session, method);
    }
    double left = session->pace.budget - (pd_now() - begun);
    int ready = pd_reverse_state_count(backwards->reverse), spare = ready < RESERVE;
    int states = backwards->runs && ready > 0 ? (int)gone + spare : SECOND;
    pd_reverse_compute_states(backwards->reverse, session->log, fmax(left, 0), states);
}

/* ---- Seeking ---- */

static const double SEEKING = 0.1; /* s: wall time of the steps that a seek makes before it draws the next picture */

void pd_seek_end(pd_session *session) { session->seek.active = session->seek.dragged = false; }

void pd_session_end_travel(pd_session *session) {
    pd_backwards_stop(session);
    pd_seek_end(session);
}

void pd_seek_begin_drag(pd_session *session) {
    pd_backwards_stop(session);
    pd_second_close(session, "the time line changes one pane only");
    session->seek.dragged = session->seek.active = true;
}

void pd_seek_end_drag(pd_session *session) { session->seek.dragged = false; }

static void seek_arrived(pd_session *session, const pd_method_info *method) {
    session->seek.active = false;
    pd_session_time_changed(session, method);
    if (!session->replays_log && !pd_session_is_replaying(session)) return;
    if (session->paused)
        pd_announce_value(session->announcer, "Time", (double)pd_log_tick(session->log) * session->pace.dt, "s");
}

void pd_seek_advance(pd_session *session) {
    pd_seek *seek = &session->seek;
    const pd_method_info *method = pd_world_method(session->world);
    pd_error error;
    pd_result result = PD_OK;
    bool done = false;
    pd_step_start_free(&session->step_start); /* the seek abandons the step under way */
    uint64_t keyframe = 0;
    if (seek->dragged) {
        pd_log_find_keyframe_before(session->log, seek->tick + 1, &keyframe);
        result = pd_log_seek(session->log, session->world, keyframe, &error); /* a keyframe's tick: no step is made */
    } else {
        result = pd_log_seek_part(session->log, session->world, seek->tick, SEEKING, &done, &error);
    }
    session->pace.owed = session->pace.dt; /* drawn without interpolation */
    if (!pd_session_succeeded(session, result, &error))
        pd_seek_end(session);
    else if (done)
        seek_arrived(session, method);
    else if (pd_world_method(session->world) != method)
        pd_session_notify_observer(session, PD_SESSION_METHOD);
}
