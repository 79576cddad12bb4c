/* The files that a scene reads besides its own. */
#ifndef PUDDLE_SCENE_FILE_INPUTS_H
#define PUDDLE_SCENE_FILE_INPUTS_H

#include <puddle/scene.h>

/* Receives the path of a file of particles, of cells or of a picture before it is read. */
typedef void pd_scene_file_visitor(void *context, const char *path);
/* pd_scene_read that shows each of these files to a visitor; visit: NULL for none. */
pd_result pd_scene_read_visiting(const char *path, pd_scene *scene, pd_scene_file_visitor *visit, void *context,
                                 pd_error *error);

#endif
