/* Everything that the user does to the world, as commands (puddle/command.h): no other file of this folder changes it.
 *
 * A long step is made over several frames, and its parameters must not change between its first and last substep. A
 * command in between is queued: the interface shows its value at once, later changes start from it, and it is applied at
 * the end of the step. */
#include "app/session.h"

#include "core/error.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pd_result apply(pd_session *session, const pd_command *command, pd_error *error) {
    if (!session->log) return pd_world_apply(session->world, command, error);
    int commands = pd_log_commands(session->log);
    uint64_t end = pd_log_end(session->log);
    pd_result result = pd_log_do(session->log, session->world, command, error);
    if (pd_log_commands(session->log) != commands || pd_log_end(session->log) != end) session->watching = false;
    return result;
}

pd_result pd_session_do(pd_session *session, const pd_command *command, pd_error *error) {
    pd_result result = apply(session, command, error);
    if (result == PD_OK) pd_second_follow(session, command);
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

/* The queued command that sets the same value: its index; -1: there is none. */
static int find_queued(const pd_queue *queue, const pd_command *like) {
    for (int i = 0; i < queue->count; i++) {
        const pd_command *queued = &queue->items[i];
        if (queued->kind != like->kind) continue;
        if (like->kind == PD_COMMAND_GRAVITY) return i;
        if (like->kind == PD_COMMAND_PARAMETER && !strcmp(queued->is.parameter.key, like->is.parameter.key)) return i;
        if (like->kind == PD_COMMAND_PROPERTY && queued->is.property.material == like->is.property.material &&
            queued->is.property.property == like->is.property.property)
            return i;
    }
    return -1;
}

static void queue_command(pd_session *session, const pd_command *command) {
    pd_queue *queue = &session->queue;
    int index = find_queued(queue, command);
    if (index < 0) index = queue->count++; /* there is room for each value once */
    queue->items[index] = *command;
    pd_session_edit_value(session, command);
    pd_session_flush(session);
}

void pd_session_queue_gravity(pd_session *session, pd_vec2 gravity) {
    queue_command(session, &(pd_command){PD_COMMAND_GRAVITY, .is.gravity = gravity});
}

/* "ddr.stiffness" */
static char *full_key(const pd_session *session, int index, char *key, size_t size) {
    const pd_method_info *method = pd_world_method(session->world);
    snprintf(key, size, "%s.%s", method->name, pd_method_parameter_at(method, index)->key);
    return key;
}

/* value: NAN for the default. */
static pd_command parameter_command(const pd_session *session, int index, float value) {
    pd_command command = {.kind = PD_COMMAND_PARAMETER};
    full_key(session, index, command.is.parameter.key, sizeof command.is.parameter.key);
    command.is.parameter.value = value;
    return command;
}

float pd_session_parameter(const pd_session *session, int index, float *fallback) {
    char key[PD_MAX_KEY];
    float value = 0, standard = 0;
    full_key(session, index, key, sizeof key);
    pd_world_parameter(session->world, key, &value, NULL);
    pd_world_parameter_default(session->world, key, &standard, NULL);
    if (fallback) *fallback = standard;
    pd_session_edited_parameter(session, key, &value);
    pd_command command = parameter_command(session, index, NAN);
    int queued = find_queued(&session->queue, &command);
    if (queued >= 0) value = session->queue.items[queued].is.parameter.value;
    return isnan(value) ? standard : value;
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
    queue_command(session, &command);
}

void pd_session_reset_parameter(pd_session *session, int index) {
    const pd_parameter *parameter = pd_method_parameter_at(pd_world_method(session->world), index);
    float standard, before = pd_session_parameter(session, index, &standard);
    if (before != standard) pd_announce_parameter(session->announcer, parameter, standard);
    pd_command command = parameter_command(session, index, NAN);
    queue_command(session, &command);
}

int pd_session_property_parameter(const pd_session *session, pd_property property) {
    return pd_method_property(pd_world_method(session->world), (int)property);
}

const pd_parameter *pd_session_property_info(const pd_session *session, pd_property property, float *shared,
                                             float *standard) {
    const char *key = pd_property_at((int)property)->parameter;
    int method, index, own = pd_session_property_parameter(session, property);
    if (pd_parameter_find(key, &method, &index, NULL) != PD_OK) return NULL;
    if (!(pd_world_method(session->world)->features & pd_property_at((int)property)->feature)) return NULL;
    if (own >= 0)
        *shared = pd_session_parameter(session, own, standard);
    else if (pd_world_parameter_default(session->world, key, standard, NULL) == PD_OK)
        *shared = *standard;
    return pd_method_parameter_at(pd_method_at(method), index);
}

float pd_session_property(const pd_session *session, int material, pd_property property, bool *own) {
    const pd_command command = {PD_COMMAND_PROPERTY, .is.property = {material, property, NAN}};
    int queued = find_queued(&session->queue, &command);
    float value = pd_world_scene(session->world)->materials[material].property[property];
    if (queued >= 0) value = session->queue.items[queued].is.property.value;
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
    queue_command(session, &(pd_command){PD_COMMAND_PROPERTY, .is.property = {material, property, value}});
    pd_announce_property(session->announcer, parameter, pd_world_scene(session->world)->materials[material].name,
                         pd_session_property(session, material, property, &own));
}

void pd_session_reset_property(pd_session *session, int material, pd_property property) {
    pd_session_set_property(session, material, property, NAN);
}

void pd_session_forget_queue(pd_session *session) {
    session->queue.count = 0;
    pd_session_forget_edit(session);
}

static bool rebuilds(const pd_session *session, const pd_command *command) {
    int method, index;
    return command->kind == PD_COMMAND_PARAMETER &&
           pd_parameter_find(command->is.parameter.key, &method, &index, NULL) == PD_OK &&
           pd_method_at(method) == pd_world_method(session->world) &&
           pd_method_parameter_at(pd_method_at(method), index)->rebuilds;
}

void pd_session_flush(pd_session *session) {
    if (pd_session_stepping(session)) return;
    pd_queue *queue = &session->queue;
    for (int i = 0; i < queue->count; i++) {
        pd_error error;
        pd_result result = pd_session_do(session, &queue->items[i], &error);
        /* A slider goes on over values that a scene does not allow; other failures, of memory, are shown. */
        if (result != PD_OK && error.code != PD_ERROR_PARAMETER_VALUE) pd_announce_error(session->announcer, &error);
        if (result == PD_OK && rebuilds(session, &queue->items[i])) pd_session_tell_warnings(session, "");
    }
    queue->count = 0;
    pd_session_flush_edit(session);
    bool saves = session->save_queued, saves_scene = session->save_scene_queued;
    session->save_queued = session->save_scene_queued = false;
    if (saves) pd_session_write_snapshot(session);
    if (saves_scene) pd_session_write_scene(session);
}
