/* Comparison side by side: a second world with the same start and input under another method.
 *
 * The second world completes each step before the first world does, so that commands apply to both at the same step. Log,
 * snapshots and undo belong to the first world. To keep the second world, the first world gets its state by a command. An undo, a rewind, a seek or an opened file destroys the second world. Opening
 * an image or an empty container restarts both worlds with the new scene. */
#include "app/session/session.h"
#include "app/tables/controls.h"

#include "core/error.h"
#include "core/text.h"
#include "core/timer.h"
#include <math.h>
#include <stdio.h>

static void reset_trace(pd_trace *trace) { *trace = (pd_trace){.stride = 1}; }

void pd_second_world_destroy(pd_session *session) {
    pd_second_world *second = &session->second;
    pd_world_destroy(second->world);
    *second = (pd_second_world){0};
}

/* Destroys the second world. The event PD_SESSION_TIME ends the mouse press, because the pane below the pointer changes. */
static void end_comparison(pd_session *session) {
    pd_second_world_destroy(session);
    pd_pace_restart(&session->pace);
    pd_session_notify_observer(session, PD_SESSION_STATE);
    pd_session_notify_observer(session, PD_SESSION_TIME);
}

/* Returns whether the second world has completed a step that the first world has not. */
static bool is_second_world_ahead(const pd_session *session) {
    return pd_world_steps(session->second.world) > pd_world_steps(session->world);
}

bool pd_second_world_is_stepping(const pd_session *session) {
    return session->second.world && (is_second_world_ahead(session) || pd_world_stepping(session->second.world));
}

void pd_second_world_close(pd_session *session, const char *reason) {
    if (!session->second.world) return;
    end_comparison(session);
    pd_announce(session->announcer, "Second pane closed: %s", reason);
}

/* ---- Opening and closing ---- */

static pd_result create_second_world(pd_session *session, const pd_method_info *method, pd_world **world,
                                     pd_error *error) {
    pd_scene scene;
    *world = NULL;
    pd_result result = pd_scene_copy(&scene, pd_world_scene(session->world), error);
    if (result != PD_OK) return result;
    snprintf(scene.method, sizeof scene.method, "%s", method->name);
    pd_world_def def = pd_world_def_default();
    def.scene = &scene;
    def.threads = pd_world_threads(session->world);
    result = pd_world_create(world, &def, error);
    pd_scene_free(&scene);
    return result;
}

static void announce_both_methods(pd_session *session) {
    const pd_method_info *first = pd_world_method(session->world), *second = pd_world_method(session->second.world);
    char printed[640], brief[160], warnings[480] = "";
    int count = pd_session_append_warnings(session->second.world, warnings, sizeof warnings);
    snprintf(brief, sizeof brief, "Side by side from the beginning: %s, %s (Ctrl+Z goes back)", first->name,
             second->name);
    if (count > 0)
        pd_text_append(brief, sizeof brief, "; %s has %d warning%s (see the panel)", second->name, count,
                       count == 1 ? "" : "s");
    snprintf(printed, sizeof printed, "Side by side from the beginning: %s, %s (Ctrl+Z goes back)%s%s", first->title,
             second->title, *warnings ? "; " : "", warnings);
    pd_announce_brief(session->announcer, brief, printed);
}

/* Creates the second world from the first world's scene and values, and resets the first world. */
static void begin_comparison(pd_session *session, const pd_method_info *method) {
    pd_error error;
    pd_world *world;
    pd_session_finish_step(session);
    if (!pd_session_check_result(session, create_second_world(session, method, &world, &error), &error)) return;
    pd_second_world_destroy(session);
    pd_session_try_command(session, &(pd_command){.kind = PD_COMMAND_RESET}, NULL); /* cannot fail */
    session->second.world = world;
    reset_trace(&session->second.trace);
    pd_session_refresh_state(session);
    pd_session_notify_observer(session, PD_SESSION_TIME); /* ends the mouse press, because the panes change */
    announce_both_methods(session);
}

void pd_session_compare_with_method(pd_session *session, const pd_method_info *method) {
    const pd_second_world *second = &session->second;
    if (second->world && method == pd_world_method(second->world)) {
        end_comparison(session);
        pd_announce(session->announcer, "Second pane closed: %s continues", pd_world_method(session->world)->title);
    } else if (method == pd_world_method(session->world)) {
        pd_announce(session->announcer, "%s already runs (select another method)", method->title);
    } else {
        begin_comparison(session, method);
    }
}

