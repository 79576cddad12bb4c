/* The timeline: a world with its log, its pace, and a second world for comparison. Commands change the world, steps, replay, seek,
 * rewind, undo and redo move it in time. A timeline needs no window and no OpenGL. */
#ifndef PUDDLE_APP_SESSION_TIMELINE_H
#define PUDDLE_APP_SESSION_TIMELINE_H

#include "app/io/announce.h"
#include "app/session/draft.h"
#include "core/file.h"
#include <puddle/puddle.h>
#include <stdbool.h>

/* Pace of simulated time: how many steps a frame makes within its budget of wall time, and where between two steps it is drawn.
 *
 *     pd_pace_begin_frame(p, due_seconds)                due_seconds: wall time of the last frame x chosen speed
 *     while (pd_pace_has_time(p, spent_seconds)) {       spent_seconds: wall time since pd_pace_begin_frame
 *         substeps for pd_pace_seconds_left(p, ...);     a long step continues in the next frame
 *         pd_pace_record_work(p, ...);
 *     }
 *     pd_pace_end_frame(p)                               drops time that did not fit the budget: simulated time is slow
 */
typedef struct pd_pace {
    double dt;                      /* simulated time per step, s */
    double budget;                  /* wall time that a frame may spend on steps, s */
    double owed;                    /* simulated time that steps still have to cover, s */
    double step_cost, substep_cost; /* smoothed wall time of a step and of a substep, s; 0: unknown */
    double unfinished_cost;         /* wall time spent so far on the step under way, s; 0: no step is under way */
    int steps;                      /* number of steps completed in this frame */
    bool worked;                    /* pd_pace_record_work was called in this frame */
    double simulated;               /* simulated time of the substeps made in this frame, s */
    double due;                     /* simulated time that this frame should cover: wall time x chosen speed, s */
    double simulated_sum, due_sum;  /* sums of `simulated` and `due` over frames, decaying exponentially, s */
    double slow_for;                /* 0 to 1 s: grows while simulated time is slower than chosen, shrinks otherwise */
    bool slow;                      /* slow_for has reached 1 s and has not returned to 0 since */
} pd_pace;

void pd_pace_init(pd_pace *pace, double dt);
void pd_pace_begin_frame(pd_pace *pace, double due_seconds);
/* Returns the number of steps that the frame is expected to make: those owed, as far as they fit the budget, and at least 1.
 * Call at the beginning of the frame. */
int pd_pace_expected_steps(const pd_pace *pace);
/* Discards the measured cost of steps, and sets the interpolation weight to 1. Call after the world's state was replaced. */
void pd_pace_restart(pd_pace *pace);
/* Returns whether the frame should work on another step. If a step is owed, each frame works on it at least once.
 * spent_seconds: wall time since pd_pace_begin_frame. */
bool pd_pace_has_time(const pd_pace *pace, double spent_seconds);
/* Returns the wall time left for substeps in this frame, s. spent_seconds: as in pd_pace_has_time. */
double pd_pace_seconds_left(const pd_pace *pace, double spent_seconds);
/* Records that `substeps` of the substeps_per_step substeps of a step took `seconds` of wall time. substeps: 0 if only
 * the second world has made substeps; complete: the step is complete. */
void pd_pace_record_work(pd_pace *pace, double seconds, int substeps, int substeps_per_step, bool complete);
void pd_pace_end_frame(pd_pace *pace);
/* Returns the weight w of the state after the last step in the drawn picture, 0 to 1. The state before the step has 1 - w. */
float pd_pace_interpolation_weight(const pd_pace *pace);
/* Returns simulated time / (wall time x chosen speed), averaged over about a second. 1 if not known yet. */
double pd_pace_speed_ratio(const pd_pace *pace);

/* Events of the session that its observer receives. */
typedef enum pd_session_event {
    PD_SESSION_STEP_UNDONE, /* an incomplete step was undone: update the views */
    PD_SESSION_STATE, /* the state was replaced (reset, rewind, other method or scene): update views and shown values */
    PD_SESSION_METHOD, /* the method changed: discard measurements of the former method */
    PD_SESSION_KEPT,   /* the state of the second world replaced that of the first: keep the view of its pane */
    PD_SESSION_TIME,   /* the world moved to another time, or the panes changed: end the mouse press */
    PD_SESSION_END,    /* the world or its scene is replaced: end the recording */
    PD_SESSION_WORLD,  /* a scene was opened: close the browser */
} pd_session_event;

/* Receives the session's events. All zero: no observer. */
typedef struct pd_observer {
    void *context;                                          /* first argument of the functions */
    void (*changed)(void *context, pd_session_event event); /* called when the event has happened */
    /* called when a step is complete, before the value of a slider that waited for its end is set */
    void (*stepped)(void *context);
    /* returns whether the program is about to quit, so that no long work should begin */
    bool (*quitting)(void *context);
} pd_observer;

