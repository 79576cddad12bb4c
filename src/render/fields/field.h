/* Draws a field of cells as an image in the colours of its legend, optionally with contours. */
#ifndef PUDDLE_RENDER_FIELDS_FIELD_H
#define PUDDLE_RENDER_FIELDS_FIELD_H

#include "render/camera.h"
#include "render/fields/field_grid.h"
#include "render/picture.h"

enum { PD_FIELD_PROGRAMS = 4 };

typedef struct pd_field_texture {
    unsigned texture;
    int width, height; /* size of the texture, texels */
} pd_field_texture;

/* Values that determine a legend's colours. Compared by memcmp, so the struct must have no padding. */
typedef struct pd_field_colours {
    int palette; /* index of the palette; -1: no colours yet */
    float low, high;
} pd_field_colours;

typedef struct pd_field_image {
    pd_field_grid grid;                                /* field of the present picture */
    unsigned programs[PD_FIELD_PROGRAMS], empty_array; /* index: has_open_texels + 2 * (contours are drawn) */
    pd_field_texture values, fluid_fractions;
    unsigned colour_texture;        /* texture of one row with the colours of the legend */
    pd_field_colours colour_source; /* palette and range of colour_texture */
    float bright_range[2]; /* legend positions (0..1) beyond which colours are bright, so that contours are dark */
    int texture_limit;     /* largest side of a texture, texels */
} pd_field_image;

pd_result pd_field_image_create(pd_field_image *image, pd_error *error);
void pd_field_image_free(pd_field_image *image);
/* Draws the field of the picture's view mode into the bound framebuffer, where the field has values. Does nothing if
 * the view has no field of cells. */
void pd_field_image_draw(pd_field_image *image, const pd_picture *picture, const pd_camera *camera);

/* Returns the difference of two neighbouring contour values: 1, 2 or 5 times a power of ten, so that there are about
 * ten contours from low to high. Returns 0 unless low < high and both are finite. */
double pd_contour_interval(float low, float high);

#endif
