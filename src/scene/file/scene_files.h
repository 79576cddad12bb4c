/* Scene files: what they name, their mistakes, comments and names, and the scenes that are installed with the program. */
#ifndef PUDDLE_SCENE_FILE_SCENE_FILES_H
#define PUDDLE_SCENE_FILE_SCENE_FILES_H

#include <puddle/scene.h>

/* Function that receives the path of a file that the scene names, before the file is read. */
typedef void pd_scene_file_visitor(void *context, const char *path);
/* Reads a scene like pd_scene_read. Calls `visit`, unless NULL, for each file that the scene names. */
pd_result pd_scene_read_and_visit_files(const char *path, pd_scene *scene, pd_scene_file_visitor *visit, void *context,
                                        pd_error *error);
/* Function that receives a mistake of a scene file, with the message of pd_scene_read. */
typedef void pd_scene_mistake_visitor(void *context, const pd_error *mistake);
/* Reads a scene like pd_scene_read, but continues after a mistake with the next key or item. Calls `report` for each
 * mistake, at most 100. Result and error are those of the first mistake. */
pd_result pd_scene_read_and_report_mistakes(const char *path, pd_scene *scene, pd_scene_mistake_visitor *report,
                                            void *context, pd_error *error);

/* Reads the comment at the beginning of a scene file. text: receives each paragraph as one line, "" without a comment. */
void pd_scene_read_comment(const char *path, char *text, size_t size);
/* Sets the scene's name to a file's name without folder and ending. A file's name that is no valid text changes nothing. */
void pd_scene_set_name_from_path(pd_scene *scene, const char *path);

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
