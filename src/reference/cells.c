/* Neighbours by linked lists in cells, copies of worlds. */
#include "reference/cells.h"

#include "core/error.h"

#include <math.h>
#include <stdlib.h>

static const double MOST_CELLS = 1 << 24; /* most cells; beyond this number cells are larger than the radius */

static void *grow_array(void *memory, size_t size) {
    void *grown = realloc(memory, size);
    if (!grown) abort();
    return grown;
}

/* Sets origin, size and numbers of the cells so that they contain all particles. */
static void set_layout(reference_cells *g, int count) {
    double low_x = INFINITY, low_y = INFINITY, high_x = -INFINITY, high_y = -INFINITY;
    for (int i = 0; i < count; i++) {
        low_x = fmin(low_x, g->x[i]);
        high_x = fmax(high_x, g->x[i]);
        low_y = fmin(low_y, g->y[i]);
        high_y = fmax(high_y, g->y[i]);
    }
    double width = (high_x - low_x) / g->radius, height = (high_y - low_y) / g->radius, factor = 1;
    while ((width / factor + 1) * (height / factor + 1) > MOST_CELLS && factor < 1e100) factor *= 2;
    g->cell_size = g->radius * factor;
    g->low_x = low_x;
    g->low_y = low_y;
    g->columns = (int)((high_x - low_x) / g->cell_size) + 1;
    g->rows = (int)((high_y - low_y) / g->cell_size) + 1;
}

void reference_cells_build(reference_cells *g, const double *x, const double *y, int count, double radius) {
    g->x = x;
    g->y = y;
    g->radius = radius;
    set_layout(g, count);
    if (count > g->capacity) {
        g->capacity = count;
        g->next = grow_array(g->next, sizeof *g->next * (size_t)count);
        g->cell = grow_array(g->cell, sizeof *g->cell * (size_t)count);
    }
    int cells = g->columns * g->rows;
    if (cells > g->cell_capacity) {
        g->cell_capacity = cells * 2;
        g->first = grow_array(g->first, sizeof *g->first * (size_t)g->cell_capacity);
    }
    for (int c = 0; c < cells; c++) g->first[c] = -1;
    for (int i = 0; i < count; i++) {
        int column = (int)((x[i] - g->low_x) / g->cell_size), row = (int)((y[i] - g->low_y) / g->cell_size);
        g->cell[i] = row * g->columns + column;
        g->next[i] = g->first[g->cell[i]];
        g->first[g->cell[i]] = i;
    }
}

int reference_cells_find(const reference_cells *g, int i, int *neighbour, double *distance) {
    int found = 0, column = g->cell[i] % g->columns, row = g->cell[i] / g->columns;
    const double *x = g->x, *y = g->y, radius = g->radius;
    const int *next = g->next;
    for (int v = row > 0 ? row - 1 : 0; v <= row + 1 && v < g->rows; v++)
        for (int u = column > 0 ? column - 1 : 0; u <= column + 1 && u < g->columns; u++)
            for (int j = g->first[v * g->columns + u]; j >= 0; j = next[j]) {
                double dx = x[j] - x[i], dy = y[j] - y[i];
                double r = sqrt(dx * dx + dy * dy);
                if (j == i || r >= radius) continue;
                neighbour[found] = j;
                distance[found++] = r;
            }
    return found;
}

void reference_cells_free(reference_cells *g) {
    free(g->first);
    free(g->next);
    free(g->cell);
    *g = (reference_cells){0};
}

void reference_neighbours_find(reference_neighbours *n, const reference_cells *cells, int count) {
    if (count > n->particle_capacity) {
        n->particle_capacity = count;
        n->start = grow_array(n->start, sizeof *n->start * ((size_t)count + 1));
    }
    size_t found = 0;
    for (int i = 0; i < count; i++) {
        /* room for `count` more, as a particle has fewer than `count` neighbours */
        if (n->capacity - found < (size_t)count) {
            n->capacity = found * 2 + (size_t)count;
            n->index = grow_array(n->index, sizeof *n->index * n->capacity);
            n->distance = grow_array(n->distance, sizeof *n->distance * n->capacity);
        }
        n->start[i] = found;
        found += (size_t)reference_cells_find(cells, i, n->index + found, n->distance + found);
    }
    if (count > 0) n->start[count] = found;
}

void reference_neighbours_free(reference_neighbours *n) {
    free(n->start);
    free(n->index);
    free(n->distance);
    *n = (reference_neighbours){0};
}

pd_result reference_read_parameters(const pd_world *world, const reference_key *keys, size_t count, pd_error *error) {
    for (size_t i = 0; i < count; i++) {
        float value;
        pd_result result = pd_world_parameter(world, keys[i].key, &value, error);
        if (result != PD_OK) return result;
        *keys[i].value = (double)value;
    }
    return PD_OK;
}

pd_result reference_allocate(double **const arrays[], size_t count, int numbers, pd_error *error) {
    size_t each = (size_t)numbers + 1;
    double *block = calloc(each * count, sizeof *block);
    if (!block) return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for the reference (use fewer particles)");
    for (size_t i = 0; i < count; i++) *arrays[i] = block + i * each;
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
