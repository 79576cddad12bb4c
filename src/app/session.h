/* The session: the world and what a person has done to it. Commands, the log with undo and time that runs backwards, the
 * pace of time. Knows nothing of pictures, windows and input devices: it runs without any of them. */
#ifndef PUDDLE_APP_SESSION_H
#define PUDDLE_APP_SESSION_H

#include "app/announce.h"
#include "app/keys.h"
#include "app/pace.h"
#include "app/step_start.h"
#include "core/file.h"

/* Gravity as strength, direction and a switch, so that switching it on again restores both: gravity.c */
typedef struct pd_gravity_dial {
    float strength; /* m/s^2 */
    float angle;    /* degrees from straight down, positive to the right */
    bool on;
    float notch; /* m/s^2 per key press */
} pd_gravity_dial;

/* Commands given during an unfinished step, to be applied at its end: commands.c */
enum { PD_MAX_QUEUED = PD_MAX_PARAMETERS + PD_MAX_MATERIALS * PD_PROPERTIES + 1 }; /* each value at most once */
typedef struct pd_queue {
    pd_command items[PD_MAX_QUEUED]; /* in the order in which they were given */
    int count;
} pd_queue;

/* Backspace: backwards.c */
typedef struct pd_backwards {
    pd_reverse *reverse; /* NULL: not needed yet */
    bool held, runs;     /* runs: held so long that it is no tap */
    bool keeps;          /* what is known of later steps */
    double pressed;      /* s of pd_now() */
    double owed;         /* ticks to go back */
    uint64_t rewound_to; /* the tick that the last rewind went to */
} pd_backwards;

/* On the way to another tick of the log: seek.c */
typedef struct pd_seek {
    bool active;
    bool dragged;         /* `tick` still moves: only the keyframes on the way are shown */
    uint64_t tick, shown; /* the goal; the keyframe that is shown while it is dragged */
} pd_seek;

typedef struct pd_session {
    pd_world *world;
    pd_log *log;     /* of the world since it was opened; NULL: out of memory for its beginning */
    int logs;        /* files begun for --log: one for each world */
    int last_number; /* of the window among those of the same user, from 1 */
    int last_lock;   /* file descriptor while the log is also in the user's state folder; 0: it is not */
    bool diverged;   /* it has been told that a replay differs from its log */
    bool watching;   /* the log was given to be replayed, and nothing was changed since */
    pd_backwards backwards;
    pd_seek seek;
    pd_queue queue;
    bool save_queued; /* a snapshot is written at the end of the step */
    pd_gravity_dial gravity;
    int dye; /* 0: the tool stirs only; else it paints this material, counted from 1 */
    bool paused;
    int single_steps; /* to be made while paused */
    int speed;        /* power of two: time runs twice as fast for each */
    pd_pace pace;
    pd_step_start step_start;
} pd_session;

#endif
