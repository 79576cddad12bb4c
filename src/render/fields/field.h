/* A field of cells as an image in the colours of its legend, with or without lines of equal value. */
#ifndef PUDDLE_RENDER_FIELDS_FIELD_H
#define PUDDLE_RENDER_FIELDS_FIELD_H

#include "render/camera.h"
#include "render/fields/field_grid.h"
#include "render/picture.h"

enum { PD_FIELD_PROGRAMS = 4 };

typedef struct pd_field_texture {
    unsigned texture;
    int width, height; /* texels */
} pd_field_texture;

/* What the colours of a legend depend on; without padding, so that it can be compared by memcmp. */
typedef struct pd_field_colours {
    int palette; /* -1: none yet */
    float low, high;
} pd_field_colours;

typedef struct pd_field_image {
    pd_field_grid grid;
    unsigned programs[PD_FIELD_PROGRAMS], empty_array; /* without and with holes; with lines likewise */
    pd_field_texture values, covers;
    unsigned colours;          /* of the legend, a texture of one row */
    pd_field_colours coloured; /* what colours holds */
    float bright[2];           /* the colours are bright up to the first value and from the second on */
    int texture_limit;         /* texels a side */
} pd_field_image;

pd_result pd_field_image_create(pd_field_image *image, pd_error *error);
void pd_field_image_free(pd_field_image *image);
/* Draws the field of cells that the mode names into the bound framebuffer; nothing where it has no value, and nothing
 * at all when there is no such field. */
void pd_field_image_draw(pd_field_image *image, const pd_picture *picture, const pd_camera *camera);

/* The step between lines of equal value: 1, 2 or 5 times a power of ten, which makes about ten lines from low to high.
 * 0: not an ascending finite range. */
double pd_contour_step(float low, float high);

#endif
