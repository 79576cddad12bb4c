/* Paths of the files that the window writes. */
#ifndef PUDDLE_APP_IO_PATHS_H
#define PUDDLE_APP_IO_PATHS_H

#include <stdbool.h>
#include <stddef.h>

/* Returns the folder for recordings and screenshots: ".", or $HOME if the current folder is read-only. */
const char *pd_app_folder(void);
/* Returns whether a path exists. A link to a missing file exists too. */
bool pd_app_path_exists(const char *path);
/* Returns whether a path ends in a suffix such as ".puddle". */
bool pd_app_has_suffix(const char *path, const char *suffix);
/* Writes the first path FOLDER/STEM-NUMBERSUFFIX that does not exist: "run-0001.log". folder may be "". digits: least number
 * of digits. */
void pd_app_fresh_path(char *path, size_t size, const char *folder, const char *stem, int digits, const char *suffix);
/* Writes a path that begins with "/": "~" stands for $HOME, and other paths begin at `folder`, or without `folder` at the current
 * folder. */
void pd_app_absolute_path(const char *path, const char *folder, char *absolute, size_t size);
/* Writes a scene's name as part of a file name: "dam-break" for "Dam break". */
void pd_app_file_name_of(const char *name, char *slug, size_t size);

/* Writes a folder by the XDG base directory specification: $VARIABLE/NAME if $VARIABLE is an absolute path, otherwise
 * $HOME/USUAL/NAME. False: neither variable is set, or the path is too long. */
bool pd_app_find_folder(char *path, size_t size, const char *variable, const char *usual, const char *name);
/* Writes the path of the folder "puddle" among the user's documents: below XDG_DOCUMENTS_DIR of user-dirs.dirs, or below
 * ~/Documents. False: no home is known, or the path is too long. */
bool pd_app_find_documents(char *path, size_t size);
/* Creates a folder and its missing parents, which only the user may enter. Returns 0 or an errno. Changes `path` during the
 * call only. */
int pd_app_make_folder(char *path);

#endif
