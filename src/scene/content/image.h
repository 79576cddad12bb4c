/* Images as fluid: the pixels of a region, as text and from the file of a picture. */
#ifndef PUDDLE_SCENE_CONTENT_IMAGE_H
#define PUDDLE_SCENE_CONTENT_IMAGE_H

#include "scene/file/document.h"

/* image.c */
/* Reads what pd_write_image (schema.h) has written. Errors: SCENE_*, OUT_OF_MEMORY. */
bool pd_read_pixels(pd_document *document, const yaml_node_t *materials, const yaml_node_t *pixels, pd_area *image);
/* Reads the picture that a region's key file names; images: that share the room for materials with this one. Where the
 * region's height is 0, it follows from the width. Errors: SCENE_*, OUT_OF_MEMORY. */
bool pd_read_image_file(pd_document *document, const yaml_node_t *file, int images, pd_region *region);

/* picture.c */
/* Reads a picture by the program's reader into an image, and adds materials for its colours, at most `most`: copies of the
 * region's material. *proportion: height over width. Errors: as pd_scene_set_picture. */
pd_result pd_picture_read_image(const char *path, int most, pd_scene *scene, pd_region *region, double *proportion,
                                pd_error *error);
/* A scene of a picture alone. *scene is empty on an error. */
pd_result pd_picture_read_scene(const char *path, pd_scene *scene, pd_error *error);

/* colors.c */
/* Chooses at most `most` colours (0 < most < PD_NO_FLUID) that look like those of `count` pixels of sRGB and straight alpha, as
 * few as differ from them by about what an eye can see; index: for each pixel the number of its colour, or PD_NO_FLUID where it
 * is more than half transparent. Returns the number of colours; 0: all is transparent; -1: out of memory. Deterministic. */
int pd_colors_choose(const uint8_t *rgba, int count, int most, uint8_t (*colors)[3], uint8_t *index);

#endif
