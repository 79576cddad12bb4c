/* Grid of dyes as a picture: the materials' colours, mixed in each cell and smoothly enlarged. */
#ifndef PUDDLE_RENDER_FIELDS_DYE_GRID_H
#define PUDDLE_RENDER_FIELDS_DYE_GRID_H

#include "render/camera.h"
#include "render/picture.h"

/* Colour of a cell. */
typedef struct pd_dye_cell {
    float colour[3]; /* linear light; after encoding sRGB, premultiplied by the opacity */
    float opacity;   /* 0..1 */
} pd_dye_cell;

typedef struct pd_dye_grid_sizes {
    int border, block;   /* cells of the border; cells of the field that make one cell of the grid, along a side */
    int columns, rows;   /* size in cells, with the border */
    double x, y, side;   /* lower left corner of the first cell and side of a cell, m */
    int texels_per_cell; /* texels per cell along a side */
    int width, height;   /* size of the texture, texels */
} pd_dye_grid_sizes;

typedef struct pd_dye_grid {
    pd_dye_grid_sizes sizes;
    pd_dye_cell *cells, *encoded, *stretched; /* mixed, encoded, and enlarged along x only (rows x width) */
    /* by cell: 1: value of the field, n: continued from ring n - 1, 0: no fluid */
    uint8_t *rings;
    uint16_t *texels; /* width x height x 4 from the lowest row: red, green, blue, opacity; premultiplied */
    int cell_capacity, texel_capacity;
} pd_dye_grid;

/* Fills the grid with the field's dyes, mixed in the picture's colours. Dye continues under walls and obstacles, which
 * are drawn over it. limit: largest side of the texture, texels. Returns false if there is nothing to draw (no cells,
 * no values, out of memory). */
bool pd_dye_grid_fill(pd_dye_grid *grid, const pd_field *field, const pd_picture *picture, const pd_camera *camera,
                      int limit);
void pd_dye_grid_free(pd_dye_grid *grid);

#endif
