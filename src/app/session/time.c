/* Time of the session: steps, which may take several frames, and changes to another tick of the log by undo, redo, Backspace
 * and the time line. */
#include "app/session/session.h"

#include "core/timer.h"
#include <math.h>

/* ---- Steps ---- */

static const double QUIT_CHECK_INTERVAL = 0.05; /* wall time between two checks for quitting, s */

bool pd_session_is_stepping(const pd_session *session) {
    return pd_world_stepping(session->world) || pd_second_world_is_stepping(session);
}

double pd_session_chosen_speed(const pd_session *session) { return ldexp(1, session->speed_exponent); }

float pd_session_interpolation_weight(const pd_session *session) {
    return pd_session_is_stepping(session) ? 1 : pd_pace_interpolation_weight(&session->pace);
}

/* Announces the first difference between replay and log, and the end of the replay. is_last_step: of the log. */
static void announce_replayed_step(pd_session *session, bool is_last_step) {
    if (!session->diverged && pd_log_first_divergence(session->log) != PD_LOG_NEVER) {
        session->diverged = true;
        pd_announce(session->announcer, "Replay differs from the log from step %llu on",
                    (unsigned long long)pd_log_first_divergence(session->log));
    }
    if (!is_last_step) return;
    pd_session_apply_logged_commands(session); /* applies the log's commands after its last step */
    if (!session->replays_log) {
        pd_announce(session->announcer, "Back at the present: time continues");
        return;
    }
    session->paused = true;
    pd_announce(session->announcer, "End of the log%s (Space continues from here)",
                pd_log_was_refused_memory(session->log) ? ": memory was refused in the next step" : "");
}

static void process_completed_step(pd_session *session) {
    bool replays = pd_session_is_replaying(session);
    bool ends = replays && pd_log_tick(session->log) + 1 == pd_log_end_tick(session->log);
    pd_second_world_record_step(session);
    if (session->observer.stepped) session->observer.stepped(session->observer.context);
    pd_session_announce_failed_pouring(session);
    if (session->log) pd_log_end_step(session->log, session->world);
    pd_session_check_memory(session);
    if (replays) announce_replayed_step(session, ends);
}

bool pd_session_work_on_step(pd_session *session, double seconds) {
    if (!pd_second_world_work_on_step(session, &seconds)) return false;
    const pd_profile *profile = pd_world_profile(session->world);
    uint64_t before = profile->substeps;
    double begun = pd_now();
    if (!pd_world_stepping(session->world))
        pd_step_start_save(&session->step_start, session->world, session->pace.step_cost);
    bool complete = pd_world_step_part(session->world, seconds);
    int substeps = (int)(profile->substeps - before), total = pd_world_substeps(session->world);
    if (complete) process_completed_step(session);
    pd_pace_record_work(&session->pace, pd_now() - begun, substeps, total, complete);
    if (complete) pd_session_apply_slider(session);
    return complete;
}

/* Restores the state before the step under way if the program is about to quit, because completing a long step may take
 * minutes. False: the program does not quit, or no state was saved. */
static bool undo_step_if_quitting(pd_session *session) {
    bool quitting = session->observer.quitting && session->observer.quitting(session->observer.context);
    if (!quitting) return false;
    if (pd_world_stepping(session->world) && !pd_step_start_restore(&session->step_start, session->world)) return false;
    pd_second_world_destroy(session); /* the second world is within the undone step, or has completed it */
    pd_session_notify_observer(session, PD_SESSION_STEP_UNDONE);
    pd_session_apply_slider(session);
    return true;
}

void pd_session_finish_step(pd_session *session) {
    while (pd_session_is_stepping(session) && !undo_step_if_quitting(session))
        pd_session_work_on_step(session, QUIT_CHECK_INTERVAL);
}

/* ---- The clock ---- */

static bool begins_scene(pd_command_kind kind) {
    return kind == PD_COMMAND_RESET || kind == PD_COMMAND_RESTART || kind == PD_COMMAND_PARTICLES ||
           kind == PD_COMMAND_SCENE;
}

