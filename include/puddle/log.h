/* The log of a run: the state at its beginning, every command with its tick, and a hash of the world once a second of 60
 * ticks. A tick is a step made since the beginning of the log; unlike pd_world_steps it goes on after a reset. From the log and
 * from snapshots kept along it (keyframes) the world of any tick can be had again, bit for bit. */
#ifndef PUDDLE_LOG_H
#define PUDDLE_LOG_H

#include <puddle/command.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pd_log pd_log;

enum { PD_LOG_HASH_TICKS = 60 };
#define PD_LOG_NEVER UINT64_MAX

/* Begins a log at tick 0 with the world's state. Errors: OUT_OF_MEMORY. */
pd_result pd_log_create(pd_log **log, const pd_world *world, pd_error *error);
/* log may be NULL. */
void pd_log_destroy(pd_log *log);
enum { PD_LOG_BUDGET = 256 << 20 };
/* Bytes that keyframes may take, by default PD_LOG_BUDGET; the oldest ones are then thinned out, the first one stays. */
void pd_log_set_budget(pd_log *log, size_t bytes);
size_t pd_log_bytes(const pd_log *log); /* taken by keyframes */

uint64_t pd_log_tick(const pd_log *log); /* where the world is */
uint64_t pd_log_end(const pd_log *log);  /* the last tick that is known; after the present one only while replaying */
/* Number of commands in the log, and one of them with its tick. */
int pd_log_commands(const pd_log *log);
const pd_command *pd_log_command(const pd_log *log, int index, uint64_t *tick);
/* The first tick at which the world's hash was another than the logged one; PD_LOG_NEVER: none so far. */
uint64_t pd_log_diverged(const pd_log *log);
/* The version of puddle that wrote the file of a log that was read, "0.1.0"; "": it does not say, or the log is from no file. */
const char *pd_log_writer(const pd_log *log);

/* ---- Recording ---- */

/* Applies a command to the world and writes it down. What the log knows of later ticks is dropped. A tool that the
 * world already has is not written down again. Errors: as pd_world_apply, and OUT_OF_MEMORY; nothing has changed then. */
pd_result pd_log_do(pd_log *log, pd_world *world, const pd_command *command, pd_error *error);
/* Call after each complete step of the world, in recording and in replay. A recorded step for which memory was refused gets a
 * PD_COMMAND_LIMIT, so that it replays where there is more memory. */
void pd_log_stepped(pd_log *log, const pd_world *world);
/* Drops all that the log knows of later ticks: the world goes on from where it is. */
void pd_log_branch(pd_log *log);

/* ---- Replay ---- */

/* Applies the commands of the present tick that have not been applied yet. Call before each step while pd_log_tick <
 * pd_log_end, and once more at the end. A command that cannot be applied counts as a divergence. True: one of them has put the
 * world to the beginning of a scene. */
bool pd_log_play(pd_log *log, pd_world *world);
/* Makes the world that of a tick, before its commands: from a keyframe and the steps after it. tick: at most
 * pd_log_end. On an error the world is as before. Errors: OUT_OF_MEMORY. */
pd_result pd_log_seek(pd_log *log, pd_world *world, uint64_t tick, pd_error *error);
/* The same in parts, for a program that must stay responsive: works for about `seconds` of wall time, at least one substep.
 * *arrived: whether that tick is reached; else call it again, or go anywhere else. In between a step may be unfinished.
 * Errors: as pd_log_seek. */
pd_result pd_log_seek_part(pd_log *log, pd_world *world, uint64_t tick, double seconds, bool *arrived, pd_error *error);
/* As pd_log_seek, with the commands of the tick before that of the index: as if it had not been given yet. */
pd_result pd_log_seek_command(pd_log *log, pd_world *world, int index, pd_error *error);

/* The last keyframe before a tick; false: there is none. Going to a keyframe takes no steps. */
bool pd_log_keyframe_before(const pd_log *log, uint64_t tick, uint64_t *found);

/* ---- Backwards ---- */

/* Time that runs backwards: a second world makes the states between two keyframes, forward and ahead of time; they are then
 * shown in reverse order. */
