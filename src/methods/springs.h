/* Springs between neighbours (Clavet, Beaudoin, Poulin 2005, sections 5.1 and 5.2: algorithms 4 and 6).
 *
 * A spring joins two particles of one elastic material and stands in both of their lists, with the same rest length to
 * the bit, since both compute it from the same numbers. So every particle sums up its own springs, on any thread, and what
 * one gains the other loses. A list belongs to a slot, which a particle keeps while it is sorted about (a column); memory
 * is taken for elastic particles only. */
#ifndef PUDDLE_METHODS_SPRINGS_H
#define PUDDLE_METHODS_SPRINGS_H

#include "sim/world.h"

enum {
    SPRINGS_PER_PARTICLE = 64,
    SPRINGS_SLOT = 0, /* the method's column with each particle's slot */
};
#define SPRINGS_NO_SLOT UINT32_MAX
#define SPRINGS_SLOT_COLUMN                                                                                            \
    { .name = "spring_slot", .width = 4, .sorted = true, .saved = true, .optional = true, .initial = SPRINGS_NO_SLOT }

typedef struct springs {
    int capacity, used;     /* slots */
    int refused;            /* slots there was no memory for; 0: none were refused */
    uint32_t *place;        /* by slot: where its particle is, or SPRINGS_NO_SLOT */
    uint8_t *taken;         /* by slot */
    uint8_t *count;         /* by slot: springs of the particle */
    uint8_t *material;      /* by slot */
    uint8_t *fresh;         /* by slot: the particle has come in this substep */
    uint8_t *open, *wanted; /* by slot: there is room for all the new springs it wants; how many */
    uint32_t *other;        /* by slot and spring: the slot at the other end */
    float *rest;            /* by slot and spring: rest length, m */
    float *x, *y;           /* by slot: where its particle is, m */
    float *move_x, *move_y; /* by slot, m */
} springs;

/* One substep, after the sort: keeps slots and springs up to date, adjusts rest lengths and moves the particles (h: the
 * interaction radius, m). Springs do not form where memory runs out, nor to a particle that would have more than
 * SPRINGS_PER_PARTICLE of them. */
void springs_step(pd_world *world, springs *springs, float h, float dt);
/* The substep, in seconds, that springs of this stiffness (1/s^2) take. */
float springs_substep(float stiffness);
int springs_count(const springs *springs); /* each once */
void springs_serialize(springs *springs, pd_archive *archive);
void springs_free(springs *springs);

/* What the inner loop sees (springs_wide.c). */
typedef struct springs_pull {
    springs *springs;
    const pd_particles *particles;
    float h, inverse_h;
    float farthest;                     /* m: most that one spring moves */
    float shortest;                     /* m: rest length */
    float torn;                         /* m: a spring stretched farther tears */
    float stiffness[PD_MAX_MATERIALS];  /* times dt^2 */
    float plasticity[PD_MAX_MATERIALS]; /* times dt, at most 1 */
    float yield[PD_MAX_MATERIALS];
} springs_pull;

/* Slots [begin, end) of a springs_pull. */
extern pd_loop_body springs_pull_baseline, springs_pull_avx2, springs_pull_avx512;

#endif
