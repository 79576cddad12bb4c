/* Undo and redo. The unit of undo is an act of the user: a stroke of a tool, one movement of a slider, or a single
 * command. */
#include "core/memory.h"
#include "log/log.h"
#include "scene/edit.h"

#include "core/error.h"

#include <string.h>

/* Two changes of the same value at most this many ticks apart are one unit of undo, for example changes by a slider. */
enum { UNDO_UNIT_TICKS = 30 };

static bool do_commands_change_same_value(const pd_command *a, const pd_command *b) {
    if (a->kind != b->kind) return false;
    if (a->kind == PD_COMMAND_EDIT) return pd_edit_changes_same_item(a->is.edit, b->is.edit);
    if (a->kind == PD_COMMAND_GRAVITY) return true;
    if (a->kind == PD_COMMAND_PARAMETER) return strcmp(a->is.parameter.key, b->is.parameter.key) == 0;
    return a->kind == PD_COMMAND_PROPERTY && a->is.property.material == b->is.property.material &&
           a->is.property.property == b->is.property.property;
}

/* Returns whether a stroke is in progress (the tool is on) after the log's first `command_count` commands. */
static bool is_stroke_active_after(const pd_log *log, int command_count) {
    for (int i = command_count - 1; i >= 0; i--) {
        const pd_command *command = &log->entries[i].command;
        if (command->kind == PD_COMMAND_SCENE || command->kind == PD_COMMAND_RESTART)
            return false; /* a new or restarted scene ends the stroke */
        if (command->kind == PD_COMMAND_TOOL) return command->is.tool.kind != PD_TOOL_NONE;
    }
    return false;
}

/* Returns whether a command at `tick`, after the log's first `command_count` commands, belongs to the same unit of undo as
 * the last of these commands. */
static bool continues_undo_unit(const pd_log *log, int command_count, uint64_t tick, const pd_command *command) {
    if (command_count == 0) return false;
    if (is_stroke_active_after(log, command_count)) return true; /* all commands during a stroke are one unit of undo */
    const pd_log_entry *last = &log->entries[command_count - 1];
    return do_commands_change_same_value(&last->command, command) && tick - last->tick <= UNDO_UNIT_TICKS;
}

bool pd_log_begins_undo_unit(const pd_log *log, uint64_t tick, const pd_command *command) {
    return !continues_undo_unit(log, log->applied, tick, command);
}

/* Returns the index of the first command in the last unit of undo before the present. -1: there is nothing to undo. */
static int find_last_undo_unit(const pd_log *log) {
    int index = log->applied - 1;
    while (index > 0 && (log->entries[index].joined ||
                         continues_undo_unit(log, index, log->entries[index].tick, &log->entries[index].command)))
        index--;
    return index == 0 && log->entries[0].joined ? -1 : index;
}

bool pd_log_can_undo(const pd_log *log, uint64_t *steps) {
    int index = find_last_undo_unit(log);
    if (index < 0) return false;
    uint64_t tick = log->entries[index].tick, keyframe = 0;
    pd_log_find_keyframe_before(log, tick + 1, &keyframe);
    if (steps) *steps = tick - keyframe;
    return true;
}

void pd_log_join_last_acts(pd_log *log) {
    int index = find_last_undo_unit(log);
    if (index > 0) log->entries[index].joined = true;
}

bool pd_log_can_redo(const pd_log *log) { return log->undo_record_count > 0; }

static void free_undo_record(pd_log *log, pd_undo_record *undone) {
    for (int i = 0; i < undone->keyframe_count; i++) {
        log->bytes -= undone->keyframes[i].size;
        pd_memory_free(undone->keyframes[i].bytes);
    }
    pd_memory_free(undone->keyframes);
    pd_memory_free(undone->state.bytes);
    for (int i = 0; undone->entries && i < undone->entry_count; i++) pd_command_free(&undone->entries[i].command);
    pd_memory_free(undone->entries);
    pd_memory_free(undone->checks);
}

void pd_log_free_undo_records(pd_log *log) {
    for (int i = 0; i < log->undo_record_count; i++) free_undo_record(log, &log->undone[i]);
    log->undo_record_count = 0;
}

/* Copies to *undone what a redo needs: the world, the log's commands from index `first_command` on, and the hashes after
 * the tick of this command. */
