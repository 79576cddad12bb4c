/* Grid of square cells over all particles. Each cell contains sums over the particles near it. */
#ifndef PUDDLE_RENDER_PARTICLES_PARTICLE_GRID_H
#define PUDDLE_RENDER_PARTICLES_PARTICLE_GRID_H

#include <stdbool.h>

struct pd_instances;

typedef struct pd_particle_grid {
    float *cells;      /* sums_per_cell sums for each cell, row by row */
    int capacity;      /* number of allocated sums */
    int sums_per_cell; /* number of sums in a cell */
    float per_metre;   /* number of cells per metre */
    /* size of the grid, cells: powers of two, since positions outside the grid wrap around to the opposite side */
    unsigned columns, rows;
} pd_particle_grid;

/* Makes the grid as large as the area of the instances, and sets all sums to 0. cell_side: m. Returns false if memory runs
 * out. */
bool pd_particle_grid_resize_and_clear(pd_particle_grid *grid, const struct pd_instances *instances, float cell_side,
                                       int sums_per_cell);
void pd_particle_grid_free(pd_particle_grid *grid);
/* Converts a coordinate from metres to cells. Returns 0 for NAN and for values beyond the range of int. */
float pd_particle_grid_convert_to_cells(const pd_particle_grid *grid, float coordinate);

#endif
