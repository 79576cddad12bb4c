/* What the plain reference methods share: a linked-list grid for their neighbours, and how they take over a world. */
#ifndef PUDDLE_REFERENCE_GRID_H
#define PUDDLE_REFERENCE_GRID_H

#include <puddle/puddle.h>

/* The first particle of each cell, and of each particle the next one in its cell. Zeroed: empty. A lack of memory ends
 * the program, a tool of tests and benchmarks. */
typedef struct reference_grid {
    int columns, rows, cell_capacity, capacity;
    double radius, cell_size, low_x, low_y;
    const double *x, *y; /* of the particles, which may move a little after the grid is built */
    int *first, *next, *cell;
} reference_grid;

/* Puts every particle into the cell it is in; cells are as large as the radius. */
void reference_grid_build(reference_grid *grid, const double *x, const double *y, int count, double radius);
/* The particles closer to i than the radius where all are now, without i, and their distances; returns how many. */
int reference_grid_find(const reference_grid *grid, int i, int *neighbour, double *distance);
void reference_grid_free(reference_grid *grid);

/* The neighbours of all particles, kept: those of i are index[start[i]] to index[start[i + 1] - 1]. Zeroed: empty. */
typedef struct reference_neighbours {
    size_t *start;
    int *index;
    double *distance; /* when they were found */
    size_t capacity;
    int particle_capacity;
} reference_neighbours;

/* Of all particles of a grid just built. */
void reference_neighbours_find(reference_neighbours *neighbours, const reference_grid *grid, int count);
void reference_neighbours_free(reference_neighbours *neighbours);

/* A parameter by its full key, and where it goes. */
typedef struct reference_key {
    const char *key;
    double *value;
} reference_key;

/* Errors: PARAMETER_UNKNOWN. */
pd_result reference_read(const pd_world *world, const reference_key *keys, size_t count, pd_error *error);
/* Gives every array room for that many numbers, all zero, in one block that begins with the first of them.
 * Errors: OUT_OF_MEMORY. */
pd_result reference_allocate(double **const arrays[], size_t count, int numbers, pd_error *error);
void reference_copy(const pd_world *world, double *x, double *y, double *vx, double *vy, double *mass);

#endif
