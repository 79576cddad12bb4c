/* What a scene file says about its scene: the comment at its beginning, and its own name. */
#ifndef PUDDLE_SCENE_FILE_ABOUT_H
#define PUDDLE_SCENE_FILE_ABOUT_H

#include <puddle/scene.h>
#include <stddef.h>

/* Reads the comment at the beginning of a scene file. text: receives each paragraph as one line, "" without a comment. */
void pd_scene_read_comment(const char *path, char *text, size_t size);
/* Sets the scene's name to a file's name without folder and ending. A file's name that is no valid text changes nothing. */
void pd_scene_set_name_from_path(pd_scene *scene, const char *path);

#endif
