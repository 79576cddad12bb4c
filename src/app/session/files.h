/* Saving of snapshots, scene files and logs. */
#ifndef PUDDLE_APP_SESSION_FILES_H
#define PUDDLE_APP_SESSION_FILES_H

#include <puddle/result.h>
#include <stdbool.h>
#include <stddef.h>

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
