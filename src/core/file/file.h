/* Reading files, writing them atomically, and finding the program's data files. */
#ifndef PUDDLE_CORE_FILE_FILE_H
#define PUDDLE_CORE_FILE_FILE_H

#include <puddle/result.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { PD_MAX_PATH = 1024 };

/* Writes a temporary file in the target's folder, syncs it and gives it the target's name: a reader sees either the old file or
 * the complete new one. Where the file system has files without a name (unnamed.h), the temporary file has none. Symbolic links
 * are followed, also to a file that does not exist yet. A device or a pipe is written to directly. Errors: FILE_UNWRITABLE,
 * OUT_OF_MEMORY. */
pd_result pd_file_write(const char *path, const void *bytes, size_t size, pd_error *error);
/* pd_file_write for a file of puddle's own: the file replaces a link, a device or a pipe of that name. */
pd_result pd_file_replace(const char *path, const void *bytes, size_t size, pd_error *error);
/* Refuses a device, a folder or a pipe (opening a pipe waits for its reader). Errors: FILE_UNWRITABLE. */
pd_result pd_file_check_regular(const char *path, pd_error *error);
/* Reads a whole file of at most limit bytes into *bytes (free() it; a zero byte follows the end, not counted).
 * Errors: FILE_UNREADABLE (missing, a folder, a pipe or device, too large, no permission), OUT_OF_MEMORY. */
pd_result pd_file_read(const char *path, size_t limit, void **bytes, size_t *size, pd_error *error);
/* Opens a regular file for reading, without waiting for anything; NULL: there is none, or it cannot be opened. */
FILE *pd_file_open(const char *path);

/* The same as pd_file_write for output that is not kept in memory: print to stream, then commit or cancel. */
typedef struct pd_output {
    FILE *stream;
    char target[PD_MAX_PATH];
    char temporary[PD_MAX_PATH]; /* empty while the file has no name, or has that of the target */
    bool unnamed;                /* the file gets a name when it is complete: of a killed process nothing is left */
    int lock;                    /* descriptor that holds the lock of pd_output_open_locked; else 0 */
} pd_output;

pd_result pd_output_open(pd_output *output, const char *path, pd_error *error);
/* pd_output_open that replaces links, devices and pipes, as pd_file_replace does. */
pd_result pd_output_open_replacing(pd_output *output, const char *path, pd_error *error);
/* For a file that takes long to write: a second process that opens the same path is refused, until this one commits, cancels
 * or ends. The temporary file of a killed process is taken over. A link of that name is replaced, not followed. Errors:
 * RECORDING_EXISTS (another process is writing it), FILE_UNWRITABLE (also when the path is a device or a pipe). */
pd_result pd_output_open_locked(pd_output *output, const char *path, pd_error *error);
/* Call nothing that sets errno between the prints to the stream and commit: when a print failed, errno holds the
 * reason. On an error an existing file is unchanged. */
pd_result pd_output_commit(pd_output *output, pd_error *error);
/* Gives what has been printed so far its name at once; the stream stays open, and what follows goes on in the file. On an error
 * the old file is as it was, and the output is cancelled. */
pd_result pd_output_publish(pd_output *output, pd_error *error);
void pd_output_cancel(pd_output *output);
/* Whether a name in a folder is that of an output's temporary file. */
bool pd_file_is_temporary(const char *name);

/* Claims a file that is to be written: until pd_file_release, or the end of this process, other claims of the path are refused,
 * also by links and other names of the folder. Devices and pipes, and folders without locks, have no claims: *claim is 0 then.
 * Claims are effective among the processes of one machine. Errors: RECORDING_EXISTS. */
pd_result pd_file_claim(const char *path, int *claim, pd_error *error);
void pd_file_release(int *claim);

/* True when both paths refer to the same file after following links; also when it does not exist yet. */
bool pd_file_same(const char *a, const char *b);

/* True when a file and a folder of other files do not go together: the file lies in the folder itself (not below), or is
 * the folder or one above it; by whatever names and links, also when they are still to be made. */
bool pd_file_obstructs(const char *path, const char *folder);

/* Whether a file could be written there, found without writing: for failing before long work. Errors: FILE_UNWRITABLE. */
pd_result pd_file_probe(const char *path, pd_error *error);
/* FILE_UNWRITABLE, for ENOMEM OUT_OF_MEMORY, with the reason of the errno `number` and what to do about it. */
pd_result pd_fail_unwritable(const char *path, int number, pd_error *error);
/* The same of a file that keeps a part of what was to be in it: kept says which ("it holds 12 whole rows"). */
pd_result pd_fail_cut_short(const char *path, int number, const char *kept, pd_error *error);

/* Path of a data file, "shaders/sprite.vert" or "scenes/blobs.yaml" (the latter in assets/ of the source tree).
 * Looked for in $PUDDLE_DATA, beside the program (../share/puddle), in the source tree of a program that runs from its
 * build folder, and in the installed data folder. Errors: DATA_MISSING. */
pd_result pd_data_path(const char *name, char *path, size_t size, pd_error *error);

#endif
