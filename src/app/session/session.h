/* The session: life of a timeline and its editor. Begins scenes, replaces the world, opens files, and performs the actions of keys. */
#ifndef PUDDLE_APP_SESSION_SESSION_H
#define PUDDLE_APP_SESSION_SESSION_H

#include "app/session/editor.h"
#include "app/tables/keys.h"
#include <puddle/result.h>
#include <stdbool.h>
#include <stddef.h>

/* Scene of an empty container (Ctrl+N). */
typedef enum pd_fill_level { PD_FILL_NONE, PD_FILL_QUARTER, PD_FILL_HALF, PD_FILL_LEVELS } pd_fill_level;
typedef struct pd_empty_scene {
    pd_container container; /* container of the scene */
    pd_fill_level level;    /* part of the container that is filled with water */
    int particles; /* resolution: number of particles that fill the container; without walls it has no effect */
} pd_empty_scene;

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
/* If the system refused memory in the last step or command, pauses and begins a new log, since a replay of the old log would not
 * reach the present state. Call once a frame. */
void pd_session_check_memory(pd_session *session);
/* Performs an action of the table of keys. argument: pd_key_stroke.argument; repeated: the key event is the automatic
 * repetition of a held key. False: the session does not perform this action. */
bool pd_session_perform_action(pd_session *session, pd_action action, int argument, bool repeated);

/* Saving of snapshots, scene files and logs. */
typedef struct pd_session pd_session;

typedef enum pd_file_kind {
    PD_FILE_SNAPSHOT, /* NAME.puddle: continues with the same bits */
    PD_FILE_SCENE,    /* NAME.yaml, with the present particles in NAME.csv and cells in NAME-cells.csv */
    PD_FILE_LOG,      /* NAME.log: the last two minutes */
    PD_FILE_KINDS
} pd_file_kind;

/* Returns the ending of a kind: ".puddle". */
const char *pd_file_suffix(pd_file_kind kind);
/* Returns whether a file exists that pd_session_save would replace. */
bool pd_session_would_replace(pd_file_kind kind, const char *path);
/* Completes the step under way, saves a file, and announces its path. A scene gets the file's name. Errors: those of pd_world_save, pd_scene_write, pd_log_write. */
pd_result pd_session_save(pd_session *session, pd_file_kind kind, const char *path, pd_error *error);
/* Saves the snapshot that pd_session_save wrote last, again (Ctrl+S), and announces its path or the error. False: no snapshot of this
 * scene was saved. */
bool pd_session_save_again(pd_session *session);

/* Begins to write the session's log to the file of --log. The name of later logs of the same run gets a number: "run-2.log".
 * Does nothing without --log. Errors: FILE_UNWRITABLE, OUT_OF_MEMORY. */
pd_result pd_session_begin_log_file(pd_session *session, pd_error *error);
/* Begins to write the session's log to last.log in the user's state folder, if possible. */
void pd_session_begin_last_log(pd_session *session);
/* Writes the path of the log of this window's last session. False: there is none. */
bool pd_session_find_previous_log(const pd_session *session, char *path, size_t size);
/* Describes that log by scene and age: "Dam break, 2 min ago". False: there is none. */
bool pd_session_describe_previous_log(const pd_session *session, char *text, size_t size);
/* Unlocks last.log, so that another window can write it. */
void pd_session_end_last_log(pd_session *session);
/* Sets the memory for the log's keyframes, MiB, and saves the number as a setting. */
void pd_session_set_history_mib(pd_session *session, int mib);

#endif
