/* Commands as values, and the one function through which they change a world. */
#include "core/error.h"
#include "scene/edit.h"
#include "scene/features.h"
#include "sim/world.h"
#include <puddle/command.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

pd_result pd_command_edit(pd_command *command, const pd_scene *from, const pd_scene *to, pd_error *error) {
    *command = (pd_command){.kind = PD_COMMAND_EDIT};
    return pd_edit_write(from, to, &command->is.edit, error);
}

pd_result pd_command_scene(pd_command *command, const pd_scene *scene, pd_error *error) {
    size_t length;
    *command = (pd_command){.kind = PD_COMMAND_SCENE};
    return pd_scene_write_saved(scene, &command->is.scene, &length, error);
}

/* The text that a command owns; NULL: its kind has none. */
static char **owned(pd_command *command) {
    if (command->kind == PD_COMMAND_EDIT) return &command->is.edit;
    return command->kind == PD_COMMAND_SCENE ? &command->is.scene : NULL;
}

pd_result pd_command_copy(pd_command *to, const pd_command *from, pd_error *error) {
    *to = *from;
    char **text = owned(to);
    if (!text) return PD_OK;
    *text = strdup(*text);
    if (*text) return PD_OK;
    return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for a command (close other programs)");
}

void pd_command_free(pd_command *command) {
    char **text = owned(command);
    if (!text) return;
    free(*text);
    *text = NULL;
}

static pd_result set_scene(pd_world *world, const char *text, pd_error *error) {
    pd_scene scene;
    pd_result result = pd_scene_read_saved(text, strlen(text), "scene", &scene, error);
    if (result != PD_OK) return result;
    result = pd_world_set_scene(world, &scene, error);
    pd_scene_free(&scene);
    return result;
}

pd_result pd_world_apply(pd_world *world, const pd_command *command, pd_error *error) {
    bool within = command->kind == PD_COMMAND_RESET || command->kind == PD_COMMAND_PARTICLES;
    PD_ASSERT(within || !pd_world_stepping(world));
    switch (command->kind) {
    case PD_COMMAND_TOOL:
        pd_world_set_tool(world, &command->is.tool);
        return PD_OK;
    case PD_COMMAND_GRAVITY:
        pd_world_set_gravity(world, command->is.gravity);
        return PD_OK;
    case PD_COMMAND_PARAMETER:
        if (isnan(command->is.parameter.value))
            return pd_world_reset_parameter(world, command->is.parameter.key, error);
        return pd_world_set_parameter(world, command->is.parameter.key, command->is.parameter.value, error);
    case PD_COMMAND_PROPERTY:
        return pd_world_set_property(world, command->is.property.material, command->is.property.property,
                                     command->is.property.value, error);
    case PD_COMMAND_METHOD:
        return pd_world_set_method(world, command->is.method, error);
    case PD_COMMAND_PARTICLES:
        return pd_world_set_particles(world, command->is.particles, error);
    case PD_COMMAND_RESET:
        pd_world_reset(world);
        return PD_OK;
    case PD_COMMAND_EDIT:
        return pd_world_edit(world, command->is.edit, error);
    case PD_COMMAND_SCENE:
        return set_scene(world, command->is.scene, error);
    case PD_COMMAND_RESTART:
        break;
    }
    return pd_fail(error, PD_ERROR_USAGE, "this command needs a log (use pd_log_do)");
}
