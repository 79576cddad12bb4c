/* Logs: commands, hashes, keyframes, undone acts, the growing file. */
#ifndef PUDDLE_LOG_LOG_H
#define PUDDLE_LOG_LOG_H

#include <puddle/log.h>
#include <stdio.h>

typedef struct pd_log_entry {
    uint64_t tick;
    pd_command command;
    bool automatic; /* added by the log itself (limit, state), not by a person */
} pd_log_entry;

typedef struct pd_log_check {
    uint64_t tick, hash;
    int after; /* number of commands before this hash */
} pd_log_check;

typedef struct pd_keyframe {
    uint64_t tick;
    void *bytes; /* snapshot of the world */
    size_t size;
    bool fine; /* whether this keyframe is removed when it is two seconds old */
} pd_keyframe;

enum { PD_KEYFRAME_TICKS = 30, PD_FINE_TICKS = 10 }; /* distance of keyframes; of fine keyframes, ticks */

/* An undone act: the commands, hashes and keyframes that pd_log_undo removed, for pd_log_redo. These are all after tick
 * `to_tick`, and of this tick the commands from index `first_command` on. */
typedef struct pd_undone {
    uint64_t to_tick;  /* tick to which the undo returned the world */
    int first_command; /* index of the first undone command */
    uint64_t tick, end;
    int applied;
    bool starved;
    pd_keyframe state; /* world before the undo, at `tick` */
    pd_log_entry *entries;
    pd_log_check *checks;
    pd_keyframe *keyframes;
    int entry_count, check_count, keyframe_count;
} pd_undone;

enum { PD_MAX_UNDONE = 64 };

struct pd_log {
    pd_keyframe
        restart; /* state for PD_COMMAND_RESTART before any PD_COMMAND_SCENE; without bytes: the first keyframe */
    pd_log_entry *entries;
    int count, capacity;
    int applied; /* number of commands that the world has applied */
    pd_log_check *checks;
    int check_count, check_capacity;
    pd_keyframe *keyframes; /* keyframes by tick; the first has tick 0 */
    int keyframe_count, keyframe_capacity;
    size_t bytes, budget; /* size of all keyframes, and its limit, bytes */
    uint64_t tick, end, diverged;
    bool seeking;                    /* whether a seek began the world's incomplete step */
    bool starved;                    /* whether the world differs from a replay, since memory was refused */
    pd_undone undone[PD_MAX_UNDONE]; /* stack of undone acts; redo begins with the last one */
    int undone_count;
    pd_scene scene;           /* first scene of the log, whose names of materials the file uses */
    bool numbered;            /* whether materials have changed since: the file has their indices instead of names */
    FILE *file;               /* growing file of pd_log_begin_autosave, to which each command is appended; NULL: none */
    uint64_t file_first_tick; /* first tick in the growing file */
    uint64_t written_tick;    /* tick of the last line in the growing file */
    long file_limit;          /* limit of the growing file's size, bytes; 0: none */
    long shorten_size;        /* size at which the growing file is shortened: file_limit, or twice the size after it */
    int write_error;          /* errno of the first failed write to the growing file, or 0 */
    char *path;               /* path of the growing file */
    char writer[32];          /* version of puddle that wrote the file that was read; "": unknown or none */
};

static inline const pd_keyframe *pd_log_restart(const pd_log *log) {
    return log->restart.bytes ? &log->restart : &log->keyframes[0];
}

/* Appends an entry and becomes the owner of its command. The array must have room. */
void pd_log_append_owned(pd_log *log, const pd_log_entry *entry);
/* Append a copy of a command, or a hash behind all commands. Errors: OUT_OF_MEMORY. */
pd_result pd_log_append(pd_log *log, uint64_t tick, const pd_command *command, pd_error *error);
pd_result pd_log_append_check(pd_log *log, uint64_t tick, uint64_t hash, pd_error *error);
/* Removes everything after a tick, and all commands but the first `kept`. */
void pd_log_remove_after(pd_log *log, uint64_t tick, int kept);
/* Removes everything after the present tick, like pd_log_remove_future, but leaves undone acts redoable. */
void pd_log_remove_later(pd_log *log);
/* Creates a log that begins with the world's present state. restart: state for PD_COMMAND_RESTART; NULL: the same
 * state. Errors: OUT_OF_MEMORY. */
pd_result pd_log_begin(pd_log **log, const pd_world *world, const pd_keyframe *restart, pd_error *error);

/* Adds a keyframe of the present tick, unless there is one or a command of the tick was applied. fine: see pd_keyframe.
 * Does nothing if memory runs out. */
void pd_log_add_keyframe(pd_log *log, const pd_world *world, bool fine);
/* Adds a keyframe from another world, which is at `tick` before the commands of that tick. */
void pd_log_add_keyframe_from_world(pd_log *log, const pd_world *world, uint64_t tick, bool fine);
/* Applies the command that follows the log's first `before` commands to a world. Errors: those of pd_world_apply. */
pd_result pd_log_apply(const pd_log *log, pd_world *world, int before, const pd_command *command, pd_error *error);
/* Returns the last PD_COMMAND_SCENE among the first `before` commands, or NULL. */
const pd_command *pd_log_scene_before(const pd_log *log, int before);
/* Restores a saved state of the world and its tick of the log. On an error both are unchanged. Errors:
 * OUT_OF_MEMORY. */
pd_result pd_log_set_state(pd_log *log, pd_world *world, const pd_keyframe *state, pd_error *error);
/* Moves the keyframes after the present tick to a new array, which the caller frees. log->bytes still counts them.
 * Returns NULL if memory runs out. */
pd_keyframe *pd_log_detach_keyframes(pd_log *log, int *count);
/* Moves such keyframes back to the end of the log. */
void pd_log_attach_keyframes(pd_log *log, const pd_keyframe *keyframes, int count);
/* Returns the index of the first command of a tick. */
int pd_log_first_command(const pd_log *log, uint64_t tick);

/* In undo.c: */
/* Returns whether a command at a tick begins a new act, instead of continuing the last one. */
bool pd_log_begins_act(const pd_log *log, uint64_t tick, const pd_command *command);
void pd_log_free_undone(pd_log *log);

/* In log_file.c: append a line to the file of pd_log_begin_autosave, if there is one. */
void pd_log_write_entry(pd_log *log, const pd_log_entry *entry);
void pd_log_write_check(pd_log *log, const pd_log_check *check);
void pd_log_write_back(pd_log *log, uint64_t tick, int kept);

/* In keyframe_lines.c: */
/* Hashes by which the beginning of a log file is recognised: `scene` of its scene, `value` of its first `entries` commands
 * with their ticks since the beginning of the file. */
typedef struct pd_log_digest {
    uint64_t scene, value;
    int entries;
} pd_log_digest;
void pd_log_digest_begin(pd_log_digest *digest, const char *scene, size_t length);
/* Updates the digest after all but the first `kept` commands were removed. */
void pd_log_digest_cut(pd_log_digest *digest, int kept);
/* Writes keyframes after tick `file_first_tick`, the file's first, as lines. scene: the file's text of the scene. most:
 * approximate limit, bytes. Returns false if no line was written. */
bool pd_log_write_keyframes(const pd_log *log, uint64_t file_first_tick, const char *scene, size_t length, size_t most,
                            FILE *out);
/* Reads a keyframe line from behind "TICK keyframe " and adds the keyframe, unless its digest or state does not match
 * or memory runs out. The world's state is arbitrary afterwards. Returns false for a damaged line. */
bool pd_log_read_keyframe(pd_log *log, pd_world *world, pd_log_digest *digest, uint64_t tick, const char *text);

#endif
