/* The one function through which commands change a world. */
#include "core/error.h"
#include "sim/world.h"
#include <puddle/command.h>

#include <math.h>

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
    case PD_COMMAND_RESTART:
        break;
    }
    return pd_fail(error, PD_ERROR_USAGE, "this command needs a log (use pd_log_do)");
}
