/* Logs in memory: recording of commands, keyframes, replay, seeking. */
#include "log/log.h"
#include "core/array.h"
#include "core/memory.h"

#include "core/error.h"
#include "core/timer.h"
#include "scene/edit.h"

#include <math.h>
#include <string.h>

enum { TEMPORARY_SPAN = 120 /* a temporary keyframe is removed when it is this many ticks before the present */ };

/* ---- Creation and destruction ---- */

static pd_result save_keyframe(const pd_world *world, uint64_t tick, pd_keyframe *keyframe, pd_error *error) {
    keyframe->tick = tick;
    keyframe->temporary = false;
    return pd_world_save_to_memory(world, &keyframe->bytes, &keyframe->size, error);
}

static bool copy_keyframe(pd_keyframe *copy, const pd_keyframe *source) {
    *copy = (pd_keyframe){source->tick, pd_memory_copy(source->bytes, source->size), source->size, false};
    return copy->bytes != NULL;
}

pd_result pd_log_create_with_restart(pd_log **created, const pd_world *world, const pd_keyframe *restart,
                                     pd_error *error) {
    *created = NULL;
    pd_log *log = pd_memory_require(1, sizeof *log);
    log->budget = PD_LOG_BUDGET;
    log->diverged = PD_LOG_NEVER;
    PD_LIST_REQUIRE(log->keyframes, log->keyframe_capacity, 1);
    PD_LIST_REQUIRE(log->entries, log->capacity, 1);
    pd_result result = save_keyframe(world, 0, &log->keyframes[0], error);
    if (result == PD_OK) {
        log->bytes = log->keyframes[0].size;
        log->keyframe_count = 1;
        if (restart && !copy_keyframe(&log->restart, restart)) result = pd_fail_memory(error, "the log");
    }
    if (result == PD_OK) result = pd_scene_copy(&log->scene, pd_world_scene(world), error);
    if (result != PD_OK) {
        pd_log_destroy(log);
        return result;
    }
    *created = log;
    return PD_OK;
}

pd_result pd_log_create(pd_log **log, const pd_world *world, pd_error *error) {
    return pd_log_create_with_restart(log, world, NULL, error);
}

void pd_log_destroy(pd_log *log) {
    if (!log) return;
    if (log->file) pd_log_end_autosave(log, NULL, NULL);
    pd_log_free_undo_records(log);
    for (int i = 0; i < log->keyframe_count; i++) pd_memory_free(log->keyframes[i].bytes);
    pd_memory_free(log->keyframes);
    pd_memory_free(log->restart.bytes);
    for (int i = 0; i < log->count; i++) pd_command_free(&log->entries[i].command);
    pd_memory_free(log->entries);
    pd_memory_free(log->checks);
    pd_scene_free(&log->scene);
    pd_memory_free(log);
}

void pd_log_set_keyframe_budget(pd_log *log, size_t max_bytes) { log->budget = max_bytes; }
size_t pd_log_keyframe_bytes(const pd_log *log) { return log->bytes; }
uint64_t pd_log_tick(const pd_log *log) { return log->tick; }
uint64_t pd_log_end_tick(const pd_log *log) { return log->end; }
int pd_log_commands(const pd_log *log) { return log->count; }
uint64_t pd_log_first_divergence(const pd_log *log) { return log->diverged; }
const char *pd_log_writer_version(const pd_log *log) { return log->writer; }

const pd_command *pd_log_command(const pd_log *log, int index, uint64_t *tick) {
    PD_ASSERT_INDEX("command", index, log->count);
    if (tick) *tick = log->entries[index].tick;
    return &log->entries[index].command;
}

