/* Files that a scene names: particles, cells, pictures. */
#ifndef PUDDLE_SCENE_FILE_INPUTS_H
#define PUDDLE_SCENE_FILE_INPUTS_H

#include <puddle/scene.h>

/* Function that receives the path of a file that the scene names, before the file is read. */
typedef void pd_scene_file_visitor(void *context, const char *path);
/* Reads a scene like pd_scene_read. Calls `visit`, unless NULL, for each file that the scene names. */
pd_result pd_scene_read_and_visit_files(const char *path, pd_scene *scene, pd_scene_file_visitor *visit, void *context,
                                        pd_error *error);

#endif
