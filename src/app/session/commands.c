/* Commands (puddle/command.h). The session changes its world only by functions of this file, so that the log is complete.
 *
 * A long step takes several frames. A command completes the step first. Only the newest value of a slider waits for the end of
 * the step, so that the window answers while a slider is dragged. */
#include "app/session/session.h"

#include "core/error.h"
#include "core/text.h"
#include "scene/edit.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

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
    if (result == PD_OK) pd_session_check_memory(session);
    if (result == PD_OK) pd_second_world_apply_command(session, command);
    return result;
}

bool pd_session_check_result(pd_session *session, pd_result result, const pd_error *error) {
    if (result != PD_OK) pd_announce_error(session->announcer, error);
    return result == PD_OK;
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
        pd_session_update_gravity_dial(session);
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

void pd_session_apply_slider(pd_session *session) {
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
    if (!pd_session_is_stepping(session)) pd_session_apply_slider(session);
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

void pd_session_update_gravity_dial(pd_session *session) {
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

void pd_session_handle_method_change(pd_session *session) {
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
    pd_session_handle_method_change(session);
    pd_session_refresh_state(session);
}