void pd_session_promote_second_world(pd_session *session) {
    pd_second_world *second = &session->second;
    if (!second->world) {
        pd_announce(session->announcer, "No second pane is open: Ctrl+1 to %c opens one",
                    pd_controls_last_method_key());
        return;
    }
    pd_session_finish_step(session);
    if (!second->world)
        return; /* finishing the step destroyed the second world: a command failed, or the program is about to quit */
    pd_error error;
    pd_command state;
    if (!pd_session_check_result(session, pd_command_state(&state, second->world, &error), &error)) return;
    bool kept = pd_session_apply_command(session, &state);
    pd_command_free(&state);
    if (!kept) return;
    if (session->log) pd_log_join_last_acts(session->log); /* one undo also undoes the act before */
    pd_second_world_destroy(session);
    pd_session_notify_observer(session, PD_SESSION_KEPT);
    pd_session_notify_observer(session, PD_SESSION_METHOD);
    pd_session_refresh_state(session);
    pd_session_notify_observer(session, PD_SESSION_TIME); /* ends the mouse press, because the panes change */
    pd_announce(session->announcer, "First pane closed: %s continues (Ctrl+Z goes back)",
                pd_world_method(session->world)->title);
}

/* ---- The same input ---- */

static void close_second_world_after_error(pd_session *session, const pd_error *error) {
    char why[sizeof error->message + 32];
    snprintf(why, sizeof why, "%s failed: %s", pd_world_method(session->second.world)->title, error->message);
    pd_second_world_close(session, why);
}

/* Replaces the second world by a new one with the first world's scene. The method of the second world stays. */
static void restart_second_world(pd_session *session) {
    pd_second_world *second = &session->second;
    pd_error error;
    pd_world *world;
    if (create_second_world(session, pd_world_method(second->world), &world, &error) != PD_OK) {
        close_second_world_after_error(session, &error);
        return;
    }
    pd_second_world_destroy(session);
    second->world = world;
    reset_trace(&second->trace);
}

void pd_second_world_apply_command(pd_session *session, const pd_command *command) {
    pd_second_world *second = &session->second;
    pd_error error;
    /* The second world keeps its method when the first world changes its own. A state is the second world's. */
    if (!second->world || command->kind == PD_COMMAND_METHOD || command->kind == PD_COMMAND_STATE) return;
    if (command->kind == PD_COMMAND_SCENE ||
        (command->kind == PD_COMMAND_RESTART && pd_world_steps(session->world) == 0)) {
        restart_second_world(session);
        return;
    }
    if (command->kind == PD_COMMAND_RESTART) {
        pd_second_world_close(session, "the opened scene does not begin at step 0");
        return;
    }
    if (command->kind == PD_COMMAND_RESET || command->kind == PD_COMMAND_PARTICLES) reset_trace(&second->trace);
    if (pd_world_apply(second->world, command, &error) != PD_OK) close_second_world_after_error(session, &error);
}

bool pd_second_world_work_on_step(pd_session *session, double *seconds) {
    pd_world *second = session->second.world;
    if (!second || is_second_world_ahead(session)) return true;
    double begun = pd_now();
    bool complete = pd_world_step_part(second, *seconds);
    double spent = pd_now() - begun;
    pd_pace_record_work(&session->pace, spent, 0, 1, false);
    *seconds -= spent;
    return complete && *seconds > 0;
}

/* ---- Measures ---- */

static void read_measures(const pd_world *world, double values[PD_MEASURES]) {
    pd_statistics statistics;
    pd_world_statistics(world, &statistics);
    values[PD_MEASURE_ENERGY] = statistics.kinetic_energy;
    values[PD_MEASURE_DENSITY] = 100 * statistics.density_error;
    values[PD_MEASURE_COST] = statistics.step_ms;
}

/* Replaces each pair of adjacent points by its mean. */
static void merge_pairs_of_points(pd_trace *trace) {
    for (int m = 0; m < PD_MEASURES; m++)
        for (int w = 0; w < 2; w++) {
            float *value = trace->value[m][w];
            for (int i = 0; i < PD_TRACE_POINTS / 2; i++) value[i] = 0.5f * (value[2 * i] + value[2 * i + 1]);
        }
    trace->count /= 2;
    trace->stride *= 2;
}

static void add_step_to_trace(pd_trace *trace, const pd_world *const worlds[2]) {
    for (int w = 0; w < 2; w++) {
        double values[PD_MEASURES];
        read_measures(worlds[w], values);
        for (int m = 0; m < PD_MEASURES; m++) trace->sum[m][w] += values[m];
    }
    if (++trace->steps < trace->stride) return;
    for (int m = 0; m < PD_MEASURES; m++)
        for (int w = 0; w < 2; w++) {
            trace->value[m][w][trace->count] = (float)(trace->sum[m][w] / trace->stride);
            trace->sum[m][w] = 0;
        }
    trace->steps = 0;
    if (++trace->count == PD_TRACE_POINTS) merge_pairs_of_points(trace);
}

void pd_second_world_record_step(pd_session *session) {
    pd_second_world *second = &session->second;
    if (second->world) add_step_to_trace(&second->trace, (const pd_world *const[]){session->world, second->world});
}
