/* Computes the texture of a field of dyes: mixes the materials' colours in each cell, and interpolates between cells. */
#ifndef PUDDLE_RENDER_FIELDS_DYE_GRID_H
#define PUDDLE_RENDER_FIELDS_DYE_GRID_H

#include "render/camera.h"
#include "render/picture.h"

typedef struct pd_dye_cell {
    float colour[3]; /* red, green, blue, 0..1 */
    float opacity;   /* 0..1 */
} pd_dye_cell;

typedef struct pd_dye_grid_sizes {
    int border;          /* width of the border around the field, cells */
    int block_side;      /* a cell is the mean of block_side x block_side cells of the field */
    int columns, rows;   /* size of the grid with its border, cells */
    double x, y;         /* lower left corner of the grid, m */
    double side;         /* side of a cell, m */
    int texels_per_cell; /* number of texels along a side of a cell */
    int width, height;   /* size of the texture, texels */
} pd_dye_grid_sizes;

typedef struct pd_dye_grid {
    pd_dye_grid_sizes sizes; /* sizes of the grid and of the texture */
    pd_dye_cell *cells;      /* columns x rows mixed colours in linear light */
    pd_dye_cell *srgb_cells; /* columns x rows colours in sRGB, premultiplied by the opacity */
    pd_dye_cell *wide_cells; /* srgb_cells interpolated along x only: width x rows colours */
    uint8_t *rings; /* by cell: 0: no fluid; 1: value of the field; n > 1: extrapolated from cells of ring n - 1 */
    /* Texture: width x height texels (red, green, blue, opacity), premultiplied, rows from the lowest. */
    uint16_t *texels;
    int cell_capacity, texel_capacity; /* numbers of cells and texels for which memory is allocated */
} pd_dye_grid;

/* Computes the texture of the field's dyes in the picture's palette. Colours are extrapolated into walls and obstacles, so
 * that no gap is visible beside them. max_side: greatest side of the texture, texels. Returns false if there is nothing to
 * draw: no cells, no values, or out of memory. */
bool pd_dye_grid_compute(pd_dye_grid *grid, const pd_field *field, const pd_picture *picture, const pd_camera *camera,
                         int max_side);
void pd_dye_grid_free(pd_dye_grid *grid);

#endif
