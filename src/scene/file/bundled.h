/* Bundled scenes: scene files that are installed with the program. */
#ifndef PUDDLE_SCENE_FILE_BUNDLED_H
#define PUDDLE_SCENE_FILE_BUNDLED_H

#include <puddle/result.h>
#include <stddef.h>

/* Lists the names of bundled scenes, sorted: "blobs", "dam-break", ... Free with pd_bundled_free_names. On an error *names is
 * NULL and *count 0. Errors: DATA_MISSING, OUT_OF_MEMORY. */
pd_result pd_bundled_list_names(char ***names, int *count, pd_error *error);
void pd_bundled_free_names(char **names, int count);
/* Writes the path of a bundled scene's file. Errors: DATA_MISSING. */
pd_result pd_bundled_find_file(const char *name, char *path, size_t size, pd_error *error);
/* Returns the position of a bundled scene in the list of all groups, from 0. *group receives the name of its group:
 * "Water". A scene that is in no group has the position INT_MAX in the last group. */
int pd_bundled_find_list_position(const char *name, const char **group);

#endif
