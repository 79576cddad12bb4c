/* Neighbour lists: what lies nearer than h to each particle, found once and walked several times.
 *
 * A list holds the places of the particles in the sorted arrays, the particle's own among them, and is filled up to whole
 * vectors with the place of nobody: a record behind those of the particles, so far away that every kernel is 0 there.
 * A method's loop makes the lists with the functions of lists_wide.h. */
#ifndef PUDDLE_SIM_LISTS_H
#define PUDDLE_SIM_LISTS_H

#include "sim/neighbours.h"

enum {
    PD_LIST_GRAIN = 512,    /* particles whose lists lie in one stretch of memory: a chunk of parallel work */
    PD_LONGEST_RANGE = 256, /* particles looked at in one row of cells; more only where a pool sits on one point */
};

/* Where nobody is: m. Its square is finite, also in units of the smallest radius. */
#define PD_NOWHERE 1e12f

typedef struct pd_lists {
    uint32_t *place;  /* all the lists */
    uint32_t *first;  /* of each particle: where its list begins, in vectors of places */
    uint16_t *length; /* of each particle: vectors of its list */
    float *weight;    /* of each particle: how many neighbours each one in its list stands for; 1 but in crowds */
    int *needed;      /* of each stretch: vectors that its lists need */
    size_t stretch;   /* vectors that there is room for in each stretch */
    int stretches, capacity;
    bool refused; /* there was no memory for more */
} pd_lists;

/* Room for this many particles. Errors: OUT_OF_MEMORY (and nothing has changed). */
pd_result pd_lists_reserve(pd_lists *lists, int capacity, pd_error *error);
void pd_lists_free(pd_lists *lists);

/* Makes the lists of the first `count` particles: calls find for each stretch, on any thread, and again for all of them where
 * the fluid has grown denser than there is room for. Without memory for more some neighbours are left out. */
void pd_lists_make(pd_lists *lists, int count, pd_pool *pool, pd_body *find, void *context);

#endif
