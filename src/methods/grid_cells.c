/* The grid fluid's state as cells of a scene, and back. */
#include "methods/grid.h"

#include "scene/cells.h"

#include <math.h>
#include <string.h>

enum { U, V, DYES }; /* layers of pd_cells */

typedef struct layer {
    float *values;     /* of the state */
    int columns, rows; /* that have a value: faces also at the end */
    double right, up;  /* place of the first value from the corner of its cell, in cells */
} layer;

/* number: of a layer of the cells. */
static layer layer_of(const grid_state *state, const pd_cells *cells, int number) {
    const pd_layout *l = &state->mac->layout;
    if (number == U) return (layer){state->mac->u, l->nx + 1, l->ny, 0, 0.5};
    if (number == V) return (layer){state->mac->v, l->nx, l->ny + 1, 0.5, 0};
    return (layer){state->dye[cells->material[number - DYES]], l->nx, l->ny, 0.5, 0.5};
}

bool grid_fill_from_cells(pd_world *world, grid_state *state) {
    const pd_cells *cells = &world->scene.cells;
    const pd_layout *l = &state->mac->layout;
    double wide = (double)cells->columns / l->nx, high = (double)cells->rows / l->ny;
    bool same = cells->columns == l->nx && cells->rows == l->ny;
    grid_clear(state);
    for (int n = 0; n < DYES + cells->dyes; n++) {
        layer to = layer_of(state, cells, n);
        const float *from = cells->values + (size_t)n * pd_cells_layer(cells);
        for (int j = 0; j < to.rows; j++) {
            float *row = to.values + pd_at(l, 0, j);
            if (same) memcpy(row, from + (size_t)j * ((size_t)l->nx + 1), (size_t)to.columns * sizeof *row);
            double y = fmin((j + to.up) * high - to.up, n == V ? cells->rows : cells->rows - 1);
            for (int i = 0; i < to.columns && !same; i++) {
                double x = fmin((i + to.right) * wide - to.right, n == U ? cells->columns : cells->columns - 1);
                row[i] = pd_cells_sample(cells, n, x, y);
            }
        }
        if (n >= DYES) state->present[cells->material[n - DYES]] = true;
    }
    return same;
}

pd_result grid_tell_cells(const pd_world *world, const void *memory, pd_cells *cells, pd_error *error) {
    const grid_state *state = memory;
    const pd_layout *l = &state->mac->layout;
    (void)world;
    *cells = (pd_cells){.columns = l->nx, .rows = l->ny};
    for (int m = 0; m < state->dye_count; m++)
        if (state->present[m]) cells->material[cells->dyes++] = m;
    pd_result result = pd_cells_allocate(cells, error);
    for (int n = 0; result == PD_OK && n < DYES + cells->dyes; n++) {
        layer from = layer_of(state, cells, n);
        float *to = cells->values + (size_t)n * pd_cells_layer(cells);
        for (int j = 0; j < from.rows; j++)
            memcpy(to + (size_t)j * ((size_t)l->nx + 1), from.values + pd_at(l, 0, j),
                   (size_t)from.columns * sizeof *to);
    }
    return result;
}
