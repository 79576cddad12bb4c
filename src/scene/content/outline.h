/* Outlines of pictures, as polygons. */
#ifndef PUDDLE_SCENE_CONTENT_OUTLINE_H
#define PUDDLE_SCENE_CONTENT_OUTLINE_H

#include <puddle/scene.h>

/* Makes an area the polygon around the greatest connected component of a picture file, by the program's pd_picture_reader.
 * Sets shape, points (free with pd_memory_free), point_count, left_out, and the color unless it is given: the mean of the component.
 * area->size: width and height of the whole picture, whose middle is the area's centre; a height of 0 follows the picture.
 * Pixels that are more than half transparent are outside. Of a picture without transparent pixels, those that are connected
 * with the border and have about the colour of the upper left corner are outside, unless all are. Holes are filled.
 * Errors: those of the pd_picture_reader, SCENE_VALUE (nothing is inside), SCENE_TOO_LARGE (too many points), OUT_OF_MEMORY. */
pd_result pd_picture_read_outline(const char *path, pd_area *area, pd_error *error);

#endif
