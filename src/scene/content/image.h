/* The pixels of image regions, read from text and from picture files. */
#ifndef PUDDLE_SCENE_CONTENT_IMAGE_H
#define PUDDLE_SCENE_CONTENT_IMAGE_H

#include "scene/file/document.h"

/* In image.c: */
/* Reads the text that pd_write_image (schema.h) writes. Errors: SCENE_*, OUT_OF_MEMORY. */
bool pd_read_pixels(pd_document *document, const yaml_node_t *materials, const yaml_node_t *pixels, pd_area *image);
/* Reads the picture file that a region's key 'file' names. images: number of pictures, including this one, that share
 * the remaining materials. A region without a height gets the picture's proportion. Errors: SCENE_*, OUT_OF_MEMORY. */
bool pd_read_image_file(pd_document *document, const yaml_node_t *file, int images, pd_region *region);

/* In picture.c: */
/* Reads a picture file into a region's image by the pd_picture_reader. Adds up to `most` materials for its colours:
 * copies of the region's material. *proportion: height / width. Errors: those of
 * pd_scene_replace_fluid_by_picture. */
pd_result pd_picture_read_image(const char *path, int most, pd_scene *scene, pd_region *region, double *proportion,
                                pd_error *error);
/* Creates a scene whose only fluid is a picture. On an error *scene is empty. Errors: those of
 * pd_scene_replace_fluid_by_picture. */
pd_result pd_picture_read_scene(const char *path, pd_scene *scene, pd_error *error);

/* In colors.c: */
/* Chooses up to `most` colours (0 < most < PD_NO_FLUID) for `count` pixels of sRGB with straight alpha: as few as
 * differ from the pixels by about what an eye can see. index[i]: colour of pixel i, or PD_NO_FLUID for alpha below one
 * half. Returns the number of colours: 0 if all pixels are transparent, -1 if memory runs out. Deterministic. */
int pd_colors_choose(const uint8_t *rgba, int count, int most, uint8_t (*colors)[3], uint8_t *index);

#endif
