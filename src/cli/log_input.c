/* Applies the commands of a log to two worlds with different methods. */
#include "cli/log_input.h"

#include "core/error.h"

#include <puddle/memory.h>
#include <string.h>

/* Sets the method of a world. A world at step 0 is reset, so that the new method begins with the fluid of the scene. */
static pd_result set_world_method(pd_world *world, const pd_method_info *method, pd_error *error) {
    if (pd_world_method(world) == method) return PD_OK;
    pd_result result = pd_world_set_method(world, method->name, error);
    if (result == PD_OK && pd_world_steps(world) == 0) pd_world_reset(world);
    return result;
}

pd_result log_input_open(log_input *input, pd_log **log, const char *path, const pd_method_info *const methods[2],
                         int threads, char damage[PD_MAX_LOG_DAMAGE], pd_error *error) {
    pd_world_def def = pd_world_def_default();
    pd_result result = PD_OK;
    def.threads = threads;
    *input = (log_input){.methods = {methods[0], methods[1]}};
    *log = NULL;
    for (int i = 0; i < 2 && result == PD_OK; i++) {
        pd_log_destroy(*log);
        result = pd_log_read(log, &input->worlds[i], path, &def, damage, error);
        if (result == PD_OK) result = set_world_method(input->worlds[i], methods[i], error);
        if (result == PD_OK)
            result = pd_world_save_to_memory(input->worlds[i], &input->starts[i], &input->sizes[i], error);
    }
    input->log = *log;
    return result;
}

static pd_result apply_command_to_world(log_input *input, int world_index, const pd_command *command, pd_error *error) {
    pd_world *world = input->worlds[world_index];
    pd_result result = PD_OK;
    switch (command->kind) {
    case PD_COMMAND_METHOD:
    case PD_COMMAND_STATE:
        return PD_OK;
    case PD_COMMAND_RESTART:
        for (int i = input->next - 1; i >= 0; i--)
            if (pd_log_command(input->log, i, NULL)->kind == PD_COMMAND_SCENE)
                return apply_command_to_world(input, world_index, pd_log_command(input->log, i, NULL), error);
        return pd_world_restore_from_memory(world, input->starts[world_index], input->sizes[world_index], error);
    default:
        result = pd_world_apply(world, command, error);
        return result == PD_OK ? set_world_method(world, input->methods[world_index], error) : result;
    }
}

pd_result log_input_apply_commands(log_input *input, pd_error *error) {
    uint64_t tick;
    for (; input->next < pd_log_commands(input->log); input->next++) {
        const pd_command *command = pd_log_command(input->log, input->next, &tick);
        if (tick > input->tick) break;
        for (int i = 0; i < 2; i++) {
            pd_error why;
            if (apply_command_to_world(input, i, command, &why) == PD_OK) continue;
            return pd_fail(error, why.code, "cannot apply the log's input of step %llu under %s: %s",
                           (unsigned long long)tick, input->methods[i]->name, why.message);
        }
    }
    return PD_OK;
}

void log_input_count_step(log_input *input) { input->tick++; }

void log_input_free(log_input *input) {
    for (int i = 0; i < 2; i++) {
        pd_memory_free(input->starts[i]);
        pd_world_destroy(input->worlds[i]);
    }
    memset(input, 0, sizeof *input);
}
