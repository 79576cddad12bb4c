/* Amounts of dye as a picture: the colours of the materials, mixed in each cell and enlarged smoothly. */
#ifndef PUDDLE_RENDER_FIELDS_DYE_GRID_H
#define PUDDLE_RENDER_FIELDS_DYE_GRID_H

#include "render/camera.h"
#include "render/picture.h"

/* Of a cell. */
typedef struct pd_dye_cell {
    float colour[3]; /* linear light; then sRGB-encoded and multiplied by the opacity */
    float opacity;   /* 0..1 */
} pd_dye_cell;

typedef struct pd_dye_plan {
    int border, block; /* cells around the field's own, and cells of the field that make one, along a side */
    int columns, rows; /* cells, with the border */
    double x, y, side; /* m: lower left corner of the first cell, side of a cell */
    int enlarged;      /* texels to a cell, along a side */
    int width, height; /* texels */
} pd_dye_plan;

typedef struct pd_dye_grid {
    pd_dye_plan plan;
    pd_dye_cell *cells, *coded, *stretched; /* stretched: rows x width, enlarged along x only */
    uint8_t *rings;                         /* 1: the field's own, n: continued from ring n - 1; 0: no fluid */
    uint16_t *texels; /* width x height x 4, lowest row first: red, green, blue, opacity; colours multiplied by it */
    int cell_capacity, texel_capacity;
} pd_dye_grid;

/* Mixes the layers of a field in the colours of the picture's materials and palette. Fluid is continued under walls and
 * obstacles, which are drawn over it. limit: texels a side. False: there is nothing to draw (no cells, no values, no
 * memory). */
bool pd_dye_grid_fill(pd_dye_grid *grid, const pd_field *field, const pd_picture *picture, const pd_camera *camera,
                      int limit);
void pd_dye_grid_free(pd_dye_grid *grid);

#endif
