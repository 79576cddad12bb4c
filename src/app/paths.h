/* The names of all files that the window writes: in the current folder, or in $HOME when that is read-only. */
#ifndef PUDDLE_APP_PATHS_H
#define PUDDLE_APP_PATHS_H

#include <stddef.h>

/* A path that does not exist yet: folder/stem-NUMBERsuffix; folder may be "". digits: of the number, at least. */
void pd_app_fresh_path(char *path, size_t size, const char *folder, const char *stem, int digits, const char *suffix);
/* The same with a number greater than *number, which becomes that. */
void pd_app_next_path(char *path, size_t size, const char *folder, const char *stem, int digits, const char *suffix,
                      int *number);
/* A scene's name as part of a file name. */
void pd_app_slug(const char *name, char *slug, size_t size);

#endif
