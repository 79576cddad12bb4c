/* Data of a log: commands, hashes, keyframes, undo records, autosave file. Functions that several files of src/log use. */
#ifndef PUDDLE_LOG_LOG_H
#define PUDDLE_LOG_LOG_H

#include <puddle/log.h>
#include <stdio.h>

typedef struct pd_log_entry {
    uint64_t tick;      /* tick at which the command was applied */
    pd_command command; /* the command, which the log frees */
    /* The command belongs to the act before it: pd_log_join_last_acts was called, or a PD_COMMAND_STATE was read from a
     * file. */
    bool joined;
} pd_log_entry;

/* The hash of the world at a tick, with which a replay compares its world. */
typedef struct pd_log_check {
    uint64_t tick, hash;
    int commands_before; /* number of the log's commands that were applied before the hash was computed */
} pd_log_check;

typedef struct pd_keyframe {
    uint64_t tick;  /* tick of the snapshot; commands of this tick are not applied yet */
    void *bytes;    /* snapshot of the world */
    size_t size;    /* size of the snapshot, bytes */
    bool temporary; /* the keyframe is removed when it is 120 ticks before the present */
} pd_keyframe;

/* A keyframe is added at each multiple of PD_TEMPORARY_TICKS. It is temporary unless its tick is also a multiple of
 * PD_KEYFRAME_TICKS. */
enum { PD_KEYFRAME_TICKS = 30, PD_TEMPORARY_TICKS = 10 };

/* What an undo removed from the log, for pd_log_redo. The unit of undo is an act of the user: a stroke, one movement of a
 * slider, or a single command. */
typedef struct pd_undo_record {
    uint64_t to_tick;              /* tick to which the undo set the world back */
    int first_command;             /* index of the first command that the undo removed */
    uint64_t tick, end;            /* pd_log.tick and pd_log.end before the undo */
    int applied;                   /* pd_log.applied (number of applied commands) before the undo */
    bool is_left, ends_by_refusal; /* members of pd_log before the undo */
    pd_keyframe state;             /* snapshot of the world before the undo */
    pd_log_entry *entries;         /* commands that the undo removed: those from index first_command on */
    pd_log_check *checks;          /* hashes that the undo removed: those after to_tick */
    pd_keyframe *keyframes;        /* keyframes that the undo removed: those after to_tick */
    int entry_count, check_count, keyframe_count; /* numbers of elements of these arrays */
} pd_undo_record;

enum { PD_MAX_UNDO_RECORDS = 64 };

struct pd_log {
    /* State that PD_COMMAND_RESTART restores before any PD_COMMAND_SCENE; if bytes = NULL: keyframes[0]. */
    pd_keyframe restart;
    pd_log_entry *entries; /* commands in the order in which they were applied */
    int count, capacity;   /* number of entries, and number for which memory is allocated */
    int applied;           /* number of commands that the world has applied: the next one is entries[applied] */
    pd_log_check *checks;  /* hashes in the order of their ticks */
    int check_count, check_capacity;       /* number of checks, and number for which memory is allocated */
    pd_keyframe *keyframes;                /* snapshots in the order of their ticks; the first keyframe has tick 0 */
    int keyframe_count, keyframe_capacity; /* number of keyframes, and number for which memory is allocated */
    size_t bytes;                          /* size of all keyframes, including those in undo records, bytes */
    size_t budget;                         /* limit of `bytes` */
    uint64_t tick;                         /* present tick: number of steps of the world since the log began */
    uint64_t end;                          /* tick of the end of the log */
    uint64_t diverged; /* first tick at which a replay had another hash than the log; PD_LOG_NEVER: none */
    bool
        is_left; /* memory was refused: the world has left the log, which takes no commands until the world is restored */
    bool ends_by_refusal; /* the log ends at `end`, because memory was refused in the step or command that followed */
    pd_undo_record undone[PD_MAX_UNDO_RECORDS]; /* stack: redo restores the last element */
    int undo_record_count;                      /* number of elements of `undone` */
    pd_scene scene; /* scene at the beginning of the log; log files use its names of materials */
    /* The materials have changed since `scene`: log files then contain their indices instead of names. */
    bool materials_changed;
    /* Autosave file, to which each command is appended when it is applied (pd_log_begin_autosave); NULL: none. */
    FILE *file;
    uint64_t file_first_tick; /* tick of the log at which the autosave file begins */
    uint64_t written_tick;    /* tick of the last line in the autosave file */
    long file_limit;          /* limit of the autosave file's size, bytes; 0: none */
    long shorten_size;        /* size of the autosave file above which it is shortened, bytes */
    int write_error;          /* errno of the first failed write to the autosave file; 0: no write failed */
    char *path;               /* path of the autosave file */
    /* Version of puddle that wrote the file from which the log was read; "": unknown, or not read from a file. */
    char writer[32];
};

