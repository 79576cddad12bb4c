/* Data of a log (commands, hashes, keyframes, undone acts, growing file), and functions that its files share. */
#ifndef PUDDLE_LOG_LOG_H
#define PUDDLE_LOG_LOG_H

#include <puddle/log.h>
#include <stdio.h>

typedef struct pd_log_entry {
    uint64_t tick;      /* tick at which the command was applied */
    pd_command command; /* owned by the log */
    bool automatic;     /* whether the log itself added the command (PD_COMMAND_LIMIT, PD_COMMAND_STATE) */
} pd_log_entry;

/* A hash of the world, for comparison in a replay. */
typedef struct pd_log_check {
    uint64_t tick, hash;
    int commands_before; /* number of the log's commands that the world had applied */
} pd_log_check;

typedef struct pd_keyframe {
    uint64_t tick;  /* tick of the snapshot, which is the state before the commands of this tick */
    void *bytes;    /* snapshot of the world */
    size_t size;    /* size of the snapshot, bytes */
    bool temporary; /* whether this keyframe is removed once it is 120 ticks before the present */
} pd_keyframe;

/* Keyframes are added at ticks that are multiples of PD_TEMPORARY_TICKS. They are temporary unless the tick is also a
 * multiple of PD_KEYFRAME_TICKS. */
enum { PD_KEYFRAME_TICKS = 30, PD_TEMPORARY_TICKS = 10 };

/* Record of an undo, for pd_log_redo: the commands removed from index `first_command` on, and the hashes and keyframes
 * removed after tick `to_tick`. */
typedef struct pd_undone {
    uint64_t to_tick;       /* tick to which the undo returned the world */
    int first_command;      /* index of the first undone command */
    uint64_t tick, end;     /* pd_log.tick and pd_log.end before the undo */
    int applied;            /* pd_log.applied before the undo */
    bool starved;           /* pd_log.starved before the undo */
    pd_keyframe state;      /* world before the undo */
    pd_log_entry *entries;  /* removed commands */
    pd_log_check *checks;   /* removed hashes */
    pd_keyframe *keyframes; /* removed keyframes */
    int entry_count, check_count, keyframe_count;
} pd_undone;

enum { PD_MAX_UNDONE = 64 };

struct pd_log {
    pd_keyframe restart;   /* state for PD_COMMAND_RESTART before any PD_COMMAND_SCENE; bytes = NULL: first keyframe */
    pd_log_entry *entries; /* commands in the order in which they were applied */
    int count, capacity;
    int applied;          /* number of the log's commands that the world has applied */
    pd_log_check *checks; /* hashes in the order of their ticks */
    int check_count, check_capacity;
    pd_keyframe *keyframes; /* snapshots in the order of their ticks; the first keyframe has tick 0 */
    int keyframe_count, keyframe_capacity;
    size_t bytes, budget; /* size of all keyframes, with those of undone acts, and limit of this size; bytes */
    uint64_t tick, end, diverged;
    bool seeking;                    /* whether the world's incomplete step belongs to a seek */
    bool starved;                    /* whether memory was refused, so that the world may differ from a replay */
    pd_undone undone[PD_MAX_UNDONE]; /* stack of undone acts; redo begins with the last one */
    int undone_count;                /* number of undone acts */
    pd_scene scene;                  /* first scene of the log; files use its names of materials */
    bool materials_changed;   /* whether the materials differ from `scene`; files then have indices instead of names */
    FILE *file;               /* growing file of pd_log_begin_autosave, to which commands are appended; NULL: none */
    uint64_t file_first_tick; /* tick of the log at which the growing file begins */
    uint64_t written_tick;    /* tick of the last line in the growing file */
    long file_limit;          /* limit of the growing file's size, bytes; 0: none */
    long shorten_size;        /* the growing file is shortened beyond this size, bytes */
    int write_error;          /* errno of the first failed write to the growing file, or 0 */
    char *path;               /* path of the growing file */
    char writer[32];          /* version of puddle that wrote the file of this log; "": unknown, or no file */
};

/* Returns the state that PD_COMMAND_RESTART restores before the first PD_COMMAND_SCENE. */
static inline const pd_keyframe *pd_log_restart_state(const pd_log *log) {
    return log->restart.bytes ? &log->restart : &log->keyframes[0];
}

/* Appends an entry. The log becomes the owner of the entry's command. The array must have room. */
void pd_log_append_owned_entry(pd_log *log, const pd_log_entry *entry);
/* Appends a copy of a command. Errors: OUT_OF_MEMORY. */
pd_result pd_log_append_copy(pd_log *log, uint64_t tick, const pd_command *command, pd_error *error);
/* Appends a hash of the world after all commands of the log. Errors: OUT_OF_MEMORY. */
pd_result pd_log_append_hash(pd_log *log, uint64_t tick, uint64_t hash, pd_error *error);
/* Removes hashes and keyframes after a tick, and all commands but the first `remaining_commands`. The tick becomes the
 * end of the log. */