/* Returns the index of the first of `count` items at or after a tick. size: of an item, bytes; offset: of its tick, bytes. */
static int find_first_index_at(uint64_t tick, const void *items, int count, size_t size, size_t offset) {
    int low = 0, high = count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (*(const uint64_t *)(const void *)((const char *)items + (size_t)middle * size + offset) < tick)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int pd_log_first_command_index(const pd_log *log, uint64_t tick) {
    return find_first_index_at(tick, log->entries, log->count, sizeof *log->entries, offsetof(pd_log_entry, tick));
}

/* ---- Keyframes ---- */

/* Returns the number of keyframes at or before a tick. */
static int count_keyframes_up_to(const pd_log *log, uint64_t tick) {
    return find_first_index_at(tick + 1, log->keyframes, log->keyframe_count, sizeof *log->keyframes,
                               offsetof(pd_keyframe, tick));
}

static void remove_keyframe(pd_log *log, int index) {
    log->bytes -= log->keyframes[index].size;
    pd_memory_free(log->keyframes[index].bytes);
    log->keyframe_count--;
    memmove(&log->keyframes[index], &log->keyframes[index + 1],
            (size_t)(log->keyframe_count - index) * sizeof *log->keyframes);
}

/* Removes keyframes until the remaining ones fit into log->budget, but never the first one. Removes the keyframe with the
 * smallest (ticks between its two neighbours) / (ticks from the present) first, so that keyframes remain dense near the
 * present. */
static void remove_excess_keyframes(pd_log *log) {
    while (log->bytes > log->budget && log->keyframe_count > 1) {
        int least = log->keyframe_count - 1;
        double least_cost = 0;
        for (int i = 1; i + 1 < log->keyframe_count; i++) {
            uint64_t tick = log->keyframes[i].tick, distance = tick > log->tick ? tick - log->tick : log->tick - tick;
            double gap = (double)(log->keyframes[i + 1].tick - log->keyframes[i - 1].tick);
            double cost = gap / (double)(distance + PD_KEYFRAME_TICKS);
            if (i > 1 && cost >= least_cost) continue;
            least_cost = cost;
            least = i;
        }
        remove_keyframe(log, least);
    }
}

void pd_log_add_keyframe_from_world(pd_log *log, const pd_world *world, uint64_t tick, bool temporary) {
    int before = count_keyframes_up_to(log, tick);
    if (log->keyframes[before - 1].tick == tick) {
        if (!temporary) log->keyframes[before - 1].temporary = false;
        return;
    }
    if (pd_world_snapshot_size(world) > log->budget / 2) return;
    pd_keyframe keyframe;
    if (save_keyframe(world, tick, &keyframe, NULL) != PD_OK) return;
    PD_LIST_REQUIRE(log->keyframes, log->keyframe_capacity, log->keyframe_count + 1);
    keyframe.temporary = temporary;
    memmove(&log->keyframes[before + 1], &log->keyframes[before],
            (size_t)(log->keyframe_count - before) * sizeof keyframe);
    log->keyframes[before] = keyframe;
    log->keyframe_count++;
    log->bytes += keyframe.size;
    remove_excess_keyframes(log);
}

void pd_log_add_keyframe(pd_log *log, const pd_world *world, bool temporary) {
    if (log->applied == pd_log_first_command_index(log, log->tick))
        pd_log_add_keyframe_from_world(log, world, log->tick, temporary);
}

/* Adds a keyframe if the present tick is a multiple of PD_TEMPORARY_TICKS. Unless the tick is also a multiple of
 * PD_KEYFRAME_TICKS, the keyframe is removed after TEMPORARY_SPAN ticks. Dense keyframes let pd_reverse_go_back begin without
 * delay. */
static void add_keyframe_if_due(pd_log *log, const pd_world *world) {
    if (log->tick % PD_TEMPORARY_TICKS != 0) return;
    pd_log_add_keyframe(log, world, log->tick % PD_KEYFRAME_TICKS != 0);
    if (log->tick < TEMPORARY_SPAN) return;
    int old = count_keyframes_up_to(log, log->tick - TEMPORARY_SPAN) - 1;
    if (log->keyframes[old].temporary) remove_keyframe(log, old);
}

pd_keyframe *pd_log_detach_later_keyframes(pd_log *log, int *count) {
    int first = count_keyframes_up_to(log, log->tick);
    *count = log->keyframe_count - first;
    pd_keyframe *taken = pd_memory_require((size_t)*count, sizeof *taken);
    if (*count > 0) memcpy(taken, log->keyframes + first, (size_t)*count * sizeof *taken);
    log->keyframe_count = first;
    return taken;
}

void pd_log_attach_keyframes(pd_log *log, const pd_keyframe *keyframes, int count) {
    PD_LIST_REQUIRE(log->keyframes, log->keyframe_capacity, log->keyframe_count + count);
    for (int i = 0; i < count; i++) log->keyframes[log->keyframe_count++] = keyframes[i];
}

bool pd_log_find_keyframe_before(const pd_log *log, uint64_t tick, uint64_t *keyframe_tick) {
    int count = tick > 0 ? count_keyframes_up_to(log, tick - 1) : 0;
    if (count > 0) *keyframe_tick = log->keyframes[count - 1].tick;
    return count > 0;
}

/* ---- Recording ---- */

void pd_log_append_owned_entry(pd_log *log, const pd_log_entry *entry) {
    log->entries[log->count++] = *entry;
    const pd_command *command = &entry->command;
    if (command->kind == PD_COMMAND_SCENE) log->materials_changed = true;
    if (command->kind == PD_COMMAND_EDIT && pd_edit_changes_materials(command->is.edit)) log->materials_changed = true;
}

pd_result pd_log_append_copy(pd_log *log, uint64_t tick, const pd_command *command, pd_error *error) {
    pd_log_entry entry = {.tick = tick, .joined = command->kind == PD_COMMAND_STATE};
    if (!PD_LIST_RESERVE(log->entries, log->capacity, log->count + 1)) return pd_fail_memory(error, "the log");
    if (pd_command_copy(&entry.command, command, error) != PD_OK) return PD_FAILED;
    pd_log_append_owned_entry(log, &entry);
    return PD_OK;
}

pd_result pd_log_append_hash(pd_log *log, uint64_t tick, uint64_t hash, pd_error *error) {
    if (!PD_LIST_RESERVE(log->checks, log->check_capacity, log->check_count + 1))
        return pd_fail_memory(error, "the log");
    log->checks[log->check_count++] = (pd_log_check){tick, hash, log->count};
    return PD_OK;
}

void pd_log_remove_after_tick(pd_log *log, uint64_t tick, int remaining_commands) {
    while (log->count > remaining_commands) pd_command_free(&log->entries[--log->count].command);
    log->end = tick;
    log->ends_by_refusal = false;
    while (log->check_count > 0 && log->checks[log->check_count - 1].tick > tick) log->check_count--;
    while (log->keyframe_count > 1 && log->keyframes[log->keyframe_count - 1].tick > tick)
        remove_keyframe(log, log->keyframe_count - 1);
}

void pd_log_remove_after_present(pd_log *log) {
    if (log->tick == log->end && log->applied == log->count && !log->ends_by_refusal) return;
    pd_log_remove_after_tick(log, log->tick, log->applied);
    pd_log_autosave_back_line(log, log->tick, log->applied);
    if (log->diverged != PD_LOG_NEVER && log->diverged > log->tick) log->diverged = PD_LOG_NEVER;
}

/* Removes the commands after the present tick. If that removes commands older than the undone ones, a redo is
 * impossible: then also frees the undo records. */
void pd_log_remove_future(pd_log *log) {
    pd_log_remove_after_present(log);
    if (log->undo_record_count > 0 && log->count < log->undone[log->undo_record_count - 1].first_command)
        pd_log_free_undo_records(log);
}

const pd_command *pd_log_find_scene_command_before(const pd_log *log, int commands_before) {
    int count = commands_before;
    while (count > 0 && log->entries[count - 1].command.kind != PD_COMMAND_SCENE) count--;
    return count > 0 ? &log->entries[count - 1].command : NULL;
}

pd_result pd_log_apply(const pd_log *log, pd_world *world, int commands_before, const pd_command *command,
                       pd_error *error) {
    if (command->kind != PD_COMMAND_RESTART) return pd_world_apply(world, command, error);
    const pd_command *scene = pd_log_find_scene_command_before(log, commands_before);
    if (scene) return pd_world_apply(world, scene, error);
    const pd_keyframe *restart = pd_log_restart_state(log);
    return pd_world_restore_from_memory(world, restart->bytes, restart->size, error);
}

static bool is_command_without_effect(const pd_world *world, const pd_command *command) {
    if (command->kind == PD_COMMAND_EDIT) return command->is.edit->count == 0;
    if (command->kind != PD_COMMAND_TOOL) return false;
    pd_tool now = pd_world_tool(world), next = command->is.tool;
    if (next.kind == PD_TOOL_NONE) return now.kind == PD_TOOL_NONE;
    /* The world sets the material of other tools to 0. */
    bool has_material = next.kind == PD_TOOL_PAINT || next.kind == PD_TOOL_POUR;
    if (now.kind != next.kind || (has_material && now.material != next.material)) return false;
    if (next.kind == PD_TOOL_MOVE && now.obstacle != next.obstacle) return false;
    return now.position.x == next.position.x && now.position.y == next.position.y &&
           now.velocity.x == next.velocity.x && now.velocity.y == next.velocity.y && now.radius == next.radius;
}

void pd_log_finish_step(pd_log *log, pd_world *world) {
    if (!pd_world_stepping(world)) return;
    pd_world_step(world);
    pd_log_end_step(log, world);
}

/* Ends the log at the present tick: the world's next state is not that of a replay with more memory. */
static void end_log_by_refusal(pd_log *log) {
    log->is_left = log->ends_by_refusal = true;
    pd_log_autosave_refusal(log);
}

bool pd_log_was_refused_memory(const pd_log *log) { return log->ends_by_refusal; }
bool pd_log_is_left(const pd_log *log) { return log->is_left; }

pd_result pd_log_do(pd_log *log, pd_world *world, const pd_command *command, pd_error *error) {
    pd_log_entry entry;
    pd_result result = pd_command_check(command, error);
    if (result != PD_OK || is_command_without_effect(world, command)) return result;
    pd_log_finish_step(log, world);
    if (log->is_left)
        return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "the log ended when memory was refused (begin a new log)");
    if (!PD_LIST_RESERVE(log->entries, log->capacity, log->count + 1)) return pd_fail_memory(error, "the log");
    if (pd_command_copy(&entry.command, command, error) != PD_OK) return PD_FAILED;
    if (pd_log_begins_undo_unit(log, log->tick, command)) pd_log_add_keyframe(log, world, false);
    size_t refusals = pd_memory_refused_request_count();
    result = pd_log_apply(log, world, log->applied, command, error);
    if (result != PD_OK) {
        pd_command_free(&entry.command);
        return result;
    }
    pd_log_remove_future(log);
    pd_log_free_undo_records(log);
    if (pd_memory_refused_request_count() != refusals) {
        pd_command_free(&entry.command);
        end_log_by_refusal(log);
        return PD_OK;
    }
    entry.tick = log->tick;
    entry.joined = false;
    pd_log_append_owned_entry(log, &entry);
    log->applied = log->count;
    pd_log_autosave_command(log, &log->entries[log->count - 1]);
    return PD_OK;
}

