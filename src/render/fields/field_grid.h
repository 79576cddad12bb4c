/* A field of cells made ready to be interpolated: in units of its legend, with a border, and continued a little way
 * into the cells that have no value, so that no edge of the fluid fades to the colour of a value that is not there.
 * */
#ifndef PUDDLE_RENDER_FIELDS_FIELD_GRID_H
#define PUDDLE_RENDER_FIELDS_FIELD_GRID_H

#include <puddle/view.h>
#include <stdbool.h>
#include <stdint.h>

/* A bicubic Hermite surface at a texel's centre; derivatives are per texel. As the shader reads it: red to alpha. */
typedef struct pd_field_texel {
    float value, along_x, along_y, twist; /* twist: the mixed derivative */
} pd_field_texel;

typedef struct pd_field_grid {
    int width, height;      /* texels */
    double x, y;            /* m: lower left corner of the first texel */
    double side;            /* m: of a texel */
    int border;             /* texels around those of the field */
    bool holes;             /* whether a texel is open: if none is, the covers need not be looked at */
    pd_field_texel *values; /* 0: the low end of the legend, 1: its high end; row after row from the lowest */
    pd_field_texel *covers; /* above 0.5: there is fluid */
    float *cover;           /* of each texel, before it is smoothed into covers */
    uint8_t *rings;         /* 0: no value, 1: the field's own, n: continued from ring n - 1 */
    uint8_t *open;          /* 1: without a value of its own, and not in a wall or an obstacle */
    int capacity;           /* texels */
} pd_field_grid;

/* Fills the grid from a field for a picture with pixels of this size (m) and textures of at most `limit` texels a
 * side. A cell without a value that lies in a wall or an obstacle of the view counts as fluid as far as its
 * neighbours do: the solid is drawn over it, and no staircase of cells is left along it. Cells smaller than a pixel
 * are averaged. False: there is nothing to draw (no cells, no values, no memory). */
bool pd_field_grid_fill(pd_field_grid *grid, const pd_field *field, const pd_view *view, float pixel, int limit);
void pd_field_grid_free(pd_field_grid *grid);

#endif
