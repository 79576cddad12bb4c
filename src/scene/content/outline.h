/* Outlines of pictures, as polygons. */
#ifndef PUDDLE_SCENE_CONTENT_OUTLINE_H
#define PUDDLE_SCENE_CONTENT_OUTLINE_H

#include <puddle/scene.h>

/* Outline of the greatest connected part of a picture. */
typedef struct pd_outline {
    pd_vec2
        *points; /* corners, in units of the picture's greater side, y upwards; the last point is the first one again */
    int count;   /* number of `points` */
    float pixel; /* side of a pixel, in the same unit */
    uint8_t rgb[3]; /* mean colour of the part, sRGB */
} pd_outline;

/* Reads the outline of a picture file by the program's pd_picture_reader. Pixels that are more than half transparent are outside.
 * Of a picture without transparent pixels, those that are connected with the border and have about the colour of the upper left
 * corner are outside. Holes are filled. Free outline->points with pd_memory_free. Errors: those of the pd_picture_reader,
 * SCENE_VALUE (there is nothing inside), OUT_OF_MEMORY. */
pd_result pd_picture_read_outline(const char *path, pd_outline *outline, pd_error *error);

#endif