/* Returns the index of the log's first hash at the present tick or later. */
static int find_hash_at_present(const pd_log *log) {
    return find_first_index_at(log->tick, log->checks, log->check_count, sizeof *log->checks,
                               offsetof(pd_log_check, tick));
}

/* Compares the world with the hash that the log has for the present tick and the commands applied so far. A difference sets
 * log->diverged. Returns false if the log has no such hash. */
static bool compare_world_with_logged_hash(pd_log *log, const pd_world *world) {
    for (int i = find_hash_at_present(log); i < log->check_count && log->checks[i].tick == log->tick; i++) {
        if (log->checks[i].commands_before != log->applied) continue;
        uint64_t hash = log->tick < log->diverged ? pd_world_hash(world) : log->checks[i].hash;
        if (hash != log->checks[i].hash && hash != 0) log->diverged = log->tick;
        return true;
    }
    return false;
}

/* Adds a hash of the world at each multiple of PD_LOG_HASH_TICKS, after all commands of the tick. Adds none if memory runs
 * out: pd_world_hash is then 0. */
static void record_hash_if_due(pd_log *log, const pd_world *world) {
    if (log->tick != log->end || log->tick % PD_LOG_HASH_TICKS != 0 || log->applied != log->count) return;
    uint64_t hash = pd_world_hash(world);
    if (hash != 0 && pd_log_append_hash(log, log->tick, hash, NULL) == PD_OK)
        pd_log_autosave_hash(log, &log->checks[log->check_count - 1]);
}

