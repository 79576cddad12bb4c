/* Paths of the files that the window writes. */
#ifndef PUDDLE_APP_IO_PATHS_H
#define PUDDLE_APP_IO_PATHS_H

#include <stdbool.h>
#include <stddef.h>

/* Returns the folder for recordings and screenshots: ".", or $HOME if the current folder is read-only. */
const char *pd_app_output_folder(void);
/* Returns whether a file, folder or link exists at a path. A link whose target is missing exists too. */
bool pd_app_path_exists(const char *path);
/* Returns whether a path ends in a suffix such as ".puddle". */
bool pd_app_has_suffix(const char *path, const char *suffix);
/* Writes the first path FOLDER/STEM-NUMBERSUFFIX in pd_app_output_folder that does not exist: "run-0001.log". folder: may
 * be ""; digits: least number of digits of NUMBER. */
void pd_app_make_free_path(char *path, size_t size, const char *folder, const char *stem, int digits,
                           const char *suffix);
/* Writes a path that begins with "/". "~" stands for $HOME. Other paths are relative to `folder`, or to the current folder if
 * `folder` is NULL. */
void pd_app_make_absolute_path(const char *path, const char *folder, char *absolute, size_t size);
/* Writes a scene's name in a form for file names: "dam-break" for "Dam break". A name without letters and digits: "scene". */
void pd_app_make_slug(const char *name, char *slug, size_t size);

/* Writes the path of a folder by the XDG base directory specification: $VARIABLE/NAME if $VARIABLE is an absolute path,
 * otherwise $HOME/FALLBACK/NAME. False: neither $VARIABLE nor $HOME is set, or the path is too long. */
bool pd_app_find_xdg_folder(char *path, size_t size, const char *variable, const char *fallback, const char *name);
/* Writes the path of the folder "puddle" among the user's documents: below XDG_DOCUMENTS_DIR of user-dirs.dirs, or below
 * ~/Documents. False: $HOME is not set, or the path is too long. */
bool pd_app_find_documents_folder(char *path, size_t size);
/* Creates a folder and its missing parent folders. Only the user may enter the created folders. Returns 0 or an errno. The
 * function changes `path` while it runs, and restores it. */
int pd_app_create_folder(char *path);

#endif
