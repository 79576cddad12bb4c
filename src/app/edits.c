/* Edits of the scene while it runs: walls, emitters, drains and materials. Like other commands they wait for the end of a step
 * that is made over several frames; the edits that come meanwhile build on each other and become one command. */
#include "app/session.h"

#include "core/error.h"
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

void pd_session_edit_property(pd_session *session, const pd_command *property) {
    if (!session->edited || property->kind != PD_COMMAND_PROPERTY) return;
    int material = property->is.property.material;
    if (material >= session->edited->material_count) return;
    session->edited->materials[material].property[property->is.property.property] = property->is.property.value;
}

static pd_result queue(pd_session *session, const pd_scene *scene, pd_error *error) {
    pd_scene *copy = malloc(sizeof *copy);
    if (!copy) return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "cannot change the scene: out of memory");
    pd_result result = pd_scene_copy(copy, scene, error);
    if (result) {
        free(copy);
        return result;
    }
    pd_session_forget_edit(session);
    session->edited = copy;
    for (int i = 0; i < session->queue.count; i++) pd_session_edit_property(session, &session->queue.items[i]);
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
