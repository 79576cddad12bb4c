/* Time: steps, replay of a log, seek, rewind, undo and redo. */
#ifndef PUDDLE_APP_SESSION_TIME_H
#define PUDDLE_APP_SESSION_TIME_H

#include <puddle/log.h>

typedef struct pd_session pd_session;

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
/* Updates the session after an undo, a redo, a rewind or a seek. former_method: method of the world before. */
void pd_session_handle_time_change(pd_session *session, const pd_method_info *former_method);
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

#endif
