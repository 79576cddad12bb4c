/* Internal to the log: what it holds, shared by the log itself (log.c) and its files (log_file.c). */
#ifndef PUDDLE_LOG_LOG_H
#define PUDDLE_LOG_LOG_H

#include <puddle/log.h>
#include <stdio.h>

typedef struct pd_log_entry {
    uint64_t tick;
    pd_command command;
    bool found; /* added by the log because of what the world found, not for a person */
} pd_log_entry;

typedef struct pd_log_check {
    uint64_t tick, hash;
    int after; /* so many commands */
} pd_log_check;

typedef struct pd_keyframe {
    uint64_t tick;
    void *bytes; /* a snapshot */
    size_t size;
    bool fine; /* kept for two seconds only */
} pd_keyframe;

enum { PD_KEYFRAME_TICKS = 30, PD_FINE_TICKS = 10 }; /* from one keyframe to the next */

/* What an undo has taken away, from a tick on and the commands of that tick before `first`. */
typedef struct pd_undone {
    uint64_t from; /* the world went back to this tick */
    int first;     /* and to before this command */
    uint64_t tick, end;
    int applied;
    bool starved;
    pd_keyframe state; /* of the world at `tick` */
    pd_log_entry *entries;
    pd_log_check *checks;
    pd_keyframe *keyframes;
    int entry_count, check_count, keyframe_count;
} pd_undone;

enum { PD_MAX_UNDONE = 64 };

struct pd_log {
    pd_keyframe restart; /* what PD_COMMAND_RESTART restores until a PD_COMMAND_SCENE; no bytes: the first keyframe */
    pd_log_entry *entries;
    int count, capacity;
    int applied; /* entries before this one have been applied to the world */
    pd_log_check *checks;
    int check_count, check_capacity;
    pd_keyframe *keyframes; /* in the order of their ticks; the first is of tick 0 */
    int keyframe_count, keyframe_capacity;
    size_t bytes, budget; /* of the keyframes */
    uint64_t tick, end, diverged;
    bool seeking;                    /* the world's unfinished step was begun by a seek */
    bool starved;                    /* for lack of memory the world is not what a replay of the log leads to */
    pd_undone undone[PD_MAX_UNDONE]; /* the last one is redone first */
    int undone_count;
    pd_scene scene;        /* of the start: names the materials */
    bool numbered;         /* edits or other scenes have changed the materials since: lines number them */
    FILE *follower;        /* NULL: none */
    uint64_t origin;       /* tick that it begins with */
    uint64_t written_tick; /* of the last line in it */
    long most_bytes;       /* 0: any number */
    long limit;            /* bytes: above it the file begins anew; most_bytes, or twice what it began with */
    int write_error;       /* errno of the first failed write; 0: none */
    char *path;            /* of the follower */
    char writer[32];       /* version of puddle that wrote the file; "": not from a file, or unknown */
};

static inline const pd_keyframe *pd_log_restart(const pd_log *log) {
    return log->restart.bytes ? &log->restart : &log->keyframes[0];
}

/* Appends an entry with what it owns, where there is room. */
void pd_log_append_owned(pd_log *log, const pd_log_entry *entry);
/* Appends an entry, with a copy of the command, or a check at the end. Errors: OUT_OF_MEMORY. */
pd_result pd_log_append(pd_log *log, uint64_t tick, const pd_command *command, pd_error *error);
pd_result pd_log_append_check(pd_log *log, uint64_t tick, uint64_t hash, pd_error *error);
/* Drops what comes after a tick, and after the first `kept` commands of all. */
void pd_log_cut(pd_log *log, uint64_t tick, int kept);
/* The same from the present on: pd_log_branch, but what was undone stays, also where it came after what is dropped. */
void pd_log_drop_later(pd_log *log);
/* A log that begins with this state. restart: what PD_COMMAND_RESTART restores, NULL: the same. Errors: OUT_OF_MEMORY. */
pd_result pd_log_begin(pd_log **log, const pd_world *world, const pd_keyframe *restart, pd_error *error);

/* Takes a keyframe of the present tick, if its commands have not begun yet and it has none. Out of memory is no error. */
void pd_log_keep(pd_log *log, const pd_world *world, bool fine);
/* The same from another world, that of the tick before its commands. */
void pd_log_keep_at(pd_log *log, const pd_world *world, uint64_t tick, bool fine);
/* Applies a command that follows the first `before` ones to any world of the log. Errors: as pd_world_apply. */
pd_result pd_log_apply(const pd_log *log, pd_world *world, int before, const pd_command *command, pd_error *error);
/* The last PD_COMMAND_SCENE among the first `before` commands; NULL: there is none. */
const pd_command *pd_log_scene_before(const pd_log *log, int before);
/* Makes the log's world that of a state. On an error it is as before. Errors: OUT_OF_MEMORY. */
pd_result pd_log_show(pd_log *log, pd_world *world, const pd_keyframe *state, pd_error *error);
/* Takes the keyframes after the present tick out of the log, into an array to be freed; NULL: out of memory. */
pd_keyframe *pd_log_take_keyframes(pd_log *log, int *count);
/* Puts them back at the end. */
void pd_log_put_keyframes(pd_log *log, const pd_keyframe *keyframes, int count);
/* The first command of a tick: an index. */
int pd_log_first_command(const pd_log *log, uint64_t tick);

/* undo.c */
/* Whether a command begins another act than the one before it. */
bool pd_log_begins_act(const pd_log *log, uint64_t tick, const pd_command *command);
void pd_log_forget_undone(pd_log *log);

/* log_file.c: lines to the follower, if there is one. */
void pd_log_follow_entry(pd_log *log, const pd_log_entry *entry);
void pd_log_follow_check(pd_log *log, const pd_log_check *check);
void pd_log_follow_cut(pd_log *log, uint64_t tick, int kept);

/* keyframe_lines.c */
/* Of the scene's text and the first `entries` commands, each with its tick from the beginning of the file. */
typedef struct pd_log_digest {
    uint64_t scene, value;
    int entries;
} pd_log_digest;
void pd_log_digest_begin(pd_log_digest *digest, const char *scene, size_t length);
/* Call when the commands after the first `kept` ones have been dropped. */
void pd_log_digest_cut(pd_log_digest *digest, int kept);
/* Lines with keyframes after the tick `origin`, with which the file begins, of at most about `most` bytes. scene: its text in the
 * file. False: there are none. */
bool pd_log_write_keyframes(const pd_log *log, uint64_t origin, const char *scene, size_t length, size_t most,
                            FILE *out);
/* Reads such a line behind "TICK keyframe ", and leaves any state in the world. One whose digest or state does not fit, or for
 * which there is no memory, is passed over. False: the line is damaged. */
bool pd_log_read_keyframe(pd_log *log, pd_world *world, pd_log_digest *digest, uint64_t tick, const char *text);

#endif
