/* Files that the session writes: snapshots, scene files and logs. */
#ifndef PUDDLE_APP_SESSION_FILES_H
#define PUDDLE_APP_SESSION_FILES_H

#include <puddle/result.h>

typedef struct pd_session pd_session;

/* Saves a snapshot (Ctrl+S), and announces its path or the error. Within a long step it has the state before the step, with the
 * waiting commands applied. */
void pd_session_save(pd_session *session);
/* Saves the present scene (Ctrl+Shift+S) as NAME-0001.yaml, with its particles in NAME-0001.csv. */
void pd_session_save_scene(pd_session *session);
/* Saves the last two minutes of the log (Ctrl+R), and announces the path or the error. */
void pd_session_save_log(pd_session *session);

/* Begins the file of --log, which grows with the log. The first log has the given path, later ones get the next free number. Does
 * nothing without --log. Errors: FILE_UNWRITABLE, OUT_OF_MEMORY. */
pd_result pd_session_begin_log_file(pd_session *session, pd_error *error);
/* Begins last.log in the user's state folder, if that is possible. */
void pd_session_begin_last_log(pd_session *session);
/* Unlocks last.log for other windows. */
void pd_session_end_last_log(pd_session *session);
/* Sets the memory for keyframes, MiB, also for the next run. */
void pd_session_set_history(pd_session *session, int mib);

#endif
