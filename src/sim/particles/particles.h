/* The particles: a structure of arrays, aligned and padded (core/memory.h), reordered by the cell sort (sim/particles/neighbours.h).
 *
 * Each array is declared once, as a column. The world's own columns have names in the structure; a method declares
 * those that it needs in addition (sim/method.h). Allocation, growth, adding, removing, sorting, snapshots and
 * estimates of sizes all iterate over the columns. */
#ifndef PUDDLE_SIM_PARTICLES_PARTICLES_H
#define PUDDLE_SIM_PARTICLES_PARTICLES_H

#include <puddle/scene.h>

enum { PD_MAX_METHOD_COLUMNS = 8 };

/* An array with one value for each particle. */
typedef struct pd_column {
    const char *name;
    uint8_t width;    /* bytes: 4 or 1 */
    bool sorted;      /* reordered by the cell sort; false: overwritten in every substep after the sort */
    bool saved;       /* part of a snapshot */
    bool real;        /* holds floats, which must be finite in a snapshot */
    bool optional;    /* not allocated before pd_particles_require */
    uint32_t initial; /* value of a new particle, as bits */
} pd_column;

typedef struct pd_particles {
    int count, capacity;
    float *x, *y;                   /* m */
    float *vx, *vy;                 /* m/s */
    float *old_x, *old_y;           /* m, at the beginning of the substep */
    float *previous_x, *previous_y; /* m, at the beginning of the step, for drawing interpolated positions */
    float *density;                 /* written by the method, in its own measure */
    uint32_t *id;                   /* unique, unlike the index not changed by the sort */
    uint8_t *material;
    const pd_column *method_columns; /* of the running method */
    int method_column_count;
    void *method[PD_MAX_METHOD_COLUMNS]; /* their arrays, in the table's order; NULL: optional, not allocated */
    void *spare; /* four bytes a particle: the sort gathers into it, then swaps it with the array */
    uint32_t next_id;
} pd_particles;

/* Grows to at least capacity, keeping the particles. Errors: OUT_OF_MEMORY (and nothing has changed). */
pd_result pd_particles_reserve(pd_particles *particles, int capacity, pd_error *error);
/* Replaces the method's columns by others, with initial values. Errors: OUT_OF_MEMORY (and nothing has changed). */
pd_result pd_particles_set_method_columns(pd_particles *particles, const pd_column *columns, int count,
                                          pd_error *error);
/* The array of a method's column; allocates an optional one with initial values if needed. NULL: no memory. */
void *pd_particles_require(pd_particles *particles, int method_column);
/* Frees an optional column of a method. */
void pd_particles_drop(pd_particles *particles, int method_column);
/* Sets a method's column to its initial value for all particles, if it is allocated. */
void pd_particles_clear(pd_particles *particles, int method_column);
void pd_particles_free(pd_particles *particles);
/* Appends a particle; needs room (asserted). */
void pd_particles_add(pd_particles *particles, pd_vec2 position, pd_vec2 velocity, int material);
/* Removes the particles whose flag is set, keeping the order of the others. */
void pd_particles_remove(pd_particles *particles, const uint8_t *flags);

/* Number of columns; the world's come first, then the method's. */
int pd_particles_columns(const pd_particles *particles);
const pd_column *pd_particles_column(const pd_particles *particles, int column);
/* The column's array; NULL: optional, not allocated. */
void *pd_particles_array(const pd_particles *particles, int column);
void pd_particles_set_array(pd_particles *particles, int column, void *array);
/* Bytes for each particle in a snapshot. */
size_t pd_particles_saved_bytes(const pd_particles *particles);

#endif
