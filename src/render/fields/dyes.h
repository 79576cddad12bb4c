/* Draws a field of dyes in the colours of the materials. */
#ifndef PUDDLE_RENDER_FIELDS_DYES_H
#define PUDDLE_RENDER_FIELDS_DYES_H

#include "render/picture.h"

/* Texture of a field of dyes: the materials' colours mixed in each cell, and interpolated between cells. */
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

typedef struct pd_dyes {
    pd_dye_grid grid;                       /* dyes of the present picture, with their texture */
    unsigned program, empty_array, texture; /* OpenGL names of the shader program, vertex array and texture */
    int width, height;                      /* size of the texture, texels */
    int texture_limit;                      /* greatest side of a texture that the driver allows, texels */
} pd_dyes;

pd_result pd_dyes_create(pd_dyes *dyes, pd_error *error);
void pd_dyes_free(pd_dyes *dyes);
/* Draws the field of dyes of the picture's view mode into the bound framebuffer. Does nothing if the view has no field of
 * cells. */
void pd_dyes_draw(pd_dyes *dyes, const pd_picture *picture, const pd_camera *camera);

#endif