static pd_result save_undo_record(pd_log *log, const pd_world *world, int first_command, pd_undo_record *undone,
                                  pd_error *error) {
    int check = log->check_count;
    uint64_t from = log->entries[first_command].tick;
    while (check > 0 && log->checks[check - 1].tick > from) check--;
    *undone = (pd_undo_record){from,         first_command,        log->tick,          log->end, log->applied,
                               log->is_left, log->ends_by_refusal, {.tick = log->tick}};
    undone->entry_count = log->count - first_command;
    undone->check_count = log->check_count - check;
    undone->entries = pd_memory_copy(log->entries + first_command, (size_t)undone->entry_count * sizeof *log->entries);
    bool copied = undone->entries != NULL;
    for (int i = 0; undone->entries && i < undone->entry_count; i++)
        copied &= pd_command_copy(&undone->entries[i].command, &log->entries[first_command + i].command, NULL) == PD_OK;
    undone->checks =
        pd_memory_copy(log->checks ? log->checks + check : NULL, (size_t)undone->check_count * sizeof *log->checks);
    pd_result result = pd_world_save_to_memory(world, &undone->state.bytes, &undone->state.size, error);
    if (result == PD_OK && (!copied || !undone->checks))
        result = pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory to undo (close other programs)");
    if (result != PD_OK) free_undo_record(log, undone);
    return result;
}

pd_result pd_log_undo(pd_log *log, pd_world *world, pd_error *error) {
    pd_undo_record undone;
    pd_log_finish_step(log, world);
    int index = find_last_undo_unit(log);
    if (index < 0) return PD_OK;
    pd_result result = save_undo_record(log, world, index, &undone, error);
    if (result != PD_OK) return result;
    result = pd_log_seek_command(log, world, index, error);
    if (result != PD_OK) { /* the failed seek may have moved the world to another tick: restores the present */
        if (pd_log_restore_state(log, world, &undone.state, NULL) == PD_OK) {
            log->applied = undone.applied;
            log->is_left = undone.is_left;
        }
        free_undo_record(log, &undone);
        return result;
    }
    undone.keyframes = pd_log_detach_later_keyframes(log, &undone.keyframe_count);
    pd_log_remove_after_present(log);
    if (log->undo_record_count == PD_MAX_UNDO_RECORDS) {
        free_undo_record(log, &log->undone[0]);
        log->undo_record_count--;
        memmove(&log->undone[0], &log->undone[1], (PD_MAX_UNDO_RECORDS - 1) * sizeof undone);
    }
    log->undone[log->undo_record_count++] = undone;
    return PD_OK;
}

pd_result pd_log_redo(pd_log *log, pd_world *world, pd_error *error) {
    pd_log_finish_step(log, world);
    if (log->undo_record_count == 0) return PD_OK;
    pd_undo_record *undone = &log->undone[log->undo_record_count - 1];
    pd_result result = pd_world_restore_from_memory(world, undone->state.bytes, undone->state.size, error);
    if (result != PD_OK) return result;
    pd_log_remove_after_tick(log, undone->to_tick, undone->first_command);
    pd_log_autosave_back_line(log, undone->to_tick, undone->first_command);
    int check = 0; /* index of the next removed hash: commands and hashes are appended in the order of their ticks */
    for (int i = 0; i < undone->entry_count || check < undone->check_count;) {
        bool entry = i < undone->entry_count &&
                     (check == undone->check_count || log->count < undone->checks[check].commands_before);
        if (entry) { /* appending needs no memory: the array had room for this entry before the undo */
            pd_log_append_owned_entry(log, &undone->entries[i]);
            undone->entries[i].command = (pd_command){0};
            pd_log_autosave_command(log, &log->entries[log->count - 1]);
        }
        if (!entry && pd_log_append_hash(log, undone->checks[check].tick, undone->checks[check].hash, NULL) == PD_OK)
            pd_log_autosave_hash(log, &log->checks[log->check_count - 1]);
        i += entry;
        check += !entry;
    }
    pd_log_attach_keyframes(log, undone->keyframes, undone->keyframe_count);
    undone->keyframe_count = 0;
    log->tick = undone->tick;
    log->end = undone->end;
    log->applied = undone->applied;
    log->is_left = undone->is_left;
    log->ends_by_refusal = undone->ends_by_refusal;
    free_undo_record(log, undone);
    log->undo_record_count--;
    return PD_OK;
}
