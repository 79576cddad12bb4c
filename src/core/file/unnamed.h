/* Nameless files (O_TMPFILE). The system removes a nameless file when its process is killed. */
#ifndef PUDDLE_CORE_FILE_UNNAMED_H
#define PUDDLE_CORE_FILE_UNNAMED_H

/* Opens a nameless file for writing on the file system of a folder. Returns the file's descriptor, or -1 if the
 * system cannot create such a file or name it later. */
int pd_unnamed_file_open(const char *folder);
/* Gives a nameless file a path on its file system. Returns 0 or an errno; EEXIST: the path is in use. */
int pd_unnamed_file_link(int file, const char *path);

#endif
