/* The particles: a structure of arrays, aligned and padded (core/memory.h), reordered by cell in every substep.
 *
 * What there is of each particle is declared once, as a column. The world's own columns have names in the structure; a
 * method declares those that it needs beside them (sim/method.h). One table of both drives allocation, growth, adding,
 * removing, sorting, snapshots and every estimate of sizes. */
#ifndef PUDDLE_SIM_PARTICLES_H
#define PUDDLE_SIM_PARTICLES_H

#include <puddle/scene.h>

enum { PD_MAX_METHOD_COLUMNS = 8 };

/* One value of each particle. */
typedef struct pd_column {
    const char *name;
    uint8_t width;    /* bytes: 4 or 1 */
    bool sorted;      /* carried along by the cell sort; false: written anew in every substep after it */
    bool saved;       /* part of a snapshot */
    bool real;        /* holds floats, which a snapshot must not have as NaN or infinite */
    bool optional;    /* takes no memory before pd_particles_require */
    uint32_t initial; /* value of a new particle, as bits */
} pd_column;

typedef struct pd_particles {
    int count, capacity;
    float *x, *y;                   /* m */
    float *vx, *vy;                 /* m/s */
    float *old_x, *old_y;           /* where the substep began */
    float *previous_x, *previous_y; /* where the step began, for drawing between */
    float *density;                 /* written by the method */
    uint32_t *id;                   /* stays with its particle */
    uint8_t *material;
    const pd_column *method_columns; /* of the running method */
    int method_column_count;
    void *method[PD_MAX_METHOD_COLUMNS]; /* their arrays, in the order of the method's table; NULL: optional, and not there */
    void *spare; /* four bytes a particle: the sort gathers into it before it takes an array's place */
    uint32_t next_id;
} pd_particles;

/* Grows to at least capacity, keeping what is there. Errors: OUT_OF_MEMORY (and nothing has changed). */
pd_result pd_particles_reserve(pd_particles *particles, int capacity, pd_error *error);
/* Replaces the method's columns by others, which hold their initial values. Errors: OUT_OF_MEMORY (and nothing has changed). */
pd_result pd_particles_set_method_columns(pd_particles *particles, const pd_column *columns, int count,
                                          pd_error *error);
/* The array of a method's column, allocated with initial values when it is optional and not there; NULL: no memory. */
void *pd_particles_require(pd_particles *particles, int method_column);
/* Gives every particle the initial value of a method's column, if its array is there. */
void pd_particles_clear(pd_particles *particles, int method_column);
void pd_particles_free(pd_particles *particles);
/* Appends one; needs room (asserted). */
void pd_particles_add(pd_particles *particles, pd_vec2 position, pd_vec2 velocity, int material);
/* Removes those whose flag is set, keeping the order of the others. */
void pd_particles_remove(pd_particles *particles, const uint8_t *flags);

/* All columns, the world's first: 0 .. pd_particles_columns() - 1. */
int pd_particles_columns(const pd_particles *particles);
const pd_column *pd_particles_column(const pd_particles *particles, int column);
/* Its array; NULL: optional, and not there. */
void *pd_particles_array(const pd_particles *particles, int column);
void pd_particles_set_array(pd_particles *particles, int column, void *array);
/* Bytes that a snapshot holds of each particle. */
size_t pd_particles_saved_bytes(const pd_particles *particles);

#endif
