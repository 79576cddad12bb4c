/* Commands (puddle/command.h), steps and the log of the session's world. The session changes its world only by functions of this
 * file, so that the log is complete.
 *
 * A long step takes several frames. A command completes the step first. Only the newest value of a slider waits for the end of
 * the step, so that the window answers while a slider is dragged.
 *
 * The second world completes each step before the first world does, so that commands apply to both at the same step. Log,
 * snapshots and undo belong to the first world. To keep the second world, the first world gets its state by a command. An undo,
 * a rewind, a seek or an opened file destroys the second world. An image or an empty container restarts both worlds. */
#include "app/session/timeline.h"

#include "app/tables/tools.h"
#include "core/error.h"
#include "core/text.h"
#include "core/timer.h"
#include "scene/edit.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

void pd_session_notify_observer(pd_session *session, pd_session_event event) {
    if (session->observer.changed) session->observer.changed(session->observer.context, event);
}

bool pd_session_check_result(pd_session *session, pd_result result, const pd_error *error) {
    if (result != PD_OK) pd_announce_error(session->announcer, error);
    return result == PD_OK;
}

/* Updates session->gravity from the world's gravity. */
static void update_gravity_dial(pd_session *session) {
    pd_gravity_dial *dial = &session->gravity;
    pd_vec2 gravity = pd_world_gravity(session->world);
    float strength = hypotf(gravity.x, gravity.y);
    dial->on = strength > 0;
    if (dial->on) {
        dial->strength = strength;
        dial->angle = atan2f(gravity.x, -gravity.y) * 57.29578f;
    }
    if (dial->notch > 0) return;
    if (!dial->on) {
        pd_scene defaults;
        pd_scene_init(&defaults);
        dial->strength = hypotf(defaults.gravity.x, defaults.gravity.y);
        pd_scene_free(&defaults);
        dial->angle = 0;
    }
    dial->notch = dial->strength / 10;
}

void pd_session_refresh_state(pd_session *session) {
    double dt = (double)pd_world_scene(session->world)->dt;
    session->slider_waits = false; /* set within a step that the new state has dropped */
    update_gravity_dial(session);
    if (session->pace.dt != dt) pd_pace_init(&session->pace, dt);
    pd_pace_restart(&session->pace);
    pd_session_notify_observer(session, PD_SESSION_STATE);
}

/* ---- Comparison ---- */

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

