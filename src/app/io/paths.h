/* Names of the files that the window writes: in the current folder, or in $HOME if the current folder is read-only. */
#ifndef PUDDLE_APP_IO_PATHS_H
#define PUDDLE_APP_IO_PATHS_H

#include <stdbool.h>
#include <stddef.h>

/* Returns the folder of these files: "." or $HOME. */
const char *pd_app_folder(void);
/* Whether a file or link exists, including a link to a missing file. */
bool pd_app_path_exists(const char *path);
/* Whether a path ends in a suffix such as ".puddle". */
bool pd_app_has_suffix(const char *path, const char *suffix);
/* Writes a path that does not exist yet: folder/stem-NUMBERsuffix. folder may be "". digits: of the number, at least. */
void pd_app_fresh_path(char *path, size_t size, const char *folder, const char *stem, int digits, const char *suffix);
/* Writes such a path with a number greater than *number, which receives the number. */
void pd_app_next_path(char *path, size_t size, const char *folder, const char *stem, int digits, const char *suffix,
                      int *number);
/* Writes a scene's name as part of a file name: "dam-break" for "Dam break". */
void pd_app_slug(const char *name, char *slug, size_t size);

/* Writes the program's folder by the XDG base directory specification: $VARIABLE/NAME if the variable is an absolute path, else
 * $HOME/USUAL/NAME. False: neither is set, or the path is too long. */
bool pd_app_find_folder(char *path, size_t size, const char *variable, const char *usual, const char *name);
/* Creates a folder and those above it, for the user alone. Returns 0 or an errno. The path is unchanged afterwards. */
int pd_app_make_folder(char *path);

#endif
