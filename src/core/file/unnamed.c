/* Nameless files, by O_TMPFILE and linkat(). */
#define _GNU_SOURCE /* O_TMPFILE */
#include "core/file/unnamed.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

enum { PROC_PATH = 32 };

/* Writes the path in /proc of an open file. linkat() needs a privilege for a descriptor, but none for this path
 * (open(2), O_TMPFILE). */
static const char *proc_path(int file, char path[PROC_PATH]) {
    snprintf(path, PROC_PATH, "/proc/self/fd/%d", file);
    return path;
}

int pd_unnamed_file_open(const char *folder) {
#ifdef O_TMPFILE
    char path[PROC_PATH];
    int file = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    if (file < 0 || access(proc_path(file, path), F_OK) == 0) return file;
    close(file); /* without /proc, pd_unnamed_file_link could not name the file */
#else
    (void)folder;
#endif
    return -1;
}

int pd_unnamed_file_link(int file, const char *path) {
    char from[PROC_PATH];
    return linkat(AT_FDCWD, proc_path(file, from), AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
}
