/* Edits of the scene while it runs: walls, emitters, drains and materials. */
#include "app/session/session.h"

#include "core/error.h"

const pd_scene *pd_session_scene(const pd_session *session) { return pd_world_next_scene(session->world); }

bool pd_session_edit(pd_session *session, const pd_scene *scene) {
    pd_error error;
    pd_command command;
    pd_result result = pd_command_edit(&command, pd_session_scene(session), scene, &error);
    if (result == PD_OK) {
        result = pd_session_do(session, &command, &error);
        pd_command_free(&command);
    }
    if (result != PD_OK) pd_announce_error(session->announcer, &error);
    return result == PD_OK;
}
