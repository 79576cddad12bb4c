/* Internal declarations of logs: entries, keyframes, undone acts, the growing file. */
#ifndef PUDDLE_LOG_LOG_H
#define PUDDLE_LOG_LOG_H

#include <puddle/log.h>
#include <stdio.h>

typedef struct pd_log_entry {
    uint64_t tick;
    pd_command command;
    bool automatic; /* the log's own entry (limit, state), not a person's command */
} pd_log_entry;

typedef struct pd_log_check {
    uint64_t tick, hash;
    int after; /* number of commands before the check */
} pd_log_check;

typedef struct pd_keyframe {
    uint64_t tick;
    void *bytes; /* snapshot */
    size_t size;
    bool fine; /* removed when two seconds old */
} pd_keyframe;

enum { PD_KEYFRAME_TICKS = 30, PD_FINE_TICKS = 10 }; /* ticks from one keyframe to the next */

/* Commands, checks and keyframes that one undo removed: those after tick `from`, and of this tick the commands from
 * index `first` on. */
typedef struct pd_undone {
    uint64_t from; /* tick to which the undo returned */
    int first;     /* index of the first undone command */
    uint64_t tick, end;
    int applied;
    bool starved;
    pd_keyframe state; /* snapshot of the world before the undo, at `tick` */
    pd_log_entry *entries;
    pd_log_check *checks;
    pd_keyframe *keyframes;
    int entry_count, check_count, keyframe_count;
} pd_undone;

enum { PD_MAX_UNDONE = 64 };

struct pd_log {
    pd_keyframe
        restart; /* snapshot for PD_COMMAND_RESTART before any PD_COMMAND_SCENE; without bytes: the first keyframe */
    pd_log_entry *entries;
    int count, capacity;
    int applied; /* number of entries that the world has applied */
    pd_log_check *checks;
    int check_count, check_capacity;
    pd_keyframe *keyframes; /* in order of tick; the first has tick 0 */
    int keyframe_count, keyframe_capacity;
    size_t bytes, budget; /* size of all keyframes, and its limit */
    uint64_t tick, end, diverged;
    bool seeking;                    /* a seek began the world's incomplete step */
    bool starved;                    /* refused memory made the world differ from a replay of the log */
    pd_undone undone[PD_MAX_UNDONE]; /* stack of undone acts; redo begins with the last */
    int undone_count;
    pd_scene scene;        /* first scene; its names of materials are used in the file */
    bool numbered;         /* materials have changed since: lines use their numbers */
    FILE *file;            /* growing file of pd_log_follow, or NULL */
    uint64_t origin;       /* first tick in the file */
    uint64_t written_tick; /* tick of the last line in the file */
    long most_bytes;       /* greatest size of the file; 0: no limit */
    long limit;            /* size at which the file is shortened: most_bytes, or twice the size after the last time */
    int write_error;       /* errno of the first failed write, or 0 */
    char *path;            /* path of the growing file */
    char writer[32];       /* version of puddle that wrote the file; "" if unknown or no file was read */
};

static inline const pd_keyframe *pd_log_restart(const pd_log *log) {
    return log->restart.bytes ? &log->restart : &log->keyframes[0];
}

/* Appends an entry and becomes the owner of its command. The array must have room. */
void pd_log_append_owned(pd_log *log, const pd_log_entry *entry);
/* Append an entry with a copy of the command, or a check behind all commands. Errors: OUT_OF_MEMORY. */
pd_result pd_log_append(pd_log *log, uint64_t tick, const pd_command *command, pd_error *error);
pd_result pd_log_append_check(pd_log *log, uint64_t tick, uint64_t hash, pd_error *error);
/* Removes what comes after a tick, and all commands but the first `kept`. */
void pd_log_cut(pd_log *log, uint64_t tick, int kept);
/* Removes what comes after the present, like pd_log_branch, but leaves all undone acts redoable. */
void pd_log_remove_later(pd_log *log);
/* Creates a log that begins with this state. restart: state for PD_COMMAND_RESTART, or NULL for the same. Errors:
 * OUT_OF_MEMORY. */
pd_result pd_log_begin(pd_log **log, const pd_world *world, const pd_keyframe *restart, pd_error *error);

/* Adds a keyframe of the present tick, unless one exists or a command of the tick was applied. Does nothing if memory
 * runs out. */
void pd_log_add_keyframe(pd_log *log, const pd_world *world, bool fine);
/* Adds a keyframe from another world, which is at `tick` before the tick's commands. */
void pd_log_add_keyframe_of(pd_log *log, const pd_world *world, uint64_t tick, bool fine);
/* Applies a command, which comes after the first `before` ones, to any world of the log. Errors: those of
 * pd_world_apply. */
pd_result pd_log_apply(const pd_log *log, pd_world *world, int before, const pd_command *command, pd_error *error);
/* Returns the last PD_COMMAND_SCENE among the first `before` commands, or NULL. */
const pd_command *pd_log_scene_before(const pd_log *log, int before);
/* Sets world and log to a state. On an error both are unchanged. Errors: OUT_OF_MEMORY. */
pd_result pd_log_set_state(pd_log *log, pd_world *world, const pd_keyframe *state, pd_error *error);
/* Moves the keyframes after the present tick to a new array, to be freed. log->bytes still counts them. Returns NULL if
 * memory runs out. */
pd_keyframe *pd_log_detach_keyframes(pd_log *log, int *count);
/* Moves keyframes back to the end of the log. */
void pd_log_attach_keyframes(pd_log *log, const pd_keyframe *keyframes, int count);
/* Returns the index of the first command of a tick. */
int pd_log_first_command(const pd_log *log, uint64_t tick);

/* In undo.c: */
/* Returns whether a command begins a new act. */
bool pd_log_begins_act(const pd_log *log, uint64_t tick, const pd_command *command);
void pd_log_free_undone(pd_log *log);

/* In log_file.c: append a line to the growing file, if there is one. */
void pd_log_write_entry(pd_log *log, const pd_log_entry *entry);
void pd_log_write_check(pd_log *log, const pd_log_check *check);
void pd_log_write_back(pd_log *log, uint64_t tick, int kept);

/* In keyframe_lines.c: */
/* Digest of a file's scene and its first `entries` commands, with their ticks from the file's beginning. */
typedef struct pd_log_digest {
    uint64_t scene, value;
    int entries;
} pd_log_digest;
void pd_log_digest_begin(pd_log_digest *digest, const char *scene, size_t length);
/* Updates the digest after all but the first `kept` commands were removed. */
void pd_log_digest_cut(pd_log_digest *digest, int kept);
/* Writes lines with keyframes after the tick `origin`, at which the file begins. scene: the file's text of the scene.
 * most: limit in bytes, approximate. Returns false if no line was written. */
bool pd_log_write_keyframes(const pd_log *log, uint64_t origin, const char *scene, size_t length, size_t most,
                            FILE *out);
/* Reads a keyframe line from behind "TICK keyframe ". Skips it if its digest or state does not match, or if memory runs
 * out. The world's state is arbitrary afterwards. Returns false for a damaged line. */
bool pd_log_read_keyframe(pd_log *log, pd_world *world, pd_log_digest *digest, uint64_t tick, const char *text);

#endif