/* Returns the simulated time that the scene which a command began has first, s. */
static double find_begin_time(const pd_session *session, int command) {
    bool restores = command < 0 || pd_log_command(session->log, command, NULL)->kind == PD_COMMAND_RESTART;
    for (int i = command; restores && i >= 0; i--)
        restores = pd_log_command(session->log, i, NULL)->kind != PD_COMMAND_SCENE;
    return restores ? session->first_time : 0;
}

pd_scene_ticks pd_session_find_scene_ticks(const pd_session *session, uint64_t tick) {
    uint64_t now = pd_log_tick(session->log), last = pd_log_end_tick(session->log);
    pd_scene_ticks scene = {.end = last, .command = pd_log_commands(session->log) - 1};
    for (; scene.command >= 0; scene.command--) {
        uint64_t begin;
        if (!begins_scene(pd_log_command(session->log, scene.command, &begin)->kind)) continue;
        if (begin <= tick) {
            scene.begin = begin;
            break;
        }
        scene.end = begin;
    }
    /* at the first tick of a scene the world may show the scene before */
    if (now > scene.begin && (now < scene.end || scene.end == last))
        scene.begin_time = pd_world_time(session->world) - (double)(now - scene.begin) * session->pace.dt;
    else
        scene.begin_time = find_begin_time(session, scene.command);
    return scene;
}

double pd_session_time_of_tick(const pd_session *session, const pd_scene_ticks *scene, uint64_t tick) {
    return scene->begin_time + (double)(tick - scene->begin) * session->pace.dt;
}

/* ---- The log ---- */

void pd_session_handle_time_change(pd_session *session, const pd_method_info *former_method) {
    if (pd_world_method(session->world) != former_method) pd_session_handle_method_change(session);
    pd_session_refresh_state(session);
    /* The observer ends the mouse press. The world's tool is part of the restored state, and the next step sets another one. */
    pd_session_notify_observer(session, PD_SESSION_TIME);
}

/* Undoes or redoes an act by the given function of the log. Announces the error, or `message` with the world's time. Closes the
 * second pane for close_reason. */
static void undo_or_redo_act(pd_session *session, pd_result (*undo_or_redo)(pd_log *, pd_world *, pd_error *),
                             const char *message, const char *close_reason) {
    const pd_method_info *method = pd_world_method(session->world);
    pd_error error;
    if (!pd_session_check_result(session, undo_or_redo(session->log, session->world, &error), &error)) return;
    pd_session_handle_time_change(session, method);
    char text[32];
    pd_announce(session->announcer, "%s %s)", message,
                pd_app_format_time(pd_world_time(session->world), text, sizeof text));
    pd_second_world_close(session, close_reason);
}

/* Longest expected wall time of an undo, s. An undo repeats all steps since a keyframe. A longer undo is refused with a
 * message. */
static const double LONGEST_UNDO = 5;

void pd_session_undo(pd_session *session) {
    uint64_t steps;
    pd_session_finish_step(session);
    if (!session->log || !pd_log_can_undo(session->log, &steps))
        pd_announce(session->announcer, "Nothing to undo");
    else if ((double)steps * session->pace.step_cost > LONGEST_UNDO)
        pd_announce(session->announcer, "Cannot undo: %llu steps take over %.0f s (use the time line)",
                    (unsigned long long)steps, LONGEST_UNDO);
    else
        undo_or_redo_act(session, pd_log_undo, "Undone (back to", "undo changes one pane only");
}

void pd_session_redo(pd_session *session) {
    pd_session_finish_step(session);
    if (!session->log || !pd_log_can_redo(session->log))
        pd_announce(session->announcer, "Nothing to redo");
    else
        undo_or_redo_act(session, pd_log_redo, "Redone (forward to", "redo changes one pane only");
}

/* ---- Backspace ----
 *
 * A tap goes back a second at most. Holding the key runs time backwards. Both remove the commands after the reached tick
 * (pd_log_remove_future), unless a log is replayed.
 *
 * While the key is down, pd_reverse computes the states before the present tick, within the budget of a frame. If that is too
 * slow, time goes back in larger jumps. */

