/* Files without a name: what a killed process leaves of them the system removes. */
#ifndef PUDDLE_CORE_FILE_UNNAMED_H
#define PUDDLE_CORE_FILE_UNNAMED_H

/* Opens a file without a name on the file system of a folder, for writing. Returns its descriptor; -1: this system or file system
 * has no such files, or none that could be given a name later. */
int pd_unnamed_open(const char *folder);
/* Gives the file a name on the same file system. Returns 0 or an errno; EEXIST: there is a file of that name. */
int pd_unnamed_link(int file, const char *path);

#endif
