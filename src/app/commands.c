/* Everything that the user does to the world, as commands (puddle/command.h): no other file of this folder changes it.
 *
 * A long step is made over several frames, and its parameters must not change between its first and last substep. A
 * command in between is queued: the interface shows its value at once, later changes start from it, and it is applied at
 * the end of the step. */
#include "app/state.h"

#include "core/error.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

pd_result pd_app_do(pd_app *app, const pd_command *command, pd_error *error) {
    if (!app->session.log) return pd_world_apply(app->session.world, command, error);
    int commands = pd_log_commands(app->session.log);
    uint64_t end = pd_log_end(app->session.log);
    pd_result result = pd_log_do(app->session.log, app->session.world, command, error);
    if (pd_log_commands(app->session.log) != commands || pd_log_end(app->session.log) != end)
        app->session.watching = false;
    return result;
}

bool pd_app_replays(const pd_app *app) {
    return app->session.log && pd_log_tick(app->session.log) < pd_log_end(app->session.log);
}

void pd_app_play(pd_app *app) {
    const pd_method_info *before = pd_world_method(app->session.world);
    uint64_t step = pd_world_steps(app->session.world);
    pd_log_play(app->session.log, app->session.world);
    if (pd_world_method(app->session.world) != before || pd_world_steps(app->session.world) != step) {
        pd_meter_restart(&app->viewport.meter);
        pd_app_world_changed(app);
    } else {
        pd_app_read_gravity(app);
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

static void queue_command(pd_app *app, const pd_command *command) {
    pd_queue *queue = &app->session.queue;
    int index = find_queued(queue, command);
    if (index < 0) index = queue->count++; /* there is room for each value once */
    queue->items[index] = *command;
    pd_app_flush(app);
}

void pd_app_queue_gravity(pd_app *app, pd_vec2 gravity) {
    queue_command(app, &(pd_command){PD_COMMAND_GRAVITY, .is.gravity = gravity});
}

/* "ddr.stiffness" */
static char *full_key(const pd_app *app, int index, char *key, size_t size) {
    const pd_method_info *method = pd_world_method(app->session.world);
    snprintf(key, size, "%s.%s", method->name, method->parameters[index].key);
    return key;
}

/* value: NAN for the default. */
static pd_command parameter_command(const pd_app *app, int index, float value) {
    pd_command command = {.kind = PD_COMMAND_PARAMETER};
    full_key(app, index, command.is.parameter.key, sizeof command.is.parameter.key);
    command.is.parameter.value = value;
    return command;
}

float pd_app_parameter(const pd_app *app, int index, float *fallback) {
    char key[PD_MAX_KEY];
    float value = 0, standard = 0;
    full_key(app, index, key, sizeof key);
    pd_world_parameter(app->session.world, key, &value, NULL);
    pd_world_parameter_default(app->session.world, key, &standard, NULL);
    if (fallback) *fallback = standard;
    pd_command command = parameter_command(app, index, NAN);
    int queued = find_queued(&app->session.queue, &command);
    if (queued >= 0) value = app->session.queue.items[queued].is.parameter.value;
    return isnan(value) ? standard : value;
}

void pd_app_set_parameter(pd_app *app, int index, float value) {
    const pd_parameter *parameter = &pd_world_method(app->session.world)->parameters[index];
    pd_error error;
    if (pd_parameter_check(parameter, value, &error)) {
        pd_announce_error(&app->viewport.announcer, &error);
        return;
    }
    pd_announce_parameter(&app->viewport.announcer, parameter, value);
    pd_command command = parameter_command(app, index, value);
    queue_command(app, &command);
}

void pd_app_reset_parameter(pd_app *app, int index) {
    const pd_parameter *parameter = &pd_world_method(app->session.world)->parameters[index];
    float standard, before = pd_app_parameter(app, index, &standard);
    if (before != standard) pd_announce_parameter(&app->viewport.announcer, parameter, standard);
    pd_command command = parameter_command(app, index, NAN);
    queue_command(app, &command);
}

int pd_app_property_parameter(const pd_app *app, pd_property property) {
    int method, index;
    if (pd_parameter_find(pd_property_at((int)property)->parameter, &method, &index, NULL) != PD_OK) return -1;
    return pd_method_at(method) == pd_world_method(app->session.world) ? index : -1;
}

float pd_app_property(const pd_app *app, int material, pd_property property, bool *own) {
    const pd_command command = {PD_COMMAND_PROPERTY, .is.property = {material, property, NAN}};
    int queued = find_queued(&app->session.queue, &command);
    float value = pd_world_scene(app->session.world)->materials[material].property[property];
    if (queued >= 0) value = app->session.queue.items[queued].is.property.value;
    *own = !isnan(value);
    return *own ? value : pd_app_parameter(app, pd_app_property_parameter(app, property), NULL);
}

void pd_app_set_property(pd_app *app, int material, pd_property property, float value) {
    int index = pd_app_property_parameter(app, property);
    if (index < 0) return;
    const pd_parameter *parameter = &pd_world_method(app->session.world)->parameters[index];
    pd_error error;
    bool own;
    if (!isnan(value) && pd_parameter_check(parameter, value, &error)) {
        pd_announce_error(&app->viewport.announcer, &error);
        return;
    }
    queue_command(app, &(pd_command){PD_COMMAND_PROPERTY, .is.property = {material, property, value}});
    pd_announce_property(&app->viewport.announcer, parameter,
                         pd_world_scene(app->session.world)->materials[material].name,
                         pd_app_property(app, material, property, &own));
}

void pd_app_reset_property(pd_app *app, int material, pd_property property) {
    pd_app_set_property(app, material, property, NAN);
}

static bool rebuilds(const pd_app *app, const pd_command *command) {
    int method, index;
    return command->kind == PD_COMMAND_PARAMETER &&
           pd_parameter_find(command->is.parameter.key, &method, &index, NULL) == PD_OK &&
           pd_method_at(method) == pd_world_method(app->session.world) &&
           pd_method_at(method)->parameters[index].rebuilds;
}

void pd_app_flush(pd_app *app) {
    if (pd_world_stepping(app->session.world)) return;
    pd_queue *queue = &app->session.queue;
    for (int i = 0; i < queue->count; i++) {
        pd_error error;
        pd_result result = pd_app_do(app, &queue->items[i], &error);
        /* A slider goes on over values that a scene does not allow; other failures, of memory, are shown. */
        if (result != PD_OK && error.code != PD_ERROR_PARAMETER_VALUE)
            pd_announce_error(&app->viewport.announcer, &error);
        if (result == PD_OK && rebuilds(app, &queue->items[i])) pd_app_tell_warnings(app, "");
    }
    queue->count = 0;
    bool saves = app->session.save_queued;
    app->session.save_queued = false;
    if (saves) pd_app_write_snapshot(app);
}