/* Returns the state that PD_COMMAND_RESTART restores before the first PD_COMMAND_SCENE. */
static inline const pd_keyframe *pd_log_restart_state(const pd_log *log) {
    return log->restart.bytes ? &log->restart : &log->keyframes[0];
}

/* Appends a copy of *entry to the log, which then owns the entry's command. log->entries must have room. */
void pd_log_append_owned_entry(pd_log *log, const pd_log_entry *entry);
/* Appends a copy of a command to the log, with the tick at which it is to be applied. Errors: OUT_OF_MEMORY. */
pd_result pd_log_append_copy(pd_log *log, uint64_t tick, const pd_command *command, pd_error *error);
/* Appends a hash to the log: that of the world at `tick`, after all commands of the log. Errors: OUT_OF_MEMORY. */
pd_result pd_log_append_hash(pd_log *log, uint64_t tick, uint64_t hash, pd_error *error);
/* Removes the hashes and keyframes after `tick`, and all commands but the first `remaining_commands`. `tick` becomes the
 * end of the log. */
void pd_log_remove_after_tick(pd_log *log, uint64_t tick, int remaining_commands);
/* Removes the commands, hashes and keyframes after the present tick. Undo records remain, other than in
 * pd_log_remove_future. */
void pd_log_remove_after_present(pd_log *log);
/* Creates a log that begins with the world's present state. restart: state that PD_COMMAND_RESTART restores; NULL: the
 * present state. Errors: OUT_OF_MEMORY. */
pd_result pd_log_create_with_restart(pd_log **log, const pd_world *world, const pd_keyframe *restart, pd_error *error);

/* Adds a keyframe of the present tick, unless a command of this tick was already applied or the tick has a keyframe. Adds
 * none if memory runs out. temporary: value of pd_keyframe.temporary. */
void pd_log_add_keyframe(pd_log *log, const pd_world *world, bool temporary);
/* Adds a keyframe with the state of any world that is at `tick` of the log, before the commands of this tick. */
void pd_log_add_keyframe_from_world(pd_log *log, const pd_world *world, uint64_t tick, bool temporary);
/* Applies a command to a world. A PD_COMMAND_RESTART restores the scene of the last PD_COMMAND_SCENE among the log's
 * first `commands_before` commands, otherwise pd_log_restart_state. Errors: those of pd_world_apply. */
pd_result pd_log_apply(const pd_log *log, pd_world *world, int commands_before, const pd_command *command,
                       pd_error *error);
/* Completes the running step, and ends it in the log. Every function that changes the world calls pd_log_finish_step first. */
void pd_log_finish_step(pd_log *log, pd_world *world);
/* Returns the last PD_COMMAND_SCENE among the log's first `commands_before` commands. NULL: there is none. */
const pd_command *pd_log_find_scene_command_before(const pd_log *log, int commands_before);
/* Restores a saved state of the world, and sets the log's present tick to state->tick. On an error world and log are
 * unchanged. Errors: OUT_OF_MEMORY. */
pd_result pd_log_restore_state(pd_log *log, pd_world *world, const pd_keyframe *state, pd_error *error);
/* Moves the log's keyframes after the present tick to a new array, which the caller frees. Sets *count to their number.
 * log->bytes still counts them. */
pd_keyframe *pd_log_detach_later_keyframes(pd_log *log, int *count);
/* Moves an array of pd_log_detach_later_keyframes back to the end of the log's keyframes. */
void pd_log_attach_keyframes(pd_log *log, const pd_keyframe *keyframes, int count);
/* Returns the index of the first command at this tick or later. */
int pd_log_first_command_index(const pd_log *log, uint64_t tick);

/* In command_text.c: describes the line of a kind of command, for pd_log_describe_line. Returns false beyond the last
 * kind. */
bool pd_command_describe_line(int kind, pd_log_line *line);

/* In undo.c: */
/* Returns whether a command at `tick` would begin a new unit of undo: pd_log_undo would then undo it without earlier
 * commands. */
bool pd_log_begins_undo_unit(const pd_log *log, uint64_t tick, const pd_command *command);
void pd_log_free_undo_records(pd_log *log);

/* In log_file.c: append a line to the autosave file (pd_log_begin_autosave). Do nothing without an autosave file. The line
 * "back" says that the log was cut at `tick` after its first `remaining_commands` commands. */
void pd_log_autosave_command(pd_log *log, const pd_log_entry *entry);
void pd_log_autosave_hash(pd_log *log, const pd_log_check *check);
void pd_log_autosave_refusal(pd_log *log);
void pd_log_autosave_back_line(pd_log *log, uint64_t tick, int remaining_commands);

#endif
