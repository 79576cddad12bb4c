/* Creation, check and copy of commands, and the function that applies commands to a world. */
#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "scene/edit.h"
#include "scene/features.h"
#include "scene/items.h"
#include "sim/step.h"
#include "sim/world.h"

#include <math.h>
#include <puddle/command.h>
#include <string.h>

static bool is_finite(pd_vec2 v) { return isfinite(v.x) && isfinite(v.y); }

/* Returns whether `text`, an array of `size` bytes, is one word that ends with a zero byte. */
static bool is_word(const char *text, size_t size) {
    size_t length = strnlen(text, size);
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] <= ' ' || text[i] == 127) return false;
    return length > 0 && length < size;
}

static pd_result check_tool(const pd_tool *tool, pd_error *error) {
    if ((unsigned)tool->kind > PD_TOOL_ERASE)
        return pd_fail(error, PD_ERROR_USAGE, "no tool is of the kind %d (use a pd_tool_kind)", (int)tool->kind);
    if (tool->kind == PD_TOOL_NONE) return PD_OK;
    if (!is_finite(tool->position) || !is_finite(tool->velocity) || !isfinite(tool->radius))
        return pd_fail(error, PD_ERROR_USAGE, "the tool's numbers are not finite (use finite ones)");
    bool has_material = tool->kind == PD_TOOL_PAINT || tool->kind == PD_TOOL_POUR;
    if (has_material && (tool->material < 0 || tool->material >= PD_MAX_MATERIALS))
        return pd_fail(error, PD_ERROR_USAGE, "no material %d (a scene has at most %d)", tool->material,
                       PD_MAX_MATERIALS);
    if (tool->kind == PD_TOOL_MOVE && (tool->obstacle < -1 || tool->obstacle >= PD_MAX_ITEMS))
        return pd_fail(error, PD_ERROR_USAGE, "no obstacle %d (a scene has at most %d)", tool->obstacle, PD_MAX_ITEMS);
    return PD_OK;
}

static pd_result check_property(int material, int property, float value, pd_error *error) {
    if (material < 0 || material >= PD_MAX_MATERIALS)
        return pd_fail(error, PD_ERROR_USAGE, "no material %d (a scene has at most %d)", material, PD_MAX_MATERIALS);
    pd_result result = pd_property_check_index(property, error);
    if (result != PD_OK) return result;
    if (isinf(value)) return pd_fail(error, PD_ERROR_USAGE, "the property's value is not finite (use a finite one)");
    return PD_OK;
}

pd_result pd_command_check(const pd_command *command, pd_error *error) {
    switch (command->kind) {
    case PD_COMMAND_TOOL:
        return check_tool(&command->is.tool, error);
    case PD_COMMAND_GRAVITY:
        if (is_finite(command->is.gravity)) return PD_OK;
        return pd_fail(error, PD_ERROR_USAGE, "gravity is not finite (use finite numbers)");
    case PD_COMMAND_PARAMETER:
        if (!is_word(command->is.parameter.key, sizeof command->is.parameter.key))
            return pd_fail(error, PD_ERROR_USAGE, "the parameter's key is not one word (see 'puddle list parameters')");
        if (!isinf(command->is.parameter.value)) return PD_OK;
        return pd_fail(error, PD_ERROR_USAGE, "the parameter's value is not finite (use a finite one)");
    case PD_COMMAND_PROPERTY:
        return check_property(command->is.property.material, (int)command->is.property.property,
                              command->is.property.value, error);
    case PD_COMMAND_METHOD:
        if (is_word(command->is.method, sizeof command->is.method)) return PD_OK;
        return pd_fail(error, PD_ERROR_USAGE, "the method's name is not one word (see 'puddle list methods')");
    case PD_COMMAND_PARTICLES:
        if (command->is.particles >= 0 && command->is.particles <= PD_MAX_PARTICLES) return PD_OK;
        return pd_fail(error, PD_ERROR_USAGE, "%d particles (use 0 to %d)", command->is.particles, PD_MAX_PARTICLES);
    case PD_COMMAND_EDIT:
        if (command->is.edit) return PD_OK;
        return pd_fail(error, PD_ERROR_USAGE, "the edit is missing (use pd_command_edit)");
    case PD_COMMAND_SCENE:
        if (command->is.scene) return PD_OK;
        return pd_fail(error, PD_ERROR_USAGE, "the scene is missing (use pd_command_scene)");
    case PD_COMMAND_STATE:
        if (command->is.state && !strchr(command->is.state, '\n')) return PD_OK;
        return pd_fail(error, PD_ERROR_USAGE, "the text of a state is not one line (use pd_command_state)");
    case PD_COMMAND_RESET:
    case PD_COMMAND_RESTART:
        return PD_OK;
    }
    return pd_fail(error, PD_ERROR_USAGE, "no command is of the kind %d (use a pd_command_kind)", (int)command->kind);
}

pd_result pd_command_edit(pd_command *command, const pd_scene *from, const pd_scene *to, pd_error *error) {
    *command = (pd_command){PD_COMMAND_EDIT, .is.edit = pd_edit_create()};
    pd_result result = pd_edit_add_difference(command->is.edit, from, to, error);
    if (result != PD_OK) pd_command_free(command);
    return result;
}

