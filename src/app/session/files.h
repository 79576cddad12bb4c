/* Saving of snapshots, scene files and logs. */
#ifndef PUDDLE_APP_SESSION_FILES_H
#define PUDDLE_APP_SESSION_FILES_H

#include <puddle/result.h>

typedef struct pd_session pd_session;

/* Saves a snapshot (Ctrl+S), and announces the path or the error. Within a long step the snapshot has the state before the
 * step, with the waiting commands applied. */
void pd_session_save_snapshot(pd_session *session);
/* Saves the scene (Ctrl+Shift+S) as NAME-0001.yaml, with the present particles in NAME-0001.csv, and announces the path or the
 * error. */
void pd_session_save_scene(pd_session *session);
/* Saves the last two simulated minutes of the log (Ctrl+R), and announces the path or the error. */
void pd_session_save_log(pd_session *session);

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
