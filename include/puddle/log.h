/** @file
 * Logs: the first state of a world, every later command with its tick, and hashes of the world.
 *
 * A tick is a step since the beginning of the log. A reset sets pd_world_steps() to 0, but does not change the tick.
 * A log contains a hash of the world every 60 ticks, and snapshots at some ticks (keyframes).
 * From the first state and the commands the world of any tick can be computed again, bit for bit.
 */
#ifndef PUDDLE_LOG_H
#define PUDDLE_LOG_H

#include <puddle/command.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A log. */
typedef struct pd_log pd_log;

/** Interval of hashes in a log. */
enum { PD_LOG_HASH_TICKS = 60 /**< Ticks from one hash to the next. */ };
#define PD_LOG_NEVER UINT64_MAX /**< Tick that stands for "never". */

/** Creates a log that begins at tick 0 with the state of the world.
 *
 * Errors: OUT_OF_MEMORY, USAGE (a step is incomplete). */
PD_API pd_result pd_log_create(pd_log **log, const pd_world *world, pd_error *error);
/** Destroys a log. NULL is allowed. */
PD_API void pd_log_destroy(pd_log *log);
/** Default limit of pd_log_set_keyframe_budget(). */
enum { PD_LOG_BUDGET = 256 << 20 /**< Greatest size of all keyframes, bytes. */ };
/** Sets the greatest size of all keyframes, bytes. The limit is applied when the next keyframe is added.
 *
 * Beyond the limit keyframes are removed, mostly those far from the present tick, but never the first keyframe.
 * A world whose snapshot exceeds half of the limit gets no further keyframes. */
PD_API void pd_log_set_keyframe_budget(pd_log *log, size_t max_bytes);
/** Returns the bytes of all keyframes, including those that pd_log_redo() would restore. */
PD_API size_t pd_log_keyframe_bytes(const pd_log *log);

/** Returns the present tick: the tick of the world. */
PD_API uint64_t pd_log_tick(const pd_log *log);
/** Returns the last tick in the log. During a replay, and after seeking, it is greater than pd_log_tick(). */
PD_API uint64_t pd_log_end_tick(const pd_log *log);
/** Returns the number of commands in the log. */
PD_API int pd_log_commands(const pd_log *log);
/** Returns a command by index, 0 to pd_log_commands() - 1. `*tick` receives the tick of the command. `tick` may be NULL. */
PD_API const pd_command *pd_log_command(const pd_log *log, int index, uint64_t *tick);
/** Returns the first tick in the replay with a wrong hash, a failed command or a refusal of memory.
 *
 * #PD_LOG_NEVER: there is no such tick so far. */
PD_API uint64_t pd_log_first_divergence(const pd_log *log);
/** Returns the version of puddle that wrote the file of the log: "0.1.0". "": the version is unknown, or
 * the log was not read from a file. */
PD_API const char *pd_log_writer_version(const pd_log *log);

/** @name Recording
 * @{ */

/** Applies a command to the world and adds the command to the log. Later ticks and commands of the log are removed.
 *
 * Within a step (pd_world_step_part()) completes the step first, and calls pd_log_end_step().
 * A command that changes nothing (the present tool, an empty edit) returns ::PD_OK, is not added and
 * cannot be undone.
 * On an error world and log are unchanged. Errors: those of pd_world_apply(), OUT_OF_MEMORY. */
PD_API pd_result pd_log_do(pd_log *log, pd_world *world, const pd_command *command, pd_error *error);
/** Increments the tick. Call this function after each complete step of the world, in recording and in replay.
 *
 * If memory was refused in the recorded step (pd_world_was_refused_memory()), the log ends before this step:
 * pd_log_was_refused_memory(). */
PD_API void pd_log_end_step(pd_log *log, pd_world *world);
/** Returns whether the log ends because memory was refused in the step or command that followed.
 *
 * A replay with more memory would compute another state than the world had then. The log takes no further steps, and
 * pd_log_do() fails with OUT_OF_MEMORY, until an undo or a seek restores the world. To continue at the present state,
 * begin a new log (pd_log_create()). */
PD_API bool pd_log_was_refused_memory(const pd_log *log);
/** Returns whether the world is no longer a state of the log, because memory was refused since the world was last restored. */
PD_API bool pd_log_is_left(const pd_log *log);
/** Removes all ticks and commands after the present tick. Recording then continues at the present tick. */
PD_API void pd_log_remove_future(pd_log *log);
/** @} */

/** @name Replay
 * @{ */