/* Stores a scene that is read from the text of `scene`, since a log contains only this text and must replay the same
 * world. */
pd_result pd_command_scene(pd_command *command, const pd_scene *scene, pd_error *error) {
    char *text;
    size_t length;
    *command = (pd_command){PD_COMMAND_SCENE, .is.scene = pd_memory_require(1, sizeof *scene)};
    pd_result result = pd_scene_write_snapshot_text(scene, &text, &length, error);
    if (result == PD_OK) {
        result = pd_scene_read_snapshot_text(text, length, "scene", command->is.scene, error);
        pd_memory_free(text);
    }
    /* The text has no place for the lines about files, which are messages to the user of this session. */
    if (result == PD_OK) pd_scene_copy_left_out(command->is.scene, scene);
    if (result != PD_OK) pd_command_free(command);
    return result;
}

pd_result pd_command_state(pd_command *command, const pd_world *world, pd_error *error) {
    void *bytes;
    size_t size;
    *command = (pd_command){.kind = PD_COMMAND_STATE};
    pd_result result = pd_world_save_to_memory(world, &bytes, &size, error);
    if (result != PD_OK) return result;
    command->is.state = pd_base64_encode(bytes, size);
    pd_memory_free(bytes);
    return command->is.state ? PD_OK : pd_fail_memory(error, "a command");
}

pd_result pd_command_copy(pd_command *to, const pd_command *from, pd_error *error) {
    *to = *from;
    switch (from->kind) {
    case PD_COMMAND_EDIT:
        to->is.edit = pd_edit_copy(from->is.edit);
        return to->is.edit ? PD_OK : pd_fail_memory(error, "a command");
    case PD_COMMAND_STATE:
        to->is.state = pd_memory_copy(from->is.state, strlen(from->is.state) + 1);
        return to->is.state ? PD_OK : pd_fail_memory(error, "a command");
    case PD_COMMAND_SCENE: {
        to->is.scene = pd_memory_require(1, sizeof *to->is.scene);
        pd_result result = pd_scene_copy(to->is.scene, from->is.scene, error);
        if (result != PD_OK) pd_command_free(to);
        return result;
    }
    default:
        return PD_OK;
    }
}

void pd_command_free(pd_command *command) {
    if (command->kind == PD_COMMAND_EDIT) {
        pd_edit_destroy(command->is.edit);
        command->is.edit = NULL;
    } else if (command->kind == PD_COMMAND_STATE) {
        pd_memory_free(command->is.state);
        command->is.state = NULL;
    } else if (command->kind == PD_COMMAND_SCENE && command->is.scene) {
        pd_scene_free(command->is.scene);
        pd_memory_free(command->is.scene);
        command->is.scene = NULL;
    }
}

static pd_result restore_base64_state(pd_world *world, const char *text, pd_error *error) {
    size_t length = strlen(text), size;
    void *bytes = pd_base64_decode(text, length, &size);
    if (!bytes && length == strspn(text, PD_BASE64_DIGITS)) return pd_fail_memory(error, "a snapshot");
    if (!bytes)
        return pd_fail(error, PD_ERROR_SNAPSHOT_BROKEN,
                       "the command's snapshot is not base 64 (use a log that puddle wrote)");
    pd_result result = pd_world_restore_from_memory(world, bytes, size, error);
    pd_memory_free(bytes);
    return result;
}

static pd_result apply_checked_command(pd_world *world, const pd_command *command, pd_error *error) {
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
        return pd_world_set_particle_count(world, command->is.particles, error);
    case PD_COMMAND_RESET:
        pd_world_reset(world);
        return PD_OK;
    case PD_COMMAND_EDIT:
        return pd_world_edit(world, command->is.edit, error);
    case PD_COMMAND_SCENE:
        return pd_world_set_scene(world, command->is.scene, error);
    case PD_COMMAND_STATE:
        return restore_base64_state(world, command->is.state, error);
    case PD_COMMAND_RESTART:
        break;
    }
    return pd_fail(error, PD_ERROR_USAGE, "this command needs a log (use pd_log_do)");
}

pd_result pd_world_add_body(pd_world *world, const pd_scene_body *body, pd_error *error) {
    pd_scene scene;
    pd_command command;
    pd_result result = pd_scene_copy(&scene, &world->scene, error);
    if (result != PD_OK) return result;
    result = pd_scene_add_body(&scene, body, error);
    if (result == PD_OK) result = pd_command_edit(&command, &world->scene, &scene, error);
    pd_scene_free(&scene);
    if (result != PD_OK) return result;
    result = pd_world_apply(world, &command, error);
    pd_command_free(&command);
    return result;
}

pd_result pd_world_apply(pd_world *world, const pd_command *command, pd_error *error) {
    size_t refusals = pd_memory_refused_request_count();
    pd_result result = pd_command_check(command, error);
    if (result != PD_OK) return result;
    pd_step_finish(world);
    result = apply_checked_command(world, command, error);
    if (result == PD_OK) world->memory_refused = pd_memory_refused_request_count() != refusals;
    return result;
}
