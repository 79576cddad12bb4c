/* A field of cells prepared for interpolation, with a border. Values are scaled so that the legend's range is 0 to 1.
 * They continue a little into cells without fluid, so that the fluid's edge does not fade to another colour. */
#ifndef PUDDLE_RENDER_FIELDS_FIELD_GRID_H
#define PUDDLE_RENDER_FIELDS_FIELD_GRID_H

#include <puddle/view.h>
#include <stdbool.h>
#include <stdint.h>

/* Value and derivatives at a texel's centre, which define a bicubic Hermite surface. The order is the shader's (red to
 * alpha). Derivatives are per texel. */
typedef struct pd_field_texel {
    float value, along_x, along_y, twist; /* twist: mixed derivative */
} pd_field_texel;

typedef struct pd_field_grid {
    int width, height;                /* size of the grid, texels */
    double x, y;                      /* lower left corner of the first texel, m */
    double side;                      /* side of a texel, m */
    int border;                       /* width of the border around the field, texels */
    bool has_open_texels;             /* whether some texel is open; otherwise the splines of fractions are unused */
    pd_field_texel *values;           /* field values scaled to the legend (0: low, 1: high); rows from the lowest */
    pd_field_texel *fraction_splines; /* splines of the fraction of fluid; above 0.5: fluid */
    float *fluid_fraction;            /* fraction of fluid in each texel, 0 to 1 */
    uint8_t *rings;                   /* by texel: 0: no value, 1: value of the field, n: continued from ring n - 1 */
    uint8_t *open;                    /* by texel: 1 if there is neither a value of the field nor a wall or obstacle */
    int capacity;                     /* capacity of the arrays, texels */
} pd_field_grid;

/* Fills the grid with a field. pixel: size of a pixel, m. limit: largest side of the textures, texels. Cells smaller
 * than a pixel are averaged. In walls and obstacles fluid continues: the solid is drawn over it, and its edge shows no
 * staircase. Returns false if there is nothing to draw (no cells, no values, out of memory). */
bool pd_field_grid_fill(pd_field_grid *grid, const pd_field *field, const pd_view *view, float pixel, int limit);
void pd_field_grid_free(pd_field_grid *grid);

#endif
