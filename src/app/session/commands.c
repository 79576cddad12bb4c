/* Everything that the user does to the world, as commands (puddle/command.h): no other file of this folder changes it.
 *
 * A long step is made over several frames. A command in between waits in the world (pd_world_waiting): the interface shows its
 * value at once, and later changes start from it. */
#include "app/session/session.h"

#include "core/error.h"
#include "scene/edit.h"
#include <math.h>
#include <stdio.h>

pd_result pd_session_do(pd_session *session, const pd_command *command, pd_error *error) {
    if (pd_session_stepping(session)) pd_session_begin_step(session); /* which the second world may have begun alone */
    bool stepping = pd_world_stepping(session->world);
    int commands = session->log ? pd_log_commands(session->log) : 0;
    uint64_t end = session->log ? pd_log_end(session->log) : 0;
    pd_result result = session->log ? pd_log_do(session->log, session->world, command, error)
                                    : pd_world_apply(session->world, command, error);
    bool waits = stepping && pd_world_stepping(session->world);
    if (session->log && (waits || pd_log_commands(session->log) != commands || pd_log_end(session->log) != end))
        session->watching = false;
    if (result == PD_OK && !waits) pd_second_follow(session, command);
    return result;
}

void pd_session_hold(pd_session *session, const pd_tool *tool) {
    pd_session_do(session, &(pd_command){PD_COMMAND_TOOL, .is.tool = *tool}, NULL);
}

bool pd_session_replays(const pd_session *session) {
    return session->log && pd_log_tick(session->log) < pd_log_end(session->log);
}

void pd_session_play(pd_session *session) {
    const pd_method_info *before = pd_world_method(session->world);
    bool begun = pd_log_play(session->log, session->world);
    if (begun || pd_world_method(session->world) != before) {
        pd_session_tell(session, PD_SESSION_METHOD);
        pd_session_state_changed(session);
    } else {
        pd_session_read_gravity(session);
    }
}

static char *full_key(const pd_session *session, int index, char *key) {
    return pd_method_key(pd_world_method(session->world), index, key, PD_MAX_KEY);
}

/* value: NAN for the default. */
static pd_command parameter_command(const pd_session *session, int index, float value) {
    pd_command command = {.kind = PD_COMMAND_PARAMETER};
    full_key(session, index, command.is.parameter.key);
    command.is.parameter.value = value;
    return command;
}

float pd_session_parameter(const pd_session *session, int index, float *fallback) {
    char key[PD_MAX_KEY];
    float standard = 0, value = pd_edit_setting(pd_session_scene(session), full_key(session, index, key));
    pd_world_parameter_default(session->world, key, &standard, NULL);
    if (fallback) *fallback = standard;
    return isnan(value) ? standard : value;
}

static bool rebuilds(const pd_session *session, const pd_command *command) {
    int method, index;
    return command->kind == PD_COMMAND_PARAMETER &&
           pd_parameter_find(command->is.parameter.key, &method, &index, NULL) == PD_OK &&
           pd_method_at(method) == pd_world_method(session->world) &&
           pd_method_parameter_at(pd_method_at(method), index)->rebuilds;
}

/* A slider goes on over values that a scene does not allow; other failures, of memory, are shown. */
static void set_value(pd_session *session, const pd_command *command) {
    pd_error error;
    pd_result result = pd_session_do(session, command, &error);
    if (result != PD_OK && error.code != PD_ERROR_PARAMETER_VALUE) pd_announce_error(session->announcer, &error);
    if (result == PD_OK && !pd_world_stepping(session->world) && rebuilds(session, command))
        pd_session_tell_warnings(session, "");
}

void pd_session_set_gravity(pd_session *session, pd_vec2 gravity) {
    set_value(session, &(pd_command){PD_COMMAND_GRAVITY, .is.gravity = gravity});
}

void pd_session_set_parameter(pd_session *session, int index, float value) {
    const pd_parameter *parameter = pd_method_parameter_at(pd_world_method(session->world), index);
    pd_error error;
    if (pd_parameter_check(parameter, value, &error)) {
        pd_announce_error(session->announcer, &error);
        return;
    }
    pd_announce_parameter(session->announcer, parameter, value);
    pd_command command = parameter_command(session, index, value);
    set_value(session, &command);
}

void pd_session_reset_parameter(pd_session *session, int index) {
    const pd_parameter *parameter = pd_method_parameter_at(pd_world_method(session->world), index);
    float standard, before = pd_session_parameter(session, index, &standard);
    if (before != standard) pd_announce_parameter(session->announcer, parameter, standard);
    pd_command command = parameter_command(session, index, NAN);
    set_value(session, &command);
}

int pd_session_property_parameter(const pd_session *session, pd_property property) {
    return pd_method_property(pd_world_method(session->world), (int)property);
}

const pd_parameter *pd_session_property_info(const pd_session *session, pd_property property, float *shared,
                                             float *standard) {
    const pd_property_info *info = pd_property_at((int)property);
    int own = pd_session_property_parameter(session, property);
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
    if (!isnan(value) && pd_parameter_check(parameter, value, &error)) {
        pd_announce_error(session->announcer, &error);
        return;
    }
    set_value(session, &(pd_command){PD_COMMAND_PROPERTY, .is.property = {material, property, value}});
    pd_announce_property(session->announcer, parameter, pd_world_scene(session->world)->materials[material].name,
                         pd_session_property(session, material, property, &own));
}

void pd_session_reset_property(pd_session *session, int material, pd_property property) {
    pd_session_set_property(session, material, property, NAN);
}

void pd_session_take_waited(pd_session *session) {
    const pd_command *command;
    pd_error error;
    while ((command = pd_world_waited(session->world, &error))) {
        if (error.code != PD_ERROR_NONE) {
            pd_announce_error(session->announcer, &error);
            continue;
        }
        pd_second_follow(session, command);
        if (rebuilds(session, command)) pd_session_tell_warnings(session, "");
    }
}

pd_world *pd_session_before_step(pd_session *session) {
    const pd_world *world = session->world;
    const pd_command *command;
    pd_world *copy = NULL;
    pd_world_def def = pd_world_def_default();
    def.scene = pd_world_scene(world);
    def.threads = pd_world_threads(world);
    if (session->step_start.bytes) pd_world_create(&copy, &def, NULL);
    if (copy && pd_step_start_restore(&session->step_start, copy)) {
        for (int i = 0; (command = pd_world_waiting(world, i)); i++) pd_world_apply(copy, command, NULL);
        return copy;
    }
    pd_world_destroy(copy);
    return NULL;
}
