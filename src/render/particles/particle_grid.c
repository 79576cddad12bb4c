#include "render/particles/particle_grid.h"

#include "core/array.h"
#include "core/memory.h"
#include "render/particles/instances.h"
#include <math.h>
#include <string.h>

enum { MAX_GRID_SIDE = 1024 };

bool pd_particle_grid_resize_and_clear(pd_particle_grid *grid, const pd_instances *instances, float cell_side,
                                       int sums_per_cell) {
    float low_x = 0, high_x = 0, low_y = 0, high_y = 0;
    for (int i = 0; i < instances->count; i++) {
        float x = instances->items[i].x, y = instances->items[i].y;
        low_x = x < low_x ? x : low_x;
        high_x = x > high_x ? x : high_x;
        low_y = y < low_y ? y : low_y;
        high_y = y > high_y ? y : high_y;
    }
    grid->columns = 4;
    grid->rows = 4;
    while (grid->columns < MAX_GRID_SIDE && (float)grid->columns * cell_side < high_x - low_x + 4 * cell_side)
        grid->columns *= 2;
    while (grid->rows < MAX_GRID_SIDE && (float)grid->rows * cell_side < high_y - low_y + 4 * cell_side)
        grid->rows *= 2;
    grid->per_metre = 1 / cell_side;
    grid->sums_per_cell = sums_per_cell;
    int count = (int)(grid->columns * grid->rows) * sums_per_cell;
    if (!PD_ARRAY_RESERVE(grid->cells, grid->capacity, 0, count)) return false;
    memset(grid->cells, 0, (size_t)count * sizeof(float));
    return true;
}

void pd_particle_grid_free(pd_particle_grid *grid) {
    pd_free(grid->cells);
    memset(grid, 0, sizeof *grid);
}

float pd_particle_grid_convert_to_cells(const pd_particle_grid *grid, float coordinate) {
    float place = coordinate * grid->per_metre;
    return fabsf(place) < 1e9f ? place : 0;
}
