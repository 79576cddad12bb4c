/* Files of the session: snapshots, scene files and logs. */
#ifndef PUDDLE_APP_SESSION_FILES_H
#define PUDDLE_APP_SESSION_FILES_H

#include <puddle/result.h>

typedef struct pd_session pd_session;

/* Saves a snapshot (Ctrl+S), and announces its path or the error. Within a long step the snapshot has the state before that
 * step, with the waiting commands applied. */
void pd_session_save_snapshot(pd_session *session);
/* Saves the scene (Ctrl+Shift+S) as NAME-0001.yaml, with the present particles in NAME-0001.csv. */
void pd_session_save_scene(pd_session *session);
/* Saves the last two minutes of the log (Ctrl+R), and announces the path or the error. */
void pd_session_save_log(pd_session *session);

/* Begins to write the session's log into the file of --log. Later logs of the same run get the next free number in their name.
 * Does nothing without --log. Errors: FILE_UNWRITABLE, OUT_OF_MEMORY. */
pd_result pd_session_begin_log_file(pd_session *session, pd_error *error);
/* Begins to write the session's log into last.log in the user's state folder, if possible. */
void pd_session_begin_last_log(pd_session *session);
/* Unlocks last.log, so that another window can write it. */
void pd_session_end_last_log(pd_session *session);
/* Sets the memory for the log's keyframes, MiB, and saves it as a setting. */
void pd_session_set_history_mib(pd_session *session, int mib);

#endif