void pd_log_remove_after_tick(pd_log *log, uint64_t tick, int remaining_commands);
/* Removes everything after the present, as pd_log_remove_future does, but no undone acts. */
void pd_log_remove_after_present(pd_log *log);
/* Creates a log that begins with the world's present state. restart: value of pd_log.restart; NULL: the present state.
 * Errors: OUT_OF_MEMORY. */
pd_result pd_log_create_with_restart(pd_log **log, const pd_world *world, const pd_keyframe *restart, pd_error *error);

/* Adds a keyframe of the present tick, unless a command of this tick was applied or the tick has a keyframe. Does
 * nothing if memory runs out. temporary: value of pd_keyframe.temporary. */
void pd_log_add_keyframe(pd_log *log, const pd_world *world, bool temporary);
/* Adds the state of any world as a keyframe. The world is at `tick`, before the commands of this tick. */
void pd_log_add_keyframe_from_world(pd_log *log, const pd_world *world, uint64_t tick, bool temporary);
/* Applies a command to a world. A PD_COMMAND_RESTART restores the scene of the last PD_COMMAND_SCENE among the log's
 * first `commands_before` commands, otherwise pd_log_restart_state. Errors: those of pd_world_apply. */
pd_result pd_log_apply(const pd_log *log, pd_world *world, int commands_before, const pd_command *command,
                       pd_error *error);
/* Returns the last PD_COMMAND_SCENE among the first `commands_before` commands, or NULL. */
const pd_command *pd_log_find_scene_command_before(const pd_log *log, int commands_before);
/* Restores a saved state of the world, and sets the log's present tick to that of the state. On an error world and log
 * are unchanged. Errors: OUT_OF_MEMORY. */
pd_result pd_log_restore_state(pd_log *log, pd_world *world, const pd_keyframe *state, pd_error *error);
/* Moves the keyframes after the present tick to a new array, which the caller frees. log->bytes still counts them.
 * Returns NULL if memory runs out. */
pd_keyframe *pd_log_detach_later_keyframes(pd_log *log, int *count);
/* Moves keyframes of pd_log_detach_later_keyframes back to the end of the log. */
void pd_log_attach_keyframes(pd_log *log, const pd_keyframe *keyframes, int count);
/* Returns the index of the first command at this tick or later. */
int pd_log_first_command_index(const pd_log *log, uint64_t tick);

/* In undo.c: */
/* Returns whether a command at a tick would begin a new act. false: the command would belong to the last act. */
bool pd_log_begins_act(const pd_log *log, uint64_t tick, const pd_command *command);
void pd_log_free_undone_acts(pd_log *log);

/* In log_file.c: append a line to the growing file of pd_log_begin_autosave. Do nothing without a growing file. */
void pd_log_write_entry(pd_log *log, const pd_log_entry *entry);
void pd_log_write_hash(pd_log *log, const pd_log_check *check);
void pd_log_write_back_line(pd_log *log, uint64_t tick, int remaining_commands);

/* In keyframe_lines.c: */
/* Digest of the scene and the first commands of a log file, by which a keyframe of the file is known to be valid. */
typedef struct pd_log_digest {
    uint64_t scene, value; /* hash of the scene's text; hash of this text and the first `entries` commands */
    int entries;           /* number of commands that `value` covers */
} pd_log_digest;
/* Begins the digest of a file with this text of its scene. */
void pd_log_digest_begin(pd_log_digest *digest, const char *scene_text, size_t length);
/* Updates the digest after all commands but the first `remaining_commands` were removed from the log. */
void pd_log_digest_truncate(pd_log_digest *digest, int remaining_commands);
/* Writes keyframes after the tick at which the file begins, one a line. scene_text: text of the scene in the file.
 * most_bytes: approximate limit of the size of all lines. Returns false if no line was written. */
bool pd_log_write_keyframes(const pd_log *log, uint64_t file_first_tick, const char *scene_text, size_t length,
                            size_t most_bytes, FILE *out);
/* Reads a keyframe line. text: the part of the line after "TICK keyframe ". Does not add the keyframe if the digest or
 * the hash of its state differs, or memory runs out. The world's state is arbitrary afterwards. Returns false for a
 * damaged line. */
bool pd_log_read_keyframe(pd_log *log, pd_world *world, pd_log_digest *digest, uint64_t tick, const char *text);

#endif
