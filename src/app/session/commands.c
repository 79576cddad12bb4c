/* Commands (puddle/command.h). The session changes its world only through this file, so that the log is complete.
 *
 * A long step takes several frames. A command within a step waits in the world (pd_world_waiting_command).
 * The interface shows the values
 * with all waiting commands applied, and later changes start from these values. */
#include "app/session/session.h"

#include "core/error.h"
#include "scene/edit.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

pd_result pd_session_try_command(pd_session *session, const pd_command *command, pd_error *error) {
    /* the second world alone may have begun the step */
    if (pd_session_is_stepping(session)) pd_session_begin_step(session);
    bool stepping = pd_world_stepping(session->world);
    int commands = session->log ? pd_log_commands(session->log) : 0;
    uint64_t end = session->log ? pd_log_end_tick(session->log) : 0;
    pd_result result = session->log ? pd_log_do(session->log, session->world, command, error)
                                    : pd_world_apply(session->world, command, error);
    bool waits = stepping && pd_world_stepping(session->world);
    if (session->log && (waits || pd_log_commands(session->log) != commands || pd_log_end_tick(session->log) != end))
        session->replays_log = false;
    if (result == PD_OK && !waits) pd_second_apply_command(session, command);
    return result;
}

bool pd_session_succeeded(pd_session *session, pd_result result, const pd_error *error) {
    if (result != PD_OK) pd_announce_error(session->announcer, error);
    return result == PD_OK;
}

bool pd_session_apply_command(pd_session *session, const pd_command *command) {
    pd_error error;
    return pd_session_succeeded(session, pd_session_try_command(session, command, &error), &error);
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
        pd_session_state_changed(session);
    } else {
        pd_session_read_gravity(session);
    }
}

/* Writes the full key of a parameter of the running method: "ddr.stiffness". Returns key. */
static char *full_key(const pd_session *session, int index, char *key) {
    return pd_method_parameter_key(pd_world_method(session->world), index, key, PD_MAX_KEY);
}

/* Returns the command that sets a parameter. value: NAN for the default. */
static pd_command parameter_command(const pd_session *session, int index, float value) {
    pd_command command = {.kind = PD_COMMAND_PARAMETER};
    full_key(session, index, command.is.parameter.key);
    command.is.parameter.value = value;
    return command;
}

float pd_session_parameter(const pd_session *session, int index, float *fallback) {
    char key[PD_MAX_KEY];
    float standard = 0, value = pd_scene_setting_value(pd_session_scene(session), full_key(session, index, key));
    pd_world_parameter_default(session->world, key, &standard, NULL);
    if (fallback) *fallback = standard;
    return isnan(value) ? standard : value;
}

/* Returns the index of the running method's parameter with the full key `key`. -1: another method's. */
static int parameter_index(const pd_session *session, const char *key) {
    int method, index;
    bool found = pd_parameter_find(key, &method, &index, NULL) == PD_OK;
    return found && pd_method_at(method) == pd_world_method(session->world) ? index : -1;
}

static bool rebuilds_method(const pd_session *session, const pd_command *command) {
    if (command->kind != PD_COMMAND_PARAMETER) return false;
    int index = parameter_index(session, command->is.parameter.key);
    return index >= 0 && pd_method_parameter_at(pd_world_method(session->world), index)->rebuilds;
}

/* Applies a command of a slider. A value that the scene refuses has no effect and no message. */
static void apply_slider_command(pd_session *session, const pd_command *command) {
    pd_error error;
    pd_result result = pd_session_try_command(session, command, &error);
    if (result != PD_OK && error.code != PD_ERROR_PARAMETER_VALUE) pd_announce_error(session->announcer, &error);
    if (result == PD_OK && !pd_world_stepping(session->world) && rebuilds_method(session, command))
        pd_session_announce_warnings(session, "");
}

void pd_session_set_gravity(pd_session *session, pd_vec2 gravity) {
    apply_slider_command(session, &(pd_command){PD_COMMAND_GRAVITY, .is.gravity = gravity});
}

