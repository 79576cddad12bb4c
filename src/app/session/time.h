/* Time: steps, replay, seeking, rewinding, undo and redo. */
#ifndef PUDDLE_APP_SESSION_TIME_H
#define PUDDLE_APP_SESSION_TIME_H

#include <puddle/log.h>

typedef struct pd_session pd_session;

/* Backspace. A tap goes back a second; holding the key runs time backwards. */
typedef struct pd_backwards {
    pd_reverse *reverse; /* states before the present one, made ahead of time; NULL until the first press */
    bool held;           /* the key is down */
    bool runs;           /* held longer than a tap */
    bool branches;       /* the release removes the commands after the goal */
    double pressed;      /* when the key went down, s of pd_now() */
    double owed;         /* ticks still to go back */
    uint64_t rewound_to; /* the tick where the last rewind ended */
} pd_backwards;

/* A jump to another tick of the log. */
typedef struct pd_seek {
    bool active;
    bool dragged;  /* the goal still moves with the pointer: only keyframes are shown */
    uint64_t tick; /* the goal */
} pd_seek;

/* ---- Steps ---- */

/* Whether a step is incomplete in either world. */
bool pd_session_stepping(const pd_session *session);
/* Begins a step of the first world, unless a step is under way. */
void pd_session_begin_step(pd_session *session);
/* Continues the step under way, or begins one, for about `seconds` of wall time. True: the step is complete. */
bool pd_session_work(pd_session *session, double seconds);
/* Completes the step under way. When the program is about to quit, a long step is undone instead. */
void pd_session_finish_step(pd_session *session);
/* Returns where the picture lies between the last two steps, 0 .. 1. */
float pd_session_alpha(const pd_session *session);
/* Returns the chosen speed: simulated time over wall time. */
double pd_session_speed(const pd_session *session);

/* ---- The log ---- */

/* Whether the log has steps after the present one. */
bool pd_session_replays(const pd_session *session);
/* Applies the logged commands of the present tick. Call before a step of a replay. */
void pd_session_play(pd_session *session);
void pd_session_undo(pd_session *session);
void pd_session_redo(pd_session *session);
/* Call after the world moved in its log. before: the method that ran until then. */
void pd_session_time_changed(pd_session *session, const pd_method_info *before);
/* Ends a seek or a rewind: time continues from the present tick. */
void pd_session_end_travel(pd_session *session);

/* ---- Backspace ---- */

/* Goes back a second, as a tap does. */
void pd_session_rewind(pd_session *session);
void pd_backwards_press(pd_session *session);
void pd_backwards_release(pd_session *session);
/* Ends running backwards; the key may still be down. */
void pd_backwards_stop(pd_session *session);
/* Frees the states. Call when another world is shown. */
void pd_backwards_free(pd_session *session);
/* Runs backwards for a frame of `elapsed` s. Replaces the steps of the frame while the key is down. */
void pd_backwards_advance(pd_session *session, double elapsed);

/* ---- Seeking ---- */

/* Begins to drag the goal. Set session->seek.tick before each pd_seek_advance. */
void pd_seek_begin_drag(pd_session *session);
/* Ends dragging: the world goes to the exact tick. */
void pd_seek_end_drag(pd_session *session);
/* Works on the seek for a frame. Replaces the steps of the frame while session->seek.active. */
void pd_seek_advance(pd_session *session);
/* Ends the seek. The world stays where it is. */
void pd_seek_end(pd_session *session);

#endif