static const double HOLD_TIME = 0.25;     /* shortest press that runs time backwards, s of wall time */
static const double LONGEST_FRAME = 0.25; /* largest wall time that counts for a frame, s */
static const double MAX_OWED_TICKS = 90;  /* greatest pd_backwards.owed_ticks; ticks above are dropped */
enum {
    STATE_BYTES = 64 << 20, /* memory for states computed in advance, bytes */
    RESERVE_STATES = 40,    /* states to compute in advance: more than the ticks between two keyframes */
    TICKS_PER_SECOND = 60,  /* at the usual time step of 1/60 s */
};

/* Returns whether a rewind removes the later commands from the log. During a replay the commands stay. */
static bool rewind_removes_commands(const pd_session *session) {
    return !session->replays_log && !pd_session_is_replaying(session);
}

/* Finds the tick to which a tap goes back: the last keyframe at or before the last whole second. Less than a second after the
 * tick of the last rewind, the whole second before the last rewind counts, so that repeated taps go further back. False: no
 * keyframe. */
static bool find_rewind_tick(const pd_session *session, uint64_t *tick) {
    uint64_t now = session->log ? pd_log_tick(session->log) : 0, from = now;
    uint64_t before = session->backwards.rewound_to;
    if (before > 0 && now >= before && now - before < TICKS_PER_SECOND) from = before;
    if (from == 0) return false;
    return pd_log_find_keyframe_before(session->log, (from - 1) / TICKS_PER_SECOND * TICKS_PER_SECOND + 1, tick) &&
           *tick < now;
}

/* Ends a rewind at the present tick. former_method: method before the rewind; removes_commands: removes the later commands. */
static void end_rewind(pd_session *session, const pd_method_info *former_method, bool removes_commands) {
    if (removes_commands) pd_log_remove_future(session->log);
    session->backwards.rewound_to = pd_log_tick(session->log);
    pd_session_handle_time_change(session, former_method);
    pd_announce_time(session->announcer, "Rewound to", pd_world_time(session->world));
}

void pd_session_rewind(pd_session *session) {
    const pd_method_info *method = pd_world_method(session->world);
    bool branches = rewind_removes_commands(session);
    uint64_t tick;
    pd_error error;
    pd_second_world_close(session, "time goes back in one pane only");
    if (!find_rewind_tick(session, &tick))
        pd_announce(session->announcer, "Cannot rewind: time begins here");
    else if (pd_session_check_result(session, pd_log_seek(session->log, session->world, tick, &error), &error))
        end_rewind(session, method, branches);
}

void pd_backwards_press_key(pd_session *session) {
    pd_backwards *backwards = &session->backwards;
    pd_error error;
    if (backwards->held) return;
    pd_seek_end(session);
    pd_second_world_close(session, "time goes back in one pane only");
    if (!session->log) {
        pd_session_rewind(session); /* announces that no earlier state is stored */
        return;
    }
    if (!backwards->reverse &&
        !pd_session_check_result(session, pd_reverse_create(&backwards->reverse, session->world, STATE_BYTES, &error),
                                 &error))
        return;
    pd_reverse_free_states(backwards->reverse);
    backwards->held = true;
    backwards->runs = false;
    backwards->press_time = pd_now();
    backwards->owed_ticks = 0;
    backwards->branches = rewind_removes_commands(session);
}

void pd_backwards_stop(pd_session *session) {
    pd_backwards *backwards = &session->backwards;
    if (!backwards->held) return;
    backwards->held = false;
    pd_reverse_free_states(backwards->reverse);
    if (backwards->runs) end_rewind(session, pd_world_method(session->world), backwards->branches);
}

void pd_backwards_release_key(pd_session *session) {
    bool tapped = session->backwards.held && !session->backwards.runs;
    pd_backwards_stop(session);
    if (tapped) pd_session_rewind(session);
}

void pd_backwards_free(pd_session *session) {
    pd_reverse_destroy(session->backwards.reverse);
    session->backwards = (pd_backwards){0};
}

/* Updates the session after time has run backwards in this frame. former_method: method before. */
static void refresh_after_move(pd_session *session, const pd_method_info *former_method) {
    if (pd_world_method(session->world) != former_method)
        pd_session_handle_time_change(session, former_method);
    else
        pd_session_update_gravity_dial(session);
    session->pace.owed = session->pace.dt; /* sets the interpolation weight to 1 */
}

