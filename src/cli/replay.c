/* puddle replay: replays a log in a window, or records its frames. */
#include "cli/commands.h"
#include "cli/json.h"
#include "core/error.h"
#include <puddle/memory.h>
#include <stdio.h>
#include <string.h>

static int print_json(const pd_world *world, const pd_log *log) {
    uint64_t diverged = pd_log_first_divergence(log);
    cJSON *object = cJSON_CreateObject();
    cJSON_AddNumberToObject(object, "steps", (double)pd_log_tick(log));
    json_add_wall_impulses(object, world);
    json_add_bodies(object, world);
    json_add_world_hash(object, world);
    if (diverged == PD_LOG_NEVER)
        cJSON_AddNullToObject(object, "diverged_at");
    else
        cJSON_AddNumberToObject(object, "diverged_at", (double)diverged);
    cJSON_AddNumberToObject(object, "logged_steps", (double)pd_log_end_tick(log));
    cJSON_AddBoolToObject(object, "interrupted", is_interrupted());
    return json_print(object);
}

static void warn_of_damage(const char *damage) {
    if (*damage) fprintf(stderr, "puddle: warning: %s; what comes before is played\n", damage);
}

int replay_print_summary(const options *options, const pd_world *world, const pd_log *log) {
    uint64_t diverged = pd_log_first_divergence(log);
    if (diverged != PD_LOG_NEVER) {
        const char *writer = pd_log_writer_version(log);
        char by[64] = "another version of puddle";
        if (*writer) snprintf(by, sizeof by, "puddle %s", writer);
        bool same = strcmp(writer, pd_version()) == 0;
        fprintf(stderr, "puddle: warning: the replay differs from the log from step %llu on (%s%s%s)\n",
                (unsigned long long)pd_log_first_divergence(log), same ? "" : by, same ? "" : " wrote the log, or ",
                "the log was changed");
    }
    bool streams = options->output &&
                   strcmp(options->output, "-") == 0; /* standard output receives pixels, so text would damage them */
    if (pd_log_was_refused_memory(log))
        fprintf(stderr, "puddle: warning: the log ends at step %llu, because memory was refused in the next step\n",
                (unsigned long long)pd_log_end_tick(log));
    if (options->json) return print_json(world, log);
    if (!options->quiet && !streams)
        printf("%llu of %llu step%s replayed%s\n", (unsigned long long)pd_log_tick(log),
               (unsigned long long)pd_log_end_tick(log), pd_log_end_tick(log) == 1 ? "" : "s",
               diverged == PD_LOG_NEVER ? ", every hash as logged" : "");
    return 0;
}

/* Returns a copy of the options with at most as many steps as the log has. dt: simulated time of a step, s. */
static options limit_steps_to_log(const options *given, const pd_log *log, double dt) {
    options limited = *given;
    long long steps = options_count_steps(given, dt), all = (long long)pd_log_end_tick(log);
    limited.steps = options_has_end(given) && steps < all ? steps : all;
    limited.seconds = 0;
    if (given->at >= 0 && steps > all) limited.at = -1;
    return limited;
}

static int print_compared_worlds(const options *options, const log_input *input, long long steps) {
    if (options->json) {
        cJSON *object = cJSON_CreateObject();
        cJSON_AddNumberToObject(object, "steps", (double)input->tick);
        json_add_compared_worlds(object, input->worlds);
        cJSON_AddNullToObject(
            object,
            "diverged_at"); /* null, since the log's hashes are valid only for the method that it was recorded with */
        cJSON_AddNumberToObject(object, "logged_steps", (double)steps);
        cJSON_AddBoolToObject(object, "interrupted", is_interrupted());
        return json_print(object);
    }
    if (!options->quiet && strcmp(options->output, "-") != 0)
        printf("%llu of %lld step%s replayed under %s and %s\n", (unsigned long long)input->tick, steps,
               steps == 1 ? "" : "s", input->methods[0]->name, input->methods[1]->name);
    return 0;
}

/* Replays a log under the two methods of --compare, and records both worlds side by side. */
static int replay_under_two_methods(const options *given) {
    pd_error error;
    pd_log *log;
    log_input input;
    char damage[PD_MAX_LOG_DAMAGE];
    pd_result result = log_input_open(&input, &log, given->scenes[0], given->compared, given->threads, damage, &error);
    if (result == PD_OK) {
        warn_of_damage(damage);
        for (int i = 0; i < 2; i++) report_warnings(given, input.worlds[i]);
        options options = limit_steps_to_log(given, log, (double)pd_world_scene(input.worlds[0])->dt);
        result = render_log_input(&options, &input, &error);
        if (result == PD_OK)
            result = log_input_apply_commands(&input, &error); /* applies the commands after the last step */
    }
    int code = result ? report_error(&error) : print_compared_worlds(given, &input, (long long)pd_log_end_tick(log));
    log_input_free(&input);
    pd_log_destroy(log);
    return code;
}

pd_result replay_read_log(const options *options, pd_log **log, pd_world **world, pd_error *error) {
    char damage[PD_MAX_LOG_DAMAGE];
    pd_world_def def = pd_world_def_default();
    def.threads = options->threads;
    pd_result result = pd_log_read(log, world, options->scenes[0], &def, damage, error);
    if (!result) warn_of_damage(damage);
    return result;
}

int command_replay(const options *given) {
    pd_error error;
    pd_log *log;
    pd_world *world;
    if (given->compared[0]) return replay_under_two_methods(given);
    if (!given->output) return command_window(given);
    if (replay_read_log(given, &log, &world, &error) != PD_OK) return report_error(&error);
    pd_log_set_keyframe_budget(log, 0); /* a single replay needs no keyframes */
    options options = limit_steps_to_log(given, log, (double)pd_world_scene(world)->dt);
    pd_result result = render_world(&options, world, log, &error);
    if (!result) pd_log_replay_commands(log, world); /* applies the commands after the last step */
    int code = result ? report_error(&error) : replay_print_summary(&options, world, log);
    pd_log_destroy(log);
    pd_world_destroy(world);
    return code;
}

/* ---- A log in two worlds with different methods ---- */

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
