/* The names of all files that the window writes: in the current folder, or in $HOME when that is read-only. */
#ifndef PUDDLE_APP_IO_PATHS_H
#define PUDDLE_APP_IO_PATHS_H

#include <stdbool.h>
#include <stddef.h>

/* The folder that they are in: "." or $HOME. */
const char *pd_app_folder(void);
/* Whether there is a file of this path, or a link, also one that leads nowhere. */
bool pd_app_path_exists(const char *path);
/* Whether a path ends in a suffix such as ".puddle". */
bool pd_app_has_suffix(const char *path, const char *suffix);
/* A path that does not exist yet: folder/stem-NUMBERsuffix; folder may be "". digits: of the number, at least. */
void pd_app_fresh_path(char *path, size_t size, const char *folder, const char *stem, int digits, const char *suffix);
/* The same with a number greater than *number, which becomes that. */
void pd_app_next_path(char *path, size_t size, const char *folder, const char *stem, int digits, const char *suffix,
                      int *number);
/* A scene's name as part of a file name. */
void pd_app_slug(const char *name, char *slug, size_t size);

/* The program's folder below one of the desktop's: $VARIABLE/NAME where the variable holds an absolute path, as the XDG base
 * directory specification has it, else $HOME/USUAL/NAME. False: neither is set, or there is no room. */
bool pd_app_find_folder(char *path, size_t size, const char *variable, const char *usual, const char *name);
/* Creates a folder and those above it, for the user alone. Returns 0 or an errno. The path is unchanged afterwards. */
int pd_app_make_folder(char *path);

#endif
