/* Texture of a field of dyes: the materials' colours are mixed in each cell, and the cells smoothly enlarged. */
#ifndef PUDDLE_RENDER_FIELDS_DYE_GRID_H
#define PUDDLE_RENDER_FIELDS_DYE_GRID_H

#include "render/camera.h"
#include "render/picture.h"

typedef struct pd_dye_cell {
    float colour[3]; /* linear light; in `encoded` and `stretched` sRGB, premultiplied by the opacity */
    float opacity;   /* 0..1 */
} pd_dye_cell;

typedef struct pd_dye_grid_sizes {
    int border, block_side; /* width of the border, cells; side of the block of field cells that one cell averages */
    int columns, rows;      /* size of the grid with its border, cells */
    double x, y, side;      /* lower left corner of the grid, and side of a cell, m */
    int texels_per_cell;    /* texels per cell along a side */
    int width, height;      /* size of the texture, texels */
} pd_dye_grid_sizes;

typedef struct pd_dye_grid {
    pd_dye_grid_sizes sizes; /* sizes of grid and texture */
    pd_dye_cell *cells;      /* mixed colours, columns x rows */
    pd_dye_cell *encoded;    /* encoded colours, columns x rows */
    pd_dye_cell *stretched;  /* encoded colours enlarged along x, width x rows */
    uint8_t *rings;          /* by cell: 1: field value, n > 1: extrapolated from ring n - 1, 0: no fluid */
    uint16_t *texels;        /* width x height x (red, green, blue, opacity) from the lowest row, premultiplied */
    int cell_capacity, texel_capacity;
} pd_dye_grid;

/* Computes the texture of the field's dyes in the picture's palette. Dye is extrapolated under walls and obstacles,
 * which are drawn over it. max_side: largest side of the texture, texels. Returns false if nothing can be drawn: no
 * cells, no values, or out of memory. */
bool pd_dye_grid_compute(pd_dye_grid *grid, const pd_field *field, const pd_picture *picture, const pd_camera *camera,
                         int max_side);
void pd_dye_grid_free(pd_dye_grid *grid);

#endif
