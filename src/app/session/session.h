/* The session: a world with its log, its tools and the pace of time. It runs without pictures, windows and input devices. */
#ifndef PUDDLE_APP_SESSION_SESSION_H
#define PUDDLE_APP_SESSION_SESSION_H

#include "app/io/announce.h"
#include "app/session/build.h"
#include "app/session/commands.h"
#include "app/session/compare.h"
#include "app/session/pace.h"
#include "app/session/step_start.h"
#include "app/session/time.h"
#include "core/file/file.h"

/* Events of the session for its observer. */
typedef enum pd_session_event {
    PD_SESSION_STEP_UNDONE, /* step undone: refresh views */
    PD_SESSION_STATE,       /* state replaced (reset, rewind, another method or scene): refresh views and values */
    PD_SESSION_METHOD,      /* method changed: discard its measurements */
    PD_SESSION_TIME,        /* world moved to another time: put down the tool */
    PD_SESSION_END,         /* the world or its opened state will be replaced: end the recording */
    PD_SESSION_WORLD,       /* another world or scene is shown */
} pd_session_event;

/* Receives the session's events. All zero: no observer. */
typedef struct pd_observer {
    void *context;
    void (*changed)(void *context, pd_session_event event);
    void (*stepped)(void *context);  /* a step is complete; waiting commands are applied after the call */
    bool (*quitting)(void *context); /* the program is about to quit, so long work must not begin */
} pd_observer;

struct pd_session {
    /* Set before a world is shown. */
    pd_announcer *announcer; /* receives the messages */
    pd_observer observer;
    const char *log_path; /* --log; NULL: none */
    pd_log **replay; /* *replay: the log to be replayed in the world, or NULL; receives the log of the last world */
    size_t history;  /* bytes for the log's keyframes; 0: PD_LOG_BUDGET */
    bool writes_last_log; /* writes the end of the log as last.log in the user's state folder */

    pd_world *world;
    char path[PD_MAX_PATH]; /* of the file that was opened last; "": none */
    pd_second second;

    pd_log *log;     /* of the world since it was opened; NULL: out of memory when it began */
    int logs;        /* number of the present file of --log; 0: none */
    int log_claim;   /* claim on that file's name, from the second file on (pd_file_claim) */
    int last_number; /* N of last-N.log; 1: last.log */
    int last_lock;   /* file descriptor of the lock of last.log; 0: not locked */
    bool watching;   /* the log was opened for replay, and nothing was changed since */
    bool diverged;   /* a difference between replay and log has been announced */

    bool paused;
    int single_steps; /* steps to make while paused */
    int speed;        /* simulated time runs 2^speed times as fast as wall time */
    pd_pace pace;
    pd_step_start step_start;
    pd_backwards backwards;
    pd_seek seek;

    pd_bar_tool tool;         /* of the left button */
    bool tool_brought;        /* selected with a material, and not by its own key or button */
    int choice[PD_BAR_TOOLS]; /* of tools that have choices */
    int poured;               /* material that pours; read it with pd_session_poured */
    int dye;                  /* material that a left drag paints, counted from 1; 0: the drag stirs only */
    pd_draft draft;
    pd_grab grab;
    pd_pouring pouring;
    pd_gravity_dial gravity;
};

/* Creates a world from a scene or snapshot file. Errors: those of pd_scene_read, pd_world_create, pd_world_load. */
pd_result pd_app_load(const char *path, int threads, pd_world **world, pd_error *error);
/* Shows a world and destroys the previous one. The log begins anew. */
void pd_session_show(pd_session *session, pd_world *world);
/* Opens a scene (pd_session_begin) or a snapshot (pd_session_show). A picture becomes the fluid of the present scene. An error is
 * announced, and the world stays as it is. */
void pd_session_open(pd_session *session, const char *path);
void pd_session_open_bundled(pd_session *session, const char *name);
/* Begins a scene in the world, between two steps, as a command that undo reverts. False: refused and announced. */
bool pd_session_begin(pd_session *session, const pd_scene *scene);
/* Begins an empty scene in this container, with the present method, materials and gravity. */
void pd_session_begin_empty(pd_session *session, const pd_container *container);
/* Restores the world to the opened or last begun scene. */
void pd_session_reopen(pd_session *session);
/* Frees everything except the world. *replay receives the log. */
void pd_session_close(pd_session *session);
/* Refreshes what depends on the state. Call after the world or its state was replaced: reset, rewind, undo, another method, number
 * of particles or scene. */
void pd_session_state_changed(pd_session *session);
void pd_session_notify(pd_session *session, pd_session_event event);

#endif