void pd_session_set_parameter(pd_session *session, int index, float value) {
    const pd_parameter *parameter = pd_method_parameter_at(pd_world_method(session->world), index);
    pd_error error;
    if (!pd_session_succeeded(session, pd_parameter_check(parameter, value, &error), &error)) return;
    pd_announce_parameter(session->announcer, parameter, "", value);
    pd_command command = parameter_command(session, index, value);
    apply_slider_command(session, &command);
}

void pd_session_reset_parameter(pd_session *session, int index) {
    const pd_parameter *parameter = pd_method_parameter_at(pd_world_method(session->world), index);
    float standard, before = pd_session_parameter(session, index, &standard);
    if (before != standard) pd_announce_parameter(session->announcer, parameter, "", standard);
    pd_command command = parameter_command(session, index, NAN);
    apply_slider_command(session, &command);
}

const pd_parameter *pd_session_property_info(const pd_session *session, pd_property property, float *shared,
                                             float *standard) {
    const pd_property_info *info = pd_property_at((int)property);
    int own = pd_method_parameter_of_property(pd_world_method(session->world), (int)property);
    if (!(pd_world_method(session->world)->features & info->feature)) return NULL;
    if (own >= 0)
        *shared = pd_session_parameter(session, own, standard);
    else
        *shared = *standard = pd_world_property_default(session->world, property);
    return info->parameter;
}

float pd_session_property(const pd_session *session, int material, pd_property property, bool *own) {
    float value = pd_session_scene(session)->materials[material].property[property];
    *own = !isnan(value);
    float shared = NAN, standard;
    pd_session_property_info(session, property, &shared, &standard);
    return *own ? value : shared;
}

void pd_session_set_property(pd_session *session, int material, pd_property property, float value) {
    float shared, standard;
    const pd_parameter *parameter = pd_session_property_info(session, property, &shared, &standard);
    pd_error error;
    bool own;
    if (!parameter) return;
    if (!isnan(value) && !pd_session_succeeded(session, pd_parameter_check(parameter, value, &error), &error)) return;
    apply_slider_command(session, &(pd_command){PD_COMMAND_PROPERTY, .is.property = {material, property, value}});
    pd_announce_parameter(session->announcer, parameter, pd_session_scene(session)->materials[material].name,
                          pd_session_property(session, material, property, &own));
}

void pd_session_forward_commands(pd_session *session) {
    const pd_command *command;
    pd_error error;
    while ((command = pd_world_next_command_result(session->world, &error))) {
        if (!pd_session_succeeded(session, error.code == PD_ERROR_NONE ? PD_OK : PD_FAILED, &error)) continue;
        pd_second_apply_command(session, command);
        if (rebuilds_method(session, command)) pd_session_announce_warnings(session, "");
    }
}

pd_world *pd_session_world_before_step(pd_session *session) {
    const pd_world *world = session->world;
    const pd_command *command;
    pd_world *copy = NULL;
    pd_world_def def = pd_world_def_default();
    def.scene = pd_world_scene(world);
    def.threads = pd_world_threads(world);
    if (session->step_start.bytes) pd_world_create(&copy, &def, NULL);
    if (copy && pd_step_start_restore(&session->step_start, copy)) {
        for (int i = 0; (command = pd_world_waiting_command(world, i)); i++) pd_world_apply(copy, command, NULL);
        return copy;
    }
    pd_world_destroy(copy);
    return NULL;
}

/* ---- Edits of the scene ---- */

const pd_scene *pd_session_scene(const pd_session *session) { return pd_world_scene_of_next_step(session->world); }

bool pd_session_begin_edit(pd_session *session, pd_scene *copy) {
    pd_error error;
    return pd_session_succeeded(session, pd_scene_copy(copy, pd_session_scene(session), &error), &error);
}

