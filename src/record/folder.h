/* The folder of a recording: made where it is missing, locked against another recording, cleared of an old one. */
#ifndef PUDDLE_RECORD_FOLDER_H
#define PUDDLE_RECORD_FOLDER_H

#include "core/file.h"

typedef struct pd_folder {
    char path[PD_MAX_PATH - 32]; /* with room for a frame's name */
    size_t made;                 /* length of the shortest part of the path that had to be made; 0: it was all there */
    int lock;                    /* descriptor of the folder, which holds the lock */
} pd_folder;

/* What pd_folder_take would refuse, as far as it can be seen without making anything: a file in the way, a recording without
 * force. Errors: RECORDING_EXISTS, FILE_UNWRITABLE. */
pd_result pd_folder_check(const char *path, bool force, pd_error *error);
/* Makes the folder and those above it, and locks it until pd_folder_release or the end of the process, however it ends. Nothing
 * that is in it changes. The lock holds among the processes of one machine; a file system without locks has none.
 * Errors: RECORDING_EXISTS (also while another process records there, force or not), FILE_UNWRITABLE. */
pd_result pd_folder_take(pd_folder *folder, const char *path, bool force, pd_error *error);
/* True when it holds frames or a recording.json. */
bool pd_folder_is_recording(const pd_folder *folder);
/* Removes frames and recording.json, but the file called except. Errors: FILE_UNWRITABLE. */
pd_result pd_folder_clear(const pd_folder *folder, const char *except, pd_error *error);
/* Removes what programs that were killed left of files they had not finished. */
void pd_folder_sweep(const pd_folder *folder);
void pd_folder_release(pd_folder *folder);
/* Releases it, and removes again what pd_folder_take made, where nothing else is in it. */
void pd_folder_discard(pd_folder *folder);

#endif
