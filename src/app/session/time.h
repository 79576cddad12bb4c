/* Time: making steps, replaying a log, seeking, rewinding, undo and redo. */
#ifndef PUDDLE_APP_SESSION_TIME_H
#define PUDDLE_APP_SESSION_TIME_H

#include <puddle/log.h>

typedef struct pd_session pd_session;

/* State of Backspace. A tap goes back a second. Holding the key runs time backwards. */
typedef struct pd_backwards {
    pd_reverse *reverse; /* states before the present tick, computed in advance; NULL until the first press */
    bool held;           /* Backspace is down */
    bool runs;           /* time runs backwards: the key was held longer than a tap */
    bool branches;       /* the release removes the commands after the reached tick */
    double press_time;   /* time at which the key went down, s of pd_now() */
    double owed_ticks;   /* ticks by which time is still to go back */
    uint64_t rewound_to; /* tick at which the last rewind ended */
} pd_backwards;

/* Seek: a jump to another tick of the log, over several frames. */
typedef struct pd_seek {
    bool active;
    bool dragged;  /* the user drags the time line, which shows keyframes only */
    uint64_t tick; /* tick to reach */
} pd_seek;

/* ---- Steps ---- */

/* Returns whether either world is within a step. */
bool pd_session_is_stepping(const pd_session *session);
/* Begins a step of the session's first world, unless that world is within one. */
void pd_session_begin_step(pd_session *session);
/* Works on a step for about `seconds` of wall time, and begins one if none is under way. True: the step is complete. */
bool pd_session_work_on_step(pd_session *session, double seconds);
/* Completes the step under way. When the program is about to quit, a long step is undone instead. */
void pd_session_finish_step(pd_session *session);
/* Returns the weight of the last state in the drawn picture, 0 .. 1 (pd_pace_interpolation_weight). */
float pd_session_interpolation_weight(const pd_session *session);
/* Returns the speed that the user chose: simulated time / wall time. */
double pd_session_chosen_speed(const pd_session *session);

/* ---- The log ---- */

/* Returns whether the log has steps after the present tick, which a replay makes again. */
bool pd_session_is_replaying(const pd_session *session);
/* Applies the log's commands of the present tick. Call before each step of a replay. */
void pd_session_apply_logged_commands(pd_session *session);
void pd_session_undo(pd_session *session);
void pd_session_redo(pd_session *session);
/* Updates the session after an undo, a redo or a seek. before: method that ran before the change. */
void pd_session_handle_time_change(pd_session *session, const pd_method_info *former_method);
/* Ends a running seek or rewind. The simulation continues from the present tick. */
void pd_session_end_seek_and_rewind(pd_session *session);

/* ---- Backspace ---- */

/* Goes back a second, as a tap of Backspace does. */
void pd_session_rewind(pd_session *session);
void pd_backwards_press(pd_session *session);
void pd_backwards_release(pd_session *session);
/* Ends running backwards, although the key may still be down. */
void pd_backwards_stop(pd_session *session);
/* Frees session->backwards. Call when another world is shown. */
void pd_backwards_free(pd_session *session);
/* Moves time backwards for a frame of `elapsed` s. While the key is down, call this function instead of making steps. */
void pd_backwards_advance(pd_session *session, double elapsed);

/* ---- Seeking ---- */

/* Begins dragging the time line. The caller sets session->seek.tick before each pd_seek_advance. */
void pd_seek_begin_drag(pd_session *session);
/* Ends dragging the time line. The seek continues to the exact tick. */
void pd_seek_end_drag(pd_session *session);
/* Works on the seek for a frame. While session->seek.active, call this function instead of making steps. */
void pd_seek_advance(pd_session *session);
/* Ends the seek. The world stays where it is. */
void pd_seek_end(pd_session *session);

#endif
