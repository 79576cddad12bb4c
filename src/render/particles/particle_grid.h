/* Grid of cells over all particles, for sums of the particles' values. */
#ifndef PUDDLE_RENDER_PARTICLES_PARTICLE_GRID_H
#define PUDDLE_RENDER_PARTICLES_PARTICLE_GRID_H

#include <stdbool.h>

struct pd_instances;

typedef struct pd_particle_grid {
    float *cells; /* `values` sums for each cell, row by row */
    int capacity; /* allocated sums */
    int values;
    float per_metre; /* cells per metre */
    /* powers of two; positions outside the grid wrap around, which is exact enough for a picture */
    unsigned columns, rows;
} pd_particle_grid;

/* Sets the grid's size for the area that the instances cover, and all sums to 0. side: side of a cell, m. Returns false
 * if memory runs out. */
bool pd_particle_grid_clear(pd_particle_grid *grid, const struct pd_instances *instances, float side, int values);
void pd_particle_grid_free(pd_particle_grid *grid);
/* Returns a coordinate (m) in cells. NAN and values beyond the range of int become 0. */
float pd_particle_grid_place(const pd_particle_grid *grid, float coordinate);

#endif