/* Snapshot of the state before a step. All zero: no state is saved. */
typedef struct pd_step_start {
    void *bytes; /* the snapshot; NULL: none */
    size_t size; /* size of the snapshot, bytes */
} pd_step_start;

/* Saves the state before a step, unless the step is short (below 0.5 s) or memory runs out. step_seconds: expected wall time of
 * the step, s; 0: unknown. Cost: at most a tenth of the step. */
void pd_step_start_save(pd_step_start *start, const pd_world *world, double step_seconds);
/* Restores the state before the step. False: no state is saved. */
bool pd_step_start_restore(pd_step_start *start, pd_world *world);
void pd_step_start_free(pd_step_start *start);

/* State of the key Backspace. A tap goes back a second. Holding the key runs time backwards. */
typedef struct pd_backwards {
    /* Cache of the states before the present tick, computed in advance; NULL until the first press. */
    pd_reverse *reverse;
    bool held;           /* Backspace is down */
    bool runs;           /* time runs backwards, because the key was held for 0.25 s */
    bool branches;       /* the release of the key removes the commands after the reached tick from the log */
    double press_time;   /* time at which the key went down, s of pd_now() */
    double owed_ticks;   /* number of ticks that time still has to go back */
    uint64_t rewound_to; /* tick at which the last rewind ended */
} pd_backwards;

/* Seek: a jump to another tick of the log, over several frames. */
typedef struct pd_seek {
    bool active;    /* a seek is running */
    bool continues; /* the seek is to the end of the last session */
    bool dragged;   /* the user drags the time line: the seek shows only the states of keyframes */
    uint64_t tick;  /* goal of the seek */
} pd_seek;

/* Quantity of a world that is recorded over time, to compare both worlds. */
typedef enum pd_measure {
    PD_MEASURE_ENERGY,  /* kinetic energy, J/m */
    PD_MEASURE_DENSITY, /* pd_statistics.density_error, per cent; NAN: the method has no density */
    PD_MEASURE_COST,    /* wall time of a step, ms */
    PD_MEASURES
} pd_measure;

enum { PD_TRACE_POINTS = 256 }; /* room for points in a pd_trace */
/* Curves of the measures of both worlds since the second world was created. When the room is full, each pair of adjacent points
 * is replaced by its mean. */
typedef struct pd_trace {
    float value[PD_MEASURES][2][PD_TRACE_POINTS]; /* means over `stride` steps; second index: world */
    int count;                                    /* number of points recorded */
    int stride;                                   /* number of steps per point */
    double sum[PD_MEASURES][2];                   /* sums over the steps since the last point; second index: world */
    int steps;                                    /* number of steps since the last point */
} pd_trace;

typedef struct pd_second_world {
    pd_world *world; /* the second world; NULL: one pane only */
    pd_trace trace;  /* recorded measures of both worlds */
} pd_second_world;

/* Gravity as the panel and the keys set it. While gravity is off, strength and angle stay for switching it on again. */
typedef struct pd_gravity_dial {
    float strength; /* magnitude of gravity, m/s^2 */
    float angle;    /* direction, degrees from straight down, positive to the right */
    bool on;        /* gravity is switched on */
    float notch;    /* change of `strength` per key press, m/s^2: a tenth of the scene's gravity; 0: not computed */
} pd_gravity_dial;

/* State of the tool Pour, for messages that explain why no particles appear. */
typedef struct pd_pouring {
    int particles;              /* number of particles in the world after the last step */
    int steps_without_particle; /* number of steps of this press without a new particle */
    bool limit_announced;       /* the world is full of particles, which was announced */
} pd_pouring;

