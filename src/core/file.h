/* Files: whole or not at all, and where the program's data lies. */
#ifndef PUDDLE_CORE_FILE_H
#define PUDDLE_CORE_FILE_H

#include <puddle/result.h>
#include <stddef.h>

enum { PD_MAX_PATH = 1024 };

/* Writes beside the target, syncs, renames: a reader sees the old file or the whole new one. Errors: FILE_UNWRITABLE. */
pd_result pd_file_write(const char *path, const void *bytes, size_t size, pd_error *error);
/* Reads a whole file of at most limit bytes into *bytes (free() it; a zero byte follows the end, not counted).
 * Errors: FILE_UNREADABLE (missing, a folder, too large, no permission), OUT_OF_MEMORY. */
pd_result pd_file_read(const char *path, size_t limit, void **bytes, size_t *size, pd_error *error);

/* Path of a data file, "shaders/sprite.vert" or "scenes/blobs.yaml" (the latter in assets/ of the source tree).
 * Looked for in $PUDDLE_DATA, beside the program (../share/puddle), in the source tree of a program that runs from its
 * build folder, and in the installed data folder. Errors: DATA_MISSING. */
pd_result pd_data_path(const char *name, char *path, size_t size, pd_error *error);

#endif
