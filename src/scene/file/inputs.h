/* Files that a scene names: particles, cells, pictures. */
#ifndef PUDDLE_SCENE_FILE_INPUTS_H
#define PUDDLE_SCENE_FILE_INPUTS_H

#include <puddle/scene.h>

/* Receives the path of such a file before it is read. */
typedef void pd_scene_file_visitor(void *context, const char *path);
/* Reads a scene like pd_scene_read and calls a visitor for each of these files. visit: may be NULL. */
pd_result pd_scene_read_visiting(const char *path, pd_scene *scene, pd_scene_file_visitor *visit, void *context,
                                 pd_error *error);

#endif