/* Records that memory was refused in a replay, which counts as diverged from the present tick on. */
static void record_refused_replay(pd_log *log) {
    log->is_left = true;
    if (log->tick < log->diverged) log->diverged = log->tick;
}

void pd_log_end_step(pd_log *log, pd_world *world) {
    bool recorded = log->tick == log->end;
    if (recorded && log->is_left) return;
    if (recorded) {
        /* Removes the log's commands of this tick that the world had not applied when the step began. */
        pd_log_remove_future(log);
        if (pd_world_was_refused_memory(world)) {
            end_log_by_refusal(log);
            return;
        }
    }
    log->tick++;
    if (log->tick > log->end) log->end = log->tick;
    if (!recorded && pd_world_was_refused_memory(world)) record_refused_replay(log);
    if (log->is_left) return;
    if (!compare_world_with_logged_hash(log, world)) record_hash_if_due(log, world);
    add_keyframe_if_due(log, world);
}

/* ---- Replay ---- */

/* Applies the log's commands up to the present tick, but only those before index `end_index`. Returns whether one of them
 * begins a scene (reset, restart, particles, scene). */
static bool apply_commands_until(pd_log *log, pd_world *world, int end_index) {
    bool begun = false;
    while (log->applied < end_index && log->entries[log->applied].tick <= log->tick) {
        const pd_command *command = &log->entries[log->applied].command;
        size_t refusals = pd_memory_refused_request_count();
        bool done = pd_log_apply(log, world, log->applied, command, NULL) == PD_OK;
        if (pd_memory_refused_request_count() != refusals)
            record_refused_replay(log);
        else if (!done && log->tick < log->diverged)
            log->diverged = log->tick;
        begun |= command->kind == PD_COMMAND_RESET || command->kind == PD_COMMAND_RESTART ||
                 command->kind == PD_COMMAND_PARTICLES || command->kind == PD_COMMAND_SCENE;
        log->applied++;
    }
    return begun;
}

