/* Draws a field of cells as an image in the colours of its legend, optionally with contours. */
#ifndef PUDDLE_RENDER_FIELDS_FIELD_H
#define PUDDLE_RENDER_FIELDS_FIELD_H

#include "render/picture.h"
#include <puddle/view.h>
#include <stdbool.h>
#include <stdint.h>

/* A field of cells prepared for interpolation, with a border. Values are scaled so that the legend's range is 0 to 1.
 * They are extrapolated into cells without fluid, so that colours do not fade at the fluid's edge. */

/* Value and derivatives at a texel's centre, per texel. They define a bicubic Hermite surface. The shader reads them as
 * red, green, blue, alpha. */
typedef struct pd_field_texel {
    float value;            /* value of the field */
    float along_x, along_y; /* derivatives of the value by x and y, per texel */
    float twist;            /* mixed second derivative of the value */
} pd_field_texel;

typedef struct pd_field_grid {
    int width, height;    /* size of the grid, texels */
    double x, y;          /* lower left corner of the grid, m */
    double side;          /* side of a texel, m */
    int border;           /* width of the border around the field, texels */
    bool has_open_texels; /* some texel is air; if not, fraction_splines is not computed */
    /* Field values, scaled to 0 at the legend's low end and 1 at its high end; lowest row first. */
    pd_field_texel *values;
    pd_field_texel *fraction_splines; /* B-spline of fluid_fraction; the picture shows fluid where it is above 0.5 */
    float *fluid_fraction;            /* fraction of each texel that is fluid, 0 to 1; smoothed if has_open_texels */
    uint8_t *rings; /* by texel: 0: no value; 1: value of the field; n > 1: extrapolated from texels of ring n - 1 */
    uint8_t *open;  /* by texel: 1: air (no value of the field, no wall, no obstacle); 0: fluid or solid */
    int capacity;   /* allocated texels of each array */
} pd_field_grid;

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