/** Applies the commands of the present tick that have not been applied yet.
 *
 * Call this function before each step while pd_log_tick() < pd_log_end_tick(), and once more at the end.
 * A command that fails counts as a divergence.
 * Returns whether a command has begun a scene: a reset, a restart, another scene or another number of particles. */
PD_API bool pd_log_replay_commands(pd_log *log, pd_world *world);
/** Restores the world at a tick, before the commands of that tick.
 *
 * Cost: the steps from the last keyframe before the tick. Ticks are clamped to pd_log_end_tick().
 * After an error the world is unchanged, or at an intermediate tick. The call can be repeated. Errors: OUT_OF_MEMORY. */
PD_API pd_result pd_log_seek(pd_log *log, pd_world *world, uint64_t tick, pd_error *error);
/** Computes a part of pd_log_seek(): at least one substep, for about `wall_seconds`. The program stays responsive.
 *
 * `*arrived` receives whether the tick is reached. If not, call again, or seek another tick.
 * Between the calls a step may be incomplete. Errors: those of pd_log_seek(). */
PD_API pd_result pd_log_seek_part(pd_log *log, pd_world *world, uint64_t tick, double wall_seconds, bool *arrived,
                                  pd_error *error);
/** Restores the world just before a command, with the earlier commands of the same tick.
 *
 * `index`: 0 to pd_log_commands() - 1. Errors: those of pd_log_seek(), USAGE (no command has the index). */
PD_API pd_result pd_log_seek_command(pd_log *log, pd_world *world, int index, pd_error *error);

/** Finds the last keyframe before a tick. Seeking a keyframe computes no steps. `*keyframe_tick` receives
 * the tick of the keyframe.
 *
 * Returns false if there is no such keyframe. */
PD_API bool pd_log_find_keyframe_before(const pd_log *log, uint64_t tick, uint64_t *keyframe_tick);
/** @} */

/** @name Time that runs backwards
 * @{ */

/** Saved states of the ticks before the present tick, for showing time in reverse.
 *
 * A second world computes these states in advance, forward from a keyframe. */
typedef struct pd_reverse pd_reverse;

/** Creates a pd_reverse without states. `max_bytes`: greatest size of all states. Keyframes of the log do not count.
 *
 * Errors: those of pd_world_create(). */
PD_API pd_result pd_reverse_create(pd_reverse **reverse, const pd_world *world, size_t max_bytes, pd_error *error);
/** Destroys a pd_reverse. NULL is allowed. */
PD_API void pd_reverse_destroy(pd_reverse *reverse);
/** Frees all states. Call this function when the world of the log has stepped or has been restored at another tick. */
PD_API void pd_reverse_free_states(pd_reverse *reverse);
/** Computes states before the present tick: at least one substep, for about `wall_seconds`.
 *
 * Returns early when 90 states are ready, or when `max_states` new states are ready. */
PD_API void pd_reverse_compute_states(pd_reverse *reverse, pd_log *log, double wall_seconds, int max_states);
/** Restores the world at an earlier tick, before the commands of that tick. Returns the number of ticks gone back.
 *
 * | saved states | the world goes back |
 * |---|---|
 * | at least one | by `ticks`, or to the earliest state |
 * | none, `ticks` is at least 30 | to the last keyframe before the present tick |
 * | none, `ticks` is less than 30, the last keyframe is at most `ticks` back | to this keyframe |
 * | none, `ticks` is less than 30, the last keyframe is farther back | by 0 |
 *
 * The commands of the log do not change. pd_log_remove_future() removes the later commands. */
PD_API uint64_t pd_reverse_go_back(pd_reverse *reverse, pd_log *log, pd_world *world, uint64_t ticks);
/** Returns the number of saved states, which pd_reverse_go_back() restores without computing steps. */
PD_API int pd_reverse_state_count(const pd_reverse *reverse);
/** Returns the size of all saved states, bytes. */
PD_API size_t pd_reverse_state_bytes(const pd_reverse *reverse);
/** @} */

/** @name Undo
 * An act is the smallest unit of undo: a stroke of a tool, one movement of a slider, or a single command.
 * Undoing an act restores the world just before the act, at the tick at which the act began.
 * @{ */

/** Returns whether there is an act to undo. `*steps` receives the number of steps that undo
 * computes, from the last keyframe. `steps` may be NULL. */
PD_API bool pd_log_can_undo(const pd_log *log, uint64_t *steps);
/** Undoes the last act. Does nothing without an act.
 *
 * On an error world and log are unchanged. Errors: OUT_OF_MEMORY. */
