/* The folder of a recording: created if missing, locked against other recordings, cleared of an earlier one. */
#ifndef PUDDLE_RECORD_FOLDER_H
#define PUDDLE_RECORD_FOLDER_H

#include "core/file/file.h"

typedef struct pd_folder {
    char path[PD_MAX_PATH - 32]; /* path of the folder, short enough for a frame's name behind it */
    size_t created_length;       /* length of the path's shortest part that was created; 0: the folder existed */
    int lock_descriptor;         /* descriptor of the folder, which has the lock */
} pd_folder;

/* Fails where pd_folder_lock would fail, without creating anything: for a file at the path, and for a recording without
 * `overwrite`. Errors: RECORDING_EXISTS, FILE_UNWRITABLE. */
pd_result pd_folder_check_path(const char *path, bool overwrite, pd_error *error);
/* Returns whether a file name is that of a recording's file: recording.json, or frame_000000.png with six digits or
 * more. */
bool pd_folder_is_recording_file(const char *name);
/* Creates the folder and its parents, and locks it until pd_folder_unlock or the end of the process. Its contents
 * stay. The lock is effective among the processes of one machine, on file systems with locks. Errors: RECORDING_EXISTS
 * (also while another process records there, even with `overwrite`), FILE_UNWRITABLE. */
pd_result pd_folder_lock(pd_folder *folder, const char *path, bool overwrite, pd_error *error);
/* Returns whether the folder contains frames or a recording.json. */
bool pd_folder_contains_recording(const pd_folder *folder);
/* Removes all frames and recording.json, but not the file `except`. Errors: FILE_UNWRITABLE. */
pd_result pd_folder_remove_recording(const pd_folder *folder, const char *kept_name, pd_error *error);
/* Removes the temporary files of killed processes. */
void pd_folder_remove_temporary_files(const pd_folder *folder);
void pd_folder_unlock(pd_folder *folder);
/* Unlocks the folder, and removes those folders that pd_folder_lock created if they are empty. */
void pd_folder_unlock_and_remove_empty(pd_folder *folder);

#endif
