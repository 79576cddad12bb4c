/* Folder of a recording: created if missing, locked against other recordings, and cleared of an earlier recording. */
#ifndef PUDDLE_RECORD_FOLDER_H
#define PUDDLE_RECORD_FOLDER_H

#include "core/file/file.h"

typedef struct pd_folder {
    char path[PD_MAX_PATH - 32]; /* path of the folder; 32 bytes remain for "/" and a frame's file name */
    /* Length of the path of the first folder that pd_folder_create_and_lock created, bytes; 0: it created none. */
    size_t created_length;
    int lock_descriptor; /* open file descriptor of the folder; closing it ends the lock */
} pd_folder;

/* Checks without creating anything whether pd_folder_create_and_lock can succeed. Fails if the path is a file, or a
 * folder with a recording and `overwrite` is false. Errors: RECORDING_EXISTS, FILE_UNWRITABLE. */
pd_result pd_folder_check_path(const char *path, bool overwrite, pd_error *error);
/* Returns whether a file name is one that recordings use: recording.json, or frame_000000.png with six or more digits. */
bool pd_folder_is_recording_file(const char *name);
/* Creates the folder and its parent folders. Locks the folder until pd_folder_unlock or the end of the process. Existing
 * files remain. The lock excludes processes of the same machine, on file systems that support flock(). Errors:
 * RECORDING_EXISTS (also while another process records there, even with `overwrite`), FILE_UNWRITABLE. */
pd_result pd_folder_create_and_lock(pd_folder *folder, const char *path, bool overwrite, pd_error *error);
/* Returns whether the folder contains frames or a recording.json. */
bool pd_folder_contains_recording(const pd_folder *folder);
/* Removes the files of an earlier recording: recording.json and all frames except the file `kept_name`. Errors:
 * FILE_UNWRITABLE. */
pd_result pd_folder_remove_recording(const pd_folder *folder, const char *kept_name, pd_error *error);
void pd_folder_unlock(pd_folder *folder);
/* Unlocks the folder. Removes each folder that pd_folder_create_and_lock created, if it is empty. */
void pd_folder_unlock_and_remove_empty(pd_folder *folder);

#endif
