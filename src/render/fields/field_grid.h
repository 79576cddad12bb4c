/* A field of cells prepared for interpolation, with a border. Values are scaled so that the legend's range is 0 to 1.
 * They are extrapolated into cells without fluid, so that colours do not fade at the fluid's edge. */
#ifndef PUDDLE_RENDER_FIELDS_FIELD_GRID_H
#define PUDDLE_RENDER_FIELDS_FIELD_GRID_H

#include <puddle/view.h>
#include <stdbool.h>
#include <stdint.h>

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

/* Computes the grid from the values of a field. Averages cells smaller than half a pixel. Extrapolates values into walls
 * and obstacles, so that no staircase of cells is visible beside them. pixel_size: side of a pixel, m. max_side: greatest
 * side of the grid, texels. Returns false if there is nothing to draw: no cells, no values, or out of memory. */
bool pd_field_grid_compute(pd_field_grid *grid, const pd_field *field, const pd_view *view, float pixel_size,
                           int max_side);
void pd_field_grid_free(pd_field_grid *grid);

#endif
