/* The pixels of image regions, read from text and from picture files. */
#ifndef PUDDLE_SCENE_CONTENT_IMAGE_H
#define PUDDLE_SCENE_CONTENT_IMAGE_H

#include "scene/file/document.h"

/* ---- image.c ---- */
/* Reads an image's materials and pixels as written by pd_write_image (schema.h). Errors: SCENE_*, OUT_OF_MEMORY. */
bool pd_read_pixels(pd_document *document, const yaml_node_t *materials, const yaml_node_t *pixels, pd_area *image);
/* Reads the picture file that a region's key 'file' names. remaining_images: number of images still to be read,
 * including this one. Each may add an equal part of the materials for which the scene has room. A region without a
 * height gets the aspect ratio of the picture. Errors: SCENE_*, OUT_OF_MEMORY. */
bool pd_read_image_file(pd_document *document, const yaml_node_t *file, int remaining_images, pd_region *region);
/* Reads the picture file that the key 'file' of an obstacle or a body names, as the area's polygon. Errors: SCENE_*,
 * OUT_OF_MEMORY. */
bool pd_read_outline_file(pd_document *document, const yaml_node_t *file, pd_area *area);

/* ---- picture.c ---- */
/* Reads a picture file by the program's pd_picture_reader. Free picture->rgba with pd_memory_free. Errors: those of the
 * pd_picture_reader, FILE_UNREADABLE (the program has none). */
pd_result pd_picture_read_bitmap(const char *path, pd_bitmap *picture, pd_error *error);
/* Reads a picture file into a region's image, by the program's pd_picture_reader. Adds at most max_colors materials
 * for its colours: copies of the region's material. *height_per_width: height / width of the picture. Errors: those
 * of pd_scene_replace_fluid_by_picture. */
pd_result pd_picture_read_image(const char *path, int max_colors, pd_scene *scene, pd_region *region,
                                double *height_per_width, pd_error *error);
/* Creates a scene whose only fluid is a picture. On an error *scene is empty. Errors: those of
 * pd_scene_replace_fluid_by_picture. */
pd_result pd_picture_read_scene(const char *path, pd_scene *scene, pd_error *error);

/* ---- colors.c ---- */
/* Chooses at most max_colors colours (0 < max_colors < PD_NO_FLUID) for `count` pixels of sRGB with straight alpha.
 * Adds colours only until the difference from the pixels is hardly visible. color_indices[i]: colour of pixel i, or
 * PD_NO_FLUID for alpha below one half. Returns the number of colours: 0 if all pixels are transparent, -1 if memory
 * runs out. Deterministic. */
int pd_colors_choose(const uint8_t *rgba, int count, int max_colors, uint8_t (*colors)[3], uint8_t *color_indices);

#endif