static bool is_second_world_stepping(const pd_session *session) {
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

static void apply_command_to_second_world(pd_session *session, const pd_command *command) {
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

static bool work_on_second_step(pd_session *session, double *seconds) {
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
        pd_statistics statistics;
        pd_world_statistics(worlds[w], &statistics);
        values[PD_MEASURE_ENERGY] = statistics.kinetic_energy;
        values[PD_MEASURE_DENSITY] = 100 * statistics.density_error;
        values[PD_MEASURE_COST] = statistics.step_ms;
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

/* ---- Commands ---- */

/* Records a command in the log, which removes the later ticks of the log. */
static pd_result record_command(pd_session *session, const pd_command *command, pd_error *error) {
    int commands = pd_log_commands(session->log);
    uint64_t end = pd_log_end_tick(session->log), now;
    pd_result result = pd_log_do(session->log, session->world, command, error);
    now = pd_log_end_tick(session->log);
    if (pd_log_commands(session->log) != commands || now != end) session->replays_log = false;
    if (now < end)
        pd_announce(session->announcer, "The later %.1f s are removed", (double)(end - now) * session->pace.dt);
    return result;
}

pd_result pd_session_try_command(pd_session *session, const pd_command *command, pd_error *error) {
    pd_session_finish_step(session);
    pd_result result =
        session->log ? record_command(session, command, error) : pd_world_apply(session->world, command, error);
    if (result == PD_OK) apply_command_to_second_world(session, command);
    return result;
}

bool pd_session_apply_command(pd_session *session, const pd_command *command) {
    pd_error error;
    return pd_session_check_result(session, pd_session_try_command(session, command, &error), &error);
}

void pd_session_set_tool(pd_session *session, const pd_tool *tool) {
    pd_session_try_command(session, &(pd_command){PD_COMMAND_TOOL, .is.tool = *tool}, NULL);
}

bool pd_session_is_replaying(const pd_session *session) {
    return session->log && pd_log_tick(session->log) < pd_log_end_tick(session->log);
}

void pd_session_apply_logged_commands(pd_session *session) {
    const pd_method_info *before = pd_world_method(session->world);
    bool begun = pd_log_replay_commands(session->log, session->world);
    if (begun || pd_world_method(session->world) != before) {
        pd_session_notify_observer(session, PD_SESSION_METHOD);
        pd_session_refresh_state(session);
    } else {
        update_gravity_dial(session);
    }
}

/* Writes the full key of a parameter of the running method: "ddr.stiffness". Returns key. */
static char *write_full_key(const pd_session *session, int index, char *key) {
    return pd_method_parameter_key(pd_world_method(session->world), index, key, PD_MAX_KEY);
}

/* Returns the command that sets a parameter. value: NAN to restore the default. */
static pd_command make_parameter_command(const pd_session *session, int index, float value) {
    pd_command command = {.kind = PD_COMMAND_PARAMETER};
    write_full_key(session, index, command.is.parameter.key);
    command.is.parameter.value = value;
    return command;
}

/* Returns whether two commands of sliders set the same value. */
static bool sets_same_value(const pd_command *a, const pd_command *b) {
    if (a->kind != b->kind) return false;
    if (a->kind == PD_COMMAND_PARAMETER) return strcmp(a->is.parameter.key, b->is.parameter.key) == 0;
    return a->kind == PD_COMMAND_GRAVITY ||
           (a->is.property.material == b->is.property.material && a->is.property.property == b->is.property.property);
}

float pd_session_parameter_value(const pd_session *session, int index, float *default_value) {
    pd_command set = make_parameter_command(session, index, NAN);
    const char *key = set.is.parameter.key;
    float standard = 0, value = pd_scene_setting_value(pd_world_scene(session->world), key);
    if (session->slider_waits && sets_same_value(&session->slider, &set)) value = session->slider.is.parameter.value;
    pd_world_parameter_default(session->world, key, &standard, NULL);
    if (default_value) *default_value = standard;
    return isnan(value) ? standard : value;
}

/* Returns the index of a parameter by its full key. -1: the parameter belongs to another method than the running one. */
static int find_parameter_index(const pd_session *session, const char *key) {
    int method, index;
    bool found = pd_parameter_find(key, &method, &index, NULL) == PD_OK;
    return found && pd_method_at(method) == pd_world_method(session->world) ? index : -1;
}

static bool command_rebuilds_method(const pd_session *session, const pd_command *command) {
    if (command->kind != PD_COMMAND_PARAMETER) return false;
    int index = find_parameter_index(session, command->is.parameter.key);
    return index >= 0 && pd_method_parameter_at(pd_world_method(session->world), index)->rebuilds;
}

static void apply_slider(pd_session *session) {
    pd_error error;
    const pd_command *command = &session->slider;
    if (!session->slider_waits) return;
    session->slider_waits = false;
    pd_result result = pd_session_try_command(session, command, &error);
    if (result != PD_OK && error.code != PD_ERROR_PARAMETER_VALUE) pd_announce_error(session->announcer, &error);
    if (result == PD_OK && command_rebuilds_method(session, command)) pd_session_announce_warnings(session, "");
}

/* Sets the value of a slider, within a step when the step is complete. A value that the world refuses has no effect, and the
 * refusal is not announced. */
static void set_slider(pd_session *session, const pd_command *command) {
    if (session->slider_waits && !sets_same_value(&session->slider, command)) pd_session_finish_step(session);
    session->slider = *command;
    session->slider_waits = true;
    if (!pd_session_is_stepping(session)) apply_slider(session);
}

void pd_session_set_gravity(pd_session *session, pd_vec2 gravity) {
    set_slider(session, &(pd_command){PD_COMMAND_GRAVITY, .is.gravity = gravity});
}

void pd_session_set_parameter(pd_session *session, int index, float value) {
    const pd_parameter *parameter = pd_method_parameter_at(pd_world_method(session->world), index);
    pd_error error;
    if (!pd_session_check_result(session, pd_parameter_check(parameter, value, &error), &error)) return;
    pd_announce_parameter(session->announcer, parameter, "", value);
    pd_command command = make_parameter_command(session, index, value);
    set_slider(session, &command);
}

void pd_session_reset_parameter(pd_session *session, int index) {
    const pd_parameter *parameter = pd_method_parameter_at(pd_world_method(session->world), index);
    float standard, before = pd_session_parameter_value(session, index, &standard);
    if (before != standard) pd_announce_parameter(session->announcer, parameter, "", standard);
    pd_command command = make_parameter_command(session, index, NAN);
    set_slider(session, &command);
}

const pd_parameter *pd_session_property_parameter(const pd_session *session, pd_property property, float *shared_value,
                                                  float *default_value) {
    const pd_property_info *info = pd_property_at((int)property);
    int own = pd_method_parameter_of_property(pd_world_method(session->world), (int)property);
    if (!(pd_world_method(session->world)->features & info->feature)) return NULL;
    if (own >= 0)
        *shared_value = pd_session_parameter_value(session, own, default_value);
    else
        *shared_value = *default_value = pd_world_property_default(session->world, property);
    return info->parameter;
}

float pd_session_property_value(const pd_session *session, int material, pd_property property, bool *has_own_value) {
    float value = pd_world_scene(session->world)->materials[material].property[property];
    pd_command set = {PD_COMMAND_PROPERTY, .is.property = {material, property, NAN}};
    if (session->slider_waits && sets_same_value(&session->slider, &set)) value = session->slider.is.property.value;
    *has_own_value = !isnan(value);
    float shared = NAN, standard;
    pd_session_property_parameter(session, property, &shared, &standard);
    return *has_own_value ? value : shared;
}

void pd_session_set_property(pd_session *session, int material, pd_property property, float value) {
    float shared, standard;
    const pd_parameter *parameter = pd_session_property_parameter(session, property, &shared, &standard);
    pd_error error;
    bool own;
    if (!parameter) return;
    if (!isnan(value) && !pd_session_check_result(session, pd_parameter_check(parameter, value, &error), &error))
        return;
    set_slider(session, &(pd_command){PD_COMMAND_PROPERTY, .is.property = {material, property, value}});
    pd_announce_parameter(session->announcer, parameter, pd_world_scene(session->world)->materials[material].name,
                          pd_session_property_value(session, material, property, &own));
}

/* ---- Edits of the scene ---- */

bool pd_session_begin_edit(pd_session *session, pd_scene *copy) {
    pd_error error;
    pd_session_finish_step(session);
    return pd_session_check_result(session, pd_scene_copy(copy, pd_world_scene(session->world), &error), &error);
}

bool pd_session_end_edit(pd_session *session, pd_scene *copy, pd_result result, const pd_error *error) {
    pd_error refused;
    pd_command command;
    bool done = pd_session_check_result(session, result, error) &&
                pd_session_check_result(
                    session, pd_command_edit(&command, pd_world_scene(session->world), copy, &refused), &refused);
    if (done) {
        done = pd_session_apply_command(session, &command);
        pd_command_free(&command);
    }
    pd_scene_free(copy);
    return done;
}

/* ---- Gravity ---- */

static pd_vec2 compute_gravity_vector(const pd_gravity_dial *dial) {
    float strength = dial->on ? dial->strength : 0, angle = dial->angle / 57.29578f;
    return (pd_vec2){strength * sinf(angle), -strength * cosf(angle)};
}

void pd_session_apply_gravity_dial(pd_session *session) {
    const pd_gravity_dial *dial = &session->gravity;
    if (dial->on)
        pd_announce_value(session->announcer, "Gravity", (double)dial->strength, "m/s²");
    else
        pd_announce_word(session->announcer, "Gravity", "off");
    pd_session_set_gravity(session, compute_gravity_vector(dial));
}

/* ---- Warnings ---- */

int pd_session_append_warnings(const pd_world *world, char *text, size_t size) {
    char line[256];
    int count = 0;
    for (; pd_world_write_warning(world, count, line, sizeof line); count++)
        pd_text_append(text, size, "%s%s", *text ? "; " : "", line);
    return count;
}

void pd_session_announce_warnings(pd_session *session, const char *first_sentence) {
    char text[480], brief[256];
    snprintf(text, sizeof text, "%s", first_sentence);
    int count = pd_session_append_warnings(session->world, text, sizeof text);
    if (!*text) return;
    snprintf(brief, sizeof brief, "%.160s%s%d warning%s about the scene (see the panel)", first_sentence,
             *first_sentence ? "; " : "", count, count == 1 ? "" : "s");
    bool few = count + (*first_sentence != '\0') < 2;
    pd_announce_brief(session->announcer, few ? text : brief, text);
}

/* Returns the greatest shared value of a property in all methods: the value of materials without an own value. */
static float find_greatest_parameter(const pd_world *world, pd_property property) {
    float greatest = 0, value;
    char key[PD_MAX_KEY];
    for (int m = 0; m < pd_method_count(); m++) {
        int index = pd_method_parameter_of_property(pd_method_at(m), (int)property);
        if (index < 0) continue;
        pd_world_parameter(world, pd_method_parameter_key(pd_method_at(m), index, key, sizeof key), &value, NULL);
        greatest = fmaxf(greatest, value);
    }
    return greatest;
}

/* Returns whether the scene sets a property, for a material or by a parameter of any method, which has no effect under the
 * running method. */
static bool is_property_ignored(const pd_world *world, pd_property property) {
    const pd_scene *scene = pd_world_scene(world);
    const float shared = find_greatest_parameter(world, property);
    const bool supported = pd_world_method(world)->features & pd_property_at((int)property)->feature;
    bool had = false;
    for (int m = 0; m < scene->material_count; m++) {
        float own = scene->materials[m].property[property];
        if (supported && pd_world_property(world, m, property) > 0) return false;
        if ((isnan(own) ? shared : own) > 0) had = true;
    }
    return had;
}

static void handle_method_change(pd_session *session) {
    const pd_method_info *method = pd_world_method(session->world);
    char text[160] = "";
    pd_session_notify_observer(session, PD_SESSION_METHOD);
    bool soft = is_property_ignored(session->world, PD_ELASTICITY),
         sticky = is_property_ignored(session->world, PD_STICKINESS);
    const char *what = soft && sticky ? "elasticity and stickiness" : soft ? "elasticity" : "stickiness";
    if (soft || sticky)
        snprintf(text, sizeof text, "Method: %s (ignores %s)", method->title, what);
    else
        pd_announce_word(session->announcer, "Method", method->title);
    pd_session_announce_warnings(session, text);
}

void pd_session_set_method(pd_session *session, const pd_method_info *method) {
    if (method == pd_world_method(session->world)) {
        pd_announce_word(session->announcer, "Method", method->title);
        return;
    }
    pd_command command = {.kind = PD_COMMAND_METHOD};
    snprintf(command.is.method, sizeof command.is.method, "%s", method->name);
    if (!pd_session_apply_command(session, &command)) return;
    handle_method_change(session);
    pd_session_refresh_state(session);
}

/* ---- Pouring ---- */

static const int DRY_STEPS = 20; /* steps without a new particle before the message: 1/3 s at 60 steps per second */

/* Returns whether the tool Pour is applied and its particles are the fluid, rather than tracers in a grid. */
static bool is_pouring_particles(const pd_session *session) {
    pd_view view;
    if (pd_world_tool(session->world).kind != PD_TOOL_POUR) return false;
    pd_world_view(session->world, &view);
    return view.rest_density > 0;
}

static void announce_failed_pouring(pd_session *session) {
    pd_pouring *pouring = &session->pouring;
    int particles = pd_world_particles(session->world), before = pouring->particles;
    bool full = pd_world_is_pour_incomplete(session->world), pours = is_pouring_particles(session);
    if (full && particles == PD_MAX_PARTICLES && !pouring->limit_announced) {
        char count[32];
        pd_announce(session->announcer, "No scene can have more than %s particles (erase fluid first)",
                    pd_app_format_count(PD_MAX_PARTICLES, count, sizeof count));
    }
    pouring->limit_announced = full;
    pouring->particles = particles;
    /* a press that has poured a particle needs no message: its counter is set to DRY_STEPS */
    if (!pours || full || particles > before)
        pouring->steps_without_particle = pours ? DRY_STEPS : 0;
    else if (++pouring->steps_without_particle == DRY_STEPS)
        pd_announce(session->announcer, "No room to pour here (erase fluid first)");
}

/* ---- The state before a long step ---- */

static const double LONG_STEP = 0.5; /* shortest step whose start is saved, s of wall time; quitting waits for others */

void pd_step_start_save(pd_step_start *start, const pd_world *world, double step_seconds) {
    pd_step_start_free(start);
    if (step_seconds > 0 && step_seconds < LONG_STEP) return;
    if (pd_world_save_to_memory(world, &start->bytes, &start->size, NULL) != PD_OK) *start = (pd_step_start){0};
}

bool pd_step_start_restore(pd_step_start *start, pd_world *world) {
    return start->bytes && pd_world_restore_from_memory(world, start->bytes, start->size, NULL) == PD_OK;
}

void pd_step_start_free(pd_step_start *start) {
    pd_memory_free(start->bytes);
    *start = (pd_step_start){0};
}

/* ---- Steps ---- */

static const double QUIT_CHECK_INTERVAL = 0.05; /* wall time between two checks for quitting, s */

bool pd_session_is_stepping(const pd_session *session) {
    return pd_world_stepping(session->world) || is_second_world_stepping(session);
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
    pd_second_world *second = &session->second;
    if (second->world) add_step_to_trace(&second->trace, (const pd_world *const[]){session->world, second->world});
    if (session->observer.stepped) session->observer.stepped(session->observer.context);
    announce_failed_pouring(session);
    if (session->log) pd_log_end_step(session->log, session->world);
    if (pd_world_was_refused_memory(session->world)) session->paused = true; /* until pd_session_check_memory */
    if (replays) announce_replayed_step(session, ends);
}

bool pd_session_work_on_step(pd_session *session, double seconds) {
    if (!work_on_second_step(session, &seconds)) return false;
    const pd_profile *profile = pd_world_profile(session->world);
    uint64_t before = profile->substeps;
    double begun = pd_now();
    if (!pd_world_stepping(session->world))
        pd_step_start_save(&session->step_start, session->world, session->pace.step_cost);
    bool complete = pd_world_step_part(session->world, seconds);
    int substeps = (int)(profile->substeps - before), total = pd_world_substeps(session->world);
    if (complete) process_completed_step(session);
    pd_pace_record_work(&session->pace, pd_now() - begun, substeps, total, complete);
    if (complete) apply_slider(session);
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
    apply_slider(session);
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

static void handle_time_change(pd_session *session, const pd_method_info *former_method) {
    if (pd_world_method(session->world) != former_method) handle_method_change(session);
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
    handle_time_change(session, method);
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

static const double HOLD_TIME = 0.25; /* shortest press that runs time backwards, s of wall time */
/* Largest time that a frame should simulate, s. Dragging the window or suspending the machine would give more. */
static const double LONGEST_FRAME = 0.25;
static const double MAX_OWED_TICKS = 90; /* greatest pd_backwards.owed_ticks; ticks above are dropped */
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
    handle_time_change(session, former_method);
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
        /* Updates the session after time has run backwards in this frame. */
        if (gone > 0) {
            if (pd_world_method(session->world) != method)
                handle_time_change(session, method);
            else
                update_gravity_dial(session);
            session->pace.owed = session->pace.dt; /* sets the interpolation weight to 1 */
        }
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
    handle_time_change(session, former_method);
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

/* ---- Pace of simulated time ---- */

/* Wall time for the steps of a frame, s. With 20 ms for drawing, the frame rate is 20 per second. */
static const double BUDGET = 0.030;
static const double AVERAGING_TIME = 0.7; /* time constant of the sums for pd_pace_speed_ratio, s */
/* Hysteresis of pd_pace.slow: the flag is set after pd_pace_speed_ratio was below SLOW_BELOW for SWITCHING_TIME (s), and unset
 * after the ratio was above FAST_ABOVE for the same time. */
static const double SLOW_BELOW = 0.9, FAST_ABOVE = 0.96, SWITCHING_TIME = 1;

void pd_pace_init(pd_pace *pace, double dt) { *pace = (pd_pace){.dt = dt, .budget = BUDGET}; }

void pd_pace_begin_frame(pd_pace *pace, double due_seconds) {
    due_seconds = fmin(fmax(due_seconds, 0), LONGEST_FRAME);
    pace->due = due_seconds;
    pace->owed += due_seconds;
    pace->steps = 0;
    pace->simulated = 0;
    pace->worked = false;
}

int pd_pace_expected_steps(const pd_pace *pace) {
    double owed = pace->owed / pace->dt + 1e-6, affordable = pace->budget / fmax(pace->step_cost, 1e-9);
    return (int)fmax(fmin(owed, affordable), 1);
}

void pd_pace_restart(pd_pace *pace) {
    pace->step_cost = pace->substep_cost = pace->unfinished_cost = 0;
    pace->owed = pace->dt;
}

bool pd_pace_has_time(const pd_pace *pace, double spent_seconds) {
    if (pace->owed < pace->dt * (1 - 1e-6)) return false;
    if (!pace->worked) return true;
    /* A step that takes longer than the budget is made in parts. A shorter step begins only if the rest of the budget suffices. */
    bool in_parts = pace->unfinished_cost > 0 || pace->step_cost > pace->budget;
    return spent_seconds + (in_parts ? pace->substep_cost : pace->step_cost) <= pace->budget;
}

double pd_pace_seconds_left(const pd_pace *pace, double spent_seconds) {
    /* subtracting half a substep rounds to the nearest number of substeps */
    return fmax(0, pace->budget - spent_seconds - 0.5 * pace->substep_cost);
}

static void update_mean(double *mean, double value) { *mean += (*mean > 0 ? 0.2 : 1.0) * (value - *mean); }

void pd_pace_record_work(pd_pace *pace, double seconds, int substeps, int substeps_per_step, bool complete) {
    pace->worked = true;
    pace->unfinished_cost += seconds;
    if (substeps == 0) return;
    pace->simulated += pace->dt * substeps / substeps_per_step;
    update_mean(&pace->substep_cost, seconds / substeps);
    if (!complete) return;
    update_mean(&pace->step_cost, pace->unfinished_cost);
    pace->unfinished_cost = 0;
    pace->owed -= pace->dt;
    pace->steps++;
}

void pd_pace_end_frame(pd_pace *pace) {
    pace->owed = fmin(fmax(pace->owed, 0), pace->dt);
    double decay = exp(-pace->due / AVERAGING_TIME);
    pace->simulated_sum = decay * pace->simulated_sum + pace->simulated;
    pace->due_sum = decay * pace->due_sum + pace->due;
    double speed = pd_pace_speed_ratio(pace);
    if (speed < SLOW_BELOW) pace->slow_for += pace->due;
    if (speed > FAST_ABOVE) pace->slow_for -= pace->due;
    pace->slow_for = fmin(fmax(pace->slow_for, 0), SWITCHING_TIME);
    if (pace->slow_for >= SWITCHING_TIME) pace->slow = true;
    if (pace->slow_for <= 0) pace->slow = false;
}

float pd_pace_interpolation_weight(const pd_pace *pace) { return (float)fmin(fmax(pace->owed / pace->dt, 0), 1); }

double pd_pace_speed_ratio(const pd_pace *pace) {
    return pace->due_sum > 0.1 ? pace->simulated_sum / pace->due_sum : 1;
}