typedef struct pd_reverse pd_reverse;

/* bytes: that states may take, besides the log's keyframes. Errors: those of pd_world_create. */
pd_result pd_reverse_create(pd_reverse **reverse, const pd_world *world, size_t bytes, pd_error *error);
/* reverse may be NULL. */
void pd_reverse_destroy(pd_reverse *reverse);
/* Frees all states. Call when the log's world went on or elsewhere. */
void pd_reverse_forget(pd_reverse *reverse);
/* Works on the states before the present tick for about `seconds` of wall time, at least one substep, until there are
 * enough for now, or `states` more than before. */
void pd_reverse_prepare(pd_reverse *reverse, pd_log *log, double seconds, int states);
/* Makes the world that of an earlier tick, before its commands: at most `ticks` back, less where states are missing. Without any it
 * goes back to the keyframe before when that is at most `ticks` back, or `ticks` are half a second; else it stays.
 * Returns the number of ticks gone back. What the log knows of later ticks stays until pd_log_branch. */
uint64_t pd_reverse_back(pd_reverse *reverse, pd_log *log, pd_world *world, uint64_t ticks);
int pd_reverse_ready(const pd_reverse *reverse);    /* states that can be shown now */
size_t pd_reverse_bytes(const pd_reverse *reverse); /* taken by states */

/* ---- Undo ---- */

/* An act is what a person does at once: a stroke of a tool from its beginning to its end, one slider moved, else a single
 * command. Undoing the last one makes the world what it was just before, at the tick at which it began, as if it had never been
 * done. steps (may be NULL): receives the number of steps that this takes, because no keyframe lies nearer. False: there is
 * none. */
bool pd_log_can_undo(const pd_log *log, uint64_t *steps);
/* Errors: OUT_OF_MEMORY; nothing has changed then. Not while a step is incomplete. */
pd_result pd_log_undo(pd_log *log, pd_world *world, pd_error *error);
/* Makes the world what it was before the last pd_log_undo. Possible until the next command. */
bool pd_log_can_redo(const pd_log *log);
pd_result pd_log_redo(pd_log *log, pd_world *world, pd_error *error);

/* ---- Files ---- */

enum { PD_MAX_LOG_DAMAGE = 512 };

/* Writes the log as text, from the last keyframe up to the tick `since` (0: whole), with some of its keyframes, so that another
 * program can seek in it at once. world: the log's own; its hash is the last line. Errors: FILE_UNWRITABLE, OUT_OF_MEMORY. */
pd_result pd_log_write(const pd_log *log, const pd_world *world, uint64_t since, const char *path, pd_error *error);
/* Reads a log and creates its world, at tick 0. A file that is damaged behind its beginning is read up to there, and damage
 * (PD_MAX_LOG_DAMAGE bytes) says where and why; else it is "". A last line that is cut short is left out. threads: as in
 * pd_world_create. Errors: FILE_UNREADABLE, LOG_BROKEN, LOG_VERSION, those of scenes, snapshots and worlds. */
pd_result pd_log_read(pd_log **log, pd_world **world, const char *path, int threads, char damage[PD_MAX_LOG_DAMAGE],
                      pd_error *error);
/* Writes the log to a file as it grows, each second of steps: a program that is killed loses no more than the last one.
 * Going back is a line too, "500 back 420 1": what follows the first command of tick 420 is undone. Errors: FILE_UNWRITABLE,
 * OUT_OF_MEMORY. */
pd_result pd_log_follow(pd_log *log, const char *path, pd_error *error);
/* The same with at most about so many bytes: a larger file begins anew, with the last two minutes or less. A file that begins with a
 * state of more than half of these bytes may become twice as large as its beginning. */
pd_result pd_log_follow_last(pd_log *log, const char *path, long bytes, pd_error *error);
/* Writes what is left and closes the file; does nothing without pd_log_follow. world: as in pd_log_write. Errors:
 * FILE_UNWRITABLE, also of earlier writes. */
pd_result pd_log_close(pd_log *log, const pd_world *world, pd_error *error);

#ifdef __cplusplus
}
#endif
#endif