PD_API pd_result pd_log_undo(pd_log *log, pd_world *world, pd_error *error);
/** Returns whether there is an undone act to redo. The next command removes all undone acts. At most 64 are stored. */
PD_API bool pd_log_can_redo(const pd_log *log);
/** Restores the world and the log before the last pd_log_undo(). Does nothing without an undone act.
 *
 * On an error world and log are unchanged. Errors: OUT_OF_MEMORY. */
PD_API pd_result pd_log_redo(pd_log *log, pd_world *world, pd_error *error);
/** Joins the last act to the act before it: one pd_log_undo() then undoes both. Does nothing with fewer than two acts.
 *
 * Log files do not store this. A ::PD_COMMAND_STATE that was read from a file always belongs to the act before it. */
PD_API void pd_log_join_last_acts(pd_log *log);
/** @} */

/** @name Files
 * @{ */

/** Size of the text `damage` of pd_log_read(). */
enum { PD_MAX_LOG_DAMAGE = 512 /**< Bytes of the description of damage. */ };

/** Writes the log as text. Keyframes of the log, at most 16 MiB, make seeking in the file fast.
 *
 * The file begins at the last keyframe at or before `since_tick`. 0: the file contains the whole log.
 * `world` is the world of the log. The last line of the file is the hash of the world. This line is missing if the world is
 * before the end of the log. It is also missing within a step: the file then ends with the last complete step.
 * Errors: FILE_UNWRITABLE, OUT_OF_MEMORY. */
PD_API pd_result pd_log_write(const pd_log *log, const pd_world *world, uint64_t since_tick, const char *path,
                              pd_error *error);
/** Reads a log and creates its world at tick 0.
 *
 * A file that is damaged after its beginning is read up to the damage. `damage` receives the place and the reason, or ""
 * without damage. `damage` may be NULL.
 * An incomplete last line is ignored. `def->scene` is ignored: the file contains the scene.
 * On an error `*log` and `*world` are NULL.
 * Errors: FILE_UNREADABLE, LOG_BROKEN, LOG_VERSION, those of pd_world_create() and pd_world_restore_from_memory(). */
PD_API pd_result pd_log_read(pd_log **log, pd_world **world, const char *path, const pd_world_def *def,
                             char damage[PD_MAX_LOG_DAMAGE], pd_error *error);
/** Reads whether a log file has any input of a user, and the name of its last scene, without creating a world.
 *
 * `*has_commands` receives whether the file has commands, or begins at a later state than its scene. `scene` receives the
 * name, or "" if the scene has none.
 * Returns false if the file cannot be read, or is a link. */
PD_API bool pd_log_summarize(const char *path, bool *has_commands, char scene[PD_MAX_NAME]);
/** Begins to write the log to a file. The file is flushed every 60 ticks: a crash loses at most 60 ticks.
 *
 * Removed commands, as after undo, stay in the file. A later line marks them: "500 back 420 1", written at tick 500,
 * removes all commands after the first command of tick 420.
 * Errors: FILE_UNWRITABLE, OUT_OF_MEMORY. */
PD_API pd_result pd_log_begin_autosave(pd_log *log, const char *path, pd_error *error);
/** Begins to write the latest part of the log to a file of at most about `max_bytes`, as pd_log_begin_autosave().
 *
 * A file that exceeds the limit is replaced by a new file with at most the last two minutes. A link, pipe or device at `path`
 * is replaced too.
 * If the first state exceeds half of `max_bytes`, or no new file can be written, the file may become twice as large.
 * Errors: those of pd_log_begin_autosave(). */
PD_API pd_result pd_log_begin_limited_autosave(pd_log *log, const char *path, long max_bytes, pd_error *error);
/** Ends pd_log_begin_autosave() or pd_log_begin_limited_autosave(): writes the rest and closes the file.
 *
 * Does nothing without a file. `world` is the world of the log.
 * Errors: FILE_UNWRITABLE (also if an earlier write has failed). */
PD_API pd_result pd_log_end_autosave(pd_log *log, const pd_world *world, pd_error *error);
/** Kind of a line in log files, for documentation. */
typedef struct pd_log_line {
    char form[96];    /**< Form of the line. Words in capitals stand for values: "STEP method NAME". */
    const char *help; /**< What the line means. */
} pd_log_line;
/** Describes the kind of line with this index, from 0, in the order of a log file. Returns false beyond the last kind. */
PD_API bool pd_log_describe_line(int index, pd_log_line *line);
/** @} */

#ifdef __cplusplus
}
#endif
#endif
