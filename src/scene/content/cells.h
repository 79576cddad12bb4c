/* What a grid fluid begins with (pd_cells): in scene files as a file of comma-separated values beside the scene, in the texts of
 * snapshots and logs as words in base 64. */
#ifndef PUDDLE_SCENE_CONTENT_CELLS_H
#define PUDDLE_SCENE_CONTENT_CELLS_H

#include <puddle/scene.h>
#include <stdio.h>

/* Of a layer; the layers are 2 and one for each dye. */
static inline size_t pd_cells_layer(const pd_cells *cells) {
    return ((size_t)cells->columns + 1) * ((size_t)cells->rows + 1);
}
/* Of all layers; 0: there are no cells. */
static inline size_t pd_cells_values(const pd_cells *cells) {
    return cells->columns > 0 ? (2 + (size_t)cells->dyes) * pd_cells_layer(cells) : 0;
}

/* Zeroed values for columns, rows and dyes, which are set. Errors: OUT_OF_MEMORY. */
pd_result pd_cells_allocate(pd_cells *cells, pd_error *error);
/* Leaves a scene without cells. */
void pd_cells_free(pd_cells *cells);
/* Errors: SCENE_VALUE, SCENE_REFERENCE. */
pd_result pd_cells_check(const pd_scene *scene, pd_error *error);
/* A value between those of a layer, linearly interpolated; x, y: in columns and rows from the first value, limited to the layer. */
float pd_cells_sample(const pd_cells *cells, int layer, double x, double y);

/* ", columns: 3, rows: 2, dyes: [...], data: [...]" */
void pd_write_cells(FILE *out, const pd_scene *scene);
/* Columns i, j, u, v, and the names of the dyes' materials; a row for each cell, and for the faces at the end of each row and
 * column. Errors: FILE_UNWRITABLE. */
pd_result pd_cells_write_file(const pd_scene *scene, const char *path, pd_error *error);

#endif
