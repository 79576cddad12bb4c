/* Reads scenes like pd_scene_read, and passes the files that a scene names, or all its mistakes, to a function. */
#ifndef PUDDLE_SCENE_FILE_INPUTS_H
#define PUDDLE_SCENE_FILE_INPUTS_H

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

#endif
