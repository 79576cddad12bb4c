/* Helpers of the reference methods: neighbours by cells, and copies of a world's particles and parameters. */
#ifndef PUDDLE_REFERENCE_CELLS_H
#define PUDDLE_REFERENCE_CELLS_H

#include <puddle/puddle.h>

/* Particles sorted into cells, as linked lists: first[cell], next[particle]; -1 ends a list. A zeroed struct is empty.
 * Aborts if memory runs out: for tests and benchmarks only. */
typedef struct reference_cells {
    int columns, rows, cell_capacity, capacity;
    double radius, cell_size, low_x, low_y;
    const double *x, *y; /* positions, owned by the caller; particles may move after the sorting */
    int *first, *next, *cell;
} reference_cells;

/* Sorts the particles into cells at least as large as the radius, m. x and y must outlive the cells. */
void reference_cells_build(reference_cells *cells, const double *x, const double *y, int count, double radius);
/* Finds the particles within the radius of particle i at the present positions, and their distances. Searches the 3 x 3
 * cells around the cell that i had when it was sorted. Returns their number, without i. */
int reference_cells_find_neighbours(const reference_cells *cells, int i, int *neighbour, double *distance);
void reference_cells_free(reference_cells *cells);

/* Neighbour lists of all particles. The neighbours of i are index[start[i]] to index[start[i + 1] - 1]. A zeroed struct
 * is empty. */
typedef struct reference_neighbours {
    size_t *start;
    int *index;
    double *distance; /* distances at the time of building, m */
    size_t capacity;
    int particle_capacity;
} reference_neighbours;

/* Builds the lists of all particles from cells that are up to date. */
void reference_neighbours_build(reference_neighbours *neighbours, const reference_cells *cells, int count);
void reference_neighbours_free(reference_neighbours *neighbours);

/* Full key of a parameter, and the variable that receives its value. */
typedef struct reference_parameter {
    const char *key;
    double *value;
} reference_parameter;

/* Reads count parameters of the world. Errors: PARAMETER_UNKNOWN. */
pd_result reference_read_parameters(const pd_world *world, const reference_parameter *parameters, size_t count,
                                    pd_error *error);
/* Allocates arrays of `numbers` zeros each, as one block that begins at the first array, so that only the first is
 * freed. Errors: OUT_OF_MEMORY. */
pd_result reference_allocate_arrays(double **const arrays[], size_t array_count, int length, pd_error *error);
/* Copies positions, velocities and masses of the world's particles. */
void reference_copy_particles(const pd_world *world, double *x, double *y, double *vx, double *vy, double *mass);

#endif