bool pd_session_end_edit(pd_session *session, pd_scene *copy, pd_result result, const pd_error *error) {
    pd_error refused;
    pd_command command;
    bool done =
        pd_session_succeeded(session, result, error) &&
        pd_session_succeeded(session, pd_command_edit(&command, pd_session_scene(session), copy, &refused), &refused);
    if (done) {
        done = pd_session_apply_command(session, &command);
        pd_command_free(&command);
    }
    pd_scene_free(copy);
    return done;
}

/* ---- Gravity ---- */

static pd_vec2 gravity_vector(const pd_gravity_dial *dial) {
    float strength = dial->on ? dial->strength : 0, angle = dial->angle / 57.29578f;
    return (pd_vec2){strength * sinf(angle), -strength * cosf(angle)};
}

void pd_session_read_gravity(pd_session *session) {
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

void pd_session_apply_gravity(pd_session *session) {
    const pd_gravity_dial *dial = &session->gravity;
    if (dial->on)
        pd_announce_value(session->announcer, "Gravity", (double)dial->strength, "m/s²");
    else
        pd_announce_word(session->announcer, "Gravity", "off");
    pd_session_set_gravity(session, gravity_vector(dial));
}

/* ---- Warnings ---- */

int pd_session_warnings(const pd_world *world, char *text, size_t size) {
    char line[256];
    int count = 0;
    for (; pd_world_write_warning(world, count, line, sizeof line); count++) {
        size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%s", used ? "; " : "", line);
    }
    return count;
}

void pd_session_announce_warnings(pd_session *session, const char *first) {
    char text[480], brief[256];
    snprintf(text, sizeof text, "%s", first);
    int count = pd_session_warnings(session->world, text, sizeof text);
    if (!*text) return;
    snprintf(brief, sizeof brief, "%.160s%s %d warning%s about the scene (see the panel)",
             *first ? first : pd_world_method(session->world)->title, *first ? ";" : ":", count, count == 1 ? "" : "s");
    bool few = count + (*first != '\0') < 2;
    pd_announce_brief(session->announcer, few ? text : brief, text);
}

/* Returns the greatest value that the parameter of any method gives to a property. Materials that do not set the property have
 * the parameter's value. */
static float greatest_parameter(const pd_world *world, pd_property property) {
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

/* Returns whether a property has an effect under another method, or as a material's own value, but none under the running
 * method. */
static bool is_ignored(const pd_world *world, pd_property property) {
    const pd_scene *scene = pd_world_scene(world);
    const float shared = greatest_parameter(world, property);
    const bool supported = pd_world_method(world)->features & pd_property_at((int)property)->feature;
    bool had = false;
    for (int m = 0; m < scene->material_count; m++) {
        float own = scene->materials[m].property[property];
        if (supported && pd_world_property(world, m, property) > 0) return false;
        if ((isnan(own) ? shared : own) > 0) had = true;
    }
    return had;
}

void pd_session_method_changed(pd_session *session) {
    const pd_method_info *method = pd_world_method(session->world);
    char text[160] = "";
    pd_session_notify_observer(session, PD_SESSION_METHOD);
    bool soft = is_ignored(session->world, PD_ELASTICITY), sticky = is_ignored(session->world, PD_STICKINESS);
    const char *what = soft && sticky ? "elasticity and stickiness have" : soft ? "elasticity has" : "stickiness has";
    if (soft || sticky)
        snprintf(text, sizeof text, "Method %s: %s no effect", method->title, what);
    else
        pd_announce_word(session->announcer, "Method", method->title);
    pd_session_announce_warnings(session, text);
}

void pd_session_set_method(pd_session *session, const pd_method_info *method) {
    if (method == pd_world_method(session->world)) {
        pd_announce_word(session->announcer, "Method", method->title);
        return;
    }
    pd_session_finish_step(session);
    pd_command command = {.kind = PD_COMMAND_METHOD};
    snprintf(command.is.method, sizeof command.is.method, "%s", method->name);
    if (!pd_session_apply_command(session, &command)) return;
    pd_session_method_changed(session);
    pd_session_state_changed(session);
}

void pd_session_finish_edits(pd_session *session) {
    if (pd_session_scene(session) != pd_world_scene(session->world)) pd_session_finish_step(session);
}
