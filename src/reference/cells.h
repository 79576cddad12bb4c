/* Helpers of the reference methods: neighbour search in cells, and copies of a world's particles and parameters. */
#ifndef PUDDLE_REFERENCE_CELLS_H
#define PUDDLE_REFERENCE_CELLS_H

#include <puddle/puddle.h>

/* Particles sorted into square cells, each with a linked list: first[cell] is the first particle of the cell,
 * next[particle] the next one in the same cell, and -1 ends the list. A zeroed struct has no particles. The functions
 * abort if memory runs out, since they serve only tests and benchmarks. */
typedef struct reference_cells {
    int columns, rows;           /* number of columns and rows of cells */
    int cell_capacity, capacity; /* numbers of cells and of particles for which memory is allocated */
    double radius;               /* interaction radius, m */
    double cell_size;            /* side of a cell, m */
    double low_x, low_y;         /* lower left corner of the cells, m */
    const double *x, *y;         /* positions, owned by the caller; may change after reference_cells_build */
    int *first, *next, *cell;
} reference_cells;

/* Sorts the particles into cells whose side is the radius (m) or more. The arrays x and y must outlive the cells. */
void reference_cells_build(reference_cells *cells, const double *x, const double *y, int count, double radius);
/* Finds the particles within the radius of particle i, by the present positions, and their distances, m. Searches the 3
 * x 3 cells around the cell into which i was sorted. Returns the number of neighbours, without i itself. */
int reference_cells_find_neighbours(const reference_cells *cells, int i, int *neighbour, double *distance);
void reference_cells_free(reference_cells *cells);

/* Neighbour lists of all particles. The neighbours of i are index[start[i]] to index[start[i + 1] - 1]. A zeroed struct
 * is empty. */
typedef struct reference_neighbours {
    size_t *start;         /* by particle: position in `index` and `distance` of its first neighbour */
    int *index;            /* particle indices of the neighbours of all particles, one particle after the other */
    double *distance;      /* distances of these neighbours when the lists were built, m */
    size_t capacity;       /* number of neighbours for which `index` and `distance` have memory */
    int particle_capacity; /* number of particles for which `start` has memory */
} reference_neighbours;

/* Builds the neighbour lists of particles 0 to count - 1 from cells that are up to date. */
void reference_neighbours_build(reference_neighbours *neighbours, const reference_cells *cells, int count);
void reference_neighbours_free(reference_neighbours *neighbours);

/* A parameter for reference_read_parameters to read. */
typedef struct reference_parameter {
    const char *key; /* full name, such as "ddr.radius" */
    double *value;   /* where the parameter's value is written */
} reference_parameter;

/* Reads `count` parameters of the world. Errors: PARAMETER_UNKNOWN. */
pd_result reference_read_parameters(const pd_world *world, const reference_parameter *parameters, size_t count,
                                    pd_error *error);
/* Allocates `array_count` arrays of `length` zeros each, as one block. To free all, free the first array. Errors:
 * OUT_OF_MEMORY. */
pd_result reference_allocate_arrays(double **const arrays[], size_t array_count, int length, pd_error *error);
/* Copies positions, velocities and masses of the world's particles. */
void reference_copy_particles(const pd_world *world, double *x, double *y, double *vx, double *vy, double *mass);

#endif
