/* The folder of a recording: created when missing, locked against other recordings, cleared of a previous one. */
#ifndef PUDDLE_RECORD_FOLDER_H
#define PUDDLE_RECORD_FOLDER_H

#include "core/file/file.h"

typedef struct pd_folder {
    char path[PD_MAX_PATH - 32]; /* with room for a frame's name */
    size_t made;                 /* length of the shortest prefix of the path that was created; 0: all of it existed */
    int lock;                    /* descriptor of the folder, which holds the lock */
} pd_folder;

/* Refuses what pd_folder_take would refuse, as far as that can be found without creating anything: a file of this name,
 * a recording without force. Errors: RECORDING_EXISTS, FILE_UNWRITABLE. */
pd_result pd_folder_check(const char *path, bool force, pd_error *error);
/* Whether a name is one that a recording gives its files: recording.json, or frame_000000.png with six digits or more. */
bool pd_folder_names_recorded(const char *name);
/* Creates the folder and those above it, and locks it until pd_folder_release or the end of the process, however it
 * ends. Does not change its contents. The lock is effective among the processes of one machine, on file systems with
 * locks. Errors: RECORDING_EXISTS (also while another process records there, force or not), FILE_UNWRITABLE. */
pd_result pd_folder_take(pd_folder *folder, const char *path, bool force, pd_error *error);
/* True when it holds frames or a recording.json. */
bool pd_folder_is_recording(const pd_folder *folder);
/* Removes frames and recording.json, except the file `except`. Errors: FILE_UNWRITABLE. */
pd_result pd_folder_clear(const pd_folder *folder, const char *except, pd_error *error);
/* Removes temporary files that killed programs left. */
void pd_folder_sweep(const pd_folder *folder);
void pd_folder_release(pd_folder *folder);
/* Releases the folder, and removes the folders that pd_folder_take created, as far as they are empty. */
void pd_folder_discard(pd_folder *folder);

#endif