bool pd_log_replay_commands(pd_log *log, pd_world *world) {
    bool begun = apply_commands_until(log, world, log->count);
    if (log->tick == log->end) compare_world_with_logged_hash(log, world);
    return begun;
}

pd_result pd_log_restore_state(pd_log *log, pd_world *world, const pd_keyframe *state, pd_error *error) {
    pd_result result = pd_world_restore_from_memory(world, state->bytes, state->size, error);
    if (result != PD_OK) return result;
    log->tick = state->tick;
    log->applied = pd_log_first_command_index(log, log->tick);
    log->is_left = false;
    return PD_OK;
}

/* Returns whether a replay from the world's present state reaches `tick`, with at most as many steps as from the keyframe
 * at keyframe_tick. An incomplete step is continued only if all commands of the step's tick were applied. */
static bool can_replay_to_tick(const pd_log *log, const pd_world *world, uint64_t tick, uint64_t keyframe_tick) {
    if (keyframe_tick > log->tick) return false;
    if (pd_world_stepping(world))
        return tick > log->tick && log->applied == pd_log_first_command_index(log, log->tick + 1);
    return tick > log->tick || (tick == log->tick && log->applied == pd_log_first_command_index(log, tick));
}

pd_result pd_log_seek_part(pd_log *log, pd_world *world, uint64_t tick, double wall_seconds, bool *arrived,
                           pd_error *error) {
    double begun = pd_now();
    if (tick > log->end) tick = log->end;
    const pd_keyframe *keyframe = &log->keyframes[count_keyframes_up_to(log, tick) - 1];
    pd_result result = PD_OK;
    if (log->is_left || !can_replay_to_tick(log, world, tick, keyframe->tick))
        result = pd_log_restore_state(log, world, keyframe, error);
    if (result != PD_OK) return result;
    for (double left = wall_seconds; log->tick < tick && left > 0; left = wall_seconds - (pd_now() - begun)) {
        uint64_t diverged = log->diverged;
        if (!pd_world_stepping(world)) pd_log_replay_commands(log, world);
        if (pd_world_step_part(world, left)) pd_log_end_step(log, world);
        if (!log->is_left) continue;
        log->diverged = diverged; /* the seek can be repeated with more memory */
        return pd_fail_memory(error, "the log");
    }
    *arrived = log->tick == tick;
    return PD_OK;
}

pd_result pd_log_seek(pd_log *log, pd_world *world, uint64_t tick, pd_error *error) {
    bool arrived;
    return pd_log_seek_part(log, world, tick, INFINITY, &arrived, error);
}

pd_result pd_log_seek_command(pd_log *log, pd_world *world, int index, pd_error *error) {
    if (index < 0 || index >= log->count)
        return pd_fail(error, PD_ERROR_USAGE, "no command %d (the log has %d)", index, log->count);
    pd_result result = pd_log_seek(log, world, log->entries[index].tick, error);
    if (result != PD_OK) return result;
    apply_commands_until(log, world, index);
    return log->is_left ? pd_fail_memory(error, "the log") : PD_OK;
}
