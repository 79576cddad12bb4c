/* The session: a world with its log, the user's tools and the pace of time. A session needs no window and no OpenGL. */
#ifndef PUDDLE_APP_SESSION_SESSION_H
#define PUDDLE_APP_SESSION_SESSION_H

#include "app/io/announce.h"
#include "app/session/bodies.h"
#include "app/session/build.h"
#include "app/session/commands.h"
#include "app/session/compare.h"
#include "app/session/pace.h"
#include "app/session/step_start.h"
#include "app/session/time.h"
#include "core/file.h"

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

/* Scene of an empty container (Ctrl+N). */
typedef enum pd_fill_level { PD_FILL_NONE, PD_FILL_QUARTER, PD_FILL_HALF, PD_FILL_LEVELS } pd_fill_level;
typedef struct pd_empty_scene {
    pd_container container; /* container of the scene */
    pd_fill_level level;    /* part of the container that is filled with water */
    int particles; /* resolution: number of particles that fill the container; without walls it has no effect */
} pd_empty_scene;

struct pd_session {
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
    int log_claim;       /* claim on the file of --log (pd_file_claim); 0: none */
    int last_log_number; /* N in last-N.log, the last log of this window; 1: last.log */
    int last_log_lock;   /* lock of the last log (pd_os_lock); 0: none */
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
};

/* Creates a world from a scene file or snapshot. Errors: as of pd_scene_read, pd_world_create and pd_world_load. */
pd_result pd_app_create_world(const char *path, int threads, pd_world **world, pd_error *error);
/* Makes `world` the session's world, destroys the former world and begins a new log. */
void pd_session_replace_world(pd_session *session, pd_world *world);
/* Continues the session whose log is previous.log in the user's state folder, at its end. Without such a log, or if the log
 * cannot be read, announces the reason and changes nothing. */
void pd_session_continue(pd_session *session);
/* Opens a file: a scene (pd_session_replace_scene), a snapshot (pd_session_replace_world) or an image, which becomes the fluid
 * of the present scene. Errors are announced and change nothing. */
void pd_session_open_file(pd_session *session, const char *path);
/* Replaces the world's scene and fluid by a command, which undo reverts. False: the world refused the scene, and the error was
 * announced. */
bool pd_session_replace_scene(pd_session *session, const pd_scene *scene);
/* Replaces the scene by an empty container, with water on request. Its only material is water. Method, gravity and time step
 * stay. */
void pd_session_open_empty_scene(pd_session *session, const pd_empty_scene *empty);
/* Restores the state in which the last scene was opened, with its original values. */
void pd_session_reopen_scene(pd_session *session);
/* Frees the session except its world. *session->replay receives the log; without `replay` the log is destroyed. */
void pd_session_close(pd_session *session);
/* If the system refused memory in the last step or command, pauses and begins a new log: a replay of the old log would not
 * reach the present state. */
void pd_session_check_memory(pd_session *session);
/* Updates the values that the session derives from the world's state (gravity, pace), and notifies the observer. Call after a
 * reset, rewind or undo, and after a change of method, number of particles or scene. */
void pd_session_refresh_state(pd_session *session);
void pd_session_notify_observer(pd_session *session, pd_session_event event);

#endif
