/* Shared by the reference methods: linked lists by cell for neighbours, and copying a world's particles and
 * parameters. */
#ifndef PUDDLE_REFERENCE_CELLS_H
#define PUDDLE_REFERENCE_CELLS_H

#include <puddle/puddle.h>

/* Linked lists: the first particle of each cell, and for each particle the next one in its cell; -1 ends a list.
 * Zeroed: empty. Aborts the program when there is no memory: for tests and benchmarks only. */
typedef struct reference_cells {
    int columns, rows, cell_capacity, capacity;
    double radius, cell_size, low_x, low_y;
    const double *x, *y; /* of the particles, which may move after the cells are built: see reference_cells_find */
    int *first, *next, *cell;
} reference_cells;

/* Sorts the particles into cells of at least the radius, m. x and y are kept, not copied. */
void reference_cells_build(reference_cells *cells, const double *x, const double *y, int count, double radius);
/* The particles closer to i than the radius at the current positions, without i, and their distances; returns their
 * number. Searches the 3 x 3 cells around the cell that i was in when the cells were built. */
int reference_cells_find(const reference_cells *cells, int i, int *neighbour, double *distance);
void reference_cells_free(reference_cells *cells);

/* Neighbour lists of all particles: the neighbours of i are index[start[i]] to index[start[i + 1] - 1]. Zeroed:
 * empty. */
typedef struct reference_neighbours {
    size_t *start;
    int *index;
    double *distance; /* when they were found */
    size_t capacity;
    int particle_capacity;
} reference_neighbours;

/* Fills the lists of all particles of cells that were just built. */
void reference_neighbours_find(reference_neighbours *neighbours, const reference_cells *cells, int count);
void reference_neighbours_free(reference_neighbours *neighbours);

/* A parameter's full key, and the destination of its value. */
typedef struct reference_key {
    const char *key;
    double *value;
} reference_key;

/* Reads count parameters of the world. Errors: PARAMETER_UNKNOWN. */
pd_result reference_read(const pd_world *world, const reference_key *keys, size_t count, pd_error *error);
/* Allocates all arrays, of `numbers` zeros each, as one block that begins with the first array: free only that one.
 * Errors: OUT_OF_MEMORY. */
pd_result reference_allocate(double **const arrays[], size_t count, int numbers, pd_error *error);
/* Copies positions, velocities and masses of the world's particles. */
void reference_copy(const pd_world *world, double *x, double *y, double *vx, double *vy, double *mass);

#endif