/* A session: a timeline with the state of its editor. */
typedef struct pd_session {
    /* The caller sets announcer to writes_last_log before pd_session_replace_world. */
    pd_announcer *announcer; /* destination of messages to the user */
    pd_observer observer;    /* receives the session's events */
    const char *log_path;    /* file that receives the log (--log); NULL: none */
    pd_log **replay;         /* in: *replay is the log to replay, or NULL; out: *replay is the log of the last world */
    size_t history;          /* memory for the log's keyframes, bytes; 0: PD_LOG_BUDGET */
    bool writes_last_log;    /* also writes the log to last.log in the user's state folder */

    pd_world *world;         /* the simulated world; the first world of a comparison */
    char path[PD_MAX_PATH];  /* path of the file that was opened last; "": none */
    char saved[PD_MAX_PATH]; /* path of the snapshot of this scene that was saved last; "": none */
    pd_second_world second;  /* second world of a comparison */

    pd_log *log;         /* log of the world since its scene was opened; NULL: out of memory */
    int log_number;      /* number in the name of the file that --log writes now; 0: no file yet */
    int log_claim;       /* claim of pd_file_claim on the file of --log; 0: none */
    int last_log_number; /* N in last-N.log, the last log of this window; 1: last.log */
    int last_log_lock;   /* file descriptor of the lock on the last log; 0: no lock */
    double first_time;   /* pd_world_time at the beginning of the log, s */
    bool replays_log;    /* the log comes from *replay, and the user has not changed it yet */
    bool diverged;       /* a difference between replay and log was announced */

    bool paused;              /* only requested_steps are made */
    int requested_steps;      /* number of single steps still to make while paused */
    int speed_exponent;       /* simulated time / wall time = 2^speed_exponent */
    pd_pace pace;             /* number of steps per frame */
    pd_step_start step_start; /* snapshot of the state before the present step */
    pd_backwards backwards;   /* rewind by Backspace */
    pd_seek seek;             /* seek by the time line */

    pd_bar_tool tool;          /* tool selected for the left button */
    bool tool_set_by_material; /* the tool was selected by selecting a material, not by its own key or button */
    int choice[PD_BAR_TOOLS];  /* index of the selected choice of each tool (pd_bar_row.choices) */
    int poured; /* index of the material that pours; may be out of range, hence read by pd_session_poured_material */
    int dye;    /* 1 + index of the material that a left drag paints; 0: none */
    pd_draft draft;           /* item that a drag draws */
    pd_joint_end joint_begin; /* begin of the joint that a drag draws */
    pd_selected_body body;    /* body whose values the panel shows */
    pd_grab grab;             /* press of the tool Move or Erase */
    pd_pouring pouring;       /* state of the tool Pour */
    pd_gravity_dial gravity;  /* gravity as the panel and the keys set it */
    bool slider_waits;        /* `slider` waits for the end of the step under way */
    pd_command slider;        /* newest gravity, parameter or property that was set within a step */
} pd_session;

/* Returns whether `result` is PD_OK. Otherwise announces `error`. */
bool pd_session_check_result(pd_session *session, pd_result result, const pd_error *error);
/* Updates the values that the session derives from the world's state (gravity, pace), and notifies the observer. Call after a
 * reset, rewind or undo, and after a change of method, number of particles or scene. */
void pd_session_refresh_state(pd_session *session);
void pd_session_notify_observer(pd_session *session, pd_session_event event);

/* ---- Commands ---- */

/* Completes the step under way, applies a command to both worlds and adds the command to the log. */
pd_result pd_session_try_command(pd_session *session, const pd_command *command, pd_error *error);
/* Applies a command as pd_session_try_command does. False: the world refused the command, and the error was announced. */
bool pd_session_apply_command(pd_session *session, const pd_command *command);
/* Sets the world's tool as a command. Call between two steps. */
void pd_session_set_tool(pd_session *session, const pd_tool *tool);
/* Switches to another method, or announces why that is not possible. */
void pd_session_set_method(pd_session *session, const pd_method_info *method);

/* ---- Edits of the scene ---- */

/* Completes the step under way, and copies the world's scene into *copy. The caller changes the copy and passes it to
 * pd_session_end_edit. False: out of memory, which was announced. */
bool pd_session_begin_edit(pd_session *session, pd_scene *copy);
/* Applies the items, materials and parameters of the changed copy as one command, and frees the copy. result: result of
 * changing the copy. If `result` is not PD_OK, only announces `error`. False: an error was announced, and the world is
 * unchanged. */
bool pd_session_end_edit(pd_session *session, pd_scene *copy, pd_result result, const pd_error *error);

/* ---- Gravity ---- */

/* Sets the world's gravity, m/s^2: within a step when the step is complete. */
void pd_session_set_gravity(pd_session *session, pd_vec2 gravity);
/* Sets the world's gravity from session->gravity, and announces its strength. */
void pd_session_apply_gravity_dial(pd_session *session);

/* ---- Parameters, by their index in the running method's table ---- */

/* Returns a parameter's value in effect. *default_value receives the default. default_value may be NULL. */
float pd_session_parameter_value(const pd_session *session, int index, float *default_value);
/* Sets and announces a parameter's value: within a step when the step is complete. An invalid value is announced as an error. */
void pd_session_set_parameter(pd_session *session, int index, float value);
/* Removes a parameter's value, so that its default applies. The default may depend on the number of particles. */
void pd_session_reset_parameter(pd_session *session, int index);

/* ---- Properties of materials ---- */

/* Returns the parameter that describes a property's unit and range. NULL: the running method lacks the property. *shared_value
 * receives the value of all materials without an own value. *default_value receives the default of the shared value. */
const pd_parameter *pd_session_property_parameter(const pd_session *session, pd_property property, float *shared_value,
                                                  float *default_value);
/* Returns a material's value of a property in effect: its own value, or the shared value of pd_session_property_parameter.
 * *has_own_value receives whether the material has an own value. */
