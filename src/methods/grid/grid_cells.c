/* Conversion of the grid fluid's state from and to cells of a scene. */
#include "methods/grid/grid.h"

#include "scene/content/cells.h"
#include "scene/schema.h"

#include <math.h>
#include <string.h>

enum { U, V, DYES }; /* indices of layers in pd_cells: x velocity, y velocity, first dye */

typedef struct layer {
    float *values; /* array of grid_state: u, v or a dye */
    /* Numbers of columns and rows of values: those of the cells, plus 1 column for u, plus 1 row for v. */
    int columns, rows;
    double right, up; /* position of the first value relative to the lower left corner of the grid, in cells */
} layer;

/* Interpolates a layer at x, y, in columns and rows from its first value. Beyond the cells' edges the value is 0. */
static float interpolate_layer(const pd_cells *cells, int layer_index, double x, double y) {
    double columns = layer_index == U ? cells->columns : cells->columns - 1;
    double rows = layer_index == V ? cells->rows : cells->rows - 1;
    if (x < -0.5 || x > columns + 0.5 || y < -0.5 || y > rows + 0.5) return 0;
    return pd_cells_interpolate(cells, layer_index, fmin(x, columns), fmin(y, rows));
}

/* Returns the array of the state that corresponds to layer `layer_index` of `cells`. */
static layer find_array_of_layer(const grid_state *state, const pd_cells *cells, int layer_index) {
    const pd_layout *l = &state->mac->layout;
    if (layer_index == U) return (layer){state->mac->u, l->nx + 1, l->ny, 0, 0.5};
    if (layer_index == V) return (layer){state->mac->v, l->nx, l->ny + 1, 0.5, 0};
    return (layer){state->dye[cells->material[layer_index - DYES]], l->nx, l->ny, 0.5, 0.5};
}

bool pd_grid_set_fields_from_scene_cells(pd_world *world, grid_state *state) {
    const pd_cells *cells = &world->scene.cells;
    const pd_layout *l = &state->mac->layout;
    const pd_vec2 center = world->resolution.center;
    double scale = state->mac->grid.cell / (double)cells->size;
    double right = ((double)center.x - (double)cells->center.x) / (double)cells->size;
    double up = ((double)center.y - (double)cells->center.y) / (double)cells->size;
    bool same = cells->columns == l->nx && cells->rows == l->ny && (float)state->mac->grid.cell == cells->size &&
                right == 0 && up == 0;
    pd_grid_clear_fields(state);
    for (int n = 0; n < DYES + cells->dyes; n++) {
        layer to = find_array_of_layer(state, cells, n);
        const float *from = cells->values + (size_t)n * pd_cells_layer_size(cells);
        for (int j = 0; j < to.rows; j++) {
            float *row = to.values + pd_element_index(l, 0, j);
            if (same) memcpy(row, from + (size_t)j * ((size_t)l->nx + 1), (size_t)to.columns * sizeof *row);
            double y = 0.5 * cells->rows + (j + to.up - 0.5 * l->ny) * scale - to.up + up;
            for (int i = 0; i < to.columns && !same; i++) {
                double x = 0.5 * cells->columns + (i + to.right - 0.5 * l->nx) * scale - to.right + right;
                row[i] = interpolate_layer(cells, n, x, y);
            }
        }
        if (n >= DYES) state->has_dye[cells->material[n - DYES]] = true;
    }
    return same;
}

pd_result pd_grid_write_fields_to_scene_cells(const pd_world *world, const void *memory, pd_cells *cells,
                                              pd_error *error) {
    const grid_state *state = memory;
    const pd_layout *l = &state->mac->layout;
    const float most = PD_FASTEST;
    *cells = (pd_cells){
        .columns = l->nx, .rows = l->ny, .size = (float)state->mac->grid.cell, .center = world->resolution.center};
    for (int m = 0; m < state->dye_count; m++)
        if (state->has_dye[m]) cells->material[cells->dyes++] = m;
    pd_result result = pd_cells_allocate(cells, error);
    for (int n = 0; result == PD_OK && n < DYES + cells->dyes; n++) {
        layer from = find_array_of_layer(state, cells, n);
        float *to = cells->values + (size_t)n * pd_cells_layer_size(cells);
        for (int j = 0; j < from.rows; j++)
            for (int i = 0; i < from.columns;
                 i++) /* Rounding errors may exceed the range that a scene allows, so values are clamped. */
                to[(size_t)j * ((size_t)l->nx + 1) + (size_t)i] =
                    fminf(fmaxf(from.values[pd_element_index(l, i, j)], n < DYES ? -most : 0), n < DYES ? most : 1);
    }
    return result;
}
