/* Temporary files and folders of outputs. A killed process leaves them; the next process that writes in the same folder removes them.
 *
 * A process locks each temporary file and folder by flock() until it has its final name or is removed. The system releases the lock
 * when the process ends. So a temporary file without a lock is abandoned. Names: .puddle-PROCESS-NUMBER.tmp and .puddle-HASH.part for
 * files, .puddle-export-XXXXXX for folders. */
#ifndef PUDDLE_CORE_FILE_TEMPORARY_H
#define PUDDLE_CORE_FILE_TEMPORARY_H

#include <stddef.h>

/* Creates and locks a temporary file with a new name in a folder. unnamed_file: descriptor of a nameless file (unnamed.h), which gets
 * the name instead; -1: none. Writes the file's path. Returns the descriptor, or -1 with errno and an empty path. */
int pd_temporary_file_create(const char *folder, int unnamed_file, char *path, size_t size);
/* Opens or creates, locks and empties the temporary file whose name is a hash of `name`, so that processes that write the same file
 * find each other's lock. Writes the file's path. Returns the descriptor, or -1 with errno. EWOULDBLOCK: another process has locked the
 * file. EINVAL: the path leads to no regular file. */
int pd_temporary_file_open_hashed(const char *folder, const char *name, char *path, size_t size);
/* Creates and locks a temporary folder in a folder. Writes its path. Returns the descriptor that has the lock, or -1 with errno. A
 * process that inherits the descriptor has the lock too. */
int pd_temporary_folder_create(const char *folder, char *path, size_t size);
/* Removes a temporary folder with all files and folders in it. Closes its descriptor. */
void pd_temporary_folder_remove(const char *path, int descriptor);
/* Removes the temporary files and folders that killed processes of this user have left in a folder. Removes nothing if the folder
 * cannot be read or written, and on file systems that several machines mount: there a lock may be known to its own machine alone. */
void pd_temporary_remove_abandoned(const char *folder);

#endif