void pd_backwards_advance(pd_session *session, double elapsed) {
    pd_backwards *backwards = &session->backwards;
    const pd_method_info *method = pd_world_method(session->world);
    double begun = pd_now();
    uint64_t gone = 0;
    if (begun - backwards->press_time >= HOLD_TIME) {
        backwards->runs = true;
        backwards->owed_ticks =
            fmin(backwards->owed_ticks + fmin(elapsed, LONGEST_FRAME) / session->pace.dt, MAX_OWED_TICKS);
        gone = pd_reverse_go_back(backwards->reverse, session->log, session->world, (uint64_t)backwards->owed_ticks);
        backwards->owed_ticks = fmax(backwards->owed_ticks - (double)gone, 0);
        if (gone > 0) refresh_after_move(session, method);
    }
    double left = session->pace.budget - (pd_now() - begun);
    int ready = pd_reverse_state_count(backwards->reverse), spare = ready < RESERVE_STATES;
    int states = backwards->runs && ready > 0 ? (int)gone + spare : TICKS_PER_SECOND;
    pd_reverse_compute_states(backwards->reverse, session->log, fmax(left, 0), states);
}

/* ---- Seeking ---- */

static const double SEEK_TIME = 0.1; /* wall time of the steps that a seek makes per frame, s */

void pd_seek_end(pd_session *session) {
    session->seek.active = session->seek.dragged = session->seek.continues = false;
}

void pd_session_end_seek_and_rewind(pd_session *session) {
    pd_backwards_stop(session);
    pd_seek_end(session);
}

void pd_seek_begin_drag(pd_session *session) {
    pd_backwards_stop(session);
    pd_second_world_close(session, "the time line changes one pane only");
    session->seek.dragged = session->seek.active = true;
    session->seek.tick = pd_log_tick(session->log);
}

void pd_seek_end_drag(pd_session *session) { session->seek.dragged = false; }

static void end_reached_seek(pd_session *session, const pd_method_info *former_method) {
    session->seek.active = false;
    if (!pd_session_is_replaying(session)) pd_session_apply_logged_commands(session); /* commands after the last step */
    pd_session_handle_time_change(session, former_method);
    bool shows_log = session->replays_log || pd_session_is_replaying(session);
    if (session->seek.continues || (shows_log && session->paused))
        pd_announce_time(session->announcer, session->seek.continues ? "Continued at" : "Time",
                         pd_world_time(session->world));
    session->seek.continues = false;
}

/* Goes to the last keyframe before the goal of a drag, so no step is made. A keyframe of an earlier scene is not shown. */
static pd_result show_keyframe(pd_session *session, const pd_scene_ticks *scene, pd_error *error) {
    uint64_t keyframe = 0;
    pd_log_find_keyframe_before(session->log, session->seek.tick + 1, &keyframe);
    bool shown = keyframe == pd_log_tick(session->log) && !pd_world_stepping(session->world);
    if (shown || keyframe < scene->begin) return PD_OK;
    pd_result result = pd_log_seek(session->log, session->world, keyframe, error);
    if (!result && scene->command >= 0 && keyframe == scene->begin) pd_session_apply_logged_commands(session);
    return result;
}

void pd_seek_advance(pd_session *session) {
    pd_seek *seek = &session->seek;
    pd_scene_ticks scene = pd_session_find_scene_ticks(session, seek->tick);
    const pd_method_info *method = pd_world_method(session->world);
    pd_error error;
    pd_result result = PD_OK;
    bool done = false;
    pd_step_start_free(&session->step_start); /* the seek drops the step under way, so its start is not needed */
    if (seek->dragged)
        result = show_keyframe(session, &scene, &error);
    else
        result = pd_log_seek_part(session->log, session->world, seek->tick, SEEK_TIME, &done, &error);
    /* The state of a tick is that before its commands. The first state of a scene comes after the command that begins it. */
    if (done && scene.command >= 0 && seek->tick == scene.begin) pd_session_apply_logged_commands(session);
    session->pace.owed = session->pace.dt; /* sets the interpolation weight to 1 */
    if (!pd_session_check_result(session, result, &error))
        pd_seek_end(session);
    else if (done)
        end_reached_seek(session, method);
    else if (pd_world_method(session->world) != method)
        pd_session_notify_observer(session, PD_SESSION_METHOD);
}
