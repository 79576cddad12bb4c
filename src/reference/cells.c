/* Neighbour search in cells, and copies of a world's particles and parameters. */
#include "reference/cells.h"

#include "core/error.h"

#include <math.h>
#include <stdlib.h>

/* greatest number of cells; if cells with the side `radius` would be more, the side is larger */
static const double MOST_CELLS = 1 << 24;

static void *reallocate_or_abort(void *memory, size_t size) {
    void *grown = realloc(memory, size);
    if (!grown) abort();
    return grown;
}

/* Sets origin, side and numbers of the cells, so that the cells contain all particles. */
static void compute_cell_layout(reference_cells *cells, int count) {
    double low_x = INFINITY, low_y = INFINITY, high_x = -INFINITY, high_y = -INFINITY;
    for (int i = 0; i < count; i++) {
        low_x = fmin(low_x, cells->x[i]);
        high_x = fmax(high_x, cells->x[i]);
        low_y = fmin(low_y, cells->y[i]);
        high_y = fmax(high_y, cells->y[i]);
    }
    double width = (high_x - low_x) / cells->radius, height = (high_y - low_y) / cells->radius, factor = 1;
    while ((width / factor + 1) * (height / factor + 1) > MOST_CELLS && factor < 1e100) factor *= 2;
    cells->cell_size = cells->radius * factor;
    cells->low_x = low_x;
    cells->low_y = low_y;
    cells->columns = (int)((high_x - low_x) / cells->cell_size) + 1;
    cells->rows = (int)((high_y - low_y) / cells->cell_size) + 1;
}

void reference_cells_build(reference_cells *cells, const double *x, const double *y, int count, double radius) {
    cells->x = x;
    cells->y = y;
    cells->radius = radius;
    compute_cell_layout(cells, count);
    if (count > cells->capacity) {
        cells->capacity = count;
        cells->next = reallocate_or_abort(cells->next, sizeof *cells->next * (size_t)count);
        cells->cell = reallocate_or_abort(cells->cell, sizeof *cells->cell * (size_t)count);
    }
    int cell_count = cells->columns * cells->rows;
    if (cell_count > cells->cell_capacity) {
        cells->cell_capacity = cell_count * 2;
        cells->first = reallocate_or_abort(cells->first, sizeof *cells->first * (size_t)cells->cell_capacity);
    }
    for (int c = 0; c < cell_count; c++) cells->first[c] = -1;
    for (int i = 0; i < count; i++) {
        int column = (int)((x[i] - cells->low_x) / cells->cell_size),
            row = (int)((y[i] - cells->low_y) / cells->cell_size);
        cells->cell[i] = row * cells->columns + column;
        cells->next[i] = cells->first[cells->cell[i]];
        cells->first[cells->cell[i]] = i;
    }
}

int reference_cells_find_neighbours(const reference_cells *cells, int i, int *neighbour, double *distance) {
    int found = 0, column = cells->cell[i] % cells->columns, row = cells->cell[i] / cells->columns;
    const double *x = cells->x, *y = cells->y, radius = cells->radius;
    const int *next = cells->next;
    for (int v = row > 0 ? row - 1 : 0; v <= row + 1 && v < cells->rows; v++)
        for (int u = column > 0 ? column - 1 : 0; u <= column + 1 && u < cells->columns; u++)
            for (int j = cells->first[v * cells->columns + u]; j >= 0; j = next[j]) {
                double dx = x[j] - x[i], dy = y[j] - y[i];
                double r = sqrt(dx * dx + dy * dy);
                if (j == i || r >= radius) continue;
                neighbour[found] = j;
                distance[found++] = r;
            }
    return found;
}

void reference_cells_free(reference_cells *cells) {
    free(cells->first);
    free(cells->next);
    free(cells->cell);
    *cells = (reference_cells){0};
}

void reference_neighbours_build(reference_neighbours *neighbours, const reference_cells *cells, int count) {
    if (count > neighbours->particle_capacity) {
        neighbours->particle_capacity = count;
        neighbours->start = reallocate_or_abort(neighbours->start, sizeof *neighbours->start * ((size_t)count + 1));
    }
    size_t found = 0;
    for (int i = 0; i < count; i++) {
        /* makes room for `count` neighbours, more than one particle can have */
        if (neighbours->capacity - found < (size_t)count) {
            neighbours->capacity = found * 2 + (size_t)count;
            neighbours->index =
                reallocate_or_abort(neighbours->index, sizeof *neighbours->index * neighbours->capacity);
            neighbours->distance =
                reallocate_or_abort(neighbours->distance, sizeof *neighbours->distance * neighbours->capacity);
        }
        neighbours->start[i] = found;
        found +=
            (size_t)reference_cells_find_neighbours(cells, i, neighbours->index + found, neighbours->distance + found);
    }
    if (count > 0) neighbours->start[count] = found;
}

void reference_neighbours_free(reference_neighbours *neighbours) {
    free(neighbours->start);
    free(neighbours->index);
    free(neighbours->distance);
    *neighbours = (reference_neighbours){0};
}

pd_result reference_read_parameters(const pd_world *world, const reference_parameter *parameters, size_t count,
                                    pd_error *error) {
    for (size_t i = 0; i < count; i++) {
        float value;
        pd_result result = pd_world_parameter(world, parameters[i].key, &value, error);
        if (result != PD_OK) return result;
        *parameters[i].value = (double)value;
    }
    return PD_OK;
}

pd_result reference_allocate_arrays(double **const arrays[], size_t array_count, int length, pd_error *error) {
    size_t each = (size_t)length + 1;
    double *block = calloc(each * array_count, sizeof *block);
    if (!block) return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for the reference (use fewer particles)");
    for (size_t i = 0; i < array_count; i++) *arrays[i] = block + i * each;
    return PD_OK;
}

void reference_copy_particles(const pd_world *world, double *x, double *y, double *vx, double *vy, double *mass) {
    pd_view view;
    pd_world_view(world, &view);
    for (int i = 0; i < view.count; i++) {
        x[i] = (double)view.x[i];
        y[i] = (double)view.y[i];
        vx[i] = (double)view.vx[i];
        vy[i] = (double)view.vy[i];
        mass[i] = (double)view.materials[view.material[i]].mass;
    }
}
