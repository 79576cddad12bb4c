/* The session: a world with its log, the user's tools and the pace of time. A session needs no window and no OpenGL. */
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

/* Events of the session that its observer receives. */
typedef enum pd_session_event {
    PD_SESSION_STEP_UNDONE, /* an incomplete step was undone: refresh views */
    PD_SESSION_STATE,       /* state was replaced (reset, rewind, another method or scene): refresh views and values */
    PD_SESSION_METHOD,      /* method changed: discard measurements of the former method */
    PD_SESSION_TIME,        /* world moved to another time: end the press of the mouse */
    PD_SESSION_END,         /* world or scene is about to be replaced: end the recording */
    PD_SESSION_WORLD,       /* world or scene was replaced */
} pd_session_event;

/* Receives the session's events. All zero: no observer. */
typedef struct pd_observer {
    void *context;
    void (*changed)(void *context, pd_session_event event);
    void (*stepped)(void *context); /* a step is complete, and its waiting commands are not applied yet */
    /* returns whether the program is about to quit, so that no long work should begin */
    bool (*quitting)(void *context);
} pd_observer;

struct pd_session {
    /* Set by the caller before pd_session_show_world. */
    pd_announcer *announcer; /* receives messages to the user */
    pd_observer observer;
    const char *log_path; /* file of --log; NULL: none */
    pd_log **replay;      /* in: log to replay, or *replay NULL; out: log of the last world */
    size_t history;       /* memory for the log's keyframes, bytes; 0: PD_LOG_BUDGET */
    bool writes_last_log; /* also writes the log to last.log in the user's state folder */

    pd_world *world;
    char path[PD_MAX_PATH];  /* path of the file that was opened last; "": none */
    char saved[PD_MAX_PATH]; /* path of the snapshot that was saved of this scene last; "": none */
    pd_second second;

    pd_log *log;         /* log of the world since its scene was opened; NULL: out of memory */
    int log_number;      /* number in the name of the present file of --log; 0: no file yet */
    int log_claim;       /* claim on the name of that file, if its number is above 1 (pd_file_claim) */
    int last_log_number; /* N in last-N.log, the file of this window; 1: last.log */
    int last_log_lock;   /* file descriptor that locks last.log; 0: not locked */
    bool replays_log;    /* a log is replayed that the user has not changed */
    bool diverged;       /* a difference between replay and log was announced */

    bool paused;
    int requested_steps; /* steps requested while paused and not made yet */
    int speed_exponent;  /* simulated time / wall time = 2^speed_exponent */
    pd_pace pace;
    pd_step_start step_start;
    pd_backwards backwards;
    pd_seek seek;

    pd_bar_tool tool;          /* tool selected for the left button */
    bool tool_set_by_material; /* selecting a material has selected the tool */
    int choice[PD_BAR_TOOLS];  /* selected choice of each tool that has choices */
    int poured;                /* index of the material that pours; read it with pd_session_poured_material */
    int dye;                   /* 1 + index of the material that a left drag paints; 0: none */
    pd_draft draft;
    pd_grab grab;
    pd_pouring pouring;
    pd_gravity_dial gravity;
};

/* Creates a world from a scene or snapshot file. Errors: those of pd_scene_read, pd_world_create, pd_world_load. */
pd_result pd_app_create_world(const char *path, int threads, pd_world **world, pd_error *error);
/* Makes `world` the session's world, destroys the former world and begins a new log. */
void pd_session_show_world(pd_session *session, pd_world *world);
/* Opens a scene (pd_session_begin_scene) or a snapshot (pd_session_show_world). An image file becomes fluid in the
 * present scene. An error is announced and changes nothing. */
void pd_session_open_file(pd_session *session, const char *path);
void pd_session_open_bundled_scene(pd_session *session, const char *name);
/* Replaces the world's scene and fluid, as a command that undo reverts. Call between two steps. False: the scene was refused,
 * which is announced. */
bool pd_session_begin_scene(pd_session *session, const pd_scene *scene);
/* Begins an empty scene in this container, with the present method, materials and gravity. */
void pd_session_begin_empty_scene(pd_session *session, const pd_container *container);
/* Restores the scene that was opened or begun last. */
void pd_session_reopen_scene(pd_session *session);
/* Frees the session except its world. *replay receives the log. */
void pd_session_close(pd_session *session);
/* Updates all values derived from the world's state, and notifies the observer. Call after a reset, rewind or undo, and after a
 * change of method, number of particles or scene. */
void pd_session_state_changed(pd_session *session);
void pd_session_notify_observer(pd_session *session, pd_session_event event);

#endif
