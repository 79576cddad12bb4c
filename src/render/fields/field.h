/* Draws a field of cells as an image in the colours of its legend, optionally with contours. */
#ifndef PUDDLE_RENDER_FIELDS_FIELD_H
#define PUDDLE_RENDER_FIELDS_FIELD_H

#include "render/camera.h"
#include "render/fields/field_grid.h"
#include "render/picture.h"

enum { PD_FIELD_PROGRAMS = 4 };

typedef struct pd_field_texture {
    unsigned texture;  /* OpenGL name */
    int width, height; /* size of the texture, texels */
} pd_field_texture;

/* Palette and range of a legend, which determine its colours. Compared by memcmp, so the struct must have no padding. */
typedef struct pd_field_colours {
    int palette;     /* index of the palette; -1: no colours were computed yet */
    float low, high; /* range of the legend */
} pd_field_colours;

typedef struct pd_field_image {
    pd_field_grid grid;                       /* grid computed from the field of the present picture */
    unsigned programs[PD_FIELD_PROGRAMS];     /* shader programs; index: has_open_texels + 2 x (contours are drawn) */
    unsigned empty_array;                     /* vertex array without vertices */
    pd_field_texture values, fluid_fractions; /* textures of `grid` */
    unsigned colour_texture;                  /* texture of one row with the colours of the legend */
    pd_field_colours colour_source;           /* palette and range from which colour_texture was computed */
    /* Legend positions, 0..1: below the first and above the second colours are bright, and contours dark. */
    float bright_range[2];
    int texture_limit; /* greatest side of a texture that the driver allows, texels */
} pd_field_image;

pd_result pd_field_image_create(pd_field_image *image, pd_error *error);
void pd_field_image_free(pd_field_image *image);
/* Draws the field of the picture's view mode into the bound framebuffer, only where there is fluid. Does nothing if the
 * view has no field of cells. */
void pd_field_image_draw(pd_field_image *image, const pd_picture *picture, const pd_camera *camera);

/* Returns the interval between contour values of a legend from `low` to `high`: 1, 2 or 5 times a power of ten, for about ten
 * contours. Returns 0 unless low < high and both are finite. */
double pd_compute_contour_interval(float low, float high);

#endif
