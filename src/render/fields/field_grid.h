/* A field of cells prepared for interpolation: in units of its legend, with a border. Values continue a little into
 * cells without fluid, so that the fluid's edge does not fade to another colour. */
#ifndef PUDDLE_RENDER_FIELDS_FIELD_GRID_H
#define PUDDLE_RENDER_FIELDS_FIELD_GRID_H

#include <puddle/view.h>
#include <stdbool.h>
#include <stdint.h>

/* A bicubic Hermite surface at a texel's centre, in the shader's order (red to alpha). Derivatives are per texel. */
typedef struct pd_field_texel {
    float value, along_x, along_y, twist; /* twist: mixed derivative */
} pd_field_texel;

typedef struct pd_field_grid {
    int width, height;      /* size, texels */
    double x, y;            /* lower left corner of the first texel, m */
    double side;            /* side of a texel, m */
    int border;             /* texels around those of the field */
    bool holes;             /* some texel is open; otherwise covers are unused */
    pd_field_texel *values; /* value in units of the legend (0: low, 1: high); rows from the lowest */
    pd_field_texel *covers; /* above 0.5: fluid */
    float *cover;           /* fraction of fluid in each texel, before smoothing to covers */
    uint8_t *rings;         /* 0: no value, 1: value of the field, n: continued from ring n - 1 */
    uint8_t *open;          /* 1: no value in the field, and no wall or obstacle */
    int capacity;           /* capacity of the arrays, texels */
} pd_field_grid;

/* Fills the grid. pixel: size of a pixel, m. limit: largest side of the textures, texels. Cells in walls or obstacles
 * count as fluid as far as their neighbours do: the solid covers them, and its edge shows no staircase. Cells smaller
 * than a pixel are averaged. Returns false if there is nothing to draw (no cells, no values, out of memory). */
bool pd_field_grid_fill(pd_field_grid *grid, const pd_field *field, const pd_view *view, float pixel, int limit);
void pd_field_grid_free(pd_field_grid *grid);

#endif
