/* The particles: a structure of arrays, aligned and padded (core/memory.h), reordered by the cell sort
 * (sim/particles/neighbours.h).
 *
 * A column describes each array. The world's columns have named members in the structure, a method declares its own
 * (sim/method.h). Allocation, growth, adding, removing, sorting, snapshots and estimates of sizes iterate over the
 * columns. */
#ifndef PUDDLE_SIM_PARTICLES_PARTICLES_H
#define PUDDLE_SIM_PARTICLES_PARTICLES_H

#include <puddle/scene.h>

enum { PD_MAX_METHOD_COLUMNS = 8 };

/* Description of an array with one value for each particle. */
typedef struct pd_column {
    const char *name; /* name of the column */
    uint8_t width;    /* size of a value, bytes: 4 or 1 */
    bool sorted;      /* the cell sort reorders the values; false: each substep overwrites them after the sort */
    bool saved;       /* snapshots contain the values */
    bool real;        /* values are floats; a snapshot with infinite values or NAN is rejected */
    bool optional;    /* allocated only by pd_particles_require_column */
    uint32_t initial; /* bits of a new particle's value */
} pd_column;

typedef struct pd_particles {
    int count, capacity;             /* number of particles, and number for which memory is allocated */
    float *x, *y;                    /* position, m */
    float *vx, *vy;                  /* velocity, m/s */
    float *old_x, *old_y;            /* position at the beginning of the substep, m */
    float *previous_x, *previous_y;  /* position at the beginning of the step, m, for interpolation in pictures */
    float *density;                  /* density in the method's own unit (pd_density_law) */
    uint32_t *id;                    /* unique number, which sorting does not change, unlike the index */
    uint8_t *material;               /* index of the material */
    const pd_column *method_columns; /* columns of the running method */
    int method_column_count;         /* number of columns of the running method */
    /* Arrays of the method's columns; NULL: an optional column that is not allocated. */
    void *method[PD_MAX_METHOD_COLUMNS];
    /* Array of 4 bytes per particle: the cell sort writes a reordered column here, then exchanges the two arrays. */
    void *spare;
    uint32_t next_id; /* id of the next new particle */
} pd_particles;

/* Grows the arrays to at least this capacity. Errors: OUT_OF_MEMORY (nothing has changed). */
pd_result pd_particles_reserve(pd_particles *particles, int capacity, pd_error *error);
/* Replaces the method's columns by `columns`, with initial values. Errors: OUT_OF_MEMORY (nothing has changed). */
pd_result pd_particles_set_method_columns(pd_particles *particles, const pd_column *columns, int count,
                                          pd_error *error);
/* Returns the array of a method's column. Allocates the array of an optional column, with initial values, if it is
 * missing. NULL: out of memory. */
void *pd_particles_require_column(pd_particles *particles, int method_column);
/* Frees the array of an optional column of the method. */
void pd_particles_free_column(pd_particles *particles, int method_column);
/* Sets all values of a method's column to the initial value, if the column is allocated. */
void pd_particles_reset_column(pd_particles *particles, int method_column);
void pd_particles_free(pd_particles *particles);
/* Appends a particle. The capacity must suffice (asserted). */
void pd_particles_add(pd_particles *particles, pd_vec2 position, pd_vec2 velocity, int material);
/* Removes the particles whose flag is not 0. The order of the others remains. flags: by particle. */
void pd_particles_remove_flagged(pd_particles *particles, const uint8_t *flags);

/* Returns the number of columns. Columns of the world come first, then columns of the method. */
int pd_particles_column_count(const pd_particles *particles);
const pd_column *pd_particles_column(const pd_particles *particles, int column);
/* Returns a column's array, or NULL if the column is optional and not allocated. */
void *pd_particles_column_array(const pd_particles *particles, int column);
void pd_particles_set_column_array(pd_particles *particles, int column, void *array);
/* Returns the size of one particle in a snapshot, bytes: the sum of the widths of all saved columns. */
size_t pd_particles_saved_bytes_per_particle(const pd_particles *particles);

#endif
