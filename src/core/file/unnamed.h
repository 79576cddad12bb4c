/* Nameless files (O_TMPFILE). The system removes those of a killed process. */
#ifndef PUDDLE_CORE_FILE_UNNAMED_H
#define PUDDLE_CORE_FILE_UNNAMED_H

/* Opens a nameless file for writing on the file system of a folder. Returns its descriptor, or -1 if the system cannot
 * open or later name such a file. */
int pd_unnamed_file_open(const char *folder);
/* Gives a nameless file a path on its file system. Returns 0 or an errno; EEXIST: the path is in use. */
int pd_unnamed_file_link(int file, const char *path);

#endif
