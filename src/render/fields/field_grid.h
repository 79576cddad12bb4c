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
    float value, along_x, along_y, twist; /* along_x, along_y: first derivatives; twist: mixed second derivative */
} pd_field_texel;

typedef struct pd_field_grid {
    int width, height;                /* size of the grid, texels */
    double x, y;                      /* lower left corner of the grid, m */
    double side;                      /* side of a texel, m */
    int border;                       /* width of the border around the field, texels */
    bool has_open_texels;             /* some texel is open; if false, fraction_splines is not computed */
    pd_field_texel *values;           /* values in the legend's scale (0: low, 1: high), rows from the lowest */
    pd_field_texel *fraction_splines; /* B-spline of fluid_fraction; above 0.5: fluid */
    float *fluid_fraction;            /* fraction of fluid in each texel, 0 to 1; smoothed if has_open_texels */
    uint8_t *rings; /* by texel: 0: no value, 1: value of the field, n > 1: extrapolated from ring n - 1 */
    uint8_t *open;  /* by texel: 1 if it is air: no value of the field, no wall, no obstacle */
    int capacity;   /* allocated texels of each array */
} pd_field_grid;

/* Computes the grid from the values of a field. pixel_size: m. max_side: largest side of the textures, texels. Cells
 * smaller than half a pixel are averaged. Values are extrapolated into walls and obstacles, which are drawn over them,
 * so that no staircase of cells is visible. Returns false if nothing can be drawn: no cells, no values, or out of
 * memory. */
bool pd_field_grid_compute(pd_field_grid *grid, const pd_field *field, const pd_view *view, float pixel_size,
                           int max_side);
void pd_field_grid_free(pd_field_grid *grid);

#endif
