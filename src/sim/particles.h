/* The particles: a structure of arrays, aligned and padded (core/memory.h), reordered by cell in every substep. */
#ifndef PUDDLE_SIM_PARTICLES_H
#define PUDDLE_SIM_PARTICLES_H

#include <puddle/scene.h>

#define PD_NO_TAG UINT32_MAX

typedef struct pd_particles {
    int count, capacity;
    float *x, *y;                   /* m */
    float *vx, *vy;                 /* m/s */
    float *old_x, *old_y;           /* where the substep began */
    float *previous_x, *previous_y; /* where the step began, for drawing between */
    float *density;                 /* written by the method */
    uint32_t *id;                   /* stays with its particle */
    uint8_t *material;
    uint32_t *tag; /* what the method marks its particles with, PD_NO_TAG at first; NULL where none does */
    void *spare;   /* four bytes a particle: what sorting gathers into, before it takes an array's place */
    uint32_t next_id;
} pd_particles;

/* Grows to at least capacity, keeping what is there. Errors: OUT_OF_MEMORY (and nothing has changed). */
pd_result pd_particles_reserve(pd_particles *particles, int capacity, pd_error *error);
/* Gives every particle a tag, when they have none yet; false: no memory. */
bool pd_particles_tag(pd_particles *particles);
void pd_particles_free(pd_particles *particles);
/* Appends one; needs room (asserted). */
void pd_particles_add(pd_particles *particles, pd_vec2 position, pd_vec2 velocity, int material);
/* Removes those whose flag is set, keeping the order of the others. */
void pd_particles_remove(pd_particles *particles, const uint8_t *flags);

#endif
