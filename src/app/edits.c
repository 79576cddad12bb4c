/* Edits of the scene while it runs: walls, emitters, drains and materials. Like other commands they wait for the end of a step
 * that is made over several frames; the edits that come meanwhile build on each other and become one command. */
#include "app/session.h"

#include "core/error.h"
#include "scene/edit.h"
#include <math.h>
#include <stdlib.h>

const pd_scene *pd_session_scene(const pd_session *session) {
    return session->edited ? session->edited : pd_world_scene(session->world);
}

void pd_session_forget_edit(pd_session *session) {
    if (!session->edited) return;
    pd_scene_free(session->edited);
    free(session->edited);
    session->edited = NULL;
}

static pd_result apply(pd_session *session, const pd_scene *scene, pd_error *error) {
    pd_command command;
    pd_result result = pd_command_edit(&command, pd_world_scene(session->world), scene, error);
    if (result) return result;
    result = pd_session_do(session, &command, error);
    pd_command_free(&command);
    return result;
}

static void follow_property(pd_scene *edited, const pd_command *command) {
    int material = command->is.property.material;
    if (material >= edited->material_count) return;
    edited->materials[material].property[command->is.property.property] = command->is.property.value;
}

/* A value that the command will be refused for must not make the edit fail too. */
static void follow_parameter(pd_scene *edited, const pd_command *command) {
    const char *key = command->is.parameter.key;
    float value = command->is.parameter.value;
    if (isnan(value))
        pd_scene_unset(edited, key, NULL);
    else if (pd_scene_check_length(edited, key, value, NULL) == PD_OK)
        pd_scene_set(edited, key, value, NULL);
}

void pd_session_edit_value(pd_session *session, const pd_command *command) {
    if (!session->edited) return;
    if (command->kind == PD_COMMAND_PROPERTY) follow_property(session->edited, command);
    if (command->kind == PD_COMMAND_PARAMETER) follow_parameter(session->edited, command);
}

void pd_session_edited_parameter(const pd_session *session, const char *key, float *value) {
    float edited = session->edited ? pd_edit_setting(session->edited, key) : NAN;
    if (!isnan(edited)) *value = edited;
}

/* What a new edit makes of a parameter is later than a command that waits for the same one. */
static void drop_overridden(pd_session *session, const pd_scene *scene) {
    pd_queue *commands = &session->queue;
    int kept = 0;
    for (int i = 0; i < commands->count; i++) {
        const pd_command *command = &commands->items[i];
        if (command->kind == PD_COMMAND_PARAMETER) {
            float before = pd_edit_setting(pd_session_scene(session), command->is.parameter.key);
            float after = pd_edit_setting(scene, command->is.parameter.key); /* NAN: none */
            if (!isnan(after) && before != after) continue;
        }
        commands->items[kept++] = *command;
    }
    commands->count = kept;
}

static pd_result queue(pd_session *session, const pd_scene *scene, pd_error *error) {
    pd_scene *copy = malloc(sizeof *copy);
    if (!copy)
        return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "cannot change the scene: out of memory (close other programs)");
    pd_result result = pd_scene_copy(copy, scene, error);
    if (result) {
        free(copy);
        return result;
    }
    drop_overridden(session, scene);
    pd_session_forget_edit(session);
    session->edited = copy;
    for (int i = 0; i < session->queue.count; i++) pd_session_edit_value(session, &session->queue.items[i]);
    return PD_OK;
}

bool pd_session_edit(pd_session *session, const pd_scene *scene) {
    pd_error error;
    pd_result result = pd_session_stepping(session) ? queue(session, scene, &error) : apply(session, scene, &error);
    if (result) pd_announce_error(session->announcer, &error);
    return result == PD_OK;
}

void pd_session_flush_edit(pd_session *session) {
    pd_error error;
    if (!session->edited) return;
    if (apply(session, session->edited, &error) != PD_OK) pd_announce_error(session->announcer, &error);
    pd_session_forget_edit(session);
}