float pd_session_property_value(const pd_session *session, int material, pd_property property, bool *has_own_value);
/* Sets a material's own value of a property. NAN removes the own value, so that the shared value applies. Does nothing if the
 * running method lacks the property. */
void pd_session_set_property(pd_session *session, int material, pd_property property, float value);

/* ---- Warnings ---- */

/* Appends the world's warnings about its scene (pd_world_write_warning) to `text`. Returns the number of warnings. */
int pd_session_append_warnings(const pd_world *world, char *text, size_t size);
/* Announces first_sentence ("": none) and the warnings of the session's world as one message. */
void pd_session_announce_warnings(pd_session *session, const char *first_sentence);

/* ---- Steps ---- */

/* Returns whether the first or the second world is within a step, or one is a step ahead of the other. */
bool pd_session_is_stepping(const pd_session *session);
/* Works on the step under way for about `seconds` of wall time, or begins one. True: the step of both worlds is complete. */
bool pd_session_work_on_step(pd_session *session, double seconds);
/* Completes the step under way. If the program is about to quit, restores the state before a long step instead. Afterwards no
 * world is within a step. */
void pd_session_finish_step(pd_session *session);
/* Returns pd_pace_interpolation_weight, or 1 within a step. */
float pd_session_interpolation_weight(const pd_session *session);
/* Returns the speed of time that the user chose: simulated time / wall time. */
double pd_session_chosen_speed(const pd_session *session);

/* ---- The log ---- */

/* Returns whether the log has steps after the present tick, which will be replayed. */
bool pd_session_is_replaying(const pd_session *session);
/* Applies the commands that the log has at the present tick. Call before each step of a replay. */
void pd_session_apply_logged_commands(pd_session *session);
void pd_session_undo(pd_session *session);
void pd_session_redo(pd_session *session);
/* Ends a running seek or rewind. The world stays at the tick reached so far. */
void pd_session_end_seek_and_rewind(pd_session *session);

/* ---- The clock ----
 *
 * The window shows times as pd_world_time: simulated time since the scene was loaded or reset. The log counts ticks since the
 * session began, and may hold several scenes. */

/* Ticks of the log from the beginning of a scene (a reset, a restart, another scene or number of particles) to its end. */
typedef struct pd_scene_ticks {
    uint64_t begin, end; /* first and last tick */
    int command;         /* index of the logged command that began the scene; -1: the scene began with the log */
    double begin_time;   /* simulated time of the scene at `begin`, s: 0, or that of an opened snapshot */
} pd_scene_ticks;

/* Finds the scene that the log has at a tick. */
pd_scene_ticks pd_session_find_scene_ticks(const pd_session *session, uint64_t tick);
/* Returns the simulated time at a tick of a scene, s. */
double pd_session_time_of_tick(const pd_session *session, const pd_scene_ticks *scene, uint64_t tick);

/* ---- Backspace ---- */

/* Goes back to the last whole second, as a tap of Backspace does. */
void pd_session_rewind(pd_session *session);
void pd_backwards_press_key(pd_session *session);
void pd_backwards_release_key(pd_session *session);
/* Ends the press of Backspace, even if the key is still down. A tap has no effect then. */
void pd_backwards_stop(pd_session *session);
/* Frees session->backwards. Call when the session's world is replaced. */
void pd_backwards_free(pd_session *session);
/* Moves time backwards for a frame. elapsed: wall time of the frame, s. Call instead of making steps while
 * session->backwards.held is true. */
void pd_backwards_advance(pd_session *session, double elapsed);

/* ---- Seeking ---- */

/* Begins dragging the time line. The caller sets session->seek.tick before each pd_seek_advance. */
void pd_seek_begin_drag(pd_session *session);
/* Ends dragging the time line. The seek continues to the exact tick. */
void pd_seek_end_drag(pd_session *session);
/* Works on the seek for a frame. Call instead of making steps while session->seek.active is true. */
void pd_seek_advance(pd_session *session);
/* Ends a running seek. The world stays at the tick reached so far. */
void pd_seek_end(pd_session *session);

/* ---- Comparison side by side: a second world with the same scene and input under another method ---- */

/* Begins a comparison: creates a second world under `method`, replacing a former second world, and resets the first world. If
 * the second world already has this method, the comparison ends instead. Errors are announced and change nothing. */
void pd_session_compare_with_method(pd_session *session, const pd_method_info *method);
/* Ends the comparison with the second world: its state becomes that of the first world by a command, which undo reverts
 * together with the act before. */
void pd_session_promote_second_world(pd_session *session);
/* Destroys the second world if it exists, and announces the reason. */
void pd_second_world_close(pd_session *session, const char *reason);
/* Destroys the second world without a message. */
void pd_second_world_destroy(pd_session *session);

#endif
