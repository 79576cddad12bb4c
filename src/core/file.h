/* Files: reading, atomic writing, claims, and the program's data files. */
#ifndef PUDDLE_CORE_FILE_H
#define PUDDLE_CORE_FILE_H

#include "platform/platform.h"
#include <puddle/result.h>

/* Replaces a file atomically: a reader sees either the old file or the complete new one. Writes and syncs a temporary
 * file in the target's folder, then renames it. The temporary file has no name if the file system allows it.
 * Symbolic links are followed. A device or a pipe is written to directly. Errors: FILE_UNWRITABLE,
 * OUT_OF_MEMORY. */
pd_result pd_file_write(const char *path, const void *bytes, size_t size, pd_error *error);
/* Replaces a file like pd_file_write, but also replaces a link, device or pipe at the path instead of writing
 * through it. For files that only puddle writes. */
pd_result pd_file_write_replacing_link(const char *path, const void *bytes, size_t size, pd_error *error);
/* Fails if the path is a device, a folder or a pipe. Opening a pipe would wait for its reader. Errors:
 * FILE_UNWRITABLE. */
pd_result pd_file_check_regular(const char *path, pd_error *error);
/* Reads a whole file of at most max_size bytes into *bytes and appends a zero byte. Free with pd_memory_free.
 * Errors: FILE_UNREADABLE (missing, too large, no permission, or no regular file), OUT_OF_MEMORY. */
pd_result pd_file_read(const char *path, size_t max_size, void **bytes, size_t *size, pd_error *error);
/* An output file. Print to `stream`. pd_output_commit then replaces the file at the path atomically, as
 * pd_file_write does. pd_output_commit or pd_output_cancel ends the output. */
typedef struct pd_output {
    FILE *stream;                /* stream to print to */
    char target[PD_MAX_PATH];    /* final path of the file */
    char temporary[PD_MAX_PATH]; /* path of the temporary file; "": nameless, or already renamed to the target */
    bool nameless; /* the file has no name until it is complete, so that a killed process leaves no file */
    int lock;      /* lock of the temporary name */
    int claim;     /* lock of the target, by pd_output_open_locked */
} pd_output;

/* Opens an output. At the process's first output in a folder, also removes the temporary files of killed processes there. */
pd_result pd_output_open(pd_output *output, const char *path, pd_error *error);
/* Opens an output that replaces a link, device or pipe at the path, instead of writing through it. */
pd_result pd_output_open_replacing_link(pd_output *output, const char *path, pd_error *error);
/* Opens an output that takes long to write. Until it is committed or cancelled, or its process ends,
 * pd_output_open_locked fails for this path in other processes. The temporary file has a name (output->temporary). A
 * link at the path is replaced. Errors: RECORDING_EXISTS (another process writes the file), FILE_UNWRITABLE (also for a
 * device or a pipe). */
pd_result pd_output_open_locked(pd_output *output, const char *path, pd_error *error);
/* Removes the temporary files and folders that killed processes have left in the folder of an output. */
void pd_output_remove_abandoned(const char *path);
/* Closes a complete output file and moves it to its path. On an error an existing file at the path is unchanged. If a
 * print to the stream has failed, the error's message names errno as the reason: between the print and
 * pd_output_commit, call no function that may change errno. */
pd_result pd_output_commit(pd_output *output, pd_error *error);
/* Moves an incomplete output file to its path. The stream stays open for further prints. On an error the old file at
 * the path is unchanged, and the output is cancelled. */
pd_result pd_output_publish_partial(pd_output *output, pd_error *error);
void pd_output_cancel(pd_output *output);

/* Claims a file for writing until pd_os_unlock(claim) or the end of the process. Until then, other claims on the
 * file fail on this machine, also by another path. *claim = 0: no claim is possible (device, pipe, folder without
 * locks). Errors: RECORDING_EXISTS. */
pd_result pd_file_claim(const char *path, int *claim, pd_error *error);

/* Returns true if both paths lead to the same file. The file need not exist. */
bool pd_file_is_same(const char *path, const char *other_path);

/* Returns true if a file cannot be written together with a folder of frames: the file would be directly in the folder,
 * or its path is that of the folder or of a folder above it. Symbolic links are followed; the paths need not exist. */
bool pd_file_conflicts_with_frame_folder(const char *path, const char *folder);

/* Fails if a file cannot be written, without changing it. Call before long work. Errors: FILE_UNWRITABLE. */
pd_result pd_file_check_writable(const char *path, pd_error *error);
/* Fails with OUT_OF_MEMORY if error_number (an errno) is ENOMEM, else with FILE_UNWRITABLE. The message says the reason
 * and what to do. */
pd_result pd_fail_unwritable(const char *path, int error_number, pd_error *error);
/* Fails with FILE_UNWRITABLE for a file of which only a part was written. error_number: an errno. written_part:
 * description of this part for the message ("it holds 12 whole rows"). */
pd_result pd_fail_partly_written(const char *path, int error_number, const char *written_part, pd_error *error);

/* Fails with STANDARD_OUTPUT_CLOSED if error_number (an errno) is EPIPE, else with FILE_UNWRITABLE. */
pd_result pd_fail_standard_output(int error_number, pd_error *error);
/* Fails with FILE_UNWRITABLE if standard output cannot be opened for writing. Call before long work. */
pd_result pd_file_check_standard_output(pd_error *error);

/* Finds a data file of the program: "shaders/sprite.vert", "scenes/blobs.yaml". Searches $PUDDLE_DATA, ../share/puddle
 * beside the program, assets/ in the source tree of a build, and the installed data folder. Errors: DATA_MISSING. */
pd_result pd_data_find_file(const char *name, char *path, size_t size, pd_error *error);

#endif
