/* Initial cells of a grid fluid (pd_cells): velocities and dyes. A scene file names a file of comma-separated values
 * beside it; snapshots and logs contain base 64. */
#ifndef PUDDLE_SCENE_CONTENT_CELLS_H
#define PUDDLE_SCENE_CONTENT_CELLS_H

#include <puddle/scene.h>
#include <stdio.h>

/* Returns the number of values of one layer, as in pd_cells.values: horizontal velocity, vertical velocity or a dye. */
static inline size_t pd_cells_layer_size(const pd_cells *cells) {
    return ((size_t)cells->columns + 1) * ((size_t)cells->rows + 1);
}
/* Returns the number of values of all layers, 0 for a scene without cells. */
static inline size_t pd_cells_value_count(const pd_cells *cells) {
    return cells->columns > 0 ? (2 + (size_t)cells->dyes) * pd_cells_layer_size(cells) : 0;
}

/* Allocates zeroed values for the columns, rows and dyes in *cells. Errors: OUT_OF_MEMORY. */
pd_result pd_cells_allocate(pd_cells *cells, pd_error *error);
/* Frees the values of the cells and sets the number of columns to 0. */
void pd_cells_free(pd_cells *cells);
/* Checks the dyes and the values of a scene's cells, whose other keys are in range. Errors: SCENE_VALUE, SCENE_REFERENCE. */
pd_result pd_cells_check(const pd_scene *scene, pd_error *error);
/* Returns a layer's value at (x, y) by bilinear interpolation. x, y: position in units of a cell, 0 at the layer's
 * first value. Positions outside the layer are clamped. */
float pd_cells_interpolate(const pd_cells *cells, int layer, double x, double y);

/* Writes the cells as keys of a YAML mapping: ", columns: 3, rows: 2, dyes: [...], data: [...]". */
void pd_write_cells_inline(FILE *out, const pd_scene *scene);
/* Writes a file of comma-separated values with a line for each cell: column i, row j, velocities u and v, amount of each
 * dye. Lines with i = columns or j = rows contain only the velocities at the right and top faces of the grid. Errors:
 * FILE_UNWRITABLE. */
pd_result pd_cells_write_file(const pd_scene *scene, const char *path, pd_error *error);

#endif
